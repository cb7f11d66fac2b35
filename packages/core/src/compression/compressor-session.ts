/** What the built-in engine knows while a conversation lasts: its numbers, its policy, its record. */
import { engineState } from '../context/define-engine.ts';
import type { EngineModel } from '../context/engine.ts';
import { type CompressionOptions, resolveCompressionConfig } from '../context/settings.ts';
import { thresholdTokens } from '../context/threshold.ts';
import { checkKnownOptions, type KnownOptions } from '../shared/options/known-options.ts';
import { estimatorFor, type Tokenizer, tokenizerFor } from '../tokens/tokenizer.ts';
import { decide } from './policy/decide.ts';
import { reduce } from './policy/reduce.ts';
import { initialPolicyState, type PolicyEvent, type PolicyState } from './policy/state.ts';
import { type ConversationRecord, createRecord } from './record.ts';
import type { CompressionResult, Ref } from './result.ts';
import { defaultContextLength } from './run.ts';
import type { SummaryPrefix } from './summarize/continued.ts';
import type { Summarizer } from './summarize/summarizer.ts';

export type EngineNumbers = ReturnType<typeof engineState>;

/** The built-in engine while a conversation lasts. */
export interface CompressorSession<M> {
  readonly state: EngineNumbers;
  policy: PolicyState;
  last: CompressionResult | undefined;
  /** The reported prompt is from before a compression and says nothing about the context after it. */
  isStale: boolean;
  lastKnown(): number;
  readonly config: ReturnType<typeof resolveCompressionConfig>;
  readonly summarizer: Summarizer | undefined;
  readonly keptIn: string | undefined;
  /** Messages of the record that a person has pinned. */
  pinned(): readonly Ref[];
  /** The request behind which a summary may be asked for; of one moment. */
  prefix: SummaryPrefix | undefined;
  /** False while the summarizer is left alone. */
  isModelAsked: boolean;
  /** Tokens of every request beside the list. */
  beside: number;
  readonly originals: Map<Ref, M>;
  tokenizer(): Promise<Tokenizer>;
  /** What counts at once: the tokenizer that was given, or an estimate. */
  estimator(): Tokenizer;
  record(tokenizer: Tokenizer): ConversationRecord;
  expand(ref: Ref): M | undefined;
  send(event: PolicyEvent): void;
  reading(promptTokens: number): { now: number; promptTokens: number; thresholdTokens: number };
  decide(promptTokens: number): ReturnType<typeof decide>;
  mayRunAhead(promptTokens: number, share: number): boolean;
  useModel(model: EngineModel): void;
  reset(): void;
}

/** Throws `BAD_CONFIG` and `BAD_OPTION` for options that make no sense. */
export function startSession<M>(options: CompressorOptions, parts: CompressorParts): CompressorSession<M> {
  const config = resolveCompressionConfig(options.config);
  const { now = Date.now, policy = initialPolicyState, keptIn, compressionCount = 0, pinned = () => [] } = parts;
  const state = engineState({ contextLength: options.contextLength ?? defaultContextLength });
  let { model = '' } = options;
  let { record } = parts;
  state.compressionCount = compressionCount;
  state.thresholdTokens = thresholdFor({ ...options, model, contextLength: state.contextLength }, config);
  const session: CompressorSession<M> = {
    state,
    config,
    policy,
    last: undefined,
    originals: new Map(),
    isStale: false,
    summarizer: options.summarizer,
    keptIn,
    pinned,
    prefix: undefined,
    isModelAsked: true,
    beside: 0,
    lastKnown: () => (session.isStale ? 0 : state.lastPromptTokens),
    tokenizer: async () => options.tokenizer ?? tokenizerFor(model),
    estimator: () => options.tokenizer ?? estimatorFor(model),
    record: (tokenizer) => (record ??= createRecord({ count: (text) => tokenizer.count(text) })),
    expand: (ref) => session.originals.get(ref),
    send: (event) => {
      session.policy = reduce(session.policy, event);
    },
    reading: (promptTokens) => ({ now: now(), promptTokens, thresholdTokens: state.thresholdTokens }),
    decide: (promptTokens) => {
      session.send({ type: 'tick', now: now() });
      return decide(session.policy, session.reading(promptTokens), config);
    },
    mayRunAhead: (promptTokens, share) => {
      session.send({ type: 'tick', now: now() });
      const early = Math.ceil(state.thresholdTokens * share);
      const { action } = decide(session.policy, { ...session.reading(promptTokens), thresholdTokens: early }, config);
      // The one pass of a blocked session is for a context that is over its threshold.
      return action === 'compress' || (action === 'probe' && promptTokens >= state.thresholdTokens);
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

function thresholdFor(model: EngineModel, config: CompressorSession<unknown>['config']): number {
  const { contextLength, provider, reservedOutputTokens } = model;
  return thresholdTokens(contextLength, config, {
    model: { id: model.model, ...(provider === undefined ? {} : { provider }) },
    ...(reservedOutputTokens === undefined ? {} : { reservedOutputTokens }),
  });
}

// What the built-in engine is told.

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
  /** A model that writes the summaries; they are verified and completed from the record. @default the ledger alone */
  readonly summarizer?: Summarizer;
}

/** What our own doors say beside it: what an earlier process left, and where the conversation is kept. */
export interface CompressorParts {
  /** Milliseconds since 1970; waits between passes are measured by it. @default Date.now */
  readonly now?: () => number;
  /** The policy's state from an earlier process. @default armed */
  readonly policy?: PolicyState;
  /** What is known of the conversation from an earlier process, and how often it was compressed. @default a new one, 0 */
  readonly record?: ConversationRecord;
  readonly compressionCount?: number;
  /** Where the originals are kept, as `keptIn` of `compress`. @default not said */
  readonly keptIn?: string;
  /** Messages of the record that a person has pinned, asked for at each pass. @default none */
  readonly pinned?: () => readonly Ref[];
}

const known: KnownOptions<CompressorOptions> = {
  model: true,
  provider: true,
  contextLength: true,
  reservedOutputTokens: true,
  config: true,
  tokenizer: true,
  summarizer: true,
};

/** @throws BAD_OPTION for an option that nobody knows */
export function checkCompressorOptions(owner: string, options: CompressorOptions): void {
  checkKnownOptions(owner, options, known);
}
