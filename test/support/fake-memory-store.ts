/** The port of the memory in a few maps, for tests of what stands above it. */
import { PalimpsestError } from '../../packages/core/src/shared/errors.ts';
import type {
  MemoryAct,
  MemoryActDraft,
  MemoryChange,
  MemoryEntry,
  MemoryFilter,
  MemoryStore,
} from '../../packages/core/src/store/memory-store.ts';

/** A store with entries in it; `now` gives the times of acts. */
export function fakeMemoryStore(first: readonly MemoryEntry[], now: () => number = () => 0): MemoryStore {
  const entries = new Map(first.map((entry) => [entry.id, entry]));
  const acts: MemoryAct[] = [];
  let made = 0;
  const need = (id: string): MemoryEntry => {
    const entry = entries.get(id);
    if (!entry) throw new PalimpsestError('ID_UNKNOWN', `there is no entry ${id}`);
    return entry;
  };
  const apply = (change: MemoryChange): { before?: MemoryEntry; after: MemoryEntry } => {
    if (change.type === 'add') {
      made++;
      const after: MemoryEntry = {
        status: 'live',
        ...change.draft,
        id: `new${made}`,
        createdAt: now(),
        updatedAt: now(),
      };
      return { after };
    }
    const before = need(change.id);
    return { before, after: { ...before, ...change.values, updatedAt: now() } };
  };
  const keep = (draft: Omit<MemoryActDraft, 'changes'>, changes: MemoryAct['changes'], undoes?: string): MemoryAct => {
    for (const { after } of changes) entries.set(after.id, after);
    const act: MemoryAct = { ...draft, id: `a${acts.length + 1}`, at: now(), changes, ...(undoes ? { undoes } : {}) };
    acts.push(act);
    return act;
  };
  return {
    act: async (draft, expected = []) => {
      for (const entry of expected)
        if (JSON.stringify(need(entry.id)) !== JSON.stringify(entry))
          throw new PalimpsestError('STORE_CONFLICT', `${entry.id} has changed`);
      const { changes, ...about } = draft;
      return keep(about, changes.map(apply));
    },
    get: async (id) => entries.get(id),
    list: async (filter) => [...entries.values()].filter((entry) => isListed(entry, filter)),
    history: async () => acts.toReversed(),
    undo: async (id, by) => {
      const act = acts.find((one) => one.id === id);
      if (!act) throw new PalimpsestError('ID_UNKNOWN', `there is no act ${id}`);
      for (const { after } of act.changes)
        if (need(after.id) !== after) throw new PalimpsestError('STORE_CONFLICT', `${after.id} was changed later`);
      const changes = act.changes.map(({ before, after }) => ({
        before: after,
        after: before ?? { ...after, status: 'retired' as const },
      }));
      return keep({ ...by, what: 'undo' }, changes, id);
    },
    forget: async (id) => void entries.delete(id),
  };
}

const isListed = (entry: MemoryEntry, { status = ['live'], target, kind, key, project }: MemoryFilter = {}): boolean =>
  status.includes(entry.status) &&
  (target === undefined || entry.target === target) &&
  (kind === undefined || entry.kind === kind) &&
  (key === undefined || entry.key === key) &&
  (project === undefined || entry.project === undefined || entry.project === project);
