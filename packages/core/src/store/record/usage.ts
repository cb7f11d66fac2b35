/** What calls used: a row for each call, and the sums in its session. */
import { PalimpsestError } from '../../shared/errors.ts';
import { describe, isObject } from '../../shared/options/schema.ts';
import type { SessionId } from '../ids.ts';
import { mostTokens, type UsageEntry, type UsageStore } from '../usage-store.ts';
import {
  type Database,
  instant,
  integer,
  optionalInteger,
  optionalText,
  type Row,
  required,
  type Sql,
  text,
} from './database.ts';
import { requireOwnRow } from './session-rows.ts';
import { putAllMeta } from './state.ts';
import { activityIn, groupedBy, largestIn, ofConversation, rangeOfCalls, spansOf, totalsOf } from './usage-sums.ts';

const insertUsage = `
insert into usage (session, kind, report, at,
  input_tokens, output_tokens, cache_read_tokens, cache_write_tokens, reasoning_tokens, cost_usd, saved_usd, partial)
values (:session, :kind, :report, :at, :input, :output, :cacheRead, :cacheWrite, :reasoning, :cost, :saved, :partial)`;

const selectReport = 'select * from usage where report = ?';

const updateUsage = `
update usage set session = :session, kind = :kind, at = :at,
  input_tokens = :input, output_tokens = :output, cache_read_tokens = :cacheRead, cache_write_tokens = :cacheWrite,
  reasoning_tokens = :reasoning, cost_usd = :cost, saved_usd = :saved, partial = :partial
where seq = :seq`;

/** Adds a call, or with a sign of -1 takes one away; money that is not known of any call stays unknown. */
const addToSession = `
update sessions set
  input_tokens = input_tokens + :sign * :input,
  output_tokens = output_tokens + :sign * :output,
  cache_read_tokens = cache_read_tokens + :sign * :cacheRead,
  cache_write_tokens = cache_write_tokens + :sign * :cacheWrite,
  reasoning_tokens = reasoning_tokens + :sign * :reasoning,
  calls = calls + :sign,
  cost_usd = case when :cost is null then cost_usd else coalesce(cost_usd, 0) + :sign * :cost end,
  saved_usd = case when :saved is null then saved_usd else coalesce(saved_usd, 0) + :sign * :saved end,
  unpriced = unpriced + :sign * case when :cost is null then 1 else 0 end,
  partial = partial + :sign * :partial
where seq = :session`;

const selectKind = `
select seq from usage_kinds
where source = :source and coalesce(project, '') = coalesce(:project, '') and model = :model and task = :task`;
const insertKind = 'insert into usage_kinds (source, project, model, task) values (:source, :project, :model, :task)';

/** The columns of a call that are summed up. */
interface Counts extends Readonly<Record<string, number | null>> {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
  readonly cost: number | null;
  readonly saved: number | null;
  readonly partial: number;
}

export function createUsageStore({ read, write, clock }: Database): UsageStore {
  return {
    add: async (entries, { meta = {} } = {}) => {
      const all = listOf(entries);
      for (const entry of all) requireEntry(entry);
      if (all.length === 0 && Object.keys(meta).length === 0) return;
      await write(async (sql) => {
        await addCalls({ sql, clock, rows: new Map() }, all);
        await putAllMeta(sql, meta);
      });
    },
    totals: (filter) => read((sql) => totalsOf(sql, filter ?? {})),
    by: (group, filter = {}) => read((sql) => groupedBy(sql, group, filter)),
    spans: (times) => read((sql) => spansOf(sql, times)),
    range: () => read(rangeOfCalls),
    ofConversation: (sessionId) => read((sql) => ofConversation(sql, sessionId)),
    activity: (filter = {}) => read((sql) => activityIn(sql, filter)),
    largest: (limit, filter = {}) => read((sql) => largestIn(sql, limit, filter)),
  };
}

/** Callers without types hand in anything. */
function listOf(entries: UsageEntry | readonly UsageEntry[]): readonly UsageEntry[] {
  const given: unknown = entries;
  if (!isObject(given) && !Array.isArray(given)) throw badUsage('each entry', 'an object with a sessionId', given);
  if ('sessionId' in entries) return [entries];
  if (!Array.isArray(given)) throw badUsage('each entry', 'an object with a sessionId', given);
  return entries;
}

interface Adding {
  readonly sql: Sql;
  readonly clock: Database['clock'];
  /** Those of sessions that are known, by their ids. */
  readonly rows: Map<SessionId, Row>;
}

/** Counts calls; inside a write transaction. */
export async function addCalls(adding: Adding, entries: readonly UsageEntry[]): Promise<void> {
  const { sql, clock, rows } = adding;
  for (const entry of entries) {
    const row = rows.get(entry.sessionId) ?? (await requireOwnRow(sql, entry.sessionId));
    rows.set(entry.sessionId, row);
    const known = entry.reportId === undefined ? undefined : await sql.get(selectReport, [entry.reportId]);
    if (known) await addAgain(sql, known, { entry, row });
    else await addNew(sql, { entry, row }, instant(entry.at ?? clock(), 'at'));
  }
}

/** A call and the session that it is counted in. */
interface Call {
  readonly entry: UsageEntry;
  readonly row: Row;
}

