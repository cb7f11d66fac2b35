/**
 * The public encodings of OpenAI's models, counted exactly and in time that grows with the length of the text,
 * whatever the text is.
 */
import { PalimpsestError } from '../shared/errors.ts';
import { asCount, type TokenCount } from './amount.ts';
import { bpeOf } from './bpe.ts';
import { splitCl100k, splitO200k } from './split.ts';
import { vocabularyOf } from './vocabulary.ts';

export const encodingNames = ['o200k_base', 'cl100k_base'] as const;

/** The encodings whose tokens are counted exactly. */
export type EncodingName = (typeof encodingNames)[number];

/** Special tokens such as `<|endoftext|>` are plain text to all of these, and a lone surrogate is U+FFFD. */
export interface Encoding {
  readonly name: EncodingName;
  /**
   * The number of tokens, equal to that of tiktoken. A single piece (a run without any break) over 8 MiB is merged in
   * stretches of that size, which may cost a token each.
   */
  count(text: string): TokenCount;
  /** The token ids, as tiktoken gives them. */
  encode(text: string): number[];
  /**
   * The longest prefix that has at most `maxTokens` tokens and ends at a character boundary; never more tokens, and in
   * a run of over 4 KiB without any break possibly a few characters fewer. Throws `BAD_OPTION` unless `maxTokens` is a
   * whole number from 0.
   */
  truncate(text: string, maxTokens: number): string;
}

const splitters = { o200k_base: splitO200k, cl100k_base: splitCl100k } as const;

const loading = new Map<EncodingName, Promise<Encoding>>();

/**
 * Loads an encoding, once: the second call gives the same one. Throws `FILE_UNREADABLE` where the rank table was not
 * made.
 */
export function loadEncoding(name: EncodingName): Promise<Encoding> {
  const known = loading.get(name);
  if (known) return known;
  const promise = load(name);
  loading.set(name, promise);
  // The caller gets the failure; a later call may succeed.
  promise.catch(() => loading.delete(name));
  return promise;
}

async function load(name: EncodingName): Promise<Encoding> {
  const bpe = bpeOf(vocabularyOf(await packedRanks(name)), splitters[name]);
  return {
    name,
    count: (text) => asCount(bpe.count(text)),
    encode: bpe.encode,
    truncate(text, maxTokens) {
      if (Number.isSafeInteger(maxTokens) && maxTokens >= 0) return bpe.truncate(text, maxTokens);
      throw new PalimpsestError('BAD_OPTION', `maxTokens must be a whole number from 0, got ${maxTokens}.`, {
        evidence: { maxTokens },
      });
    },
  };
}

async function packedRanks(name: EncodingName): Promise<string> {
  try {
    // Written out, so that a bundler sees both files.
    const module =
      name === 'o200k_base' ? await import('./ranks/o200k_base.data.js') : await import('./ranks/cl100k_base.data.js');
    return module.ranks;
  } catch (cause) {
    throw new PalimpsestError(
      'FILE_UNREADABLE',
      `The rank table of ${name} (tokens/ranks/${name}.data.js) cannot be loaded; in a checkout run \`npm run prepare\`, which makes it.`,
      { evidence: { encoding: name }, cause },
    );
  }
}
