/** ★ Start here: fits one trajectory into a target. Reads as: count, plan, tell, assemble, check. */
import type { JsonObject } from '../shared/json.ts';
import { assembleTurns, type Told } from './assemble-turns.ts';
import { clipTurns } from './clip.ts';
import { entryFormatOf } from './formats/formats.ts';
import { greedyRegion, type PlanInput } from './greedy-plan.ts';
import type { Range } from './groups.ts';
import { lossRanges, provenanceOf, type SummarySource } from './loss-mask.ts';
import { ratioOf, type TrajectoryMetrics } from './metrics.ts';
import { type ResolvedOptions, resolveOptions, type TrajectoryOptions } from './options.ts';
import { protectedTurns } from './protect.ts';
import { checkTrajectory, readTrajectory } from './read.ts';
import { createStoryteller, extractOf, type Storyteller, summaryTurnText } from './summary.ts';
import type { Trajectory } from './turn.ts';
import { valuePlan } from './value-plan.ts';
import { keptTurn, type NewTurn, newText, writeTrajectory } from './write.ts';

/** A trajectory that was fitted, or left as it was. */
export interface TrajectoryResult {
  /** The record as one line of JSON without the line break: the very text that was given where nothing changed. */
  readonly text: string;
  readonly metrics: TrajectoryMetrics;
}

/** True where the bytes of a line prove that it has at most so many tokens: a token has a byte at least, and JSON shortens nothing. */
export const isProvablyUnder = (bytes: number, targetTokens: number): boolean => bytes <= targetTokens;

/**
 * Fits one line of training data into a target.
 *
 * @throws TRAJECTORY_BROKEN for a line that is no record of turns, BAD_OPTION, and the reason of the signal
 *
 * @example
 * import { tokenizerFor } from '@palimpsest/core';
 * import { compressTrajectory } from '@palimpsest/core/trajectories';
 * const line = JSON.stringify({ conversations: [{ from: 'human', value: 'Move the ledgers.' }] });
 * const { text, metrics } = await compressTrajectory(line, { tokenizer: await tokenizerFor('gpt-5') });
 */
export async function compressTrajectory(line: string, given: TrajectoryOptions): Promise<TrajectoryResult> {
  const options = resolveOptions('compressTrajectory', given);
  if (mayPass(line, options)) return passed(line, options);
  const work = countTurns(readTrajectory(line, options.format), options);
  if (options.skipUnderTarget && work.total <= options.targetTokens) return unchanged(work);
  const regions = plannedRegions(work);
  const told = await tellRegions(work, regions);
  const fitted = fitTurns(work, told);
  if (fitted.total >= work.total) return unchanged(work);
  return changed(work, told, fitted);
}

/** A trajectory while it is worked on. */
interface Work {
  readonly options: ResolvedOptions;
  readonly trajectory: Trajectory;
  readonly tokens: readonly number[];
  readonly total: number;
}

interface ToldRegion extends Told {
  readonly source: SummarySource;
  readonly calls: number;
}

interface Fitted {
  readonly made: readonly NewTurn[];
  readonly tokens: readonly number[];
  readonly total: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Arguments are counted as JSON writes them, which is longer than the `1e9` that a file may have. */
const longerThanWritten = /\d[eE]\+?\d/;

function mayPass(line: string, { targetTokens, lossMask, skipUnderTarget }: ResolvedOptions): boolean {
  if (!skipUnderTarget || lossMask || line.length > targetTokens) return false;
  return isProvablyUnder(new TextEncoder().encode(line).length, targetTokens) && !longerThanWritten.test(line);
}

function passed(line: string, { format }: ResolvedOptions): TrajectoryResult {
  const { turns } = checkTrajectory(line, format);
  const nothing = {
    originalTokens: 0,
    compressedTokens: 0,
    tokensSaved: 0,
    originalTurnTokens: 0,
    compressionRatio: 1,
  };
  return { text: line, metrics: { ...nothing, ...untouched(turns), skippedUnderTarget: true, isProvablyUnder: true } };
}

function countTurns(trajectory: Trajectory, options: ResolvedOptions): Work {
  const tokens = trajectory.turns.map(({ text }) => options.tokenizer.count(text));
  return { options, trajectory, tokens, total: sum(tokens) };
}

function plannedRegions({
  trajectory: { turns },
  tokens,
  total,
  options,
}: Work): readonly (Range & { readonly tokens: number })[] {
  const { mode, targetTokens, summaryTokens, protect } = options;
  const input: PlanInput = { turns, tokens, total, targetTokens, summaryTokens, kept: protectedTurns(turns, protect) };
  if (mode === 'value') return valuePlan(input);
  const region = greedyRegion(input);
  return region ? [{ ...region, tokens: summaryTokens }] : [];
}

async function tellRegions(
  work: Work,
  regions: readonly (Range & { readonly tokens: number })[],
): Promise<readonly ToldRegion[]> {
  const teller = createStoryteller(work.trajectory, (text) => work.options.tokenizer.count(text));
  const removed = (at: number): boolean => regions.some(({ from, to }) => at >= from && at < to);
  const shown = new Set(work.tokens.keys().filter((at) => !removed(at)));
  const told: ToldRegion[] = [];
  for (const region of regions) told.push(await tellRegion(work, { region, teller, shown }));
  return told;
}

interface Telling {
  readonly region: Range & { readonly tokens: number };
  readonly teller: Storyteller;
  readonly shown: ReadonlySet<number>;
}

async function tellRegion({ options, trajectory }: Work, { region, teller, shown }: Telling): Promise<ToldRegion> {
  const { from, to, tokens: budgetTokens } = region;
  const { summarizer, signal, targetTokens } = options;
  const byLedger = (source: SummarySource, calls: number): ToldRegion => {
    return {
      from,
      to,
      source,
      calls,
      text: teller.tell({ from, to, budgetTokens, contextTokens: targetTokens, shown }),
    };
  };
  if (summarizer === undefined) return byLedger('ledger', 0);
  try {
    const text = extractOf(trajectory.turns, region);
    const reply = await summarizer({ text, targetTokens: budgetTokens, ...(signal ? { signal } : {}) });
    if (reply === undefined) return byLedger('ledger', 0);
    return { from, to, source: 'model', calls: reply.calls, text: summaryTurnText(reply.text) };
  } catch (error) {
    signal?.throwIfAborted();
    return byLedger('ledger after the model failed', callsOf(error));
  }
}

/** Calls that were made before a summarizer gave up, where it says so. */
function callsOf(error: unknown): number {
  const calls: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'calls') : undefined;
  return typeof calls === 'number' ? calls : 1;
}

