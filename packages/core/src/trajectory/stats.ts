/**
 * How long trajectories are, and what is in them: figures of single records, and their sum, which takes the same memory for any
 * number of records.
 */
import { outcomeOf } from '../compression/outcome.ts';
import type { JsonObject } from '../shared/json.ts';
import { anEnum, checkKnownOptions } from '../shared/options/known-options.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { ToolCallPart } from '../transcript/message.ts';
import { messagesOf } from './convert/read-messages.ts';
import { addHistograms, type Histogram, histogramOf, percentileOf } from './histogram.ts';
import { trajectoryDefaults } from './options.ts';
import { protectedTurns } from './protect.ts';
import { readTrajectory } from './read.ts';
import { type Speaker, type TrajectoryFormat, type Turn, trajectoryFormats } from './turn.ts';

/** How a record is counted. */
export interface TrajectoryStatsOptions {
  readonly tokenizer: Tokenizer;
  /** @default found out by the record */
  readonly format?: TrajectoryFormat;
}

/** How often something was called, and how often the result tells that it failed. */
export interface ToolCount {
  readonly calls: number;
  readonly failures: number;
}

/** A count for each speaker: the rules, the person, the model that learns, a tool. */
export interface SpeakerCounts {
  readonly system: number;
  readonly human: number;
  readonly gpt: number;
  readonly tool: number;
}

/** What is in one record. */
export interface TrajectoryLineStats {
  readonly format: TrajectoryFormat;
  readonly tokens: number;
  /** Of the turns that stay whatever is compressed: the first of each speaker, and the last four. */
  readonly protectedTokens: number;
  readonly turns: SpeakerCounts;
  readonly turnTokens: SpeakerCounts;
  readonly tools: ReadonlyMap<string, ToolCount>;
}

/** The figures of one line of training data. @throws TRAJECTORY_BROKEN, BAD_OPTION */
export function trajectoryStats(line: string, options: TrajectoryStatsOptions): TrajectoryLineStats {
  checkKnownOptions<TrajectoryStatsOptions>('trajectoryStats', options, {
    tokenizer: {
      expected: 'a tokenizer',
      holds: (value) => typeof value === 'object' && value !== null,
      isNeeded: true,
    },
    format: anEnum(trajectoryFormats),
  });
  const trajectory = readTrajectory(line, options.format);
  const { turns, format } = trajectory;
  const tokens = turns.map(({ text }) => options.tokenizer.count(text));
  const stay = protectedTurns(turns, trajectoryDefaults.protect);
  return {
    format,
    tokens: total(tokens),
    protectedTokens: total(tokens.filter((_, at) => stay.has(at))),
    turns: bySpeaker(turns, () => 1),
    turnTokens: bySpeaker(turns, (at) => tokens[at] ?? 0),
    tools: toolsOf(messagesOf(trajectory)),
  };
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

function bySpeaker(turns: readonly Turn[], sizeOf: (at: number) => number): SpeakerCounts {
  const counts: Record<Speaker, number> = { ...nobody };
  for (const [at, { speaker }] of turns.entries()) counts[speaker] += sizeOf(at);
  return counts;
}

const nobody: SpeakerCounts = { system: 0, human: 0, gpt: 0, tool: 0 };

function toolsOf(messages: ReturnType<typeof messagesOf>): ReadonlyMap<string, ToolCount> {
  const tools = new Map<string, ToolCount>();
  const open = new Map<string, ToolCallPart>();
  const add = (name: string, calls: number, failures: number): void => {
    const before = tools.get(name) ?? { calls: 0, failures: 0 };
    tools.set(name, { calls: before.calls + calls, failures: before.failures + failures });
  };
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === 'toolCall') {
        open.set(part.callId, part);
        add(part.name, 1, 0);
      } else if (part.type === 'toolResult') {
        const call = open.get(part.callId);
        if (call && outcomeOf(call, part).ok === false) add(call.name, 0, 1);
      }
    }
  }
  return tools;
}

// The sum.

/** What is over one limit. */
export interface OverLimit {
  readonly limit: number;
  readonly trajectories: number;
  /** Of those. */
  readonly tokens: number;
  /** Those whose turns that must stay are over the limit alone. */
  readonly cannotFit: number;
}

/** The sum of many records. Plain data; sums add up in any order. */
export interface TrajectoryStats {
  readonly trajectories: number;
  readonly tokens: number;
  readonly longest: number;
  /** Of the tokens of records, and of the numbers of their turns. */
  readonly lengths: Histogram;
  readonly turnCounts: Histogram;
  readonly mostTurns: number;
  readonly turns: SpeakerCounts;
  readonly turnTokens: SpeakerCounts;
  readonly formats: Readonly<Partial<Record<TrajectoryFormat, number>>>;
  /** Of at most `mostTools` names, the most frequent ones of each batch; all others are in `otherTools`. */
  readonly tools: Readonly<Record<string, ToolCount>>;
  readonly otherTools: ToolCount;
  readonly limits: readonly OverLimit[];
}

/** Names of tools that a sum holds. Sets that make names up have more; they must not fill the memory. */
export const mostTools = 1_000;

