/** What a stretch says whose letters were moved or turned around. */
import { englishWords, europeanWords } from '../../language/languages.ts';
import type { Decoded } from './decode.ts';

/** Longer stretches tell enough by their beginning. */
const longest = 400;

/** Stretches that may be written in another way than what stands around them. */
const stretches = /[^\n"“”«»„「」『』`:;!?。！？]{12,}/gu;

const shift = (text: string, by: number): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + by) % 26) + first);
  });

const mirror = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(first + 25 - (letter.charCodeAt(0) - first));
  });

const backwards = (text: string): string => [...text].reverse().join('');

const wordsBackwards = (text: string): string => text.split(' ').map(backwards).join(' ');

const wordOrder = (text: string): string => text.split(' ').reverse().join(' ');

const standing = new Map(
  [...'ɐqɔpǝɟƃɓɥᴉıɾʞןɯuodbɹsʇnʌʍxʎz'].map(
    (sign, index) => [sign, 'abcdefgghiijklmnopqrstuvwxyz'[index] ?? sign] as const,
  ),
);

const upsideDown = (text: string): string => backwards([...text].map((sign) => standing.get(sign) ?? sign).join(''));

/** How many of the commonest words a text has. */
const wordsIn = (text: string): number =>
  (text.match(englishWords)?.length ?? 0) + (text.match(europeanWords)?.length ?? 0);

const letters = (text: string, found: RegExp): number => text.match(found)?.length ?? 0;

/** Stretches that have more common words once their letters are moved than as they stand. Linear. */
export function turnedStretches(text: string): readonly Decoded[] {
  return [...text.matchAll(stretches)].flatMap(({ 0: whole, index }) => {
    const run = whole.slice(0, longest);
    const place = { start: index, end: index + whole.length };
    if (letters(run, /[a-z]/gi) * 2 < letters(run, /\p{L}/gu)) return [{ text: backwards(run), ...place }];
    const asItStands = wordsIn(run);
    if (asItStands > 2) return /^\s*\p{Ll}.*\s\p{Lu}\p{Ll}*\s*$/u.test(run) ? [{ text: wordOrder(run), ...place }] : [];
    const moved = Array.from({ length: 25 }, (_, by) => shift(run, by + 1));
    return [...moved, mirror(run), backwards(run), wordsBackwards(run), backwards(shift(run, 13)), upsideDown(run)]
      .map((plain) => ({ text: plain, words: wordsIn(plain) }))
      .filter(({ words }) => words > asItStands && words >= run.split(' ').length / 5)
      .map(({ text: plain }) => ({ text: plain, ...place }));
  });
}
