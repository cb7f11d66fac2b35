/** The pages of a damaged database, one by one: what the file holds, and over it what its log committed. */
import type { FileBytes } from '../file.ts';
import { databaseMagic } from '../file-kind.ts';

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
