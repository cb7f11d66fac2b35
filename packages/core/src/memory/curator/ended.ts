/** Which values of a text are so no longer, which it denies, and whether it says more than one thing. */
import {
  clauseEnds,
  fromFollows,
  fromPrecedes,
  goneFollows,
  gonePrecedes,
  oldFollows,
  oldPrecedes,
} from '../../language/changes.ts';
import { opposingWords } from '../../language/negations.ts';
import type { FoundValue } from './known-values.ts';
import type { Place } from './place.ts';
import { contentWords } from './words.ts';

/** What is so no longer. "From" makes something old only where it says to what. */
export function oldOf(text: string, found: readonly FoundValue[]): readonly string[] {
  const old = found.filter(({ start, end }) => isOld(text, start, end));
  const left = found.filter((one) => !old.includes(one));
  const from = left.filter(
    ({ start, end }) => fromFollows.test(text.slice(0, start)) || fromPrecedes.test(text.slice(end)),
  );
  const others = new Set(left.map(({ value }) => value)).size > new Set(from.map(({ value }) => value)).size;
  return [...new Set([...old, ...(others ? from : [])].map(({ value }) => value))];
}

const isOld = (text: string, start: number, end: number): boolean =>
  oldFollows.test(text.slice(0, start)) || oldPrecedes.test(text.slice(end)) || isGone(text, start, end);

/** It is said to be so no longer, whatever came in its place. */
export const isGone = (text: string, start: number, end: number): boolean =>
  goneFollows.test(text.slice(0, start)) || gonePrecedes.test(text.slice(end));

/** Types of which "not on Monday" or "no calls before nine" says what is so; of all others a denied value says nothing. */
const deniable: ReadonlySet<string> = new Set(['weekday', 'time', 'percent', 'words']);

/** The clause with the value denies it. */
export function isDenied({ attribute, text, words }: Place, found: readonly FoundValue[]): boolean {
  if (attribute.of === 'person' && deniable.has(attribute.value)) return false;
  if (attribute.value === 'percent') return false;
  let rest = text;
  for (const { start, end } of [...words, ...found])
    rest = rest.slice(0, start) + '_'.repeat(end - start) + rest.slice(end);
  const clauses = rest.split(/[,;:.!?，、；。：！？](?=\s|$|[^\w\s])|\s[–-]\s/u);
  return clauses.some((clause) => clause.includes('_') && opposingWords.test(clause));
}

/** What a note may say besides before it counts as saying more than one thing: words, or characters of East Asia. */
const mostBeside = { words: 3, characters: 7 } as const;

/** Clauses without the attribute and its values have something of their own to say: several words, or a whole name. */
export function saysMore({ attribute, text, words }: Place, found: readonly FoundValue[]): boolean {
  // A name may be anybody's: only the words show that a clause is about the attribute.
  const own = attribute.value === 'name' ? words : [...words, ...found];
  let beside = 0;
  let start = 0;
  for (const { 0: sign, index } of [...text.matchAll(clauseEnds), { 0: '', index: text.length }]) {
    const [from, to] = [start, index];
    start = index + sign.length;
    if (own.some((span) => span.start < to && from < span.end)) continue;
    const clause = text.slice(from, to);
    const isNamed = attribute.value !== 'person' && /\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u.test(clause);
    if (isNamed && !found.some((value) => value.start >= from && isOld(text, value.start, value.end))) return true;
    beside += contentWords(clause).length;
  }
  return beside > (/[\u3040-\u30ff\u3400-\u9fff]/.test(text) ? mostBeside.characters : mostBeside.words);
}
