/** Writes the body of a handoff: facts under their headings, then the lines that are worth most per token. */
import type { Message } from '../../transcript/message.ts';
import type { HandoffLine } from '../result.ts';
import { type BodyInput, type Draft, render } from './body.ts';
import { Chooser } from './chooser.ts';
import type { Corpus, LineStats, TermStats } from './corpus.ts';
import type { LedgerFacts } from './facts.ts';
import { outlineOf, roomIn } from './outline.ts';
import { type OutlineLine, position } from './outline-line.ts';
import { goesOn, votesOf } from './summary-votes.ts';
import { type ToldLine, toldLines } from './told.ts';

/** What a handoff is composed from. */
export interface ComposeInput extends BodyInput {
  readonly corpus: Corpus;
  readonly facts: LedgerFacts;
  /** The handoff stands for the messages from `from` to before `to`; those after it are shown in full. */
  readonly from: number;
  readonly to: number;
  /** Messages before `from` that stay in the context (the head), so that their lines need no place. */
  readonly shownBefore: number;
  /** Messages after the range that are shown shortened, and what is shown of them. */
  readonly partly: ReadonlyMap<number, Message>;
  /** Messages of the range that are said again after the handoff. */
  readonly restated: ReadonlySet<number>;
  readonly budget: number;
  readonly focus: (line: LineStats) => boolean;
  /** Share of the budget that the focus gets first; 0 without one. */
  readonly focusShare: number;
  /** Newest requests whose terms count more. */
  readonly focusMessages: number;
  readonly count: (text: string) => number;
  readonly stepOf: (message: number) => number;
}

export interface ComposedHandoff {
  readonly body: string;
  readonly tokens: number;
  readonly lines: readonly HandoffLine[];
}

/** What a handoff is filled by; measured like `choosing`. */
export const composing = {
  /** Worth of a line beside its terms, in chances of being needed: a reason given, a failure, an odd line out. */
  decisionBonus: [0, 0.1, 0.3, 1.1],
  errorBonus: [0, 0.15, 0.8],
  oddBonus: 1.1,
  /** Worth of a sentence of the agent or the user with a name that is said nowhere else. */
  factBonus: 0.7,
  /** Share of the tokens kept for bare names with the headers they stand under, and of the names alone. */
  nameShare: 0.27,
  bareShare: 0.19,
  /** Share of the tokens that the focus gets before everything else competes, and what its lines count more till then. */
  focusShare: 0.65,
  focusFactor: 1_000,
  /** Without a topic, this many of the newest requests are the focus. */
  focusMessages: 3,
  /** Below this size a handoff has less room for odd facts: the worth of what is not a name shrinks with it. */
  smallestRoom: 0.15,
  /** Share of the tokens that a model's summary gets before the record's lines compete: in a small handoff, in a roomy one. */
  toldShare: { small: 0.08, roomy: 0.5 },
  /** What a line of it counts while that share lasts, and afterwards. */
  toldFactor: { first: 8, later: 0.5 },
  /** Worth of a line of it that says what is wanted and what goes on, beside its terms. */
  tellingBonus: 1,
} as const;

export function compose(input: ComposeInput): ComposedHandoff {
  const outline = outlineOf({
    facts: input.facts,
    covers: (ref) => {
      const at = position(ref) - 1;
      return at >= input.from && at < input.to && !input.restated.has(at);
    },
    budget: input.budget,
    count: input.count,
    besideSummary: input.summary !== undefined,
  });
  const told = toldFor(input, outline);
  const draft: Draft = { outline, lines: [], names: new Map(), told: [], isWhole: told?.isWhole ?? false };
  const chooser = chooserFor(input, { outline, told });
  fill(input, chooser, draft);
  if (told && !told.isWhole) takeRest(input, told, draft);
  return shrinkToFit(input, draft);
}

/** What a model tells better than any line of the record: what is wanted, and what goes on. */
const telling: ReadonlySet<ToldLine['about']> = new Set([...goesOn, 'goal', 'constraints']);

interface Told {
  readonly lines: readonly ToldLine[];
  /** Tokens that it may take before the record's lines compete. */
  readonly share: number;
  /** True when all of it fits into the share. */
  readonly isWhole: boolean;
}

function toldFor({ summary, corpus, budget, count }: ComposeInput, outline: readonly OutlineLine[]): Told | undefined {
  if (summary === undefined) return undefined;
  const { small, roomy } = composing.toldShare;
  const share = budget * (small + (roomy - small) * roomIn(budget));
  const quoted = outline.map(({ text }) => bare(text));
  // What the outline quotes from the record need not be told again.
  const lines = toldLines(summary, corpus).filter(({ line, under }) => {
    const text = bare(line.text);
    return under.length > 0 || text.length < leastQuote || !quoted.some((quote) => quote.includes(text));
  });
  return { lines, share, isWhole: count(summary) <= share };
}

const leastQuote = 12;
/** The words of a line without marks around them. */
const bare = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')
    .toLowerCase();

interface Sources {
  readonly outline: readonly OutlineLine[];
  readonly told: Told | undefined;
}

