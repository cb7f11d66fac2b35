/**
 * The ledger: facts and lines of a conversation, extracted without a model while it goes on, and the handoff that can
 * be written from them at any moment.
 */
import type { OwnTemplate } from '../../context/settings.ts';
import { redact } from '../../redaction/redact.ts';
import { estimateTextTokens } from '../../tokens/estimate.ts';
import type { Message } from '../../transcript/message.ts';
import { isSlashCommand, originOf } from '../../transcript/origin.ts';
import { redactedMessage } from '../../transcript/redact.ts';
import { carriesCalls, carriesResults, toolCalls, toolResults } from '../../transcript/text.ts';
import { unwrapHandoff, withoutHandoff } from '../handoff-block.ts';
import { earlierSummary, type HandoffRow, headerRead, readRows, speakerHeader } from '../handoff-rows.ts';
import { createNumbering, type Inherited } from '../numbering.ts';
import type { Ref } from '../result.ts';
import type { StepHeader } from './body.ts';
import type { Place } from './chooser.ts';
import { type ComposedHandoff, compose } from './compose.ts';
import { Corpus, type TermStats } from './corpus.ts';
import { asksForSummary, type EarlierFact, earlierIn, earlierInRows } from './earlier.ts';
import type { LedgerFacts } from './facts.ts';
import { focusIn } from './focus.ts';
import { createGist, createWordsAround } from './gist.ts';
import { factsIn, isFact } from './inherited.ts';
import { authorOf, textLines } from './lines.ts';
import { roomIn, stepHeader } from './outline.ts';
import { wordsOf } from './places.ts';
import { pathsFor } from './state-rows.ts';
import { isTableRow, leftOutRows } from './tables.ts';
import { resolveTemplate, type Template } from './templates.ts';
import { Tracker } from './tracker.ts';

/** How the ledger measures texts. */
export interface LedgerOptions {
  /** Tokens of a text, exact or estimated, by the tokenizer the handoff is paid in. */
  readonly count: (text: string) => number;
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
  /** Tokens of all that the model will see, of which the index of names takes its share. @default budgetTokens */
  readonly contextTokens?: number;
  /** Share of the tokens for the index of names. @default what `contextTokens` leaves it, little of a handoff */
  readonly nameShare?: number;
  /** An index of short rows, each with words that stand around its names. @default a row for the turns of a few requests */
  readonly shortNameRows?: boolean;
  /** The spine alone: what facts give, and how each request ended; no line is chosen, and no name listed. @default false */
  readonly spineOnly?: boolean;
  /** What gets most of the budget. @default the three newest requests count more than the rest */
  readonly focusTopic?: string;
  readonly template?: string | Template | OwnTemplate;
  /** Messages that are shown shortened, after the range or in it, by index, as they are shown. @default none */
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

/** The ledger of a whole conversation. */
export function ledgerOf(messages: Iterable<Message>, options: LedgerOptions): Ledger {
  const ledger = createLedger(options);
  const list = [...messages];
  for (const [at, message] of list.entries()) ledger.add(message, list[at + 1]);
  return ledger;
}

/** An empty ledger. */
export function createLedger({ count }: LedgerOptions): Ledger {
  return new OpenLedger({
    corpus: new Corpus(estimateTextTokens),
    tracker: new Tracker(),
    numbering: createNumbering(),
    count: memo(count),
    earlier: [],
    isInherited: () => false,
    hasBegun: false,
    isSummaryNext: false,
    steps: [],
    headers: [],
    inheritedAt: -1,
    isCommanded: false,
    lastCalls: false,
  });
}

/** A class, for an object with getters of its own has a form of its own, and all that they see lives as long as that form. */
class OpenLedger implements Ledger {
  readonly #state: LedgerState;

  constructor(state: LedgerState) {
    this.#state = state;
  }

  get size(): number {
    return this.#state.steps.length;
  }

  get inheritedAt(): number {
    return this.#state.inheritedAt;
  }

