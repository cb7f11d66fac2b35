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
import {
  bound,
  count,
  given,
  instant,
  integer,
  optionalInteger,
  optionalText,
  type Row,
  type Sql,
  text,
} from './database.ts';
import { requireOwnRow, usageFrom } from './session-rows.ts';

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
  all: 'from usage_kinds k cross join usage u where u.kind = k.seq and u.at >= :since and u.at < :until',
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

export const totalsOf = async (sql: Sql, filter: UsageFilter): Promise<UsageTotals> =>
  usageFrom((await sql.get(`select ${sums} ${fromFiltered(filter)}`, bounds(filter))) ?? {});

const dayLength = 86_400_000;

/** A day is its number, counted from 1970. */
const groups: Readonly<Record<'model' | 'source' | 'task' | 'day', string>> = {
  model: 'k.model',
  source: 'k.source',
  task: 'k.task',
  day: `(u.at - case when u.at < 0 then ${dayLength - 1} else 0 end) / ${dayLength}`,
};

export async function groupedBy(
  sql: Sql,
  group: keyof typeof groups,
  filter: UsageFilter,
): Promise<readonly UsageRow[]> {
  const statement = `select ${groups[group]} as name, ${sums} ${fromFiltered(filter)} group by 1 order by 1`;
  const rows = await sql.all(statement, bounds(filter));
  return rows.map((row) => ({ group: group === 'day' ? dayOf(row) : text(row, 'name'), ...usageFrom(row) }));
}

const dayOf = (row: Row): string => new Date(integer(row, 'name') * dayLength).toISOString().slice(0, 10);

const selectKinds = 'select * from usage_kinds order by seq';
const selectNext = 'select at from usage where kind = ? and at >= ? and at < ? order by at limit 1';
const selectSpan = `select ${sums} from usage u where u.kind = ? and u.at >= ? and u.at < ?`;

/** Goes from one span that holds calls to the next one: empty spans cost nothing, and nothing is sorted. */
export async function spansOf(sql: Sql, times: readonly number[]): Promise<readonly UsageSpan[]> {
  const edges = times.map((time) => instant(time, 'times'));
  const end = edges.at(-1) ?? 0;
  const found: UsageSpan[] = [];
  for (const kind of await sql.all(selectKinds)) {
    const seq = integer(kind, 'seq');
    const nextFrom = async (from: number): Promise<number | undefined> => {
      const row = await sql.get(selectNext, [seq, from, end]);
      return row && integer(row, 'at');
    };
    for (let at = await nextFrom(edges[0] ?? 0); at !== undefined; ) {
      const place = placeOf(edges, at);
      const [from = at, to = end] = [edges[place], edges[place + 1]];
      found.push({ from, ...kindFrom(kind), ...usageFrom((await sql.get(selectSpan, [seq, from, to])) ?? {}) });
      at = to >= end ? undefined : await nextFrom(to);
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
  from usage_kinds k) spans`;

export async function rangeOfCalls(sql: Sql): Promise<{ readonly first: number; readonly last: number } | undefined> {
  const row = (await sql.get(selectRange)) ?? {};
  const [first, last] = [optionalInteger(row, 'first'), optionalInteger(row, 'last')];
  return first === undefined || last === undefined ? undefined : { first, last };
}

/** A conversation and the side conversations that its sessions started, and those that they did. */
const selectFamily = `
with recursive family (root) as (
  select cast(:root as bigint)
  union
  select s.root from sessions s join sessions p on s.parent = p.seq join family f on p.root = f.root
  where s.side = 1 and s.relation = 'side'
)
select s.id, s.side, k.model, k.task, max(u.at) as last_at, (
  select l.input_tokens + l.cache_read_tokens + l.cache_write_tokens
  from usage l join usage_kinds lk on lk.seq = l.kind
  where l.session = s.seq and lk.model = k.model and lk.task = k.task order by l.at desc, l.seq limit 1
) as last_prompt_tokens, ${sums}
from family f join sessions s on s.root = f.root join usage u on u.session = s.seq join usage_kinds k on k.seq = u.kind
group by s.seq, k.model, k.task order by s.side, s.seq, k.model, k.task`;

export async function ofConversation(sql: Sql, sessionId: SessionId): Promise<readonly SessionUsage[]> {
  const root = integer(await requireOwnRow(sql, sessionId), 'root');
  const rows = await sql.all(selectFamily, { root });
  return rows.map((row) => ({
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
  (select count(*) from sessions c join sessions p on p.seq = c.parent
    where c.relation = 'continuation' and coalesce(p.end_reason, '') <> 'undo'
      and c.started_at >= :since and c.started_at < :until)
    as compressions`;

export async function activityIn(sql: Sql, filter: Pick<UsageFilter, 'since' | 'until'>): Promise<Activity> {
  const row = (await sql.get(selectActivity, bounds(filter))) ?? {};
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

export async function largestIn(
  sql: Sql,
  limit: number,
  filter: Pick<UsageFilter, 'since' | 'until'>,
): Promise<readonly LargestConversation[]> {
  const rows = await sql.all(selectLargest, { ...bounds(filter), limit: count(limit, 'limit') });
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
