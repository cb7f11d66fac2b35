/**
 * Chooses what of a trajectory stays, by worth for its tokens. A group can go, into a summary, or stay; the answers of its tools
 * then stand whole, or shortened to what the work went on with. What the model wrote is never shortened.
 *
 *     head │ region │ call, shortened answer │ region │ whole groups │ tail
 *            each region becomes one summary turn
 */
import { createQueue } from '../compression/ledger/queue.ts';
import { fillUp } from './fill-up.ts';
import type { PlanInput } from './greedy-plan.ts';
import { groupsOf, type Range } from './groups.ts';
import type { Names } from './names.ts';
import type { Shortener, Shortening } from './shorten.ts';
import type { Turn } from './turn.ts';
import { ownWorth } from './worth.ts';
import type { ChangedTurn } from './write.ts';

/** What becomes of the turns: the regions that are summarised, and the turns that are shortened. */
export interface ValuePlan {
  readonly regions: readonly Range[];
  /** By turn, as they are then. */
  readonly shortened: ReadonlyMap<number, ChangedTurn>;
  /** The same turns with so many tokens more for all of them, or fewer; absent where none may change. */
  readonly lengthened?: (tokens: number) => ReadonlyMap<number, ChangedTurn>;
}

/** What a plan is made by; measured on whole sessions (docs/decisions/0041-trajectory-value.md). */
const planning = {
  /** Share of the target for turns that are shortened, beside what the summaries have. */
  shortShare: 0.16,
  /** Of what neither whole turns nor summaries took, for that. */
  moreShort: 0.5,
  /** Share of an answer's length that stays of it, the least of it in UTF-16 units, and the most by token of the target: in a few sizes. */
  evidence: [
    { share: 0.05, least: 30, most: 0.01 },
    { share: 0.15, least: 120, most: 0.1 },
    { share: 0.4, least: 240, most: 0.3 },
    { share: 0.7, least: 240, most: 0.9 },
  ],
  /** A form of a turn has at most so much of the tokens of the next. */
  stepShare: 0.8,
  /** An answer below this many tokens is not shortened. */
  shortAnswer: 100,
  /** Tokens of the turn that a region is told in, beside what it tells. */
  seamTokens: 20,
  /** Of the summaries, so many tokens for each region at least. */
  regionTokens: 400,
  /** What the last answers say beyond the shortest, of the target: nobody has used it yet. */
  tailShare: 0.06,
  /** Words of the person and rules above that share of the target are shortened to one of the others. */
  longWords: 0.12,
  shortWords: [0.05],
  /** Of what stays of them, so much at the start, and at the end. */
  wordEnds: 0.25,
  /** Share of the target to keep a protected turn of the person from standing beside a summary. */
  besideShare: 0.08,
} as const;

/** A way in which a turn stays. */
interface Form {
  readonly tokens: number;
  readonly names: readonly number[];
  /** How it is then; absent where it stands as it was. */
  readonly changed?: ChangedTurn;
}

interface State {
  readonly input: ValueInput;
  readonly groups: readonly Range[];
  /** By turn: its group, its forms from the smallest to the whole, and the one in which it stays; -1 where it goes. */
  readonly groupOf: Int32Array;
  readonly forms: readonly (readonly Form[])[];
  readonly form: Int8Array;
  readonly isShown: Uint8Array;
  /** Tokens that are left, in all, and for what is shortened. */
  left: number;
  leftShort: number;
  regions: number;
  readonly mostRegions: number;
}

/** What a plan by value reads beside the figures. */
export interface ValueInput extends PlanInput {
  readonly names: Names;
  readonly shortener: Shortener;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
}

