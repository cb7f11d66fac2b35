/** Sessions in SQLite. */
import { PalimpsestError } from '../../shared/errors.ts';
import { createSessionIds } from '../session-id.ts';
import type { ContinuationDraft, Session, SessionDraft, SessionStore } from '../session-store.ts';
import { cleanTitle } from '../title.ts';
import { chainOf, tipOf } from './chains.ts';
import type { Connection } from './connection.ts';
import { continueSession } from './continuation.ts';
import { listConversations } from './conversations.ts';
import { deleteConversation, pruneConversations } from './deletion.ts';
import { findSessions } from './finding.ts';
import { releaseSpace } from './free-space.ts';
import { instant } from './numbers.ts';
import { integer, type Row } from './rows.ts';
import { requireSessionRow, selectSession, sessionAt, sessionFrom, sessionRow } from './session-rows.ts';
import { freeTitle, nameConversation } from './titles.ts';
import { prepareMessages, type ViewWriter } from './view-writer.ts';

const insertSession = `
insert into sessions
  (id, parent, relation, side, source, source_id, source_path, project, model, title, title_from, started_at, last_active_at)
values
  (:id, :parent, :relation, :side, :source, :sourceId, :sourcePath, :project, :model, :title, :titleFrom, :startedAt, :startedAt)`;
const setRoot = 'update sessions set root = seq where seq = ?';
const selectBySource = `${selectSession} where s.source_id = ? and s.source = ? order by s.seq desc limit 1`;
const selectRootBySource = `select 1 from sessions where source_id = ? and source = ? and relation = 'root'`;
const endSession = 'update sessions set ended_at = ?, end_reason = ? where seq = ? and ended_at is null';
const reopenSession = 'update sessions set ended_at = null, end_reason = null where seq = ?';

export function createSessionStore(connection: Connection, writer: ViewWriter): SessionStore {
  const { sql, read, write, clock } = connection;
  const newId = createSessionIds(clock);
  const seqOf = (id: string): number => integer(requireSessionRow(connection, id), 'seq');

  async function create(draft: SessionDraft): Promise<Session> {
    requireDraft(draft);
    const id = draft.id ?? newId();
    return write(() => insert(connection, draft, id));
  }

  async function continueWith(draft: ContinuationDraft): Promise<Session> {
    const prepared = prepareMessages(draft.messages);
    const id = newId();
    return write(() => sessionAt(connection, continueSession({ connection, writer }, draft, { id, prepared })));
  }

  function reopen(id: string): void {
    const row = requireSessionRow(connection, id);
    if (integer(row, 'latest') === 0) {
      const message = `Session ${id} was compressed and goes on in another one. Go on with its tip, or branch from it.`;
      throw new PalimpsestError('STORE_CONFLICT', message, { evidence: { id } });
    }
    sql(reopenSession).run(integer(row, 'seq'));
  }

  return {
    create,
    get: (id) => read(() => optionalSession(sessionRow(connection, id))),
    bySource: (source, sourceId) =>
      read(() => optionalSession(sql(selectBySource).get(sourceId.toWellFormed(), source.toWellFormed()))),
    find: (wanted) => read(() => findSessions(connection, wanted)),
    list: (filter = {}) => read(() => listConversations(connection, filter)),
    tip: (id) => read(() => sessionAt(connection, tipOf(connection, seqOf(id)))),
    chain: (id) => read(() => chainOf(connection, seqOf(id)).map((one) => sessionAt(connection, one))),
    continue: continueWith,
    end: async (id, reason) => {
      await write(() => sql(endSession).run(clock(), reason.toWellFormed(), seqOf(id)));
    },
    reopen: (id) => write(() => reopen(id)),
    title: (id, title, from = 'user') =>
      write(() => nameConversation(connection, requireSessionRow(connection, id), { title, from })),
    delete: async (id) => {
      const deleted = await write(() => deleteConversation({ connection, writer }, requireSessionRow(connection, id)));
      await releaseSpace(connection);
      return deleted;
    },
    prune: async (before, options = {}) => {
      const deleted = await pruneConversations({ connection, writer }, before, options);
      if (!options.dryRun) await releaseSpace(connection);
      return deleted;
    },
  };
}

/** Inside a write transaction. */
function insert(connection: Connection, draft: SessionDraft, id: string): Session {
  const { sql, clock } = connection;
  if (sessionRow(connection, id)) throw taken(`There is a session ${id} already`, { id });
  const parent = draft.parentId === undefined ? undefined : requireSessionRow(connection, draft.parentId);
  const relation = draft.relation ?? (parent ? 'branch' : 'root');
  const sourceId = draft.sourceId?.toWellFormed();
  const source = draft.source.toWellFormed();
  if (relation === 'root' && sourceId !== undefined && sql(selectRootBySource).get(sourceId, source)) {
    throw taken(`There is a session of ${source} with the id ${sourceId} already`, { source, sourceId });
  }
  const titleFrom = draft.titleFrom ?? 'user';
  const clean = draft.title === undefined ? undefined : cleanTitle(draft.title, titleFrom);
  const { lastInsertRowid } = sql(insertSession).run({
    id,
    parent: parent ? integer(parent, 'seq') : null,
    relation,
    side: relation === 'side' ? 1 : 0,
    source,
    sourceId: sourceId ?? null,
    sourcePath: draft.sourcePath?.toWellFormed() ?? null,
    project: draft.project?.toWellFormed() ?? null,
    model: draft.model?.toWellFormed() ?? null,
    title: clean === undefined ? null : freeTitle(connection, clean),
    titleFrom: clean === undefined ? null : titleFrom,
    startedAt: instant(draft.startedAt ?? clock(), 'startedAt'),
  });
  const seq = Number(lastInsertRowid);
  sql(setRoot).run(seq);
  return sessionAt(connection, seq);
}

const optionalSession = (row: Row | undefined): Session | undefined => row && sessionFrom(row);

const relations: readonly (string | undefined)[] = [undefined, 'root', 'branch', 'side'];

function requireDraft({ id, source, relation, startedAt }: SessionDraft): void {
  const wrong = (what: string): PalimpsestError => new PalimpsestError('BAD_OPTION', `${what}. No session was made.`);
  if (typeof source !== 'string' || source === '') throw wrong('Expected a session to name its source, such as `cli`');
  if (!relations.includes(relation))
    throw wrong(`Expected a session to be a root, a branch or a side, not ${relation}`);
  if (id !== undefined && !/^[\x21-\x7e]{1,200}$/.test(id)) {
    throw wrong('Expected the id of a session to have 1 to 200 characters without blanks');
  }
  if (startedAt !== undefined && !Number.isFinite(startedAt))
    throw wrong('Expected startedAt in milliseconds since 1970');
}

const taken = (what: string, evidence: Record<string, string>): PalimpsestError =>
  new PalimpsestError('STORE_CONFLICT', `${what}, so nothing was written. Go on with that one.`, { evidence });
