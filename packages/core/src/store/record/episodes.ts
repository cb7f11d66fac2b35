/** What conversations were about: one text for each, which goes with it. */
import type { EpisodeFilter, EpisodeStore, StoredEpisode } from '../episode-store.ts';
import { scanTerms } from '../terms/scan.ts';
import { bound, count, type Database, given, integer, optionalText, type Row, type Sql, text } from './database.ts';
import { requireSeq } from './session-rows.ts';

const putEpisode = `
insert into episodes (conversation, text, ended_at)
values (:root, :text, (select max(last_active_at) from sessions where root = :root))
on conflict (conversation) do update set text = excluded.text, ended_at = excluded.ended_at`;
const deleteEpisode = 'delete from episodes where conversation = ?';
const selectRoot = 'select root from sessions where seq = ?';
const selectEpisode = `
select s.id, s.project, s.started_at, e.text, e.ended_at
from episodes e join sessions s on s.seq = e.conversation`;
const selectOne = `${selectEpisode} where e.conversation = ?`;
const selectMany = `
${selectEpisode}
where e.ended_at >= :since and s.started_at < :until
  and (:anywhere = 1 or coalesce(s.project, '') = :project)
order by e.ended_at desc, e.conversation desc
limit :most`;

const usualLimit = 20;
/** Of so many, the newest, a query looks at the words. */
const mostSearched = 20_000;

export const createEpisodeStore = ({ read, write }: Database): EpisodeStore => ({
  put: (sessionId, said) =>
    write(async (sql) => {
      const root = await rootOf(sql, sessionId);
      if (said.trim() === '') await sql.run(deleteEpisode, [root]);
      else await sql.run(putEpisode, { root, text: JSON.stringify(said) });
      return episodeAt(sql, root);
    }),
  get: (sessionId) => read(async (sql) => episodeAt(sql, await rootOf(sql, sessionId))),
  list: (filter = {}) => read((sql) => listEpisodes(sql, filter)),
});

async function rootOf(sql: Sql, sessionId: string): Promise<number> {
  const seq = await requireSeq(sql, sessionId);
  return integer((await sql.get(selectRoot, [seq])) ?? {}, 'root');
}

async function episodeAt(sql: Sql, root: number): Promise<StoredEpisode | undefined> {
  const row = await sql.get(selectOne, [root]);
  return row && episodeFrom(row);
}

const episodeFrom = (row: Row): StoredEpisode => ({
  sessionId: text(row, 'id'),
  ...given('project', optionalText(row, 'project')),
  // Kept as a JSON string, which escapes what text columns cannot hold.
  text: JSON.parse(text(row, 'text')) as string,
  startedAt: integer(row, 'started_at'),
  endedAt: integer(row, 'ended_at'),
});

async function listEpisodes(sql: Sql, filter: EpisodeFilter): Promise<readonly StoredEpisode[]> {
  const { project, since, until, query, limit = usualLimit } = filter;
  const most = count(limit, 'limit');
  const rows = await sql.all(selectMany, {
    since: since === undefined ? Number.MIN_SAFE_INTEGER : bound(since, 'since'),
    until: until === undefined ? Number.MAX_SAFE_INTEGER : bound(until, 'until'),
    anywhere: project === undefined ? 1 : 0,
    project: project?.toWellFormed() ?? '',
    most: query === undefined ? most : mostSearched,
  });
  const found = rows.map(episodeFrom);
  return query === undefined ? found : byWords(found, query).slice(0, most);
}

/** Those that hold words of the query, by how many of them and how rare these are; the newer of equal ones first. */
function byWords(episodes: readonly StoredEpisode[], query: string): readonly StoredEpisode[] {
  const wanted = new Set(scanTerms(query.normalize()).terms);
  const held = episodes.map((one) => new Set(scanTerms(one.text.normalize()).terms.filter((term) => wanted.has(term))));
  const uses = new Map([...wanted].map((term) => [term, held.filter((own) => own.has(term)).length]));
  const worth = (own: ReadonlySet<string>): number =>
    [...own].reduce((sum, term) => sum + Math.log(1 + episodes.length / (uses.get(term) ?? 1)), 0);
  return episodes
    .map((episode, at) => ({ episode, worth: worth(held[at] ?? new Set()) }))
    .filter((one) => one.worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .map(({ episode }) => episode);
}