  add(message: Message, following?: Message): Ref {
    return addMessage(this.#state, message, following);
  }

  facts(): LedgerFacts {
    return this.#state.tracker.facts();
  }

  handoff(options: HandoffOptions): ComposedHandoff {
    return writeHandoff(this.#state, options);
  }
}

interface LedgerState {
  readonly corpus: Corpus;
  readonly tracker: Tracker;
  readonly numbering: ReturnType<typeof createNumbering>;
  readonly count: (text: string) => number;
  /** What summaries tell with which the list began, and whether the conversation behind them has. */
  readonly earlier: EarlierFact[];
  isInherited: (message: number) => boolean;
  hasBegun: boolean;
  /** True behind a message in which a program asked for a summary. */
  isSummaryNext: boolean;
  /** By message: the index of the message that opens its step, and who speaks in it. */
  readonly steps: number[];
  readonly headers: (() => StepHeader)[];
  inheritedAt: number;
  /** True when the message added last is a slash command: the next one is its text. */
  isCommanded: boolean;
  /** The step of the message added last when results may answer it; false when none may. */
  lastCalls: number | false;
}

function addMessage(state: LedgerState, original: Message, following: Message | undefined): Ref {
  const { corpus, tracker, numbering, steps, headers } = state;
  // Whatever is written from facts and lines is clean (invariant 8); the record keeps the message as it came.
  const message = withOrigin(state, redactedMessage(original), following);
  const { number, inherited } = numbering.take(message, following);
  const ref: Ref = `m${number}`;
  const at = number - 1;
  // Numbers whose messages are not here.
  for (let gap = steps.length; gap < Math.max(at, (inherited?.to ?? 0) - 1); gap++) {
    steps[gap] = gap;
    headers[gap] = () => noHeader;
    corpus.addLines(gap, () => {});
  }
  if (inherited?.spare !== undefined) {
    inherit(state, inherited, inherited.spare);
    state.inheritedAt = inherited.spare - 1;
    state.isInherited = (message) => inherited.isGone(message + 1);
  }
  // A handoff that was made elsewhere, or a sentence of ours before it.
  if (number === 0) return ref;
  const said = inherited ? withoutHandoff(message) : message;
  const isOfCommand = state.isCommanded && originOf(message) === 'person';
  state.isCommanded = isSlashCommand(message);
  if (said) corpus.add(isOfCommand ? { ...said, origin: 'host' } : said, at);
  if (!inherited && !state.hasBegun) state.earlier.push(...earlierIn(message, ref));
  state.hasBegun ||= carriesResults(message) || (message.role === 'assistant' && !unwrapHandoff(message));
  tracker.add(message, ref, isOfCommand);
  // Results belong to the step of the calls that they answer; one whose call is unknown must not stand under what
  // somebody else said.
  const answered = carriesResults(message) && state.lastCalls;
  const step = answered === false ? at : answered;
  steps[at] = step;
  headers[at] = headerFor(tracker, message, ref);
  state.lastCalls = answered !== false || carriesCalls(message) ? step : false;
  return ref;
}

/** The message with its origin where only its neighbour tells it. */
function withOrigin(state: LedgerState, message: Message, following: Message | undefined): Message {
  const isSummary = state.isSummaryNext;
  state.isSummaryNext = asksForSummary(message, following);
  if (isSummary) return { ...message, origin: 'summary' };
  return state.isSummaryNext ? { ...message, origin: 'host' } : message;
}

/** What a handoff tells of messages that are not here, under their own numbers; the rest of it is its own. */
function inherit(
  { corpus, tracker, headers, earlier }: LedgerState,
  { message, isGone }: Inherited,
  spare: number,
): void {
  const rows = readRows(unwrapHandoff(message)?.body ?? '').filter(({ text }) => text !== elsewhere);
  // A row about a message that is here says nothing new; what stems from no message is data of nobody.
  const gone = rows.flatMap((row) => {
    const number = goneIn(row, isGone);
    return number === undefined ? [] : [{ ...row, number }];
  });
  const rest = rows.filter(({ number }) => number === undefined);
  const told = Map.groupBy(gone, ({ number }) => number);
  const isHeaded = gone.some(({ number }) => number === spare);
  for (const [number, own] of new Map([...told, [spare, [...(told.get(spare) ?? []), ...rest]]])) {
    corpus.addLines(number - 1, (sink, skip) => {
      for (const [at, row] of own.entries()) {
        // Where rows are left out, they do not follow each other.
        if (own[at + 1]?.text === leftOutRows) skip();
        if (!isFact(row)) textLines(row.text, row.speaker, sink);
        else if (row.file?.purpose) textLines(row.file.purpose, 'assistant', sink);
        if (!isTableRow(row.text) || !isTableRow(own[at + 1]?.text ?? '')) skip();
      }
    });
    // What the assistant said has a header of its own.
    const header = own.find((row) => row.header !== undefined && row.speaker !== 'assistant')?.header;
    const read = { ...(header === undefined ? noHeader : headerRead(header)), ...indexIn(own) };
    headers[number - 1] = () => read;
  }
  if (!isHeaded) headers[spare - 1] = () => earlierHeader;
  earlier.push(...earlierInRows([...gone, ...rest], spare));
  // A model that was led to print a handoff has not made anybody ask for anything.
  if (message.role === 'user') tracker.takeOver(factsIn(gone));
}

/** Since when the names were seen that stand under one newest message. */
function indexIn(rows: readonly HandoffRow[]): Pick<StepHeader, 'since'> {
  const found = rows.flatMap(({ index }) => index ?? []);
  return found.length === 0 ? {} : { since: Math.min(...found.map(({ first }) => first)) - 1 };
}

/** The message of a row, where it is gone: of names and of files in one row, the last that is. */
function goneIn({ number, index, files }: HandoffRow, isGone: (number: number) => boolean): number | undefined {
  const first = index?.first ?? files?.first ?? number ?? 1;
  for (let at = number ?? 0; at >= first; at--) if (isGone(at)) return at;
  return undefined;
}

/** Who speaks in a step; read when a handoff is written, because outcomes come later than calls. */
function headerFor(tracker: Tracker, message: Message, ref: Ref): () => StepHeader {
  const ids = [...toolCalls(message), ...toolResults(message)].map(({ callId }) => callId);
  if (ids.length === 0) {
    const speaker = authorOf(message);
    return () => ({ text: speakerHeader(ref, speaker), speaker });
  }
  // Now, because hosts give the ids of old calls to new ones.
  const actions = ids.flatMap((id) => tracker.action(id) ?? []);
  return () => ({ text: stepHeader(ref, actions), speaker: 'noted' });
}

function writeHandoff(
  { corpus, tracker, count, steps, headers, earlier, isInherited }: LedgerState,
  options: HandoffOptions,
): ComposedHandoff {
  const { from = 0, to = steps.length, shownBefore = 0, budgetTokens, focusTopic } = options;
  const { messageLines } = corpus;
  const stepOf = (message: number): number => steps[message] ?? message;
  const known = new Map<Place, StepHeader>();
  const headerOf = (place: Place): StepHeader => {
    const { message, isWords } = wordsOf(place);
    const own = (): StepHeader =>
      isWords
        ? { text: speakerHeader(`m${message + 1}`, 'assistant'), speaker: 'assistant' }
        : (headers[message]?.() ?? noHeader);
    const header = known.get(place) ?? own();
    known.set(place, header);
    return header;
  };
  return compose({
    gistOf: createGist(corpus),
    ...(options.shortNameRows ? { wordsAround: createWordsAround(corpus) } : {}),
    nameOf: namesBy(pathsFor(roomIn(budgetTokens))),
    corpus,
    facts: tracker.facts(),
    earlier,
    isInherited,
    from,
    to,
    shownBefore,
    budget: budgetTokens,
    context: options.contextTokens ?? budgetTokens,
    nameShare: options.nameShare,
    isSpine: options.spineOnly ?? false,
    count,
    ...(options.summary?.trim() ? { summary: options.summary.trim() } : {}),
    template: resolveTemplate(options.template),
    restated: options.restated ?? new Set(),
    // Lines are known as they were taken in: without credentials.
    partly: new Map([...(options.partly ?? [])].map(([at, message]) => [at, redactedMessage(message)])),
    focus: focusTopic === undefined ? undefined : focusIn(redact(focusTopic), { messageLines, from, to, stepOf }),
    stepOf,
    headerOf,
  });
}

/** Names as an index shows them. Each is asked for many times while one is filled. */
function namesBy(pathOf: (path: string) => string): (term: TermStats) => string {
  const known = new Map<string, string>();
  return ({ kind, text }) => {
    if (kind !== 'path') return text;
    const name = known.get(text) ?? pathOf(text);
    known.set(text, name);
    return name;
  };
}

const noHeader: StepHeader = { text: '', speaker: 'noted' };
const earlierHeader: StepHeader = { text: earlierSummary, speaker: 'summary' };

const maxRemembered = 20_000;
const longestRemembered = 1_000;

/** Lines are counted again for every handoff: remember them, up to a bound. */
function memo(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  // A whole body is often counted twice in a row.
  let lastLong = '';
  let lastTokens = 0;
  return (text) => {
    if (text.length > longestRemembered) {
      if (text !== lastLong) [lastLong, lastTokens] = [text, count(text)];
      return lastTokens;
    }
    // A bare name, with the blank before it, is remembered by its term.
    if (text.charCodeAt(0) === 32 && !text.includes(' ', 1)) return count(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    const tokens = count(text);
    if (known.size >= maxRemembered) known.clear();
    known.set(text, tokens);
    return tokens;
  };
}

/** Where a request is named that stands in full behind the handoff. */
const elsewhere = 'word for word below';
