/**
 * Words that mean the same in four languages, under one name each: so that a Chinese summary of an English session can
 * be compared with it. Only words of engineering that stand beside numbers and results; names need no translation.
 */
import { concepts } from '../../language/concepts.ts';

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
