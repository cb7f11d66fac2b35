/** Sums over the rows of usage: by kind and time from one index, by session from another. */
import type { SessionId } from '../ids.ts';
import type {
  Activity,
  LargestConversation,
  SessionUsage,
  UsageFilter,
  UsageRow,
  UsageSpan,
  UsageTotals,
} from '../usage-store.ts';
import type { Connection } from './connection.ts';
import { bound, count, instant } from './numbers.ts';
import { given, integer, optionalInteger, optionalText, type Row, text } from './rows.ts';
import { requireSessionRow, usageFrom } from './session-rows.ts';

const sums = `
  coalesce(sum(u.input_tokens), 0) as input_tokens,
  coalesce(sum(u.output_tokens), 0) as output_tokens,
  coalesce(sum(u.cache_read_tokens), 0) as cache_read_tokens,
  coalesce(sum(u.cache_write_tokens), 0) as cache_write_tokens,
  coalesce(sum(u.reasoning_tokens), 0) as reasoning_tokens,
  count(*) as calls,
  sum(u.cost_usd) as cost_usd,
  sum(u.saved_usd) as saved_usd,
  count(*) - count(u.cost_usd) as unpriced,
  coalesce(sum(u.partial), 0) as partial`;

/** The order of the joins keeps SQLite on the index that holds everything. */
const filtered = {
  all: `from usage_kinds k cross join usage u on u.kind = k.seq and u.at >= :since and u.at < :until`,
  session: `
from usage u join usage_kinds k on k.seq = u.kind
where u.session = (select seq from sessions where id = :session) and u.at >= :since and u.at < :until`,
} as const;

const fromFiltered = ({ sessionId }: UsageFilter): string =>
  sessionId === undefined ? filtered.all : filtered.session;

const bounds = ({ sessionId, since, until }: UsageFilter): Record<string, string | number> => ({
  ...(sessionId === undefined ? {} : { session: sessionId }),
  since: bound(since ?? Number.NEGATIVE_INFINITY, 'since'),
  until: bound(until ?? Number.POSITIVE_INFINITY, 'until'),
});

export const totalsOf = ({ sql }: Connection, filter: UsageFilter): UsageTotals =>
  usageFrom(sql(`select ${sums} ${fromFiltered(filter)}`).get(bounds(filter)) ?? {});

const groups = {
  model: 'k.model',
  source: 'k.source',
  task: 'k.task',
  day: `strftime('%Y-%m-%d', u.at / 1000, 'unixepoch')`,
} as const;

export function groupedBy({ sql }: Connection, group: keyof typeof groups, filter: UsageFilter): readonly UsageRow[] {
  const name = groups[group];
  const statement = `select ${name} as name, ${sums} ${fromFiltered(filter)} group by ${name} order by ${name}`;
  return sql(statement)
    .all(bounds(filter))
    .map((row) => ({ group: text(row, 'name'), ...usageFrom(row) }));
}

const selectKinds = 'select * from usage_kinds order by seq';
const selectNext = 'select at from usage where kind = ? and at >= ? and at < ? order by at limit 1';
const selectSpan = `select ${sums} from usage u where u.kind = ? and u.at >= ? and u.at < ?`;

/** Goes from one span that holds calls to the next one: empty spans cost nothing, and nothing is sorted. */
export function spansOf({ sql }: Connection, times: readonly number[]): readonly UsageSpan[] {
  const edges = times.map((time) => instant(time, 'times'));
  const end = edges.at(-1) ?? 0;
  const found: UsageSpan[] = [];
  for (const kind of sql(selectKinds).all()) {
    const seq = integer(kind, 'seq');
    const nextFrom = (from: number): number | undefined => {
      const row = sql(selectNext).get(seq, from, end);
      return row && integer(row, 'at');
    };
    for (let at = nextFrom(edges[0] ?? 0); at !== undefined; ) {
      const place = placeOf(edges, at);
      const [from = at, to = end] = [edges[place], edges[place + 1]];
      found.push({ from, ...kindFrom(kind), ...usageFrom(sql(selectSpan).get(seq, from, to) ?? {}) });
      at = to >= end ? undefined : nextFrom(to);
    }
  }
  return found;
}

