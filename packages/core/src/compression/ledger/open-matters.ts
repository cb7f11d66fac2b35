/** What is open where a conversation ends: requests, what the user was asked, failures, and work that was begun. */

import { stillWrong } from '../../language/outstanding.ts';
import {
  alternatives,
  announcements,
  goOnWords,
  handOvers,
  idleRemarks,
  noWords,
  politeRequests,
  questionEnds,
  questionWords,
} from '../../language/requests.ts';
import { toolKind } from '../outcome.ts';
import type { Ref } from '../result.ts';
import { checkingIn } from './checks.ts';
import { assentChars, choiceIn, isAssent } from './choices.ts';
import type { Action, Ask, ErrorFact, FileFact, LedgerFacts } from './facts.ts';
import { sentenceBreak } from './lines.ts';
import { position } from './names.ts';
import { shareOf, shareOfWords, tellingWords } from './same-words.ts';

/** What nothing has settled. */
export interface OpenMatters {
  /** Requests before the newest one. */
  readonly asks: ReadonlySet<Ref>;
  /** What the assistant asked last, where nobody has answered yet. */
  readonly waiting: Said | undefined;
  readonly failures: readonly ErrorFact[];
  /** What was changed for the newest request, where nothing has ended its turn and no check followed. */
  readonly edits: readonly Edit[];
  /** What the assistant said last, while it is at work. */
  readonly words: readonly Said[];
}

type Said = LedgerFacts['said'][number];

/** Changes of one file. */
export interface Edit {
  readonly path: string;
  readonly first: Ref;
  readonly last: Ref;
  readonly state: FileFact['state'];
  readonly names: readonly string[];
}

type Known = Pick<LedgerFacts, 'asks' | 'actions' | 'errors' | 'files' | 'checks' | 'plan' | 'said' | 'sideEffects'>;

/** Linear in the facts. */
export function openMatters(facts: Known): OpenMatters {
  const { asks, said } = facts;
  const newest = asks.at(-1);
  const asked = newest?.answer === undefined ? undefined : askedBack(newest.answer.text);
  const isWorking = newest === undefined ? said.length > 0 : isUnanswered(newest, facts);
  const isOpen = isWorking || asked !== undefined;
  const from = isOpen ? startOf(facts) : asks.length;
  const closed = position(asks[from - 1]?.answer?.ref ?? 'm0');
  const ended = isWorking ? lastEnd(asks) : Number.POSITIVE_INFINITY;
  const unanswered = pendingCalls(facts.actions);
  return {
    asks: new Set([...(isOpen ? linkedAsks(facts, from) : []), ...unansweredAsks(facts)].map(({ ref }) => ref)),
    waiting:
      unanswered ?? (asked !== undefined && newest?.answer ? { ref: newest.answer.ref, text: asked } : undefined),
    failures: openFailures(facts, isOpen ? closed : Number.POSITIVE_INFINITY),
    edits: editsSince(facts, ended),
    words: isWorking ? (newest?.answer?.text ? [...said, newest.answer] : said) : [],
  };
}

// How a turn ended.

/** Only the end of what was said is looked at. */
const closingChars = 4_000;
const mostBehind = 2;
const point = /^\s*(?:[-*•|]|\d{1,3}[.)]|[A-Ha-h][.)])\s/;

/** Where a question ends in scripts without capitals, and something is said behind it. */
const questionBreak = /(?<=[\u3040-\ud7af][?？])\s+(?=\S)/u;

/** The end of a text, without code. */
const endOf = (text: string): string => text.slice(-closingChars).replace(/```[\s\S]*?(?:```|$)/g, '');

/** The sentences and points at the end of a text. */
const closingOf = (text: string): readonly string[] => sentencesIn(endOf(text));

function sentencesIn(prose: string): readonly string[] {
  const lines = prose
    .split('\n')
    .flatMap((line) => (point.test(line) ? [line] : line.split(sentenceBreak)))
    .flatMap((line) => line.split(questionBreak));
  return lines.map((line) => line.trim()).filter((line) => /[\p{L}\p{N}]/u.test(line));
}

