/** Which session of a store an imported conversation belongs to. */
import type { Message } from '../transcript/message.ts';
import type { MessageId } from './ids.ts';
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
