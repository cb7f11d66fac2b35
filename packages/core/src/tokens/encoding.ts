/**
 * The public encodings of OpenAI's models, counted exactly and in time that grows with the length of the text,
 * whatever the text is.
 */
import { PalimpsestError } from '../shared/errors.ts';
import { asCount, type TokenCount } from './amount.ts';
import { Merger } from './merge.ts';
import { type Splitter, splitCl100k, splitO200k } from './split.ts';
import { type Vocabulary, vocabularyOf } from './vocabulary.ts';

export const encodingNames = ['o200k_base', 'cl100k_base'] as const;

/** The encodings whose tokens are counted exactly. */
export type EncodingName = (typeof encodingNames)[number];

/** Special tokens such as `<|endoftext|>` are plain text to all of these, and a lone surrogate is U+FFFD. */
export interface Encoding {
  readonly name: EncodingName;
  /**
   * The number of tokens, equal to that of tiktoken. A single piece (a run without any break) over 8 MiB is merged in
   * stretches of that size, which may cost a token each.
   */
  count(text: string): TokenCount;
  /** The token ids, as tiktoken gives them. */
  encode(text: string): number[];
  /**
   * The longest prefix that has at most `maxTokens` tokens and ends at a character boundary; never more tokens, and in
   * a run of over 4 KiB without any break possibly a few characters fewer. Throws `BAD_OPTION` unless `maxTokens` is a
   * whole number from 0.
   */
  truncate(text: string, maxTokens: number): string;
}

const splitters = { o200k_base: splitO200k, cl100k_base: splitCl100k } as const;

const loading = new Map<EncodingName, Promise<Encoding>>();

/**
 * Loads an encoding, once: the second call gives the same one. Throws `FILE_UNREADABLE` where the rank table was not
 * made.
 *
 * @example
 * import { loadEncoding } from '@palimpsest/core';
 * const { count, truncate } = await loadEncoding('o200k_base');
 * count('Move the ledgers.');
 * truncate('Move the ledgers.', 2);
 */
export function loadEncoding(name: EncodingName): Promise<Encoding> {
  const known = loading.get(name);
  if (known) return known;
  const promise = load(name);
  loading.set(name, promise);
  // The caller gets the failure; a later call may succeed.
  promise.catch(() => loading.delete(name));
  return promise;
}

async function load(name: EncodingName): Promise<Encoding> {
  const bpe = new Bpe(vocabularyOf(await packedRanks(name)), splitters[name]);
  return {
    name,
    count: (text) => asCount(bpe.count(text)),
    encode: (text) => bpe.encode(text),
    truncate(text, maxTokens) {
      if (Number.isSafeInteger(maxTokens) && maxTokens >= 0) return bpe.truncate(text, maxTokens);
      throw new PalimpsestError('BAD_OPTION', `maxTokens must be a whole number from 0, got ${maxTokens}.`, {
        evidence: { maxTokens },
      });
    },
  };
}

async function packedRanks(name: EncodingName): Promise<string> {
  try {
    // Written out, so that a bundler sees both files.
    const module =
      name === 'o200k_base' ? await import('./ranks/o200k_base.data.js') : await import('./ranks/cl100k_base.data.js');
    return module.ranks;
  } catch (cause) {
    throw new PalimpsestError(
      'FILE_UNREADABLE',
      `The rank table of ${name} (tokens/ranks/${name}.data.js) cannot be loaded; in a checkout run \`npm run prepare\`, which makes it.`,
      { evidence: { encoding: name }, cause },
    );
  }
}

/** Text up to this many UTF-16 units is written into a buffer that is kept; longer text gets one of its own. */
const keptUnits = 1 << 16;

/** Looking for the longest cut, ends this many bytes past the first guess are tried, fewer where a try costs more. */
const reachBytes = 128;
const effortBytes = 1 << 19;

/** How far before the cut counting starts again, in pieces: a piece depends on its neighbour only. */
const lookBack = 3;

/** Counts, encodes and cuts text with a vocabulary and a split pattern. */
class Bpe {
  readonly #vocabulary: Vocabulary;
  readonly #split: Splitter;
  readonly #merger: Merger;
  readonly #cache = pieceCache();
  readonly #encoder = new TextEncoder();
  readonly #kept = new Uint8Array(keptUnits * 3);

  constructor(vocabulary: Vocabulary, split: Splitter) {
    this.#vocabulary = vocabulary;
    this.#split = split;
    this.#merger = new Merger(vocabulary);
  }

