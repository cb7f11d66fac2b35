/**
 * What to do with a file that a person saved. Their editor may have read it before our last writes and saved it after
 * them: then what we wrote is gone from the file although nobody took it out. What we wrote of late is kept beside the file,
 * and comes back where it was not taken out on purpose. Pure.
 */
import { isJsonObject, parseJson } from '../../shared/json.ts';
import { entryHash } from './entries.ts';

/** An entry that we wrote of late. */
export interface RecentEntry {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Hashes of the entries in whose place it stands. */
  readonly replaced: readonly string[];
}

/** What is kept beside a file of the last writes. */
export interface RecentWrites {
  /** Hash of the text that was there before the last write, and of the one it wrote. */
  readonly from: string;
  readonly to: string;
  /** Hashes of the entries of that text. */
  readonly entries: readonly string[];
  /** In the order in which they were written. */
  readonly recent: readonly RecentEntry[];
}

export const noWrites: RecentWrites = { from: '', to: '', entries: [], recent: [] };

/** No editor is thought to hold an older file than that. */
const recentMs = 24 * 3_600_000;
/** Far more than a file has room for, unless somebody raised its limit. */
const mostRecent = 20_000;
/** Sooner after a write nobody can have read an entry and taken it out. */
const readingMs = 2_000;

/** The entries of a file that somebody saved, with those of ours that it lost by that. */
export function withLostWrites(
  found: readonly string[],
  savedAt: number,
  writes: RecentWrites,
): { readonly entries: readonly string[]; readonly returned: readonly string[] } {
  const there = new Set(found);
  // Whoever had read one of our entries had read all that came before it.
  const lastSeen = writes.recent.findLastIndex(({ text }) => there.has(text));
  const known = new Set(writes.entries);
  const hashes = found.map(entryHash);
  const strange = found.filter((_, at) => !known.has(hashes[at] ?? ''));
  const lost = writes.recent.slice(lastSeen + 1).filter((entry) => !isTakenOut(entry, strange, savedAt));
  const entries = [...found];
  for (const { text, replaced } of lost) {
    const old = replaced.length === 0 ? -1 : hashes.findIndex((hash) => replaced.includes(hash));
    const place = old === -1 ? entries.length : old;
    entries[place] = text;
    hashes[place] = entryHash(text);
  }
  return { entries, returned: lost.map(({ text }) => text) };
}

/**
 * True for an entry that the person must have seen: nothing was changed but that entries are gone, or what they wrote is a
 * version of it.
 */
function isTakenOut({ text, at }: RecentEntry, strange: readonly string[], savedAt: number): boolean {
  if (savedAt - at < readingMs) return false;
  return strange.length === 0 || strange.some((other) => likeness(text, other) >= 0.6);
}

/** From 0 to 1: the share of pairs of neighbouring characters that two texts have in common (Dice). */
function likeness(a: string, b: string): number {
  const [pairs, others] = [pairsOf(a), pairsOf(b)];
  const common = [...pairs].filter((pair) => others.has(pair)).length;
  return (2 * common) / Math.max(1, pairs.size + others.size);
}

const pairsOf = (text: string): ReadonlySet<string> => {
  const characters = [...text.toLowerCase()];
  return new Set(characters.slice(1).map((character, i) => `${characters[i]}${character}`));
};

/** What is kept after a write. */
export function afterWrite(
  before: RecentWrites,
  write: {
    readonly from: string;
    readonly to: string;
    readonly entries: readonly string[];
    readonly added: readonly { readonly text: string; readonly replaced?: string }[];
    readonly returned: readonly string[];
    readonly now: number;
  },
): RecentWrites {
  const { entries, added, returned, now } = write;
  const there = new Set(entries);
  const kept = before.recent.filter(({ text, at }) => there.has(text) && now - at < recentMs);
  const back = new Set(returned);
  const older = [
    ...kept.filter(({ text }) => !back.has(text)),
    ...kept.filter(({ text }) => back.has(text)).map((entry) => ({ ...entry, at: now })),
  ];
  const newer = added
    .filter(({ text }) => there.has(text))
    .map(({ text, replaced }) => ({ text, at: now, replaced: namesOf(replaced, before) }));
  const fresh = new Set(newer.map(({ text }) => text));
  return {
    from: entryHash(write.from),
    to: entryHash(write.to),
    entries: entries.map(entryHash),
    recent: [...older.filter(({ text }) => !fresh.has(text)), ...newer].slice(-mostRecent),
  };
}

/** An editor may hold a file that is several replacements old. */
function namesOf(replaced: string | undefined, { recent }: RecentWrites): readonly string[] {
  if (replaced === undefined) return [];
  const earlier = recent.find(({ text }) => text === replaced)?.replaced ?? [];
  return [...earlier, entryHash(replaced)];
}

export const writesText = (writes: RecentWrites): string => JSON.stringify(writes);

/** Undefined for a text that is none of ours: then nothing is known of the last writes. */
export function readWrites(text: string): RecentWrites | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const { from, to, entries, recent } = value;
  if (typeof from !== 'string' || typeof to !== 'string' || !isTexts(entries) || !Array.isArray(recent))
    return undefined;
  return { from, to, entries, recent: recent.flatMap(readRecent) };
}

function readRecent(value: unknown): readonly RecentEntry[] {
  const { text, at, replaced } = Object(value);
  if (typeof text !== 'string' || typeof at !== 'number') return [];
  return isTexts(replaced) ? [{ text, at, replaced }] : [];
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');
