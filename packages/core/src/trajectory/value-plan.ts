/**
 * Chooses what of a trajectory stays, by worth for its tokens. A group can go, into a summary; stay with the answers of its
 * tools shortened to what the work went on with; or stay whole. What the model wrote is never shortened.
 *
 *     head │ region │ call, shortened answer │ region │ whole groups │ tail
 *            each region becomes one summary turn
 */
import { createQueue } from '../compression/ledger/queue.ts';
import { clipText } from './clip.ts';
import { evidenceOf } from './evidence.ts';
import type { PlanInput } from './greedy-plan.ts';
import { groupsOf, type Range } from './groups.ts';
import type { Turn } from './turn.ts';
import { type Names, namesOf, ownWorth } from './worth.ts';
import type { ChangedTurn, ShortenTurn } from './write.ts';

/** A region, and the tokens that its summary may have. */
export interface PlannedRegion extends Range {
  readonly tokens: number;
}

/** What becomes of the turns: the regions that are summarised, and the answers of tools that are shortened. */
export interface ValuePlan {
  readonly regions: readonly PlannedRegion[];
  /** By turn, as they are then. */
  readonly shortened: ReadonlyMap<number, ChangedTurn>;
}

/** Weights of the plan; measured by `npm run bench -- trajectories`. */
export const planning: any = {
  /** Share of the target for turns that stand word for word as they were. */
  originalShare: 0.66,
  /** Share of an answer's length that stays of it, and the least and most of it in UTF-16 units. */
  evidence: { share: 0.05, least: 60, most: 240 },
  /** An answer below this many tokens is not shortened. */
  shortAnswer: 60,
  /** Tokens around a summary, and a summary below this tells next to nothing. */
  seamTokens: 60,
  leastSummary: 160,
  /** What must stay may be whole in so much of the target; beyond it, answers of tools are shortened. */
  protectedShare: 0.5,
  /** Share of the target that one turn of the person, or the rules, may have beyond that. */
  humanShare: 0.15,
  ...JSON.parse((globalThis as any).process?.env?.PLAN ?? '{}'),
};

/** A way in which a group stays. */
interface Level {
  readonly tokens: number;
  /** Those of them that stand as they were. */
  readonly original: number;
  readonly names: readonly number[];
  readonly own: number;
  readonly shortened: ReadonlyMap<number, ChangedTurn>;
}

interface Unit extends Range {
  /** From the smallest to the whole group. */
  readonly levels: readonly Level[];
  /** How it stays; -1 where it goes. */
  level: number;
}

interface State {
  readonly turns: readonly Turn[];
  readonly units: readonly Unit[];
  readonly names: Names;
  readonly isShown: Uint8Array;
  /** Tokens that are left, in all, and for what is not as it was. */
  left: number;
  leftMade: number;
  regions: number;
  readonly mostRegions: number;
}

/** The regions to summarise and the answers to shorten so that all fits; no region where nothing may go. */
export function valuePlan(input: PlanInput, shortenTurn: ShortenTurn): ValuePlan {
  const { turns, tokens, targetTokens, summaryTokens, kept } = input;
  const names = namesOf(turns);
  const reading = { turns, tokens, names, shortenTurn, mostHuman: targetTokens * planning.humanShare };
  const units = groupsOf(turns).map((group): Unit => ({ ...group, level: -1, levels: levelsOf(group, reading) }));
  const state: State = {
    turns,
    units,
    names,
    isShown: new Uint8Array(names.weights.length),
    left: targetTokens - summaryTokens,
    leftMade: targetTokens * (1 - planning.originalShare) - summaryTokens,
    regions: 0,
    mostRegions: Math.max(1, Math.floor(summaryTokens / (planning.leastSummary * 2))),
  };
  keepProtected(state, kept, targetTokens * planning.protectedShare);
  state.regions = regionsOf(units).length;
  fill(state);
  const shortened = new Map(units.flatMap(({ level, levels }) => [...(levels[level]?.shortened ?? [])]));
  const used = units.reduce((sum, { level, levels }) => sum + (levels[level]?.tokens ?? 0), 0);
  return { regions: withRoom(regionsOf(units), tokens, targetTokens - used), shortened };
}

interface Reading {
  readonly turns: readonly Turn[];
  readonly tokens: readonly number[];
  readonly names: Names;
  readonly shortenTurn: ShortenTurn;
  /** Tokens that words of the person or rules may have where they are shortened. */
  readonly mostHuman: number;
}

