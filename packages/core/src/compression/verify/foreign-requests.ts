/** Requests told in another language than the user's: what of them can be compared has to be borne out. */

import type { Act } from '../../language/concepts.ts';
import { europeanUserWords } from '../../language/languages.ts';
import type { Context } from './context.ts';
import { isActGrounded } from './grounds.ts';
import { mostOf, requestChecking, type Weighed } from './request-words.ts';
import type { Source } from './source.ts';
import { type Language, languageOf } from './words/language.ts';
import { codeIn } from './words/quotes.ts';

/** What the user said in another language than the summary's cannot be told by its words. */
export function isForeign(rest: string, { source }: Context, sentence: string = rest): boolean {
  const language = europeanUserWords.test(sentence) ? 'other' : languageOf(rest);
  const known = spokenIn(source);
  return known.size > 0 && !known.has(language) && !(language === 'other' && known.has('en'));
}

const spoken = new WeakMap<Source, ReadonlySet<Language>>();

/** The languages that persons write in; remembered. */
function spokenIn(source: Source): ReadonlySet<Language> {
  const known =
    spoken.get(source) ?? new Set([...source.persons.values()].map((text) => languageOf(text.slice(0, 2_000))));
  spoken.set(source, known);
  return known;
}

export interface Told {
  readonly words: readonly Weighed[];
  readonly rest: string;
  /** A choice or consent: what it is about is said by others. */
  readonly isBrief: boolean;
  readonly acts: readonly Act[];
}

export function isBorneOut(told: Told, context: Context): boolean {
  // Names and the words of every language tell where to look for the acts.
  const alike = told.words.filter(({ word }) => nameShape.test(word) || word.startsWith('~'));
  if (told.acts.length > 0 && !isActGrounded({ words: alike, acts: told.acts }, context)) return false;
  return /[a-z]/i.test(told.rest) && languageOf(told.rest) === 'en'
    ? isBorneOutInEnglish(told, context)
    : isBorneOutAbroad(told, context);
}

/** Written so that it can be no word of the language around it. */
const nameShape = /\d|[a-z][./_:-][a-z]|^-/;
/** Agents that wrote this many passages in English would have used the words of the request. */
const englishPassages = 30;

/** In English every word is in Latin letters: names are told by their shape, words by what the agent says. */
function isBorneOutInEnglish({ words, rest }: Told, context: Context): boolean {
  const { source } = context;
  const names = words.filter(({ word }) => nameShape.test(word));
  if (names.some(({ word }) => source.passagesWith(word).length === 0)) return false;
  if (names.some(({ word }) => isOfUserSide(word, source))) return true;
  if (capitals(rest).some((word) => !isSaid(word, source))) return false;
  const plain = words.filter(({ word }) => !nameShape.test(word));
  if (plain.length < requestChecking.leastWords || !speaksEnglish(source)) return true;
  return (mostOf(plain, context)?.share ?? 0) >= requestChecking.related;
}

const speakers = new WeakMap<Source, boolean>();

function speaksEnglish(source: Source): boolean {
  const known = speakers.get(source);
  if (known !== undefined) return known;
  let count = 0;
  for (let at = 0; at < source.passages && count < englishPassages; at++) {
    if (source.speakerOf(at) === 'agent' && languageOf(source.text(at)) === 'en') count++;
  }
  speakers.set(source, count >= englishPassages);
  return count >= englishPassages;
}

/** Names in the middle of a sentence. */
const capitals = (rest: string): readonly string[] =>
  [...rest.matchAll(/(?<=[\p{L}\p{N},;)] )(\p{Lu}[\p{L}\p{N}]{2,})/gu)].map((match) => (match[1] ?? '').toLowerCase());

const isSaid = (word: string, source: Source): boolean => source.textSearch(word).length > 0;

/** Words of the line that mean the same in every language, this many in one passage, tell of the same thing. */
const togetherLeast = 2;
/** Beside one such word, more than this many pairs of letters tell of something else. */
const mostOthers = 8;

/** Latin words and names are compared as they are, of Han, kana and hangul only the words of every language. */
function isBorneOutAbroad({ words, rest, isBrief }: Told, context: Context): boolean {
  const { source } = context;
  const names = words.filter(({ word }) => /^[a-z0-9-][\w./:@-]*$/.test(word) && !/^\d{1,2}$/.test(word));
  const concepts = words.filter(({ word }) => word.startsWith('~'));
  const others = words.length - names.length - concepts.length;
  if (names.length > 0) {
    if (names.some(({ word }) => source.passagesWith(word).length === 0)) return false;
    if (names.some(({ word }) => isOfUserSide(word, source))) return true;
    if (codeIn(rest).length > 0 && isBrief) return true;
    // A name that only others say: they have to say it beside something else of the line.
    return names.length > 1 || togetherIn([...names, ...concepts], source) >= togetherLeast;
  }
  const together = togetherIn(concepts, source);
  return together >= togetherLeast || (together === 1 && concepts.length === 1 && others <= mostOthers);
}

/** A user's side: a person, or a program in the user's place. */
function isOfUserSide(word: string, source: Source): boolean {
  return source.passagesWith(word).some((at) => {
    const speaker = source.speakerOf(at);
    return speaker === 'person' || speaker === 'host';
  });
}

/** How many of the words one passage has, or one message of a person. */
function togetherIn(words: readonly Weighed[], source: Source): number {
  const counts = new Map<string, number>();
  for (const { word } of words) {
    const places = new Set<string>();
    for (const at of source.passagesWith(word)) {
      if (source.speakerOf(at) === 'result') continue;
      places.add(source.speakerOf(at) === 'person' ? `m${source.messageOf(at)}` : `${at}`);
    }
    for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values());
}
