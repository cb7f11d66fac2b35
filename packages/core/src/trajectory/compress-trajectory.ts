/** ★ Start here: fits one trajectory into a target. Reads as: count, plan, tell, assemble, check. */
import { assembleTurns, type Told } from './assemble-turns.ts';
import { clipTurns } from './clip.ts';
import { entryFormatOf } from './formats/formats.ts';
import { greedyRegion, type PlanInput } from './greedy-plan.ts';
import type { Range } from './groups.ts';
import { lossRanges, provenanceOf, type SummarySource, withoutEarlier } from './loss-mask.ts';
import { ratioOf, type TrajectoryMetrics } from './metrics.ts';
import { namesOf } from './names.ts';
import { type ResolvedOptions, resolveOptions, type TrajectoryOptions } from './options.ts';
import { type Pictures, picturesOf } from './pictures.ts';
import { protectedTurns } from './protect.ts';
import { checkTrajectory, readTrajectory } from './read.ts';
import { createShortener } from './shorten.ts';
import { createStoryteller, extractOf, type Storyteller, summaryTurnText } from './summary.ts';
import type { Trajectory, Turn } from './turn.ts';
import { type ValuePlan, valuePlan } from './value-plan.ts';
import { keptTurn, type NewFields, type NewTurn, newText, type ShortenTurn, writeTrajectory } from './write.ts';

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
  const planned = planOf(work);
  const told = (await tellRegions(work, planned)).map((region) => ({
    ...region,
    text: work.pictures.withoutMarks(region.text),
  }));
  const fitted = filledUp(work, told, planned.plan);
  if (fitted.total >= work.total) return unchanged(work);
  return changed(work, told, fitted);
}

/** A trajectory while it is worked on. */
interface Work {
  readonly options: ResolvedOptions;
  readonly trajectory: Trajectory;
  readonly tokens: readonly number[];
  readonly total: number;
  readonly pictures: Pictures;
}

interface ToldRegion extends Told {
  readonly source: SummarySource;
  readonly calls: number;
}