function asksUser(sentence: string): boolean {
  const asks = questionEnds.test(sentence.replace(/\*+$/, '')) || questionWords.test(sentence);
  // Of two things that are offered one may be idle.
  const idle = (asks ? sentence.split(alternatives) : [sentence]).every((clause) => idleRemarks.test(clause));
  return !idle && (asks || handOvers.test(sentence));
}

/** The question, or what leaves it to the user, by which a turn ends, with the points to choose from. */
const askedBack = (text: string): string | undefined => askedAtEnd(closingOf(text), mostBehind) ?? askedBefore(text);

function askedAtEnd(closing: readonly string[], most: number): string | undefined {
  let behind = 0;
  for (let at = closing.length - 1; at >= 0 && behind <= most; at--) {
    const sentence = closing[at] ?? '';
    const points = closing.slice(at + 1).filter((line) => point.test(line));
    if (asksUser(sentence)) return [withContext(closing, at), ...points].join('\n');
    if (!point.test(sentence) && !idleRemarks.test(sentence)) behind++;
  }
  return undefined;
}

/** A line across the page: behind it a document is shown. */
const rule = /^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$/m;
const heading = /^#{1,6}\s/;

/** A question by which the words end that stand before documents. */
function askedBefore(text: string): string | undefined {
  const sections = endOf(text).split(rule).slice(0, -1).map(sentencesIn);
  const asking = sections.findLast((closing) => {
    const last = closing.at(-1) ?? '';
    return asksLine(last) && asksUser(last) && !heading.test(last);
  });
  return asking && askedAtEnd(asking, 0);
}

/** Alone, "Shall I?" says nothing: with what stands before it, as far as there is room. */
const contextChars = 240;

function withContext(closing: readonly string[], at: number): string {
  let shown = closing[at] ?? '';
  for (const sentence of closing.slice(0, at).toReversed()) {
    const gap = /[。！？]$/.test(sentence) ? '' : ' ';
    if (point.test(sentence) || shown.length + sentence.length > contextChars) break;
    shown = sentence + gap + shown;
  }
  return shown;
}

/** True where nothing ended the turn; who has never called anything does what is announced in the next words. */
const isUnanswered = ({ answer }: Ask, { actions }: Known): boolean =>
  !answer?.text || (actions.length > 0 && goesOn(answer.text));

/** True where the last words say what comes next, and nothing came. */
function goesOn(text: string): boolean {
  const last = closingOf(text).at(-1) ?? '';
  return announcements.test(last) && !asksUser(last) && !idleRemarks.test(last);
}

/** The number of the message that ended a turn last, and left nothing to come. */
export function lastEnd(asks: readonly Ask[]): number {
  const ended = asks.filter(({ answer }, at) => answer?.text && (at < asks.length - 1 || !goesOn(answer.text)));
  return position(ended.at(-1)?.answer?.ref ?? 'm0');
}

/** A question that was put by a tool, and whose answer never came. */
function pendingCalls(actions: readonly Action[]): Said | undefined {
  const last = actions.at(-1);
  return last !== undefined && isAsking(last) && last.ok === undefined && last.target !== ''
    ? { ref: last.ref, text: last.target }
    : undefined;
}

/** Calls of tools that put a question to the user. */
const isAsking = ({ tool }: Action): boolean => toolKind({ name: tool }) === 'ask';

// Requests.

/** Index of the request that the newest one goes on with, through questions, answers and "go on". */
function startOf({ asks, actions }: Known): number {
  let from = asks.length - 1;
  while (from > 0 && isLinked(asks, from, actions)) from--;
  return Math.max(0, from);
}

