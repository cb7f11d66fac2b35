/** The part of a handoff that facts fill: requests word for word, failures, files, side effects, the plan. */
import { type FileList, fileListRow, speakerRow } from '../handoff-rows.ts';
import type { Ref } from '../result.ts';
import { shortTarget } from '../step-file.ts';
import type { Action, FileFact, LedgerFacts, SideEffect } from './facts.ts';
import { leftOutRow } from './inherited.ts';
import {
  clip,
  flat,
  inOrder,
  lastNotAbove,
  leastLine,
  type OutlineLine,
  position,
  toolName,
  withinRow,
} from './names.ts';
import { lastEnd, type OpenMatters, openMatters } from './open-matters.ts';
import { isLeftBehind } from './plans.ts';
import { directiveWords, isShort, quoted, type Words, wordsOf } from './quotes.ts';
import {
  checkRows,
  failureRows,
  outstandingRows,
  pathsFor,
  progressRows,
  shortPath,
  waitingRows,
} from './state-rows.ts';

export interface OutlineInput {
  readonly facts: LedgerFacts;
  /** True for messages that the handoff stands for; the others are shown in full. */
  readonly covers: (ref: Ref) => boolean;
  /** What the assistant said right before its calls in a message: what they were for. */
  readonly purposeOf?: (ref: Ref) => string | undefined;
  /** Tokens the whole handoff may take. */
  readonly budget: number;
  readonly count: (text: string) => number;
  /** True when a person named a topic, whose lines need the room. */
  readonly hasTopic?: boolean;
  /** True beside a summary that stands there as a whole. */
  readonly isBeside?: boolean;
}

/** Shares of the handoff that each kind of fact may take at most. */
const shares = {
  asks: 0.26,
  /** More for words of the user in their shortest form: what was said once and briefly must not be lost. */
  briefAsks: 0.16,
  /** Still more for short ones in their shortest form, where there are so many: answers are made room of before requests are. */
  manyAsks: 0.2,
  /** More of those that matter in the smallest handoff: the first request, the newest, and rules. */
  smallAsks: 0.25,
  turns: 0.03,
  waiting: 0.05,
  blocked: 0.04,
  state: 0.04,
  checks: 0.05,
  files: 0.08,
  /** More of the user's words and of effects outside, in a roomy handoff: they must outlive every compression. */
  roomyAsks: 0.15,
  roomyState: 0.05,
  roomyBlocked: 0.03,
  /** Still more of the user's words in a conversation without any call: nothing was done that could be told instead. */
  talkAsks: 0.25,
  /** In a roomy handoff; a small one has none to spare, and its decisions compete with all other lines. */
  decisions: 0.12,
} as const;

/** For what is under way: a share, more in a small handoff. */
const underWayRoom = { share: 0.07, leastTokens: 130, most: 0.14 } as const;

/** The same for entries of plans, and for what the agent said is left. */
const planRoom = { share: 0.05, leastTokens: 140, most: 0.08 } as const;

/** A handoff of fewer tokens is small, one of more is roomy. */
const sizes = { small: 2_000, roomy: 6_500 } as const;
/** A handoff of fewer tokens is tiny. */
const tiny = 600;

const within01 = (value: number): number => Math.min(1, Math.max(0, value));

/** From 0 in a small handoff to 1 in a roomy one. */
export const roomIn = (budget: number): number => within01((budget - sizes.small) / (sizes.roomy - sizes.small));

/** From 1 in a tiny handoff to 0 in one that has twice as many tokens. */
const smallness = (budget: number): number => within01(2 - budget / tiny);

/** Of `tokens`, the share that the lines of facts take at most in a handoff of `budget` tokens. */
export function mostShare(tokens: number, budget: number): number {
  const { asks, blocked, state, files, smallAsks, turns, decisions } = shares;
  const roomy = turns + decisions + shares.roomyAsks + shares.roomyState + shares.roomyBlocked + shares.talkAsks;
  const now = shares.waiting + planRoom.most + shares.checks + shares.briefAsks + underWayRoom.most;
  return asks + blocked + state + files + now + smallAsks * smallness(tokens) + roomy * roomIn(budget);
}

const answerChars = 160;
const decisionChars = 200;
const effectChars = 60;

