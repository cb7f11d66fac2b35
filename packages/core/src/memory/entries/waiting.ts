/** What waits for the person: a yes puts it into its file, a no keeps it out. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { MemoryAct, MemoryChange, MemoryEntry, MemoryEntryId } from '../../store/memory-store.ts';
import { isSameEntry } from '../../store/record/memory-rows.ts';
import type { Acting } from './acting.ts';
import { commit } from './acts.ts';
import { placeOf } from './places.ts';
import { fileAt, type MemoryWritten, type Writing } from './write.ts';

/** Within the order of acts. @throws ID_UNKNOWN @throws STORE_CONFLICT for what was decided on entries that have changed */
export async function approve(writing: Writing, id: MemoryEntryId): Promise<MemoryWritten> {
  const { acting } = writing;
  const entry = await waitingEntry(acting, id);
  const replaced = await replacedEntries(acting, entry);
  // What was moved or came back replaces the same text too, but that is live no more.
  const isRemoval = replaced.some(({ text, status }) => status === 'live' && text === entry.text);
  const now = acting.clock();
  const yes = isRemoval
    ? { status: 'retired' as const, confirmedAt: now }
    : { status: 'live' as const, source: 'person' as const, confirmedAt: now, statedAt: now };
  const changes: readonly MemoryChange[] = [
    { type: 'set', id, values: yes },
    ...replaced.map((old): MemoryChange => ({ type: 'set', id: old.id, values: { status: 'retired' } })),
  ];
  const reason = isRemoval ? 'The person said yes to its removal.' : 'The person said yes to this very text.';
  const done = await commit(acting, { actor: 'person', what: 'approve', reason, changes }, [entry, ...replaced]);
  const file = await fileAt(writing, placeOf(entry));
  if (done.type === 'refused') return { type: 'refused', refusal: done.refusal, file };
  const after = done.act.changes.map((change) => change.after);
  return {
    type: 'saved',
    act: done.act,
    entries: after.filter(({ status }) => status === 'live'),
    removed: after.filter(({ status, id: of }) => status === 'retired' && of !== id),
    archived: done.archived,
    file,
  };
}

/** Within the order of acts. A text that came with a checkout leaves its file. @throws ID_UNKNOWN @throws STORE_CONFLICT */
export async function reject(acting: Acting, id: MemoryEntryId, reason?: string): Promise<MemoryAct> {
  const entry = await waitingEntry(acting, id);
  const place = placeOf(entry);
  const others = await acting.store.memory.list();
  const isKept = others.some((other) => other.text === entry.text && placeOf(other).target === place.target);
  const files = acting.places.files(place);
  const isShown = (await files.read(place.target)).entries.some(({ text }) => text === entry.text);
  if (isShown && !isKept) await files.apply(place.target, [{ action: 'remove', entry: { text: entry.text } }]);
  return acting.store.memory.act(
    {
      actor: 'person',
      what: 'reject',
      reason: reason ?? 'The person said no.',
      changes: [{ type: 'set', id, values: { status: 'rejected' } }],
    },
    [entry],
  );
}

async function waitingEntry({ store }: Acting, id: MemoryEntryId): Promise<MemoryEntry> {
  const entry = await store.memory.get(id);
  if (!entry) {
    const message = `No entry of the memory has the id ${JSON.stringify(id.slice(0, 40))}. Expected one that waits for you.`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: id.slice(0, 40) } });
  }
  if (entry.status === 'pending') return entry;
  throw conflict(id, `it does not wait for a decision any more: it is ${entry.status}`);
}

/** The entries in whose place it would stand, if they are as they were when that was decided. */
async function replacedEntries({ store }: Acting, entry: MemoryEntry): Promise<readonly MemoryEntry[]> {
  const staged = (await store.memory.history({ entry: entry.id })).find(({ changes }) =>
    changes.some(({ before, after }) => after.id === entry.id && before?.status !== 'pending'),
  );
  const found: MemoryEntry[] = [];
  for (const id of entry.replaces) {
    const now = await store.memory.get(id);
    const acts = await store.memory.history({ entry: id });
    const earlier = acts.find((act) => staged && numberOf(act.id) < numberOf(staged.id));
    const then = earlier?.changes.findLast(({ after }) => after.id === id)?.after;
    if (!now || !then || !isSameEntry(now, then))
      throw conflict(entry.id, `${id}, in whose place it would stand, is not as it was when that was decided`);
    found.push(now);
  }
  return found;
}

const numberOf = (id: string): number => Number(id.slice(1));

const conflict = (id: string, why: string): PalimpsestError =>
  new PalimpsestError('STORE_CONFLICT', `The memory was not changed because of ${id}: ${why}. Look at it again.`, {
    evidence: { id },
  });
