/** Counts, encodes and cuts text with a vocabulary and a split pattern. */
import { mergerOf } from './merge.ts';
import { pieceCache } from './piece-cache.ts';
import type { Splitter } from './split.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface Bpe {
  count(text: string): number;
  encode(text: string): number[];
  /** See `Encoding.truncate`; `maxTokens` is a whole number from 0. */
  truncate(text: string, maxTokens: number): string;
}

/** Text up to this many UTF-16 units is written into a buffer that is kept; longer text gets one of its own. */
const keptUnits = 1 << 16;

/** Looking for the longest cut, ends this many bytes past the first guess are tried, fewer where a try costs more. */
const reachBytes = 128;
const effortBytes = 1 << 19;

/** How far before the cut counting starts again, in pieces: a piece depends on its neighbour only. */
const lookBack = 3;

export function bpeOf(vocabulary: Vocabulary, split: Splitter): Bpe {
  const merger = mergerOf(vocabulary);
  const cache = pieceCache();
  const encoder = new TextEncoder();
  const kept = new Uint8Array(keptUnits * 3);

  /** The UTF-8 bytes of the text; lone surrogates become U+FFFD. Valid until the next call. */
  function bytesOf(text: string): Uint8Array {
    if (text.length > keptUnits) return encoder.encode(text);
    return kept.subarray(0, encoder.encodeInto(text, kept).written);
  }

  function pieceTokens(bytes: Uint8Array, from: number, to: number): number {
    if (vocabulary.find(bytes, from, to) >= 0) return 1;
    const known = cache.find(bytes, from, to);
    if (known > 0) return known;
    const count = merger.merge(bytes, from, to);
    cache.remember(count);
    return count;
  }

  function countBytes(bytes: Uint8Array, from: number, to: number): number {
    let count = 0;
    for (let start = from; start < to; ) {
      const end = split(bytes, start, to);
      count += pieceTokens(bytes, start, end);
      start = end;
    }
    return count;
  }

  /** The piece in which the count passes `maxTokens`, and the counts before it and a few pieces before that. */
  function passing(bytes: Uint8Array, maxTokens: number): Passing | undefined {
    const starts: number[] = [];
    const counts: number[] = [];
    for (let start = 0, before = 0; start < bytes.length; ) {
      const end = split(bytes, start, bytes.length);
      const count = before + pieceTokens(bytes, start, end);
      starts.push(start);
      counts.push(before);
      if (starts.length > lookBack + 1) {
        starts.shift();
        counts.shift();
      }
      if (count > maxTokens) return { start, end, before, safeStart: starts[0] ?? 0, safeBefore: counts[0] ?? 0 };
      start = end;
      before = count;
    }
    return undefined;
  }

  /** The end of the longest prefix within `maxTokens`, a character boundary. */
  function cutOf(bytes: Uint8Array, maxTokens: number, piece: Passing): number {
    const { safeStart, safeBefore } = piece;
    let guess = piece.start;
    if (piece.end - piece.start > reachBytes) {
      merger.merge(bytes, piece.start, piece.end);
      guess = merger.starts()[maxTokens - piece.before] ?? guess;
    }
    const reach = Math.min(reachBytes, Math.ceil(effortBytes / (guess - safeStart + 1)));
    // One character past the piece: what looks ahead can be shorter when the text ends there.
    let end = Math.min(bytes.length, piece.end + 4, guess + reach + 4);
    for (; end > safeStart; end--) {
      if (!isBoundary(bytes, end)) continue;
      if (safeBefore + countBytes(bytes, safeStart, end) <= maxTokens) break;
    }
    return end;
  }

  return {
    count(text) {
      const bytes = bytesOf(text);
      return countBytes(bytes, 0, bytes.length);
    },

    encode(text) {
      const bytes = bytesOf(text);
      const ids: number[] = [];
      for (let from = 0; from < bytes.length; ) {
        const to = split(bytes, from, bytes.length);
        const id = vocabulary.find(bytes, from, to);
        if (id >= 0) ids.push(id);
        else {
          merger.merge(bytes, from, to);
          let start = from;
          for (const end of merger.starts().subarray(1)) {
            ids.push(vocabulary.find(bytes, start, end));
            start = end;
          }
        }
        from = to;
      }
      return ids;
    },

    truncate(text, maxTokens) {
      if (maxTokens === 0) return '';
      // No token has more bytes than the longest, no character has none; the rest of the text cannot matter.
      const bytes = bytesOf(wholeCharacters(text, (maxTokens + 2) * vocabulary.longest));
      const piece = passing(bytes, maxTokens);
      return piece ? text.slice(0, unitsOf(bytes, cutOf(bytes, maxTokens, piece))) : text;
    },
  };
}

interface Passing {
  readonly start: number;
  readonly end: number;
  /** Tokens before `start`. */
  readonly before: number;
  /** The start of a piece a little earlier and the tokens before it: what follows cannot change these. */
  readonly safeStart: number;
  readonly safeBefore: number;
}

function wholeCharacters(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const splitsPair = (text.charCodeAt(maxUnits - 1) & 0xfc00) === 0xd800;
  return text.slice(0, splitsPair ? maxUnits - 1 : maxUnits);
}

function isBoundary(bytes: Uint8Array, index: number): boolean {
  return index >= bytes.length || ((bytes[index] ?? 0) & 0xc0) !== 0x80;
}

/** How many UTF-16 units the first bytes stand for: two for a character of four bytes, else one. */
function unitsOf(bytes: Uint8Array, end: number): number {
  let units = 0;
  for (let i = 0; i < end; i++) {
    const byte = bytes[i] ?? 0;
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1;
  }
  return units;
}
