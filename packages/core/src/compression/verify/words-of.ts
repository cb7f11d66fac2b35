/**
 * The words of a text in the form in which two texts are compared: lower case, without endings, numbers without their
 * thousands, Han, kana and hangul as pairs of characters. Names that consist of pieces give the whole and the pieces.
 */
import { type Stretch, scanTokens, seen } from '../ledger/terms.ts';
import { conceptOf, wideConcepts } from './concepts.ts';

/** Takes a word and where it stands; a piece of a longer name comes with `isPiece`. */
export type WordSink = (word: string, place: WordPlace) => void;

/** Where a word stands, and whether it is a piece of a longer name. */
export interface WordPlace {
  readonly start: number;
  readonly end: number;
  readonly isPiece: boolean;
}

const plainLetters = seen.lower | seen.upper | seen.letter;

/** Hands every word of a text to `sink`, in order. Linear in the length of the text. */
export function wordsOf(text: string, sink: WordSink): void {
  scanTokens(text, { from: 0, to: text.length }, (start, end, bits) => {
    if (bits & seen.cjk) mixedWords(text, { from: start, to: end }, sink);
    else nameWords(text, { from: start, to: end }, { bits, sink });
  });
}

interface Found {
  readonly bits: number;
  readonly sink: WordSink;
}

function nameWords(text: string, { from, to }: Stretch, { bits, sink }: Found): void {
  if ((bits & ~plainLetters) === 0) {
    const word = text.slice(from, to);
    // One letter says nothing.
    if (to - from > 1) sink(conceptOf(stemOf(word.toLowerCase())), { start: from, end: to, isPiece: false });
    return;
  }
  const start = from + leading(text, from, to);
  const end = to - trailing(text, start, to);
  if (end <= start) return;
  const name = text.slice(start, end);
  if (allDigits.test(name)) {
    sink(numberOf(name), { start: start, end: end, isPiece: false });
    return;
  }
  const measured = measure.exec(name);
  if (measured) {
    const number = measured[1] ?? '';
    sink(numberOf(number), { start: start, end: start + number.length, isPiece: false });
    sink(conceptOf((measured[2] ?? '').toLowerCase()), { start: start + number.length, end: end, isPiece: false });
    return;
  }
  const whole = wholeName(name);
  sink(whole, { start: start, end: end, isPiece: false });
  const part: Part = { offset: start, whole, sink };
  let at = 0;
  for (const segment of name.split(ends)) {
    const found = name.indexOf(segment, at);
    at = found + segment.length;
    if (segment.length > 0) segmentWords(segment, found, part);
  }
}

interface Part {
  /** Where the name begins in its text, and the name as a word. */
  readonly offset: number;
  readonly whole: string;
  readonly sink: WordSink;
}

/** One folder or file of a path, one side of a colon: as it stands, and its pieces. */
function segmentWords(segment: string, from: number, { offset, whole, sink }: Part): void {
  const pieces = segment.split(separators);
  if (pieces.length > 1 && segment.toLowerCase() !== whole) {
    sink(wholeName(segment), { start: offset + from, end: offset + from + segment.length, isPiece: true });
  }
  let at = 0;
  for (const piece of pieces) {
    const found = segment.indexOf(piece, at);
    at = found + piece.length;
    const word = pieceWord(piece);
    if (word !== '' && word !== whole)
      sink(word, { start: offset + from + found, end: offset + from + at, isPiece: true });
  }
}

