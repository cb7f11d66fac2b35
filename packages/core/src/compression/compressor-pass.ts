/** One pass of the built-in engine: at once, or ahead of its time. */
import type { CompressOptions as EngineCall } from '../context/engine.ts';
import { messageCounter } from '../tokens/measure.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Message } from '../transcript/message.ts';
import { planBoundaries } from './boundaries.ts';
import { compressBehind } from './compress.ts';
import type { CompressorSession } from './compressor-session.ts';
import type { CompressOptions } from './options.ts';
import { madeProgress, type PolicyEvent, savedShare } from './policy/state.ts';
import { type ConversationRecord, nowhere, refAt } from './record.ts';
import { repairedEntries } from './repair.ts';
import type { CompressionResult } from './result.ts';
import { sizesFor } from './run.ts';
import type { SummaryCallReport } from './summarize/run-plan.ts';

/** How an engine's messages become ours and back. */
export interface MessageCodec<M> {
  /** One message of ours for each. @throws BAD_MESSAGES for what is no message */
  decode(messages: readonly M[]): readonly Message[];
  /** A message that none of the host's stands for. */
  encode(message: Message): readonly M[];
}

/** Whose pass it is. */
export interface PassOwner<M> {
  readonly session: CompressorSession<M>;
  readonly codec: MessageCodec<M>;
}

/** One pass; the same list object when there was nothing to do. */
export async function runPass<M>(
  { session, codec }: PassOwner<M>,
  messages: readonly M[],
  call: EngineCall,
): Promise<readonly M[]> {
  call.signal?.throwIfAborted();
  const tokenizer = await session.tokenizer();
  call.signal?.throwIfAborted();
  const decoded = codec.decode(messages);
  const now = session.reading(0).now;
  if (call.force) session.send({ type: 'forced', now, by: 'person' });
  session.send({ type: 'started', now });
  try {
    const result = await compressOnce(session, decoded, { ...call, tokenizer });
    session.last = result;
    keepOriginals(session, messages, result);
    const current = call.currentTokens ?? 0;
    session.send(passEvent(result, { now: session.reading(0).now, current }));
    if (result.status !== 'compressed') return messages;
    session.isStale = true;
    return encoded(session.record(tokenizer), codec, { messages, decoded, result });
  } catch (error) {
    // A pass that is never reported as over would hold back the next one.
    const kind = call.signal?.aborted ? 'cancelled' : 'other';
    session.send({ type: 'failed', now: session.reading(0).now, kind });
    throw error;
  }
}

/**
 * True where a pass could make something smaller: there is a middle between head and tail, or the list is larger than its
 * target, and its long content would be shortened. Counts by estimate, since a tokenizer may have to be loaded first.
 */
export function hasMiddle<M>({ session, codec }: PassOwner<M>, messages: readonly M[]): boolean {
  const { state, config } = session;
  const { contextLength, compressionCount } = state;
  const tokenizer = session.estimator();
  const tokensOf = messageCounter(tokenizer);
  const list = repairedEntries(codec.decode(messages), { unanswered: config.prune.orphanCalls }).map(
    ({ message }) => message,
  );
  const { boundaries, targetTokens } = sizesFor(
    list,
    { tokenizer, contextLength, compressionCount },
    { config, tokensOf, beside: session.beside },
  );
  if (planBoundaries(list, { ...boundaries, tokensOf }).type === 'cut') return true;
  const tokens = list.reduce((sum, message) => sum + tokensOf(message), 0);
  return tokens > targetTokens || tokens * estimateSpread > contextLength;
}

/** How far an estimate may lie below the count. */
const estimateSpread = 1.25;

/** A pass that was made ahead. */
export type AheadPass<M> =
  | {
      readonly type: 'ready';
      readonly result: CompressionResult;
      /** The smaller list; the pass counts from now on. For what came behind the messages since, it changes nothing. */
      take(): readonly M[];
    }
  /** Nothing to do, or no model to do it; the policy knows. */
  | { readonly type: 'nothing'; readonly result: CompressionResult };

/** How a pass is made ahead. */
export interface AheadCall extends EngineCall {
  /** Takes the report of every answered call of a model as it comes. */
  readonly onCall?: (report: SummaryCallReport) => void;
}

/**
 * A pass whose effect waits until it is taken. Ahead of the threshold only what a model wrote is worth a new context;
 * from there on what the ledger wrote in its place will do, as in any pass.
 */
