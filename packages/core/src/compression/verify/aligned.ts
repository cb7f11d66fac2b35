/** Finds a run of words in a text although a few of them were exchanged. */
import { wordsOf } from './words-of.ts';

/**
 * The stretch of the text that has the same words in the same order but for at least one and at most `most` exchanged
 * ones; undefined when there is none. Time in proportion to both lengths multiplied.
 */
export function alignedStretch(words: readonly string[], text: string, most: number): string | undefined {
  const said: { readonly word: string; readonly start: number; readonly end: number }[] = [];
  wordsOf(text, (word, { start, end, isPiece }) => {
    if (!isPiece) said.push({ word, start, end });
  });
  for (let from = 0; from + words.length <= said.length; from++) {
    let wrong = 0;
    for (let i = 0; i < words.length && wrong <= most; i++) if (said[from + i]?.word !== words[i]) wrong++;
    if (wrong === 0 || wrong > most) continue;
    return text.slice(said[from]?.start, said[from + words.length - 1]?.end);
  }
  return undefined;
}
