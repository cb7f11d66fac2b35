/**
 * Where what must stay is larger than the target: cuts the middle out of its longest answers of tools, then out of its
 * longest words of the person, then out of the rules, and says so in place. What the model wrote is never cut: it is what is learned.
 */
import type { Turn } from './turn.ts';
import type { ChangedTurn, ShortenTurn } from './write.ts';

/** A turn is not cut below this, in tokens. */
const leastTokens = 120;

interface Clipping {
  readonly turns: readonly Turn[];
  readonly tokens: readonly number[];
  readonly shortenTurn: ShortenTurn;
  readonly count: (text: string) => number;
}

/** The turns by index that have to be shortened, so that `over` tokens go; all that there is where that is not enough. */
export function clipTurns(kept: readonly number[], over: number, clipping: Clipping): ReadonlyMap<number, ChangedTurn> {
  const clipped = new Map<number, ChangedTurn>();
  let left = over;
  for (const speaker of ['tool', 'human', 'system'] as const) {
    const sizes = kept.filter((at) => clipping.turns[at]?.speaker === speaker);
    for (const at of sizes.toSorted((a, b) => (clipping.tokens[b] ?? 0) - (clipping.tokens[a] ?? 0))) {
      if (left <= 0) return clipped;
      const size = clipping.tokens[at] ?? 0;
      const made = size > leastTokens * 2 ? clipOne(at, Math.max(leastTokens, size - left), clipping) : undefined;
      if (made === undefined) continue;
      clipped.set(at, made.turn);
      left -= size - made.tokens;
    }
  }
  return clipped;
}

interface Clipped {
  readonly turn: ChangedTurn;
  readonly tokens: number;
}

function clipOne(at: number, room: number, { tokens, shortenTurn, count }: Clipping): Clipped | undefined {
  let share = room / (tokens[at] ?? room);
  let clipped: Clipped | undefined;
  for (let round = 0; round < 6; round++, share *= 0.9) {
    const turn = shortenTurn(at, (text) => clipText(text, share));
    if (turn === undefined) return undefined;
    clipped = { turn, tokens: count(turn.text) };
    if (clipped.tokens <= room) return clipped;
  }
  return clipped;
}

/** The start and the end of a text, two to one, with a mark that says how much is gone. */
export function clipText(text: string, share: number): string {
  const room = Math.max(0, Math.floor(text.length * share) - 40);
  if (room >= text.length) return text;
  const start = wholeUnits(text, Math.floor((room * 2) / 3));
  const end = text.length - Math.floor(room / 3);
  const from = (text.charCodeAt(end) & 0xfc00) === 0xdc00 ? end + 1 : end;
  return `${text.slice(0, start)}\n[… ${from - start} characters cut out …]\n${text.slice(from)}`;
}

/** A position that does not part a pair of surrogates. */
const wholeUnits = (text: string, at: number): number => ((text.charCodeAt(at - 1) & 0xfc00) === 0xd800 ? at - 1 : at);
