/** Finds the messages that have the rarest of some terms, with an amount of work that does not grow with the store. */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { Candidate, CandidateQuery, SearchFilter } from '../../search-index.ts';
import { filterSql, ofRoles, sessionFilterSql, speakersWith, timeFilterSql } from './filter.ts';
import type { TermCounter } from './frequencies.ts';
import { integer, integers, quoted, text } from './rows.ts';

/** How many messages are taken of one term, the newest first. */
const mostOfTerm = 2_000;
/** How many are taken of all terms together, unless a single term has more. */
const mostInAll = 6_000;

interface Found {
  /** Places of its terms in the query. */
  readonly matched: number[];
  score: number;
}

interface Weighed {
  readonly term: string;
  readonly at: number;
  readonly count: number;
  readonly weight: number;
}

/** The search over a database. */
export function candidateSearch(
  db: DatabaseSync,
  count: TermCounter,
  mostListed?: number,
): (query: CandidateQuery) => readonly Candidate[] {
  return (query) => {
    const scope = scopeOf(db, query.filter, mostListed);
    if (scope.isEmpty) return [];
    const found = findMessages({ db, count, scope }, query);
    const best = [...found].sort(([seqA, a], [seqB, b]) => b.score - a.score || seqB - seqA);
    return placed(db, query, best);
  };
}

interface Search {
  readonly db: DatabaseSync;
  readonly count: TermCounter;
  readonly scope: Scope;
}

/** The messages of the terms, rarest term first, until there are enough. */
function findMessages({ db, count, scope }: Search, query: CandidateQuery): ReadonlyMap<number, Found> {
  const found = new Map<number, Found>();
  const required = new Set((query.all ?? []).flatMap((group) => (group.length === 1 ? group : [])));
  const weighed = weighedTerms(query, count);
  let taken = 0;
  if (query.all && query.all.length > 0) {
    const own = weighed.filter(({ term }) => required.has(term));
    const list = postings(db, matchOf(query), scope);
    for (const seq of list) found.set(seq, { matched: own.map(({ at }) => at), score: sumOf(own) });
    taken += list.length;
  }
  for (const { term, at, weight, count: inMessages } of weighed) {
    if (required.has(term)) continue;
    if (taken > 0 && taken + Math.min(inMessages, mostOfTerm) > mostInAll) break;
    const list = postings(db, matchOf(query, term), scope);
    for (const seq of list) addFound(found, seq, { at, weight });
    taken += list.length;
  }
  return found;
}

/** The terms that occur, rarest first. */
function weighedTerms({ wanted }: CandidateQuery, count: TermCounter): readonly Weighed[] {
  const messages = count.messages();
  const weighed = wanted.map((term, at): Weighed => {
    const inMessages = count.of(term);
    return { term, at, count: inMessages, weight: rarity(inMessages, messages) };
  });
  return weighed.filter((one) => one.count > 0).sort((a, b) => a.count - b.count);
}

const sumOf = (terms: readonly Weighed[]): number => terms.reduce((sum, { weight }) => sum + weight, 0);

function addFound(found: Map<number, Found>, seq: number, { at, weight }: { at: number; weight: number }): void {
  const known = found.get(seq);
  if (!known) found.set(seq, { matched: [at], score: weight });
  else {
    known.matched.push(at);
    known.score += weight;
  }
}

/** BM25's inverse document frequency, never below zero. */
const rarity = (count: number, messages: number): number => Math.log(1 + (messages - count + 0.5) / (count + 0.5));

/** A query of FTS5 for one term together with what must and what must not occur. */
function matchOf({ all = [], none = [] }: CandidateQuery, term?: string): string {
  const anyOf = (terms: readonly string[]): string => `(${terms.map(quoted).join(' OR ')})`;
  // A group that the term is of is fulfilled by it.
  const groups = all.filter((group) => group.length > 0 && (term === undefined || !group.includes(term)));
  const needed = [...(term === undefined ? [] : [quoted(term)]), ...groups.map(anyOf)];
  const match = needed.join(' AND ');
  return none.length === 0 ? match : `(${match}) NOT ${anyOf(none)}`;
}

/** The newest messages of a scope that a query of FTS5 matches. */
function postings(db: DatabaseSync, match: string, { sql, values }: Scope): readonly number[] {
  const statement = db.prepare(`select json_group_array(rowid) as list from (
    select rowid from search_terms where search_terms match ? ${sql} order by rowid desc limit ${mostOfTerm}
  )`);
  return integers(statement.get(match, ...values)?.list);
}

/** The candidates with their places, best first. */
function placed(
  db: DatabaseSync,
  query: CandidateQuery,
  best: readonly (readonly [number, Found])[],
): readonly Candidate[] {
  const filter = filterSql(query.filter);
  const chosen = best.slice(0, query.limit);
  // Without a filter, indexes alone tell the places.
  const places =
    db.prepare(`select entries.message as seq, min(entries.session) as session, entries.position as position,
      search_documents.length as length
    from json_each(?) as wanted
    join entries on entries.message = wanted.value
    ${filter.sql === '' ? '' : 'join sessions on sessions.seq = entries.session'}
    join search_documents on search_documents.seq = entries.message
    where true ${filter.sql}
    group by entries.message`);
  const seqs = JSON.stringify(chosen.map(([seq]) => seq).sort((a, b) => a - b));
  const rows = new Map(places.all(seqs, ...filter.values).map((row) => [integer(row.seq), row]));
  const sessions = sessionNames(db);
  return chosen.flatMap(([seq, { matched, score }]) => {
    const row = rows.get(seq);
    if (!row) return [];
    const { id: sessionId, root: rootId } = sessions(integer(row.session));
    const place = { position: integer(row.position), length: integer(row.length) };
    return [{ sessionId, rootId, ...place, matched, score }];
  });
}

/** Ids of a session and of its root, each looked up once. */
function sessionNames(db: DatabaseSync): (seq: number) => { readonly id: string; readonly root: string } {
  const statement = db.prepare(`select sessions.id as id, roots.id as root
    from sessions left join sessions as roots on roots.seq = sessions.root where sessions.seq = ?`);
  const known = new Map<number, { id: string; root: string }>();
  return (seq) => {
    const found = known.get(seq);
    if (found) return found;
    const row = statement.get(seq);
    const id = text(row?.id);
    const names = { id, root: text(row?.root) || id };
    known.set(seq, names);
    return names;
  };
}

// How the messages that a filter lets through are told apart from others while the messages of a word are gone
// through: by a list of them where they are few, else one by one, until there are enough.

/** A condition on `search_terms`, led by `and`; empty when every message may be found. */
interface Scope {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
  /** Nothing can be found. */
  readonly isEmpty: boolean;
}

/** Longer lists take longer to make than they save. */
const mostListed = 60_000;

const everything: Scope = { sql: '', values: [], isEmpty: false };

/** The messages that a filter lets through; with `most` 0, none is ever listed. */
function scopeOf(db: DatabaseSync, filter: SearchFilter = {}, most: number = mostListed): Scope {
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
