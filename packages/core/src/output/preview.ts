/** The start of a text that was saved, and where to read on. Pure. */

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
