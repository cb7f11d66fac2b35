/** Which remembered entries bear on a question. */
import { redact } from '../../redaction/redact.ts';
import type { MemoryEntry, MemorySource } from '../../store/memory-store.ts';
import { indexed } from '../../store/terms/index-terms.ts';
import { fitOf, type PlaceFit } from './confidence.ts';
import type { WeighedWord } from './question.ts';

/** An entry with its terms. */
export interface KnownEntry {
  readonly entry: MemoryEntry;
  readonly text: string;
  readonly terms: ReadonlySet<string>;
}

/** An entry that has some of what is asked. */
export interface FoundEntry extends KnownEntry {
  readonly fit: PlaceFit;
}

/** Entries that may be shown: live ones that hold everywhere or in the project; never those of another project. */
export function knownEntries(entries: readonly MemoryEntry[], project: string | undefined): readonly KnownEntry[] {
  return entries
    .filter(({ status, project: own }) => status === 'live' && (own === undefined || own === project))
    .map((entry) => {
      const text = redact(entry.text).replaceAll(/\s+/g, ' ').trim();
      const parts = [{ type: 'text', text: [entry.key, text].filter(Boolean).join('\n') }] as const;
      return { entry, text, terms: new Set(indexed({ role: 'user', parts }).terms) };
    });
}

/** Those with a word of the question, the surest first; of the same, the one stated last. */
export function findEntries(entries: readonly KnownEntry[], words: readonly WeighedWord[]): readonly FoundEntry[] {
  return entries
    .map((known) => ({ ...known, fit: fitOf(words, { has: (term) => known.terms.has(term) }) }))
    .filter(({ fit }) => fit.found.length > 0)
    .toSorted((a, b) => b.fit.confidence - a.fit.confidence || b.entry.statedAt - a.entry.statedAt);
}

/** Who said what an entry says, as a model reads it. */
export const sourceWords: Readonly<Record<MemorySource, string>> = {
  person: 'user',
  model: 'assistant',
  'own-tool': 'own tool',
  'outside-tool': 'outside tool',
  document: 'document',
};
