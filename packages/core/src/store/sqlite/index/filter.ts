/** A filter as conditions over the tables `entries` and `sessions`. */
import type { SQLInputValue } from 'node:sqlite';
import type { Role } from '../../../transcript/message.ts';
import { projectFolder } from '../../project-folder.ts';
import type { SearchFilter } from '../../search-index.ts';

export interface FilterSql {
  /** Conditions, each led by `and`; empty without a filter. */
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/** Sessions of the conversations that some sessions belong to. */
const ofConversations = `select members.seq from sessions as members where coalesce(members.root, members.seq) in (
  select coalesce(named.root, named.seq) from sessions as named where named.id in (select value from json_each(?))
)`;

/** SQL with its values in order. */
export type Condition = readonly [sql: string, ...values: SQLInputValue[]];

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
