/** Writes the body of a handoff: facts under their headings, then the lines that are worth most per token. */
import type { Message } from '../../transcript/message.ts';
import type { HandoffLine, LeftOutLine, Ref } from '../result.ts';
import { type Beside, besideOf, besiding, leftOutOf, restOf, withoutToldFiles } from './beside.ts';
import { type BodyInput, type Draft, indexOf, render } from './body.ts';
import { Chooser, type Place } from './chooser.ts';
import type { Corpus, LineStats, TermStats } from './corpus.ts';
import { type EarlierFact, earlierLines } from './earlier.ts';
import type { LedgerFacts } from './facts.ts';
import { holderOf } from './holds.ts';
import { leadsTo } from './list-leads.ts';
import { type NamePick, nameRowsFor } from './name-index.ts';
import { type OutlineLine, position } from './names.ts';
import { bareText, toldOnce } from './once.ts';
import { closingsOf, outcomeLines } from './outcomes.ts';
import { mostShare, outlineOf, roomIn } from './outline.ts';
import { placeFor, wordsOf } from './places.ts';
import { goesOn } from './relevance.ts';
import type { SectionContent } from './templates.ts';
import type { ToldLine } from './told.ts';

/** What a handoff is composed from. */
export interface ComposeInput extends BodyInput {
  readonly corpus: Corpus;
  readonly facts: LedgerFacts;
  /** What summaries tell with which the list began. */
  readonly earlier: readonly EarlierFact[];
  /** True for a message that is not here: of its lines, a handoff of ours that the list began with tells some. */
  readonly isInherited: (message: number) => boolean;
  /** The handoff stands for the messages from `from` to before `to`; those after it are shown in full. */
  readonly from: number;
  readonly to: number;
  /** Messages before `from` that stay in the context (the head), so that their lines need no place. */
  readonly shownBefore: number;
  /** Messages that are shown shortened, and what is shown of them. */
  readonly partly: ReadonlyMap<number, Message>;
  /** Messages of the range that are said again after the handoff. */
  readonly restated: ReadonlySet<number>;
  readonly budget: number;
  /** Tokens of all that the model will see. */
  readonly context: number;
  /** Share of the handoff for the index of names, where the caller says so. */
  readonly nameShare: number | undefined;
  /** True for the story alone: what facts give, and how each request ended. */
  readonly isSpine: boolean;
  /** True for lines of the topic that a person named. */
  readonly focus: ((line: LineStats) => boolean) | undefined;
  readonly count: (text: string) => number;
  readonly stepOf: (message: number) => number;
}

export interface ComposedHandoff {
  readonly body: string;
  readonly tokens: number;
  readonly lines: readonly HandoffLine[];
  /** Lines of the summary that are not in it; absent without one. */
  readonly leftOut?: readonly LeftOutLine[];
}

/** What a handoff is filled by; measured like `choosing`. */
export const composing = {
  /** Worth of a line beside its terms, in chances of being needed: a reason given, a failure, an odd line out. */
  decisionBonus: [0, 0.1, 0.3, 1.1],
  errorBonus: [0, 0.15, 0.8],
  oddBonus: 0.8,
  /** Worth of a sentence of the agent or the user with a name that is said nowhere else. */
  factBonus: 0.7,
  /** Share for the index of names: of all that the model will see, and at most of the handoff. */
  nameShare: { ofContext: 0.06, ofHandoff: 0.075 },
  /** Names share rows and stand in each other: so much more are looked at than there seems to be room for. */
  nameExcess: 1.5,
  /** Share of the tokens that tell how each request ended, where nothing else is told. */
  outcomeShare: 0.2,
  spineShare: 0.5,
  /** Share of the tokens of a roomy handoff for what leads to its lists. */
  leadShare: 0.02,
  /** Share of the tokens that the focus gets before everything else competes, and what its lines count more till then. */
  focusShare: 0.65,
  focusFactor: 1_000,
  /** Without a topic, this many of the newest requests are the focus: their terms count more. */
  focusMessages: 3,
  /** Below this size a handoff has less room for odd facts: the worth of what is not a name shrinks with it. */
  smallestRoom: 0.15,
  /** Share of the tokens for lines of a handoff of ours that the list began with, in a small one, in a roomy one, and what they count more till then. */
  inheritedShare: { small: 0.08, roomy: 0.2 },
  inheritedFactor: 8,
} as const;

