/** Edits of a summary: where things stand in it, and putting others in their place. */
import { pickAny } from './misbehaviour.ts';

/** A stretch of a text. */
export interface Atom {
  readonly at: number;
  readonly text: string;
}

/** All matches of a global expression within a line, but those in headings. */
export function findAtoms(text: string, pattern: RegExp): readonly Atom[] {
  let start = 0;
  return text.split('\n').flatMap((line) => {
    const from = start;
    start += line.length + 1;
    if (line.startsWith('#')) return [];
    return [...line.matchAll(pattern)].map((match) => ({ at: from + match.index, text: match[0] }));
  });
}

/** The text with another stretch in the place of one. */
export const replaceAt = (text: string, { at, text: old }: Atom, stretch: string): string =>
  text.slice(0, at) + stretch + text.slice(at + old.length);

/** The text with a line more below one of its lines, marked as an entry where its neighbour is one. */
export function insertLine(text: string, line: string, seed: number): string {
  const lines = text.split('\n');
  const places = lines.flatMap((one, at) => (one.trim() === '' || one.startsWith('#') ? [] : [at]));
  const at = pickAny(places, seed, 'place') ?? lines.length - 1;
  const mark = /^\s*[-*] /.exec(lines[at] ?? '')?.[0] ?? '';
  return lines.toSpliced(at + 1, 0, mark + line).join('\n');
}
