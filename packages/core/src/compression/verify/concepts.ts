/**
 * Words and acts that mean the same in four languages, under one name each: so that a Chinese summary of an English
 * session can be compared with it, and a request for an act is no paraphrase of words that name none.
 */

import { type Act, type ActWords, actWords, concepts } from '../../language/concepts.ts';
import { lazily } from '../../shared/lazily.ts';
import { masked } from './words/quotes.ts';

const english = new Map(
  concepts.flatMap(([concept, words]) => words.split(' ').map((word) => [word, concept] as const)),
);
const wide = new Map(
  concepts.flatMap(([concept, , words]) => words.split(' ').map((word) => [word, concept] as const)),
);
const longest = Math.max(...[...wide.keys()].map((word) => word.length));

/** The concept of an English stem, or the stem itself. */
export const conceptOf = (stem: string): string => english.get(stem) ?? stem;

export interface WideConcept {
  readonly concept: string;
  readonly start: number;
  readonly end: number;
}

/** The concepts in a run of Han, kana or hangul, the longest word first at each place. */
export function wideConcepts(run: string): readonly WideConcept[] {
  const found: WideConcept[] = [];
  for (let start = 0; start < run.length; start++) {
    for (let length = Math.min(longest, run.length - start); length > 0; length--) {
      const concept = wide.get(run.slice(start, start + length));
      if (concept === undefined) continue;
      found.push({ concept, start, end: start + length });
      start += length - 1;
      break;
    }
  }
  return found;
}

const at = (english: string, wide: string, flags: string): RegExp =>
  new RegExp(`(?<!\\p{L})(?:${english})|${wide}`, flags);

// The keys of the table are acts, which Object.entries forgets.
const patterns = lazily(() =>
  (Object.entries(actWords) as [Act, ActWords][]).map(([act, { english, wide, hints }]) => ({
    act,
    named: at(english, wide, 'giu'),
    meant: at(`${english}|${hints}`, wide, 'iu'),
  })),
);

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
  for (const { act, named } of patterns())
    for (const { 0: word, index } of text.matchAll(named)) {
      acts.add(act);
      rest = rest.slice(0, index) + ' '.repeat(word.length) + rest.slice(index + word.length);
    }
  return { acts: [...acts], rest };
}

/** The acts that a text names or leads to: whoever said it may have asked for them. */
export const actsMeant = (text: string): ReadonlySet<Act> =>
  new Set(patterns().flatMap(({ act, meant }) => (meant.test(text) ? [act] : [])));
