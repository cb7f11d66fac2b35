/** What a write to the memory changed, as a provider hears it. Pure. */
import type { MemoryWritten } from '../../memory/entries/write.ts';
import type { ProviderWrite } from '../../memory/providers/provider.ts';
import type { MemoryAct, MemoryEntry } from '../../store/memory-store.ts';

/** Nothing for what waits, was refused or was there already; what moved to the archive is still remembered. */
export function providerWrites(written: MemoryWritten): readonly Omit<ProviderWrite, 'sessionId'>[] {
  if (written.type !== 'saved' || !written.act) return [];
  const { changes } = written.act;
  const gone = changes.flatMap(({ before, after }) => (isLive(before) && !isLive(after) ? [after] : []));
  const taken = new Set<MemoryEntry>();
  const fresh = changes.filter(isNews).map(({ before, after: { target, text, replaces } }) => {
    const old = isLive(before) ? before : gone.find((entry) => replaces.includes(entry.id) && !taken.has(entry));
    if (old === undefined) return { what: 'add', target, text } as const;
    taken.add(old);
    return { what: 'replace', target, text, before: old.text } as const;
  });
  const removed = gone.filter((entry) => !taken.has(entry) && !written.archived.includes(entry.text));
  return [...fresh, ...removed.map(({ target, text }) => ({ what: 'remove', target, text }) as const)];
}

const isLive = (entry: MemoryEntry | undefined): boolean => entry?.status === 'live';

const isNews = ({ before, after }: MemoryAct['changes'][number]): boolean =>
  isLive(after) && !(isLive(before) && before?.text === after.text);
