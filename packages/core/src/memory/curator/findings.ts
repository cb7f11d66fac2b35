/** What a look at the entries finds. */
import type { MemoryEntry } from '../../store/memory-store.ts';

/** Entries of which one says what the others say, or what has taken their place. */
export type Finding =
  | { readonly type: 'duplicate'; readonly stays: MemoryEntry; readonly goes: readonly MemoryEntry[] }
  | {
      readonly type: 'contradiction';
      readonly stays: MemoryEntry;
      readonly goes: readonly MemoryEntry[];
      /** What both are about, in a word or two. */
      readonly about?: string;
    }
  | { readonly type: 'stale'; readonly goes: MemoryEntry; readonly reason: string };

/** Two entries that may say the same or contradict each other, which their words alone do not tell. */
export interface Doubt {
  readonly entries: readonly [MemoryEntry, MemoryEntry];
}

/** The entries that a finding takes away. */
export const goneBy = (finding: Finding): readonly MemoryEntry[] =>
  finding.type === 'stale' ? [finding.goes] : finding.goes;
