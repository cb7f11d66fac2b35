/** A text read for one attribute: where its words stand, and the values beside them. */
import { type Attribute, frameWords, nameTitles } from '../../language/attributes.ts';
import { lightWords } from '../../language/light-words.ts';
import { type FoundValue, knownValues, unsureCount } from './known-values.ts';
import { commandsIn, valuesOf } from './values.ts';
import { wordsOf } from './words.ts';

/** Who the entries are about. */
export interface Reader {
  /** What the person is called. */
  readonly person?: string;
}

/** What a command that runs tests is called. */
const testNames = /(?<![a-z])(?:\w*test\w*|check|verify|spec)(?![a-z])/i;

/** A text, and what it is read for. */
export interface Place {
  readonly attribute: Attribute;
  readonly text: string;
  /** The words of the attribute in the text. */
  readonly words: readonly Span[];
  readonly reader: Reader;
}

/** The values of the attribute in the text. */
export function foundValues(place: Place): readonly FoundValue[] {
  const { attribute, text, words } = place;
  switch (attribute.value) {
    case 'known':
      return knownValues(attribute.id, text, words.length > 0 || unsureCount(attribute.id, text) > 1);
    case 'command': {
      const commands = commandsIn(text);
      return commands.filter(({ value }) => words.length > 0 || testNames.test(value));
    }
    case 'words':
      return words.length > 0 ? restWords(place) : [];
    default:
      return words.length > 0 ? candidates(place) : [];
  }
}

function candidates(place: Place): readonly FoundValue[] {
  const { attribute, text } = place;
  if (attribute.value === 'known' || attribute.value === 'words') return [];
  const frame = frameOf(place);
  const found = valuesOf(attribute.value, text, (start, end) =>
    frame.some((span) => span.start <= start && end <= span.end),
  );
  if (attribute.value !== 'person') return found;
  const titled = found.filter(({ end }) => nameTitles.test(text.slice(end)));
  if (titled.length > 0) return titled;
  const full = found.filter(({ value }) => value.includes(' '));
  return full.length > 0 ? full : found;
}

/** All that is said beside the frame: what makes one style differ from another. */
function restWords(place: Place): readonly FoundValue[] {
  const frame = frameOf(place);
  const rest = [
    ...place.text.matchAll(
      /[\p{Script=Han}\p{Script=Katakana}ー]+|[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Hangul}\p{M}\d]+/gu,
    ),
  ].filter(({ 0: word, index }) => !frame.some((span) => span.start <= index && index + word.length <= span.end));
  const value = rest
    .map(([word]) => word.toLowerCase())
    .sort()
    .join(' ');
  const first = rest[0]?.index ?? 0;
  return value === '' ? [] : [{ value, start: first, end: first + 1 }];
}

/** The terms of the words that are neither of the attribute nor a value nor of the frame. */
export function restOf(place: Place, found: readonly FoundValue[]): readonly string[] {
  const own = place.attribute.beside;
  const beside = [...matches(lightWords, place.text), ...(own ? matches(own, place.text) : [])];
  const known = [...frameOf(place), ...beside, ...found];
  return wordsOf(place.text)
    .filter(({ isFrame, start, end }) => !isFrame && !known.some((span) => span.start < end && start < span.end))
    .map(({ term }) => term);
}

/** A stretch of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

function frameOf({ text, words, reader }: Place): readonly Span[] {
  const person = reader.person ? [...text.matchAll(new RegExp(escapeOf(bareName(reader.person)), 'giu'))] : [];
  const own = person.map(({ 0: match, index }) => ({ start: index, end: index + match.length }));
  return [...words, ...matches(frameWords(), text), ...own];
}

/** All places where a pattern matches. */
export const matches = (pattern: RegExp, text: string): readonly Span[] =>
  [...text.matchAll(pattern)].map(({ 0: match, index }) => ({ start: index, end: index + match.length }));

/** The text without what stands between backquotes. The same length, so that places stay where they are. */
export const withoutCode = (text: string): string => text.replaceAll(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));

const endTitle = new RegExp(`(?:${nameTitles.source.slice(1)})$`, 'u');

/** A name without its title. */
export const bareName = (name: string): string => name.replace(endTitle, '');

const escapeOf = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