interface Fitted {
  readonly made: readonly NewTurn[];
  readonly tokens: readonly number[];
  readonly total: number;
  /** Tokens over the target before a turn that must stay was cut; 0 or less where all fits. */
  readonly over: number;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Arguments are counted as JSON writes them, which is longer than the `1e9` that a file may have. */
const longerThanWritten = /\d[eE]\+?\d/;

function mayPass(line: string, { targetTokens, lossMask, skipUnderTarget }: ResolvedOptions): boolean {
  if (!skipUnderTarget || lossMask || line.length > targetTokens) return false;
  return isProvablyUnder(bytesUpTo(line, targetTokens), targetTokens) && !longerThanWritten.test(line);
}

/** Of a UTF-16 unit in UTF-8. */
const mostBytesOfUnit = 3;
const mostRoom = 1_048_576;
let room = new Uint8Array(0);

/** A bound for the bytes of a text that is over `most` where they are: nothing that is large is made to count them. */
function bytesUpTo(text: string, most: number): number {
  if (text.length * mostBytesOfUnit <= most) return text.length * mostBytesOfUnit;
  const encoder = new TextEncoder();
  if (most > mostRoom) return encoder.encode(text).length;
  const size = Math.floor(most);
  if (room.length < size) room = new Uint8Array(size);
  const { read, written } = encoder.encodeInto(text, room.subarray(0, size));
  return read === text.length ? written : most + 1;
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
  return { options, trajectory, tokens, total: sum(tokens), pictures: picturesOf(trajectory) };
}

/** The plan, and who tells of what goes. */
interface Planned {
  readonly plan: ValuePlan;
  readonly teller: Storyteller;
}

function planOf(work: Work): Planned {
  const { trajectory, tokens, total, options } = work;
  const { turns } = trajectory;
  const { mode, targetTokens, summaryTokens, protect, tokenizer } = options;
  const input: PlanInput = { turns, tokens, total, targetTokens, summaryTokens, kept: protectedTurns(turns, protect) };
  const names = namesOf(turns, tokens);
  const shortener = createShortener(trajectory, { names, targetTokens });
  const count = (text: string): number => tokenizer.count(text);
  const region = mode === 'greedy' ? greedyRegion(input) : undefined;
  const greedy = { regions: region ? [region] : [], shortened: new Map() };
  const plan = mode === 'greedy' ? greedy : valuePlan({ ...input, names, shortener, count });
  const isGone = (at: number): boolean => plan.regions.some(({ from, to }) => at >= from && at < to);
  // A summary quotes little of what tools said; their longest answers are read by what was used of them.
  const most = lightLength(work, plan);
  const end = plan.regions.at(-1)?.to ?? 0;
  const read = (turn: Turn, at: number): Turn => {
    if (at >= end) return { ...turn, ...plan.shortened.get(at) };
    const isRead = turn.speaker === 'tool' && (isGone(at) || plan.shortened.has(at));
    return isRead ? { ...turn, ...shortener.shorten(at, { room: () => most }) } : turn;
  };
  const teller = createStoryteller(trajectory, { count, read });
  return { plan, teller };
}

/** UTF-16 units that are read of an answer at least, and of all answers by token of the summaries. */
const lightReading = { least: 1_600, perToken: 16 } as const;

/** Of an answer of a tool that goes, so many UTF-16 units are read: a few times of what there is room for. */
function lightLength(work: Work, plan: ValuePlan): number {
  const gone = plan.regions.flatMap(({ from, to }) => work.trajectory.turns.slice(from, to));
  const answers = gone.filter(({ speaker }) => speaker === 'tool').length + plan.shortened.size;
  return Math.max(
    lightReading.least,
    Math.floor((storyTokens(work, plan) * lightReading.perToken) / Math.max(1, answers)),
  );
}

async function tellRegions(work: Work, { plan, teller }: Planned): Promise<readonly ToldRegion[]> {
  const { regions, shortened } = plan;
  const { summarizer, targetTokens } = work.options;
  const budget = storyTokens(work, plan);
  const tell = (told: readonly Range[], budgetTokens: number): readonly string[] =>
    teller.tell({ regions: told, budgetTokens, contextTokens: targetTokens, shortened });
  if (summarizer === undefined) {
    const texts = tell(regions, budget);
    return regions.map((region, at) => ({ ...region, source: 'ledger', calls: 0, text: texts[at] ?? '' }));
  }
  const told: ToldRegion[] = [];
  for (const { tokens, ...region } of shared(work, regions, budget))
    told.push(await tellRegion(work, { ...region, tokens }, () => tell([region], tokens)[0] ?? ''));
  return told;
}

/** Tokens of all summaries: in value mode, what is left when all else is counted. */
function storyTokens({ trajectory, tokens, options }: Work, { regions, shortened }: ValuePlan): number {
  if (options.mode === 'greedy') return options.summaryTokens;
  let left = options.targetTokens - regions.length * joinTokens;
  for (const at of trajectory.turns.keys()) {
    if (regions.some(({ from, to }) => at >= from && at < to)) continue;
    const short = shortened.get(at);
    left -= short ? options.tokenizer.count(short.text) : (tokens[at] ?? 0);
  }
  return Math.max(0, left - options.tokenizer.count(options.notice ?? ''));
}

/** A summary and a turn of the person that become one may take so many tokens more than apart. */
const joinTokens = 2;

/** Tokens for each region, by what it stands for: many turns are told in less of each. */
function shared(
  { tokens }: Work,
  regions: readonly Range[],
  room: number,
): readonly (Range & { readonly tokens: number })[] {
  const sizes = regions.map(({ from, to }) => Math.sqrt(sum(tokens.slice(from, to))));
  const all = Math.max(1, sum(sizes));
  return regions.map((region, at) => ({
    ...region,
    tokens: Math.max(40, Math.floor((room * (sizes[at] ?? 0)) / all)),
  }));
}

async function tellRegion(
  { options, trajectory }: Work,
  { from, to, tokens }: Range & { readonly tokens: number },
  tell: () => string,
): Promise<ToldRegion> {
  const { summarizer, signal } = options;
  if (summarizer === undefined) return { from, to, source: 'ledger', calls: 0, text: tell() };
  try {
    const text = extractOf(trajectory.turns, { from, to });
    const reply = await summarizer({ text, targetTokens: tokens, ...(signal ? { signal } : {}) });
    if (reply === undefined) return { from, to, source: 'ledger', calls: 0, text: tell() };
    return { from, to, source: 'model', calls: reply.calls, text: summaryTurnText(reply.text) };
  } catch (error) {
    signal?.throwIfAborted();
    return { from, to, source: 'ledger after the model failed', calls: callsOf(error), text: tell() };
  }
}

/** Calls that were made before a summarizer gave up, where it says so. */
function callsOf(error: unknown): number {
  const calls: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'calls') : undefined;
  return typeof calls === 'number' ? calls : 1;
}

