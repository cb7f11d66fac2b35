/** Sessions: how they begin, end and descend from each other, and the list of conversations. */
import { PalimpsestError } from '../../shared/errors.ts';
import { createSessionIds } from '../ids.ts';
import { projectFolder } from '../search-index.ts';
import type {
  ContinuationDraft,
  Conversation,
  ConversationFilter,
  Session,
  SessionDraft,
  SessionStore,
} from '../session-store.ts';
import { cleanTitle } from '../title.ts';
import { continueSession, insertStretch, takenBackOf } from './continuations.ts';
import {
  afterAll,
  bound,
  count,
  type Database,
  given,
  instant,
  integer,
  optionalInteger,
  optionalText,
  type Row,
  required,
  type Sql,
  text,
} from './database.ts';
import { deleteConversation, pruneConversations } from './deletion.ts';
import { prepareMessages, showAtEnd, type Writing } from './messages.ts';
import {
  chainOf,
  requireOwnRow,
  requireSeq,
  requireSessionRow,
  selectSession,
  sessionAt,
  sessionFrom,
  sessionRow,
  tipOf,
} from './session-rows.ts';
import { putAllMeta } from './state.ts';
import { findSessions, freeTitle, nameConversation } from './titles.ts';

const insertSession = `
insert into sessions
  (id, parent, relation, side, source, source_id, source_path, project, model, title, title_from, started_at, last_active_at)
values
  (:id, :parent, :relation, :side, :source, :sourceId, :sourcePath, :project, :model, :title, :titleFrom, :startedAt, :startedAt)`;
const setRoot = 'update sessions set root = seq where seq = ?';
const selectBySource = `${selectSession} where s.source_id = ? and s.source = ? order by s.seq desc limit 1`;
const selectRootBySource = `select 1 as taken from sessions where source_id = ? and source = ? and relation = 'root'`;
const selectParent = 'select parent from sessions where seq = ?';
const setParent = `update sessions set parent = ? where seq = ? and parent is null and relation = 'side'`;
const endSession = 'update sessions set ended_at = ?, end_reason = ? where seq = ? and ended_at is null';
const reopenSession = 'update sessions set ended_at = null, end_reason = null where seq = ?';

export function createSessionStore(database: Database): SessionStore {
  const { read, write, clock } = database;
  const newId = createSessionIds(clock);
  /** Runs `work` on the row of a session. */
  const writeTo = <T>(id: string, work: (writing: Writing, row: Row) => Promise<T>): Promise<T> =>
    write(async (sql) => work({ sql, database }, await requireSessionRow(sql, id)));
  return {
    create: async (draft) => {
      requireDraft(draft);
      const id = draft.id ?? newId();
      return write(async (sql) => sessionAt(sql, await insert({ sql, database }, draft, id)));
    },
    begin: async (draft, messages, options = {}) => {
      requireDraft(draft);
      const prepared = prepareMessages(messages);
      const time = instant(options.time ?? draft.startedAt ?? clock(), 'time');
      const id = draft.id ?? newId();
      const { shows } = options;
      const next = shows && { id: newId(), prepared: prepareMessages(shows.messages) };
      return write(async (sql) => {
        const writing = { sql, database };
        await insert(writing, draft, id);
        await putAllMeta(sql, options.meta ?? {});
        const appended = await showAtEnd(writing, await requireOwnRow(sql, id), { prepared, time });
        if (!next || !shows) return { session: sessionFrom(await requireSessionRow(sql, id)), appended };
        const seq = await continueSession(writing, { sessionId: id, size: prepared.length, ...shows }, next);
        return { session: await sessionAt(sql, seq), appended };
      });
    },
    link: (id, parentId) =>
      writeTo(id, async ({ sql }, row) => linkSide(sql, integer(row, 'seq'), await requireSeq(sql, parentId))),
    get: (id) => read(async (sql) => optionalSession(await sessionRow(sql, id))),
    bySource: (source, sourceId) =>
      read(async (sql) =>
        optionalSession(await sql.get(selectBySource, [sourceId.toWellFormed(), source.toWellFormed()])),
      ),
    find: (wanted) => read((sql) => findSessions(sql, wanted)),
    list: (filter = {}) => read((sql) => listConversations(sql, filter)),
    tip: (id) => read(async (sql) => sessionAt(sql, await tipOf(sql, await requireSeq(sql, id)))),
    chain: (id) =>
      read(async (sql) => {
        const chain: Session[] = [];
        for (const seq of await chainOf(sql, await requireSeq(sql, id))) chain.push(await sessionAt(sql, seq));
        return chain;
      }),
    takenBack: (id) => read(async (sql) => takenBackOf(sql, await requireSessionRow(sql, id))),
    continue: async (draft: ContinuationDraft) => {
      const made = { id: newId(), prepared: prepareMessages(draft.messages) };
      return write(async (sql) => sessionAt(sql, await continueSession({ sql, database }, draft, made)));
    },
    end: (id, reason) =>
      writeTo(id, async ({ sql }, row) => {
        await sql.run(endSession, [clock(), reason.toWellFormed(), integer(row, 'seq')]);
      }),
    reopen: (id) => writeTo(id, ({ sql }, row) => reopen(sql, id, row)),
    title: (id, title, from = 'user') => writeTo(id, (writing, row) => nameConversation(writing, row, { title, from })),
    delete: async (id) => {
      const deleted = await writeTo(id, deleteConversation);
      await database.giveBack();
      return deleted;
    },
    prune: async (before, options = {}) => {
      const deleted = await pruneConversations(database, before, options);
      if (!options.dryRun) await database.giveBack();
      return deleted;
    },
  };
}

