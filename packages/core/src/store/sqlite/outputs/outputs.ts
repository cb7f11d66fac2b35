/** Saved output in SQLite: each text once, in pieces. */
import { PalimpsestError } from '../../../shared/errors.ts';
import {
  type OutputId,
  type OutputLines,
  type OutputStore,
  type SavedOutput,
  surroundingsTool,
} from '../../output-store.ts';
import type { Connection } from '../connection.ts';
import { count } from '../numbers.ts';
import { bytes, given, integer, optionalText, type Row, text } from '../rows.ts';
import { requireSessionRow } from '../session-rows.ts';
import { linesIn, linesOf } from './lines.ts';
import { searchLines } from './search-lines.ts';
import { altered, contentHash, piecesFrom, prepareText, requireSame, storeText } from './texts.ts';

const insertUse =
  'insert into output_uses (output, session, tool, saved_at) values (?, ?, ?, ?) on conflict do nothing';

/** With who saved it first; `session` asks for the use of one session. */
const selectOutputs = `
select o.*, u.tool, u.saved_at, s.id as session_id
from outputs o join output_uses u on u.output = o.seq left join sessions s on s.seq = u.session`;
const selectById = `${selectOutputs} where o.id = ? order by u.seq limit 1`;
const selectUse = `${selectOutputs} where o.seq = ? and u.session is ?`;
/** Earlier versions named the surroundings of imports \`import\`, as a tool may be called as well. */
const isAsked = `
case when :tool is null then u.tool is null or not (u.tool = '${surroundingsTool}' or (u.tool = 'import' and s.source_id is not null))
else u.tool = :tool end`;
const selectAll = `
${selectOutputs} where u.seq = (select min(seq) from output_uses where output = o.seq) and (${isAsked}) order by u.seq`;
const selectOfSession = `${selectOutputs} where u.session = :session and (${isAsked}) order by u.seq`;

/** The last piece that begins at or before the start of a line. */
const selectStart = `
select place, first_line from output_pieces where output = ? and first_line < ? order by place desc limit 1`;

const defaultHits = 20;

export function createOutputStore(connection: Connection): OutputStore {
  const { sql, read, write, clock } = connection;

  async function save(content: string, about: { tool?: string; sessionId?: string } = {}): Promise<SavedOutput> {
    const made = prepareText(content);
    const { stored, saved } = await write(() => {
      const session =
        about.sessionId === undefined ? null : integer(requireSessionRow(connection, about.sessionId), 'seq');
      const output = storeText(connection, made);
      sql(insertUse).run(output.seq, session, about.tool?.toWellFormed() ?? null, clock());
      return { stored: output, saved: savedOutput(sql(selectUse).get(output.seq, session) ?? {}) };
    });
    // After the lock is given back: reading a large output takes a while.
    await requireSame(connection, stored, made);
    return saved;
  }

  function rowOf(id: OutputId): Row {
    const row = sql(selectById).get(id);
    if (row) return row;
    throw new PalimpsestError(
      'ID_UNKNOWN',
      `There is no saved output ${id.slice(0, 80)}. List them to see their ids.`,
      {
        evidence: { id: id.slice(0, 80) },
      },
    );
  }

  function readLines(id: OutputId, range: { from?: number; to?: number }): OutputLines {
    const row = rowOf(id);
    const output = savedOutput(row);
    const from = Math.max(1, count(range.from ?? 1, 'from'));
    const to = Math.min(output.lines, count(range.to ?? output.lines, 'to'));
    if (from > to) return { output, from, to: from - 1, text: '' };
    const start: Row = sql(selectStart).get(integer(row, 'seq'), from) ?? { place: 0, first_line: 1 };
    const pieces = piecesFrom(connection, integer(row, 'seq'), integer(start, 'place'));
    const text = linesIn(pieces, { from, to, firstLine: integer(start, 'first_line') });
    // Whole, it can be told whether it is still the text that the id stands for.
    const isWhole = from === 1 && to === output.lines;
    if (text === undefined || (isWhole && Buffer.compare(contentHash(text).hash, bytes(row, 'hash')) !== 0))
      throw altered(output.id);
    return { output, from, to, text };
  }

  return {
    save,
    get: (id) =>
      read(() => {
        const row = sql(selectById).get(id);
        return row && savedOutput(row);
      }),
    read: (id, range = {}) => read(() => readLines(id, range)),
    search: (id, query, options = {}) =>
      read(() => {
        const lines = linesOf(piecesFrom(connection, integer(rowOf(id), 'seq')));
        return searchLines(lines, query, options.limit ?? defaultHits);
      }),
    list: (sessionId, options = {}) =>
      read(() => {
        const tool = options.tool?.toWellFormed() ?? null;
        if (sessionId === undefined) return sql(selectAll).all({ tool }).map(savedOutput);
        const session = integer(requireSessionRow(connection, sessionId), 'seq');
        return sql(selectOfSession).all({ session, tool }).map(savedOutput);
      }),
  };
}

const savedOutput = (row: Row): SavedOutput => ({
  id: text(row, 'id'),
  characters: integer(row, 'characters'),
  bytes: integer(row, 'bytes'),
  lines: integer(row, 'lines'),
  savedAt: integer(row, 'saved_at'),
  ...given('tool', optionalText(row, 'tool')),
  ...given('sessionId', optionalText(row, 'session_id')),
});
