/**
 * How the messages that a filter lets through are told apart from others while the messages of a word are gone through: by
 * a list of them where they are few, else one by one, until there are enough.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { SearchFilter } from '../../search-index.ts';
import { filterSql, ofRoles, sessionFilterSql, speakersWith, timeFilterSql } from './filter.ts';
import { integer, text } from './rows.ts';

/** A condition on `search_terms`, led by `and`; empty when every message may be found. */
export interface Scope {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
  /** Nothing can be found. */
  readonly isEmpty: boolean;
}

/** Longer lists take longer to make than they save. */
const mostListed = 60_000;

const everything: Scope = { sql: '', values: [], isEmpty: false };

/** The messages that a filter lets through; with `most` 0, none is ever listed. */
export function scopeOf(db: DatabaseSync, filter: SearchFilter = {}, most: number = mostListed): Scope {
  const all = filterSql(filter);
  if (all.sql === '') return everything;
  const few = fewest(db, filter, most);
  if (few === undefined) return oneByOne(filter);
  const listed = db
    .prepare(`select json_group_array(distinct entries.message) as list from ${few.from} where ${few.where} ${all.sql}`)
    .get(...few.values, ...all.values);
  const messages = text(listed?.list);
  // The plus keeps FTS5 from looking each of them up, which takes a hundred times as long.
  const sql = 'and +search_terms.rowid in (select value from json_each(?))';
  return { sql, values: [messages], isEmpty: messages === '[]' };
}

/** Roles are told by an index alone; places are only looked up for what they must tell. */
function oneByOne({ roles, ...others }: SearchFilter): Scope {
  const [role, ...names] = roles ? ofRoles(roles, 'search_terms.rowid') : [''];
  const place = filterSql(others);
  const sql = `${role && `and ${role}`} ${place.sql && `and exists (${shown} ${place.sql})`}`;
  return { sql, values: [...names, ...place.values], isEmpty: false };
}

const shown = `select 1 from entries join sessions on sessions.seq = entries.session
  where entries.message = search_terms.rowid`;

/** Where the messages are read from, and a condition that leaves few enough of them. */
interface Few {
  readonly from: string;
  readonly where: string;
  readonly values: readonly SQLInputValue[];
}

function fewest(db: DatabaseSync, filter: SearchFilter, most: number): Few | undefined {
  if (most === 0) return undefined;
  return ofFewSessions(db, filter, most) ?? ofShortTime(db, filter, most) ?? ofRareRoles(db, filter, most);
}

function ofFewSessions(db: DatabaseSync, filter: SearchFilter, most: number): Few | undefined {
  const { sql, values } = sessionFilterSql(filter);
  if (sql === '') return undefined;
  const row = db
    .prepare(
      `select json_group_array(seq) as list, coalesce(sum(message_count), 0) as messages from sessions where true ${sql}`,
    )
    .get(...values);
  if (integer(row?.messages) > most) return undefined;
  const where = 'entries.session in (select value from json_each(?))';
  return { from: 'entries join sessions on sessions.seq = entries.session', where, values: [text(row?.list)] };
}

function ofShortTime(db: DatabaseSync, filter: SearchFilter, most: number): Few | undefined {
  const { sql, values } = timeFilterSql(filter);
  if (sql === '') return undefined;
  const from = 'entries indexed by entries_by_time';
  const counted = db.prepare(`select count(*) as entries from (select 1 from ${from} where true ${sql} limit ?)`);
  if (integer(counted.get(...values, most + 1)?.entries) > most) return undefined;
  return { from: `${from} join sessions on sessions.seq = entries.session`, where: 'true', values: [] };
}

function ofRareRoles(db: DatabaseSync, { roles }: SearchFilter, most: number): Few | undefined {
  if (!roles) return undefined;
  const from = 'messages indexed by messages_by_role';
  const where = 'messages.role in (select value from json_each(?))';
  const values = [JSON.stringify(speakersWith(roles))];
  const counted = db.prepare(`select count(*) as messages from (select 1 from ${from} where ${where} limit ?)`);
  if (integer(counted.get(...values, most + 1)?.messages) > most) return undefined;
  const places = 'join entries on entries.message = messages.seq join sessions on sessions.seq = entries.session';
  return { from: `${from} ${places}`, where, values };
}
