/** Whose tokens are counted, by a name. */
import { type EncodingName, exactTokenizer, loadEncoding, type Tokenizer, tokenizerFor } from '@palimpsest/core';

const encodings: readonly EncodingName[] = ['o200k_base', 'cl100k_base'];

/** The tokenizer of an encoding or a model; for a model whose own is not public, an estimate. */
export async function tokenizerOf(name: string): Promise<Tokenizer> {
  const encoding = encodings.find((one) => one === name);
  return encoding ? exactTokenizer(await loadEncoding(encoding)) : tokenizerFor(name);
}
