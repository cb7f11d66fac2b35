/** Where in a message the terms of a query stand. */

import type { Candidate } from '../../store/search-index.ts';
import type { Store } from '../../store/store.ts';
import { type Field, longestIndexed, searchFields } from '../../store/terms/index-terms.ts';
import { type Interest, interestIn, scanTerms, termKinds } from '../../store/terms/scan.ts';
import { fold } from '../../store/terms/word-terms.ts';
import type { Message } from '../../transcript/message.ts';
import type { Query } from './query.ts';
import type { WantedTerm } from './wanted-terms.ts';

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

// Words as they were typed, where the index only knows their stems: who asks for "Wells" means neither "well" nor
// "welling". How much rarer the form is than its stem is told by the messages that were read.

/** By the place of a wanted term, the form of the word that was typed. */
export type TypedForms = ReadonlyMap<number, string>;

/** In a longer query the words explain each other, and any form of them will do. */
const mostWords = 3;

/** The forms that count: of words whose stem is another text, and of a single word, which is its own stem, too. */
export function typedForms({ leaves }: Query, wanted: readonly WantedTerm[]): TypedForms {
  const forms = new Map<number, string>();
  if (leaves.length > mostWords) return forms;
  const places = new Map(wanted.map(({ term }, at) => [term, at]));
  for (const { text } of leaves) {
    const { terms, kinds, starts, ends } = scanTerms(text);
    for (const [i, term] of terms.entries()) {
      const at = places.get(term);
      const form = fold(text.slice(starts[i], ends[i]));
      if (at !== undefined && kinds[i] === termKinds.word && (form !== term || leaves.length === 1))
        forms.set(at, form);
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

/** Characters that are looked through for a form; the shortest messages first. */
const mostCharacters = 4_000_000;
/** Messages that are read at once. */
const step = 50;

/** Those of the candidates whose text has one of the typed forms. */
export async function withForms(
  store: Pick<Store, 'messages'>,
  candidates: readonly Candidate[],
  forms: TypedForms,
): Promise<readonly Candidate[]> {
  let characters = 0;
  const chosen = candidates
    .toSorted((a, b) => a.length - b.length)
    .filter(({ length }) => {
      characters += length;
      return characters <= mostCharacters;
    });
  const texts = [...new Set(forms.values())];
  const found: Candidate[] = [];
  for (let at = 0; at < chosen.length; at += step) {
    const some = chosen.slice(at, at + step);
    const stored = await store.messages.views(
      some.map(({ sessionId, position }) => ({ sessionId, from: position, to: position + 1 })),
    );
    for (const [i, { message }] of stored.entries()) {
      const one = some[i];
      if (one && searchFields(message).some(({ text }) => hasWord(fold(text), texts))) found.push(one);
    }
  }
  return found;
}

const letter = /[\p{L}\p{N}_]/u;

/** True where no letter, digit or `_` stands on either side. */
const isAlone = (text: string, start: number, end: number): boolean =>
  !letter.test(text[start - 1] ?? ' ') && !letter.test(text[end] ?? ' ');

/** True where one of the words stands in the text with no letter on either side. */
function hasWord(text: string, words: readonly string[]): boolean {
  return words.some((word) => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (isAlone(text, at, at + word.length)) return true;
    }
    return false;
  });
}

/** True for a message with one of the typed forms. */
export const hasTypedForm = (reading: Reading, forms: TypedForms): boolean =>
  [...forms].some(([at, form]) => hasForm(reading, at, form));

const hasForm = ({ fields, occurrences }: Reading, at: number, form: string): boolean =>
  occurrences.some(({ term, field, start, end }) => {
    if (term !== at) return false;
    const text = fields[field]?.text ?? '';
    // A piece of a name, such as `wells` in `wells_count`, is no word of its own.
    return isAlone(text, start, end) && fold(text.slice(start, end)) === form;
  });
