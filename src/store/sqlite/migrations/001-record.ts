/** Version 1: messages, sessions as views over them, what calls used, leases, saved output. */
export const record = `
create table messages (
  seq integer primary key,
  id text not null unique,
  hash blob not null,
  role text not null,
  body text not null,
  time integer,
  characters integer not null,
  home integer not null references sessions (seq),
  home_position integer not null
) strict;

create table sessions (
  seq integer primary key,
  id text not null unique,
  parent integer references sessions (seq) on delete set null,
  root integer references sessions (seq) on delete set null,
  relation text not null check (relation in ('root', 'continuation', 'branch', 'side')),
  source text not null,
  source_id text,
  source_path text,
  project text,
  model text,
  title text,
  title_from text,
  preview text not null default '',
  started_at integer not null,
  ended_at integer,
  end_reason text,
  last_active_at integer not null,
  message_count integer not null default 0,
  tool_call_count integer not null default 0
) strict;

create table entries (
  session integer not null references sessions (seq) on delete cascade,
  position integer not null,
  message integer not null references messages (seq),
  time integer not null,
  primary key (session, position)
) strict, without rowid;

create index entries_by_message on entries (message);

create table summaries (
  message integer primary key references messages (seq) on delete cascade,
  session integer not null references sessions (seq) on delete cascade,
  written_by text not null,
  made_at integer not null
) strict;

create table summary_covers (
  summary integer not null references summaries (message) on delete cascade,
  place integer not null,
  message integer not null references messages (seq),
  primary key (summary, place)
) strict, without rowid;
`;