/** The regions to summarise and the turns to shorten so that all fits; no region where nothing may go. */
export function valuePlan(input: ValueInput): ValuePlan {
  const { turns, targetTokens, summaryTokens, kept, names } = input;
  const groups = groupsOf(turns);
  const state: State = {
    input,
    groups,
    groupOf: Int32Array.from(groups.flatMap(({ from, to }, at) => Array.from({ length: to - from }, () => at))),
    forms: turns.map((_, at) => formsOf(at, input)),
    form: new Int8Array(turns.length).fill(-1),
    isShown: new Uint8Array(names.worths.length),
    left: targetTokens - summaryTokens,
    leftShort: targetTokens * planning.shortShare,
    regions: 0,
    mostRegions: Math.max(1, Math.floor(summaryTokens / planning.regionTokens)),
  };
  for (const [at, group] of groups.entries()) if (hasAny(kept, group)) take(state, openingOf(state, at));
  tellTail(state, kept);
  keepBeside(state);
  state.regions = regionsOf(state).length;
  fill(state);
  // Where groups are too large to stay whole, more of their answers stay; where all of them stay, nothing is told.
  state.leftShort = Math.max(state.leftShort, state.left * planning.moreShort);
  fill(state);
  freeUntold(state);
  const chosen = [...state.form].flatMap((form, at) => state.forms[at]?.[form]?.changed ?? []);
  const reckoned = sum(chosen.map(({ at }) => state.forms[at]?.[state.form[at] ?? -1]?.tokens ?? 0));
  const shortened = filledUp(state, chosen, reckoned + state.left);
  return {
    regions: regionsOf(state),
    shortened,
    lengthened: (more) => {
      const now = [...shortened.values()];
      return filledUp(state, now, sum(now.map(({ text }) => input.count(text))) + more);
    },
  };
}

function formsOf(at: number, { turns, tokens, names, targetTokens, shortener }: ValueInput): readonly Form[] {
  const turn = turns[at];
  const whole: Form = { tokens: tokens[at] ?? 0, names: names.byTurn[at] ?? [] };
  const forms: Form[] = [];
  for (const by of turn ? shorteningsOf(turn, whole.tokens, targetTokens) : []) {
    const changed = shortener.shorten(at, by);
    if (turn === undefined || changed === undefined) continue;
    // Near enough for a choice; what is kept in the end is counted.
    const tokens = Math.ceil((whole.tokens * changed.text.length) / Math.max(1, turn.text.length)) + 8;
    if (tokens > whole.tokens * planning.stepShare) break;
    if (tokens * planning.stepShare < (forms.at(-1)?.tokens ?? 0)) continue;
    forms.push({ tokens, names: changed.names, changed });
  }
  return [...forms, whole];
}

/** None for a turn that is short enough, and for all that the model wrote. */
function shorteningsOf({ speaker }: Turn, size: number, targetTokens: number): readonly Shortening[] {
  if (speaker === 'gpt' || (speaker === 'tool' && size <= planning.shortAnswer)) return [];
  if (speaker === 'tool') return planning.evidence.map((one) => forAnswers(one, targetTokens));
  if (size <= targetTokens * planning.longWords) return [];
  const shares = planning.shortWords.map((share) => (targetTokens * share) / size);
  return shares.map((share) => ({ room: (length) => Math.floor(length * share), ends: planning.wordEnds }));
}

interface Evidence {
  readonly share: number;
  readonly least: number;
  readonly most: number;
}

const forAnswers = ({ share, least, most }: Evidence, targetTokens: number): Shortening => ({
  room: (length) => Math.min(most * targetTokens, Math.max(least, Math.floor(length * share))),
});

/** Turns that are kept better than now, each in a form. */
type Step = readonly { readonly at: number; readonly to: number }[];

/** A group in its smallest form. */
function openingOf({ groups, form }: State, group: number): Step {
  const { from, to } = groups[group] ?? { from: 0, to: 0 };
  return form[from] === -1 ? Array.from({ length: to - from }, (_, at) => ({ at: from + at, to: 0 })) : [];
}

/**
 * The next step of a turn: its group is kept, or it stands in a larger form. Words of the person stay with what stands before
 * and behind them, so that no summary, which is a turn of the person too, comes to stand beside them.
 */
