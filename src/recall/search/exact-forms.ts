/**
 * Words as they were typed, where the index only knows their stems: who asks for "Wells" means neither "well" nor "welling".
 * How much rarer the form is than its stem is told by the messages that were read.
 */
import { fold } from '../../store/terms/fold.ts';
import { scanTerms, termKinds } from '../../store/terms/scan.ts';
import type { Reading } from './occurrences.ts';
import type { Query } from './query.ts';
import type { WantedTerm } from './wanted-terms.ts';

/** By the place of a wanted term, the form of the word that was typed. */
export type TypedForms = ReadonlyMap<number, string>;

/** In a longer query the words explain each other, and any form of them will do. */
const mostWords = 3;

/** The forms that count: of words whose stem is another text. */
export function typedForms({ leaves }: Query, wanted: readonly WantedTerm[]): TypedForms {
  const forms = new Map<number, string>();
  if (leaves.length > mostWords) return forms;
  const places = new Map(wanted.map(({ term }, at) => [term, at]));
  for (const { text } of leaves) {
    const { terms, kinds, starts, ends } = scanTerms(text);
    for (const [i, term] of terms.entries()) {
      const at = places.get(term);
      const form = fold(text.slice(starts[i], ends[i]));
      if (at !== undefined && kinds[i] === termKinds.word && form !== term) forms.set(at, form);
    }
  }
  return forms;
}

/** What each message has more for the typed forms in it: their rarity among the messages with the same stem. */
export function exactScores(
  readings: readonly Reading[],
  { forms, wanted }: { readonly forms: TypedForms; readonly wanted: readonly WantedTerm[] },
): readonly number[] {
  const scores = readings.map(() => 0);
  for (const [at, form] of forms) {
    const stems = readings.filter(({ occurrences }) => occurrences.some(({ term }) => term === at)).length;
    const exact = readings.map((reading) => hasForm(reading, at, form));
    const count = exact.filter(Boolean).length;
    if (count === 0 || count === stems) continue;
    const worth = (wanted[at]?.weight ?? 0) * Math.log(stems / count);
    exact.forEach((isExact, i) => {
      if (isExact) scores[i] = (scores[i] ?? 0) + worth;
    });
  }
  return scores;
}

/** True for a message with one of the typed forms. */
export const hasTypedForm = (reading: Reading, forms: TypedForms): boolean =>
  [...forms].some(([at, form]) => hasForm(reading, at, form));

const hasForm = ({ fields, occurrences }: Reading, at: number, form: string): boolean =>
  occurrences.some(
    ({ term, field, start, end }) => term === at && fold(fields[field]?.text.slice(start, end) ?? '') === form,
  );
