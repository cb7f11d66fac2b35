/** ★ Makes a conversation smaller: reads as a table of contents of this folder. */
import { type CompressionConfig, compressionDefaults } from '../config/compression.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { messageTokens } from '../tokens/measure.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Message } from '../transcript/message.ts';
import { assemble, worthIt } from './assemble.ts';
import { type Cut, planBoundaries } from './boundaries.ts';
import { coverSystem } from './cover-system.ts';
import { fitTail } from './fit.ts';
import { handoffBlock, isHandoff } from './handoff-block.ts';
import type { Template } from './ledger/templates.ts';
import { prune } from './prune/prune.ts';
import { type ConversationRecord, createRecord, refAt } from './record.ts';
import { repair } from './repair.ts';
import { type Drafted, reportOf, unchangedReport } from './report.ts';
import type { CompressionResult } from './result.ts';
import { defaultContextLength, handoffBudget, type Sizes, sizesFor } from './sizes.ts';

/** How one compression is done; only the tokenizer is needed. */
export interface CompressOptions {
  /** Counts tokens; see `tokenizerFor(model)`. */
  readonly tokenizer: Tokenizer;
  /** The model's window in tokens. @default 200_000 */
  readonly contextLength?: number;
  /** Tokens that the new list may have, everything included. @default what the configuration gives for the window */
  readonly targetTokens?: number;
  /** A topic that gets most of the handoff. */
  readonly focusTopic?: string;
  /** Headings of the handoff: `handoff`, `progress`, `brief` or your own. @default the configuration's */
  readonly template?: string | Template;
  /** @default compressionDefaults */
  readonly config?: CompressionConfig;
  /** Compress also what fits the tail whole, because a person or the window asks for it. @default true */
  readonly force?: boolean;
  /**
   * `keep` leaves leading system messages as they are; `cover` treats them as part of the transcript, for logs whose
   * system prompt belongs to another program. @default 'keep'
   */
  readonly system?: 'keep' | 'cover';
  /** How often this conversation was compressed before. @default 0 */
  readonly compressionCount?: number;
  /** What is known of the conversation from before; a new record knows only the list. */
  readonly record?: ConversationRecord;
  readonly signal?: AbortSignal;
}

/** What the stages of one compression share. */
export interface Run {
  readonly input: readonly Message[];
  readonly options: CompressOptions;
  readonly config: CompressionConfig;
  readonly record: ConversationRecord;
  /** Place in the record of each message of the input. */
  readonly places: readonly number[];
  readonly sizes: Sizes;
  readonly tokensOf: (message: Message) => number;
}

/**
 * A smaller list that says the same: the start and the newest messages as they are, a handoff for what lies between.
 * The input is never changed; where there is nothing to do, or nothing to gain, the result holds the same list object.
 * Every message that the handoff stands for comes back byte for byte through the record (`record.message(ref)`).
 *
 * @throws CONTEXT_OVERFLOW when not even the newest request fits the window; BAD_OPTION for a window, target or template that makes no sense; the signal's reason when it is aborted
 */
export async function compress(messages: readonly Message[], options: CompressOptions): Promise<CompressionResult> {
  const run = startRun(messages, options);
  options.signal?.throwIfAborted();
  const pruned = pruneOld(run);
  const cut = planBoundaries(pruned, { tokensOf: run.tokensOf, ...run.sizes.boundaries });
  if (cut.type === 'nothing') return unchangedReport(run, cut.reason);
  const fitted = fitTail(run, pruned, cut);
  const drafted = draftToFit(run, fitted, cut);
  options.signal?.throwIfAborted();
  return judge(run, fitted, cut, drafted);
}

function startRun(messages: readonly Message[], options: CompressOptions): Run {
  const config = options.config ?? compressionDefaults;
  const input = options.system === 'cover' ? coverSystem(messages) : messages;
  const { tokenizer } = options;
  const record = options.record ?? createRecord({ count: tokenizer.count });
  const tokensOf = (message: Message): number => messageTokens(message, tokenizer);
  const places = record.ingest(input);
  return { input, options, config, record, places, tokensOf, sizes: sizesFor(input, options, { config, tokensOf }) };
}

function pruneOld({ input, places, config, sizes, tokensOf }: Run): readonly Message[] {
  const refs = new Map(input.map((message, at) => [message, refAt(places[at] ?? at)]));
  return prune(input, {
    refOf: (message) => refs.get(message) ?? 'm0',
    tokensOf,
    tailTokens: sizes.boundaries.tailTokens,
    minMessages: Math.min(config.protectLastN, 8),
    mode: config.resultMode,
    keepImages: config.keepImages,
    minDuplicateChars: config.dedupeChars,
    maxResultChars: config.pruneResultChars,
    maxArgumentChars: config.argumentChars,
    maxLeafChars: config.argumentLeafChars,
  }).messages;
}

