/** The part of a handoff that facts fill: requests word for word, failures, files, side effects, the plan. */
import { lineBelow, quotedBelow, speakerRow } from '../handoff-rows.ts';
import type { Ref } from '../result.ts';
import type { Action, FileFact, LedgerFacts } from './facts.ts';
import { clip, flat, inOrder, leastLine, type OutlineLine, position, toolName, withinRow } from './names.ts';
import { directiveWords, quoted, wordsOf } from './quotes.ts';

export interface OutlineInput {
  readonly facts: LedgerFacts;
  /** True for messages that the handoff stands for; the others are shown in full. */
  readonly covers: (ref: Ref) => boolean;
  /** What the assistant said right before its calls in a message: what they were for. */
  readonly purposeOf?: (ref: Ref) => string | undefined;
  /** Tokens the whole handoff may take. */
  readonly budget: number;
  readonly count: (text: string) => number;
}

/** Shares of the handoff that each kind of fact may take at most. */
const shares = {
  asks: 0.25,
  /** More of those that matter in the smallest handoff: the first request, the newest, and rules. */
  smallAsks: 0.25,
  turns: 0.03,
  blocked: 0.04,
  state: 0.04,
  plan: 0.05,
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
  const { asks, blocked, state, plan, files, smallAsks, turns, decisions } = shares;
  const roomy = turns + decisions + shares.roomyAsks + shares.roomyState + shares.roomyBlocked + shares.talkAsks;
  return asks + blocked + state + plan + files + smallAsks * smallness(tokens) + roomy * roomIn(budget);
}

const answerChars = 160;
const failureChars = 160;
const decisionChars = 200;
const effectChars = 60;

