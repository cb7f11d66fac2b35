/** Makes one pattern of the words of several languages. */

const letters = '\\p{Script=Latin}\\p{Script=Cyrillic}\\d';

/** A word of katakana begins where none stands before it: レビュー is no part of プレビュー. */
const wideWord = (word: string): string =>
  /^[\u30a1-\u30fa]/.test(word) ? `(?<![\\u30a1-\\u30fa\\u30fc])${word}` : word;

/** Whole words of alphabets, and words of scripts that are written without spaces; each string is a list with `|`. */
export const anyWord = (narrow: readonly string[], wide: readonly string[]): RegExp =>
  new RegExp(
    `(?<![${letters}])(?:${narrow.join('|')})(?![${letters}])|${wide
      .flatMap((words) => words.split('|'))
      .map(wideWord)
      .join('|')}`,
    'giu',
  );
