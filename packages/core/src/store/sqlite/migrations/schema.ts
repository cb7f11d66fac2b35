/**
 * Version 1: messages, sessions as views over them, what calls used, leases, saved output.
 *
 * Rows name each other by small integers (`seq`); ids for people and programs stand in a column of their own. A message
 * has no foreign key to its `home`: deleting sessions gives their messages another home in the same transaction, and
 * `doctor` looks whether all of them are right.
 */
export const record = `
create table messages (
  seq integer primary key,
  id text not null unique,
  -- SHA-256 of the body: what the id is the beginning of.
  hash blob not null,
  -- Who speaks in it, since version 7: such as user, or tool+user.
  role text not null,
  -- The message as JSON, which escapes what SQLite's text cannot hold; a long one as a Zstandard frame (a blob).
  body any not null,
  -- When it was said, where it tells.
  time integer,
  characters integer not null,
  -- The session that showed it first, and where.
  home integer not null,
  home_position integer not null
) strict;

create table sessions (
  seq integer primary key,
  id text not null unique,
  parent integer references sessions (seq) on delete set null,
  root integer references sessions (seq) on delete set null,
  relation text not null check (relation in ('root', 'continuation', 'branch', 'side')),
  -- 1 for the end of its chain: the row that lists show.
  latest integer not null default 1,
  -- 1 for a side conversation and all that continue it.
  side integer not null default 0,
  source text not null,
  source_id text,
  source_path text,
  project text,
  model text,
  title text collate nocase,
  title_from text check (title_from in ('user', 'model', 'source')),
  preview text not null default '',
  started_at integer not null,
  ended_at integer,
  end_reason text,
  last_active_at integer not null,
  message_count integer not null default 0,
  tool_call_count integer not null default 0,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  cache_read_tokens integer not null default 0,
  cache_write_tokens integer not null default 0,
  reasoning_tokens integer not null default 0,
  calls integer not null default 0,
  cost_usd real,
  unpriced integer not null default 0
) strict;

create unique index sessions_by_title on sessions (title) where title is not null;
create index sessions_by_parent on sessions (parent) where parent is not null;
create index sessions_by_root on sessions (root);
create index sessions_by_source_id on sessions (source_id) where source_id is not null;
create index sessions_by_activity on sessions (last_active_at, side, source, project) where latest = 1;

-- The views: what a session shows, in order.
create table entries (
  session integer not null references sessions (seq) on delete cascade,
  position integer not null,
  message integer not null references messages (seq),
  time integer not null,
  -- In a continuation: the position in the session before of what the message was made of, -1 for a handoff.
  origin integer,
  primary key (session, position)
) strict, without rowid;

create index entries_by_message on entries (message);

-- The messages that are handoffs, and what each of them stands for.
create table summaries (
  message integer primary key references messages (seq) on delete cascade,
  session integer references sessions (seq) on delete set null,
  written_by text not null check (written_by in ('ledger', 'model')),
  made_at integer not null
) strict;

create index summaries_by_session on summaries (session);

create table summary_covers (
  summary integer not null references summaries (message) on delete cascade,
  place integer not null,
  message integer not null references messages (seq),
  primary key (summary, place)
) strict, without rowid;

create index summary_covers_by_message on summary_covers (message);

-- One row a call; sessions hold the sums. Deleting a session does not give its money back.
create table usage (
  seq integer primary key,
  session integer references sessions (seq) on delete set null,
  source text not null,
  model text not null,
  task text not null,
  at integer not null,
  input_tokens integer not null,
  output_tokens integer not null,
  cache_read_tokens integer not null,
  cache_write_tokens integer not null,
  reasoning_tokens integer not null,
  cost_usd real
) strict;

create index usage_by_session on usage (session);
create index usage_by_time on usage (at);

create table leases (
  name text primary key,
  owner text not null,
  token text not null,
  expires_at integer not null
) strict, without rowid;

-- Tool results that were saved whole, in pieces, so that some lines can be read without the rest.
create table outputs (
  seq integer primary key,
  id text not null unique,
  hash blob not null,
  characters integer not null,
  bytes integer not null,
  lines integer not null
) strict;

create table output_pieces (
  output integer not null references outputs (seq) on delete cascade,
  place integer not null,
  -- The line that its first character belongs to, from 1.
  first_line integer not null,
  encoding text not null check (encoding in ('utf8', 'utf8+deflate', 'utf16', 'utf16+deflate')),
  body blob not null,
  primary key (output, place)
) strict;

-- Who saved an output; without a session it belongs to nobody and stays.
create table output_uses (
  seq integer primary key,
  output integer not null references outputs (seq) on delete cascade,
  session integer references sessions (seq) on delete cascade,
  tool text,
  saved_at integer not null
) strict;

create unique index output_uses_once on output_uses (output, coalesce(session, 0));
create index output_uses_by_session on output_uses (session);

create table state_meta (
  key text primary key,
  value text not null
) strict, without rowid;
`;
