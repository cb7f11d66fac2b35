/** What goes when a source goes: only what nothing else supports. */
import type { MessageId, SessionId } from '../../store/ids.ts';
import type { MemoryActDraft, MemoryDraft, MemoryEntry } from '../../store/memory-store.ts';

/** What is no longer a source: messages, and the session that they are all of, if it goes as a whole. */
export interface RetiredSource {
  readonly messages: readonly MessageId[];
  /** Entries that name no message count as learned from their session. */
  readonly sessionId?: SessionId;
}

/**
 * The acts that take a source out of the memory: an entry that rests on other messages as well stays, and rests on these; one
 * that rests on it alone is retired. What the person confirmed rests on the person. Live and pending entries count.
 *
 * @example
 * import { createMemory, retireSource } from '@palimpsest/core/memory';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'store.db' });
 * const { entries } = createMemory({ store, folder: 'memories' });
 * const acts = retireSource(await entries.list(), { messages: ['5a1c9e0b7d3f2846'] });
 * for (const act of acts) await entries.act(act);
 */
export function retireSource(entries: readonly MemoryEntry[], source: RetiredSource): readonly MemoryActDraft[] {
  const gone = new Set(source.messages);
  return entries
    .filter(({ status, confirmedAt }) => (status === 'live' || status === 'pending') && confirmedAt === undefined)
    .flatMap((entry): readonly MemoryActDraft[] => {
      const left = entry.messages.filter((message) => !gone.has(message));
      const isLost =
        entry.messages.length > 0
          ? left.length === 0
          : source.sessionId !== undefined && entry.sessionId === source.sessionId;
      if (isLost)
        return [act(entry, { what: 'retire', reason: 'What it rested on was removed.' }, { status: 'retired' })];
      if (left.length === entry.messages.length) return [];
      return [
        act(
          entry,
          { what: 'replace', reason: 'A message that it rests on was removed; others support it.' },
          { messages: left },
        ),
      ];
    });
}

const act = (
  { id }: MemoryEntry,
  { what, reason }: Pick<MemoryActDraft, 'what' | 'reason'>,
  values: Partial<MemoryDraft>,
): MemoryActDraft => ({ actor: 'curator', what, reason, changes: [{ type: 'set', id, values }] });
