/** How much of one text another one says again: by the words that tell what it is about. */
import { requestStopWords } from '../../language/languages.ts';

const wordChars = 1_000;

/** The share of the telling words of one text that another has; pairs of signs in scripts without spaces. */
export const shareOfWords = (text: string, other: string): number => shareOf(tellingWords(text), tellingWords(other));

/** The share of some words that stand among others. */
export function shareOf(own: ReadonlySet<string>, others: ReadonlySet<string>): number {
  const shared = [...own].filter((word) => others.has(word)).length;
  return own.size === 0 ? 0 : shared / own.size;
}

/** The words of a text that tell what it is about. */
export function tellingWords(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of text
    .slice(0, wordChars)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}_]+/gu)) {
    const isWide = /[\u3040-\ud7af]/.test(word);
    if (isWide) for (let at = 0; at + 2 <= word.length; at++) words.add(word.slice(at, at + 2));
    else if (word.length > 3 && !requestStopWords.has(word)) words.add(word);
  }
  return words;
}
