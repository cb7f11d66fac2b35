/**
 * The names that clients have for their conversations, and the session that each was in last. A conversation is recognised by what
 * was said in it; its name tells what a list belongs to that begins anew, such as one with the client's own summary.
 */
import { createHash } from 'node:crypto';
import type { SessionId, Store } from '@palimpsest/core/store';

export interface ClientNames {
  /** The session that a conversation of this name was in last, in this process or before it. */
  sessionOf(clientId: string): Promise<SessionId | undefined>;
  /** Keeps it; a store that cannot be written loses nothing but the link. */
  noteSession(clientId: string, sessionId: SessionId): void;
  hasTools(clientId: string): boolean;
  noteTools(clientId: string): void;
}

/** Names that are held at once; the others are read again. */
const mostNames = 10_000;

export function openClientNames(store: Store): ClientNames {
  const sessions = new Map<string, SessionId>();
  const withTools = new Set<string>();
  return {
    async sessionOf(clientId) {
      const known = sessions.get(clientId);
      if (known !== undefined) return known;
      const stored = await store.meta.get(keyOf(clientId));
      return stored === undefined ? undefined : (await store.sessions.get(stored))?.id;
    },
    noteSession(clientId, sessionId) {
      if (sessions.get(clientId) === sessionId) return;
      makeRoom(sessions);
      sessions.set(clientId, sessionId);
      store.meta.set(keyOf(clientId), sessionId).catch(() => sessions.delete(clientId));
    },
    hasTools: (clientId) => withTools.has(clientId),
    noteTools(clientId) {
      makeRoom(withTools);
      withTools.add(clientId);
    },
  };
}

function makeRoom(held: Map<string, unknown> | Set<string>): void {
  const [oldest] = held.keys();
  if (held.size >= mostNames && oldest !== undefined) held.delete(oldest);
}

/** A name is whatever a client likes, so it is not a key itself. */
const keyOf = (clientId: string): string =>
  `gateway:${createHash('sha256').update(clientId).digest('hex').slice(0, 32)}`;