function chooserFor(input: ComposeInput, { outline, told }: Sources): Chooser {
  const { corpus, from, to } = input;
  const room = Math.max(composing.smallestRoom, roomIn(input.budget));
  const state = { focusLeft: input.budget * input.focusShare, toldLeft: told?.share ?? 0 };
  const chooser = new Chooser({
    corpus,
    from,
    to,
    partly: new Set(input.partly.keys()),
    stepOf: input.stepOf,
    count: input.count,
    recentAsks: recentAsks(input).map(({ ref }) => position(ref) - 1),
    headerTokens: (step) => input.count(input.headerOf(step).text) + 1,
    bonus: (line) => room * bonusOf(line),
    focus: (line) => (state.focusLeft > 0 && input.focus(line) ? composing.focusFactor : 1),
    told: told && {
      lines: told.lines,
      votes: votesOf(told.lines, corpus),
      bonus: ({ about, line }) => (telling.has(about) || input.focus(line) ? composing.tellingBonus : 0),
      factor: () => (state.toldLeft > 0 ? composing.toldFactor.first : composing.toldFactor.later),
    },
    onTake: (pick) => {
      if (state.focusLeft > 0 && input.focus(pick.line)) state.focusLeft -= pick.tokens;
      if (pick.type === 'told') state.toldLeft -= pick.tokens;
    },
  });
  for (let message = to; message < corpus.messageLines.length; message++) {
    const shortened = input.partly.get(message);
    chooser.show(shortened ? corpus.linesOf(shortened) : (corpus.messageLines[message] ?? []));
  }
  for (let message = 0; message < input.shownBefore; message++) chooser.show(corpus.messageLines[message] ?? []);
  for (const message of input.restated) chooser.show(corpus.messageLines[message] ?? []);
  chooser.show(outlineSources(corpus, outline));
  if (told?.isWhole) chooser.show(told.lines.map(({ line }) => line));
  return chooser;
}

/** The newest that say something: what is attached has no terms. */
const recentAsks = ({ facts, focusMessages }: ComposeInput): LedgerFacts['asks'] =>
  facts.asks.filter(({ text }) => text !== '').slice(-focusMessages || Number.POSITIVE_INFINITY);

/** Lines of the conversation that the outline already quotes. */
function outlineSources(corpus: Corpus, outline: readonly OutlineLine[]): Iterable<LineStats> {
  return outline.flatMap(({ ref, text }) =>
    (corpus.messageLines[position(ref) - 1] ?? []).filter((line) => text.includes(line.text)),
  );
}

function bonusOf(line: LineStats): number {
  const { voice, strength, oddIn, lastMessage } = line;
  if (voice === 'call') return 0;
  if (voice !== 'result')
    return Math.max(composing.decisionBonus[strength] ?? 0, isSaidOnce(line) ? composing.factBonus : 0);
  return (composing.errorBonus[strength] ?? 0) + (oddIn === lastMessage ? composing.oddBonus : 0);
}

/** A sentence with a name that nobody else ever said: nothing but this line can bring it back. */
function isSaidOnce({ isProse, terms }: LineStats): boolean {
  return isProse && terms.some((term) => isExact(term) && term.call + term.result + term.user + term.agent === 1);
}

const isExact = ({ kind }: TermStats): boolean => kind !== 'line' && kind !== 'errorLine' && kind !== 'hyphenated';

function fill(input: ComposeInput, chooser: Chooser, draft: Draft): void {
  const { budget, count } = input;
  const fixed = count(render(input, draft).body);
  const reserved = Math.floor(budget * composing.nameShare);
  const left = takeNames(input, { chooser, draft }, takeLines(chooser, draft, budget - fixed - reserved) + reserved);
  takeLines(chooser, draft, left);
  // Texts join with fewer tokens than they have apart: use what that leaves.
  for (let round = 0; round < 3; round++) {
    const unused = budget - count(render(input, draft).body);
    if (unused < Math.max(24, budget * 0.005) || takeLines(chooser, draft, unused) === unused) break;
  }
}

/** Where room is left, what of the summary nobody chose stands there too: it may say what no name of the record shows. */
function takeRest(input: ComposeInput, { lines }: Told, draft: Draft): void {
  const taken = new Set(draft.told);
  let left = input.budget - input.count(render(input, draft).body);
  for (const line of lines) {
    if (taken.has(line) || line.leads.some((lead) => !taken.has(lead))) continue;
    const tokens = input.count(line.line.text) + 2;
    if (tokens > left) continue;
    left -= tokens;
    taken.add(line);
    draft.told.push(line);
  }
}

/** Takes names while they fit and are few enough; returns the tokens that are left. */
function takeNames(
  input: ComposeInput,
  { chooser, draft }: { chooser: Chooser; draft: Draft },
  tokens: number,
): number {
  let left = Math.max(0, tokens);
  let bare = Math.floor(input.budget * composing.bareShare);
  for (let name = chooser.nextName(left); name; name = chooser.nextName(left)) {
    bare -= name.term.counted;
    if (bare < 0) break;
    left -= name.tokens;
    const list = draft.names.get(name.step);
    if (list) list.push(name.term.text);
    else draft.names.set(name.step, [name.term.text]);
  }
  return left;
}

/** Takes lines while they fit; returns the tokens that are left. */
function takeLines(chooser: Chooser, draft: Draft, tokens: number): number {
  let left = tokens;
  for (let pick = chooser.next(left); pick; pick = chooser.next(left)) {
    left -= pick.tokens;
    if (pick.type === 'told') draft.told.push(...pick.lines);
    else draft.lines.push(pick);
  }
  return left;
}

/** Estimates of joined texts can be off by a few tokens: what was taken last goes until the body fits. */
function shrinkToFit(input: ComposeInput, draft: Draft): ComposedHandoff {
  for (;;) {
    const { body, lines } = render(input, draft);
    const tokens = input.count(body);
    if (tokens <= input.budget || isEmpty(draft)) return { body, tokens, lines };
    let over = tokens - input.budget;
    while (over > 0 && draft.lines.length > 0) over -= input.count(draft.lines.pop()?.line.text ?? '') + 1;
    if (draft.lines.length > 0) continue;
    if (draft.names.size > 0) draft.names.clear();
    else draft.told.pop();
  }
}

const isEmpty = ({ lines, names, told }: Draft): boolean => lines.length === 0 && names.size === 0 && told.length === 0;
