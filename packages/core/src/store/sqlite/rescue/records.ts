/** Reads the rows on a page of a database by hand (sqlite.org/fileformat.html#b_tree_pages), where SQLite gives up. */
import type { Pages } from './pages.ts';

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
