/** The texts of saved outputs: each once, in pieces, read back before it counts. */
import { deflateSync, inflateSync } from 'node:zlib';
import { PalimpsestError } from '../../shared/errors.ts';
import { contentIds } from '../message-body.ts';
import type { OutputId } from '../store.ts';
import { bytes, type Database, integer, type Sql, text } from './database.ts';

const insertOutput = `
insert into outputs (id, hash, characters, bytes, lines) values (?, ?, ?, ?, ?) on conflict (id) do nothing`;
const deleteOutput = 'delete from outputs where seq = ?';
const deletePieces = 'delete from output_pieces where output = ?';
const findOutput = 'select seq, hash from outputs where id = ?';
const insertPiece = 'insert into output_pieces (output, place, first_line, encoding, body) values (?, ?, ?, ?, ?)';
const selectPiece = `
select place, encoding, body from output_pieces where output = ? and place >= ? order by place limit 1`;

/** Everything about a text that can be worked out before the store is locked. */
interface PreparedOutput {
  readonly pieces: readonly Piece[];
  readonly hash: Uint8Array;
  readonly ids: readonly OutputId[];
  readonly characters: number;
  readonly bytes: number;
  readonly lines: number;
}

/** Packs and hashes a text. */
export function prepareText(content: string): PreparedOutput {
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

/** Keeps a text, inside of a transaction; the same text once. */
export async function storeText(sql: Sql, made: PreparedOutput): Promise<StoredOutput> {
  for (const id of made.ids) {
    const seq = await sql.insert(insertOutput, [id, made.hash, made.characters, made.bytes, made.lines]);
    if (seq !== undefined) {
      await insertPieces(sql, seq, made);
      return { seq, isNew: true };
    }
    const known = (await sql.get(findOutput, [id])) ?? {};
    if (Buffer.compare(bytes(known, 'hash'), made.hash) === 0) return { seq: integer(known, 'seq'), isNew: false };
  }
  throw new Error(`No id is left for an output; all of ${made.ids.join(', ')} are taken by others.`);
}

async function insertPieces(sql: Sql, seq: number, { pieces }: PreparedOutput): Promise<void> {
  for (const [place, { firstLine, encoding, body }] of pieces.entries())
    await sql.run(insertPiece, [seq, place, firstLine, encoding, body]);
}

/** Where a text is kept, and whether it was not before. */
interface StoredOutput {
  readonly seq: number;
  readonly isNew: boolean;
}

/**
 * Reads back what was written: an id is given only for a text that can be had again. One that was saved before and was
 * altered since is written anew.
 */
export async function requireSame(
  { read, write }: Database,
  { seq, isNew }: StoredOutput,
  made: PreparedOutput,
): Promise<void> {
  if (await read((sql) => isSame(sql, seq, made))) return;
  if (isNew) await write((sql) => sql.run(deleteOutput, [seq]));
  else {
    await write(async (sql) => {
      await sql.run(deletePieces, [seq]);
      await insertPieces(sql, seq, made);
    });
    if (await read((sql) => isSame(sql, seq, made))) return;
  }
  throw new PalimpsestError(
    'STORE_DAMAGED',
    'An output differed when it was read back, so it was not kept. Run `palimpsest doctor`.',
  );
}

async function isSame(sql: Sql, seq: number, { hash }: PreparedOutput): Promise<boolean> {
  try {
    return Buffer.compare((await textHash(sql, seq)).hash, hash) === 0;
  } catch (error) {
    // A piece that is missing or cannot be unpacked.
    if (PalimpsestError.isInstance(error) && error.code === 'STORE_DAMAGED') return false;
    throw error;
  }
}

/** The hash of a kept text. Throws `STORE_DAMAGED` for one that cannot be read. */
export const textHash = async (sql: Sql, seq: number): Promise<ReturnType<typeof contentHash>> =>
  contentHash((await Array.fromAsync(piecesFrom(sql, seq))).join(''));

/** The text of an output from one of its pieces on. */
export async function* piecesFrom(sql: Sql, seq: number, place = 0): AsyncGenerator<string> {
  for (let next = place; ; next++) {
    const row = await sql.get(selectPiece, [seq, next]);
    if (!row) return;
    if (integer(row, 'place') !== next) throw altered();
    yield unpack(text(row, 'encoding'), bytes(row, 'body'));
  }
}

/** What reading throws where a text is not what was saved. */
export function altered(id?: OutputId): PalimpsestError {
  const message = `Saved output${id === undefined ? '' : ` ${id}`} was changed outside Palimpsest. Run \`palimpsest doctor\`, and restore a backup.`;
  return new PalimpsestError('STORE_DAMAGED', message, id === undefined ? {} : { evidence: { id } });
}

// A text in pieces of bounded size, each small enough to be read alone, packed where that pays.

/** How the bytes of a piece are made. UTF-16 is for text with halves of surrogate pairs, which UTF-8 cannot hold. */
type Encoding = 'utf8' | 'utf8+deflate' | 'utf16' | 'utf16+deflate';

interface Piece {
  /** The line that its first character belongs to, from 1. */
  readonly firstLine: number;
  readonly encoding: Encoding;
  readonly body: Uint8Array;
}

/** UTF-16 units in a piece: some thousand lines, unpacked in about a millisecond. */
const pieceCharacters = 131_072;

/** Packed only when it saves at least a tenth. */
const worthIt = 0.9;

/** Cuts a text and packs each piece. */
function packText(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let firstLine = 1;
  for (let start = 0; start < text.length; ) {
    const end = pieceEnd(text, start);
    const piece = text.slice(start, end);
    pieces.push({ firstLine, ...pack(piece) });
    firstLine += breaksIn(piece);
    start = end;
  }
  return pieces;
}

/** The text of a piece. Throws `STORE_DAMAGED`. */
function unpack(encoding: string, body: Uint8Array): string {
  try {
    const bytes = encoding.endsWith('+deflate')
      ? inflateSync(body)
      : Buffer.from(body.buffer, body.byteOffset, body.length);
    return bytes.toString(encoding.startsWith('utf16') ? 'utf16le' : 'utf8');
  } catch (cause) {
    throw new PalimpsestError(
      'STORE_DAMAGED',
      'A piece of a saved output cannot be unpacked. Run `palimpsest doctor`, and restore a backup.',
      { cause },
    );
  }
}

/** Lines of a text; one that ends with a line break has no empty line behind it. */
const lineCount = (text: string): number => breaksIn(text) + (text === '' || text.endsWith('\n') ? 0 : 1);

function pack(text: string): { encoding: Encoding; body: Uint8Array } {
  const name = text.isWellFormed() ? 'utf8' : 'utf16';
  const bytes = Buffer.from(text, name === 'utf8' ? 'utf8' : 'utf16le');
  const packed = deflateSync(bytes, { level: 1 });
  return packed.length < bytes.length * worthIt
    ? { encoding: `${name}+deflate`, body: packed }
    : { encoding: name, body: bytes };
}

/** Never between the halves of a surrogate pair. */
function pieceEnd(text: string, start: number): number {
  const end = start + pieceCharacters;
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}

function breaksIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
