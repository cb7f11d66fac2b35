/** What is remembered: entries, and every act that changed one, with how each was before and after. */
import { PalimpsestError } from '../../shared/errors.ts';
import type {
  MemoryAct,
  MemoryActDraft,
  MemoryActId,
  MemoryChange,
  MemoryEntry,
  MemoryEntryId,
  MemoryFilter,
  MemoryStore,
} from '../memory-store.ts';
import {
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
import {
  bad,
  blankEntry,
  columnsOf,
  entryFrom,
  forgotten,
  isSameEntry,
  numberIn,
  quoted,
  requireActor,
  unquoted,
  withValues,
} from './memory-rows.ts';

const insertEntry = `
insert into memory_entries (target, kind, status, source, project, key, value, text, session, messages, replaces,
  created_at, updated_at, stated_at, until, confirmed_at, used_at)
values (:target, :kind, :status, :source, :project, :key, :value, :text, :session, :messages, :replaces,
  :created, :updated, :stated, :until, :confirmed, :used)`;
const updateEntry = `
update memory_entries set target = :target, kind = :kind, status = :status, source = :source, project = :project,
  key = :key, value = :value, text = :text, session = :session, messages = :messages, replaces = :replaces,
  created_at = :created, updated_at = :updated, stated_at = :stated, until = :until, confirmed_at = :confirmed, used_at = :used
where seq = :seq`;
const selectEntry = `select * from memory_entries where seq = ? and status <> '${forgotten}'`;
const selectRivals = `
select seq from memory_entries
where key = :key and coalesce(project, '') = coalesce(:project, '') and status = 'live' and seq <> :seq`;

const insertAct = `
insert into memory_acts (at, actor, what, reason, session, changes, undoes)
values (:at, :actor, :what, :reason, :session, :changes, :undoes)`;
const insertChange = `
insert into memory_changes (act, place, entry, entry_before, entry_after)
values (:act, :place, :entry, :before, :after)`;
const selectAct = 'select * from memory_acts where seq = ?';
const selectChanges = 'select * from memory_changes where act = ? order by place';
const setUndoneBy = 'update memory_acts set undone_by = ? where seq = ?';

const clearEntry = `
update memory_entries set target = 'memory', kind = 'fact', status = '${forgotten}', source = 'document', project = null,
  key = null, value = null, text = '""', session = null, messages = '[]', replaces = '[]', created_at = 0, updated_at = 0,
  stated_at = 0, until = null, confirmed_at = null, used_at = null
where seq = ?`;
const selectActsOf = 'select distinct act from memory_changes where entry = ?';
const deleteChanges = 'delete from memory_changes where entry = ?';
/** What sessions show of the memory, whatever form a text has in it: keys are JSON, from `"memory:` on. */
const deleteShown = `delete from state_meta where key >= '"memory:' and key < '"memory;'`;
/** A reason may quote what is to be forgotten. */
const clearReason = `
update memory_acts set reason = '"An entry of this act was forgotten."',
  changes = (select count(*) from memory_changes where act = :act) where seq = :act`;

/** Parents first. Acts that are under way were noted among the small values. */
const memoryTables = ['memory_entries', 'memory_acts', 'memory_changes', 'state_meta'];

export function createMemoryStore(database: Database): MemoryStore {
  const { read, write, erase, clock } = database;
  const now = (): number => instant(clock(), 'the clock');
  return {
    act: async (draft, expected = []) => {
      requireAct(draft);
      return write(async (sql) => {
        for (const entry of expected) await requireUnchanged(sql, entry);
        return act(sql, draft, { at: now() });
      });
    },
    get: (id) => read((sql) => entryAt(sql, id)),
    list: (filter = {}) => read((sql) => listEntries(sql, filter)),
    history: (options = {}) => read((sql) => history(sql, options)),
    undo: async (id, by) => {
      requireActor(by.actor);
      return write((sql) => undo(sql, id, { ...by, at: now() }));
    },
    forget: async (id) => {
      await erase(memoryTables, (sql) => forget(sql, id));
      await database.giveBack();
    },
  };
}

function requireAct({ actor, what, reason, changes }: MemoryActDraft): void {
  requireActor(actor);
  if (typeof what !== 'string' || what === '') throw bad('what', 'a word', what);
  if (typeof reason !== 'string') throw bad('reason', 'a sentence', reason);
  if (!Array.isArray(changes) || changes.length === 0) throw bad('changes', 'a list of at least one change', changes);
}

/** How a change leaves an entry; `before` is absent for a new one. */
interface Step {
  readonly before?: MemoryEntry;
  readonly after: MemoryEntry;
}

/** Inside a write transaction. */
async function act(sql: Sql, draft: MemoryActDraft, { at }: { readonly at: number }): Promise<MemoryAct> {
  const steps: Step[] = [];
  for (const change of draft.changes) steps.push(await takeChange(sql, change, at));
  return noteAct(sql, { ...draft, at }, steps);
}

async function takeChange(sql: Sql, change: MemoryChange, at: number): Promise<Step> {
  if (change.type === 'add') {
    const { id: _, ...blank } = withValues(blankEntry('', at), change.draft);
    const seq = required(await sql.insert(insertEntry, columnsOf(blank)));
    return { after: { id: `e${seq}`, ...blank } };
  }
  const before = await requireEntryAt(sql, change.id);
  const after = { ...withValues(before, change.values), updatedAt: at };
  await putEntry(sql, after);
  return { before, after };
}

const putEntry = (sql: Sql, entry: MemoryEntry): Promise<number> =>
  sql.run(updateEntry, { ...columnsOf(entry), seq: numberIn('e', entry.id) ?? 0 });

interface ActFacts extends Omit<MemoryActDraft, 'changes'> {
  readonly at: number;
  readonly undoes?: number;
}

async function noteAct(sql: Sql, facts: ActFacts, steps: readonly Step[]): Promise<MemoryAct> {
  for (const { after } of steps) await requireOnlyOne(sql, after);
  const { actor, what, reason, sessionId, at, undoes } = facts;
  const seq = required(
    await sql.insert(insertAct, {
      at,
      actor,
      what: JSON.stringify(what),
      reason: JSON.stringify(reason),
      session: quoted(sessionId),
      changes: steps.length,
      undoes: undoes ?? null,
    }),
  );
  for (const [place, { before, after }] of steps.entries()) {
    const entry = numberIn('e', after.id) ?? 0;
    const was = before === undefined ? null : JSON.stringify(before);
    await sql.run(insertChange, { act: seq, place, entry, before: was, after: JSON.stringify(after) });
  }
  return actAt(sql, seq);
}

/** At most one live entry has a key within its scope. */
async function requireOnlyOne(sql: Sql, { id, key, project }: MemoryEntry): Promise<void> {
  const seq = numberIn('e', id) ?? 0;
  const now = await sql.get(selectEntry, [seq]);
  if (key === undefined || !now || text(now, 'status') !== 'live' || unquoted(now, 'key') !== key) return;
  const rival = await sql.get(selectRivals, { key: quoted(key), project: quoted(project), seq });
  if (rival) throw conflict(id, `e${integer(rival, 'seq')} has the same key and is remembered too`);
}

async function requireUnchanged(sql: Sql, expected: MemoryEntry): Promise<void> {
  const found = await requireEntryAt(sql, expected.id);
  if (!isSameEntry(found, expected)) throw conflict(expected.id, 'it has changed since then');
}

async function entryAt(sql: Sql, id: MemoryEntryId): Promise<MemoryEntry | undefined> {
  const seq = numberIn('e', id);
  const row = seq === undefined ? undefined : await sql.get(selectEntry, [seq]);
  return row && entryFrom(row);
}

async function requireEntryAt(sql: Sql, id: MemoryEntryId): Promise<MemoryEntry> {
  return (await entryAt(sql, id)) ?? unknown('entry', id);
}

async function listEntries(sql: Sql, filter: MemoryFilter): Promise<readonly MemoryEntry[]> {
  const { status = ['live'], target, kind, key, project } = filter;
  const conditions = [
    `status in (${status.map((_, i) => `:status${i}`).join(', ') || 'null'})`,
    ...(target === undefined ? [] : ['target = :target']),
    ...(kind === undefined ? [] : ['kind = :kind']),
    ...(key === undefined ? [] : ['key = :key']),
    ...(project === undefined
      ? []
      : [project === null ? 'project is null' : '(project is null or project = :project)']),
  ];
  const values = {
    ...Object.fromEntries(status.map((one, i) => [`status${i}`, String(one) === forgotten ? '' : one])),
    ...given('target', target),
    ...given('kind', kind),
    ...(key === undefined ? {} : { key: JSON.stringify(key) }),
    ...(typeof project === 'string' ? { project: JSON.stringify(project) } : {}),
  };
  const rows = await sql.all(`select * from memory_entries where ${conditions.join(' and ')} order by seq`, values);
  return rows.map(entryFrom);
}

const selectHistory = 'select * from memory_acts order by seq desc limit ?';
const selectHistoryOf = `
select * from memory_acts where seq in (select act from memory_changes where entry = ?) order by seq desc limit ?`;

async function history(
  sql: Sql,
  { entry, limit = Number.MAX_SAFE_INTEGER }: { readonly entry?: MemoryEntryId; readonly limit?: number },
): Promise<readonly MemoryAct[]> {
  const most = count(limit, 'limit');
  const rows =
    entry === undefined
      ? await sql.all(selectHistory, [most])
      : await sql.all(selectHistoryOf, [numberIn('e', entry) ?? 0, most]);
  const acts: MemoryAct[] = [];
  for (const row of rows) acts.push(await actFrom(sql, row));
  return acts;
}

const actAt = async (sql: Sql, seq: number): Promise<MemoryAct> =>
  actFrom(sql, (await sql.get(selectAct, [seq])) ?? {});

async function actFrom(sql: Sql, row: Row): Promise<MemoryAct> {
  const changes = await sql.all(selectChanges, [integer(row, 'seq')]);
  const [undoes, undoneBy] = [optionalInteger(row, 'undoes'), optionalInteger(row, 'undone_by')];
  return {
    id: `a${integer(row, 'seq')}`,
    at: integer(row, 'at'),
    // The schema allows no other words in this column.
    actor: text(row, 'actor') as MemoryAct['actor'],
    what: unquoted(row, 'what') ?? '',
    reason: unquoted(row, 'reason') ?? '',
    ...given('sessionId', unquoted(row, 'session')),
    changes: changes.map(stepFrom),
    ...given('undoes', undoes === undefined ? undefined : `a${undoes}`),
    ...given('undoneBy', undoneBy === undefined ? undefined : `a${undoneBy}`),
  };
}

const stepFrom = (row: Row): Step => {
  const before = optionalText(row, 'entry_before');
  return {
    ...given('before', before === undefined ? undefined : entryOf(before)),
    after: entryOf(text(row, 'entry_after')),
  };
};

// `noteAct` wrote it from an entry.
const entryOf = (json: string): MemoryEntry => JSON.parse(json) as MemoryEntry;

/** Inside a write transaction. An act that an undo takes back is in force again when that undo is undone. */
async function undo(
  sql: Sql,
  id: MemoryActId,
  { at, actor, reason }: Pick<MemoryActDraft, 'actor' | 'reason'> & { readonly at: number },
): Promise<MemoryAct> {
  const seq = numberIn('a', id);
  const row = seq === undefined ? undefined : await sql.get(selectAct, [seq]);
  if (seq === undefined || !row) return unknown('act', id);
  const undone = await actFrom(sql, row);
  if (undone.undoneBy !== undefined) throw conflict(id, `${undone.undoneBy} has taken it back already`);
  if (undone.changes.length === 0) throw conflict(id, 'what it changed was forgotten');
  const steps: Step[] = [];
  // An act may have changed an entry twice.
  for (const { before, after } of undone.changes.toReversed()) {
    const now = await requireEntryAt(sql, after.id);
    if (!isSameEntry(now, after)) throw conflict(id, `${after.id} has changed since then`);
    const then: MemoryEntry = { ...(before ?? { ...after, status: 'retired' }), updatedAt: at };
    await putEntry(sql, then);
    steps.push({ before: now, after: then });
  }
  const done = await noteAct(sql, { actor, reason, what: 'undo', at, undoes: seq }, steps);
  await sql.run(setUndoneBy, [numberIn('a', done.id) ?? 0, seq]);
  const [, again] = /^a(\d+)$/.exec(undone.undoes ?? '') ?? [];
  if (again !== undefined) await sql.run(setUndoneBy, [null, Number(again)]);
  return done;
}

/** Inside a write transaction. The row stays without anything in it, so that its number is never given again. */
async function forget(sql: Sql, id: MemoryEntryId): Promise<void> {
  await requireEntryAt(sql, id);
  const seq = numberIn('e', id) ?? 0;
  const acts = await sql.all(selectActsOf, [seq]);
  await sql.run(deleteShown);
  await sql.run(clearEntry, [seq]);
  await sql.run(deleteChanges, [seq]);
  for (const row of acts) await sql.run(clearReason, { act: integer(row, 'act') });
}

const unknown = (kind: 'entry' | 'act', id: string): never => {
  const message = `No ${kind} of the memory has the id ${JSON.stringify(String(id).slice(0, 40))}. Expected one such as ${kind === 'entry' ? 'e12' : 'a12'} that is listed.`;
  throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: String(id).slice(0, 40) } });
};

const conflict = (id: string, why: string): PalimpsestError =>
  new PalimpsestError('STORE_CONFLICT', `The memory was not changed because of ${id}: ${why}. Look at it again.`, {
    evidence: { id },
  });
