/** A text as words: what it is about, and what only holds it together. */
import { frameWords } from '../../language/attributes.ts';
import { fold, stem } from '../../store/terms/word-terms.ts';

/** A word of a text: a word of an alphabet, or one character of a script without spaces. */
export interface Word {
  readonly text: string;
  /** Folded and stemmed. */
  readonly term: string;
  readonly start: number;
  readonly end: number;
  /** A number, or a name with digits or signs in it. */
  readonly isValue: boolean;
  /** It holds the text together. */
  readonly isFrame: boolean;
}

const wordPattern =
  /`[^`\n]+`|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}々ー]|(?:https?:\/\/)?[\p{L}\p{M}\p{N}]+(?:[._:\-/@+#&'’=~]+[\p{L}\p{M}\p{N}]+)*(?:\s?%)?/gu;

/** The words of a text in their order. */
export function wordsOf(text: string): readonly Word[] {
  const frames = [...text.matchAll(frameWords())].map(({ 0: match, index }) => ({
    start: index,
    end: index + match.length,
  }));
  return [...text.matchAll(wordPattern)].map(({ 0: word, index }) => ({
    text: word,
    term: termOf(word),
    start: index,
    end: index + word.length,
    isValue: /\d|^`|[._:/@=]/.test(word),
    isFrame:
      /^\p{Script=Hiragana}$/u.test(word) ||
      frames.some(({ start, end }) => start <= index && index + word.length <= end),
  }));
}

const termOf = (word: string): string => {
  if (/^`/.test(word)) return word;
  const folded = fold(word)
    .replaceAll(/\s/g, '')
    .replace(/['’]s$/, '');
  return /^[a-z]+$/.test(folded) ? stem(folded) : folded;
};

/** The terms of the words that carry meaning. */
export const contentWords = (text: string): readonly string[] =>
  wordsOf(text)
    .filter(({ isFrame }) => !isFrame)
    .map(({ term }) => term);
