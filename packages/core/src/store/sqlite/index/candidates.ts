/** Finds the messages that have the rarest of some terms, with an amount of work that does not grow with the store. */
import { integer, optionalText, type Sql, type SqlValue, text } from '../../record/database.ts';
import type { Candidate, CandidateQuery, SearchFilter } from '../../search-index.ts';
import { filterSql, firstPlaces, ofRoles, sessionFilterSql, speakersWith, timeFilterSql } from './filter.ts';

// In how many messages a term occurs.

/** Counting stops here; how far back the newest of them reach tells how many there are in all. */
const mostCounted = 5_000;
/** Counts remembered until the next message. */
const mostKnown = 10_000;

const countMessages = 'select count(*) as messages, coalesce(max(seq), 0) as newest from search_documents';
const countTerm = `select count(*) as counted, coalesce(min(rowid), 0) as oldest from (
  select rowid from search_terms where search_terms match ? order by rowid desc limit ${mostCounted}
)`;
const newestMessage = 'select coalesce(max(seq), 0) as newest from search_documents';

export interface TermCounter {
  /** Messages in the index. */
  messages(sql: Sql): Promise<number>;
  /** Messages with a term. */
  of(sql: Sql, term: string): Promise<number>;
}

/** Counts messages exactly where they are few, and estimates where they are many. */
export function termCounter(): TermCounter {
  let counted = { newest: -1, messages: 0 };
  const known = new Map<string, number>();
  let knownFor = -1;
  const newestOf = async (sql: Sql): Promise<number> => integer((await sql.get(newestMessage)) ?? {}, 'newest');

  async function messages(sql: Sql): Promise<number> {
    const newest = await newestOf(sql);
    // Counting all rows reads all of them: what came since the last time is few.
    if (counted.newest < 0 || newest < counted.newest || newest > counted.newest * 1.05) {
      counted = { newest, messages: integer((await sql.get(countMessages)) ?? {}, 'messages') };
    }
    return counted.messages + (newest - counted.newest);
  }

  async function count(sql: Sql, term: string, newest: number): Promise<number> {
    const row = (await sql.get(countTerm, [quoted(term)])) ?? {};
    const found = integer(row, 'counted');
    if (found < mostCounted) return found;
    const reach = Math.max(1, newest - integer(row, 'oldest') + 1);
    return Math.max(found, Math.round((found / reach) * (await messages(sql))));
  }

  return {
    messages,
    async of(sql, term) {
      const newest = await newestOf(sql);
      // One search asks for the same terms several times.
      if (newest !== knownFor || known.size >= mostKnown) known.clear();
      knownFor = newest;
      const counted = known.get(term) ?? (await count(sql, term, newest));
      known.set(term, counted);
      return counted;
    },
  };
}

/** A term as FTS5 takes it in a query. */
const quoted = (term: string): string => `"${term.replaceAll('"', '""').replaceAll('\0', ' ')}"`;

/** A column with a JSON list of integers, which SQLite made. */
function integers(list: string): readonly number[] {
  const value: unknown = JSON.parse(list);
  return Array.isArray(value) ? value : [];
}

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

interface Search {
  readonly sql: Sql;
  readonly count: TermCounter;
}

/** Longer lists of what a filter lets through take longer to make than they save. */
export const mostListed = 60_000;

/** Best first. With `most` 0, what a filter lets through is never listed. */
export async function candidatesOf(
  search: Search,
  query: CandidateQuery,
  most: number = mostListed,
): Promise<readonly Candidate[]> {
  const scope = await scopeOf(search.sql, query.filter, most);
  if (scope.isEmpty) return [];
  const found = await findMessages(search, query, scope);
  const best = [...found].sort(([seqA, a], [seqB, b]) => b.score - a.score || seqB - seqA);
  return placed(search.sql, query, best.slice(0, query.limit));
}

/** The messages of the terms, rarest term first, until there are enough. */
async function findMessages(
  { sql, count }: Search,
  query: CandidateQuery,
  scope: Scope,
): Promise<ReadonlyMap<number, Found>> {
  const found = new Map<number, Found>();
  const required = new Set((query.all ?? []).flatMap((group) => (group.length === 1 ? group : [])));
  const weighed = await weighedTerms({ sql, count }, query);
  let taken = 0;
  if (query.all && query.all.length > 0) {
    const own = weighed.filter(({ term }) => required.has(term));
    const list = await postings(sql, matchOf(query), scope);
    for (const seq of list) found.set(seq, { matched: own.map(({ at }) => at), score: sumOf(own) });
    taken += list.length;
  }
  for (const { term, at, weight, count: inMessages } of weighed) {
    if (required.has(term)) continue;
    if (taken > 0 && taken + Math.min(inMessages, mostOfTerm) > mostInAll) break;
    const list = await postings(sql, matchOf(query, term), scope);
    for (const seq of list) addFound(found, seq, { at, weight });
    taken += list.length;
  }
  return found;
}