  /** The UTF-8 bytes of the text; lone surrogates become U+FFFD. Valid until the next call. */
  #bytesOf(text: string): Uint8Array {
    if (text.length > keptUnits) return this.#encoder.encode(text);
    return this.#kept.subarray(0, this.#encoder.encodeInto(text, this.#kept).written);
  }

  #pieceTokens(bytes: Uint8Array, from: number, to: number): number {
    if (this.#vocabulary.find(bytes, from, to) >= 0) return 1;
    const known = this.#cache.find(bytes, from, to);
    if (known > 0) return known;
    const count = this.#merger.merge(bytes, from, to);
    this.#cache.remember(count);
    return count;
  }

  #countBytes(bytes: Uint8Array, from: number, to: number): number {
    let count = 0;
    for (let start = from; start < to; ) {
      const end = this.#split(bytes, start, to);
      count += this.#pieceTokens(bytes, start, end);
      start = end;
    }
    return count;
  }

  /** The piece in which the count passes `maxTokens`, and the counts before it and a few pieces before that. */
  #passing(bytes: Uint8Array, maxTokens: number): Passing | undefined {
    const starts: number[] = [];
    const counts: number[] = [];
    for (let start = 0, before = 0; start < bytes.length; ) {
      const end = this.#split(bytes, start, bytes.length);
      const count = before + this.#pieceTokens(bytes, start, end);
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
  #cutOf(bytes: Uint8Array, maxTokens: number, piece: Passing): number {
    const { safeStart, safeBefore } = piece;
    let guess = piece.start;
    if (piece.end - piece.start > reachBytes) {
      this.#merger.merge(bytes, piece.start, piece.end);
      guess = this.#merger.starts()[maxTokens - piece.before] ?? guess;
    }
    const reach = Math.min(reachBytes, Math.ceil(effortBytes / (guess - safeStart + 1)));
    // One character past the piece: what looks ahead can be shorter when the text ends there.
    let end = Math.min(bytes.length, piece.end + 4, guess + reach + 4);
    for (; end > safeStart; end--) {
      if (!isBoundary(bytes, end)) continue;
      if (safeBefore + this.#countBytes(bytes, safeStart, end) <= maxTokens) break;
    }
    return end;
  }

  count(text: string): number {
    const bytes = this.#bytesOf(text);
    return this.#countBytes(bytes, 0, bytes.length);
  }

  encode(text: string): number[] {
    const bytes = this.#bytesOf(text);
    const ids: number[] = [];
    for (let from = 0; from < bytes.length; ) {
      const to = this.#split(bytes, from, bytes.length);
      const id = this.#vocabulary.find(bytes, from, to);
      if (id >= 0) ids.push(id);
      else {
        this.#merger.merge(bytes, from, to);
        let start = from;
        for (const end of this.#merger.starts().subarray(1)) {
          ids.push(this.#vocabulary.find(bytes, start, end));
          start = end;
        }
      }
      from = to;
    }
    return ids;
  }

  /** See `Encoding.truncate`; `maxTokens` is a whole number from 0. */
  truncate(text: string, maxTokens: number): string {
    if (maxTokens === 0) return '';
    // No token has more bytes than the longest, no character has none; the rest of the text cannot matter.
    const bytes = this.#bytesOf(wholeCharacters(text, (maxTokens + 2) * this.#vocabulary.longest));
    const piece = this.#passing(bytes, maxTokens);
    return piece ? text.slice(0, unitsOf(bytes, this.#cutOf(bytes, maxTokens, piece))) : text;
  }
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

/**
 * Remembers how many tokens a piece has, for the words, names and phrases that are no token themselves and come again
 * and again. Each piece has one place, where a newer piece displaces an older one, so the size is fixed.
 */
interface PieceCache {
  /** The number remembered for `bytes[from] … bytes[to - 1]`, or 0; the piece then takes the place it hashes to. */
  find(bytes: Uint8Array, from: number, to: number): number;
  /** Remembers a number for the piece that the last `find` did not know. */
  remember(count: number): void;
}

const places = 1 << 14;
/** Each place holds the length of the piece, its number of tokens (0: not known yet), and its bytes. */
const placeBytes = 64;
const longest = placeBytes - 2;

function pieceCache(): PieceCache {
  const memory = new Uint8Array(places * placeBytes);
  let asked = -1;
  return {
    find(bytes, from, to) {
      asked = -1;
      const size = to - from;
      if (size > longest) return 0;
      const place = placeOf(bytes, from, to);
      const start = place + 2;
      let same = memory[place] === size ? 0 : -1;
      while (same >= 0 && same < size && memory[start + same] === bytes[from + same]) same++;
      asked = place;
      if (same === size) return memory[place + 1] as number; // a place has this byte
      memory[place] = size;
      memory[place + 1] = 0;
      for (let i = 0; i < size; i++) memory[start + i] = bytes[from + i] as number; // inside the piece
      return 0;
    },
    remember(count) {
      if (asked >= 0) memory[asked + 1] = count;
    },
  };
}

function placeOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  for (let i = from; i < to; i++) hash = Math.imul(hash, 0x85ebca6b) + (bytes[i] as number); // inside the piece
  hash ^= hash >>> 15;
  return (Math.imul(hash, 0x9e3779b1) >>> 18) * placeBytes;
}
