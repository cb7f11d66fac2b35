/** The terms of one word or name. */
import { fold } from './fold.ts';
import { stem } from './stem.ts';
import { hasDigit, hasLetter, hasLower } from './walk.ts';

/** What a term stands for. */
export const termKinds = {
  /** A word: its stem, or as it is written where it is no English word. */
  word: 0,
  /** A whole name of several words, such as a path, an identifier or an address. */
  name: 1,
  /** A character of a script without spaces. */
  character: 2,
  /** Two such characters that stand side by side. */
  pair: 3,
} as const;

/** What is known of a word from its characters. */
export interface WordShape {
  /** Classes of its characters, one bit each. */
  readonly seen: number;
  readonly turns: number;
}

/** Takes a term, its kind, and its place in the word. */
export type TermOf = (term: string, kind: number, place: { readonly start: number; readonly end: number }) => void;

/** Tells the terms of a word: its pieces where it mixes cases, then the word itself. */
export function termsOfWord(raw: string, { seen, turns }: WordShape, tell: TermOf): void {
  const whole = { start: 0, end: raw.length };
  if (seen === hasLower) {
    tell(stem(raw), termKinds.word, whole);
    return;
  }
  const isEncoded = raw.length > 24 && turns > 3 && (seen & hasDigit) !== 0;
  if (turns > 0 && (seen & hasLetter) === 0 && !isEncoded) piecesOf(raw, tell);
  const folded = (seen & hasLetter) === 0 ? raw.toLowerCase() : termOfName(raw);
  if (folded === '') return;
  const isWord = (seen & hasDigit) === 0 && (seen & hasLetter) === 0;
  const kind = turns > 0 ? termKinds.name : termKinds.word;
  tell(isWord || /^[a-z]+$/.test(folded) ? stem(folded) : folded, kind, whole);
}

/** What may stand in no term: only what the index divides by nothing. */
const divides = /[^\w\-./\\:@#+~&=?%$\u0080-\u{10ffff}]|\s/gu;

/** The term of a whole name; empty without one. Some letters have forms with a space or brackets in them. */
export const termOfName = (raw: string): string => withoutDividers(fold(raw));

const withoutDividers = (term: string): string => (term.search(divides) < 0 ? term : term.replaceAll(divides, ''));

/** `readFile` → read, file; `HTTPServer` → http, server. A piece of one letter says nothing. */
function piecesOf(raw: string, tell: TermOf): void {
  for (const piece of raw.matchAll(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z]+\d*|\d+/g)) {
    const [text] = piece;
    if (text.length < 2 || text.length === raw.length) continue;
    const term = text.toLowerCase();
    const place = { start: piece.index, end: piece.index + text.length };
    tell(/\d/.test(term) ? term : stem(term), termKinds.word, place);
  }
}
