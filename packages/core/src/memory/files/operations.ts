/** What may be done with the entries of a file, and why it may be refused. Pure. */
import { charsOf, cleanEntry, countChars, entryHash, isOneEntry } from './entries.ts';

/**
 * What names an entry: its whole text or its hash, as whoever decided on it saw it, or a part of it that stands in no other
 * entry.
 */
export type EntryName = { readonly text: string } | { readonly hash: string } | { readonly containing: string };

/** One change of a file. A replacement takes the place of the whole entry. */
export type MemoryOperation =
  | { readonly action: 'add'; readonly content: string }
  | { readonly action: 'replace'; readonly entry: EntryName; readonly content: string }
  | { readonly action: 'remove'; readonly entry: EntryName };

/** Why a text may not be remembered, in words for a person and a model. */
export interface Refusal {
  readonly reason: string;
  /** Names of what was found in it. */
  readonly findings?: readonly string[];
  /** True for what is in doubt only: the person's yes to this very text is enough. */
  readonly unlessConfirmed?: true;
}

/** Why nothing was written. */
export type MemoryRefusal =
  | { readonly type: 'no-operation' }
  | { readonly type: 'empty'; readonly at: number }
  /** It holds a line of `§` alone, and would be several entries. */
  | { readonly type: 'separator'; readonly at: number }
  | { readonly type: 'blocked'; readonly at: number; readonly refusal: Refusal }
  /** No entry has the part. */
  | { readonly type: 'not-found'; readonly at: number }
  /** The entry that was named exactly is not there any more, or not as it was. */
  | { readonly type: 'changed'; readonly at: number }
  | { readonly type: 'ambiguous'; readonly at: number; readonly matches: readonly string[] }
  /** Too many characters in the end; `needed` is what there would be. */
  | { readonly type: 'full'; readonly needed: number; readonly limit: number };

/** What became of the entries. */
export type Changed =
  | {
      readonly type: 'changed';
      readonly entries: readonly string[];
      /** Texts that came in, each with the one in whose place it stands. */
      readonly added: readonly { readonly text: string; readonly replaced?: string }[];
      readonly removed: readonly string[];
      /** Taken out to make room, the oldest first. */
      readonly archived: readonly string[];
    }
  | { readonly type: 'refused'; readonly refusal: MemoryRefusal };

export interface ChangeRules {
  readonly limit: number;
  readonly onFull: 'refuse' | 'archive';
  readonly check: (text: string) => Refusal | undefined;
}

/** Does all of it or nothing. Only what there is in the end has to fit. */
export function changeEntries(
  entries: readonly string[],
  operations: readonly MemoryOperation[],
  rules: ChangeRules,
): Changed {
  if (operations.length === 0) return { type: 'refused', refusal: { type: 'no-operation' } };
  const draft: Draft = { entries: [...entries], added: [], removed: [] };
  for (const [at, operation] of operations.entries()) {
    const refusal = refusedContent(operation, at, rules) ?? applyOne(draft, operation, at);
    if (refusal) return { type: 'refused', refusal };
  }
  return fitted(draft, charsOf(entries), rules);
}

interface Draft {
  entries: string[];
  added: { readonly text: string; readonly replaced?: string }[];
  removed: string[];
}

function refusedContent(operation: MemoryOperation, at: number, { check }: ChangeRules): MemoryRefusal | undefined {
  if (operation.action === 'remove') return undefined;
  const text = cleanEntry(operation.content);
  if (text === '') return { type: 'empty', at };
  if (!isOneEntry(text)) return { type: 'separator', at };
  const refusal = check(text);
  return refusal ? { type: 'blocked', at, refusal } : undefined;
}

function applyOne(draft: Draft, operation: MemoryOperation, at: number): MemoryRefusal | undefined {
  if (operation.action === 'add') {
    const text = cleanEntry(operation.content);
    if (draft.entries.includes(text)) return undefined;
    draft.entries.push(text);
    draft.added.push({ text });
    return undefined;
  }
  const found = find(draft.entries, operation.entry, at);
  if (typeof found !== 'number') return found;
  const old = draft.entries[found] ?? '';
  const text = operation.action === 'replace' ? cleanEntry(operation.content) : undefined;
  if (text === old) return undefined;
  const isThere = text !== undefined && draft.entries.includes(text);
  draft.entries.splice(found, 1, ...(text === undefined || isThere ? [] : [text]));
  draft.removed.push(old);
  if (text !== undefined && !isThere) draft.added.push({ text, replaced: old });
  return undefined;
}

/** The place of the entry that is meant. A whole entry is meant rather than one that holds the text among others. */
function find(entries: readonly string[], name: EntryName, at: number): number | MemoryRefusal {
  if ('hash' in name) {
    const found = entries.findIndex((entry) => entryHash(entry) === name.hash);
    return found === -1 ? { type: 'changed', at } : found;
  }
  const text = cleanEntry('text' in name ? name.text : name.containing);
  if (text === '') return { type: 'empty', at };
  const whole = entries.indexOf(text);
  if (whole !== -1) return whole;
  if ('text' in name) return { type: 'changed', at };
  const matches = entries.filter((entry) => entry.includes(text));
  if (matches.length > 1) return { type: 'ambiguous', at, matches };
  const [only] = matches;
  return only === undefined ? { type: 'not-found', at } : entries.indexOf(only);
}

/** A file that a person filled beyond its limit may still shrink. */
function fitted(draft: Draft, before: number, { limit, onFull }: ChangeRules): Changed {
  const { added, removed } = draft;
  let entries: readonly string[] = draft.entries;
  const archived: string[] = [];
  const needed = charsOf(entries);
  if (needed > limit && needed > before) {
    const isNew = new Set(added.map(({ text }) => text));
    const full: Changed = { type: 'refused', refusal: { type: 'full', needed, limit } };
    if (onFull === 'refuse' || [...isNew].some((text) => countChars(text) > limit)) return full;
    while (charsOf(entries) > limit) {
      const oldest = entries.find((entry) => !isNew.has(entry));
      if (oldest === undefined) return full;
      archived.push(oldest);
      entries = entries.filter((entry) => entry !== oldest);
    }
  }
  return { type: 'changed', entries, added, removed, archived };
}