function stepOf(state: State, at: number): Step {
  const { forms, form, groupOf, input } = state;
  const now = form[at] ?? -1;
  const group = groupOf[at] ?? 0;
  if (now >= 0) return now + 1 < (forms[at]?.length ?? 0) ? [{ at, to: now + 1 }] : [];
  if (state.groups[group]?.from !== at) return [];
  if (input.turns[at]?.speaker !== 'human') return openingOf(state, group);
  return [...besideHuman(state, group, -1).toReversed(), group, ...besideHuman(state, group, 1)].flatMap((next) =>
    openingOf(state, next),
  );
}

/** The groups beside a turn of the person that go, up to the first that is none; of a long row of such turns, those that are near. */
function besideHuman(state: State, group: number, step: 1 | -1): readonly number[] {
  const found: number[] = [];
  for (let next = group + step; found.length < mostBeside && openingOf(state, next).length > 0; next += step) {
    found.push(next);
    if (!isHuman(state, next)) break;
  }
  return found;
}

/** So many turns of people behind each other are looked at: where only people speak, a summary joins one of them. */
const mostBeside = 12;

const isHuman = ({ groups, input }: State, group: number): boolean =>
  input.turns[groups[group]?.from ?? -1]?.speaker === 'human';

/** The answers at the end in the largest form that there is room for, the last first. */
function tellTail(state: State, kept: ReadonlySet<number>): void {
  const { forms, form, input } = state;
  let left = input.targetTokens * planning.tailShare;
  for (let at = form.length - 1; at >= form.length / 2 && kept.has(at); at--) {
    const own = forms[at] ?? [];
    const least = own[0]?.tokens ?? 0;
    const to = own.findLastIndex(({ tokens }) => tokens - least <= left);
    if (to <= 0) continue;
    left -= (own[to]?.tokens ?? 0) - least;
    take(state, [{ at, to }]);
  }
}

/** A summary is a turn of the person: what stands beside one that must stay is kept too, so that the two need not become one. */
function keepBeside(state: State): void {
  const { groups, input, form } = state;
  for (const [at, { from }] of groups.entries()) {
    if (form[from] === -1 || !isHuman(state, at)) continue;
    for (const step of [-1, 1] as const) {
      const opening = besideHuman(state, at, step).flatMap((next) => openingOf(state, next));
      if (sizeOf(state, opening).tokens <= input.targetTokens * planning.besideShare) take(state, opening);
    }
  }
}

/** Takes step after step, the one with the most worth for its tokens first. */
function fill(state: State): void {
  const entry = (at: number) => ({ value: at, score: rateOf(state, stepOf(state, at)) });
  const queue = createQueue([...state.form.keys()].map(entry));
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const step = stepOf(state, next.value);
    const score = rateOf(state, step);
    if (score <= 0) continue;
    if (score < queue.topScore()) {
      queue.push({ value: next.value, score });
      continue;
    }
    const seams = seamsOf(state, step);
    if (!isPossible(state, step, seams)) continue;
    state.regions += seams;
    take(state, step);
    for (const { at } of step) queue.push(entry(at));
    // What is beside it parts nothing any more, and may be taken now.
    for (const at of besideOf(state, step)) queue.push(entry(at));
  }
}

/**
 * A summary is no longer than what it tells, but for its opening: what is reserved beyond that goes to turns. It may bring back all that
 * went, and nothing is told then.
 */
function freeUntold(state: State): void {
  const { tokens, summaryTokens } = state.input;
  let reserved = summaryTokens;
  for (let time = 0; time < mostFreed; time++) {
    const regions = regionsOf(state);
    const gone = regions.reduce((all, { from, to }) => all + sum(tokens.slice(from, to)), 0);
    const needed = Math.min(reserved, gone + regions.length * openingTokens);
    if (needed === reserved) return;
    state.left += reserved - needed;
    state.leftShort = regions.length === 0 ? state.left : Math.max(state.leftShort, state.left * planning.moreShort);
    reserved = needed;
    fill(state);
  }
}

