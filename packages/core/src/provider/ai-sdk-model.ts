/**
 * The language models of the AI SDK, as far as we call them. Their interface has versions (v2, v3 and v4) whose streams
 * differ in a few parts; what comes is read part by part, so that a model of any of them will do.
 */

import type { Embedder } from '../recall/vectors/embed-messages.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { isJsonObject } from '../shared/json.ts';
import { checkKnownOptions } from '../shared/options/known-options.ts';
import { normaliseUsage, type Usage } from '../usage/normalise.ts';

/** What we ask of a model; there is more to each version of the interface. */
export interface AiSdkModel {
  readonly specificationVersion: string;
  /** Such as `openai.responses`. */
  readonly provider: string;
  readonly modelId: string;
  doStream(options: AiSdkCall): PromiseLike<{ readonly stream: ReadableStream<unknown> }>;
}

/** One call in the words of the interface. No limit for the output is ever set: it would cut models that think. */
export interface AiSdkCall {
  prompt: AiSdkMessage[];
  temperature?: number;
  abortSignal?: AbortSignal;
}

export type AiSdkMessage =
  | { role: 'system'; content: string }
  | { role: 'user'; content: { type: 'text'; text: string }[] };

/** Versions whose calls and streams we know. */
export const knownVersions: readonly string[] = ['v2', 'v3', 'v4'];

/**
 * True for a language model of the AI SDK, of whichever version.
 *
 * @example
 * import { openai } from '@ai-sdk/openai';
 * import { isAiSdkModel } from '@palimpsest/core';
 * isAiSdkModel(openai('gpt-5')); // true
 */
export function isAiSdkModel(value: unknown): value is AiSdkModel {
  if (typeof value !== 'object' || value === null) return false;
  // Members of a class are not own members, so the check asks for them one by one.
  const model = value as Partial<AiSdkModel>;
  return (
    typeof model.doStream === 'function' &&
    typeof model.modelId === 'string' &&
    typeof model.provider === 'string' &&
    typeof model.specificationVersion === 'string'
  );
}

/** Why a model stopped; `cut` when the stream broke off or the model failed without saying how. */
export type StopReason = 'stop' | 'length' | 'refusal' | 'other' | 'cut' | 'failed';

/** A part of a stream, as far as a summary needs it. */
export type StreamPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | { readonly type: 'finish'; readonly reason: StopReason; readonly usage?: Usage }
  | { readonly type: 'error'; readonly error: unknown }
  /** It calls a tool. */
  | { readonly type: 'call' }
  /** Something else: the model is alive. */
  | { readonly type: 'sign' };

/** Reads one part of a stream of any version. */
export function streamPart(part: unknown): StreamPart {
  if (!isJsonObject(part)) return { type: 'sign' };
  switch (part.type) {
    case 'text-delta':
      return { type: 'text', text: deltaOf(part) };
    case 'reasoning-delta':
      return { type: 'reasoning', text: deltaOf(part) };
    case 'finish': {
      const usage = usageOf(part);
      return { type: 'finish', reason: stopReason(part.finishReason), ...(usage ? { usage } : {}) };
    }
    case 'error':
      return { type: 'error', error: part.error };
    case 'tool-input-start':
    case 'tool-call':
      return { type: 'call' };
    default:
      return { type: 'sign' };
  }
}

const deltaOf = ({ delta }: Readonly<Record<string, unknown>>): string => (typeof delta === 'string' ? delta : '');

const stopReasons: Readonly<Record<string, StopReason>> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'refusal',
  interrupted: 'cut',
  error: 'failed',
};

/** v2 has a word; later versions have an object with ours and the provider's, which is absent when none came. */
function stopReason(reason: unknown): StopReason {
  const word = isJsonObject(reason) ? reason.unified : reason;
  const known = stopReasons[String(word)];
  if (known) return known;
  const silent = isJsonObject(reason) ? reason.raw === undefined && word === 'other' : word === 'unknown';
  return silent ? 'cut' : 'other';
}

