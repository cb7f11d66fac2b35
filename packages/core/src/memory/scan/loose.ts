/** Words written so that a filter misses them and a reader does not: digits for letters, letters swapped or left out. */
import { keyWords } from '../../language/threat-words.ts';
import { type Folded, foldMarks } from './fold.ts';

const digitLetters: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  8: 'b',
  9: 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '+': 't',
};

/** A word with one letter left out, for each of its letters. */
const shortened = (word: string): readonly string[] =>
  Array.from({ length: word.length }, (_, at) => word.slice(0, at) + word.slice(at + 1));

const keys = keyWords.map(foldMarks);
const known = new Set(keys);

/** Each word that a text may have in place of a key word, after one letter is left out of either. */
const near = new Map(keys.flatMap((key) => [key, ...shortened(key)].map((form) => [form, key] as const)));

const words = /[\p{L}\d@$!+]{5,24}/gu;

/**
 * The text with key words in place of those that are one mistake away from them, units kept in their places; undefined if
 * there is none. Linear: a word has no more forms than letters.
 */
export function readLoosely({ text, places }: Folded): Folded | undefined {
  const units: string[] = [];
  const at: number[] = [];
  let from = 0;
  for (const { 0: word, index } of text.matchAll(words)) {
    const meant = keyWordOf(word);
    if (meant === undefined) continue;
    for (let i = from; i < index; i++) {
      units.push(text[i] ?? '');
      at.push(places[i] ?? 0);
    }
    for (let i = 0; i < meant.length; i++) {
      units.push(meant[i] ?? '');
      at.push(places[index + Math.min(i, word.length - 1)] ?? 0);
    }
    from = index + word.length;
  }
  if (from === 0) return undefined;
  for (let i = from; i < text.length; i++) {
    units.push(text[i] ?? '');
    at.push(places[i] ?? 0);
  }
  return { text: units.join(''), places: at.concat(places.at(-1) ?? 0) };
}

/** What a word stands for, if it is not written as it should be. */
function keyWordOf(word: string): string | undefined {
  const hasSigns = /[\d@$!+]/.test(word);
  if (hasSigns && !/\p{L}/u.test(word)) return undefined;
  const plain = hasSigns ? word.replaceAll(/[\d@$!+]/g, (sign) => digitLetters[sign] ?? sign) : word;
  if (known.has(plain)) return hasSigns ? plain : undefined;
  if (!hasSigns && plain.length < 6) return undefined;
  const meant = [plain, ...shortened(plain)]
    .map((form) => near.get(form))
    .find((key) => key !== undefined && isOneMistake(plain, key));
  return meant ?? (hasSigns ? plain : undefined);
}

/** One letter more, one less, another one, or two that changed places. */
function isOneMistake(word: string, key: string): boolean {
  let from = 0;
  while (from < word.length && word[from] === key[from]) from++;
  let behind = 0;
  while (behind < Math.min(word.length, key.length) - from && word.at(-1 - behind) === key.at(-1 - behind)) behind++;
  const [has, wants] = [word, key].map((text) => text.slice(from, text.length - behind));
  if (has === undefined || wants === undefined) return false;
  if (has.length + wants.length <= 1 || (has.length === 1 && wants.length === 1)) return true;
  return has.length === 2 && has === [...wants].reverse().join('');
}
