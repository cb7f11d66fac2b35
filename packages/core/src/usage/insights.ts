/** Usage over time: sums by model, source, project, task and day. */
import { PalimpsestError } from '../shared/errors.ts';
import { checkKnownOptions } from '../shared/options/known-options.ts';
import { describe } from '../shared/options/schema.ts';
import type { Instant } from '../store/ids.ts';
import type { Store } from '../store/store.ts';
import {
  type Activity,
  type LargestConversation,
  sumUsage,
  type UsageSpan,
  type UsageTotals,
} from '../store/usage-store.ts';

/** Which time is looked at. */
export interface InsightsOptions {
  /** Calls at or after. @default the first call */
  readonly since?: Instant;
  /** Calls before. @default the end of the current day */
  readonly until?: Instant;
}

/** Usage of the calls that have something in common. */
export interface UsageGroup extends UsageTotals {
  /** What they have in common: the model, the source, the folder or the task; empty for a folder that is not known. */
  readonly name: string;
}

/** Usage of one day. */
export interface DayUsage extends UsageTotals {
  /** `2026-01-31`, by the clock of the machine. */
  readonly day: string;
  /** What of the day is in the time: less than the day where the time begins or ends within it. */
  readonly from: Instant;
  readonly until: Instant;
  /** False for a day that goes on, such as today: what is still to come is missing. */
  readonly isOver: boolean;
  /** By model, in the order of `Insights.models`. */
  readonly models: readonly UsageGroup[];
}

/** What was used in a time. Groups come in the order of their cost, then of their tokens. */
export interface Insights {
  readonly since: Instant;
  readonly until: Instant;
  readonly totals: UsageTotals;
  readonly activity: Activity;
  readonly models: readonly UsageGroup[];
  readonly sources: readonly UsageGroup[];
  readonly projects: readonly UsageGroup[];
  readonly tasks: readonly UsageGroup[];
  /** Every day of the time, also those without calls. */
  readonly days: readonly DayUsage[];
  /** Conversations active in the time, each with all that it ever used. */
  readonly largest: readonly LargestConversation[];
  /** Of all calls in the store, whatever the time; undefined while there is none. */
  readonly range?: { readonly first: Instant; readonly last: Instant };
}

/**
 * Sums up what the calls of a time used. The work grows with the number of calls in the time: the store adds up, and
 * only sums come here. Throws `BAD_OPTION` for an option that is none, and whatever the store throws.
 */
export function insights(store: Store, options: InsightsOptions = {}): Promise<Insights> {
  return insightsAt(Date.now(), store, options);
}

/** As many as fit a screen. */
const mostLargest = 10;

/** The same at another time. */
export async function insightsAt(now: Instant, store: Store, options: InsightsOptions): Promise<Insights> {
  checkKnownOptions('insights', options, { since: true, until: true });
  for (const name of ['since', 'until'] as const) checkInstant(name, options[name]);
  const range = await store.usage.range();
  const until = options.until ?? dayStart(now, 1);
  const since = Math.min(options.since ?? range?.first ?? until, until);
  const edges = dayEdges(since, until);
  const spans = await store.usage.spans(edges);
  const models = grouped(spans, ({ model }) => model);
  return {
    since,
    until,
    models,
    totals: sumUsage(spans),
    activity: await store.usage.activity({ since, until }),
    sources: grouped(spans, ({ source }) => source),
    projects: grouped(spans, ({ project = '' }) => project),
    tasks: grouped(spans, ({ task }) => task),
    days: daysOf(spans, { edges, models, now }),
    largest: await store.usage.largest(mostLargest, { since, until }),
    ...(range ? { range } : {}),
  };
}

function checkInstant(name: string, value: unknown): void {
  if (value === undefined || (typeof value === 'number' && Number.isFinite(value))) return;
  const message = `expected ${name} of insights to be a time in milliseconds, got ${describe(value)}`;
  throw new PalimpsestError('BAD_OPTION', message, { evidence: { option: name } });
}

function grouped(spans: readonly UsageSpan[], nameOf: (span: UsageSpan) => string): readonly UsageGroup[] {
  return [...Map.groupBy(spans, nameOf)]
    .map(([name, all]) => ({ name, ...sumUsage(all) }))
    .toSorted((a, b) => (b.costUsd ?? 0) - (a.costUsd ?? 0) || tokensIn(b) - tokensIn(a) || (a.name < b.name ? -1 : 1));
}

/** Everything that was read and written. */
const tokensIn = ({ inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens }: UsageTotals): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;

function daysOf(
  spans: readonly UsageSpan[],
  { edges, models, now }: { edges: readonly Instant[]; models: readonly UsageGroup[]; now: Instant },
): readonly DayUsage[] {
  const places = new Map(models.map(({ name }, place) => [name, place]));
  const byDay = Map.groupBy(spans, ({ from }) => from);
  return edges.slice(0, -1).map((from, at) => {
    const until = edges[at + 1] ?? from;
    const all = byDay.get(from) ?? [];
    const ofModels = grouped(all, ({ model }) => model);
    const inOrder = ofModels.toSorted((a, b) => (places.get(a.name) ?? 0) - (places.get(b.name) ?? 0));
    return { day: dayName(from), from, until, isOver: until <= now, models: inOrder, ...sumUsage(all) };
  });
}

// Days as the clock of the machine shows them, some of them shorter or longer than 24 hours.

/** More are not told apart: a log with a broken clock must not make days without end. */
const mostDays = 40_000;

const dayMs = 86_400_000;

/** Every midnight between two instants, with the first instant before them and the last one behind. */
export function dayEdges(since: Instant, until: Instant): readonly Instant[] {
  if (!(since < until)) return [];
  const start = Math.max(since, until - mostDays * dayMs);
  const edges = [start];
  const day = new Date(start);
  for (let next = 1; next <= mostDays; next++) {
    const midnight = new Date(day.getFullYear(), day.getMonth(), day.getDate() + next).getTime();
    if (!(midnight < until)) break;
    // A place that moves over the date line skips a day.
    if (midnight > (edges.at(-1) ?? start)) edges.push(midnight);
  }
  return [...edges, until];
}

/** The midnight that the day of an instant begins with, or that of so many days later. */
export function dayStart(instant: Instant, daysLater = 0): Instant {
  const day = new Date(instant);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater).getTime();
}

/** `2026-01-31`. */
export function dayName(instant: Instant): string {
  const time = new Date(instant);
  const two = (value: number): string => String(value).padStart(2, '0');
  return [String(time.getFullYear()).padStart(4, '0'), two(time.getMonth() + 1), two(time.getDate())].join('-');
}
