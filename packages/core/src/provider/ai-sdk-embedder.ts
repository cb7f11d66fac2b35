/** Embedding models of the AI SDK, of any provider or of a server that speaks `/embeddings`, behind our port. */
import type { Embedder } from '../recall/vectors/embedder.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { checkKnownOptions } from '../shared/options/known-options.ts';

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