/** A handoff while it is being filled, and the tokens that are left to those who choose first. */
interface Filling {
  readonly input: ComposeInput;
  readonly draft: Draft;
  readonly chooser: Chooser;
  readonly beside: Beside | undefined;
  readonly left: { focus: number; told: number; inherited: number };
  /** What the lines that were taken say, without their marks. */
  readonly said: Set<string>;
}

export function compose(input: ComposeInput): ComposedHandoff {
  const { from, to, restated, budget, summary, count, corpus } = input;
  const told = summary === undefined ? 0 : count(summary);
  const isWhole = told > 0 && told <= budget * besiding.wholeShare;
  const covers = (ref: Ref): boolean => {
    const at = position(ref) - 1;
    return at >= from && at < to && !restated.has(at);
  };
  const forFacts = isWhole ? Math.min(budget, besideWhole(budget, told)) : budget;
  const facts = outlineOf({
    facts: input.facts,
    covers,
    purposeOf: (ref) => purposeOf(corpus, position(ref) - 1),
    budget: forFacts,
    count,
    hasTopic: input.focus !== undefined,
    isBeside: isWhole,
  });
  const earlier = earlierLines({ facts: input.earlier, covers, budget: forFacts, count, room: roomIn(forFacts) });
  const outline = [...facts, ...earlier];
  const beside = summary === undefined ? undefined : besideOf(summary, { corpus, outline, isWhole });
  const draft: Draft = {
    outline,
    lines: [],
    names: new Map(),
    told: [],
    isWhole,
    closings: closingsOf(input, outline),
  };
  const left = {
    focus: input.focus ? budget * composing.focusShare : 0,
    told: beside ? budget * besiding.chosenShare : 0,
    inherited: budget * shareIn(composing.inheritedShare, budget),
  };
  const chooser = chooserFor(input, beside, left);
  const filling: Filling = { input, draft, chooser, beside, left, said: new Set() };
  if (beside?.isWhole) chooser.show(beside.lines.map(({ line }) => line));
  takeOutcomes(filling);
  draft.outline = toldOnce(
    outline,
    draft.lines.map(({ line }) => line),
  );
  showWhatIsShown(input, chooser, draft.outline);
  return shrinkToFit(input, input.isSpine ? draft : fill(filling), beside);
}

/** Budget for the lines of facts beside a whole summary, so that they and their headings fit what it leaves. */
function besideWhole(budget: number, told: number): number {
  const left = Math.max(0, budget - told - besiding.headingTokens);
  return left / mostShare(left, budget);
}

const shareIn = ({ small, roomy }: { readonly small: number; readonly roomy: number }, budget: number): number =>
  small + (roomy - small) * roomIn(budget);

/** What a model tells better than any line of the record: what is wanted, and what goes on. */
const telling: ReadonlySet<ToldLine['about']> = new Set([...goesOn, 'goal', 'constraints']);

