/**
 * Version 3: calls by kind, so that a year of them is summed up without sorting; calls that are known again when a log is
 * imported twice; what the cache saved, and which reports were not whole.
 */
export const usageKinds = `
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
