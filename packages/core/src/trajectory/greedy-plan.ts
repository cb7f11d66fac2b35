/**
 * The plan that training sets have been made with so far: one region, from the front, as long as it must be.
 *
 *     head │ as many turns as save what is over the target and make room for the summary │ untouched rest
 */
import type { Range } from './groups.ts';
import type { Turn } from './turn.ts';

/** What a plan is made from. */
export interface PlanInput {
  readonly turns: readonly Turn[];
  /** Tokens of each turn, and of all. */
  readonly tokens: readonly number[];
  readonly total: number;
  readonly targetTokens: number;
  readonly summaryTokens: number;
  /** Indexes of the turns that stay. */
  readonly kept: ReadonlySet<number>;
}

/** The region that is summarised; undefined where none is worth it. */
export function greedyRegion(input: PlanInput): Range | undefined {
  const { turns, tokens, total, targetTokens, summaryTokens } = input;
  const open = openStretch(input);
  const wanted = total - targetTokens + summaryTokens;
  let to = open.from;
  let gathered = 0;
  while (to < open.to && gathered < wanted) {
    gathered += tokens[to] ?? 0;
    to++;
  }
  const end = offTools(turns, { from: open.from, to }, open.to);
  const size = tokens.slice(open.from, end).reduce((sum, one) => sum + one, 0);
  return end > open.from && size > summaryTokens ? { from: open.from, to: end } : undefined;
}

/** What lies between the protected turns of the first half and those of the second. */
function openStretch({ turns, kept }: PlanInput): Range {
  const half = Math.floor(turns.length / 2);
  const head = [...kept].filter((at) => at < half);
  const tail = [...kept].filter((at) => at >= half);
  let from = head.length === 0 ? 0 : Math.max(...head) + 1;
  const to = tail.length === 0 ? turns.length : Math.min(...tail);
  // The other answers to a call that stays, stay with it.
  while (from > 0 && from < to && turns[from]?.speaker === 'tool') from++;
  return { from, to };
}

/** The end of a region is moved off the answers of tools: on behind them, or back before their call where they reach the end. */
function offTools(turns: readonly Turn[], { from, to }: Range, last: number): number {
  const isTool = (at: number): boolean => turns[at]?.speaker === 'tool';
  let on = to;
  while (on < last && isTool(on)) on++;
  if (!isTool(on)) return on;
  let back = to;
  while (back > from && isTool(back)) back--;
  return back;
}
