/** What a stream can show, decided once from the environment; and how many cells of it a text takes. */
import { styleText } from 'node:util';
import { graphemes } from '@palimpsest/core/settings';

export interface Screen {
  /** Characters a line may have. */
  readonly columns: number;
  readonly colour: boolean;
  /** False where only ASCII is safe. */
  readonly unicode: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Wider lines are hard to read; narrower ones cannot hold a table. */
const widest = 120;
const narrowest = 40;
const usual = 80;

interface ScreenInput {
  readonly stream: { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Environment;
  /** False after `--no-color`. */
  readonly colourWanted: boolean;
}

/** The screen behind a stream. `NO_COLOR` and `FORCE_COLOR` as on no-color.org and force-color.org; a flag beats both. */
export function screenOf({ stream, env, colourWanted }: ScreenInput): Screen {
  const columns = stream.columns ?? (Number(env.COLUMNS) || usual);
  return {
    columns: Math.max(narrowest, Math.min(widest, Math.floor(columns))),
    colour: colourWanted && hasColour(stream.isTTY ?? false, env),
    unicode: hasUnicode(env),
  };
}

function hasColour(isTerminal: boolean, env: Environment): boolean {
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return !['0', 'false'].includes(env.FORCE_COLOR);
  if (env.NO_COLOR) return false;
  return isTerminal && env.TERM !== 'dumb';
}

/** A locale that names another character set, or a console without fonts, gets ASCII; silence means UTF-8 today. */
function hasUnicode(env: Environment): boolean {
  if (env.TERM === 'linux' || env.TERM === 'dumb') return false;
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG;
  return !locale || /utf-?8/i.test(locale);
}

/** Colours are the sixteen of the terminal's own palette, so they suit a dark and a light one. */
export type Style =
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'strikethrough'
  | 'inverse'
  | 'red'
  | 'green'
  | 'yellow'
  | 'blue'
  | 'magenta'
  | 'cyan';

/** The text in a style where the screen has colours. */
export function styled(text: string, style: Style | undefined, screen: Screen): string {
  return style && screen.colour && text ? styleText(style, text, { validateStream: false }) : text;
}

/** The second text where only ASCII is safe. */
export const glyph = (screen: Screen, unicode: string, ascii: string): string => (screen.unicode ? unicode : ascii);

// How many cells of a terminal a text takes, and where it can be cut: the one place for both.

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

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of graphemes(text)) width += cellsOf(character);
  return width;
}

/** The cells of one character as a person sees them. */
export function cellsOf(character: string): number {
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

// The last word on width: whatever line of a report is still too wide goes on below, a little further in.

/** Colours take no cell. */
const colour = /\x1b\[[\d;]*m/g;

const shownWidth = (text: string): number => widthOf(text.replaceAll(colour, ''));

/** The lines, none wider than the screen but a command to copy, whose words have to stay whole. */
export function fitLines(lines: readonly string[], { columns }: Pick<Screen, 'columns'>): readonly string[] {
  return lines.flatMap((line, at) =>
    shownWidth(line) <= columns || isCommand(line, lines[at - 1]) ? [line] : broken(line, columns),
  );
}

function isCommand(line: string, before = ''): boolean {
  const plain = (text: string): string => text.replaceAll(colour, '').trim();
  return plain(line).startsWith('palimpsest ') || plain(before).endsWith(' \\');
}

function broken(line: string, columns: number): readonly string[] {
  const [indent = ''] = /^ */.exec(line.replaceAll(colour, '')) ?? [];
  const further = ' '.repeat(Math.min(indent.length + 2, columns - 10));
  const lines: string[] = [];
  let done = '';
  for (const word of line.slice(indent.length).split(/(?<=\S) +(?=\S)/)) {
    const start = lines.length === 0 ? indent : further;
    const longer = done === '' ? start + word : `${done} ${word}`;
    if (shownWidth(longer) <= columns) {
      done = longer;
      continue;
    }
    if (done !== '') lines.push(done);
    const pieces = cut(word, columns - further.length).map((piece) => (lines.length === 0 ? indent : further) + piece);
    lines.push(...pieces.slice(0, -1));
    done = pieces.at(-1) ?? '';
  }
  return [...lines, done];
}

/** A word in pieces of at most a width; the colours in it stay where they are. */
function cut(word: string, width: number): readonly string[] {
  const pieces = [''];
  let used = 0;
  for (const part of word.split(/(\x1b\[[\d;]*m)/)) {
    let rest = part;
    while (rest !== '' && !part.startsWith('\x1b')) {
      const head = headOf(rest, width - used);
      if (head === '' && used === 0) break;
      pieces[pieces.length - 1] += head;
      used += widthOf(head);
      rest = rest.slice(head.length);
      if (rest === '') break;
      pieces.push('');
      used = 0;
    }
    pieces[pieces.length - 1] += rest;
  }
  return pieces;
}
