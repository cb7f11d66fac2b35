/** Sessions in SQLite. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { Message } from '../../transcript/message.ts';
import type { AppendOptions } from '../message-store.ts';
import { projectFolder } from '../project-folder.ts';
import { createSessionIds } from '../session-id.ts';
import type {
  Begun,
  ContinuationDraft,
  Conversation,
  ConversationFilter,
  Session,
  SessionDraft,
  SessionStore,
} from '../session-store.ts';
import { cleanTitle } from '../title.ts';
import { chainOf, tipOf } from './chains.ts';
import type { Connection } from './connection.ts';
import { continueSession } from './continuation.ts';
import { deleteConversation, pruneConversations } from './deletion.ts';
import { findSessions } from './finding.ts';
import { touchMark } from './mark.ts';
import { showAtEnd } from './messages.ts';
import { bound, count, instant } from './numbers.ts';
import { given, integer, optionalInteger, optionalText, type Row, text } from './rows.ts';
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
const selectParent = 'select parent from sessions where seq = ?';
const setParent = `update sessions set parent = ? where seq = ? and parent is null and relation = 'side'`;
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

  async function begin(
    draft: SessionDraft,
    messages: readonly Message[],
    options: Pick<AppendOptions, 'time'> = {},
  ): Promise<Begun> {
    requireDraft(draft);
    const prepared = prepareMessages(messages);
    const time = instant(options.time ?? draft.startedAt ?? clock(), 'time');
    const id = draft.id ?? newId();
    return write(() => {
      insert(connection, draft, id);
      const appended = showAtEnd({ connection, writer }, requireSessionRow(connection, id), { prepared, time });
      return { session: sessionFrom(requireSessionRow(connection, id)), appended };
    });
  }

  async function continueWith(draft: ContinuationDraft): Promise<Session> {
    const prepared = prepareMessages(draft.messages);
    const id = newId();
    return write(() => sessionAt(connection, continueSession({ connection, writer }, draft, { id, prepared })));
  }

  function reopen(id: string): void {
    const row = requireSessionRow(connection, id);
    if (integer(row, 'latest') === 0) {
      const message = `Session ${id} was compressed and continues in another session. Continue with its tip, or branch from it.`;
      throw new PalimpsestError('STORE_CONFLICT', message, { evidence: { id } });
    }
    sql(reopenSession).run(integer(row, 'seq'));
  }

  return {
    create,
    begin,
    link: (id, parentId) =>
      write(() => linkSide(connection, requireSessionRow(connection, id), requireSessionRow(connection, parentId))),
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
  if (sessionRow(connection, id)) throw taken(`There is already a session ${id}`, { id });
  const parent = draft.parentId === undefined ? undefined : requireSessionRow(connection, draft.parentId);
  const relation = draft.relation ?? (parent ? 'branch' : 'root');
  const sourceId = draft.sourceId?.toWellFormed();
  const source = draft.source.toWellFormed();
  if (relation === 'root' && sourceId !== undefined && sql(selectRootBySource).get(sourceId, source)) {
    throw taken(`There is already a session of ${source} with the id ${sourceId}`, { source, sourceId });
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

/** A conversation that came from this one cannot be what it came from. */
function linkSide({ sql }: Connection, side: Row, parent: Row): boolean {
  const seq = integer(side, 'seq');
  const seen = new Set<number>();
  for (let at: number | undefined = integer(parent, 'seq'); at !== undefined && !seen.has(at); ) {
    if (at === seq) return false;
    seen.add(at);
    const row: Row = sql(selectParent).get(at) ?? {};
    at = optionalInteger(row, 'parent');
  }
  return sql(setParent).run(integer(parent, 'seq'), seq).changes === 1;
}

const optionalSession = (row: Row | undefined): Session | undefined => row && sessionFrom(row);

const relations: readonly (string | undefined)[] = [undefined, 'root', 'branch', 'side'];