/** The provider's own report where it is there, else what the SDK made of it, which has zeros for what was missing. */
function usageOf(part: Readonly<Record<string, unknown>>): Usage | undefined {
  try {
    const { usage } = part;
    if (!isJsonObject(usage)) return undefined;
    return normaliseUsage(usage.raw) ?? normaliseUsage(metadataUsage(part.providerMetadata)) ?? reportedBySdk(usage);
  } catch {
    // Members of what a provider hands on may throw where they are read: then nothing was reported.
    return undefined;
  }
}

/** v2 has no raw usage, but Anthropic's adapter hands it on beside. */
function metadataUsage(metadata: unknown): unknown {
  const anthropic = isJsonObject(metadata) ? metadata.anthropic : undefined;
  return isJsonObject(anthropic) ? anthropic.usage : undefined;
}

function reportedBySdk(usage: Readonly<Record<string, unknown>>): Usage | undefined {
  const { inputTokens: input, outputTokens: output, cachedInputTokens, reasoningTokens } = usage;
  const [prompt, cacheRead, cacheWrite] = isJsonObject(input)
    ? [input.total, input.cacheRead, input.cacheWrite]
    : [input, cachedInputTokens];
  const [completion, reasoning] = isJsonObject(output) ? [output.total, output.reasoning] : [output, reasoningTokens];
  const inWordsOfCompletions = {
    prompt_tokens: prompt,
    cached_tokens: cacheRead,
    cache_write_tokens: cacheWrite,
    completion_tokens: completion,
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
  return normaliseUsage(inWordsOfCompletions, 'completions');
}

// Embedding models of the AI SDK, of any provider or of a server that speaks `/embeddings`, behind our port.

/** What we ask of a model; there is more to each version of the interface (v2, v3 and v4). */
export interface AiSdkEmbeddingModel {
  readonly specificationVersion: string;
  /** Such as `openai.embedding`. */
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  doEmbed(options: {
    values: string[];
    abortSignal?: AbortSignal;
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
}

/** What the interface does not tell of a model. */
export interface AiSdkEmbedderOptions extends Pick<Embedder, 'scripts' | 'unrelated'> {
  /** The name that its vectors are kept under. @default provider and model, such as `openai.embedding/text-embedding-3-small` */
  readonly name?: string;
}

/** Texts a call, where the model does not say. */
const usualTexts = 32;

/** An embedder that asks a model. It throws what the model throws, and `BAD_OPTION` for an answer without vectors. */
export function aiSdkEmbedder(model: AiSdkEmbeddingModel, options: AiSdkEmbedderOptions = {}): Embedder {
  checkKnownOptions('aiSdkEmbedder', options, { name: true, scripts: true, unrelated: true });
  const { name = `${model.provider}/${model.modelId}`, ...about } = options;
  return {
    name,
    ...about,
    async embed(texts, { signal } = {}) {
      const most = Math.max(1, Math.min((await model.maxEmbeddingsPerCall) ?? usualTexts, usualTexts));
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += most) {
        const values = texts.slice(at, at + most);
        const { embeddings } = await model.doEmbed({ values, ...(signal ? { abortSignal: signal } : {}) });
        if (embeddings.length !== values.length) throw wrongAnswer(name, values.length, embeddings.length);
        vectors.push(...embeddings.map(unitVector));
      }
      return vectors;
    },
  };
}

function unitVector(numbers: readonly number[]): Float32Array {
  const length = Math.hypot(...numbers) || 1;
  return Float32Array.from(numbers, (one) => one / length);
}

function wrongAnswer(name: string, expected: number, got: number): PalimpsestError {
  const message = `Expected ${expected} vectors from ${name}, one for each text, but got ${got}: is it an embedding model?`;
  return new PalimpsestError('BAD_OPTION', message, { evidence: { expected, got } });
}
