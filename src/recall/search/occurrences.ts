/** Where in a message the terms of a query stand. */
import { type Field, type FieldName, searchFields } from '../../store/terms/fields.ts';
import { scanTerms, termKinds } from '../../store/terms/scan.ts';
import type { Message } from '../../transcript/message.ts';

/** One place where a term stands. */
export interface Occurrence {
  /** The place of the term in the list of wanted ones. */
  readonly term: number;
  /** The place of its field in the message. */
  readonly field: number;
  readonly start: number;
  readonly end: number;
  /** How many words or pairs of the message stand before it. */
  readonly ordinal: number;
}

/** A message as the scores see it. */
export interface Reading {
  readonly fields: readonly Field[];
  readonly occurrences: readonly Occurrence[];
  /** Words, and pairs of scripts without spaces. */
  readonly words: number;
}

/** Longer texts are read up to here: what is scored must not take longer than what is found. */
const longestRead = 200_000;

/** Reads a message for some terms. */
export function readFor(message: Message, wanted: ReadonlyMap<string, number>): Reading {
  const fields = searchFields(message);
  const occurrences: Occurrence[] = [];
  let words = 0;
  fields.forEach(({ text, name }, field) => {
    const { terms, kinds, starts, ends } = scanTerms(text.slice(0, longestRead));
    for (let i = 0; i < terms.length; i++) {
      const kind = kinds[i];
      if (name !== 'speaker' && (kind === termKinds.word || kind === termKinds.pair)) words++;
      const term = wanted.get(terms[i] ?? '');
      if (term !== undefined)
        occurrences.push({ term, field, start: starts[i] ?? 0, end: ends[i] ?? 0, ordinal: words });
    }
  });
  return { fields, occurrences, words };
}

/** True for a field that a person or a model wrote to be read. */
export const isProse = (name: FieldName): boolean => name === 'said' || name === 'thought';
