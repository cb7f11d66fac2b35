/** A filter as conditions over the tables `entries` and `sessions`. */
import type { SQLInputValue } from 'node:sqlite';
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

/** The conditions of a filter with their values in order. */
export function filterSql(filter: SearchFilter = {}): FilterSql {
  const { roles, sources, project, sessions, without, since, until } = filter;
  const conditions: (readonly [string, ...SQLInputValue[]])[] = [];
  const list = (values: readonly string[]): string => JSON.stringify(values);
  if (sessions) conditions.push([`entries.session in (${ofConversations})`, list(sessions)]);
  if (without) conditions.push([`entries.session not in (${ofConversations})`, list(without)]);
  if (sources) conditions.push(['sessions.source in (select value from json_each(?))', list(sources)]);
  if (project !== undefined) {
    const { folder, below } = projectFolder(project);
    const begins = 'substr(sessions.project, 1, ?) in (?, ?)';
    conditions.push([`(sessions.project = ? or ${begins})`, folder, below[0].length, ...below]);
  }
  if (since !== undefined) conditions.push(['entries.time >= ?', since]);
  if (until !== undefined) conditions.push(['entries.time < ?', until]);
  if (roles) {
    const ofRole = 'select 1 from messages as said where said.seq = entries.message and said.role in';
    conditions.push([`exists (${ofRole} (select value from json_each(?)))`, list(roles)]);
  }
  return {
    sql: conditions.map(([sql]) => `and ${sql}`).join('\n'),
    values: conditions.flatMap(([, ...values]) => values),
  };
}
