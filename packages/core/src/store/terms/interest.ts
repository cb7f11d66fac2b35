/** Tells at a glance that a word is none of some terms, so that a text is searched much faster than it is indexed. */
import { fold } from './fold.ts';
import { irregularForms } from './irregular.ts';
import { stem } from './stem.ts';

/** Marks by the first two characters of the words that may become a wanted term. */
export type Interest = Uint8Array;

const size = 4_096;

/** The mark of a word by its first two code units, in lower case; 0 for a missing one. */
export const markOf = (first: number, second: number): number => (lowered(first) * 31 + lowered(second)) & (size - 1);

const lowered = (code: number): number => (code >= 65 && code <= 90 ? code + 32 : code);

/** Interest in some terms. Words with letters beyond ASCII, and those that mix cases, are always looked at. */
export function interestIn(terms: Iterable<string>): Interest {
  const marks: Interest = new Uint8Array(size);
  const wanted = new Set(terms);
  const note = (word: string): void => {
    marks[markOf(word.charCodeAt(0), word.length > 1 ? word.charCodeAt(1) : 0)] = 1;
    // A pair is noticed by its first character, wherever the second one is.
    marks[markOf(word.charCodeAt(0), 0)] = 1;
  };
  for (const term of wanted) note(fold(term));
  for (const term of wanted) note(term);
  for (const [form, base] of irregularForms) if (wanted.has(stem(base))) note(form);
  return marks;
}
