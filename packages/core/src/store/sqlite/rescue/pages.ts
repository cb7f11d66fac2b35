/**
 * The pages of a damaged database, one by one: what the file holds, and over it what its log committed; and the rows on
 * them, read by hand where SQLite gives up (sqlite.org/fileformat.html#b_tree_pages).
 */
import { databaseMagic, type FileBytes } from '../file.ts';

/** Pages by number, from 1. Undefined for one that is gone: beyond the end, cut, or nothing but zeros. */
export interface Pages {
  readonly size: number;
  /** Bytes of a page that hold content. */
  readonly usable: number;
  /** How many there were, as far as that can be told. */
  readonly count: number;
  /** The first page, where it is whole. */
  readonly first: Buffer | undefined;
  page(number: number): Buffer | undefined;
}

/** Every store is made with it; told by the first page where that is left. */
const usualSize = 4_096;

/** Of the first page (sqlite.org/fileformat.html#the_database_header). */
const at = { pageSize: 16, reserved: 20, pageCount: 28 } as const;

export function pagesOf(file: FileBytes, log: FileBytes | undefined): Pages {
  const head = file.read(0, 100);
  const size = (hasMagic(head) ? sizeIn(head.readUInt16BE(at.pageSize)) : undefined) ?? logSize(log) ?? usualSize;
  const committed = log ? committedPages(log, size) : { places: new Map<number, number>(), count: undefined };

  function page(number: number): Buffer | undefined {
    if (number < 1) return undefined;
    const place = committed.places.get(number);
    const bytes =
      place === undefined ? file.read((number - 1) * size, size) : (log?.read(place, size) ?? Buffer.alloc(0));
    return bytes.length < size || bytes.every((byte) => byte === 0) ? undefined : bytes;
  }

  const start = page(1);
  const first = start && hasMagic(start) ? start : undefined;
  const inFile = Math.ceil(file.size / size);
  const said = committed.count ?? first?.readUInt32BE(at.pageCount) ?? 0;
  return {
    size,
    usable: size - (first?.[at.reserved] ?? 0),
    count: Math.max(inFile, Math.min(said, maxPages)),
    first,
    page,
  };
}

/** A damaged count must not keep anybody looking for pages for hours: 64 GB. */
const maxPages = 16_000_000;

const hasMagic = (bytes: Buffer): boolean => bytes.toString('latin1', 0, databaseMagic.length) === databaseMagic;

const sizeIn = (size: number): number | undefined =>
  size === 1 ? 65_536 : size >= 512 && size <= 32_768 && (size & (size - 1)) === 0 ? size : undefined;

/** Of the log (sqlite.org/fileformat.html#the_write_ahead_log). */
const logHeader = 32;
const frameHeader = 24;

function logSize(log: FileBytes | undefined): number | undefined {
  const head = log?.read(0, logHeader);
  return head && head.length === logHeader ? sizeIn(head.readUInt32BE(8)) : undefined;
}

/** Where the newest committed content of each page is in the log: whole frames of this log, up to the last commit. */
function committedPages(
  log: FileBytes,
  size: number,
): { places: ReadonlyMap<number, number>; count: number | undefined } {
  const places = new Map<number, number>();
  let count: number | undefined;
  const head = log.read(0, logHeader);
  const magic = head.length === logHeader ? head.readUInt32BE(0) : 0;
  if ((magic & 0xfffffffe) >>> 0 !== 0x377f0682 || head.readUInt32BE(8) !== size) return { places, count };
  const isBig = (magic & 1) === 1;
  let sums = checksum(head.subarray(0, 24), [0, 0], isBig);
  const open = new Map<number, number>();
  for (let start = logHeader; start + frameHeader + size <= log.size; start += frameHeader + size) {
    const frame = log.read(start, frameHeader + size);
    const isOfLog = frame.length === frameHeader + size && frame.subarray(8, 16).equals(head.subarray(16, 24));
    if (!isOfLog) break;
    sums = checksum(frame.subarray(frameHeader), checksum(frame.subarray(0, 8), sums, isBig), isBig);
    if (frame.readUInt32BE(16) !== sums[0] || frame.readUInt32BE(20) !== sums[1]) break;
    open.set(frame.readUInt32BE(0), start + frameHeader);
    if (frame.readUInt32BE(4) === 0) continue;
    count = frame.readUInt32BE(4);
    for (const [page, place] of open) places.set(page, place);
    open.clear();
  }
  return { places, count };
}

type Sums = readonly [number, number];

/** SQLite's own (sqlite.org/fileformat.html#checksum_algorithm). */
function checksum(bytes: Buffer, [a, b]: Sums, isBig: boolean): Sums {
  let one = a;
  let two = b;
  for (let i = 0; i + 8 <= bytes.length; i += 8) {
    one = (one + (isBig ? bytes.readUInt32BE(i) : bytes.readUInt32LE(i)) + two) >>> 0;
    two = (two + (isBig ? bytes.readUInt32BE(i + 4) : bytes.readUInt32LE(i + 4)) + one) >>> 0;
  }
  return [one, two];
}

export type Value = null | number | bigint | string | Uint8Array;

/** A row of a table, or of an index. */
export interface RescuedRow {
  /** Absent in an index, and in a table without row ids. */
  readonly rowid?: number;
  readonly values: readonly Value[];
}

/** What is on a page. */
export interface PageContent {
  readonly rows: readonly RescuedRow[];
  /** Pages below it. */
  readonly children: readonly number[];
  /** Rows that could not be read, as where what they go on with is gone. */
  readonly unread: number;
}