const mostFreed = 3;
/** What each summary opens with, whatever it tells; the least that a model is given for one. */
const openingTokens = 40;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The shortened turns, by turn, as long as there is room for; those that became whole are left out. */
function filledUp(state: State, turns: readonly ChangedTurn[], room: number): ReadonlyMap<number, ChangedTurn> {
  const shortened = turns.map((turn) => ({ turn, rate: rateOf(state, stepOf(state, turn.at)) }));
  const filled = fillUp({ ...state.input, shortened, room, wordEnds: planning.wordEnds });
  const now = turns.map((turn) => (filled.has(turn.at) ? filled.get(turn.at) : turn));
  return new Map(now.flatMap((turn) => (turn ? [[turn.at, turn]] : [])));
}

/** The first turns of the groups before and behind a step. */
function besideOf({ groups, groupOf }: State, step: Step): readonly number[] {
  const [first, last] = [groupOf[step[0]?.at ?? 0] ?? 0, groupOf[step.at(-1)?.at ?? 0] ?? 0];
  return [groups[first - 1]?.from, groups[last + 1]?.from].filter((at) => at !== undefined);
}

interface StepSize {
  readonly tokens: number;
  /** Those in turns that are not as they were. */
  readonly short: number;
  readonly own: number;
}

function sizeOf({ forms, form, input }: State, step: Step): StepSize {
  let [tokens, short, own] = [0, 0, 0];
  for (const { at, to } of step) {
    const [now, next] = [forms[at]?.[form[at] ?? -1], forms[at]?.[to]];
    const turn = input.turns[at];
    if (next === undefined || turn === undefined) continue;
    tokens += next.tokens - (now?.tokens ?? 0);
    short += (next.changed ? next.tokens : 0) - (now?.changed ? now.tokens : 0);
    if (now === undefined) own += ownWorth(turn);
  }
  return { tokens, short, own };
}

/** The worth of a step for its tokens; 0 for none. */
function rateOf(state: State, step: Step): number {
  const { forms, isShown, input } = state;
  if (step.length === 0) return 0;
  const { tokens, own } = sizeOf(state, step);
  let worth = own;
  for (const { at, to } of step) {
    for (const name of forms[at]?.[to]?.names ?? []) if (isShown[name] === 0) worth += input.names.worths[name] ?? 0;
  }
  return worth / Math.max(1, tokens);
}

function isPossible(state: State, step: Step, seams: number): boolean {
  const { left, leftShort, regions, mostRegions } = state;
  if (seams > 0 && regions >= mostRegions) return false;
  const { tokens, short } = sizeOf(state, step);
  return tokens + seams * planning.seamTokens <= left && (short <= 0 || short <= leftShort);
}

function take(state: State, step: Step): void {
  const { tokens, short } = sizeOf(state, step);
  state.left -= tokens;
  state.leftShort -= short;
  for (const { at, to } of step) {
    for (const name of state.forms[at]?.[to]?.names ?? []) state.isShown[name] = 1;
    state.form[at] = to;
  }
}

/** How many regions more there are after a step: a group inside a region makes two of it, the last of a region ends it. */
function seamsOf({ groups, groupOf, form }: State, step: Step): number {
  const news = new Set(step.filter(({ at }) => form[at] === -1).map(({ at }) => groupOf[at] ?? 0));
  if (news.size === 0) return 0;
  const [first, last] = [Math.min(...news) - 1, Math.max(...news) + 1];
  const isKept = (group: number, isAfter: boolean): boolean => {
    const range = groups[group];
    return range === undefined || form[range.from] !== -1 || (isAfter && news.has(group));
  };
  const runs = (isAfter: boolean): number => {
    let count = 0;
    for (let at = first; at <= last; at++)
      if (!isKept(at, isAfter) && (at === first || isKept(at - 1, isAfter))) count++;
    return count;
  };
  return runs(true) - runs(false);
}

function regionsOf({ groups, form }: State): readonly Range[] {
  const regions: { from: number; to: number }[] = [];
  for (const { from, to } of groups) {
    if (form[from] !== -1) continue;
    const last = regions.at(-1);
    if (last && last.to === from) last.to = to;
    else regions.push({ from, to });
  }
  return regions;
}

function hasAny(kept: ReadonlySet<number>, { from, to }: Range): boolean {
  for (let at = from; at < to; at++) if (kept.has(at)) return true;
  return false;
}
