/**
 * The ledger: facts and lines of a conversation, extracted without a model while it goes on, and the handoff that can
 * be written from them at any moment.
 */
import type { OwnTemplate } from '../../context/settings.ts';
import { redact } from '../../redaction/redact.ts';
import { estimateTextTokens } from '../../tokens/estimate.ts';
import type { Message } from '../../transcript/message.ts';
import { redactedMessage } from '../../transcript/redact.ts';
import { carriesCalls, carriesResults, toolCalls, toolResults } from '../../transcript/text.ts';
import { unwrapHandoff, withoutHandoff } from '../handoff-block.ts';
import { earlierSummary, type HandoffRow, headerRead, readRows, speakerHeader } from '../handoff-rows.ts';
import { createNumbering, type Inherited } from '../numbering.ts';
import type { Ref } from '../result.ts';
import { contentOfHeading } from '../summary-lines.ts';
import { askType } from './asks.ts';
import type { StepHeader } from './body.ts';
import { type ComposedHandoff, compose, composing } from './compose.ts';
import { Corpus, type LineStats } from './corpus.ts';
import type { Ask, LedgerFacts } from './facts.ts';
import { focusIn } from './focus.ts';
import { authorOf, textLines } from './lines.ts';
import { stepHeader } from './step-header.ts';
import { resolveTemplate, type Template } from './templates.ts';
import { Tracker } from './tracker.ts';

/** How the ledger measures texts. */
export interface LedgerOptions {
  /** Tokens of a text, exact or estimated, by the tokenizer the handoff is paid in. */
  readonly count: (text: string) => number;
  /** A fast estimate of the same, for ranking lines. @default estimateTextTokens */
  readonly estimate?: (text: string) => number;
}

/** What a handoff stands for, and what it should dwell on. */
export interface HandoffOptions {
  /** Index of the first message that the handoff stands for. @default 0 */
  readonly from?: number;
  /** Index after the last one; later messages are taken as shown in full. @default all */
  readonly to?: number;
  /** Messages at the start that stay in the context. @default 0 */
  readonly shownBefore?: number;
  readonly budgetTokens: number;
  readonly focusTopic?: string;
  /** Share of the budget that the topic gets before everything else competes. @default 0.65 */
  readonly focusShare?: number;
  /** Without a topic, this many of the newest requests are the focus. @default 3 */
  readonly focusMessages?: number;
  readonly template?: string | Template | OwnTemplate;
  /** Messages after the range that are shown shortened, by index, as they are shown. @default none */
  readonly partly?: ReadonlyMap<number, Message>;
  /** Messages of the range that are said again after the handoff. @default none */
  readonly restated?: ReadonlySet<number>;
  /**
   * A model's summary of the same messages, verified: its lines stand in the handoff beside the ledger's, all of them
   * where there is room. @default the ledger alone
   */
  readonly summary?: string;
}

/** Facts extracted from messages without a model, kept up to date message by message. */
export interface Ledger {
  /** How many numbers are taken: of the messages added, and of those that a handoff made elsewhere stands for. */
  readonly size: number;
  /** Where the lines of a handoff that was made elsewhere are kept, as an index of messages; -1 without one. */
  readonly inheritedAt: number;
  /**
   * Adds the next message; time in proportion to that message. Returns how handoffs will name it: `m0` for a handoff that
   * was made elsewhere, and for the sentence of ours that may stand before it (`following` tells it).
   */
  add(message: Message, following?: Message): Ref;
  facts(): LedgerFacts;
  /** The body of a handoff of at most `budgetTokens` tokens (more only when facts alone need more). */
  handoff(options: HandoffOptions): ComposedHandoff;
}

/** An empty ledger. */
export function createLedger({ count, estimate = estimateTextTokens }: LedgerOptions): Ledger {
  const state: LedgerState = {
    corpus: new Corpus(estimate),
    tracker: new Tracker(),
    numbering: createNumbering(),
    count: memo(count),
    steps: [],
    headers: [],
    inheritedAt: -1,
    lastCalls: false,
    lastStep: 0,
  };
  return {
    get size() {
      return state.steps.length;
    },
    get inheritedAt() {
      return state.inheritedAt;
    },
    add: (message, following) => addMessage(state, message, following),
    facts: () => state.tracker.facts(),
    handoff: (options) => writeHandoff(state, options),
  };
}