/** The lines that facts give, in the order of the sections. Each kind keeps to its share of the budget. */
export function outlineOf(input: OutlineInput): readonly OutlineLine[] {
  const { facts, budget } = input;
  const room = roomIn(budget);
  const take = (share: number, lines: readonly OutlineLine[]): readonly OutlineLine[] => within(share, lines, input);
  const open = openMatters(facts);
  const checks = checkRows(facts).toReversed();
  const roomFor = ({ share, leastTokens, most }: typeof underWayRoom | typeof planRoom): number =>
    Math.min(most, Math.max(share, leastTokens / budget));
  const underWay = take(roomFor(underWayRoom), progressRows(open, facts));
  const listed = [...underWay.map(({ text }) => text), open.waiting?.text ?? ''];
  const told = quotes(input, open);
  // Where requests need the room, what the assistant decided has less.
  const forDecisions = Math.max(0, shares.decisions * room - told.more);
  return [
    ...story(input, told),
    // What was decided early still holds, what was decided last counts: each compression so keeps the decisions of the
    // ones before.
    ...inOrder(take(forDecisions, fromBothEnds(decisionLines(input)))),
    ...take(shares.waiting, waitingRows(open)),
    ...inOrder(take(shares.blocked + shares.roomyBlocked * room, wanted(failureRows(open), room))),
    ...inOrder(take(shares.state + shares.roomyState * room, wanted(stateLines(input), room))),
    ...inOrder([...underWay, ...take(shares.checks, checks)]),
    ...take(roomFor(planRoom), [...planLines(input), ...outstandingRows(facts, listed)]),
    ...take(shares.files, fileLines(input, underWay)),
  ];
}

/** Takes lines, most wanted first, while the share lasts. */
function within(share: number, lines: readonly OutlineLine[], { budget, count }: OutlineInput): readonly OutlineLine[] {
  const taken: OutlineLine[] = [];
  let left = budget * share;
  for (const line of lines) {
    // What is left holds no line any more: spare the counting of all the others.
    if (left < leastLine) break;
    const tokens = count(line.text) + 1;
    if (tokens > left) continue;
    left -= tokens;
    taken.push(line);
  }
  return taken;
}

/** The newest first; in a roomy handoff the earliest too, so that no compression forgets what another one told. */
const wanted = <T>(lines: readonly T[], room: number): readonly T[] =>
  room < 0.5 ? lines.toReversed() : fromBothEnds(lines);

/** The newest, the earliest, the second newest, and so on. */
const fromBothEnds = <T>(lines: readonly T[]): readonly T[] =>
  lines.flatMap((_, at) => lines.at(at % 2 === 0 ? -1 - at / 2 : (at - 1) / 2) ?? []);

/** Requests, how each ended, and what was done for it, in the order in which it happened. */
function story(input: OutlineInput, { lines: said, leftOut }: Quotes): readonly OutlineLine[] {
  const share = shares.turns * roomIn(input.budget);
  // What was done for a request that is not told would stand below another one.
  const turns = turnLines(input.facts, input.covers)
    .filter(({ ref }) => !leftOut.has(ref))
    .map((line): OutlineLine => ({ content: 'actions', ...line }));
  const lines = [...withNewest(input, said), ...within(share, turns.toReversed(), input)];
  // What was done stands below the request and above the words that ended it.
  return inOrder(lines.sort((a, b) => depth(a) - depth(b)));
}

const depth = ({ text }: OutlineLine): number => (text.startsWith(' →') ? 2 : text.startsWith(' m') ? 1 : 0);

/** The newest request stands behind the handoff, or in it. */
function withNewest({ facts, covers }: OutlineInput, said: readonly OutlineLine[]): readonly OutlineLine[] {
  const newest = facts.asks.at(-1);
  if (!newest || covers(newest.ref)) return said;
  const who = newest.by === 'program' ? 'host' : 'user';
  return [{ content: 'task', ref: newest.ref, text: `${newest.ref} ${who}: word for word below` }, ...said];
}

interface Quotes {
  readonly lines: readonly OutlineLine[];
  /** Requests that have no room. */
  readonly leftOut: ReadonlySet<Ref>;
  /** The share that they took of others, because there are so many. */
  readonly more: number;
}

/** Rules first, then the newest: what was said last counts, what was laid down early still holds. */
function quotes(input: OutlineInput, matters: OpenMatters): Quotes {
  const { facts, covers, budget, count } = input;
  const asks = facts.asks.filter(({ ref, text }) => text !== '' && covers(ref));
  const telling = { facts, open: matters.asks };
  const room = roomIn(budget);
  const talk = facts.actions.length === 0 ? shares.talkAsks : 0;
  const laidDown = facts.directives.filter(({ ref }) => covers(ref)).map(directiveWords);
  const order = wanted([...asks.flatMap((ask) => wordsOf(ask, telling)), ...laidDown], room).toSorted(
    (a, b) => a.rank - b.rank,
  );
  const forRules = shares.smallAsks * smallness(budget);
  const share = shares.asks + (shares.roomyAsks + talk) * room;
  const brief = input.hasTopic ? 0 : shares.briefAsks;
  const needed = missing(order, { budget: budget * (share + brief), count }) / budget;
  const more = input.hasTopic || input.isBeside ? 0 : Math.min(shares.manyAsks, needed);
  const said = quoted(order, { budget, count, forRules, share, brief: brief + more });
  const told = new Set(said.map(({ ref }) => ref));
  const leftOut = asks.filter(({ ref, by }) => by !== 'program' && !told.has(ref)).map(({ ref }) => ref);
  return { lines: [...said, ...leftOutLines(leftOut, input)], leftOut: new Set(leftOut), more };
}

