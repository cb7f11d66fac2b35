/** What a text can be known by again: its numbers, names, addresses, paths and words, whatever they are disguised as. */

import { tellingSigns, tellingWords } from '../../language/keeping.ts';
import { queryStopWords, requestStopWords } from '../../language/languages.ts';
import { lazily } from '../../shared/lazily.ts';
import { stem } from '../../store/terms/word-terms.ts';
import { decodeAll } from '../scan/decode.ts';
import { foldText } from '../scan/fold.ts';

/** A stretch of a text that tells where the text came from. */
export interface Mark {
  /** Equal for all forms of a word; exact for what stands for one thing alone. */
  readonly key: string;
  /** Stands for one thing: an address, a path, a long number, a name with signs in it. */
  readonly isStrong: boolean;
  /** Of a strong one, what it is made of. */
  readonly pieces: readonly Mark[];
  /** The letters and digits alone. */
  readonly bare: string;
}

/** A word of an alphabet with the signs inside of it, or a run of a script without blanks. */
const run =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+|[^\s"'`“”„«»‘’()<>[\]{}|,;!?*…—–，。、；：！？「」『』=&（）【】《》\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;
const wide = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const wideWord = /[\p{Script=Han}]+|[\p{Script=Katakana}ー]+|[\p{Script=Hangul}]+/gu;

/** What is written out so that no program takes it for an address: `name (at) host [dot] example`. */
const asSign = (word: string): string => (/^(?:at|ät|arroba|собака)$/u.test(word) ? '@' : '.');
const bracketed = /\s?[[({<]\s?(at|ät|arroba|собака|dot|punkt|point|punto|ponto|точка|\.)\s?[\])}>]\s?/gu;
const spokenAddress = /(?<![\w.+-])([\w.+-]{1,64}) at ([\w-]{1,63}(?: dot [\w-]{1,63}){1,6})/g;

/** Set apart sign by sign. */
const spelled = /(?<!\S)(?:[!-~\p{L}\p{N}] ){5,}[!-~\p{L}\p{N}](?!\S)/gu;

/** Signs that disguise nothing: ASCII, dashes and quotes, arrows, frames, pictures. */
const open = /^[\0-\x7f\u2010-\u2027\u2190-\u21ff\u2300-\u23ff\u2500-\u27bf\u{1f300}-\u{1faff}]*$/u;

/** A text in one case and width, without look-alike letters and signs that nobody sees, with addresses as they are meant. */
export function foldForMarks(text: string): string {
  const folded = open.test(text) ? text.toLowerCase() : text.split('\n').map(foldLine).join('\n');
  const plain = folded.replaceAll(spelled, (letters) => letters.replaceAll(' ', ''));
  if (!/[[({<]|dot|hxxp/.test(plain)) return plain;
  return plain
    .replaceAll(bracketed, (_, word: string) => asSign(word))
    .replaceAll(spokenAddress, (_, name: string, host: string) => `${name}@${host.replaceAll(' dot ', '.')}`)
    .replaceAll('hxxp', 'http');
}

const foldLine = (line: string): string => (open.test(line) ? line.toLowerCase() : foldText(line).text);

/** Letters and digits alone. */
export const bareOf = (folded: string): string => folded.replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** What encoded stretches of a text say. */
export const decodedIn = (text: string): readonly string[] =>
  text.length < 24 ? [] : decodeAll(text).map((one) => one.text);

/** A text read by the alphabet turned by 13, and from its end. */
export const turnedOf = (text: string): readonly string[] => [
  text.replace(/[a-z]/gi, (letter) => letterAt(letter, 13)),
  [...text].reverse().join(''),
];

/** The letter so many places further on in the alphabet, in the same case. */
function letterAt(letter: string, shift: number): string {
  const first = letter < 'a' ? 65 : 97;
  return String.fromCharCode(((letter.charCodeAt(0) - first + shift) % 26) + first);
}

/** The marks of a folded text, in order. */
export function* marksOf(folded: string): Generator<Mark> {
  for (const [word] of folded.matchAll(run)) {
    if (wide.test(word)) yield* wideMarks(word);
    else yield* wordMarks(word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''));
  }
}

/** Pairs of signs; of a run that has nothing else, of its small letters too. */
function* wideMarks(word: string): Generator<Mark> {
  const told = word.replaceAll(tellingSigns, ' ');
  const stretches = told.match(wideWord) ?? (/^\p{Script=Hiragana}+$/u.test(word) && word.length > 3 ? [word] : []);
  for (const stretch of stretches) {
    const signs = [...stretch];
    if (signs.length === 1) yield plainMark(stretch);
    for (let at = 0; at + 1 < signs.length; at++) yield plainMark(`${signs[at]}${signs[at + 1]}`);
  }
}

function* wordMarks(word: string): Generator<Mark> {
  if (word === '') return;
  const pieces = [...piecesOf(word)];
  if (isStrong(word)) yield { key: `=${word}`, isStrong: true, pieces, bare: bareOf(word) };
  else yield* pieces;
}

/** Digits that are more than a count, or signs inside of a name. */
const isStrong = (word: string): boolean =>
  /\d{3}|\d[^\p{L}\d\s]+\d|\p{L}\d|\d\p{L}{2}/u.test(word) || /[@_/\\]/.test(word) || /\p{L}[.:]\p{L}/u.test(word);

function* piecesOf(word: string): Generator<Mark> {
  for (const [letters] of word.matchAll(/\p{L}[\p{L}\p{M}]*|\p{N}+/gu)) {
    const latin = asLatin(letters);
    if (isGlue(latin)) continue;
    if (/\d{3}/.test(latin)) yield { key: `=${latin}`, isStrong: true, pieces: [], bare: latin };
    else yield plainMark(/\d/.test(latin) ? latin : keyOf(latin), letters);
  }
}

const plainMark = (key: string, bare = key): Mark => ({ key, isStrong: false, pieces: [], bare });

/** Forms of a word mostly differ in its last letter, and behind its sixth. */
function keyOf(word: string): string {
  const base = /^[a-z]+$/.test(word) ? stem(word) : word;
  return base.slice(0, base.length < 5 ? base.length : Math.min(6, base.length - 1));
}

/** A word all of whose letters look Latin reads like the Latin one; a letter in front makes it a mixed word. */
const asLatin = (word: string): string =>
  /^[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]{2,}$/u.test(word)
    ? foldText(`aa${word}`).text.slice(2)
    : word;

const glue = lazily(
  (): ReadonlySet<string> =>
    new Set(
      [...requestStopWords, ...`${queryStopWords} ${tellingWords} http https www`.split(/\s+/)].flatMap((word) => [
        word,
        keyOf(foldLine(word)),
      ]),
    ),
);

/** Words that stand in any text. */
const isGlue = (word: string): boolean =>
  (/^[a-z]{1,2}$/.test(word) || glue().has(word) || glue().has(keyOf(word))) && !/^\d/.test(word);

/** Sentences and lines. */
export const sentencesIn = (text: string): readonly string[] =>
  text.split(/(?<=[.!?;])\s+|(?<=[。！？；])|\n+/u).filter((sentence) => sentence.trim() !== '');