interface LedgerState {
  readonly corpus: Corpus;
  readonly tracker: Tracker;
  readonly numbering: ReturnType<typeof createNumbering>;
  readonly count: (text: string) => number;
  /** By message: the index of the message that opens its step, and who speaks in it. */
  readonly steps: number[];
  readonly headers: (() => StepHeader)[];
  inheritedAt: number;
  /** Of the message added last: whether results may answer it, and its step. */
  lastCalls: boolean;
  lastStep: number;
}

function addMessage(state: LedgerState, original: Message, following: Message | undefined): Ref {
  const { corpus, tracker, numbering, steps, headers } = state;
  // Whatever is written from facts and lines is clean (invariant 8); the record keeps the message as it came.
  const message = redactedMessage(original);
  const { number, inherited } = numbering.take(message, following);
  const ref: Ref = `m${number}`;
  const at = number - 1;
  for (let gap = steps.length; gap < Math.max(at, (inherited?.to ?? 0) - 1); gap++) leaveOut(state, gap);
  if (inherited) inherit(state, inherited);
  // A handoff that was made elsewhere, or a sentence of ours before it.
  if (number === 0) return ref;
  const said = inherited ? withoutHandoff(message) : message;
  if (said) corpus.add(said, at);
  tracker.add(message, ref);
  // Results belong to the step of the calls that they answer.
  const isAnswer = state.lastCalls && carriesResults(message);
  const step = isAnswer ? state.lastStep : at;
  steps[at] = step;
  state.lastStep = step;
  headers[at] = headerFor(tracker, message, ref);
  // A result whose call is unknown must not stand under what somebody else said.
  state.lastCalls = isAnswer || carriesCalls(message);
  return ref;
}

/** A number whose message is not here. */
function leaveOut({ corpus, steps, headers }: LedgerState, at: number): void {
  steps[at] = at;
  headers[at] = () => noHeader;
  corpus.addLines(at, () => {});
}

/** What a handoff tells of messages that are not here, under their own numbers; the rest of it is its own. */
function inherit(state: LedgerState, inherited: Inherited): void {
  const { corpus, tracker, headers } = state;
  const { steps: told, rest, asks } = handedOver(inherited);
  const inheritedAt = inherited.spare - 1;
  state.inheritedAt = inheritedAt;
  for (const { number, header, lines } of told) {
    corpus.addLines(number - 1, (sink) => {
      for (const { speaker, text } of lines) textLines(text, speaker, sink);
    });
    headers[number - 1] = () => header ?? noHeader;
  }
  const own = told.find(({ number }) => number === inherited.spare)?.lines ?? [];
  corpus.addLines(inheritedAt, (sink) => {
    for (const { speaker, text } of own) textLines(text, speaker, sink);
    for (const text of rest) textLines(text, 'summary', sink);
  });
  if (own.length === 0) headers[inheritedAt] = () => earlierHeader;
  tracker.takeOver(asks);
}

/** Who speaks in a step; read when a handoff is written, because outcomes come later than calls. */
function headerFor(tracker: Tracker, message: Message, ref: Ref): () => StepHeader {
  const ids = [...toolCalls(message), ...toolResults(message)].map(({ callId }) => callId);
  if (ids.length === 0) {
    const speaker = authorOf(message);
    return () => ({ text: speakerHeader(ref, speaker), speaker });
  }
  // Now, because hosts give the ids of old calls to new ones.
  const followed = ids.flatMap((id) => tracker.follow(id) ?? []);
  return () => {
    const actions = followed.flatMap((action) => action() ?? []);
    return { text: stepHeader(ref, actions), speaker: 'noted' };
  };
}