/** Says how many requests have no room, and where they were; a tiny handoff has none for that either. */
function leftOutLines(gone: readonly Ref[], { facts, budget }: OutlineInput): readonly OutlineLine[] {
  const { leftOut } = facts;
  const refs = [...(leftOut ? [leftOut.first, leftOut.last] : []), ...gone].sort((a, b) => position(a) - position(b));
  const [first, last] = [refs[0], refs.at(-1)];
  if (first === undefined || last === undefined || budget < tiny) return [];
  const text = leftOutRow({ first, last, count: gone.length + (leftOut?.count ?? 0) });
  return [{ content: 'actions', ref: first, text }];
}

/** Tokens that short requests need beyond a budget, in their shortest form. */
function missing(order: readonly Words[], { budget, count }: Pick<OutlineInput, 'budget' | 'count'>): number {
  const short = order.filter(isShort);
  // Most conversations have few requests: spare counting them.
  if (short.length * mostShort <= budget) return 0;
  const tokens = short.reduce((sum, { forms }) => sum + count(forms.at(-1) ?? '') + 1, 0);
  return Math.max(0, tokens - budget);
}

/** In its shortest form a request has no more tokens, in any script. */
const mostShort = 160;

const decisionLines = ({ facts, covers }: OutlineInput): readonly OutlineLine[] =>
  facts.decisions
    .filter(({ ref }) => covers(ref))
    .map(({ ref, by, text }) => {
      const who = by === 'user' ? 'person' : 'assistant';
      return { content: 'decisions', ref, text: speakerRow(ref, who, clip(text, decisionChars)) };
    });

/** Effects outside; of the same one the newest. What failed had none, and matters until it is tried again or the turn ends. */
function stateLines({ facts, covers }: OutlineInput): readonly OutlineLine[] {
  const verbOf = ({ tool, target }: SideEffect): string => `${tool} ${target.split(' ', 2).join(' ')}`;
  const done = new Map(facts.sideEffects.filter(({ ok }) => ok).map((one) => [verbOf(one), position(one.ref)]));
  const since = lastEnd(facts.asks);
  const isOver = (one: SideEffect): boolean =>
    one.ok === false && position(one.ref) < Math.max(since, done.get(verbOf(one)) ?? 0);
  const known = facts.sideEffects.filter((one) => covers(one.ref) && !isOver(one));
  const rows = known.map(({ ref, tool, target, ok }) => {
    const done = ok ? 'done, do not repeat' : 'failed';
    const outcome = ok === undefined ? 'outcome unknown, check before repeating' : done;
    return { ref, said: `${toolName(tool)} ${withinRow(target, effectChars)}: ${outcome}` };
  });
  const newest = new Map(rows.map(({ ref, said }) => [said, ref]));
  return rows
    .filter(({ ref, said }) => newest.get(said) === ref)
    .map(({ ref, said }) => ({ content: 'state', ref, text: `${ref} ${said}` }));
}

/** Entries of the plan that the agent keeps with a tool, and of one in a file, that are not done. */
function planLines({ facts, covers }: OutlineInput): readonly OutlineLine[] {
  const { plan, planFile } = facts;
  const told = new Set<string>();
  return [isLeftBehind(facts) ? undefined : plan, planFile].flatMap((one): readonly OutlineLine[] => {
    return (one?.entries ?? [])
      .map((entry) => ({ ref: one?.ref ?? 'm0', ...entry }) as const)
      .filter(({ text, state, ref }) => state !== 'done' && covers(ref) && !told.has(text) && told.add(text))
      .map(({ id, text, state, ref }) => {
        const content = state === 'active' ? 'progress' : 'remaining';
        // By its number the model goes on with the entry.
        const entry = `${id === undefined ? '' : `#${id} `}${withinRow(flat(text), answerChars)}`;
        return { content, ref, text: `${ref} assistant's plan: ${entry}` };
      });
  });
}

