/** The newest session of a conversation, however long its chain is. */
import type { SessionId } from './ids.ts';
import type { Session, SessionStore } from './session-store.ts';

/** Goes on from where `tip` stops, after 100 continuations; ends where it comes to a session again. */
export async function newestSession(sessions: Pick<SessionStore, 'tip'>, id: SessionId): Promise<Session> {
  const seen = new Set([id]);
  let session = await sessions.tip(id);
  while (!seen.has(session.id)) {
    seen.add(session.id);
    session = await sessions.tip(session.id);
  }
  return session;
}
