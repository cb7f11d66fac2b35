/** The list of conversations: a chain of sessions is one row. */
import { projectFolder } from '../project-folder.ts';
import type { Conversation, ConversationFilter } from '../session-store.ts';
import type { Connection } from './connection.ts';
import { bound, count } from './numbers.ts';
import { given, integer, optionalText, type Row, text } from './rows.ts';
import { selectSession, sessionAt, sessionFrom } from './session-rows.ts';

/** Read from the index over the ends of chains, newest first. */
const selectTips = `
${selectSession}
where s.latest = 1
  and s.last_active_at >= :since and s.last_active_at < :until
  and (:sides or s.side = 0)
  and (:source is null or s.source = :source)
  and (:project is null or s.project = :project
    or (s.project >= :slash and s.project < :slash || char(1114111))
    or (s.project >= :backslash and s.project < :backslash || char(1114111)))
order by s.last_active_at desc, s.seq desc limit :limit offset :offset`;

const selectChain = `
select count(*) as sessions, (select title from sessions where root = :root and title is not null order by seq desc limit 1) as title
from sessions where root = :root`;

const defaultLimit = 20;

export function listConversations(connection: Connection, filter: ConversationFilter): readonly Conversation[] {
  const place = filter.project === undefined ? undefined : projectFolder(filter.project);
  const rows = connection.sql(selectTips).all({
    since: bound(filter.since ?? Number.NEGATIVE_INFINITY, 'since'),
    until: bound(filter.until ?? Number.POSITIVE_INFINITY, 'until'),
    sides: filter.sides ? 1 : 0,
    source: filter.source ?? null,
    project: place?.folder ?? null,
    slash: place?.below[0] ?? null,
    backslash: place?.below[1] ?? null,
    limit: count(filter.limit ?? defaultLimit, 'limit'),
    offset: count(filter.offset ?? 0, 'offset'),
  });
  return rows.map((row) => conversationFrom(connection, row));
}

function conversationFrom(connection: Connection, row: Row): Conversation {
  const tip = sessionFrom(row);
  const root = integer(row, 'root');
  const chain: Row = connection.sql(selectChain).get({ root }) ?? {};
  return {
    tip,
    root: root === integer(row, 'seq') ? tip : sessionAt(connection, root),
    sessions: integer(chain, 'sessions'),
    ...given('title', optionalText(chain, 'title')),
    preview: text(row, 'preview'),
  };
}