export async function passAhead<M>(
  { session, codec }: PassOwner<M>,
  messages: readonly M[],
  call: AheadCall,
): Promise<AheadPass<M>> {
  const tokenizer = await session.tokenizer();
  call.signal?.throwIfAborted();
  const decoded = codec.decode(messages);
  const current = call.currentTokens ?? 0;
  const now = (): number => session.reading(0).now;
  const isEarly = current < session.state.thresholdTokens;
  const result = await compressOnce(session, decoded, { ...call, tokenizer });
  const { status, failure } = result;
  if (status !== 'compressed' || (failure && isEarly)) {
    session.send({ type: 'started', now: now() });
    session.send({ type: 'failed', now: now(), kind: failure?.kind ?? 'nothing' });
    return { type: 'nothing', result };
  }
  const take = (): readonly M[] => {
    session.send({ type: 'started', now: now() });
    session.last = result;
    session.state.compressionCount++;
    keepOriginals(session, messages, result);
    session.send(passEvent(result, { now: now(), current }));
    session.isStale = true;
    return encoded(session.record(tokenizer), codec, { messages, decoded, result });
  };
  return { type: 'ready', result, take };
}

function compressOnce<M>(
  session: CompressorSession<M>,
  decoded: readonly Message[],
  { tokenizer, focusTopic, signal, onCall }: AheadCall & { readonly tokenizer: Tokenizer },
): Promise<CompressionResult> {
  const { state, config } = session;
  const record = session.record(tokenizer);
  const options: CompressOptions = {
    tokenizer,
    config,
    record,
    contextLength: state.contextLength,
    compressionCount: state.compressionCount,
    pinned: session.pinned(),
    ...(focusTopic === undefined ? {} : { focusTopic }),
    ...(signal === undefined ? {} : { signal }),
    ...(session.keptIn === undefined ? {} : { keptIn: session.keptIn }),
    ...(session.summarizer === undefined || !session.isModelAsked ? {} : { summarizer: session.summarizer }),
    onSummaryProgress: (event) => {
      if (event.type === 'answered') onCall?.(event.report);
      if (event.type !== 'text') session.send({ type: 'alive', now: session.reading(0).now });
    },
  };
  return compressBehind(decoded, options, { prefix: session.prefix, beside: session.beside });
}

interface Pass<M> {
  readonly messages: readonly M[];
  readonly decoded: readonly Message[];
  readonly result: CompressionResult;
}

/** The new list in the host's messages: its own objects where they stay as they are. */
function encoded<M>(record: ConversationRecord, codec: MessageCodec<M>, pass: Pass<M>): readonly M[] {
  const { messages, decoded, result } = pass;
  const source = new Map(decoded.map((message, at) => [message, messages[at]]));
  const rows = result.messages.map((message) => {
    const known = source.get(message);
    return known === undefined ? codec.encode(message) : [known];
  });
  // What comes back is read anew, and may then look different from what was written.
  const places = record.ingest(result.messages);
  record.rememberView(
    rows.flatMap((row) => codec.decode(row)),
    rows.flatMap((row, at) => row.map(() => places[at] ?? -1)),
  );
  return rows.flat();
}

function keepOriginals<M>(session: CompressorSession<M>, messages: readonly M[], result: CompressionResult): void {
  for (const { ref, at } of result.fates) {
    const original = messages[at];
    // What comes back later under the same number is a shortened form: the first one is the original.
    if (original === undefined || ref === refAt(nowhere) || session.originals.has(ref)) continue;
    session.originals.set(ref, original);
  }
}

interface PassContext {
  readonly now: number;
  /** Tokens of the whole request as the host knows them; 0 when it does not. */
  readonly current: number;
}

function passEvent(result: CompressionResult, { now, current }: PassContext): PolicyEvent {
  const { failure } = result;
  if (result.status !== 'compressed') return { type: 'failed', now, kind: failure?.kind ?? 'nothing' };
  // What the request holds beside the messages (tools) cannot be compressed and counts as not saved.
  const rest = Math.max(0, current - result.before.total);
  const before = { messages: result.fates.length, tokens: result.before.total + rest };
  const after = { messages: result.messages.length, tokens: result.after.total + rest };
  const finished = { type: 'finished', now, savedShare: savedShare(before, after) } as const;
  return { ...finished, progress: madeProgress(before, after), ...(failure ? { failure: failure.kind } : {}) };
}
