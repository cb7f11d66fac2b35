/** The default engine, `compressor`: the contract of `context/engine.ts` over `compress`, with the policy in between. */
import type { CompressionOptions } from '../config/compression.ts';
import { resolveCompressionConfig } from '../config/resolve-compression.ts';
import { defineEngine, engineState, promptTokensOf, takeUsage } from '../context/define-engine.ts';
import type { ContextEngine, CompressOptions as EngineCall, EngineModel } from '../context/engine.ts';
import { thresholdTokens } from '../context/threshold.ts';
import { type Tokenizer, tokenizerFor } from '../tokens/tokenizer.ts';
import type { Message } from '../transcript/message.ts';
import { compress } from './compress.ts';
import { decide } from './policy/decide.ts';
import type { PolicyEvent } from './policy/events.ts';
import { madeProgress, savedShare } from './policy/progress.ts';
import { reduce } from './policy/reduce.ts';
import { initialPolicyState, type PolicyState } from './policy/state.ts';
import { type ConversationRecord, createRecord, nowhere, refAt } from './record.ts';
import type { CompressionResult, Ref } from './result.ts';
import { defaultContextLength } from './sizes.ts';
import type { Summarizer } from './summarize/summarizer.ts';

/** What the built-in engine is told once; everything has a default. */
export interface CompressorOptions {
  /** The model's id: decides how tokens are counted and which threshold applies. @default an unknown model */
  readonly model?: string;
  readonly provider?: string;
  /** The model's window in tokens. @default 200_000 */
  readonly contextLength?: number;
  /** Output tokens that every request reserves inside the window. @default 0 */
  readonly reservedOutputTokens?: number;
  /** Any part of the compression configuration; unknown keys are an error. */
  readonly config?: CompressionOptions;
  /** @default the tokenizer of the model */
  readonly tokenizer?: Tokenizer;
  /** Milliseconds since 1970; waits between passes are measured by it. @default Date.now */
  readonly now?: () => number;
  /** The policy's state from an earlier process. @default armed */
  readonly policy?: PolicyState;
  /** What is known of the conversation from an earlier process, and how often it was compressed. @default a new one, 0 */
  readonly record?: ConversationRecord;
  readonly compressionCount?: number;
  /** A model that writes the summaries; they are verified and completed from the record. @default the ledger alone */
  readonly summarizer?: Summarizer;
  /** Asked once when `summarizer` fails. */
  readonly fallbackSummarizer?: Summarizer;
}

/** The engine, and what a host may look at beside the contract. */
export interface Compressor<M> extends ContextEngine<M> {
  /** The report of the last call of `compress`; undefined before the first. */
  lastResult(): CompressionResult | undefined;
  /** The original of a message that a handoff or a stub names, as it came in; undefined for a number not given. */
  expand(ref: Ref): M | undefined;
  /** The policy's state, for whoever stores it. */
  policyState(): PolicyState;
}

/** How an engine's messages become ours and back. */
export interface MessageCodec<M> {
  /** One message of ours for each. @throws BAD_MESSAGES for what is no message */
  decode(messages: readonly M[]): readonly Message[];
  /** A message that none of the host's stands for. */
  encode(message: Message): readonly M[];
}

const ownMessages: MessageCodec<Message> = { decode: (messages) => messages, encode: (message) => [message] };

/** The default engine over our own messages. @throws BAD_CONFIG, BAD_OPTION for options that make no sense */
export function createCompressor(options: CompressorOptions = {}): Compressor<Message> {
  return compressorOver(ownMessages, options);
}

/** The default engine over messages that a codec turns into ours. */
export function compressorOver<M>(codec: MessageCodec<M>, options: CompressorOptions): Compressor<M> {
  const session = startSession<M>(options);
  const { state } = session;
  const engine = defineEngine<M>({
    name: 'compressor',
    state,
    compress: (messages, call) => runPass({ session, codec }, messages, call ?? {}),
    updateFromResponse(usage) {
      if (promptTokensOf(usage) !== undefined) session.isStale = false;
      takeUsage(state, usage);
      session.send({ ...session.reading(state.lastPromptTokens), type: 'reading', source: 'usage' });
    },
    shouldCompress(promptTokens) {
      const { action } = session.decide(promptTokens ?? session.lastKnown());
      return action === 'compress' || action === 'probe';
    },
    heldBack(promptTokens) {
      const decision = session.decide(promptTokens ?? session.lastKnown());
      return 'advice' in decision ? decision.advice : undefined;
    },
    updateModel: (model) => session.useModel(model),
    onSessionReset: () => session.reset(),
  });
  return Object.defineProperties(
    { ...engine, lastResult: () => session.last, expand: session.expand, policyState: () => session.policy },
    stateGetters(state),
  );
}

type EngineNumbers = ReturnType<typeof engineState>;

