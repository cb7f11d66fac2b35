/** Usage in SQLite: a row for each call, and the sums in its session. */
import { PalimpsestError } from '../../shared/errors.ts';
import type { UsageEntry, UsageFilter, UsageRow, UsageStore, UsageTotals } from '../usage-store.ts';
import type { Connection } from './connection.ts';
import { bound, instant } from './numbers.ts';
import { integer, type Row, text } from './rows.ts';
import { requireSessionRow, usageFrom } from './session-rows.ts';

const insertUsage = `
insert into usage (session, source, model, task, at,
  input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cost_usd)
values (:session, :source, :model, :task, :at, :input, :output, :cacheRead, :cacheWrite, :reasoning, :cost)`;

const addToSession = `
update sessions set
  input_tokens = input_tokens + :input,
  output_tokens = output_tokens + :output,
  cache_read_tokens = cache_read_tokens + :cacheRead,
  cache_write_tokens = cache_write_tokens + :cacheWrite,
  reasoning_tokens = reasoning_tokens + :reasoning,
  calls = calls + 1,
  cost_usd = case when :cost is null then cost_usd else coalesce(cost_usd, 0) + :cost end,
  unpriced = unpriced + (:cost is null)
where seq = :session`;

const sums = `
  coalesce(sum(input_tokens), 0) as input_tokens,
  coalesce(sum(output_tokens), 0) as output_tokens,
  coalesce(sum(cache_read_tokens), 0) as cache_read_tokens,
  coalesce(sum(cache_write_tokens), 0) as cache_write_tokens,
  coalesce(sum(reasoning_tokens), 0) as reasoning_tokens,
  count(*) as calls,
  sum(cost_usd) as cost_usd,
  count(*) - count(cost_usd) as unpriced`;

const filtered = `
from usage
where at >= :since and at < :until
  and (:session is null or session = (select seq from sessions where id = :session))`;

const selectTotals = `select ${sums} ${filtered}`;

const groups = {
  model: 'model',
  source: 'source',
  task: 'task',
  day: `strftime('%Y-%m-%d', at / 1000, 'unixepoch')`,
} as const;

export function createUsageStore(connection: Connection): UsageStore {
  const { sql, read, write, clock } = connection;

  async function add(entry: UsageEntry): Promise<void> {
    requireEntry(entry);
    await write(() => {
      const row = requireSessionRow(connection, entry.sessionId);
      const counted = {
        session: integer(row, 'seq'),
        input: entry.inputTokens,
        output: entry.outputTokens,
        cacheRead: entry.cacheReadTokens,
        cacheWrite: entry.cacheWriteTokens,
        reasoning: entry.reasoningTokens,
        cost: entry.costUsd ?? null,
      };
      const { model, task, at = clock() } = entry;
      sql(insertUsage).run({ ...counted, source: text(row, 'source'), model, task, at: instant(at, 'at') });
      sql(addToSession).run(counted);
    });
  }

  return {
    add,
    totals: (filter = {}): Promise<UsageTotals> => read(() => usageFrom(sql(selectTotals).get(bounds(filter)) ?? {})),
    by: (group, filter = {}) =>
      read(() => {
        const name = groups[group];
        const statement = `select ${name} as name, ${sums} ${filtered} group by ${name} order by ${name}`;
        return sql(statement).all(bounds(filter)).map(usageRow);
      }),
  };
}

const usageRow = (row: Row): UsageRow => ({ group: text(row, 'name'), ...usageFrom(row) });

const bounds = ({ sessionId, since, until }: UsageFilter): Record<string, string | number | null> => ({
  session: sessionId ?? null,
  since: bound(since ?? Number.NEGATIVE_INFINITY, 'since'),
  until: bound(until ?? Number.POSITIVE_INFINITY, 'until'),
});

const counts = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

function requireEntry(entry: UsageEntry): void {
  const wrong = counts.find((name) => !Number.isSafeInteger(entry[name]) || entry[name] < 0);
  if (wrong) throw badUsage(wrong, 'a whole number of tokens', entry[wrong]);
  const { costUsd } = entry;
  if (costUsd !== undefined && !(Number.isFinite(costUsd) && costUsd >= 0))
    throw badUsage('costUsd', 'dollars', costUsd);
}

const badUsage = (name: string, expected: string, came: unknown): PalimpsestError =>
  new PalimpsestError(
    'BAD_OPTION',
    `Expected ${name} of a call to be ${expected}, not ${String(came)}. It was not counted.`,
    {
      evidence: { name },
    },
  );
