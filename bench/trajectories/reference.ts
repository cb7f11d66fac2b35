/**
 * The known tool for the same job, written from the description of what it does: one region, greedily from the front. It is the
 * baseline that our own is measured against, and follows the description even where that loses something.
 *
 *   head (protected) │ region: from the front, as much as has to go │ rest, untouched │ tail (protected)
 *                    └► one human turn with the summary
 */
import type { Turn } from './turns.ts';

/** What counts and cuts by one encoding: the project's own encoder. */
export interface Encoder {
  count(text: string): number;
  truncate(text: string, maxTokens: number): string;
}

/**
 * What stands in for the summary of a model. `fallback`: the fixed text that the tool itself writes when its model does not
 * answer. `extract`: what it would send to the model, clipped to the most that it lets the model write.
 */
export type StandIn = 'fallback' | 'extract';

export interface ReferenceOptions {
  readonly encoder: Encoder;
  /** @default 'fallback' */
  readonly standIn?: StandIn;
  /** @default 15_250 */
  readonly targetTokens?: number;
  /** What a summary is reckoned with; a model may write twice as much. @default 750 */
  readonly summaryTokens?: number;
  /** Turns at the end that stay. @default 4 */
  readonly lastTurns?: number;
}

export const referenceDefaults = {
  standIn: 'fallback',
  targetTokens: 15_250,
  summaryTokens: 750,
  lastTurns: 4,
} as const;

export interface ReferenceMetrics {
  readonly originalTokens: number;
  readonly compressedTokens: number;
  readonly tokensSaved: number;
  /** Compressed by original, four decimal places. */
  readonly compressionRatio: number;
  readonly originalTurns: number;
  readonly compressedTurns: number;
  readonly turnsRemoved: number;
  readonly compressionRegion: Region | undefined;
  readonly wasCompressed: boolean;
  readonly stillOverLimit: boolean;
  readonly skippedUnderTarget: boolean;
  readonly summarizationApiCalls: number;
  readonly summarizationErrors: number;
}

export interface Region {
  readonly startIdx: number;
  /** The first turn behind it. */
  readonly endIdx: number;
  readonly turnsCount: number;
}

export interface ReferenceResult {
  readonly turns: readonly Turn[];
  readonly metrics: ReferenceMetrics;
}

export const summaryPrefix = '[CONTEXT SUMMARY]:';

/** The stand-in for a summary that no model wrote: our wording of a text of the same kind. */
export const fallbackText =
  'There is no summary: no model was there to write one. Earlier turns were left out to save room.';

/** Behind the system turn of what was compressed; our wording. */
export const noticeText =
  '\n\nSome turns of this conversation were replaced by a summary, to fit the room there is. Go on from the summary and from the turns behind it.';

/** Compresses the turns of one conversation as the reference does. */
export function compressByReference(turns: readonly Turn[], options: ReferenceOptions): ReferenceResult {
  const { encoder, standIn, targetTokens, summaryTokens, lastTurns } = { ...referenceDefaults, ...options };
  const tokens = turns.map(({ value }) => encoder.count(value));
  const total = sum(tokens);
  const unchanged = (skippedUnderTarget: boolean): ReferenceResult => ({
    turns,
    metrics: metricsOf({ before: turns, after: turns, total, left: total, targetTokens, skippedUnderTarget }),
  });
  if (total <= targetTokens) return unchanged(true);
  const between = compressibleBetween(turns, lastTurns);
  const region = regionOf(turns, tokens, { ...between, wantedTokens: total - targetTokens + summaryTokens });
  if (!region) return unchanged(false);
  if (sum(tokens.slice(region.startIdx, region.endIdx)) <= summaryTokens) return unchanged(false);
  const summary =
    standIn === 'fallback'
      ? fallbackText
      : encoder.truncate(extractOf(turns.slice(region.startIdx, region.endIdx), region.startIdx), 2 * summaryTokens);
  const after = [
    ...withNotice(turns.slice(0, region.startIdx)),
    { from: 'human', value: withPrefix(summary) },
    ...turns.slice(region.endIdx),
  ];
  const left = sum(after.map(({ value }) => encoder.count(value)));
  const errors = standIn === 'fallback' ? 1 : 0;
  return { turns: after, metrics: metricsOf({ before: turns, after, total, left, targetTokens, region, errors }) };
}