/** The spread above has copied the numbers as they were; these read them as they are. */
function stateGetters(state: EngineNumbers): PropertyDescriptorMap {
  const keys = Object.keys(state) as (keyof EngineNumbers)[]; // `engineState` makes exactly these members
  return Object.fromEntries(keys.map((key) => [key, { get: () => state[key], enumerable: true }]));
}

interface Session<M> {
  readonly state: EngineNumbers;
  policy: PolicyState;
  last: CompressionResult | undefined;
  /** The reported prompt is from before a compression and says nothing about the context after it. */
  isStale: boolean;
  lastKnown(): number;
  readonly config: ReturnType<typeof resolveCompressionConfig>;
  readonly summarizers: Pick<CompressorOptions, 'summarizer' | 'fallbackSummarizer'>;
  readonly originals: Map<Ref, M>;
  tokenizer(): Promise<Tokenizer>;
  record(tokenizer: Tokenizer): ConversationRecord;
  expand(ref: Ref): M | undefined;
  send(event: PolicyEvent): void;
  reading(promptTokens: number): { now: number; promptTokens: number; thresholdTokens: number };
  decide(promptTokens: number): ReturnType<typeof decide>;
  useModel(model: EngineModel): void;
  reset(): void;
}

function startSession<M>(options: CompressorOptions): Session<M> {
  const config = resolveCompressionConfig(options.config);
  const now = options.now ?? Date.now;
  const state = engineState({ contextLength: options.contextLength ?? defaultContextLength });
  let { model = '', record } = options;
  state.compressionCount = options.compressionCount ?? 0;
  state.thresholdTokens = thresholdFor({ ...options, model, contextLength: state.contextLength }, config);
  const session: Session<M> = {
    ...{
      state,
      config,
      policy: options.policy ?? initialPolicyState,
      last: undefined,
      originals: new Map(),
      isStale: false,
    },
    summarizers: {
      ...(options.summarizer === undefined ? {} : { summarizer: options.summarizer }),
      ...(options.fallbackSummarizer === undefined ? {} : { fallbackSummarizer: options.fallbackSummarizer }),
    },
    lastKnown: () => (session.isStale ? 0 : state.lastPromptTokens),
    tokenizer: async () => options.tokenizer ?? tokenizerFor(model),
    record: (tokenizer) => (record ??= createRecord({ count: (text) => tokenizer.count(text) })),
    expand: (ref) => session.originals.get(ref),
    send: (event) => {
      session.policy = reduce(session.policy, event, config);
    },
    reading: (promptTokens) => ({ now: now(), promptTokens, thresholdTokens: state.thresholdTokens }),
    decide: (promptTokens) => {
      session.send({ type: 'tick', now: now() });
      return decide(session.policy, session.reading(promptTokens), config);
    },
    useModel: (next) => {
      // First, because it throws for a window that makes no sense, and then nothing has changed.
      state.thresholdTokens = thresholdFor(next, config);
      state.contextLength = next.contextLength;
      model = next.model;
      session.send({ type: 'modelChanged', now: now() });
    },
    reset: () => {
      Object.assign(state, { lastPromptTokens: 0, lastCompletionTokens: 0, lastTotalTokens: 0, compressionCount: 0 });
      record = undefined;
      session.originals.clear();
      session.last = undefined;
      session.isStale = false;
      session.send({ type: 'reset', now: now() });
    },
  };
  return session;
}

function thresholdFor(model: EngineModel, config: Session<unknown>['config']): number {
  const { contextLength, provider, reservedOutputTokens } = model;
  return thresholdTokens(contextLength, config, {
    model: { id: model.model, ...(provider === undefined ? {} : { provider }) },
    ...(reservedOutputTokens === undefined ? {} : { reservedOutputTokens }),
  });
}

/** One pass; the same list object when there was nothing to do. */
async function runPass<M>(
  { session, codec }: { readonly session: Session<M>; readonly codec: MessageCodec<M> },
  messages: readonly M[],
  call: EngineCall,
): Promise<readonly M[]> {
  call.signal?.throwIfAborted();
  const tokenizer = await session.tokenizer();
  call.signal?.throwIfAborted();
  const decoded = codec.decode(messages);
  const now = session.reading(0).now;
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

function compressOnce<M>(
  session: Session<M>,
  decoded: readonly Message[],
  { tokenizer, focusTopic, signal }: EngineCall & { readonly tokenizer: Tokenizer },
): Promise<CompressionResult> {
  const { state, config } = session;
  const record = session.record(tokenizer);
  return compress(decoded, {
    ...{ tokenizer, config, record, contextLength: state.contextLength, compressionCount: state.compressionCount },
    ...(focusTopic === undefined ? {} : { focusTopic }),
    ...(signal === undefined ? {} : { signal }),
    ...session.summarizers,
    onSummaryProgress: (event) => {
      if (event.type !== 'text') session.send({ type: 'alive', now: session.reading(0).now });
    },
  });
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

function keepOriginals<M>(session: Session<M>, messages: readonly M[], result: CompressionResult): void {
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
