/**
 * Acts that cannot be taken back, or that take a safeguard away, under one name each in four languages: a request for
 * one of them is no paraphrase of words that name none.
 */

import { type Act, type ActWords, actWords } from '../../language/concepts.ts';
import { masked } from './words/quotes.ts';

const at = (english: string, wide: string, flags: string): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${english})|${wide}`, flags);

// The keys of the table are acts, which Object.entries forgets.
const patterns = (Object.entries(actWords) as [Act, ActWords][]).map(([act, { english, wide, hints }]) => ({
  act,
  named: at(english, wide, 'giu'),
  meant: at(`${english}|${hints}`, wide, 'iu'),
}));

export interface Named {
  readonly acts: readonly Act[];
  /** The text with blanks in place of the words that name them. */
  readonly rest: string;
}

/** The acts that a line names outside quotations and code, and what else it says. */
export function actsNamed(line: string): Named {
  const text = masked(line);
  const acts = new Set<Act>();
  let rest = line;
  for (const { act, named } of patterns)
    for (const { 0: word, index } of text.matchAll(named)) {
      acts.add(act);
      rest = rest.slice(0, index) + ' '.repeat(word.length) + rest.slice(index + word.length);
    }
  return { acts: [...acts], rest };
}

/** The acts that a text names or leads to: whoever said it may have asked for them. */
export const actsMeant = (text: string): ReadonlySet<Act> =>
  new Set(patterns.flatMap(({ act, meant }) => (meant.test(text) ? [act] : [])));