function requireDraft({ id, source, relation, startedAt }: SessionDraft): void {
  const wrong = (what: string): PalimpsestError =>
    new PalimpsestError('BAD_OPTION', `${what}. No session was created.`);
  if (typeof source !== 'string' || source === '') throw wrong('Expected a session to name its source, such as `cli`');
  if (!relations.includes(relation))
    throw wrong(`Expected a session to be a root, a branch or a side, not ${relation}`);
  if (id !== undefined && !/^[\x21-\x7e]{1,200}$/.test(id)) {
    throw wrong('Expected the id of a session to have 1 to 200 characters without spaces');
  }
  if (startedAt !== undefined && !Number.isFinite(startedAt))
    throw wrong('Expected startedAt in milliseconds since 1970');
}

const taken = (what: string, evidence: Record<string, string>): PalimpsestError =>
  new PalimpsestError('STORE_CONFLICT', `${what}, so nothing was written. Continue with that one.`, { evidence });

// Gives the room that deletions left back to the disk.

/** Room of up to this share of the file is kept for what comes next. */
const keptShare = 0.1;
/** Pages a step, of 4 KiB: other processes write in between. */
const step = 1_000;
const giveBack = `pragma incremental_vacuum(${step})`;
const selectPages = `
select (select freelist_count from pragma_freelist_count) as free, (select page_count from pragma_page_count) as pages,
  (select auto_vacuum from pragma_auto_vacuum) as mode`;

/** `pragma auto_vacuum` of a file whose pages can be given back; one that was made without it keeps them for later. */
const incremental = 2;

/**
 * Shortens the file by its free pages where they are many. The file itself follows when its log is written back. What
 * was deleted before is gone whatever happens here, so that a store that others keep busy is left to the next deletion.
 */
async function releaseSpace(connection: Connection): Promise<void> {
  try {
    await release(connection);
  } catch (error) {
    if (!PalimpsestError.isInstance(error) || error.code !== 'STORE_BUSY') throw error;
  }
}

async function release({ db, sql, read, write }: Connection): Promise<void> {
  const free = (): number => {
    const row = sql(selectPages).get() ?? {};
    const isMuch = integer(row, 'free') > integer(row, 'pages') * keptShare;
    return isMuch && integer(row, 'mode') === incremental ? integer(row, 'free') : 0;
  };
  for (let left = await read(free); left > 0; ) {
    const before = left;
    left = await write(() => {
      db.exec(giveBack);
      // No row changes by that, but the log must tell whose it is.
      touchMark({ sql });
      return free();
    });
    if (left >= before) return;
  }
}

// The list of conversations: a chain of sessions is one row.

/** Read from the index over the ends of chains, newest first. */
const selectTips = `
${selectSession}
where s.latest = 1
  and s.last_active_at >= :since and s.last_active_at < :until
  and (:sides or s.side = 0)
  and (:source is null or s.source = :source)
  and (:project is null or s.project = :project
    or (s.project >= :slash and s.project < :slash || char(1114111))
    or (s.project >= :backslash and s.project < :backslash || char(1114111)))
order by s.last_active_at desc, s.seq desc limit :limit offset :offset`;

const selectChain = `
select count(*) as sessions, (select title from sessions where root = :root and title is not null order by seq desc limit 1) as title
from sessions where root = :root`;

const defaultLimit = 20;

function listConversations(connection: Connection, filter: ConversationFilter): readonly Conversation[] {
  const place = filter.project === undefined ? undefined : projectFolder(filter.project);
  const rows = connection.sql(selectTips).all({
    since: bound(filter.since ?? Number.NEGATIVE_INFINITY, 'since'),
    until: bound(filter.until ?? Number.POSITIVE_INFINITY, 'until'),
    sides: filter.sides ? 1 : 0,
    source: filter.source ?? null,
    project: place?.folder ?? null,
    slash: place?.below[0] ?? null,
    backslash: place?.below[1] ?? null,
    limit: count(filter.limit ?? defaultLimit, 'limit'),
    offset: count(filter.offset ?? 0, 'offset'),
  });
  return rows.map((row) => conversationFrom(connection, row));
}

function conversationFrom(connection: Connection, row: Row): Conversation {
  const tip = sessionFrom(row);
  const root = integer(row, 'root');
  const chain: Row = connection.sql(selectChain).get({ root }) ?? {};
  return {
    tip,
    root: root === integer(row, 'seq') ? tip : sessionAt(connection, root),
    sessions: integer(chain, 'sessions'),
    ...given('title', optionalText(chain, 'title')),
    preview: text(row, 'preview'),
  };
}