/** The turns of the new record; what must stay is shortened where it is too large, but for the reference's plan. */
function fitTurns(work: Work, told: readonly Told[]): Fitted {
  const { options, trajectory } = work;
  const made = withNotice(work, assembleTurns(trajectory.turns, told, options.mode === 'value'), told.length > 0);
  const fitted = measured(work, made);
  const over = fitted.total - options.targetTokens;
  if (over <= 0 || options.mode === 'greedy') return fitted;
  return measured(work, withClips(work, made, over));
}

function measured({ trajectory, tokens, options }: Work, made: readonly NewTurn[]): Fitted {
  const counted = made.map((turn) =>
    turn.type === 'kept' ? (tokens[turn.at] ?? 0) : options.tokenizer.count(newText(turn, trajectory.turns)),
  );
  return { made, tokens: counted, total: sum(counted) };
}

function withClips({ trajectory, tokens, options }: Work, made: readonly NewTurn[], over: number): readonly NewTurn[] {
  const kept = made.flatMap((turn) => (turn.type === 'kept' ? [turn.at] : []));
  const { turns, format } = trajectory;
  const count = (text: string): number => options.tokenizer.count(text);
  const clipped = clipTurns(kept, over, { turns, tokens, format: entryFormatOf(format), count });
  return made.map((turn) => (turn.type === 'kept' ? (clipped.get(turn.at) ?? turn) : turn));
}

function withNotice({ trajectory, options }: Work, made: readonly NewTurn[], isNeeded: boolean): readonly NewTurn[] {
  const { notice } = options;
  const [first] = trajectory.turns;
  if (!isNeeded || notice === undefined || first?.speaker !== 'system' || first.text.includes(notice)) return made;
  const value = entryFormatOf(trajectory.format).append(first, notice);
  return made.map((turn) =>
    turn.type === 'kept' && turn.at === 0
      ? { type: 'changed', at: 0, value, text: `${first.text}\n\n${notice}` }
      : turn,
  );
}

/** Where nothing is done to a record. */
const untouched = (turns: number) =>
  ({
    originalTurns: turns,
    compressedTurns: turns,
    turnsRemoved: 0,
    regions: [],
    wasCompressed: false,
    stillOverLimit: false,
    summarizationApiCalls: 0,
    summarizationErrors: 0,
    clippedTurns: 0,
  }) as const;

function unchanged(work: Work): TrajectoryResult {
  const { trajectory, total, options, tokens } = work;
  const isUnder = total <= options.targetTokens;
  const metrics: TrajectoryMetrics = {
    ...untouched(tokens.length),
    originalTokens: total,
    compressedTokens: total,
    tokensSaved: 0,
    compressionRatio: 1,
    originalTurnTokens: total,
    stillOverLimit: !isUnder,
    skippedUnderTarget: isUnder,
  };
  const made = tokens.map((_, at) => keptTurn(at));
  const fields = options.lossMask ? { loss_mask: lossRanges(trajectory.turns, made, tokens) } : {};
  return { text: options.lossMask ? writeTrajectory(trajectory, made, fields) : trajectory.line, metrics };
}

function changed(work: Work, told: readonly ToldRegion[], fitted: Fitted): TrajectoryResult {
  const { trajectory, total, options, tokens } = work;
  const { made } = fitted;
  const fields: JsonObject = {
    ...(options.lossMask ? { loss_mask: lossRanges(trajectory.turns, made, fitted.tokens) } : {}),
    ...(options.provenance ? { provenance: provenanceOf(made, told, tokens.length) } : {}),
  };
  const metrics: TrajectoryMetrics = {
    originalTokens: total,
    compressedTokens: fitted.total,
    tokensSaved: total - fitted.total,
    compressionRatio: ratioOf(fitted.total, total),
    originalTurns: tokens.length,
    compressedTurns: made.length,
    turnsRemoved: tokens.length - made.length,
    regions: told.map(({ from, to }) => ({ startIdx: from, endIdx: to, turnsCount: to - from })),
    wasCompressed: true,
    stillOverLimit: fitted.total > options.targetTokens,
    skippedUnderTarget: false,
    summarizationApiCalls: sum(told.map(({ calls }) => calls)),
    summarizationErrors: told.filter(({ source }) => source === 'ledger after the model failed').length,
    originalTurnTokens: sum(made.map((turn) => (turn.type === 'kept' ? (tokens[turn.at] ?? 0) : 0))),
    clippedTurns: made.filter((turn) => turn.type === 'changed').length,
  };
  return { text: writeTrajectory(trajectory, made, fields), metrics };
}
