/** The text of a memory file as entries, and back: entries stand between lines that hold `§` alone. Pure. */
import { contentHash } from '../../shared/hash.ts';

/** Whom a file is about: what the model noted, and who the person is. */
export type MemoryTarget = 'memory' | 'user';

export const memoryTargets: readonly MemoryTarget[] = ['memory', 'user'];

/** The name of each file. */
export const memoryFileNames: Readonly<Record<MemoryTarget, string>> = { memory: 'MEMORY.md', user: 'USER.md' };

/** Most characters (code points) of each file, those between the entries included. */
export type MemoryLimits = Readonly<Record<MemoryTarget, number>>;

/** The limits of files that were opened without others. */
export const defaultMemoryLimits: MemoryLimits = { memory: 2_200, user: 1_375 };

/** Longer entries are in no prompt: nobody wrote them as a note. In code points. */
export const maxEntryChars = 65_536;

const separator = '\n§\n';

/** Characters as a person may count them: code points. */
export function countChars(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** What names an entry exactly, short enough for a command line. */
export const entryHash = (text: string): string => contentHash(text);

/**
 * The entries of a file, also of one that a person wrote by hand: with a byte order mark, Windows line ends, spaces around
 * `§`, nothing between two of them, or none at all. A `§` inside a line is text. Of equal entries the first one stays.
 */
export function parseEntries(text: string): readonly string[] {
  const cleaned = text.replace(/^\uFEFF/, '');
  return distinct(
    withPlainLines(cleaned)
      .split(/(?:^|\n)[^\S\n]*§[^\S\n]*(?=\n|$)/)
      .map((entry) => entry.trim()),
  );
}

/** The text of a file; empty for no entries. What `parseEntries` gives comes back from it unchanged. */
export const renderEntries = (entries: readonly string[]): string => entries.join(separator);

/** An entry as the file will hold it: what a model or a person wrote, without the space around it. */
export const cleanEntry = (text: string): string => withPlainLines(text).trim();

/** True for a text that would be several entries, or none, when the file is read again. */
export const isOneEntry = (text: string): boolean => {
  const [only, ...more] = parseEntries(text);
  return only === text && more.length === 0;
};

/** What a file with these entries has of its limit. */
export const charsOf = (entries: readonly string[]): number => countChars(renderEntries(entries));

/** A byte order mark is space to `trim`. */
const withPlainLines = (text: string): string => text.replaceAll(/\r+\n|\r/g, '\n');

const distinct = (entries: readonly string[]): readonly string[] => [...new Set(entries.filter(Boolean))];
