/** Text in lines and columns; numbers and times as a person reads them. Text from files is made harmless first. */
import type { Instant } from '@palimpsest/core/store';
import { headOf, type Screen, styled, widthOf } from '../../terminal/screen.ts';
import { visible } from '../../terminal/visible.ts';

/** The lines that are there, lists of them as one. */
export const linesOf = (...parts: readonly (string | false | undefined | readonly string[])[]): readonly string[] =>
  parts.flat().filter((part) => typeof part === 'string');

/** The first lines, and after them what says how many more there are. */
export const firstOf = <T = string>(lines: readonly T[], most: number, more: (rest: number) => T): readonly T[] =>
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
