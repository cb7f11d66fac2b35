/** Which session of a store an imported conversation belongs to, and how several processes import at once. */
import { PalimpsestError } from '../shared/errors.ts';
import { isJsonObject, parseJson } from '../shared/json.ts';
import type { Message } from '../transcript/message.ts';
import type { MessageId, SessionId } from './ids.ts';
import { messageBody } from './message-body.ts';
import type { Session } from './session-store.ts';
import type { Store } from './store.ts';

/**
 * What an import did with a conversation: made a session, added to the one it knows, made a branch because what it knows
 * has changed, found nothing new, or waits because the conversation has only begun to be written.
 */
export type ImportOutcome = 'new' | 'grown' | 'branched' | 'unchanged' | 'waiting';

/** Where a conversation belongs: a session that shows its first `size` messages, or a new one. */
export interface ImportPlace {
  readonly outcome: ImportOutcome;
  readonly size: number;
  readonly session?: Session;
}

/** A conversation as its source names it. */
export interface Placed {
  readonly source: string;
  readonly sourceId: string;
  readonly messages: readonly Message[];
}

/** Looks at the known sessions of the conversation, the newest branch first. */
export async function placeFor(store: Store, { source, sourceId, messages }: Placed): Promise<ImportPlace> {
  const known = await sessionsOf(store, source, sourceId);
  const [newest] = known;
  if (!newest) return { outcome: 'new', size: 0 };
  const isSame = sameAs(messages);
  for (const session of known) {
    const ids = await store.messages.viewIds(session.id);
    const size = Math.min(ids.length, messages.length);
    if (!ids.slice(0, size).every(isSame)) continue;
    if (size === messages.length) return { outcome: 'unchanged', size, session };
    if (session.endedAt === undefined) return { outcome: 'grown', size, session };
  }
  return { outcome: 'branched', size: 0, session: newest };
}

/** True for an id that the message at its place has; each id is worked out once. */
function sameAs(messages: readonly Message[]): (id: MessageId, at: number) => boolean {
  const ids: (readonly MessageId[])[] = [];
  return (id, at) => {
    const message = messages[at];
    if (!message) return false;
    ids[at] ??= messageBody(message, at).ids;
    return ids[at].includes(id);
  };
}

/** How many branches of one conversation are looked at. */
const maxBranches = 100;

async function sessionsOf(store: Store, source: string, sourceId: string): Promise<readonly Session[]> {
  const found: Session[] = [];
  let session = await store.sessions.bySource(source, sourceId);
  while (session && session.sourceId === sourceId && session.source === source && found.length < maxBranches) {
    found.push(session);
    session = session.parentId === undefined ? undefined : await store.sessions.get(session.parentId);
  }
  return found;
}

// One process at a time, and what to do when another one was there all the same.

/** Who died in the middle of it is waited for this long; who lives on for longer notices and looks again. */
const leaseMilliseconds = 10_000;
const waitMilliseconds = 50;
const longestWait = 60_000;

/** Runs something that no other process does at the same time. */
export async function alone<T>(store: Store, name: string, work: () => Promise<T>): Promise<T> {
  // A clock that is set back must not make anybody wait longer.
  const end = performance.now() + longestWait;
  while (performance.now() < end) {
    const lease = await store.leases.acquire(name, 'import', leaseMilliseconds);
    if (lease) {
      try {
        return await work();
      } finally {
        await store.leases.release(lease);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, waitMilliseconds));
  }
  const message = `Another process has been importing the same conversation (${name}) for a minute. Nothing was written: try again.`;
  throw new PalimpsestError('STORE_BUSY', message, { evidence: { name } });
}

const mostAttempts = 3;

/** Tries again from what is there now when somebody else has added to the session meanwhile. */
export async function untilSettled<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isConflict = PalimpsestError.isInstance(error) && error.code === 'STORE_CONFLICT';
      if (!isConflict || attempt === mostAttempts) throw error;
    }
  }
}

// Side conversations that were imported before the one that they branched off: whoever comes second links the two. What
// waits is written down before the other one is looked for, so that of two imports at once one sees both.

/** A conversation as its tool names it. */
export interface SourceName {
  readonly source: string;
  readonly id: string;
}

/** Where the sides of a conversation wait. */
const keyOf = ({ source, id }: SourceName): string => `sides-of:${source}:${id}`;

/** Links a side conversation to its parent, or lets it wait for it. */
export async function linkOrWait(store: Store, side: Session, parent: SourceName): Promise<void> {
  const key = keyOf(parent);
  await alone(store, key, async () => {
    const waiting = idsIn(await store.meta.get(key));
    if (!waiting.includes(side.id)) await store.meta.set(key, JSON.stringify({ waiting: [...waiting, side.id] }));
  });
  const found = await store.sessions.bySource(parent.source, parent.id);
  if (found) await linkWaiting(store, found.id, parent);
}

/** Links the side conversations that wait for a session. */
export async function linkWaiting(store: Store, session: SessionId, name: SourceName): Promise<void> {
  const key = keyOf(name);
  if ((await store.meta.get(key)) === undefined) return;
  await alone(store, key, async () => {
    for (const side of idsIn(await store.meta.get(key))) {
      // It may have been deleted since.
      if (side !== session && (await store.sessions.get(side))) await store.sessions.link(side, session);
    }
    await store.meta.set(key, undefined);
  });
}

function idsIn(text: string | undefined): readonly SessionId[] {
  const value = parseJson(text ?? 'null');
  const waiting = isJsonObject(value) ? value.waiting : undefined;
  return Array.isArray(waiting) ? waiting.filter((one) => typeof one === 'string') : [];
}