/** True where a request only answers what the turn before asked back, or lets it go on. */
function isLinked(asks: readonly Ask[], at: number, actions: readonly Action[]): boolean {
  const [before, ask] = [asks[at - 1], asks[at]];
  if (!before || !ask) return false;
  if (!before.answer?.text) return goOnWords.test(ask.text) && ask.text.length <= assentChars;
  if (saysStillWrong(ask, before)) return true;
  const asked = askedBack(before.answer.text);
  if (isAssent(ask.text)) return asked !== undefined || goOnWords.test(ask.text);
  if (asked !== undefined && ask.text.length <= 2 * assentChars && choiceIn(opening(ask.text)) !== undefined)
    return true;
  if (asked === undefined || noWords.test(ask.text)) return false;
  const done = actions.filter(({ ref }) => position(ref) > position(before.ref) && position(ref) < position(ask.ref));
  // What was settled by questions of a tool is talked over.
  if (done.some((action) => isChange(action) || (isAsking(action) && action.ok === true))) return false;
  if (done.length > 0 && isLeft(before)) return true;
  // In a conversation without calls, an answer is what was asked for, unless it is little more than a question.
  if (done.length === 0 && asked.length < before.answer.text.length * mostlyAsking) return false;
  return ask.type === 'question' || shareOfWords(ask.text, before.answer.text.slice(-closingChars)) >= answeringShare;
}

/** True where a person says that it has not come about: in few words, or in words of what was asked and answered. */
function saysStillWrong({ text }: Ask, before: Ask): boolean {
  if (text.length > 2 * assentChars || !stillWrong.test(text)) return false;
  return (
    text.length <= assentChars / 2 || shareOfWords(text, `${before.text}\n${before.answer?.text}`) >= answeringShare
  );
}

/** True where a turn ended in nothing but something for the user to do: it has settled nothing. */
function isLeft({ answer }: Ask): boolean {
  const said = answer?.text ?? '';
  const asked = askedBack(said);
  return asked !== undefined && asked.length >= said.length * onlyAsking && !asksBack(said);
}

/** True where a question ends what was said: who goes on with something else declines what it offers. */
const asksBack = (text: string): boolean => closingOf(text).some((sentence) => asksLine(sentence));
const asksLine = (sentence: string): boolean => questionEnds.test(sentence) || questionWords.test(sentence);
const onlyAsking = 0.7;

/** An answer opens with what it chooses. */
const opening = (text: string): string => text.slice(0, assentChars / 2);

const mostlyAsking = 0.4;
/** With this share of its words from what was said before it, a request is an answer. */
const answeringShare = 0.15;

const isChange = ({ type, ok }: Action): boolean =>
  ok !== false && (type === 'create' || type === 'change' || type === 'delete');

/** A question that wants to know something; "could you …?" is none. */
const isQuestion = ({ type, text }: Ask): boolean => type === 'question' && !politeRequests.test(text);

/** The request that the newest one goes on with; those between only answer. What was only asked was answered. */
const linkedAsks = ({ asks }: Known, from: number): readonly Ask[] =>
  asks.slice(from, -1).filter((ask, at) => at === 0 && (!isQuestion(ask) || isLeft(ask)) && !isAssent(ask.text));

/** A command that records work as done. */
export const isCommit: RegExp = /\bgit\b.{0,40}\bcommit\b/;

/** A stop says no more than this. */
const stopChars = 24;

/** Requests that nobody answered since a turn ended, unless they were put otherwise, taken back, talked over or committed. */
function unansweredAsks({ asks, actions, sideEffects }: Known): readonly Ask[] {
  const commits = sideEffects
    .filter(({ target, ok }) => ok !== false && isCommit.test(target))
    .map(({ ref }) => position(ref));
  const answered = actions.findLast((action) => isAsking(action) && action.ok === true);
  const since = Math.max(lastEnd(asks), position(answered?.ref ?? 'm0'));
  const words = new Map<Ask, ReadonlySet<string>>();
  const wordsOf = (ask: Ask): ReadonlySet<string> => {
    const known = words.get(ask) ?? tellingWords(ask.text);
    words.set(ask, known);
    return known;
  };
  return asks.slice(0, -1).filter((ask, at) => {
    if (ask.answer || ask.text === '' || position(ask.ref) <= since) return false;
    if (ask.type === 'reversal' || isAssent(ask.text)) return false;
    const later = asks.slice(at + 1);
    const next = later.find(({ text }) => !isAssent(text));
    // Who interrupts either corrects what was asked, or wants something else.
    if (ask.isStopped && next?.type !== 'reversal' && next?.type !== 'constraint') return false;
    if (next && commits.some((one) => one > position(ask.ref) && one < position(next.ref))) return false;
    const isStopped = later.some(({ type, text }) => type === 'reversal' && text.length <= stopChars);
    if (isStopped) return false;
    return !later.slice(0, soonAfter).some((other) => shareOf(wordsOf(ask), wordsOf(other)) >= sameShare);
  });
}