/** The new list, within the target where the newest words leave room for that. */
function draftToFit(run: Run, list: readonly Message[], cut: Cut): Drafted {
  const budget = handoffBudget(run, list, cut);
  const drafted = draft(run, list, cut, budget);
  const over = total(drafted.messages, run) - run.sizes.targetTokens;
  // Seams cost tokens that no estimate of the parts knows: take them off the handoff.
  return over > 0 && budget > 0 ? draft(run, list, cut, Math.max(0, budget - over - 4)) : drafted;
}

/** The new list with a handoff of at most `budget` tokens. */
function draft(run: Run, list: readonly Message[], cut: Cut, budget: number): Drafted {
  const { record, places, options, config } = run;
  const from = cut.headEnd === 0 ? 0 : Math.max(0, ...places.slice(0, cut.headEnd)) + 1;
  const to = visibleFrom(record.size, new Set(places.slice(cut.tailStart)));
  const restated = new Set(
    [cut.restate, cut.restateReply].flatMap((at) => (at === undefined ? [] : (places[at] ?? []))),
  );
  const covers = Array.from({ length: Math.max(0, to - from) }, (_, i) => refAt(from + i));
  const info = { covers: covers.length > 0 ? `${covers[0]}-${covers.at(-1)}` : 'nothing', count: covers.length };
  const composed = record.ledger.handoff({
    ...{
      from,
      to,
      restated,
      partly: shortened(run, list, cut),
      shownBefore: from,
      template: options.template ?? config.template,
    },
    budgetTokens: Math.max(0, budget - options.tokenizer.count(handoffBlock('', info)) - 2),
    ...(options.focusTopic === undefined ? {} : { focusTopic: options.focusTopic }),
  });
  const block = handoffBlock(composed.body, info);
  const systemNote = (options.compressionCount ?? 0) === 0 && !run.input.some(isHandoff);
  const assembled = assemble(list, cut, { block, systemNote });
  const { messages } = repair(assembled.messages, { unanswered: config.orphanCalls });
  return { messages, block, covers, composed, cut, handoffTokens: options.tokenizer.count(block) };
}

/** Messages of the tail that are not shown as they were, by place. */
function shortened({ input, places }: Run, list: readonly Message[], cut: Cut): ReadonlyMap<number, Message> {
  const found = new Map<number, Message>();
  for (let at = cut.tailStart; at < list.length; at++) {
    const [message, place] = [list[at], places[at]];
    if (message && place !== undefined && place >= 0 && message !== input[at]) found.set(place, message);
  }
  return found;
}

/** Where the stretch begins that is in the list to its end: a request said again before it does not count. */
function visibleFrom(size: number, visible: ReadonlySet<number>): number {
  let from = size;
  while (visible.has(from - 1)) from--;
  return from;
}

/** Keeps what is smaller; tries once with a short handoff where that would make it so (A5). */
function judge(run: Run, list: readonly Message[], cut: Cut, first: Drafted): CompressionResult {
  const beforeTokens = total(run.input, run);
  let drafted = first;
  let verdict = worthIt({ ...weigh(run, drafted), beforeTokens });
  if (verdict.type === 'salvage') {
    drafted = draft(run, list, cut, verdict.maxHandoffTokens);
    verdict = worthIt({ ...weigh(run, drafted), beforeTokens });
  }
  refuseOverflow(run, drafted);
  if (verdict.type !== 'smaller') return unchangedReport(run, 'would-grow');
  rememberDerived(run, list, drafted);
  return reportOf(run, list, drafted);
}

/** Invariant 5: what does not fit the window is an error that says what to do. */
function refuseOverflow(run: Run, { messages }: Drafted): void {
  const contextLength = run.options.contextLength ?? defaultContextLength;
  const tokens = total(messages, run);
  if (tokens <= contextLength) return;
  throw new PalimpsestError(
    'CONTEXT_OVERFLOW',
    `Expected a context of at most ${contextLength} tokens, got ${tokens} after compression: the system prompt and the ` +
      'newest request alone need that much. Shorten them, start a new conversation, or use a model with a larger window.',
    { evidence: { contextLength, tokens } },
  );
}

const weigh = (run: Run, { messages, handoffTokens }: Drafted): { afterTokens: number; handoffTokens: number } => ({
  afterTokens: total(messages, run),
  handoffTokens,
});

const total = (messages: readonly Message[], { tokensOf }: Run): number =>
  messages.reduce((sum, message) => sum + tokensOf(message), 0);

/** So that the new list is recognised when it comes back. */
function rememberDerived({ record, places, input }: Run, list: readonly Message[], drafted: Drafted): void {
  const known = new Set(input);
  for (const [at, message] of list.entries()) {
    const place = places[at];
    if (place !== undefined && !known.has(message)) record.remember(message, place);
  }
  for (const message of drafted.messages) if (isHandoff(message)) record.rememberHandoff(message);
}
