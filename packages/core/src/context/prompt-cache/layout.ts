/** Which messages of a request a breakpoint stands on. Knows nothing of a format: every form of messages becomes rows. */

/** A message as far as breakpoints depend on it. */
export interface CacheRow {
  /** `tool`: it carries results, whatever its role is called in its format. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** False where its provider takes no breakpoint. */
  readonly canCarry: boolean;
}

/**
 * How breakpoints are placed.
 * `system_and_3`: the system prompt and the last three messages; without a system prompt the last four.
 * `turns`: the system prompt, the message that opened the turn, the end of the request before this one, and the end of
 * this one: the places that a later request will share, also after a step with many results or a turn asked anew.
 */
export type CacheLayout = (typeof cacheLayouts)[number];

/** Every way of placing breakpoints. */
export const cacheLayouts = ['system_and_3', 'turns'] as const;

/** The most that Anthropic takes in one request (docs: Prompt caching, "up to 4 cache breakpoints"). */
const maxBreakpoints = 4;

/** Indexes of the rows that carry a breakpoint, rising, at most `maxBreakpoints`. */
export function layOut(rows: readonly CacheRow[], layout: CacheLayout): readonly number[] {
  const start = rows.findIndex(({ role }) => role !== 'system');
  const end = start === -1 ? rows.length : start;
  const system = rows.slice(0, end).findLastIndex(({ canCarry }) => canCarry);
  const opening = system === -1 ? [] : [system];
  const others = layout === 'turns' ? turnPlaces(rows, end) : lastPlaces(rows, end, maxBreakpoints - opening.length);
  return [...opening, ...others];
}

/** The last rows that can carry one; system messages in the middle are none of them. */
function lastPlaces(rows: readonly CacheRow[], from: number, count: number): readonly number[] {
  const places: number[] = [];
  for (let at = rows.length - 1; at >= from && places.length < count; at--) {
    const row = rows[at];
    if (row?.canCarry && row.role !== 'system') places.unshift(at);
  }
  return places;
}

/**
 * Every answer stands behind the request that it answers: the request before this one ended before the newest answer.
 * A breakpoint that cannot stand where it should stands on the next message before it that can carry it.
 */
function turnPlaces(rows: readonly CacheRow[], from: number): readonly number[] {
  const turn = rows.findLastIndex(({ role }) => role === 'user');
  const before = rows.findLastIndex(({ role }) => role === 'assistant') - 1;
  const wished = [turn, before, rows.length - 1].map((at) => carrierBefore(rows, from, at));
  return [...new Set(wished.filter((at) => at >= from))].sort((a, b) => a - b);
}

function carrierBefore(rows: readonly CacheRow[], from: number, at: number): number {
  let place = at;
  while (place >= from && !rows[place]?.canCarry) place--;
  return place;
}