/** Files that were worked on most and last come first: each with what was said to be done to it, the others by name. */
function fileLines(
  { facts, covers, purposeOf, budget }: OutlineInput,
  underWay: readonly OutlineLine[],
): readonly OutlineLine[] {
  const inPlay = facts.files.filter(({ ref }) => covers(ref)).sort((a, b) => weight(b) - weight(a));
  const shown = pathsFor(roomIn(budget));
  // What is under way tells what its changes are for.
  const told = new Set<string | undefined>(underWay.map(({ ref }) => purposeOf?.(ref)));
  const rows: OutlineLine[] = [];
  const others: FileFact[] = [];
  for (const file of inPlay) {
    const { path, state, ref, since } = file;
    const purpose = state === 'read' || since !== undefined ? undefined : purposeOf?.(ref);
    if (purpose === undefined || told.has(purpose)) {
      if (!underWay.some(({ text }) => text.includes(`${state} ${shortPath(path)}`))) others.push(file);
      continue;
    }
    told.add(purpose);
    const words = withinRow(flat(purpose)).replace(/[\s:：]+$/u, '');
    rows.push({ content: 'files', ref, text: `${ref} ${state} ${shown(path)}: ${words}` });
  }
  const lists = (['changed', 'deleted', 'read'] as const).flatMap((state) => listRow(state, others, shown));
  return [...rows.slice(0, 4), ...lists, ...rows.slice(4)];
}

/** In which list a file stands that is only named. */
export const listStateOf = (state: FileFact['state']): FileList['state'] => (state === 'created' ? 'changed' : state);

/** Files of which nothing was said, in one row. */
function listRow(
  state: FileList['state'],
  files: readonly FileFact[],
  shown: (path: string) => string,
): readonly OutlineLine[] {
  const own = files.filter((file) => listStateOf(file.state) === state);
  const named = own.slice(0, mostNamed);
  if (named.length === 0) return [];
  const first = Math.min(...named.map(({ ref, since = ref }) => position(since)));
  const last = Math.max(...named.map(({ ref }) => position(ref)));
  const paths = [...new Set(named.map(({ path }) => shown(path)))];
  return [{ content: 'files', ref: `m${last}`, text: fileListRow({ state, first, last, paths }) }];
}

/** Files that are only named. */
const mostNamed = 12;

const weight = ({ touches, ref }: FileFact): number => Math.log1p(touches) + position(ref) / 1000;

// What was done between one request and the next, in one line: tools, failures, files.

const maxFiles = 5;

/** One line a turn that has actions, oldest first, with the request it follows. Linear in the facts. */
export function turnLines(
  { asks, actions }: LedgerFacts,
  covers: (ref: Ref) => boolean,
): readonly Pick<OutlineLine, 'ref' | 'text'>[] {
  const starts = asks.map(({ ref }) => position(ref));
  const covered = actions.filter(({ ref }) => covers(ref));
  const turns = Map.groupBy(covered, ({ ref }) => asks[lastNotAbove(starts, position(ref))]?.ref);
  return [...turns].flatMap(([ask, done]) => {
    const [first, last] = [done[0]?.ref ?? 'm0', done.at(-1)?.ref];
    const span = last === first ? first : `${first}-${last}`;
    const files = changedFiles(done);
    return files ? [{ ref: ask ?? first, text: ` ${span} changed ${files}` }] : [];
  });
}

/** Names of files that the turn wrote, newest first. */
function changedFiles(actions: readonly Action[]): string {
  const written = actions.filter(({ type, ok }) => ok !== false && (type === 'create' || type === 'change'));
  const targets = written.map(({ target }) => withinRow(flat(target.slice(target.lastIndexOf('/') + 1))));
  const names = [...new Set(targets.toReversed())];
  const shown = names.filter((name) => name && name.length <= 40).slice(0, maxFiles);
  return shown.join(' ') + (names.length > shown.length ? ` +${names.length - shown.length}` : '');
}

const mostTools = 3;

/** The row above the lines of a step: `m12 Bash npm test failed (exit 1):`, its calls with what became of them. */
export function stepHeader(ref: Ref, actions: readonly Action[]): string {
  const tools = [...new Set(actions.map(({ tool }) => toolName(tool)))].slice(0, mostTools).join(', ') || 'result';
  const failed = actions.find(({ ok }) => ok === false);
  const exit = failed?.exitCode === undefined ? '' : ` (exit ${failed.exitCode})`;
  return `${ref} ${tools}${shortTarget(withinRow(flat(actions[0]?.target ?? '')))}${failed ? ` failed${exit}` : ''}:`;
}