function writeHandoff(
  { corpus, tracker, count, steps, headers }: LedgerState,
  options: HandoffOptions,
): ComposedHandoff {
  const { from = 0, to = steps.length, shownBefore = 0, budgetTokens, focusTopic } = options;
  const stepOf = (message: number): number => steps[message] ?? message;
  const source = { messageLines: corpus.messageLines, from, to, stepOf };
  const focus = focusTopic === undefined ? undefined : focusIn(redact(focusTopic), source);
  return compose({
    corpus,
    facts: tracker.facts(),
    from,
    to,
    shownBefore,
    budget: budgetTokens,
    count,
    ...(options.summary?.trim() ? { summary: options.summary.trim() } : {}),
    template: resolveTemplate(options.template),
    restated: options.restated ?? new Set(),
    // Lines are known as they were taken in: without credentials.
    partly: new Map([...(options.partly ?? [])].map(([at, message]) => [at, redactedMessage(message)])),
    focus: (line: LineStats) => focus?.(line) ?? false,
    focusShare: focus === undefined ? 0 : (options.focusShare ?? composing.focusShare),
    focusMessages: options.focusMessages ?? composing.focusMessages,
    stepOf,
    headerOf: memoNumber((step) => headers[step]?.() ?? noHeader),
  });
}

/** The ledger of a whole conversation. */
export function ledgerOf(messages: Iterable<Message>, options: LedgerOptions): Ledger {
  const ledger = createLedger(options);
  const list = [...messages];
  for (const [at, message] of list.entries()) ledger.add(message, list[at + 1]);
  return ledger;
}

const noHeader: StepHeader = { text: '', speaker: 'noted' };
const earlierHeader: StepHeader = { text: earlierSummary, speaker: 'summary' };

const maxRemembered = 20_000;

/** Lines are counted again for every handoff: remember them, up to a bound. */
function memo(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const tokens = count(text);
    if (known.size >= maxRemembered) known.clear();
    if (text.length <= 1000) known.set(text, tokens);
    return tokens;
  };
}

function memoNumber<T>(make: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>();
  return (key) => {
    const found = known.get(key) ?? make(key);
    known.set(key, found);
    return found;
  };
}

// What a handoff that was made elsewhere tells of messages that are not here: their lines and requests, by speaker.

/** A handoff, taken apart. */
interface HandedOver {
  /** What is told of each message that is gone, under the row that stood above it. */
  readonly steps: readonly {
    readonly number: number;
    readonly header: StepHeader | undefined;
    readonly lines: readonly Pick<HandoffRow, 'speaker' | 'text'>[];
  }[];
  /** Lines that stem from no message: data of nobody. */
  readonly rest: readonly string[];
  /** Requests of persons, oldest first. */
  readonly asks: readonly Ask[];
}

/** Where a request is named that stands in full behind the handoff. */
const elsewhere = 'word for word below';

function handedOver({ message, isGone }: Inherited): HandedOver {
  const rows = readRows(unwrapHandoff(message)?.body ?? '').filter(({ text }) => text !== elsewhere);
  const isKnown = ({ number }: HandoffRow): boolean => number !== undefined && isGone(number);
  const steps = Map.groupBy(rows.filter(isKnown), ({ number }) => number ?? 0);
  return {
    steps: [...steps].map(([number, told]) => {
      const header = told.find((row) => row.header !== undefined)?.header;
      const lines = told.filter(({ isAnswer }) => !isAnswer);
      return { number, header: header === undefined ? undefined : headerRead(header), lines };
    }),
    // A row about a message that is here says nothing new.
    rest: rows.filter(({ number }) => number === undefined).map(({ text }) => text),
    // A model that was led to print a handoff has not made anybody ask for anything.
    asks: message.role === 'user' ? asksIn(rows.filter(isKnown)) : [],
  };
}

function asksIn(rows: readonly HandoffRow[]): readonly Ask[] {
  const asks = new Map<number, Ask>();
  let above: number | undefined;
  for (const { number = 0, speaker, text, section, isAnswer } of rows) {
    if (isAnswer && above !== undefined) {
      const ask = asks.get(above);
      if (ask) asks.set(above, { ...ask, answer: { ref: `m${number}`, text } });
    }
    if (speaker !== 'person') continue;
    above = number;
    const known = asks.get(number);
    // What is open stands under a heading that says so; what else was asked was answered, whatever the words were.
    const isOpen = contentOfHeading(section) === 'asks';
    const said = known ? `${known.text}\n${text}` : text;
    const answer = known?.answer ?? (isOpen ? undefined : { ref: `m${number}` as const, text: '' });
    asks.set(number, { ref: `m${number}`, text: said, type: askType(said), ...(answer ? { answer } : {}) });
  }
  return [...asks.values()].sort((a, b) => Number(a.ref.slice(1)) - Number(b.ref.slice(1)));
}