function levelsOf(group: Range, reading: Reading): readonly Level[] {
  const whole = wholeLevel(group, reading);
  const short = shortLevel(group, reading);
  return short && short.tokens < whole.tokens * 0.85 ? [short, whole] : [whole];
}

function wholeLevel({ from, to }: Range, { turns, tokens, names }: Reading): Level {
  let [size, own] = [0, 0];
  const found = new Set<number>();
  for (let at = from; at < to; at++) {
    const turn = turns[at];
    size += tokens[at] ?? 0;
    if (turn) own += ownWorth(turn);
    for (const name of names.byTurn[at] ?? []) found.add(name);
  }
  return { tokens: size, original: size, names: [...found], own, shortened: new Map() };
}

/** The group with its long answers shortened; undefined where it has none. */
function shortLevel({ from, to }: Range, reading: Reading): Level | undefined {
  const { turns, tokens, names } = reading;
  const shortened = new Map<number, ChangedTurn>();
  let [size, original, own] = [0, 0, 0];
  const found = new Set<number>();
  for (let at = from; at < to; at++) {
    const turn = turns[at];
    const whole = tokens[at] ?? 0;
    if (!turn) continue;
    own += ownWorth(turn);
    const short = shortTurn(turn, at, reading);
    if (short) shortened.set(at, short);
    else original += whole;
    size += short ? Math.ceil((whole * short.text.length) / Math.max(1, turn.text.length)) + 8 : whole;
    for (const name of short ? names.namesIn(short.text) : (names.byTurn[at] ?? [])) found.add(name);
  }
  return shortened.size === 0 ? undefined : { tokens: size, original, names: [...found], own, shortened };
}

/** Undefined for a turn that is short enough, and for all that the model wrote. */
function shortTurn(
  { speaker, text }: Turn,
  at: number,
  { tokens, names, shortenTurn, mostHuman }: Reading,
): ChangedTurn | undefined {
  const size = tokens[at] ?? 0;
  if (speaker === 'gpt') return undefined;
  if (speaker === 'tool') {
    return size <= planning.shortAnswer ? undefined : shortenTurn(at, (answer) => shortAnswer(answer, at, names));
  }
  return size <= mostHuman || text.length === 0
    ? undefined
    : shortenTurn(at, (said) => clipText(said, mostHuman / size));
}

function shortAnswer(text: string, at: number, { namesIn, weights, lastUse }: Names): string {
  const { share, least, most } = planning.evidence;
  const room = Math.min(most, Math.max(least, Math.floor(text.length * share)));
  return evidenceOf(text, {
    room,
    worth: (line) => {
      let worth = 0;
      for (const name of namesIn(line)) if ((lastUse[name] ?? -1) > at) worth += weights[name] ?? 0;
      return worth;
    },
  });
}

/** What must stay is whole, the newest first, as long as there is room for that; then it stays as small as it goes. */
function keepProtected(state: State, kept: ReadonlySet<number>, room: number): void {
  let left = room;
  for (let at = state.units.length - 1; at >= 0; at--) {
    const unit = state.units[at];
    if (unit === undefined || !hasAny(kept, unit)) continue;
    const whole = unit.levels.at(-1)?.tokens ?? 0;
    const to = whole <= left ? unit.levels.length - 1 : 0;
    left -= unit.levels[to]?.tokens ?? 0;
    keep(state, at, to);
  }
}

/** Takes step after step, the one with the most worth for its tokens first. */
function fill(state: State): void {
  const { units } = state;
  const queue = createQueue(units.map((_, at) => ({ value: at, score: rateOf(state, stepOf(state, at)) })));
  for (let entry = queue.pop(); entry !== undefined; entry = queue.pop()) {
    const step = stepOf(state, entry.value);
    const score = rateOf(state, step);
    if (score <= 0) continue;
    if (score < queue.topScore()) {
      queue.push({ value: entry.value, score });
      continue;
    }
    const seams = seamsOf(state, step);
    if (!isPossible(state, step, seams)) continue;
    state.regions += seams;
    for (const { at, to } of step) keep(state, at, to);
    // What is beside it parts nothing any more, and may be taken now.
    const [first = 0, last = 0] = [step[0]?.at, step.at(-1)?.at];
    for (let at = first - 1; at <= last + 1; at++) queue.push({ value: at, score: rateOf(state, stepOf(state, at)) });
  }
}

/** Groups that are kept better than now, each at a level. */
type Step = readonly { readonly at: number; readonly to: number }[];