/** Of rising numbers the last one that is not above. */
function placeOf(edges: readonly number[], at: number): number {
  let [low, high] = [0, edges.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((edges[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

const kindFrom = (row: Row): Pick<UsageSpan, 'model' | 'source' | 'task' | 'project'> => ({
  model: text(row, 'model'),
  source: text(row, 'source'),
  task: text(row, 'task'),
  ...given('project', optionalText(row, 'project')),
});

const selectRange = `
select min(first) as first, max(last) as last from (
  select (select min(at) from usage where kind = k.seq) as first, (select max(at) from usage where kind = k.seq) as last
  from usage_kinds k)`;

export function rangeOfCalls({ sql }: Connection): { readonly first: number; readonly last: number } | undefined {
  const row = sql(selectRange).get() ?? {};
  const [first, last] = [optionalInteger(row, 'first'), optionalInteger(row, 'last')];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/**
 * A conversation and the side conversations that its sessions started, and those that they did. Beside `max`, SQLite
 * gives bare columns the values of the row that has it.
 */
const selectFamily = `
with recursive family (root) as (
  select :root
  union
  select s.root from sessions s join sessions p on s.parent = p.seq join family f on p.root = f.root
  where s.side = 1 and s.relation = 'side'
)
select s.id, s.side, k.model, k.task, max(u.at) as last_at,
  u.input_tokens + u.cache_read_tokens + u.cache_write_tokens as last_prompt_tokens, ${sums}
from family f join sessions s on s.root = f.root join usage u on u.session = s.seq join usage_kinds k on k.seq = u.kind
group by s.seq, k.model, k.task order by s.side, s.seq, k.model, k.task`;

export function ofConversation(connection: Connection, sessionId: SessionId): readonly SessionUsage[] {
  const root = integer(requireSessionRow(connection, sessionId), 'root');
  return connection
    .sql(selectFamily)
    .all({ root })
    .map((row) => ({
      sessionId: text(row, 'id'),
      isSide: integer(row, 'side') === 1,
      model: text(row, 'model'),
      task: text(row, 'task'),
      lastAt: integer(row, 'last_at'),
      lastPromptTokens: integer(row, 'last_prompt_tokens'),
      ...usageFrom(row),
    }));
}

const selectActivity = `
select
  (select count(*) from sessions where latest = 1 and side = 0 and last_active_at >= :since and started_at < :until)
    as conversations,
  (select count(*) from sessions where latest = 1 and side = 1 and last_active_at >= :since and started_at < :until
    and not (relation = 'side' and coalesce(end_reason, '') in ('broken_off', 'called_off')))
    as sides,
  (select count(*) from entries where origin is null and time >= :since and time < :until) as messages,
  (select count(*) from sessions where relation = 'continuation' and started_at >= :since and started_at < :until)
    as compressions`;

export function activityIn({ sql }: Connection, filter: Pick<UsageFilter, 'since' | 'until'>): Activity {
  const row = sql(selectActivity).get(bounds(filter)) ?? {};
  return {
    conversations: integer(row, 'conversations'),
    sides: integer(row, 'sides'),
    messages: integer(row, 'messages'),
    compressions: integer(row, 'compressions'),
  };
}

/** What a session's sides used is counted with them: each is a conversation of its own here. */
const selectLargest = `
select t.id, t.source, t.project, t.preview, t.last_active_at, a.*,
  (select title from sessions where root = t.root and title is not null order by seq desc limit 1) as title
from sessions t join (
  select s.root as chain,
    sum(s.input_tokens) as input_tokens, sum(s.output_tokens) as output_tokens,
    sum(s.cache_read_tokens) as cache_read_tokens, sum(s.cache_write_tokens) as cache_write_tokens,
    sum(s.reasoning_tokens) as reasoning_tokens, sum(s.calls) as calls, sum(s.cost_usd) as cost_usd,
    sum(s.saved_usd) as saved_usd, sum(s.unpriced) as unpriced, sum(s.partial) as partial
  from sessions s group by s.root) a on a.chain = t.root
where t.latest = 1 and t.last_active_at >= :since and t.started_at < :until and a.calls > 0
order by coalesce(a.cost_usd, 0) desc,
  a.input_tokens + a.output_tokens + a.cache_read_tokens + a.cache_write_tokens desc, t.seq
limit :limit`;

export function largestIn(
  { sql }: Connection,
  limit: number,
  filter: Pick<UsageFilter, 'since' | 'until'>,
): readonly LargestConversation[] {
  const rows = sql(selectLargest).all({ ...bounds(filter), limit: count(limit, 'limit') });
  return rows.map((row) => ({
    sessionId: text(row, 'id'),
    source: text(row, 'source'),
    ...given('project', optionalText(row, 'project')),
    ...given('title', optionalText(row, 'title')),
    preview: text(row, 'preview'),
    lastActiveAt: integer(row, 'last_active_at'),
    ...usageFrom(row),
  }));
}
