/** Saved results in words: their sizes, the start of a text and where to read on, and how the tools over them are called. Pure. */
import type { OutputId, SavedOutput } from '../store/store.ts';

/** A place in a text: a line and a character of it (a UTF-16 unit), both from 1. */
export interface TextPlace {
  readonly line: number;
  readonly char: number;
}

/** The start of a text. */
export interface Preview {
  readonly text: string;
  /** Characters that are shown, and those that there are. */
  readonly shown: number;
  readonly whole: number;
  /** The first place that is not shown. */
  readonly next: TextPlace;
}

/** At most so many characters; ends with a line where that leaves more than half of them. */
export function previewOf(text: string, maxChars: number): Preview {
  const shown = cutAtLine(text, maxChars);
  const start = text.slice(0, shown);
  return { text: start.toWellFormed(), shown, whole: text.length, next: placeAfter(start, { line: 1, char: 1 }) };
}

/** The place behind a text that begins at a place. */
export function placeAfter(text: string, from: TextPlace): TextPlace {
  const last = text.lastIndexOf('\n');
  if (last === -1) return { line: from.line, char: from.char + text.length };
  let breaks = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) breaks++;
  return { line: from.line + breaks, char: text.length - last };
}

/** Where the start of a text ends: after the last line that fits where that leaves more than half of `maxChars`. */
export function cutAtLine(text: string, maxChars: number): number {
  if (text.length <= maxChars) return text.length;
  const lineEnd = maxChars === 0 ? -1 : text.lastIndexOf('\n', maxChars - 1);
  return lineEnd > maxChars / 2 ? lineEnd + 1 : beforePair(text, maxChars);
}

/** The same place, or the one before it where it would part the halves of a surrogate pair. */
export function beforePair(text: string, at: number): number {
  const last = text.charCodeAt(at - 1);
  const next = text.charCodeAt(at);
  const isPair = last >= 0xd800 && last < 0xdc00 && next >= 0xdc00 && next < 0xe000;
  return isPair ? at - 1 : at;
}

// What the tools over saved results are called, how they are called, and how large their answers are.

export const readOutputName = 'read_output';
export const searchOutputName = 'search_output';

/** True for a tool of ours, also where a client puts the name of a server before it, as in `mcp__palimpsest__read_output`. */
export const isOwnTool = (name: string): boolean => /(?:^|[^0-9A-Za-z])(?:read|search)_output$/.test(name);

/** The largest that an answer is beside the page in it. */
export const pageFrameChars = 2_000;

/** Arguments of `read_output` that read from a place on. */
export const callText = (id: OutputId, { line, char }: TextPlace): string =>
  JSON.stringify({ id, from: line, ...(char > 1 ? { char } : {}) });

// Numbers and sizes as a model and a person read them.

/** `1234567` → `1,234,567`. */
export const grouped = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/** `1 line`, `20,431 lines`. */
export const noun = (count: number, one: string): string => `${grouped(count)} ${one}${count === 1 ? '' : 's'}`;

/**
 * `1,234,567 characters (1.2 MB), 20,431 lines`.
 *
 * @example
 * import { size } from '@palimpsest/core/store';
 * size({ characters: 1_234_567, bytes: 1_234_567, lines: 20_431 });
 */
export const size = ({ characters, bytes, lines }: Pick<SavedOutput, 'characters' | 'bytes' | 'lines'>): string =>
  `${noun(characters, 'character')} (${bytesText(bytes)}), ${noun(lines, 'line')}`;

/**
 * `1234567` bytes → `1.2 MB`: in KB, or in MB from one on.
 *
 * @example
 * import { bytesText } from '@palimpsest/core/store';
 * bytesText(1_234_567); // '1.2 MB'
 */
export function bytesText(bytes: number): string {
  const kilobytes = bytes / 1024;
  // What rounds to 1024 KB is a megabyte.
  return kilobytes >= 1023.95 ? `${(kilobytes / 1024).toFixed(1)} MB` : `${kilobytes.toFixed(1)} KB`;
}

/** A text from outside in one short line that cannot be taken for another part of what it is put into. */
export function oneLine(text: string, maxChars: number): string {
  const line = text
    .slice(0, 4 * maxChars)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Z}]+/gu, ' ')
    .replaceAll(/[[\]|]/g, '')
    .trim();
  return (line.length > maxChars ? `${line.slice(0, maxChars - 1)}…` : line).toWellFormed();
}