/** The lines that facts give, in the order of the sections. Each kind keeps to its share of the budget. */
export function outlineOf(input: OutlineInput): readonly OutlineLine[] {
  const room = roomIn(input.budget);
  const take = (share: number, lines: readonly OutlineLine[]): readonly OutlineLine[] => within(share, lines, input);
  return [
    ...story(input),
    // What was decided early still holds, what was decided last counts: each compression so keeps the decisions of the
    // ones before.
    ...inOrder(take(shares.decisions * room, fromBothEnds(decisionLines(input)))),
    ...inOrder(take(shares.blocked + shares.roomyBlocked * room, wanted(failureLines(input), room))),
    ...inOrder(take(shares.state + shares.roomyState * room, wanted(stateLines(input), room))),
    ...take(shares.plan, planLines(input)),
    ...take(shares.files, fileLines(input)),
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
function story(input: OutlineInput): readonly OutlineLine[] {
  const share = shares.turns * roomIn(input.budget);
  const turns = turnLines(input.facts, input.covers).map((line): OutlineLine => ({ content: 'actions', ...line }));
  const lines = [...askLines(input), ...within(share, turns.toReversed(), input)];
  // What was done stands below the request and above the words that ended it.
  return inOrder(lines.sort((a, b) => depth(a) - depth(b)));
}

const depth = ({ text }: OutlineLine): number => (text.startsWith(' →') ? 2 : text.startsWith(' m') ? 1 : 0);

/** Rules first, then the newest: what was said last counts, what was laid down early still holds. */
function askLines(input: OutlineInput): readonly OutlineLine[] {
  const { facts, covers } = input;
  const asks = facts.asks.filter(({ ref, text }) => text !== '' && covers(ref));
  const said = quotes(asks, input);
  const newest = facts.asks.at(-1);
  if (!newest || covers(newest.ref)) return said;
  return [{ content: 'task', ref: newest.ref, text: `${newest.ref} user: word for word below` }, ...said];
}

function quotes(asks: LedgerFacts['asks'], input: OutlineInput): readonly OutlineLine[] {
  const telling = { ...input, closedAt: closedAt(input.facts) };
  const { facts, covers, budget, count } = input;
  const room = roomIn(budget);
  const talk = facts.actions.length === 0 ? shares.talkAsks : 0;
  const laidDown = facts.directives.filter(({ ref }) => covers(ref)).map(directiveWords);
  const order = wanted([...asks.flatMap((ask) => wordsOf(ask, telling)), ...laidDown], room).toSorted(
    (a, b) => a.rank - b.rank,
  );
  const forRules = shares.smallAsks * smallness(budget);
  return quoted(order, { budget, count, forRules, share: shares.asks + (shares.roomyAsks + talk) * room });
}

const decisionLines = ({ facts, covers }: OutlineInput): readonly OutlineLine[] =>
  facts.decisions
    .filter(({ ref }) => covers(ref))
    .map(({ ref, by, text }) => {
      const who = by === 'user' ? 'person' : 'assistant';
      return { content: 'decisions', ref, text: speakerRow(ref, who, clip(text, decisionChars)) };
    });

/** Where the assistant ended a turn last: what failed or stayed open before was dealt with there, or given up. */
export const closedAt = ({ asks }: Pick<LedgerFacts, 'asks'>): number =>
  Math.max(0, ...asks.map(({ answer }) => (answer?.text ? position(answer.ref) : 0)));

/** Failures that nothing fixed since the last turn ended; of the same ones the newest. */
function failureLines({ facts, covers }: OutlineInput): readonly OutlineLine[] {
  const since = closedAt(facts);
  const open = facts.errors.filter(({ fixed, ref }) => !fixed && covers(ref) && position(ref) > since);
  const newest = new Map(open.map((error) => [`${error.tool} ${error.line}`, error]));
  return open
    .filter((error) => newest.get(`${error.tool} ${error.line}`) === error)
    .map(({ ref, tool, target, line }) => {
      const below = line ? `:${quotedBelow(clip(line, failureChars))}` : '';
      return { content: 'blocked', ref, text: `${ref} ${toolName(tool)} ${withinRow(target, 60)} failed${below}` };
    });
}

/** Effects outside; of the same one the newest. */
function stateLines({ facts, covers }: OutlineInput): readonly OutlineLine[] {
  const known = facts.sideEffects.filter(({ ref }) => covers(ref));
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

function planLines({ facts: { plan }, covers }: OutlineInput): readonly OutlineLine[] {
  if (!plan || !covers(plan.ref)) return [];
  const { ref } = plan;
  return plan.entries
    .filter(({ state }) => state !== 'done')
    .map(({ text, state }) => {
      const content = state === 'active' ? 'progress' : 'remaining';
      return { content, ref, text: `${ref} assistant's plan: ${withinRow(text, answerChars)}` };
    });
}

function fileLines({ facts, covers, purposeOf }: OutlineInput): readonly OutlineLine[] {
  const worked = facts.files.filter(({ state, ref }) => state !== 'read' && covers(ref));
  const told = new Set<string>();
  return worked
    .sort((a, b) => weight(b) - weight(a))
    .map(({ path, state, ref }) => {
      const row = `${ref} ${state} ${withinRow(flat(shortPath(path)))}`;
      const purpose = purposeOf?.(ref);
      if (purpose === undefined || told.has(purpose)) return { content: 'files', ref, text: row };
      told.add(purpose);
      return {
        content: 'files',
        ref,
        text: `${row}:\n${lineBelow({ ref, speaker: 'assistant', text: purpose }, 'noted')}`,
      };
    });
}

/** The last two segments of a path: the folder tells files of one name apart. */
const shortPath = (path: string): string => path.split(/[\\/]/).filter(Boolean).slice(-2).join('/');

/** Files that were worked on most and last come first. */
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

/** Index of the last number that is not above `value`, in an ascending list; -1 when all are above. */
function lastNotAbove(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
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

/** Enough of a target to tell steps apart; its whole text is a line like any other. */
const targetChars = 24;
const isPath = /^[\w./~@-]*\/[\w.@-]+$/;

/** The name of the file that a target is, for the index of names; empty for commands and queries. */
export const fileLabel = (target: string): string =>
  isPath.test(target) ? ` ${target.slice(target.lastIndexOf('/') + 1)}` : '';

function shortTarget(target: string): string {
  const text = isPath.test(target) ? target.slice(target.lastIndexOf('/') + 1) : target;
  if (text.length <= targetChars) return text && ` ${text}`;
  const space = text.lastIndexOf(' ', targetChars);
  return ` ${text.slice(0, space > targetChars / 3 ? space : targetChars)}…`;
}
