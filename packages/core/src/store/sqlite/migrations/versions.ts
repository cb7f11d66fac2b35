/** Every version of the schema behind the first: what it changed, and why. */
import type { DatabaseSync } from 'node:sqlite';
import { integer, type Sql } from '../../record/database.ts';
import { messageFrom, speakers } from '../../record/messages.ts';
import { renameByRequest, rowsOf, setRequestTitles } from '../../record/repair.ts';
import { searchSchema } from '../index/search-tables.ts';
import { readMark, setNewMark } from '../mark.ts';
import { record } from './schema.ts';

/**
 * Version 3: calls by kind, so that a year of them is summed up without sorting; calls that are known again when a log is
 * imported twice; what the cache saved, and which reports were not whole.
 */
const usageKinds = `
create table usage_kinds (
  seq integer primary key,
  source text not null,
  -- The folder the agent worked in.
  project text,
  model text not null,
  task text not null
) strict;

create unique index usage_kinds_once on usage_kinds (source, coalesce(project, ''), model, task);

insert into usage_kinds (source, project, model, task)
select distinct u.source, s.project, u.model, u.task from usage u left join sessions s on s.seq = u.session;

alter table usage rename to usage_before;

-- One row a call; sessions hold the sums. Deleting a session does not give its money back.
create table usage (
  seq integer primary key,
  session integer references sessions (seq) on delete set null,
  kind integer not null references usage_kinds (seq),
  -- What tells the call from every other one, where its source says that.
  report text,
  at integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  cache_read_tokens integer not null,
  cache_write_tokens integer not null,
  reasoning_tokens integer not null,
  cost_usd real,
  saved_usd real,
  -- 1 where the report was not whole.
  partial integer not null default 0
) strict;

insert into usage (seq, session, kind, at,
  input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cost_usd)
select u.seq, u.session, k.seq, u.at,
  u.input_tokens, u.output_tokens, u.cache_read_tokens, u.cache_write_tokens, u.reasoning_tokens, u.cost_usd
from usage_before u
left join sessions s on s.seq = u.session
join usage_kinds k
  on k.source = u.source and coalesce(k.project, '') = coalesce(s.project, '') and k.model = u.model and k.task = u.task;

drop table usage_before;

create unique index usage_by_report on usage (report) where report is not null;
create index usage_by_session on usage (session);
-- Holds all that is summed up: the rows themselves are not read.
create index usage_by_kind on usage (kind, at, input_tokens, output_tokens, cache_read_tokens, cache_write_tokens,
  reasoning_tokens, cost_usd, saved_usd, partial);

alter table sessions add column saved_usd real;
alter table sessions add column partial integer not null default 0;
`;

/**
 * Version 4: vectors of messages, for searching by meaning. They can always be made again from the messages.
 *
 * A row tells that a model has seen a message; its body is empty where the message takes no part. They are no part of the
 * messages' own rows, since most stores have none, and whoever reads messages should not read past them.
 */
const vectors = `
create table vector_models (
  seq integer primary key,
  name text not null unique,
  dimensions integer not null
) strict;

create table vectors (
  seq integer primary key,
  model integer not null references vector_models (seq) on delete cascade,
  message integer not null references messages (seq) on delete cascade,
  body blob not null
) strict;

create unique index vectors_by_message on vectors (model, message);
create index vectors_of_message on vectors (message);
`;

/** Version 5: what was said at a time or by a role is found without reading every place of a word. */
export const searchFilters = `
create index entries_by_time on entries (time);
create index messages_by_role on messages (role);
`;

/** Version 6: when a lease was given, so that one from the time before a clock was set back is not waited for. */
const leaseAge = `
alter table leases add column given_at integer not null default 0;
`;

/**
 * Version 7: the column `role` of messages says who speaks in them, and not the role that the format gave. Several
 * formats give results of tools, and what programs write, in messages of the user: whoever looked for what a user said
 * had to read all of those.
 */
const selectUsers = "select seq, body from messages where role = 'user' and seq > ? order by seq limit 500";
const setSpeakers = 'update messages set role = ? where seq = ?';

async function setAllSpeakers(sql: Sql): Promise<void> {
  for await (const row of rowsOf(sql, selectUsers)) {
    const found = speakers(messageFrom(row));
    if (found !== 'user') await sql.run(setSpeakers, [found, integer(row, 'seq')]);
  }
}

/**
 * Version 8: what a conversation without a title is called is kept beside it, so that it is found by that as fast as by a
 * title, and not by reading the first request of every conversation.
 */
