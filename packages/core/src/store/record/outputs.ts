/** Saved output: each text once, in pieces that are read back before they count. */
import { PalimpsestError } from '../../shared/errors.ts';
import {
  type OutputHit,
  type OutputId,
  type OutputLines,
  type OutputStore,
  type SavedOutput,
  surroundingsTool,
} from '../store.ts';
import { bytes, count, type Database, given, integer, optionalText, type Row, type Sql, text } from './database.ts';
import { altered, contentHash, piecesFrom, prepareText, requireSame, storeText } from './output-texts.ts';
import { requireSeq } from './session-rows.ts';

const insertUse =
  'insert into output_uses (output, session, tool, saved_at) values (?, ?, ?, ?) on conflict do nothing';

/** With who saved it first; `session` asks for the use of one session. */
const selectOutputs = `
select o.*, u.tool, u.saved_at, s.id as session_id
from outputs o join output_uses u on u.output = o.seq left join sessions s on s.seq = u.session`;
const selectById = `${selectOutputs} where o.id = ? order by u.seq limit 1`;
const selectUse = `${selectOutputs} where o.seq = ? and u.session is not distinct from ?`;
/** Earlier versions named the surroundings of imports `import`, as a tool may be called as well. */
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

export function createOutputStore(database: Database): OutputStore {
  const { read, write, clock } = database;
  return {
    save: async (content, about = {}) => {
      const made = prepareText(content);
      const { stored, saved } = await write(async (sql) => {
        const session = about.sessionId === undefined ? null : await requireSeq(sql, about.sessionId);
        const output = await storeText(sql, made);
        await sql.run(insertUse, [output.seq, session, about.tool?.toWellFormed() ?? null, clock()]);
        return { stored: output, saved: savedOutput((await sql.get(selectUse, [output.seq, session])) ?? {}) };
      });
      // After the lock is given back: reading a large output takes a while.
      await requireSame(database, stored, made);
      return saved;
    },
    get: (id) =>
      read(async (sql) => {
        const row = await sql.get(selectById, [id]);
        return row && savedOutput(row);
      }),
    read: (id, range = {}) => read((sql) => readLines(sql, id, range)),
    search: (id, query, options = {}) =>
      read(async (sql) => {
        const lines = linesOf(piecesFrom(sql, integer(await requireOutput(sql, id), 'seq')));
        return searchLines(lines, query, options.limit ?? defaultHits);
      }),
    list: (sessionId, options = {}) =>
      read(async (sql) => {
        const tool = options.tool?.toWellFormed() ?? null;
        const rows =
          sessionId === undefined
            ? await sql.all(selectAll, { tool })
            : await sql.all(selectOfSession, { session: await requireSeq(sql, sessionId), tool });
        return rows.map(savedOutput);
      }),
  };
}

async function requireOutput(sql: Sql, id: OutputId): Promise<Row> {
  const row = await sql.get(selectById, [id]);
  if (row) return row;
  const message = `There is no saved output ${id.slice(0, 80)}. List them to see their ids.`;
  throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: id.slice(0, 80) } });
}

async function readLines(
  sql: Sql,
  id: OutputId,
  range: { readonly from?: number; readonly to?: number },
): Promise<OutputLines> {
  const row = await requireOutput(sql, id);
  const output = savedOutput(row);
  const from = Math.max(1, count(range.from ?? 1, 'from'));
  const to = Math.min(output.lines, count(range.to ?? output.lines, 'to'));
  if (from > to) return { output, from, to: from - 1, text: '' };
  const seq = integer(row, 'seq');
  const start = (await sql.get(selectStart, [seq, from])) ?? { place: 0, first_line: 1 };
  const pieces = piecesFrom(sql, seq, integer(start, 'place'));
  const text = await linesIn(pieces, { from, to, firstLine: integer(start, 'first_line') });
  // Whole, it can be told whether it is still the text that the id stands for.
  const isWhole = from === 1 && to === output.lines;
  if (text === undefined || (isWhole && Buffer.compare(contentHash(text).hash, bytes(row, 'hash')) !== 0))
    throw altered(output.id);
  return { output, from, to, text };
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

// Finds the lines of an output that hold every word of a query.

/** A hit in a longer line is shown with what stands around it. */
const maxHitCharacters = 1_000;

/** Lines with the whole query as it stands come first, each kind in the order of the text; case does not matter. */
async function searchLines(lines: AsyncIterable<Line>, query: string, limit: number): Promise<readonly OutputHit[]> {
  const phrase = query.trim().replaceAll(/\s+/g, ' ').toLowerCase();
  const words = phrase.split(' ').filter(Boolean);
  const phrases: OutputHit[] = [];
  const others: OutputHit[] = [];
  if (words.length === 0 || limit <= 0) return [];
  for await (const line of lines) {
    const text = line.text.toLowerCase();
    if (!words.every((word) => text.includes(word))) continue;
    const at = text.replaceAll(/\s/g, ' ').indexOf(phrase);
    if (at >= 0) phrases.push(hit(line, at));
    else if (others.length < limit) others.push(hit(line, text.indexOf(words[0] ?? '')));
    if (phrases.length >= limit) break;
  }
  return [...phrases, ...others].slice(0, limit);
}

function hit({ number, text }: Line, at: number): OutputHit {
  const line = text.replace(/\r?\n$/, '');
  if (line.length <= maxHitCharacters) return { line: number, text: line };
  // A quarter before the match. Lower case may have moved it by a few characters, which this leaves room for.
  const start = Math.max(0, Math.min(at - maxHitCharacters / 4, line.length - maxHitCharacters));
  const end = start + maxHitCharacters;
  const shown = line.slice(start, end).toWellFormed();
  return { line: number, text: `${start > 0 ? '…' : ''}${shown}${end < line.length ? '…' : ''}` };
}

// The lines of a text that comes in pieces.

/** A line with the line break that ends it, from 1. */
interface Line {
  readonly number: number;
  readonly text: string;
}

/** Lines as they are completed, so that only one piece is in memory at once. */
async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<Line> {
  let number = 1;
  let open: string[] = [];
  for await (const piece of pieces) {
    let start = 0;
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', start)) {
      const end = piece.slice(start, at + 1);
      yield { number: number++, text: open.length === 0 ? end : open.join('') + end };
      if (open.length > 0) open = [];
      start = at + 1;
    }
    if (start < piece.length) open.push(piece.slice(start));
  }
  if (open.length > 0) yield { number, text: open.join('') };
}

/** Which lines of a text are wanted; its first piece begins in line `firstLine`. */
interface WantedLines {
  readonly from: number;
  readonly to: number;
  readonly firstLine: number;
}

/** The text of some lines; undefined where the pieces end before them. */
async function linesIn(
  pieces: AsyncIterable<string>,
  { from, to, firstLine }: WantedLines,
): Promise<string | undefined> {
  const parts: string[] = [];
  // The line that the next character belongs to.
  let line = firstLine;
  let hasMore = false;
  for await (const piece of pieces) {
    let start = line >= from ? 0 : -1;
    let end = -1;
    for (let at = piece.indexOf('\n'); at >= 0 && end < 0; at = piece.indexOf('\n', at + 1)) {
      line++;
      if (line === from) start = at + 1;
      if (line > to) end = at + 1;
    }
    if (start >= 0) parts.push(piece.slice(start, end < 0 ? undefined : end));
    if (end >= 0) return parts.join('');
    hasMore = !piece.endsWith('\n');
  }
  // The last line may end without a line break.
  return line === to && hasMore ? parts.join('') : undefined;
}