/** The figures of some records as a sum. */
export function sumStats(lines: readonly TrajectoryLineStats[], limits: readonly number[] = []): TrajectoryStats {
  const turnsOf = (line: TrajectoryLineStats): number => total(Object.values(line.turns));
  const formats = trajectoryFormats.map(
    (name) => [name, lines.filter(({ format }) => format === name).length] as const,
  );
  const { tools, otherTools } = mostUsed(
    lines.flatMap((line) => [...line.tools]),
    { calls: 0, failures: 0 },
  );
  return {
    trajectories: lines.length,
    tokens: total(lines.map(({ tokens }) => tokens)),
    longest: lines.reduce((most, { tokens }) => Math.max(most, tokens), 0),
    lengths: histogramOf(lines.map(({ tokens }) => tokens)),
    turnCounts: histogramOf(lines.map(turnsOf)),
    mostTurns: lines.reduce((most, line) => Math.max(most, turnsOf(line)), 0),
    turns: lines.reduce((sum, { turns }) => addCounts(sum, turns), nobody),
    turnTokens: lines.reduce((sum, { turnTokens }) => addCounts(sum, turnTokens), nobody),
    formats: Object.fromEntries(formats.filter(([, count]) => count > 0)),
    tools,
    otherTools,
    limits: limits.map((limit) => overLimit(lines, limit)),
  };
}

function overLimit(lines: readonly TrajectoryLineStats[], limit: number): OverLimit {
  const over = lines.filter(({ tokens }) => tokens > limit);
  return {
    limit,
    trajectories: over.length,
    tokens: total(over.map(({ tokens }) => tokens)),
    cannotFit: over.filter(({ protectedTokens }) => protectedTokens > limit).length,
  };
}

/** Two sums as one. Both have to be made with the same limits. */
export function addStats(a: TrajectoryStats, b: TrajectoryStats): TrajectoryStats {
  const formats = trajectoryFormats.map((name) => [name, (a.formats[name] ?? 0) + (b.formats[name] ?? 0)] as const);
  const named = [...Object.entries(a.tools), ...Object.entries(b.tools)];
  return {
    trajectories: a.trajectories + b.trajectories,
    tokens: a.tokens + b.tokens,
    longest: Math.max(a.longest, b.longest),
    lengths: addHistograms(a.lengths, b.lengths),
    turnCounts: addHistograms(a.turnCounts, b.turnCounts),
    mostTurns: Math.max(a.mostTurns, b.mostTurns),
    turns: addCounts(a.turns, b.turns),
    turnTokens: addCounts(a.turnTokens, b.turnTokens),
    formats: Object.fromEntries(formats.filter(([, count]) => count > 0)),
    ...mostUsed(named, addTools(a.otherTools, b.otherTools)),
    limits: a.limits.map((one, at) => addLimits(one, b.limits[at])),
  };
}

const addLimits = (a: OverLimit, b: OverLimit | undefined): OverLimit => ({
  limit: a.limit,
  trajectories: a.trajectories + (b?.trajectories ?? 0),
  tokens: a.tokens + (b?.tokens ?? 0),
  cannotFit: a.cannotFit + (b?.cannotFit ?? 0),
});

const addTools = (a: ToolCount, b: ToolCount): ToolCount => ({
  calls: a.calls + b.calls,
  failures: a.failures + b.failures,
});

const addCounts = (a: SpeakerCounts, b: SpeakerCounts): SpeakerCounts => ({
  system: a.system + b.system,
  human: a.human + b.human,
  gpt: a.gpt + b.gpt,
  tool: a.tool + b.tool,
});

/** The tools with the most calls by name, equal ones in the order of the alphabet; the rest of them together. */
function mostUsed(
  named: readonly (readonly [name: string, count: ToolCount])[],
  others: ToolCount,
): Pick<TrajectoryStats, 'tools' | 'otherTools'> {
  const all = new Map<string, ToolCount>();
  for (const [name, count] of named) all.set(name, addTools(all.get(name) ?? { calls: 0, failures: 0 }, count));
  const sorted = [...all].sort(([a, { calls: x }], [b, { calls: y }]) => y - x || (a < b ? -1 : 1));
  const rest = sorted.slice(mostTools).map(([, count]) => count);
  return { tools: Object.fromEntries(sorted.slice(0, mostTools)), otherTools: rest.reduce(addTools, others) };
}

/** The sum as JSON. Percentiles are those of buckets, at most one per cent above the value; everything else is exact. */
export function statsJson(stats: TrajectoryStats): JsonObject {
  const { trajectories, tokens, tools, otherTools } = stats;
  const spread = (histogram: Histogram, most: number): JsonObject => ({
    p50: percentileOf(histogram, 0.5, most),
    p90: percentileOf(histogram, 0.9, most),
    p99: percentileOf(histogram, 0.99, most),
    max: most,
  });
  const counts = Object.values(tools).reduce(addTools, otherTools);
  return {
    trajectories,
    formats: { ...stats.formats },
    tokens: { total: tokens, ...spread(stats.lengths, stats.longest), by_speaker: { ...stats.turnTokens } },
    turns: {
      total: total(Object.values(stats.turns)),
      ...spread(stats.turnCounts, stats.mostTurns),
      by_speaker: { ...stats.turns },
    },
    tools: Object.entries(tools).map(([name, { calls, failures }]) => ({ name, calls, failures })),
    other_tools: { ...otherTools },
    calls: counts.calls,
    failed_calls: counts.failures,
    limits: stats.limits.map((one) => ({
      limit: one.limit,
      over: one.trajectories,
      share: trajectories === 0 ? 0 : Number((one.trajectories / trajectories).toFixed(4)),
      tokens_over: one.tokens,
      cannot_fit: one.cannotFit,
      estimated_tokens_after: tokensAfter(stats, one),
    })),
  };
}

/** What a compression would leave at most, where all can be fitted. */
export const tokensAfter = ({ tokens }: TrajectoryStats, over: OverLimit): number =>
  tokens - over.tokens + over.trajectories * over.limit;