/** Less than that is not worth the trouble, in tokens. */
const leastLeft = 200;

/**
 * The turns of the new record; what the summaries did not use of their room goes to the turns that are shortened, and what they took too
 * much comes from those.
 */
function filledUp(work: Work, told: readonly Told[], { shortened, lengthened }: ValuePlan): Fitted {
  const fitted = fitTurns(work, told, shortened);
  const isNear = fitted.over <= 0 && fitted.over > -leastLeft;
  if (isNear || !lengthened || shortened.size === 0) return fitted;
  const other = fitTurns(work, told, lengthened(-fitted.over));
  return other.over <= 0 ? other : fitted;
}

/** The turns of the new record; what must stay is shortened where it is too large, but for the reference's plan. */
function fitTurns(work: Work, told: readonly Told[], shortened: ValuePlan['shortened']): Fitted {
  const { options, trajectory } = work;
  const { isPersons } = entryFormatOf(trajectory.format);
  const settled = new Map([...shortened].map(([at, turn]) => [at, work.pictures.settled(turn)]));
  const turns = trajectory.turns.map((turn, at): Turn => ({ ...turn, ...shownAs(settled.get(at)) }));
  const assembled = assembleTurns(told, { turns, joins: options.mode === 'value', isPersons });
  const short = assembled.map((turn) => (turn.type === 'kept' ? (settled.get(turn.at) ?? turn) : turn));
  const made = withNotice(work, short, told.length > 0);
  const fitted = measured(work, made);
  const { over } = fitted;
  if (over <= 0 || options.mode === 'greedy') return fitted;
  return { ...measured(work, withClips(work, made, over).map(work.pictures.settled)), over };
}

/** What a shortened turn says, for one that it is joined with. */
const shownAs = (turn: NewTurn | undefined): Partial<Turn> =>
  turn?.type === 'changed' ? { value: turn.value, text: turn.text } : {};

/** A turn with its texts shortened, calls and pictures left whole. */
function shortenIn({ turns, format }: Trajectory): ShortenTurn {
  const { clip, read } = entryFormatOf(format);
  return (at, shorten) => {
    const turn = turns[at];
    const value = turn && clip(turn)?.(shorten);
    return value === undefined ? undefined : { type: 'changed', at, value, text: read(value)?.text ?? '' };
  };
}

function measured({ trajectory, tokens, options }: Work, made: readonly NewTurn[]): Fitted {
  const counted = made.map((turn) =>
    turn.type === 'kept' ? (tokens[turn.at] ?? 0) : options.tokenizer.count(newText(turn, trajectory.turns)),
  );
  const total = sum(counted);
  return { made, tokens: counted, total, over: total - options.targetTokens };
}

function withClips({ trajectory, tokens, options }: Work, made: readonly NewTurn[], over: number): readonly NewTurn[] {
  const kept = made.flatMap((turn) => (turn.type === 'kept' ? [turn.at] : []));
  const count = (text: string): number => options.tokenizer.count(text);
  const clipping = { turns: trajectory.turns, tokens, shortenTurn: shortenIn(trajectory), count };
  const clipped = clipTurns(kept, over, clipping);
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
  // What an earlier run told of the record as it was then is true no more; a field of that name in another form is none of ours.
  const fields: NewFields = {
    ...work.pictures.fields(made),
    ...withoutEarlier(trajectory.record),
    ...(options.lossMask && { loss_mask: lossRanges(trajectory.turns, made, fitted.tokens) }),
    ...(options.provenance && { provenance: provenanceOf(made, told, tokens.length) }),
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
    clippedTurns: made.filter((turn) => isClipped(trajectory.turns, turn)).length,
  };
  return { text: writeTrajectory(trajectory, made, fields), metrics };
}

/** A turn with a notice behind it is longer than it was. */
const isClipped = (turns: readonly Turn[], turn: NewTurn): boolean =>
  turn.type === 'changed' && turn.text.length < (turns[turn.at]?.text.length ?? 0);
