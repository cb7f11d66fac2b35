/** Where a line breaks into rows: between words, and inside Chinese and Japanese anywhere that is not forbidden. */
import { graphemes } from '@palimpsest/core/settings';
import { cellsOf, widthOf } from './screen.ts';

/** A part of a text, by indexes. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The rows of one line, each at most `room` cells wide. Spaces at a break belong to no row. There is always one row; a
 * character wider than the room gets a row of its own.
 */
export function wrapRanges(text: string, room: number): readonly Range[] {
  const most = Math.max(1, room);
  if (text.length * 2 <= most || (text.length <= most && plain.test(text))) return [{ start: 0, end: text.length }];
  const rows: Range[] = [];
  let row: OpenRow = { start: 0, end: 0, width: 0 };
  for (const unit of unitsOf(text)) {
    const width = row.width + (unit.start - row.end) + unit.width;
    if (width <= most) {
      row = { start: row.start, end: unit.end, width };
      continue;
    }
    if (row.end > row.start) rows.push(row);
    row = { start: unit.start, end: unit.end, width: unit.width };
    if (unit.width <= most) continue;
    const pieces = cut(text, unit, most);
    rows.push(...pieces.slice(0, -1));
    row = pieces.at(-1) ?? row;
  }
  return [...rows, row];
}

/** What stands between two breaks; the spaces before it are the gap to the unit before, one cell each. */
interface OpenRow extends Range {
  readonly width: number;
}

const plain = /^[\x20-\x7e]*$/;

/** What never breaks: words, and single characters of scripts that are written without spaces. */
function* unitsOf(text: string): Generator<OpenRow, void, undefined> {
  for (const match of text.matchAll(/[^ ]+/g)) {
    const [word] = match;
    const { index } = match;
    if (plain.test(word)) yield { start: index, end: index + word.length, width: word.length };
    else yield* unitsOfWord(word, index);
  }
}

function* unitsOfWord(word: string, from: number): Generator<OpenRow, void, undefined> {
  let unit: OpenRow = { start: from, end: from, width: 0 };
  let before = '';
  for (const character of graphemes(word)) {
    if (before !== '' && mayBreak(before, character)) {
      yield unit;
      unit = { start: unit.end, end: unit.end, width: 0 };
    }
    unit = { start: unit.start, end: unit.end + character.length, width: unit.width + cellsOf(character) };
    before = character;
  }
  yield unit;
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\u30fb\u30fc\p{Extended_Pictographic}]/u;

const isUnspaced = (character: string): boolean =>
  character >= '\u2000' && ((character >= '\u3001' && character <= '\u9fff') || unspaced.test(character));

/** Kinsoku, the light form: what must not begin a row, and what must not end one (JIS X 4051, the marks that occur in talk). */
const neverFirst = new Set(
  '、。，．・：；？！ー々ゝゞ）」』】〕〉》］｝,.:;?!)]}…‥’”ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ',
);
const neverLast = new Set('（「『【〔〈《［｛([{‘“');

const mayBreak = (before: string, after: string): boolean =>
  (isUnspaced(before) || isUnspaced(after)) && !neverFirst.has(after) && !neverLast.has(before);

/** A unit that no row can hold, in rows. */
function cut(text: string, { start, end }: Range, room: number): readonly OpenRow[] {
  const rows: OpenRow[] = [];
  let row: OpenRow = { start, end: start, width: 0 };
  for (const character of graphemes(text.slice(start, end))) {
    const cells = cellsOf(character);
    if (row.width + cells > room && row.end > row.start) {
      rows.push(row);
      row = { start: row.end, end: row.end, width: 0 };
    }
    row = { start: row.start, end: row.end + character.length, width: row.width + cells };
  }
  return [...rows, row];
}

/** The first characters of a text that fill a row, and what is left: for text that breaks anywhere, such as code. */
export function splitRows(text: string, room: number): readonly string[] {
  if (widthOf(text) <= room) return [text];
  return cut(text, { start: 0, end: text.length }, Math.max(1, room)).map(({ start, end }) => text.slice(start, end));
}