async function addNew(sql: Sql, call: Call, at: number): Promise<void> {
  const counts = countsOf(call.entry);
  const session = integer(call.row, 'seq');
  const report = call.entry.reportId?.toWellFormed() ?? null;
  await sql.run(insertUsage, { ...counts, session, report, at, kind: await kindOf(sql, call) });
  await addUp(sql, session, { counts, sign: 1 });
}

/** The session that counted the call keeps it, unless it was deleted, or the call has a better place now. */
async function addAgain(sql: Sql, known: Row, call: Call): Promise<void> {
  const [before, now] = [countsIn(known), countsOf(call.entry)];
  const counter = optionalInteger(known, 'session');
  const owner = counter === undefined || (await belongsTo(sql, counter, call.row)) ? undefined : counter;
  if (owner !== undefined && !saysMore(now, before)) return;
  const counts = saysMore(now, before) ? now : before;
  const session = owner ?? integer(call.row, 'seq');
  const at = call.entry.at === undefined ? integer(known, 'at') : instant(call.entry.at, 'at');
  const kind = owner === undefined ? await kindOf(sql, call) : integer(known, 'kind');
  await sql.run(updateUsage, { ...counts, seq: integer(known, 'seq'), session, kind, at });
  if (counter !== undefined) await addUp(sql, counter, { counts: before, sign: -1 });
  await addUp(sql, session, { counts, sign: 1 });
}

const addUp = (
  sql: Sql,
  session: number,
  { counts, sign }: { readonly counts: Counts; readonly sign: 1 | -1 },
): Promise<number> => sql.run(addToSession, { ...counts, session, sign });

const selectCounter = 'select seq, side, source, source_id, ended_at from sessions where seq = ?';

/**
 * True where the reporter is a side conversation, of which the counter had only told; or a later branch for the same log,
 * which was rewritten or cut off within a message: the branch shows the log as it is now.
 */
async function belongsTo(sql: Sql, counter: number, reporter: Row): Promise<boolean> {
  const row = (await sql.get(selectCounter, [counter])) ?? {};
  const [isSide, wasSide] = [integer(reporter, 'side') === 1, integer(row, 'side') === 1];
  const log = optionalText(row, 'source_id');
  const isSameLog =
    log !== undefined &&
    log === optionalText(reporter, 'source_id') &&
    text(row, 'source') === text(reporter, 'source') &&
    optionalInteger(row, 'ended_at') === undefined;
  return (isSide && !wasSide) || (isSameLog && isSide === wasSide && integer(reporter, 'seq') > counter);
}

/** True for a report that is not the same and holds no less: more tokens, or a price where there was none. */
function saysMore(now: Counts, before: Counts): boolean {
  if (now.partial > before.partial || (now.cost === null && before.cost !== null)) return false;
  const [more, less] = [tokensIn(now), tokensIn(before)];
  return more > less || (more === less && (now.cost !== before.cost || now.partial < before.partial));
}

const tokensIn = ({ input, output, cacheRead, cacheWrite }: Counts): number => input + output + cacheRead + cacheWrite;

async function kindOf(sql: Sql, { entry, row }: Call): Promise<number> {
  const project = optionalText(row, 'project') ?? null;
  const [model, task] = [entry.model.toWellFormed(), entry.task.toWellFormed()];
  const kind = { source: text(row, 'source'), project, model, task };
  const known = await sql.get(selectKind, kind);
  return known ? integer(known, 'seq') : required(await sql.insert(insertKind, kind));
}

const countsOf = (entry: UsageEntry): Counts => ({
  input: entry.inputTokens,
  output: entry.outputTokens,
  cacheRead: entry.cacheReadTokens,
  cacheWrite: entry.cacheWriteTokens,
  reasoning: entry.reasoningTokens,
  cost: entry.costUsd ?? null,
  saved: entry.savedUsd ?? null,
  partial: entry.isPartial ? 1 : 0,
});

const countsIn = (row: Row): Counts => ({
  input: integer(row, 'input_tokens'),
  output: integer(row, 'output_tokens'),
  cacheRead: integer(row, 'cache_read_tokens'),
  cacheWrite: integer(row, 'cache_write_tokens'),
  reasoning: integer(row, 'reasoning_tokens'),
  cost: optionalInteger(row, 'cost_usd') ?? null,
  saved: optionalInteger(row, 'saved_usd') ?? null,
  partial: integer(row, 'partial'),
});

const counts = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'reasoningTokens'] as const;

/** Throws `BAD_OPTION` for what no call has used. */
export function requireEntry(entry: UsageEntry): void {
  if (!isObject(entry)) throw badUsage('each entry', 'an object with a sessionId', entry);
  const wrong = counts.find(
    (name) => !Number.isSafeInteger(entry[name]) || entry[name] < 0 || entry[name] > mostTokens,
  );
  if (wrong) throw badUsage(wrong, `a whole number of tokens up to ${mostTokens}`, entry[wrong]);
  const { costUsd, savedUsd } = entry;
  if (costUsd !== undefined && !(Number.isFinite(costUsd) && costUsd >= 0))
    throw badUsage('costUsd', 'dollars', costUsd);
  if (savedUsd !== undefined && !Number.isFinite(savedUsd)) throw badUsage('savedUsd', 'dollars', savedUsd);
}

const badUsage = (name: string, expected: string, came: unknown): PalimpsestError =>
  new PalimpsestError(
    'BAD_OPTION',
    `Expected ${name} of a call to be ${expected}, not ${describe(came)}. It was not counted.`,
    {
      evidence: { name },
    },
  );