function chooserFor(input: ComposeInput, beside: Beside | undefined, left: Filling['left']): Chooser {
  const { corpus, from, to, budget, facts, stepOf, count, headerOf, focus } = input;
  const { focusFactor, inheritedFactor } = composing;
  const isDue = (line: LineStats): boolean => left.inherited > 0 && input.isInherited(line.lastMessage);
  const room = Math.max(composing.smallestRoom, roomIn(budget));
  // The newest that say something: what is attached has no terms.
  const asks = facts.asks.filter(({ text }) => text !== '').slice(-composing.focusMessages);
  return new Chooser({
    corpus,
    from,
    to,
    partly: new Set(input.partly.keys()),
    placeOf: placeFor(stepOf),
    linesIn: (place) => linesIn(input, place),
    count,
    nameRowOf: nameRowsFor(input),
    nameOf: input.nameOf,
    recentAsks: asks.map(({ ref }) => position(ref) - 1),
    headerTokens: (place) => count(headerOf(place).text) + 1,
    bonus: (line) => room * bonusOf(line),
    focus: (line) => (left.focus > 0 && focus?.(line) ? focusFactor : isDue(line) ? inheritedFactor : 1),
    told: beside && {
      // Code that is not there as a whole says little: what is worth having of it stands in the record.
      lines: beside.isWhole ? [] : beside.lines.filter(({ type }) => type === 'text'),
      bonus: ({ about, line }) => (telling.has(about) || focus?.(line) ? besiding.tellingBonus : 0),
      factor: () => (left.told > 0 ? besiding.factor.first : besiding.factor.later),
      storyWorth: besiding.storyWorth,
      isTold: beside.isTold,
    },
  });
}

const purposeChars = 200;

/** What the assistant said last before the calls of a message. */
function purposeOf({ messageLines }: Corpus, message: number): string | undefined {
  const said = (at: number): LineStats | undefined =>
    messageLines[at]?.findLast(({ speaker }) => speaker === 'assistant');
  const line = said(message) ?? said(message - 1);
  return line && line.text.length <= purposeChars && line.words > 1 ? line.text : undefined;
}

const sentenceEnd = /(?<=[.!?])\s|(?<=[。！？])/u;

/** Rows of these quote what calls printed. */
const printing: ReadonlySet<SectionContent> = new Set(['blocked', 'progress', 'checks']);

/** What the context shows beside the handoff, and what the outline quotes. */
function showWhatIsShown(input: ComposeInput, chooser: Chooser, outline: readonly OutlineLine[]): void {
  const { messageLines } = input.corpus;
  const linesAt = (message: number): readonly LineStats[] => messageLines[message] ?? [];
  for (const shortened of input.partly.values()) chooser.show(input.corpus.linesOf(shortened));
  for (let message = input.to; message < messageLines.length; message++)
    if (!input.partly.has(message)) chooser.show(linesAt(message));
  for (let message = 0; message < input.shownBefore; message++) chooser.show(linesAt(message));
  for (const message of input.restated) chooser.show(linesAt(message));
  for (const { ref, content, text } of outline) {
    const [row, at] = [bareText(text), position(ref) - 1];
    // What the assistant said of a file may stand in the message before the call, what failed in a result behind it.
    const lines = content === 'files' ? [...linesAt(at), ...linesAt(at - 1)] : [...linesAt(at)];
    for (let next = at + 1; printing.has(content) && next < messageLines.length && input.stepOf(next) === at; next++)
      lines.push(...linesAt(next));
    chooser.show(lines.filter((line) => row.includes(bareText(line.text))));
  }
  // A message may stand in two rows, its rules apart: a line is shown where all its sentences are.
  for (const [ref, rows] of Map.groupBy(outline, ({ ref }) => ref)) {
    const isShown = (said: string): boolean => rows.some(({ text }) => text.includes(said.trim()));
    const isToldApart = (text: string): boolean => sentenceEnd.test(text) && text.split(sentenceEnd).every(isShown);
    chooser.show(linesAt(position(ref) - 1).filter(({ text }) => isShown(text) || isToldApart(text)));
  }
}

/** The lines of the range that may stand in a place. */
function linesIn({ corpus, to, partly, stepOf }: ComposeInput, place: Place): readonly LineStats[] {
  const isOf = placeFor(stepOf);
  const { message, isWords } = wordsOf(place);
  const lines: LineStats[] = [];
  for (
    let at = message;
    at < corpus.messageLines.length && (at === message || (!isWords && stepOf(at) === message));
    at++
  ) {
    if (at >= to && !partly.has(at)) continue;
    lines.push(...(corpus.messageLines[at] ?? []).filter((line) => line.lastMessage === at && isOf(line) === place));
  }
  return lines;
}

