/** The port through which everything else counts: exact where the model's encoding is public, estimated elsewhere. */
import { type Encoding, loadEncoding } from './encoding.ts';
import { estimateTextTokens } from './estimate.ts';
import { type Family, familyCallTokens } from './families.ts';
import type { ImageRuleName } from './image-tokens.ts';
import { modelInfo } from './models.ts';

/** Measures texts in tokens of one model family, exactly or by an estimate. */
export interface Tokenizer {
  /** For a person: `o200k_base`, `estimate for claude`, `estimate with a margin`. */
  readonly name: string;
  /** True when `count` counts, false when it estimates. */
  readonly exact: boolean;
  /** How an image is charged. @default 'flat' */
  readonly images?: ImageRuleName;
  /** Tokens around a tool call and its result together, beyond their text. @default 12 */
  readonly callTokens?: number;
  count(text: string): number;
}

/**
 * A tokenizer that counts by an encoding.
 *
 * @example
 * import { exactTokenizer, loadEncoding } from '@palimpsest/core';
 * const tokenizer = exactTokenizer(await loadEncoding('o200k_base'));
 * tokenizer.count('Move the ledgers.');
 */
export function exactTokenizer(encoding: Encoding, images: ImageRuleName = 'openai-tiles'): Tokenizer {
  return { name: encoding.name, exact: true, images, count: encoding.count };
}

/**
 * A tokenizer that estimates, for models whose own is not public.
 *
 * @example
 * import { estimatingTokenizer, messageTokens, type Message } from '@palimpsest/core';
 * const message: Message = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] };
 * messageTokens(message, estimatingTokenizer('claude'));
 */
export function estimatingTokenizer(family: Family, images: ImageRuleName = 'flat'): Tokenizer {
  return {
    name: family === 'unknown' ? 'estimate with a margin' : `estimate for ${family}`,
    exact: false,
    images,
    callTokens: familyCallTokens[family],
    count: (text) => estimateTextTokens(text, family),
  };
}

const estimates = new Map<string, Tokenizer>();

/** What counts for a model at once, without a vocabulary that would have to be loaded: always an estimate. */
export function estimatorFor(model: string): Tokenizer {
  const { family = 'unknown', images = 'flat' } = modelInfo(model) ?? {};
  const key = `${family} ${images}`;
  const found = estimates.get(key) ?? estimatingTokenizer(family, images);
  estimates.set(key, found);
  return found;
}

const known = new Map<string, Promise<Tokenizer>>();

/**
 * The tokenizer for a model id; estimating, with a margin, for a model of no known family. The same model, and every
 * model that is counted alike, gets the same object. Throws what `loadEncoding` throws.
 *
 * @example
 * import { tokenizerFor } from '@palimpsest/core';
 * const tokenizer = await tokenizerFor('claude-sonnet-4-5');
 * tokenizer.count('Move the ledgers.');
 */
export function tokenizerFor(model: string): Promise<Tokenizer> {
  const info = modelInfo(model);
  const images = info?.images ?? 'flat';
  const key = `${info?.encoding ?? info?.family ?? 'unknown'} ${images}`;
  const found = known.get(key);
  if (found) return found;
  const made = info?.encoding
    ? loadEncoding(info.encoding).then((encoding) => exactTokenizer(encoding, images))
    : Promise.resolve(estimatingTokenizer(info?.family ?? 'unknown', images));
  known.set(key, made);
  // The caller gets the failure; a later call may succeed.
  made.catch(() => known.delete(key));
  return made;
}
