/** Text as a person reads it on a screen of a width: lines, numbers and times. Text from files is made harmless first. */

import { styleText } from 'node:util';
import { graphemes } from '@palimpsest/core/settings';
import type { Instant } from '@palimpsest/core/store';

/** The lines that are there, lists of them as one. */
export const linesOf = (...parts: readonly (string | false | undefined | readonly string[])[]): readonly string[] =>
  parts.flat().filter((part) => typeof part === 'string');

/** The first lines, and after them what says how many more there are. */
export const firstOf = (lines: readonly string[], most: number, more: (rest: number) => string): readonly string[] =>
  lines.length > most ? [...lines.slice(0, most), more(lines.length - most)] : lines;

export function fill(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOf(text)));
  return side === 'left' ? text + spaces : spaces + text;
}

/** Lines of at most a width, broken at spaces where there are any; a word that is longer is broken where it has to be. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    // Scripts without spaces fill the line; a long name begins a new one.
    let rest = isUnspaced(word) ? longer : word;
    if (rest === word && line !== '') lines.push(line);
    for (let head = headOf(rest, width); head !== rest && head !== ''; head = headOf(rest, width)) {
      lines.push(head.trimEnd());
      rest = rest.slice(head.length).trimStart();
    }
    line = rest;
  }
  return [...lines, line];
}

const isUnspaced = (word: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(word);

/**
 * One line of text from a file for a person to see: white space becomes single spaces; control characters and marks
 * that change the writing direction, which could hide or fake output of a terminal, become visible.
 */
export function oneLine(text: string): string {
  return visible(text.slice(0, 2_000).replaceAll(/\s+/g, ' ').trim());
}

const unsafe = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The text with every control character but tabs and line breaks written as its code. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(unsafe, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Written out by hand: the locale of a machine must not change a report. */
export const thousands = (count: number): string => String(Math.round(count)).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** A share as a whole percentage; what is more than nothing is never shown as nothing, nor what is less than all as all. */
export function percent(part: number, whole: number): string {
  if (whole <= 0) return '–';
  const share = (100 * part) / whole;
  if (share > 0 && share < 1) return '< 1 %';
  return share > 99 && share < 100 ? '> 99 %' : `${thousands(share)} %`;
}

/**
 * The parts of a whole as percentages that add up to 100: what is cut off goes to those that lost most by it. What is less
 * than one per cent says so.
 */
export function shares(parts: readonly number[]): readonly string[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  if (whole <= 0) return parts.map(() => '–');
  const exact = parts.map((part) => (100 * part) / whole);
  const rounded = exact.map(Math.floor);
  const left = 100 - rounded.reduce((sum, share) => sum + share, 0);
  const byLoss = exact.map((share, at) => [share - Math.floor(share), at] as const).toSorted(([a], [b]) => b - a);
  for (const [, at] of byLoss.slice(0, left)) rounded[at] = (rounded[at] ?? 0) + 1;
  return rounded.map((share, at) => (share === 0 && (exact[at] ?? 0) > 0 ? '< 1 %' : `${share} %`));
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** `1 message`, `2 messages`. */
export const counted = (count: number, noun: string): string => `${thousands(count)} ${noun}${count === 1 ? '' : 's'}`;

/** Of a long path the end tells more than the start. */
export function shortPath(target: string): string {
  if (!/^(?:\/|[A-Za-z]:\\)\S{30,}$/.test(target)) return target;
  return `.../${target.split(/[\\/]/).slice(-3).join('/')}`;
}

/** A text as one word of a command line, for a person to copy. */
export function shellWord(text: string): string {
  return /^[\w./@%+:,=~-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** `2026-01-31 14:05`, as the clock of the machine shows it. */
export function timeText(instant: Instant): string {
  const time = new Date(instant);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [String(time.getFullYear()).padStart(4, '0'), two(time.getMonth() + 1), two(time.getDate())].join('-');
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** For programs: ISO 8601 in UTC. */
export const timeStamp = (instant: Instant): string => new Date(instant).toISOString();

const units = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** `950`, `1.2k`, `34.5M`, `1.2G`; what rounds to a thousand of a unit is one of the next. */
export function shortCount(count: number): string {
  const [size, unit] = units.find(([least]) => count >= least * 0.9995) ?? [1, ''];
  if (unit === '') return String(Math.round(count));
  const scaled = count / size;
  return `${scaled.toFixed(scaled < 99.95 ? 1 : 0)}${unit}`;
}

// What a person can do now: commands to copy, each with what it does.

/** A command line, and what it does. */
export type NextStep = readonly [command: string, what: string];

/** The steps below a heading; a command that is too long goes on in the next line, as a shell reads it. */
export function nextSteps(steps: readonly NextStep[], screen: Screen): readonly string[] {
  if (steps.length === 0) return [];
  const width = Math.max(...steps.map(([command]) => widthOf(command)));
  const isTable = steps.every(([, what]) => width + 4 + widthOf(what) <= screen.columns);
  const lines = steps.flatMap(([command, what]) =>
    isTable
      ? [`${styled(fill(command, width), 'bold', screen)}  ${styled(what, 'dim', screen)}`]
      : [
          ...(what === '' ? [] : [styled(`# ${what}`, 'dim', screen)]),
          ...brokenCommand(command, screen.columns - 2).map((line) => styled(line, 'bold', screen)),
        ],
  );
  return ['', 'next', ...lines.map((line) => `  ${line}`.trimEnd())];
}

/** The command in lines that a shell takes for one. A word is never broken, and neither is one in quotation marks. */
function brokenCommand(command: string, width: number): readonly string[] {
  const words = command.match(/'(?:[^']|'\\'')*'|\S+/g) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) + 2 > width) {
      lines.push(`${line} \\`);
      line = `  ${word}`;
    } else line = longer;
  }
  return [...lines, line];
}

// What a stream can show, decided once from the environment; and how many cells of it a text takes.

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

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan';

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

function headOf(text: string, width: number): string {
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