const requestTitles = `
alter table sessions add column request_title text;
create index sessions_by_request_title on sessions (request_title) where request_title is not null;
`;

/**
 * Version 9: a store tells itself from every other one, and an older state of itself from a newer one. One row on a
 * page of its own, so that each transaction that writes it leaves it in the log (`mark.ts`).
 */
const markTable = 'create table if not exists store_mark (mark text not null) strict';

async function mark(sql: Sql, db: DatabaseSync): Promise<void> {
  await sql.run(markTable);
  if (!readMark(db)) setNewMark(db);
}

/**
 * Version 10: what is remembered, and every act that changed it. Rows of entries stay when an entry is forgotten, so that
 * no number is given twice. Who said what an entry says stands in a column of its own, which no text can reach.
 */
const memory = `
create table memory_entries (
  seq integer primary key,
  target text not null check (target in ('memory', 'user')),
  kind text not null check (kind in ('identity', 'preference', 'fact', 'state', 'procedure')),
  status text not null check (status in ('live', 'pending', 'retired', 'rejected', 'forgotten')),
  source text not null check (source in ('person', 'model', 'own-tool', 'outside-tool', 'document')),
  -- These and the text are JSON strings, which escape what text columns cannot hold.
  project text,
  key text,
  value text,
  text text not null,
  session text,
  -- Ids of messages and of entries, as lists in JSON.
  messages text not null,
  replaces text not null,
  created_at integer not null,
  updated_at integer not null,
  stated_at integer not null,
  until integer,
  confirmed_at integer,
  used_at integer
) strict;

create table memory_acts (
  seq integer primary key,
  at integer not null,
  actor text not null check (actor in ('person', 'file', 'model', 'curator', 'runtime', 'import')),
  what text not null,
  reason text not null,
  session text,
  -- How many changes it has: an act of which some are lost is not taken back.
  changes integer not null,
  undoes integer,
  undone_by integer
) strict;

-- An entry before (null for a new one) and after, as JSON.
create table memory_changes (
  seq integer primary key,
  act integer not null references memory_acts (seq) on delete cascade,
  place integer not null,
  entry integer not null references memory_entries (seq),
  entry_before text,
  entry_after text not null,
  unique (act, place)
) strict;

create index memory_changes_by_entry on memory_changes (entry);
`;

/** Version 11: what each conversation was about, told once by its first session. */
const episodes = `
create table episodes (
  conversation integer primary key references sessions (seq) on delete cascade,
  -- As a JSON string.
  text text not null,
  ended_at integer not null
) strict;

create index episodes_by_end on episodes (ended_at);
`;

/** Version 12: what a person has pinned in a conversation. It says nothing of where the message stands: the views do. */
const pins = `
create table pins (
  seq integer primary key,
  conversation integer not null references sessions (seq) on delete cascade,
  message integer not null references messages (seq) on delete cascade,
  -- As they were counted then.
  tokens integer not null,
  pinned_at integer not null
) strict;

create unique index pins_once on pins (conversation, message);
create index pins_by_message on pins (message);
`;

/**
 * Version 13: what a person has taken back of a conversation. The messages stay where they were said, under their numbers, so
 * that they can be found; the session that goes on does not show them.
 */
const takenBack = `
create table taken_back (
  seq integer primary key,
  conversation integer not null references sessions (seq) on delete cascade,
  -- The first and the last of them among all that was said in the conversation, from 0.
  first integer not null,
  last integer not null,
  at integer not null
) strict;

create index taken_back_by_conversation on taken_back (conversation);
`;

interface Migration {
  readonly name: string;
  readonly sql?: string;
  /** What SQL cannot work out; in the same transaction. */
  readonly run?: (sql: Sql, db: DatabaseSync) => Promise<void> | void;
}

/** All of them in their order; none is changed once it was published. */
export const migrations: readonly Migration[] = [
  { name: 'record', sql: record },
  { name: 'search', sql: searchSchema },
  { name: 'usage-kinds', sql: usageKinds },
  { name: 'vectors', sql: vectors },
  { name: 'search-filters', sql: searchFilters },
  { name: 'lease-age', sql: leaseAge },
  { name: 'speakers', run: setAllSpeakers },
  { name: 'request-titles', sql: requestTitles, run: setRequestTitles },
  { name: 'mark', run: mark },
  { name: 'memory', sql: memory },
  { name: 'episodes', sql: episodes },
  { name: 'pins', sql: pins },
  { name: 'taken-back', sql: takenBack },
  // Version 14: many clients open a request with reminders, and conversations were called by those.
  { name: 'asked', run: renameByRequest },
];
