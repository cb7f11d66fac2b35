/** Which conversation `--resume` and `--continue` mean. */
import { PalimpsestError } from '@palimpsest/core';
import { newestSession, type SessionId, type Store } from '@palimpsest/core/store';
import { findSession } from '../open-store.ts';
import type { Chat, ChatFlags } from './open-chat.ts';

/** The session to go on with; undefined for a new conversation. */
export async function sessionToResume(
  { resume, continue: isContinued }: ChatFlags,
  { store, project }: Pick<Chat, 'store' | 'project'>,
): Promise<SessionId | undefined> {
  if (typeof resume === 'string') return checked((await findSession(store, resume)).id, store);
  if (!isContinued && resume === undefined) return undefined;
  const newest = (await store.sessions.list({ source: 'chat', project, limit: 20 })).find(
    ({ tip }) => tip.messages > 0,
  );
  if (newest) return newest.tip.id;
  const message =
    'there is no conversation to go on with in this folder: palimpsest sessions list shows those of others';
  throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { project } });
}

/** Nobody resumes nothing: a session in which nothing was said is an error that says so. */
async function checked(id: SessionId, store: Store): Promise<SessionId> {
  const { messages } = await newestSession(store.sessions, id);
  if (messages > 0) return id;
  throw new PalimpsestError('ID_UNKNOWN', `nothing was said in session ${id}: there is nothing to go on with`);
}