/** The terms that occur, rarest first. */
async function weighedTerms({ sql, count }: Search, { wanted }: CandidateQuery): Promise<readonly Weighed[]> {
  const messages = await count.messages(sql);
  const weighed: Weighed[] = [];
  for (const [at, term] of wanted.entries()) {
    const inMessages = await count.of(sql, term);
    if (inMessages > 0) weighed.push({ term, at, count: inMessages, weight: rarity(inMessages, messages) });
  }
  return weighed.sort((a, b) => a.count - b.count);
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
async function postings(sql: Sql, match: string, { where, values }: Scope): Promise<readonly number[]> {
  const statement = `select json_group_array(rowid) as list from (
    select rowid from search_terms where search_terms match ? ${where} order by rowid desc limit ${mostOfTerm}
  )`;
  return integers(text((await sql.get(statement, [match, ...values])) ?? {}, 'list'));
}

const selectNames = `
select sessions.id as id, roots.id as root
from sessions left join sessions as roots on roots.seq = sessions.root where sessions.seq = ?`;

/** The candidates with their places. */
async function placed(
  sql: Sql,
  { filter }: CandidateQuery,
  chosen: readonly (readonly [number, Found])[],
): Promise<readonly Candidate[]> {
  const places = await firstPlaces(
    sql,
    chosen.map(([seq]) => seq),
    filter,
  );
  const names = new Map<number, Pick<Candidate, 'sessionId' | 'rootId'>>();
  for (const row of places.values()) {
    const session = integer(row, 'session');
    if (names.has(session)) continue;
    const found = (await sql.get(selectNames, [session])) ?? {};
    const sessionId = text(found, 'id');
    names.set(session, { sessionId, rootId: optionalText(found, 'root') ?? sessionId });
  }
  return chosen.flatMap(([seq, { matched, score }]) => {
    const row = places.get(seq);
    const named = row && names.get(integer(row, 'session'));
    return named
      ? [{ ...named, position: integer(row, 'position'), length: integer(row, 'length'), matched, score }]
      : [];
  });
}

// How the messages that a filter lets through are told apart from others while the messages of a word are gone
// through: by a list of them where they are few, else one by one, until there are enough.

/** A condition on `search_terms`, led by `and`; empty when every message may be found. */
interface Scope {
  readonly where: string;
  readonly values: readonly SqlValue[];
  /** Nothing can be found. */
  readonly isEmpty: boolean;
}

const everything: Scope = { where: '', values: [], isEmpty: false };

/** The messages that a filter lets through. */
async function scopeOf(sql: Sql, filter: SearchFilter = {}, most: number): Promise<Scope> {
  const all = filterSql(filter);
  if (all.sql === '') return everything;
  const few = most === 0 ? undefined : await fewest(sql, filter, most);
  if (few === undefined) return oneByOne(filter);
  const select = `select json_group_array(distinct entries.message) as list from ${few.from} where ${few.where} ${all.sql}`;
  const messages = text((await sql.get(select, [...few.values, ...all.values])) ?? {}, 'list');
  // The plus keeps FTS5 from looking each of them up, which takes a hundred times as long.
  const where = 'and +search_terms.rowid in (select value from json_each(?))';
  return { where, values: [messages], isEmpty: messages === '[]' };
}

/** Roles are told by an index alone; places are only looked up for what they must tell. */
function oneByOne({ roles, ...others }: SearchFilter): Scope {
  const [role, ...names] = roles ? ofRoles(roles, 'search_terms.rowid') : [''];
  const place = filterSql(others);
  const where = `${role && `and ${role}`} ${place.sql && `and exists (${shown} ${place.sql})`}`;
  return { where, values: [...names, ...place.values], isEmpty: false };
}

const shown = `select 1 from entries join sessions on sessions.seq = entries.session
  where entries.message = search_terms.rowid`;

/** Where the messages are read from, and a condition that leaves few enough of them. */
interface Few {
  readonly from: string;
  readonly where: string;
  readonly values: readonly SqlValue[];
}

async function fewest(sql: Sql, filter: SearchFilter, most: number): Promise<Few | undefined> {
  return (
    (await ofFewSessions(sql, filter, most)) ??
    (await ofShortTime(sql, filter, most)) ??
    (await ofRareRoles(sql, filter, most))
  );
}

async function ofFewSessions(sql: Sql, filter: SearchFilter, most: number): Promise<Few | undefined> {
  const { sql: where, values } = sessionFilterSql(filter);
  if (where === '') return undefined;
  const select = `select json_group_array(seq) as list, coalesce(sum(message_count), 0) as messages from sessions where true ${where}`;
  const row = (await sql.get(select, values)) ?? {};
  if (integer(row, 'messages') > most) return undefined;
  return {
    from: 'entries join sessions on sessions.seq = entries.session',
    where: 'entries.session in (select value from json_each(?))',
    values: [text(row, 'list')],
  };
}

async function ofShortTime(sql: Sql, filter: SearchFilter, most: number): Promise<Few | undefined> {
  const { sql: where, values } = timeFilterSql(filter);
  if (where === '') return undefined;
  const from = 'entries indexed by entries_by_time';
  if (await isMore(sql, `${from} where true ${where}`, [...values, most + 1])) return undefined;
  return { from: `${from} join sessions on sessions.seq = entries.session`, where: 'true', values: [] };
}

async function ofRareRoles(sql: Sql, { roles }: SearchFilter, most: number): Promise<Few | undefined> {
  if (!roles) return undefined;
  const from = 'messages indexed by messages_by_role';
  const where = 'messages.role in (select value from json_each(?))';
  const values = [JSON.stringify(speakersWith(roles))];
  if (await isMore(sql, `${from} where ${where}`, [...values, most + 1])) return undefined;
  const places = 'join entries on entries.message = messages.seq join sessions on sessions.seq = entries.session';
  return { from: `${from} ${places}`, where, values };
}

/** True where there are as many rows as the last of the values. */
async function isMore(sql: Sql, rows: string, values: readonly SqlValue[]): Promise<boolean> {
  const row = await sql.get(`select count(*) as rows from (select 1 from ${rows} limit ?)`, values);
  return integer(row ?? {}, 'rows') === values.at(-1);
}
