/** ★ Makes a conversation smaller: reads as a table of contents of this folder. */
import { tailCeilingRatio } from '../context/threshold.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { Message } from '../transcript/message.ts';
import { worthIt } from './assemble.ts';
import { type Cut, planBoundaries, restatedBy, restatedWords } from './boundaries.ts';
import { type Drafted, draft, draftToFit, draftWithoutCut } from './draft.ts';
import { newestRequest } from './handoff-block.ts';
import { type ModelSummary, modelSummary } from './model-summary.ts';
import { type CompressOptions, checkMessages, checkOptions } from './options.ts';
import { type Pruning, startPruning } from './prune/prune.ts';
import { shrinkTail } from './prune/shrink-tail.ts';
import { refAt } from './record.ts';
import { reportOf, unchangedReport } from './report.ts';
import type { CompressionResult } from './result.ts';
import { leastOf, type Run, startRun, tightened, total, withHalfTail } from './run.ts';

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
export async function compress(messages: readonly Message[], options: CompressOptions): Promise<CompressionResult> {
  checkOptions(options);
  checkMessages(messages);
  options.signal?.throwIfAborted();
  const started = startRun(messages, options);
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

type NoDraft = { readonly reason: Parameters<typeof unchangedReport>[1] };

interface Chosen extends Pick<Run, 'usualExtraTokens'> {
  readonly drafted: Drafted;
}

/**
 * The draft to go on with. Under `planned` the smaller one of two, with the configured tail and with half of it: half the
 * tail leaves more where everything fits the whole one once old results are stubs, and then has to be cut all the same.
 */
function chosenDraft(run: Run): Chosen | NoDraft {
  const usual = bestDraft(run);
  if ('reason' in usual) return usual;
  if (!run.config.planned || run.sizes.isFixed) return { drafted: usual };
  const shorter = bestDraft({ ...run, sizes: withHalfTail(run.sizes) });
  const more = 'messages' in shorter ? total(usual.messages, run) - total(shorter.messages, run) : 0;
  return 'messages' in shorter && more > 0
    ? { drafted: shorter, usualExtraTokens: more }
    : { drafted: usual, usualExtraTokens: 0 };
}

/**
 * The draft with what the configuration wishes to keep. Where that does not fit, the same with no more than must be
 * kept; and where nothing can be cut, the list with its long content shortened, if the window leaves no other way.
 */
function bestDraft(run: Run): Drafted | NoDraft {
  const usual = cutAndDraft(run);
  const fits =
    'messages' in usual
      ? total(usual.messages, run) <= run.sizes.targetTokens
      : total(run.listed, run) <= run.sizes.contextLength;
  if (fits) return usual;
  const tight = {
    ...run,
    config: { ...run.config, prune: { ...run.config.prune, keepImages: 0 } },
    sizes: tightened(run.sizes),
  };
  const drafts = [usual, cutAndDraft(tight)].filter((one) => 'messages' in one);
  if (!drafts.some((one) => total(one.messages, run) <= run.sizes.targetTokens)) {
    const least = cutAndDraft({ ...tight, sizes: leastOf(tight.sizes) });
    if ('messages' in least) drafts.push(least);
  }
  if (drafts.length === 0) {
    const { at } = pruneOld(tight);
    return draftWithoutCut(
      tight,
      tight.input.map((message, index) => at(index) ?? message),
    );
  }
  return drafts.reduce((best, one) => (total(one.messages, run) < total(best.messages, run) ? one : best));
}

function cutAndDraft(run: Run): Drafted | NoDraft {
  const pruning = pruneOld(run);
  const pruned = (message: Message, at: number): Message => pruning.at(at) ?? message;
  const tokensOf = (message: Message, at: number): number =>
    run.tokensOf(message === run.input[at] ? pruned(message, at) : message);
  const { boundaries } = run.sizes;
  // What was large and is no more than a tail once it is pruned needs no further cut than one that makes it a handoff.
  const gently = total(run.input, run) > boundaries.tailTokens * tailCeilingRatio;
  const cut = planBoundaries(run.input, { ...boundaries, gently, tokensOf });
  if (cut.type === 'nothing') return cut;
  // What goes into the summary is read from the record: nobody sees its pruned form.
  const stays = stayingBy(cut);
  const list = run.input.map((message, at) => (stays(at) ? pruned(message, at) : message));
  return draftToFit(run, fitTail(run, list, cut), cut);
}

function stayingBy(cut: Cut): (at: number) => boolean {
  const again = restatedBy(cut);
  return (at) => at < cut.headEnd || at >= cut.tailStart || again.includes(at);
}

function pruneOld({ input, places, config, sizes, tokensOf }: Run): Pruning {
  const refs = new Map(input.map((message, at) => [message, refAt(places[at] ?? at)]));
  return startPruning(input, {
    refOf: (message) => refs.get(message) ?? 'm0',
    tokensOf,
    tailTokens: sizes.boundaries.tailTokens,
    minMessages: Math.min(sizes.boundaries.protectLastN, 8),
    ...config.prune,
  });
}

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
function refuseOverflow(run: Run, { messages }: Drafted): void {
  const { contextLength } = run.sizes;
  const tokens = total(messages, run);
  if (tokens <= contextLength) return;
  throw new PalimpsestError(
    'CONTEXT_OVERFLOW',
    `Expected a context of at most ${contextLength} tokens, got ${tokens} after compression: ${whatFills(run, messages)} ` +
      'alone need that much. Shorten them, start a new conversation, or use a model with a larger window.',
    { evidence: { contextLength, tokens } },
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
  handoffTokens: handoff?.tokens ?? 0,
});

// Makes what stays as it is small enough, so that the handoff has room and the target holds.

/** The tail may take this share of a target that the caller named, however large its last messages are. */
const mostOfTarget = 0.06;

/** The list with the texts of its tail cut where they are too large; the same list when nothing is. */
function fitTail(run: Run, list: readonly Message[], cut: Cut): readonly Message[] {
  const { targetTokens, isFixed, boundaries } = run.sizes;
  const before = list.slice(0, cut.headEnd).reduce((sum, message) => sum + run.tokensOf(message), 0);
  const room = targetTokens - before;
  const most = isFixed
    ? Math.max(boundaries.tailTokens, room * mostOfTarget)
    : Math.max(boundaries.tailTokens * 1.5, room / 2);
  // The newest reply, where it is said again, is shortened with the tail: it can be brought back, the request is whole.
  const reply = cut.restateReply === undefined ? [] : [cut.restateReply];
  const shown = [...reply, ...Array.from({ length: list.length - cut.tailStart }, (_, i) => cut.tailStart + i)];
  const messages = shown.flatMap((at) => (at === cut.restateReply ? restatedWords(list[at]) : list[at]) ?? []);
  const refs = new Map(messages.map((message, i) => [message, refAt(run.places[shown[i] ?? 0] ?? -1)]));
  const shrunk = shrinkTail(messages, Math.max(1, Math.floor(most)), {
    tokensOf: run.tokensOf,
    refOf: (message) => refs.get(message) ?? 'm0',
  });
  const shortened = new Map(shrunk.cutAt.map((i) => [shown[i], shrunk.messages[i]]));
  return shortened.size === 0 ? list : list.map((message, at) => shortened.get(at) ?? message);
}