export type PageKind = 'table' | 'index';

const kinds: Readonly<Record<number, { readonly kind: PageKind; readonly isLeaf: boolean }>> = {
  2: { kind: 'index', isLeaf: false },
  5: { kind: 'table', isLeaf: false },
  10: { kind: 'index', isLeaf: true },
  13: { kind: 'table', isLeaf: true },
};

/** The first page begins with the header of the file. */
const startOf = (number: number): number => (number === 1 ? 100 : 0);

/** What a page is a part of; undefined for what holds no rows. */
export const kindOf = (number: number, page: Buffer): PageKind | undefined => kinds[page[startOf(number)] ?? 0]?.kind;

/** Everything that can be read on a page. */
export function contentOf(pages: Pages, number: number, page: Buffer): PageContent {
  const start = startOf(number);
  const known = kinds[page[start] ?? 0];
  if (!known) return { rows: [], children: [], unread: 0 };
  const { kind, isLeaf } = known;
  const count = page.readUInt16BE(start + 3);
  const cells = start + (isLeaf ? 8 : 12);
  const rows: RescuedRow[] = [];
  const children: number[] = [];
  let unread = 0;
  for (let i = 0; i < count && cells + 2 * i + 2 <= pages.usable; i++) {
    const at = page.readUInt16BE(cells + 2 * i);
    try {
      if (!isLeaf) children.push(page.readUInt32BE(at));
      const row = isLeaf || kind === 'index' ? rowAt(pages, page, { at: isLeaf ? at : at + 4, kind }) : undefined;
      if (row) rows.push(row);
    } catch {
      // Damaged, or its rest is on a page that is gone.
      unread++;
    }
  }
  if (!isLeaf) children.push(page.readUInt32BE(start + 8));
  return { rows, children: children.filter((child) => child > 1 && child <= pages.count), unread };
}

function rowAt(pages: Pages, page: Buffer, { at, kind }: { readonly at: number; readonly kind: PageKind }): RescuedRow {
  const length = varint(page, at);
  if (kind === 'index') return { values: valuesOf(payload(pages, page, { at: length.end, size: length.value, kind })) };
  const rowid = varint(page, length.end);
  const values = valuesOf(payload(pages, page, { at: rowid.end, size: length.value, kind }));
  return { rowid: rowid.value, values };
}

/** SQLite's largest text or blob; a damaged length must not ask for more. */
const maxPayload = 1_000_000_000;

/** The whole content of a row; a long one goes on in a chain of other pages. */
function payload(
  { usable, page: pageAt, count }: Pages,
  page: Buffer,
  { at, size, kind }: { readonly at: number; readonly size: number; readonly kind: PageKind },
): Buffer {
  if (size > maxPayload) throw new RangeError('longer than a row can be');
  const most = kind === 'table' ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) return exactly(page, at, size);
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const wanted = least + ((size - least) % (usable - 4));
  const local = wanted <= most ? wanted : least;
  const pieces = [exactly(page, at, local)];
  let left = size - local;
  for (let next = page.readUInt32BE(at + local), seen = 0; left > 0; seen++) {
    const more = pageAt(next);
    if (!more || seen > count) throw new RangeError('one of its pages is missing');
    pieces.push(exactly(more, 4, Math.min(left, usable - 4)));
    left -= usable - 4;
    next = more.readUInt32BE(0);
  }
  return Buffer.concat(pieces);
}

function exactly(bytes: Buffer, from: number, length: number): Buffer {
  if (from + length > bytes.length) throw new RangeError('beyond the end');
  return bytes.subarray(from, from + length);
}

/** Bytes of whole numbers by their type. */
const integerBytes = [0, 1, 2, 3, 4, 6, 8];

function valuesOf(record: Buffer): readonly Value[] {
  const head = varint(record, 0);
  const values: Value[] = [];
  let at = head.value;
  for (let type = head.end; type < head.value; ) {
    const { value: code, end } = varint(record, type);
    const { value, length } = valueAt(record, at, code);
    values.push(value);
    at += length;
    type = end;
  }
  // What was read by a wrong rule does not end where the row ends.
  if (at !== record.length) throw new RangeError('no row');
  return values;
}

function valueAt(record: Buffer, at: number, code: number): { readonly value: Value; readonly length: number } {
  if (code === 0) return { value: null, length: 0 };
  if (code === 8 || code === 9) return { value: code - 8, length: 0 };
  if (code === 7) return { value: record.readDoubleBE(at), length: 8 };
  const length = code <= 6 ? (integerBytes[code] ?? 0) : (code - 12 - (code % 2)) / 2;
  if (code === 10 || code === 11) throw new RangeError('no type of a value');
  const bytes = exactly(record, at, length);
  if (code > 6) return { value: code % 2 === 1 ? bytes.toString('utf8') : new Uint8Array(bytes), length };
  if (length < 8) return { value: bytes.readIntBE(0, length), length };
  const large = bytes.readBigInt64BE();
  const small = Number(large);
  return { value: Number.isSafeInteger(small) ? small : large, length };
}

function varint(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) throw new RangeError('beyond the end');
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value: requireSafe(value), end: at + i + 1 };
  }
  return { value: requireSafe(value * 256 + (bytes[at + 8] ?? 0)), end: at + 9 };
}

function requireSafe(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError('no length and no row id of ours');
  return value;
}