/** A request is put otherwise among so many that follow; where hundreds do, each need not be held against all. */
const soonAfter = 200;

/** With this share of its words said again, a request is put otherwise. */
const sameShare = 0.5;

// Failures and work that was begun.

/** After so many calls that worked, the agent has gone another way. */
const goneOn = 2;

/** Failures that nothing mended since a message, and that nothing went past. */
function openFailures({ asks, errors, actions, said }: Known, since: number): readonly ErrorFact[] {
  const worked = actions.filter(({ ok }) => ok === true);
  const from = Math.max(since, position(worked.at(-goneOn)?.ref ?? 'm0'));
  const ask = asks.at(-1);
  const newest = Math.max(...[ask, ask?.answer, said.at(-1), actions.at(-1)].map((one) => position(one?.ref ?? 'm0')));
  return errors.filter(({ ref, tool, target, isRefused, fixed }) => {
    // Beside a failure of the last step others may have worked: nobody has seen it yet.
    const isLast = ref === actions.at(-1)?.ref && position(ref) > since;
    if (fixed || (position(ref) <= from && !isLast)) return false;
    // What the user refused is settled as soon as anybody goes on; how checks ended, the newest run of each tells.
    if (isRefused ? position(ref) < newest : checkingIn(target)) return false;
    const own = actions.find((action) => action.ref === ref && action.tool === tool && action.target === target);
    return !worked.slice(-goneOn).some((later) => position(later.ref) > position(ref) && isAlike(later, own));
  });
}

/** Another try of the same kind; of a command, one of the same program. Whatever only looked is done with. */
const isAlike = (later: Action, failed: Action | undefined): boolean =>
  failed === undefined || onlyLooks(failed)
    ? true
    : later.type === failed.type && (later.type !== 'run' || programOf(later.target) === programOf(failed.target));

/** True for a call that changes nothing and tries nothing. */
export const onlyLooks = ({ type, target }: Pick<Action, 'type' | 'target'>): boolean =>
  looking.has(type) || (type === 'run' && isShowing.test(target));

const looking: ReadonlySet<Action['type']> = new Set(['read', 'search', 'fetch']);
/** Commands that only look at things. */
export const isShowing: RegExp =
  /^(?:ls|cat|head|tail|less|grep|rg|find|fd|which|type|stat|file|wc|sed -n|echo|pwd|git (?:status|log|diff|show|branch|remote|ls-\S+|rev-parse))\b/;
const programOf = (command: string): string => command.split(/\s/, 1)[0] ?? '';

const mostNames = 6;
/** Where nothing is meant to stay. */
const passing = /^(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\//;

/** Files that were changed since a message, with no check behind the last change; the newest last. */
function editsSince({ files, actions, checks, plan }: Known, since: number): readonly Edit[] {
  const checkedAt = Math.max(0, ...checks.map(({ ref }) => position(ref)));
  // Where nothing is ever checked, what the plan has left behind is done.
  const isPlanned = checks.length === 0 && plan?.entries.some(({ state }) => state === 'active');
  const from = Math.max(since, checkedAt, isPlanned ? position(plan?.ref ?? 'm0') : 0);
  const changed = files.filter(
    ({ path, state, ref }) => state !== 'read' && position(ref) > from && !passing.test(path),
  );
  if (changed.length === 0) return [];
  const done = Map.groupBy(
    actions.filter((action) => isChange(action) && position(action.ref) > since),
    ({ target }) => target,
  );
  const edits = changed.map(({ path, state, ref, since: earliest = ref }): Edit => {
    const own = done.get(path) ?? [];
    const each = Math.max(1, Math.floor(mostNames / Math.max(1, own.length)));
    const names = [...new Set(own.flatMap(({ names = [] }) => names.slice(0, each)))].slice(-mostNames);
    return { path, state, first: own[0]?.ref ?? earliest, last: ref, names };
  });
  return edits.sort((a, b) => position(a.last) - position(b.last));
}