/** Gives its number; inside a write transaction. */
async function insert(writing: Writing, draft: SessionDraft, id: string): Promise<number> {
  const { sql, database } = writing;
  if (await sessionRow(sql, id)) throw taken(`There is already a session ${id}`, { id });
  const parent = draft.parentId === undefined ? undefined : await requireSeq(sql, draft.parentId);
  const relation = draft.relation ?? (parent === undefined ? 'root' : 'branch');
  const [source, sourceId] = [draft.source.toWellFormed(), draft.sourceId?.toWellFormed()];
  if (relation === 'root' && sourceId !== undefined && (await sql.get(selectRootBySource, [sourceId, source]))) {
    throw taken(`There is already a session of ${source} with the id ${sourceId}`, { source, sourceId });
  }
  const titleFrom = draft.titleFrom ?? 'user';
  const clean = draft.title === undefined ? undefined : cleanTitle(draft.title, titleFrom);
  const made = await sql.insert(insertSession, {
    id,
    parent: parent ?? null,
    relation,
    side: relation === 'side' ? 1 : 0,
    source,
    sourceId: sourceId ?? null,
    sourcePath: draft.sourcePath?.toWellFormed() ?? null,
    project: draft.project?.toWellFormed() ?? null,
    model: draft.model?.toWellFormed() ?? null,
    title: clean === undefined ? null : await freeTitle(writing, clean),
    titleFrom: clean === undefined ? null : titleFrom,
    startedAt: instant(draft.startedAt ?? database.clock(), 'startedAt'),
  });
  const seq = required(made);
  await sql.run(setRoot, [seq]);
  for (const stretch of draft.takenBack ?? []) await insertStretch(sql, seq, { ...stretch, at: database.clock() });
  return seq;
}

/** A conversation that came from this one cannot be what it came from. */
async function linkSide(sql: Sql, side: number, parent: number): Promise<boolean> {
  const seen = new Set<number>();
  for (let at: number | undefined = parent; at !== undefined && !seen.has(at); ) {
    if (at === side) return false;
    seen.add(at);
    at = optionalInteger((await sql.get(selectParent, [at])) ?? {}, 'parent');
  }
  return (await sql.run(setParent, [parent, side])) === 1;
}

async function reopen(sql: Sql, id: string, row: Row): Promise<void> {
  if (integer(row, 'latest') === 0) {
    const message = `Session ${id} was compressed and continues in another session. Continue with its tip, or branch from it.`;
    throw new PalimpsestError('STORE_CONFLICT', message, { evidence: { id } });
  }
  await sql.run(reopenSession, [integer(row, 'seq')]);
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

// The list of conversations: a chain of sessions is one row.

/** Read from the index over the ends of chains, newest first. */
const selectTips = `
${selectSession}
where s.latest = 1
  and s.last_active_at >= :since and s.last_active_at < :until
  and (:sides = 1 or s.side = 0)
  and (:source is null or s.source = :source)
  and (:project is null or s.project = :project
    or (s.project >= :slash and s.project < :slashEnd)
    or (s.project >= :backslash and s.project < :backslashEnd))
order by s.last_active_at desc, s.seq desc limit :limit offset :offset`;

const selectChain = `
select count(*) as sessions, (select title from sessions where root = :root and title is not null order by seq desc limit 1) as title
from sessions where root = :root`;

const defaultLimit = 20;

async function listConversations(sql: Sql, filter: ConversationFilter): Promise<readonly Conversation[]> {
  const { folder = null, below = [null, null] } = filter.project === undefined ? {} : projectFolder(filter.project);
  const [slash, backslash] = below;
  const rows = await sql.all(selectTips, {
    since: bound(filter.since ?? Number.NEGATIVE_INFINITY, 'since'),
    until: bound(filter.until ?? Number.POSITIVE_INFINITY, 'until'),
    sides: filter.sides ? 1 : 0,
    source: filter.source ?? null,
    project: folder,
    slash,
    slashEnd: slash && slash + afterAll,
    backslash,
    backslashEnd: backslash && backslash + afterAll,
    limit: count(filter.limit ?? defaultLimit, 'limit'),
    offset: count(filter.offset ?? 0, 'offset'),
  });
  const found: Conversation[] = [];
  for (const row of rows) found.push(await conversationFrom(sql, row));
  return found;
}

async function conversationFrom(sql: Sql, row: Row): Promise<Conversation> {
  const tip = sessionFrom(row);
  const root = integer(row, 'root');
  const chain = (await sql.get(selectChain, { root })) ?? {};
  return {
    tip,
    root: root === integer(row, 'seq') ? tip : await sessionAt(sql, root),
    sessions: integer(chain, 'sessions'),
    ...given('title', optionalText(chain, 'title')),
    preview: text(row, 'preview'),
  };
}
