/**
 * Makes shortened turns as long as there is room for. A plan chooses among a few lengths, and reckons their tokens from their characters:
 * what it leaves may be much where the next length of every turn is too large, or less than nothing.
 */
import type { Shortener } from './shorten.ts';
import type { Turn } from './turn.ts';
import type { ChangedTurn } from './write.ts';

/** A turn that stands shortened. */
export interface ShortenedTurn {
  readonly turn: ChangedTurn;
  /** What a token more of it is worth. */
  readonly rate: number;
}

export interface FillUpOptions {
  readonly shortened: readonly ShortenedTurn[];
  /** Tokens that all of them may have. */
  readonly room: number;
  readonly turns: readonly Turn[];
  /** Tokens of each turn as it was. */
  readonly tokens: readonly number[];
  readonly shortener: Shortener;
  readonly count: (text: string) => number;
  /** Share of what stays of other words than those of tools for their start, and for their end. */
  readonly wordEnds: number;
}

/** Less than that is not worth the trouble. */
const leastLeft = 200;
/** Parts of the length that would fill what is left, or remove what is over, that are tried: lines differ in their tokens. */
const longerParts = [0.93, 0.75, 0.5, 0.3, 0.15] as const;
const shorterParts = [1.1, 1.4, 2] as const;
/** A turn that is made shorter keeps at least this share of what it showed. */
const leastKept = 0.3;

/** By turn, how it stands then, `undefined` for whole; turns that stay as they were given are left out. */
export function fillUp(options: FillUpOptions): ReadonlyMap<number, ChangedTurn | undefined> {
  const { shortened, room, tokens, count } = options;
  const sized = shortened.map(({ turn, rate }) => ({ turn, rate, size: count(turn.text) }));
  let left = room - sized.reduce((sum, { size }) => sum + size, 0);
  const made = new Map<number, ChangedTurn | undefined>();
  if (left < 0) {
    for (const { turn, size } of sized.toSorted((a, b) => b.size - a.size)) {
      if (left >= 0) break;
      const shorter = resized(options, {
        turn,
        size,
        by: Math.max(left, -size * (1 - leastKept)),
        parts: shorterParts,
      });
      if (!shorter) continue;
      made.set(turn.at, shorter.turn);
      left -= shorter.more;
    }
    return made;
  }
  // Those that fit whole, the most of them first; then the best of the others.
  const growth = ({ turn, size }: { turn: ChangedTurn; size: number }): number => (tokens[turn.at] ?? 0) - size;
  for (const one of sized.toSorted((a, b) => growth(a) - growth(b))) {
    if (growth(one) > left) break;
    made.set(one.turn.at, undefined);
    left -= growth(one);
  }
  for (const { turn, size } of sized.toSorted((a, b) => b.rate - a.rate)) {
    if (left < leastLeft) break;
    if (made.has(turn.at)) continue;
    const longer = resized(options, { turn, size, by: left, parts: longerParts });
    if (!longer) continue;
    made.set(turn.at, longer.turn);
    left -= longer.more;
  }
  return made;
}

interface Resizing {
  readonly turn: ChangedTurn;
  readonly size: number;
  /** Tokens more that it may have, or that it must have less. */
  readonly by: number;
  readonly parts: readonly number[];
}

/** A turn shortened less, or more; undefined where no part of it is right. */
function resized(
  { turns, shortener, count, wordEnds }: FillUpOptions,
  { turn: { at, text: shown }, size, by, parts }: Resizing,
): { turn: ChangedTurn; more: number } | undefined {
  const { text: whole = '', speaker } = turns[at] ?? {};
  const ends = speaker === 'tool' ? 0 : wordEnds;
  for (const part of parts) {
    const share = (shown.length / Math.max(1, whole.length)) * Math.max(0, 1 + (by / Math.max(1, size)) * part);
    const turn = shortener.shorten(at, { room: (length) => Math.floor(length * share), ends });
    const more = turn ? count(turn.text) - size : 0;
    if (turn && more <= by && more !== 0) return { turn, more };
  }
  return undefined;
}