/** How each request ended, the newest first: in words of the record, or in those of a summary where they are no longer. */
function takeOutcomes({ input, draft, chooser, beside, said }: Filling): void {
  const { count, budget } = input;
  const share = budget * (input.isSpine ? composing.spineShare : composing.outcomeShare);
  // What is under way stands for the outcome of the newest request.
  const underWay = draft.outline.filter(({ content }) => content === 'progress');
  const spent = underWay.reduce((sum, { text }) => sum + count(text), 0);
  // What stands there in any case leaves no more, and names have their share.
  const names = input.isSpine || beside?.isWhole ? 0 : Math.floor(nameTokens(input));
  let left = Math.min(share, budget - names - count(render(input, draft).body)) - spent;
  const newest = [...draft.closings.keys()].at(-1);
  const waiting = draft.outline.filter(({ content }) => content === 'waiting').map(({ text }) => bareText(text));
  for (const [message, ref] of [...draft.closings].reverse()) {
    for (const line of outcomeLines(input, { message, ref, isAsked: message === newest && waiting.length === 0 })) {
      const tokens = count(line.text) + 3;
      if (waiting.some((text) => text.includes(bareText(line.text)))) continue;
      if (tokens > left || beside?.isTold(line) || isSaid(said, line)) continue;
      left -= tokens;
      const twin = beside?.isWhole ? undefined : beside?.twinOf(line);
      if (twin && count(twin.line.text) <= tokens) draft.told.push(...chooser.takeTold(twin));
      else {
        draft.lines.push({ line, place: placeFor(input.stepOf)(line) });
        chooser.take([line]);
      }
      beside?.tell(twin ? [line, twin.line] : [line]);
    }
  }
}

function bonusOf({ voice, strength, oddIn, lastMessage, isProse, terms }: LineStats): number {
  const { decisionBonus, errorBonus, factBonus, oddBonus } = composing;
  if (voice === 'call') return 0;
  if (voice === 'result') return (errorBonus[strength] ?? 0) + (oddIn === lastMessage ? oddBonus : 0);
  // A sentence with a name that nobody else ever said: nothing but this line can bring it back.
  return Math.max(decisionBonus[strength] ?? 0, isProse && terms.some(isSaidOnce) ? factBonus : 0);
}

const isSaidOnce = ({ kind, call, result, user, agent }: TermStats): boolean =>
  kind !== 'line' && kind !== 'errorLine' && kind !== 'hyphenated' && call + result + user + agent === 1;

/** Fills the draft; returns it without what the lines that were chosen make needless. */
function fill(filling: Filling): Draft {
  const { input, beside, draft } = filling;
  const { budget, count } = input;
  const reserved = Math.floor(beside ? budget * besiding.nameShare : nameTokens(input));
  const forLeads = Math.floor(budget * composing.leadShare * roomIn(budget));
  const lines = takeLines(filling, budget - count(render(input, draft).body) - reserved - forLeads);
  takeLines(filling, lines + takeNames(filling, reserved) + takeLeads(filling, forLeads));
  const filled = beside
    ? { ...draft, outline: withoutToldFiles(draft.outline, beside.isWhole ? beside.lines : draft.told) }
    : draft;
  // Texts join with fewer tokens than they have apart: use what that leaves.
  for (let round = 0; round < 3; round++) {
    const unused = budget - count(render(input, filled).body);
    if (unused < Math.max(24, budget * 0.005) || takeLines(filling, unused) === unused) break;
  }
  if (beside && !beside.isWhole) {
    const tokens = budget - count(render(input, filled).body);
    filled.told.push(...restOf(beside, { tokens, count, taken: filled.told }));
  }
  return filled;
}

