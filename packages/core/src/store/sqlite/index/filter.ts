/** A filter as conditions over the tables `entries` and `sessions`, and the places that it lets be seen. */
import type { Role } from '../../../transcript/message.ts';
import { integer, type Row, type Sql, type SqlValue } from '../../record/database.ts';
import { projectFolder, type SearchFilter } from '../../search-index.ts';

export interface FilterSql {
  /** Conditions, each led by `and`; empty without a filter. */
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Sessions of the conversations that some sessions belong to. */
const ofConversations = `select members.seq from sessions as members where coalesce(members.root, members.seq) in (
  select coalesce(named.root, named.seq) from sessions as named where named.id in (select value from json_each(?))
)`;

/** SQL with its values in order. */
export type Condition = readonly [sql: string, ...values: SqlValue[]];

/** The conditions of a filter with their values in order. */
export const filterSql = (filter: SearchFilter = {}): FilterSql =>
  joined([...sessionConditions(filter), ...timeConditions(filter), ...roleConditions(filter)]);

/** Those that choose whole sessions, over the table `sessions` alone. */
export const sessionFilterSql = (filter: SearchFilter): FilterSql => joined(sessionConditions(filter));

/** Those that choose times, over the table `entries` alone. */
export const timeFilterSql = (filter: SearchFilter): FilterSql => joined(timeConditions(filter));

const joined = (conditions: readonly Condition[]): FilterSql => ({
  sql: conditions.map(([sql]) => `and ${sql}`).join('\n'),
  values: conditions.flatMap(([, ...values]) => values),
});

const list = (values: readonly string[]): string => JSON.stringify(values);

function sessionConditions({ sources, project, sessions, without }: SearchFilter): readonly Condition[] {
  const conditions: Condition[] = [];
  if (sessions) conditions.push([`sessions.seq in (${ofConversations})`, list(sessions)]);
  if (without) conditions.push([`sessions.seq not in (${ofConversations})`, list(without)]);
  if (sources) conditions.push(['sessions.source in (select value from json_each(?))', list(sources)]);
  if (project !== undefined) {
    const { folder, below } = projectFolder(project);
    const begins = 'substr(sessions.project, 1, ?) in (?, ?)';
    conditions.push([`(sessions.project = ? or ${begins})`, folder, below[0].length, ...below]);
  }
  return conditions;
}

function timeConditions({ since, until }: SearchFilter): readonly Condition[] {
  const conditions: Condition[] = [];
  if (since !== undefined) conditions.push(['entries.time >= ?', since]);
  if (until !== undefined) conditions.push(['entries.time < ?', until]);
  return conditions;
}

function roleConditions({ roles }: SearchFilter): readonly Condition[] {
  const condition = roles && ofRoles(roles, 'entries.message');
  return condition ? [condition] : [];
}

/** That some roles speak in the message whose number an expression gives. */
export function ofRoles(roles: readonly Role[], message: string): Condition {
  // The rows of messages are long; the index has all that is asked for.
  const said = `select 1 from messages as said indexed by messages_by_role where said.seq = ${message}`;
  return [`exists (${said} and said.role in (select value from json_each(?)))`, list(speakersWith(roles))];
}

const allRoles: readonly Role[] = ['assistant', 'system', 'tool', 'user'];

/** Every value of the column `role` of messages in which one of these speaks: a message may have several speakers. */
export function speakersWith(roles: readonly Role[]): readonly string[] {
  let sets: readonly (readonly Role[])[] = [[]];
  for (const role of allRoles) sets = sets.concat(sets.map((set) => [...set, role]));
  return sets.filter((set) => set.some((role) => roles.includes(role))).map((set) => set.join('+'));
}

/**
 * The first place where a filter lets each of some messages be seen, by message. Beside `min`, SQLite gives bare columns the
 * values of the row that has it. Without a filter, indexes alone tell the places.
 */
const selectPlaces = (where: string): string => `
select entries.message as seq, min(entries.session) as session, entries.position as position,
  search_documents.length as length
from json_each(?) as wanted
join entries on entries.message = wanted.value
${where === '' ? '' : 'join sessions on sessions.seq = entries.session'}
join search_documents on search_documents.seq = entries.message
where true ${where}
group by entries.message`;

export async function firstPlaces(
  sql: Sql,
  seqs: readonly number[],
  filter: SearchFilter | undefined,
): Promise<ReadonlyMap<number, Row>> {
  const where = filterSql(filter);
  const list = JSON.stringify(seqs.toSorted((a, b) => a - b));
  const rows = await sql.all(selectPlaces(where.sql), [list, ...where.values]);
  return new Map(rows.map((row) => [integer(row, 'seq'), row]));
}
