/** Saved output in SQLite: each text once, in pieces. */
import { PalimpsestError } from '../../../shared/errors.ts';
import { contentIds } from '../../message-body.ts';
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
import { lineCount, type Piece, packText, unpack } from './pieces.ts';
import { searchLines } from './search-lines.ts';

const insertOutput = `
insert into outputs (id, hash, characters, bytes, lines) values (?, ?, ?, ?, ?) on conflict (id) do nothing`;
const deleteOutput = 'delete from outputs where seq = ?';
const deletePieces = 'delete from output_pieces where output = ?';
const findOutput = 'select seq, hash from outputs where id = ?';
const insertPiece = 'insert into output_pieces (output, place, first_line, encoding, body) values (?, ?, ?, ?, ?)';
const selectPieces = `
select place, encoding, body from output_pieces where output = ? and place >= ? order by place`;
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
    const made = prepare(content);
    const { stored, saved } = await write(() => {
      const session =
        about.sessionId === undefined ? null : integer(requireSessionRow(connection, about.sessionId), 'seq');
      const output = store(connection, made);
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

/** Everything about a text that can be worked out before the store is locked. */
interface PreparedOutput {
  readonly pieces: readonly Piece[];
  readonly hash: Uint8Array;
  readonly ids: readonly OutputId[];
  readonly characters: number;
  readonly bytes: number;
  readonly lines: number;
}

function prepare(content: string): PreparedOutput {
  return {
    pieces: packText(content),
    ...contentHash(content),
    characters: content.length,
    bytes: Buffer.byteLength(content, 'utf8'),
    lines: lineCount(content),
  };
}

/** SHA-256 of the text in UTF-8; of a text that UTF-8 cannot hold, its UTF-16 behind a byte that no UTF-8 has. */
export const contentHash = (content: string): { hash: Uint8Array; ids: readonly OutputId[] } =>
  contentIds(content.isWellFormed() ? content : Buffer.concat([Buffer.of(0xff), Buffer.from(content, 'utf16le')]));

function store(connection: Connection, made: PreparedOutput): StoredOutput {
  const { sql } = connection;
  for (const id of made.ids) {
    const { changes, lastInsertRowid } = sql(insertOutput).run(id, made.hash, made.characters, made.bytes, made.lines);
    if (changes === 1) {
      const seq = Number(lastInsertRowid);
      insertPieces(connection, seq, made);
      return { seq, isNew: true };
    }
    const known: Row = sql(findOutput).get(id) ?? {};
    if (Buffer.compare(bytes(known, 'hash'), made.hash) === 0) return { seq: integer(known, 'seq'), isNew: false };
  }
  throw new Error(`No id is left for an output; all of ${made.ids.join(', ')} are taken by others.`);
}

function insertPieces({ sql }: Connection, seq: number, { pieces }: PreparedOutput): void {
  for (const [place, { firstLine, encoding, body }] of pieces.entries())
    sql(insertPiece).run(seq, place, firstLine, encoding, body);
}

interface StoredOutput {
  readonly seq: number;
  readonly isNew: boolean;
}

/**
 * Reads back what was written: an id is given only for a text that can be had again. One that was saved before and was
 * altered since is written anew.
 */
async function requireSame(connection: Connection, { seq, isNew }: StoredOutput, made: PreparedOutput): Promise<void> {
  const { read, write, sql } = connection;
  if (await read(() => isSame(connection, seq, made))) return;
  if (!isNew) {
    await write(() => {
      sql(deletePieces).run(seq);
      insertPieces(connection, seq, made);
    });
    if (await read(() => isSame(connection, seq, made))) return;
  }
  if (isNew) await write(() => sql(deleteOutput).run(seq));
  throw new PalimpsestError(
    'STORE_DAMAGED',
    'An output did not come back as it was saved; it was not kept. Run `palimpsest doctor`.',
  );
}

function isSame(connection: Connection, seq: number, { hash }: PreparedOutput): boolean {
  try {
    return Buffer.compare(contentHash([...piecesFrom(connection, seq)].join('')).hash, hash) === 0;
  } catch (error) {
    // A piece that is missing or cannot be unpacked.
    if (PalimpsestError.isInstance(error) && error.code === 'STORE_DAMAGED') return false;
    throw error;
  }
}

/** The text of an output from one of its pieces on. */
export function* piecesFrom({ sql }: Connection, seq: number, place = 0): Generator<string> {
  let next = place;
  for (const row of sql(selectPieces).iterate(seq, place)) {
    if (integer(row, 'place') !== next++) throw altered();
    yield unpack(text(row, 'encoding'), bytes(row, 'body'));
  }
}

function altered(id?: OutputId): PalimpsestError {
  const message = `Saved output${id === undefined ? '' : ` ${id}`} is not as it was saved: it was altered behind the store. Run \`palimpsest doctor\`, and restore a backup.`;
  return new PalimpsestError('STORE_DAMAGED', message, id === undefined ? {} : { evidence: { id } });
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