/** True for what a line that was taken says in other marks; else it is said from now on. */
function isSaid(said: Set<string>, { text, speaker }: LineStats): boolean {
  if (speaker !== 'assistant') return false;
  const bare = bareText(text);
  const isKnown = said.has(bare);
  said.add(bare);
  return isKnown;
}

/** Tokens for the index of names. */
function nameTokens({ budget, context, nameShare }: ComposeInput): number {
  const { ofContext, ofHandoff } = composing.nameShare;
  return nameShare === undefined ? Math.min(context * ofContext, budget * ofHandoff) : budget * nameShare;
}

/** Takes lines while they fit; returns the tokens that are left. */
function takeLines({ input, chooser, draft, beside, left, said }: Filling, tokens: number): number {
  let unused = tokens;
  for (let pick = chooser.next(unused); pick; pick = chooser.next(unused)) {
    if (pick.type === 'said' && isSaid(said, pick.line)) continue;
    unused -= pick.tokens;
    if (left.focus > 0 && input.focus?.(pick.line)) left.focus -= pick.tokens;
    else if (input.isInherited(pick.line.lastMessage)) left.inherited -= pick.tokens;
    if (pick.type === 'told') {
      left.told -= pick.tokens;
      draft.told.push(...pick.lines);
      beside?.tell(pick.lines.map(({ line }) => line));
    } else {
      draft.lines.push(pick);
      beside?.tell([pick.line]);
    }
  }
  return unused;
}

/** Takes what leads to chosen points, in a handoff with room for it: the newest first; returns the tokens that are left. */
function takeLeads({ input, chooser, draft }: Filling, tokens: number): number {
  const { corpus, count, stepOf } = input;
  let unused = tokens;
  for (const line of leadsTo(new Set(draft.lines.map(({ line }) => line)), corpus)) {
    const needed = count(line.text) + 1;
    if (needed > unused) continue;
    unused -= needed;
    draft.lines.push({ line, place: placeFor(stepOf)(line) });
    chooser.take([line]);
  }
  return unused;
}

/** Takes names while they fit; returns the tokens that are left. */
function takeNames({ input, chooser, draft }: Filling, tokens: number): number {
  const taken: NamePick[] = [];
  let unused = Math.max(0, tokens) * composing.nameExcess;
  const isTold = holderOf(render(input, draft).body);
  for (let name = chooser.nextName(unused, isTold); name; name = chooser.nextName(unused, isTold)) {
    unused -= name.tokens;
    taken.push(name);
    draft.names.set(name.row, [...(draft.names.get(name.row) ?? []), name.term]);
  }
  const used = (): number => (taken.length > 0 ? input.count(indexOf(input, draft)) : 0);
  let index = used();
  while (index > tokens) {
    // What opens the rows and the heading are paid for as well.
    for (let over = index - tokens; over > 0; ) {
      const name = taken.pop();
      if (!name) break;
      over -= name.tokens;
      draft.names.set(name.row, draft.names.get(name.row)?.slice(0, -1) ?? []);
    }
    index = used();
  }
  return tokens - index;
}

/** Estimates of joined texts can be off by a few tokens: what was taken last goes until the body fits. */
function shrinkToFit(input: ComposeInput, draft: Draft, beside: Beside | undefined): ComposedHandoff {
  const { lines, names, told } = draft;
  for (;;) {
    const written = render(input, draft);
    const tokens = input.count(written.body);
    const isEmpty = lines.length === 0 && names.size === 0 && told.length === 0;
    if (tokens <= input.budget || isEmpty) {
      const leftOut = beside && { leftOut: leftOutOf(beside, told) };
      return { body: written.body, tokens, lines: written.lines, ...leftOut };
    }
    let over = tokens - input.budget;
    while (over > 0 && lines.length > 0) over -= input.count(lines.pop()?.line.text ?? '') + 1;
    if (lines.length > 0) continue;
    if (names.size > 0) names.clear();
    else told.pop();
  }
}
