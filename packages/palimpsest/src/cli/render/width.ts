/** How many cells of a terminal a text takes, and where it can be cut: the one place for both. */
import { graphemes } from '@palimpsest/core/settings';

/**
 * Two cells by East Asian Width (UAX #11, Unicode 16): wide and fullwidth, without the emoji, which `\p{Emoji_Presentation}`
 * names. What is ambiguous there (`…`, `─`, `①`, Greek, Cyrillic) takes one, as terminals show it unless told otherwise.
 */
const wide =
  /[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u2fff\u3000-\u303e\u3041-\u3247\u3250-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d08}\u{1aff0}-\u{1b2fb}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u;

/** No cell of their own: marks, format characters but the soft hyphen, and the vowels and ends of a Hangul syllable. */
const noCell = /[\p{Mn}\p{Me}\u1160-\u11ff\ud7b0-\ud7fb]|(?!\u00ad)\p{Cf}/u;

/** One picture of two cells, however many characters it is made of: flags, keycaps, families, colours of skin. */
const picture =
  /^[\p{Emoji}\p{Regional_Indicator}].*(?:\ufe0f|\u200d|\u20e3|\p{Emoji_Modifier}|\p{Regional_Indicator})/u;

const plain = /^[\x20-\x7e]*$/;

/** Cells that a text without control characters takes. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of graphemes(text)) width += cellsOf(character);
  return width;
}

function cellsOf(character: string): number {
  if (picture.test(character)) return 2;
  let cells = 0;
  // Letters that a script joins still take a cell each.
  for (const point of character) cells += noCell.test(point) ? 0 : wide.test(point) ? 2 : 1;
  return cells;
}

/** The text cut to a width, between two characters as a person sees them; a cut is marked. */
export function clip(text: string, width: number, mark = '…'): string {
  if (widthOf(text) <= width) return text;
  const room = width - widthOf(mark);
  return room < 0 ? '' : headOf(text, room) + mark;
}

/** As many characters as fit, from the start. */
export function headOf(text: string, width: number): string {
  let used = 0;
  let head = '';
  for (const character of graphemes(text)) {
    used += cellsOf(character);
    if (used > width) break;
    head += character;
  }
  return head;
}
