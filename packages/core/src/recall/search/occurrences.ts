/** Where in a message the terms of a query stand. */
import { type Field, searchFields } from '../../store/terms/fields.ts';
import { longestIndexed } from '../../store/terms/index-terms.ts';
import { type Interest, interestIn } from '../../store/terms/interest.ts';
import { scanTerms } from '../../store/terms/scan.ts';
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

/** Longer texts are read up to here, and on to what the index has of them only where nothing is found before. */
const longestRead = 200_000;

/** Terms to look for, each with its place in the list of them. */
export interface Sought {
  readonly places: ReadonlyMap<string, number>;
  readonly interest: Interest;
}

/** Prepares terms to be looked for. */
export const sought = (terms: readonly string[]): Sought => ({
  places: new Map(terms.map((term, i) => [term, i])),
  interest: interestIn(terms),
});

/** Reads a message for some terms. */
export function readFor(message: Message, terms: Sought): Reading {
  const fields = searchFields(message);
  const reading = readTo(longestRead, fields, terms);
  const isAll = fields.every(({ text }) => text.length <= longestRead);
  return isAll || reading.occurrences.length > 0 ? reading : readTo(longestIndexed, fields, terms);
}

function readTo(end: number, fields: readonly Field[], { places, interest }: Sought): Reading {
  const occurrences: Occurrence[] = [];
  let words = 0;
  fields.forEach(({ text, name }, field) => {
    const scan = scanTerms(text.slice(0, end), interest);
    for (let i = 0; i < scan.terms.length; i++) {
      const term = places.get(scan.terms[i] ?? '');
      if (term === undefined) continue;
      const place = { start: scan.starts[i] ?? 0, end: scan.ends[i] ?? 0, ordinal: words + (scan.ordinals[i] ?? 0) };
      occurrences.push({ term, field, ...place });
    }
    if (name !== 'speaker') words += scan.words;
  });
  return { fields, occurrences, words };
}