const allDigits = /^[\d.,]+$/;
/** A number with its unit: `3.2s`, `40ms`, `12KB`. */
const measure = /^(\d[\d.,]*)([a-zA-Z]{1,3})$/;
const ends = /[/:@]+/;
const separators = /[/.:_+@~#$-]+/;
const compound = /[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]/;
const versionMark = /^v(?=\d+(?:\.\d|$))/;

/** A version is the same with and without its `v`. */
const wholeName = (name: string): string => name.toLowerCase().replace(versionMark, '');

function pieceWord(piece: string): string {
  if (allDigits.test(piece)) return numberOf(piece);
  if (compound.test(piece)) return piece.toLowerCase();
  return piece.length > 1 ? conceptOf(stemOf(piece.toLowerCase())) : '';
}

/** `1,234` → `1234`; `12.` → `12`. */
export const numberOf = (digits: string): string => digits.replaceAll(',', '').replace(/\.+$/, '');

const edge = '.,;:/+-~#@$';

function leading(text: string, from: number, to: number): number {
  let count = 0;
  while (from + count < to && edge.includes(text[from + count] ?? ' ')) count++;
  return count;
}

function trailing(text: string, from: number, to: number): number {
  let count = 0;
  while (to - count > from && edge.includes(text[to - count - 1] ?? ' ')) count++;
  return count;
}

/** Runs of Han, kana and hangul as pairs of characters, what stands between them as names. */
function mixedWords(text: string, { from, to }: Stretch, sink: WordSink): void {
  let runFrom = -1;
  let restFrom = -1;
  const flushRest = (end: number): void => {
    if (restFrom >= 0) {
      scanTokens(text, { from: restFrom, to: end }, (start, stop, bits) =>
        nameWords(text, { from: start, to: stop }, { bits, sink }),
      );
    }
    restFrom = -1;
  };
  for (let i = from; i <= to; i++) {
    const wide = i < to && isWide(text.charCodeAt(i));
    if (wide) {
      flushRest(i);
      if (runFrom < 0) runFrom = i;
    } else {
      if (runFrom >= 0) pairs(text, { from: runFrom, to: i }, sink);
      runFrom = -1;
      if (i < to && restFrom < 0) restFrom = i;
    }
  }
  flushRest(to);
}

const isWide = (code: number): boolean => code >= 0x3000 && code < 0xff00;

function pairs(text: string, { from, to }: Stretch, sink: WordSink): void {
  const run = text.slice(from, to);
  for (const { concept, start, end } of wideConcepts(run))
    sink(concept, { start: from + start, end: from + end, isPiece: false });
  if (to - from === 1) sink(run, { start: from, end: to, isPiece: false });
  for (let i = from; i + 1 < to; i++) sink(text.slice(i, i + 2), { start: i, end: i + 2, isPiece: false });
}

const kinLetters = 5;
const plainLatin = /^[\p{Script=Latin}]+$/u;

/** What words of one root begin with, in languages that change their ends: `umbau` of `umbauen`; undefined where that is too short to tell. */
export const kinOf = (word: string): string | undefined =>
  word.length >= kinLetters && plainLatin.test(word) ? word.slice(0, kinLetters) : undefined;

const stems = new Map<string, string>();
const maxStems = 50_000;

/** A word without its English endings: rough, and the same for both texts. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = rawStem(word);
  if (stems.size >= maxStems) stems.clear();
  stems.set(word, stem);
  return stem;
}

function rawStem(word: string): string {
  if (word.length <= 3) return word;
  let stem = word.endsWith("'s") ? word.slice(0, -2) : word;
  if (stem.endsWith('ies') && stem.length > 4) stem = `${stem.slice(0, -3)}y`;
  else if (stem.endsWith('sses')) stem = stem.slice(0, -2);
  else if (stem.endsWith('s') && !stem.endsWith('ss') && !stem.endsWith('us')) stem = stem.slice(0, -1);
  if (stem.endsWith('ing') && stem.length > 5) stem = undoubled(stem.slice(0, -3));
  else if (stem.endsWith('ed') && stem.length > 4) stem = undoubled(stem.slice(0, -2));
  else if (stem.endsWith('ly') && stem.length > 4) stem = stem.slice(0, -2);
  if (stem.endsWith('e') && stem.length > 4) stem = stem.slice(0, -1);
  if (stem.endsWith('ation') && stem.length > 7) stem = stem.slice(0, -5);
  else if (stem.endsWith('at') && stem.length > 6) stem = stem.slice(0, -2);
  return stem.endsWith('y') && stem.length > 4 ? `${stem.slice(0, -1)}i` : stem;
}

/** `stopp` → `stop`. */
function undoubled(stem: string): string {
  const last = stem.at(-1);
  return last !== undefined && last === stem.at(-2) && !'lsz'.includes(last) ? stem.slice(0, -1) : stem;
}