/**
 * The next step of a group. Words of the person stay with what stands before and behind them, so that no summary, which is a turn
 * of the person too, comes to stand beside them.
 */
function stepOf({ units, turns }: State, at: number): Step {
  const unit = units[at];
  if (unit === undefined || unit.level + 1 >= unit.levels.length) return [];
  const own = { at, to: unit.level + 1 };
  if (turns[unit.from]?.speaker !== 'human' || unit.level >= 0) return [own];
  const beside = [at - 1, at + 1].filter((next) => units[next]?.level === -1).map((next) => ({ at: next, to: 0 }));
  return [...beside, own].toSorted((a, b) => a.at - b.at);
}

interface StepSize {
  readonly tokens: number;
  readonly made: number;
  readonly own: number;
}

function sizeOf({ units }: State, step: Step): StepSize {
  let [tokens, made, own] = [0, 0, 0];
  for (const { at, to } of step) {
    const unit = units[at];
    const [now, next] = [unit?.levels[unit.level], unit?.levels[to]];
    if (next === undefined) continue;
    tokens += next.tokens - (now?.tokens ?? 0);
    made += next.tokens - next.original - ((now?.tokens ?? 0) - (now?.original ?? 0));
    own += next.own - (now?.own ?? 0);
  }
  return { tokens, made, own };
}

/** The worth of a step for its tokens; 0 for none. */
function rateOf(state: State, step: Step): number {
  const { units, names, isShown } = state;
  if (step.length === 0) return 0;
  const { tokens, own } = sizeOf(state, step);
  let worth = own;
  for (const { at, to } of step) {
    for (const name of units[at]?.levels[to]?.names ?? []) if (isShown[name] === 0) worth += names.weights[name] ?? 0;
  }
  return worth / Math.max(1, tokens);
}

function isPossible(state: State, step: Step, seams: number): boolean {
  const { left, leftMade, regions, mostRegions } = state;
  if (seams > 0 && regions >= mostRegions) return false;
  const { tokens, made } = sizeOf(state, step);
  return tokens + seams * planning.seamTokens <= left && (made <= 0 || made <= leftMade);
}

function keep(state: State, at: number, to: number): void {
  const unit = state.units[at];
  const next = unit?.levels[to];
  if (unit === undefined || next === undefined) return;
  const { tokens, made } = sizeOf(state, [{ at, to }]);
  state.left -= tokens;
  state.leftMade -= made;
  for (const name of next.names) state.isShown[name] = 1;
  unit.level = to;
}

/** How many regions more there are after a step: a group inside a region makes two of it, the last of a region ends it. */
function seamsOf({ units }: State, step: Step): number {
  const news = new Set(step.filter(({ at }) => units[at]?.level === -1).map(({ at }) => at));
  if (news.size === 0) return 0;
  const [first, last] = [Math.min(...news) - 1, Math.max(...news) + 1];
  const isKept = (at: number, isAfter: boolean): boolean => {
    const unit = units[at];
    return unit === undefined || unit.level >= 0 || (isAfter && news.has(at));
  };
  const runs = (isAfter: boolean): number => {
    let count = 0;
    for (let at = first; at <= last; at++)
      if (!isKept(at, isAfter) && (at === first || isKept(at - 1, isAfter))) count++;
    return count;
  };
  return runs(true) - runs(false);
}

function regionsOf(units: readonly Unit[]): readonly Range[] {
  const regions: { from: number; to: number }[] = [];
  for (const { from, to, level } of units) {
    if (level >= 0) continue;
    const last = regions.at(-1);
    if (last && last.to === from) last.to = to;
    else regions.push({ from, to });
  }
  return regions;
}

/** What is left of the target goes to the summaries, by the size of what each stands for. */
function withRoom(regions: readonly Range[], tokens: readonly number[], room: number): readonly PlannedRegion[] {
  const sizes = regions.map(({ from, to }) => Math.sqrt(tokens.slice(from, to).reduce((sum, one) => sum + one, 0)));
  const all = Math.max(
    1,
    sizes.reduce((sum, size) => sum + size, 0),
  );
  return regions.map((region, at) => ({
    ...region,
    tokens: Math.max(40, Math.floor((room * (sizes[at] ?? 0)) / all)),
  }));
}

function hasAny(kept: ReadonlySet<number>, { from, to }: Range): boolean {
  for (let at = from; at < to; at++) if (kept.has(at)) return true;
  return false;
}
