/** The entries as a prompt shows them. The same entries give the same text: it holds no clock. Pure. */
import { charsOf, countChars, entryHash, type MemoryTarget, maxEntryChars, renderEntries } from './entries.ts';
import type { Refusal } from './operations.ts';

/** What a prompt shows of the memory. It never changes: take a new one with the next session or compression. */
export interface MemorySnapshot {
  /** Both files; empty where nothing is remembered. */
  readonly text: string;
  /** Entries that are not shown, each with the reason. The files still hold them. */
  readonly blocked: readonly BlockedEntry[];
}

/** An entry that is shown to no model. */
export interface BlockedEntry {
  readonly target: MemoryTarget;
  readonly hash: string;
  readonly refusal: Refusal;
}

/** How much of a limit is used. */
export interface MemoryUsage {
  /** Code points, those between entries included. */
  readonly chars: number;
  readonly limit: number;
  /** Rounded down; over 100 where a person wrote more than the limit. */
  readonly percent: number;
}

export function usageOf(entries: readonly string[], limit: number): MemoryUsage {
  const chars = charsOf(entries);
  return { chars, limit, percent: Math.floor((100 * chars) / limit) };
}

const ruler = '═'.repeat(46);

const titles: Readonly<Record<MemoryTarget, string>> = {
  memory: 'MEMORY (your own notes)',
  user: 'USER (who the person is)',
};

/** One file in a prompt. */
export interface SnapshotSection {
  readonly target: MemoryTarget;
  readonly entries: readonly string[];
  readonly limit: number;
  /** @default what its target is called */
  readonly title?: string;
}

export function renderSnapshot(
  files: readonly SnapshotSection[],
  check: (text: string) => Refusal | undefined,
): MemorySnapshot {
  const blocked: BlockedEntry[] = [];
  const sections = files.map(({ target, entries, limit, title: name = titles[target] }) => {
    if (entries.length === 0) return '';
    const shown = entries.map((entry) => {
      const refusal = refusalOf(entry, check);
      if (!refusal) return entry;
      blocked.push(Object.freeze({ target, hash: entryHash(entry), refusal }));
      return placeholderOf(entry, refusal);
    });
    const { chars, percent } = usageOf(entries, limit);
    const title = `${name} [${percent}% — ${grouped(chars)}/${grouped(limit)} chars]`;
    return [ruler, title, ruler, capped(renderEntries(shown), limit)].join('\n');
  });
  return Object.freeze({ text: sections.filter(Boolean).join('\n\n'), blocked: Object.freeze(blocked) });
}

/** Why an entry that a file holds is shown to no model. */
export function refusalOf(entry: string, check: (text: string) => Refusal | undefined): Refusal | undefined {
  if (entry.length <= maxEntryChars || countChars(entry) <= maxEntryChars) return check(entry);
  return { reason: `it has more than ${grouped(maxEntryChars)} characters` };
}

/** What stands for such an entry. */
export const placeholderOf = (entry: string, { reason }: Refusal): string =>
  `[BLOCKED: an entry of the file (${entryHash(entry)}) is not shown: ${reason}. Tell the person, who can look at the file.]`;

/** A file that a person filled far beyond its limit must not fill the prompt: its start and its end are shown. */
function capped(text: string, limit: number): string {
  const most = Math.max(2 * limit, 4_000);
  const characters = text.length <= most ? [] : [...text];
  if (characters.length <= most) return text;
  const [head, tail] = [Math.floor(most * 0.7), Math.floor(most * 0.2)];
  const left = grouped(characters.length - head - tail);
  return `${characters.slice(0, head).join('')}\n[${left} characters are not shown]\n${characters.slice(-tail).join('')}`;
}

/** The same on every machine, whatever its language. */
export const grouped = (number: number): string => String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
