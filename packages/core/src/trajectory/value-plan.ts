/**
 * Chooses what of a trajectory stays: the groups that are worth most for their tokens, at the start, at the end and between,
 * so long as they and the summaries of the rest fit the target.
 *
 *     head │ region │ kept │ region │ kept tail
 *            each region becomes one summary turn
 */

import type { PlanInput } from './greedy-plan.ts';
import { groupsOf, type Range } from './groups.ts';
import { groupWorths, type Worths } from './worth.ts';

/** A region, and the tokens that its summary may have. */
export interface PlannedRegion extends Range {
  readonly tokens: number;
}

/** Tokens around a summary: its opening, and what a region of its own costs beside longer ones. */
const seamTokens = 60;

/** A summary below this tells next to nothing. */
const leastSummary = 160;

interface Choice {
  readonly groups: readonly Range[];
  readonly sizes: readonly number[];
  readonly isKept: boolean[];
}

/** The regions to summarise so that all fits; none where everything that may go is too small to be worth it. */
export function valuePlan(input: PlanInput): readonly PlannedRegion[] {
  const { turns, tokens, targetTokens, summaryTokens, kept } = input;
  const groups = groupsOf(turns);
  const sizes = groups.map((group) => sumOf(tokens, group));
  const isKept = groups.map(({ from, to }) => rangeHas(kept, from, to));
  const choice: Choice = { groups, sizes, isKept };
  const fixed = sizes.reduce((sum, size, at) => sum + (isKept[at] ? size : 0), 0);
  const room = targetTokens - fixed - summaryTokens;
  if (room > 0) fill(choice, groupWorths(turns, groups, isKept), { room, mostRegions: regionsFor(summaryTokens) });
  return shared(regionsOf(choice), tokens, Math.max(leastSummary, targetTokens - keptTokens(choice)));
}

const keptTokens = ({ sizes, isKept }: Choice): number =>
  sizes.reduce((sum, size, at) => sum + (isKept[at] ? size : 0), 0);

/** What is left of the target, by the size of what each summary stands for. */
function shared(regions: readonly Range[], tokens: readonly number[], room: number): readonly PlannedRegion[] {
  const sizes = regions.map((region) => Math.sqrt(sumOf(tokens, region)));
  const all = sizes.reduce((sum, size) => sum + size, 0);
  return regions.map((region, at) => ({ ...region, tokens: Math.floor((room * (sizes[at] ?? 0)) / Math.max(1, all)) }));
}

const regionsFor = (summaryTokens: number): number => Math.max(1, Math.floor(summaryTokens / (leastSummary * 3)));

/** Takes group after group, the one with the most worth for its tokens first. */
function fill(choice: Choice, worths: Worths, { room, mostRegions }: { room: number; mostRegions: number }): void {
  const { sizes, isKept } = choice;
  let left = room;
  let regions = regionsOf(choice).length;
  for (;;) {
    const best = bestGroup(choice, worths, { left, mayPart: regions < mostRegions });
    if (best === undefined) return;
    const cost = (sizes[best] ?? 0) + seamsOf(isKept, best) * seamTokens;
    regions += seamsOf(isKept, best);
    isKept[best] = true;
    worths.take(best);
    left -= cost;
  }
}

/** How many regions more there are when a group is kept: one inside a region makes two of it, the last of a region ends it. */
function seamsOf(isKept: readonly boolean[], at: number): number {
  const before = isKept[at - 1] ?? true;
  const behind = isKept[at + 1] ?? true;
  return before && behind ? -1 : before || behind ? 0 : 1;
}

function bestGroup(
  { sizes, isKept }: Choice,
  worths: Worths,
  { left, mayPart }: { readonly left: number; readonly mayPart: boolean },
): number | undefined {
  let best: number | undefined;
  let bestRate = 0;
  for (const [at, size] of sizes.entries()) {
    if (isKept[at]) continue;
    const seams = seamsOf(isKept, at);
    const cost = Math.max(1, size + seams * seamTokens);
    if (cost > left || (seams > 0 && !mayPart)) continue;
    const rate = worths.of(at) / cost;
    if (rate > bestRate) [best, bestRate] = [at, rate];
  }
  return best;
}

function regionsOf({ groups, isKept }: Choice): readonly Range[] {
  const regions: { from: number; to: number }[] = [];
  for (const [at, { from, to }] of groups.entries()) {
    if (isKept[at]) continue;
    const last = regions.at(-1);
    if (last && last.to === from) last.to = to;
    else regions.push({ from, to });
  }
  return regions;
}

const sumOf = (tokens: readonly number[], { from, to }: Range): number => {
  let sum = 0;
  for (let at = from; at < to; at++) sum += tokens[at] ?? 0;
  return sum;
};

function rangeHas(kept: ReadonlySet<number>, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (kept.has(at)) return true;
  return false;
}
