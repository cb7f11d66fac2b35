/** Which entries go when there are more than a file may hold: those worth least. */
import type { MemoryActDraft, MemoryEntry, MemoryKind } from '../../store/memory-store.ts';
import { charsOf, type MemoryLimits } from '../files/entries.ts';
import { dayOf, rankOf, saidAt, scopeOf } from './trust.ts';

/** What is given up first; who the person is is never given up. */
const order: Readonly<Record<MemoryKind, number>> = { state: 0, fact: 1, procedure: 2, preference: 3, identity: 4 };

/**
 * Acts that retire entries until each file keeps its limit: by kind, then unused before used, then source, then age. Those in
 * whose favour something was decided go last: no entry is touched by two acts without need.
 */
export function fitLimits(
  entries: readonly MemoryEntry[],
  { limits, kept }: { readonly limits: MemoryLimits; readonly kept: ReadonlySet<MemoryEntry> },
): readonly MemoryActDraft[] {
  return [...Map.groupBy(entries, scopeOf).values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const limit = limits[first.target];
    const left = new Set(group);
    const acts: MemoryActDraft[] = [];
    for (const entry of [...group].sort((a, b) => Number(kept.has(a)) - Number(kept.has(b)) || byWorth(a, b))) {
      if (charsOf([...left].map(({ text }) => text)) <= limit) break;
      if (entry.kind === 'identity') continue;
      left.delete(entry);
      acts.push({
        actor: 'curator',
        what: 'retire',
        reason: `There is room for ${limit} characters, and this entry is worth least: ${worthOf(entry)}.`,
        changes: [{ type: 'set', id: entry.id, values: { status: 'retired' } }],
      });
    }
    return acts;
  });
}

const byWorth = (a: MemoryEntry, b: MemoryEntry): number =>
  order[a.kind] - order[b.kind] ||
  (a.usedAt ?? 0) - (b.usedAt ?? 0) ||
  rankOf(b) - rankOf(a) ||
  saidAt(a) - saidAt(b) ||
  (a.id < b.id ? -1 : 1);

const worthOf = ({ kind, usedAt, statedAt }: MemoryEntry): string =>
  `${kind}, ${usedAt === undefined ? 'never used' : `last used ${dayOf(usedAt)}`}, said ${dayOf(statedAt)}`;