const firsts = ['system', 'human', 'gpt', 'tool'] as const;

/** The turns that stay whatever happens: the first of each role, and the last few. */
export function protectedTurns(turns: readonly Turn[], lastTurns: number): ReadonlySet<number> {
  const first = firsts.map((role) => turns.findIndex(({ from }) => from === role)).filter((at) => at >= 0);
  const last = turns.map((_, at) => at).slice(Math.max(0, turns.length - lastTurns));
  return new Set([...first, ...last]);
}

/** Where turns may go: behind the last protected turn of the first half, before the first one of the second. */
export function compressibleBetween(
  turns: readonly Turn[],
  lastTurns: number,
): { readonly start: number; readonly end: number } {
  const middle = Math.floor(turns.length / 2);
  const kept = [...protectedTurns(turns, lastTurns)];
  const head = kept.filter((at) => at < middle);
  const tail = kept.filter((at) => at >= middle);
  return { start: Math.max(-1, ...head) + 1, end: Math.min(turns.length, ...tail) };
}

interface Wanted {
  readonly start: number;
  readonly end: number;
  readonly wantedTokens: number;
}

/** From the start, turn by turn, until enough is gone; everything in between where that is not enough. */
function regionOf(
  turns: readonly Turn[],
  tokens: readonly number[],
  { start, end, wantedTokens }: Wanted,
): Region | undefined {
  let [until, gone] = [start, 0];
  while (until < end && gone < wantedTokens) gone += tokens[until++] ?? 0;
  const endIdx = snapOffTools(turns, { start, until, end });
  return endIdx > start ? { startIdx: start, endIdx, turnsCount: endIdx - start } : undefined;
}

/** An end that parts no tool turn from its call: forward to a turn that is none, otherwise back. */
export function snapOffTools(
  turns: readonly Turn[],
  { start, until, end }: { readonly start: number; readonly until: number; readonly end: number },
): number {
  const isTool = (at: number): boolean => turns[at]?.from === 'tool';
  let at = until;
  while (at < end && isTool(at)) at++;
  if (!isTool(at)) return at;
  while (at > start && isTool(at)) at--;
  return at;
}

const longestTurn = 3_000;
const keptOfTurn = { start: 1_500, end: 500 };

/** What the reference shows a model of the turns that go: numbered, with their roles, long ones cut in the middle. */
export function extractOf(turns: readonly Turn[], from = 0): string {
  return turns
    .map(({ from: role, value }, i) => `[Turn ${from + i} - ${role.toUpperCase()}]:\n${clipped(value)}`)
    .join('\n\n');
}

const clipped = (value: string): string =>
  value.length > longestTurn
    ? `${value.slice(0, keptOfTurn.start)}\n...[truncated]...\n${value.slice(-keptOfTurn.end)}`
    : value;

/** The prefix, exactly once, whether or not the text has it already. */
export const withPrefix = (text: string): string => {
  let rest = text.trim();
  while (rest.startsWith(summaryPrefix)) rest = rest.slice(summaryPrefix.length).trim();
  return `${summaryPrefix} ${rest}`;
};

function withNotice(head: readonly Turn[]): readonly Turn[] {
  const system = head.findIndex(({ from }) => from === 'system');
  return head.map((turn, at) => (at === system ? { ...turn, value: turn.value + noticeText } : turn));
}

interface Counted {
  readonly before: readonly Turn[];
  readonly after: readonly Turn[];
  readonly total: number;
  readonly left: number;
  readonly targetTokens: number;
  readonly region?: Region;
  readonly skippedUnderTarget?: boolean;
  readonly errors?: number;
}

function metricsOf(counted: Counted): ReferenceMetrics {
  const { before, after, total, left, targetTokens, region, skippedUnderTarget = false, errors = 0 } = counted;
  return {
    originalTokens: total,
    compressedTokens: left,
    tokensSaved: total - left,
    compressionRatio: total === 0 ? 1 : Math.round((left / total) * 10_000) / 10_000,
    originalTurns: before.length,
    compressedTurns: after.length,
    turnsRemoved: before.length - after.length,
    compressionRegion: region,
    wasCompressed: region !== undefined,
    stillOverLimit: left > targetTokens,
    skippedUnderTarget,
    // No model is asked here.
    summarizationApiCalls: 0,
    summarizationErrors: errors,
  };
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
