/** A line of English as words and signs, with the kinds of small words that show what a status word means there. */

import { adverbs, clauseSigns, closers, determiners, prepositions } from '../../../language/english.ts';
import { codeMark, quoteMark } from './quotes.ts';

export interface Token {
  /** Small letters, straight apostrophes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** `wide` is a run of letters of another script, `mark` a code span or a quotation. */
  readonly type: 'word' | 'number' | 'mark' | 'wide' | 'sign';
}

/** Names such as `src/a.ts`, `--fixed` and `isDone` are one word each, so that no part of them is read as a status. */
const tokenShapes = new RegExp(
  [
    `[${codeMark}${quoteMark}]+`,
    String.raw`[@#$~./\\-]*[\p{Script=Latin}\d_]+(?:['’./@#\\&+-]+[\p{Script=Latin}\d_]+)*%?`,
    String.raw`[\u2e80-\u2fff\u3005-\u3007\u3041-\u30ff\u3131-\u318e\u3400-\u9fff\uac00-\ud7a3]+`,
    String.raw`[^\s*]`,
  ].join('|'),
  'gu',
);

/** The tokens of a masked line, without marks of emphasis. Linear. */
export function tokensOf(line: string): readonly Token[] {
  return [...line.matchAll(tokenShapes)].map(({ 0: text, index: start }): Token => {
    const end = start + text.length;
    return { text: text.toLowerCase().replaceAll('’', "'"), start, end, type: typeOf(text) };
  });
}

function typeOf(text: string): Token['type'] {
  if (text.startsWith(codeMark) || text.startsWith(quoteMark)) return 'mark';
  if (/^[#~]?\d[\d.,/]*%?$/.test(text)) return 'number';
  if (/[\p{Script=Latin}\d_]/u.test(text)) return 'word';
  return /^[\u2e80-\ud7a3]/.test(text) && !/^[\u3000-\u3004\u3008-\u303f]/.test(text) ? 'wide' : 'sign';
}

/** A noun that the word before it may describe, or its object: a word of no other kind. */
export const isNoun = (token: Token | undefined): boolean =>
  token?.type === 'word' &&
  !prepositions.has(token.text) &&
  !closers.has(token.text) &&
  !determiners.has(token.text) &&
  !adverbs.has(token.text) &&
  !/ly$|n't$/.test(token.text);

/** Something that a verb can act on. */
export const isObject = (token: Token | undefined): boolean =>
  token !== undefined &&
  (token.type === 'mark' ||
    token.type === 'number' ||
    determiners.has(token.text) ||
    isNoun(token) ||
    /^(?:it|them|all|both)$/.test(token.text));

/** The end of a clause, or of the line. */
export const isSign = (token: Token | undefined): boolean => token === undefined || clauseSigns.has(token.text);
