/** Rows of a handoff that tell a fact, and foreign text on its way into them. */
import { defused, oneLine } from '../handoff-rows.ts';
import type { Ref } from '../ref.ts';
import type { SectionContent } from './templates.ts';

/** One line, where it belongs, and the message it tells of. */
export interface OutlineLine {
  readonly content: SectionContent;
  readonly ref: Ref;
  readonly text: string;
  /** Set for a rule that stands in a long request, which has a line of its own. */
  readonly isRule?: true;
}

/** No line has fewer tokens. */
export const leastLine = 6;

/** The number in a ref. */
export const position = (ref: Ref): number => Number(ref.slice(1));

/** Index of the last number that is not above `value`, in an ascending list; -1 when all are above. */
export function lastNotAbove(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] ?? 0) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** As they were said; stable. */
export const inOrder = (lines: readonly OutlineLine[]): readonly OutlineLine[] =>
  lines.toSorted((a, b) => position(a.ref) - position(b.ref));

/** With one blank for each run of white space. Most texts have nothing else, and stay as they are. */
export const withBlanks = (text: string): string => (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text);

/** On one line: what others wrote never begins a row, or it could pass for somebody's words (invariant 4). */
export const flat = (text: string): string => oneLine(withBlanks(text)).replace(/ {2,}/g, ' ').trim();

/** A path, a command or an entry of a plan as it may stand within a row of ours. */
export const withinRow = (text: string, length: number = Number.POSITIVE_INFINITY): string =>
  defused(clip(text, length));

const mostToolChars = 60;
const speakerNames = /^(?:user|human|person|assistant|system|host|developer|earlier_summary)$/i;

/** A tool's name as it may stand behind a ref: one word, without the colon that marks a speaker, and no speaker's name. */
export function toolName(name: string): string {
  const word = clip(name, mostToolChars).replace(/[^\p{L}\p{N}._/-]+/gu, '_');
  return speakerNames.test(word) ? `${word}()` : word;
}

/** The text up to `length` characters on one line, with a mark where it was cut. */
export function clip(text: string, length: number): string {
  const line = flat(text);
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}
