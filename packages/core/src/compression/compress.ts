/** ★ Makes a conversation smaller: reads as a table of contents of this folder. */
import { PalimpsestError } from '../shared/errors.ts';
import { inCompression } from '../tracing/compression-span.ts';
import type { Message } from '../transcript/message.ts';
import { worthIt } from './assemble.ts';
import { type Drafted, draft, draftToFit } from './draft.ts';
import { newestRequest } from './handoff-block.ts';
import { type ModelSummary, modelSummary } from './model-summary.ts';
import { type CompressOptions, checkMessages, checkOptions } from './options.ts';
import { reportOf, unchangedReport } from './report.ts';
import type { CompressionResult } from './result.ts';
import { resultAttributes } from './result-attributes.ts';
import { chosenDraft } from './room.ts';
import { type Run, startRun, total } from './run.ts';
import type { SummaryPrefix } from './summarize/continued.ts';

/**
 * A smaller list that says the same: the start and the newest messages as they are, a handoff for what lies between.
 * The input is never changed; where there is nothing to do, or nothing to gain, the result holds the same list object.
 * Every message that the handoff stands for comes back byte for byte through the record (`record.message(ref)`).
 *
 * With a `summarizer` the handoff carries that model's summary, verified against the record and completed from it.
 *
 * @throws CONTEXT_OVERFLOW when not even the newest request fits the window; BAD_OPTION for options and BAD_MESSAGES for messages that make no sense; the signal's reason when it is aborted
 *
 * @example
 * import { compress, fromOpenAiChat, tokenizerFor } from '@palimpsest/core';
 * const messages = fromOpenAiChat([{ role: 'user', content: 'Move the ledgers.' }]);
 * const tokenizer = await tokenizerFor('gpt-5');
 * const result = await compress(messages, { tokenizer, contextLength: 128_000, targetTokens: 20_000 });
 * result.status === 'compressed' ? result.messages : messages;
 */
export function compress(messages: readonly Message[], options: CompressOptions): Promise<CompressionResult> {
  return compressBehind(messages, options, { prefix: undefined, beside: 0 });
}

/** What is known of the requests of a running conversation. */
interface Behind {
  readonly prefix: SummaryPrefix | undefined;
  /** Tokens that each of them has beside the messages. */
  readonly beside: number;
}

/** The same for a running conversation, whose model may be asked for the summary behind the request that it was sent last. */
export function compressBehind(
  messages: readonly Message[],
  options: CompressOptions,
  behind: Behind,
): Promise<CompressionResult> {
  const work = (): Promise<CompressionResult> => resultFor(messages, options, behind);
  return inCompression(() => ({}), work, resultAttributes);
}

async function resultFor(
  messages: readonly Message[],
  options: CompressOptions,
  { prefix, beside }: Behind,
): Promise<CompressionResult> {
  checkOptions(options);
  checkMessages(messages);
  options.signal?.throwIfAborted();
  const started = { ...startRun(messages, options, beside), ...(prefix ? { prefix } : {}) };
  const chosen = chosenDraft(started);
  options.signal?.throwIfAborted();
  if ('reason' in chosen) return unchangedReport(started, chosen.reason);
  const { drafted, ...known } = chosen;
  const run = { ...started, ...known };
  const told = await modelSummary(run, drafted);
  options.signal?.throwIfAborted();
  if (told === undefined) return judge(run, drafted);
  return told.type === 'written' ? withSummary(run, drafted, told) : withoutSummary(run, drafted, told);
}

/** The same cut with a handoff that carries what the model wrote. */
function withSummary(run: Run, drafted: Drafted, { text, report }: Written): CompressionResult {
  const told = { ...run, summary: text };
  const result = judge(told, drafted.cut ? draftToFit(told, drafted.list, drafted.cut) : drafted);
  const { handoff } = result;
  return { ...result, ...(handoff ? { handoff: { ...handoff, writtenBy: 'model' } } : {}), summary: report };
}

/** The model failed: the ledger's own handoff, marked as such, or the conversation as it is (F1, F2). */
function withoutSummary(run: Run, drafted: Drafted, { keep, attempt }: Failed): CompressionResult {
  if (keep) return { ...unchangedReport(run, 'model-failed'), failure: attempt };
  const told = { ...run, isSubstitute: true };
  const result = judge(told, drafted.cut ? draftToFit(told, drafted.list, drafted.cut) : drafted);
  return { ...result, failure: attempt };
}

type Written = Extract<ModelSummary, { type: 'written' }>;
type Failed = Extract<ModelSummary, { type: 'failed' }>;

/** Keeps what is smaller; tries once with a short handoff where that would make it so (A5). */
function judge(run: Run, first: Drafted): CompressionResult {
  const beforeTokens = total(run.listed, run);
  let drafted = first;
  let verdict = worthIt({ ...weigh(run, drafted), beforeTokens });
  if (verdict.type === 'salvage' && drafted.cut) {
    drafted = draft(run, { list: drafted.list, cut: drafted.cut, budget: verdict.maxHandoffTokens });
    verdict = worthIt({ ...weigh(run, drafted), beforeTokens });
  }
  refuseOverflow(run, drafted);
  if (verdict.type !== 'smaller') return unchangedReport(run, 'would-grow');
  run.record.rememberView(drafted.messages, drafted.places);
  return reportOf(run, drafted);
}

/** Invariant 5: what does not fit the window is an error that says what to do. */
function refuseOverflow(run: Run, { messages, handoff }: Drafted): void {
  const { contextLength } = run.sizes;
  const tokens = total(messages, run);
  if (tokens <= contextLength) return;
  const pinned = handoff?.pinned ?? [];
  const pins =
    pinned.length > 0 ? `, and the pinned messages (${pinned.join(', ')}: ${handoff?.pinnedTokens} tokens),` : '';
  const unpin = pinned.length > 0 ? 'Unpin some of them, shorten the others' : 'Shorten them';
  throw new PalimpsestError(
    'CONTEXT_OVERFLOW',
    `Expected a context of at most ${contextLength} tokens, got ${tokens} after compression: ${whatFills(run, messages)}${pins} ` +
      `alone need that much. ${unpin}, start a new conversation, or use a model with a larger window.`,
    { evidence: { contextLength, tokens, ...(pinned.length > 0 ? { pinned: pinned.join(' ') } : {}) } },
  );
}

/** What cannot be shortened, by name: the newest request as a rule, or else what a provider itself has made. */
function whatFills(run: Run, messages: readonly Message[]): string {
  const newest = messages[newestRequest(messages)];
  const asked = newest ? run.tokensOf(newest) : 0;
  const system = total(
    messages.filter(({ role }) => role === 'system'),
    run,
  );
  const isRest = (asked + system) * 2 < total(messages, run);
  return `the system prompt and the newest ${isRest ? 'messages, with what their provider ran or signed,' : 'request'}`;
}

const weigh = (run: Run, { messages, handoff }: Drafted): { afterTokens: number; handoffTokens: number } => ({
  afterTokens: total(messages, run),
  // What is pinned stays, however short the rest becomes.
  handoffTokens: handoff ? handoff.tokens - handoff.pinnedTokens : 0,
});
