/** Whether a message has, word for word, what a query requires. */
import type { Field } from '../../store/terms/fields.ts';
import { fold } from '../../store/terms/fold.ts';
import { stem } from '../../store/terms/stem.ts';
import type { Leaf, Requirement } from './query.ts';

/** The texts of a message, prepared once for any number of questions. */
export interface PlainTexts {
  /** In lower case, with single spaces. */
  readonly texts: readonly string[];
  /** Stems and single characters of each text, divided and surrounded by spaces; made when first needed. */
  units(at: number): string;
}

/** Prepares the texts of a message. */
export function plainTexts(fields: readonly Field[]): PlainTexts {
  const texts = fields.map(({ text }) => plain(text));
  const units: (string | undefined)[] = [];
  return {
    texts,
    units(at) {
      const known = units[at] ?? ` ${unitsOf(texts[at] ?? '').join(' ')} `;
      units[at] = known;
      return known;
    },
  };
}

const plain = (text: string): string => fold(text).replaceAll(/\s+/g, ' ').trim();

/** True when the texts have what is required. */
export function fulfils(texts: PlainTexts, requirement: Requirement): boolean {
  switch (requirement.type) {
    case 'and':
      return requirement.of.every((one) => fulfils(texts, one));
    case 'or':
      return requirement.of.some((one) => fulfils(texts, one));
    case 'not':
      return !fulfils(texts, requirement.of);
    case 'word':
    case 'phrase':
    case 'prefix':
      return holds(texts, requirement);
  }
}

function holds(texts: PlainTexts, { type, text }: Leaf): boolean {
  const needle = plain(text);
  const isName = type === 'word' && (/[^\p{L}\p{N}\p{M}]/u.test(trimmed(needle)) || isDense(needle));
  if (type === 'prefix' || isName) {
    const wanted = type === 'prefix' ? needle : trimmed(needle);
    return texts.texts.some((one) => hasAt(one, wanted, { wholeEnd: type !== 'prefix' }));
  }
  const words = unitsOf(needle);
  const sequence = ` ${words.join(' ')} `;
  return words.length > 0 && texts.texts.some((one, at) => isLike(one, needle) && texts.units(at).includes(sequence));
}

/** A quick look that spares most texts the slow one: whether words that begin like these stand in a row. */
function isLike(text: string, needle: string): boolean {
  const starts = (needle.match(/[\p{L}\p{N}]+/gu) ?? [])
    .slice(0, 4)
    .map((word) => word.slice(0, Math.max(1, word.length - 3)));
  let from = 0;
  const [first = ''] = starts;
  for (let at = text.indexOf(first, from); at >= 0; at = text.indexOf(first, from)) {
    if (starts.every((start, i) => i === 0 || text.slice(at, at + reach * (i + 1)).includes(start))) return true;
    from = at + 1;
  }
  return false;
}

/** Characters of a word with what stands around it, generously. */
const reach = 80;

/** Without the punctuation that a sentence puts around a name; what a name begins with is part of it. */
const trimmed = (text: string): string => text.replace(/[\s.,;:!?'"、。，！？)\]}]+$/u, '').replace(/^['"([{]+/, '');

const wordCharacter = /[\p{L}\p{N}]/u;

/** True when a text stands in another one, not in the middle of a word. */
function hasAt(text: string, wanted: string, { wholeEnd }: { readonly wholeEnd: boolean }): boolean {
  if (wanted === '') return false;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    if (isEdge(text, at) && (!wholeEnd || isEdge(text, end))) return true;
  }
  return false;
}

/** True where a word may begin or end: not between two characters of one word. */
function isEdge(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  const after = text.charAt(at);
  if (!wordCharacter.test(before) || !wordCharacter.test(after)) return true;
  return denseCharacter.test(before) || denseCharacter.test(after);
}

/** Scripts without spaces, as `store/terms` knows them: each character is a word. */
const dense =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Bopomofo}ー々\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\p{Extended_Pictographic}';
const denseCharacter = new RegExp(`(?![\\d#*])[${dense}]`, 'u');
const unit = new RegExp(`(?![\\d#*])[${dense}]|(?:(?![${dense}])[\\p{L}\\p{M}]|\\p{N})+`, 'gu');

/** True for a text of a script without spaces alone. */
const isDense = (text: string): boolean =>
  text !== '' && [...text].every((character) => denseCharacter.test(character));

/** Stems of words, and single characters. */
const unitsOf = (text: string): readonly string[] =>
  (text.match(unit) ?? []).map((one) => (/^[a-z]+$/.test(one) ? stem(one) : one));
