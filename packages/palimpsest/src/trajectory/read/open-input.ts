/** The unpacked bytes of an input from any point on, and how they are cut. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { PalimpsestError } from '@palimpsest/core';
import { isObject, parseJson } from '@palimpsest/core/settings';
import { isJsonName, type PlannedFile } from './find-inputs.ts';
import { splitLines } from './split-lines.ts';
import { splitList } from './split-list.ts';
import type { ReadPoint, Split, SplitLimits } from './splits.ts';
import { type Bytes, packingOf, unpack } from './unpack.ts';

/** What is in a file: a record a line, one list of them, or one record. */
export type InputKind = 'lines' | 'list' | 'document';

/** A file that is read. */
export interface OpenInput {
  readonly splits: AsyncIterable<Split>;
  /** Bytes of the file that were read so far, packed as they are. */
  readonly bytesRead: () => number;
  /** Why its end could not be read; known once the splits are over. */
  readonly damage: () => string | undefined;
}

interface OpenOptions {
  readonly kind: InputKind;
  readonly from: ReadPoint;
  readonly limits: SplitLimits;
  /** What stands for `-`. */
  readonly stdin: Bytes | undefined;
}

const readBytes = 1_048_576;

/** Opens a file where an earlier run stopped. Throws `FILE_UNREADABLE` where it cannot be read so far. */
export async function openInput(file: PlannedFile, { kind, from, limits, stdin }: OpenOptions): Promise<OpenInput> {
  let [read, damage]: [number, string | undefined] = [0, undefined];
  async function* counted(source: Bytes): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      read += chunk.length;
      yield chunk;
    }
  }
  const onDamage = (reason: string): void => {
    damage = reason;
  };
  const isPlain = file.path !== undefined && packingOf(await headOf(file.path, 4)) === 'plain';
  let bytes: Bytes;
  if (isPlain) {
    read = from.offset;
    bytes = counted(fileBytes(file, from.offset));
  } else {
    const source = file.path === undefined ? asBytes(stdin) : fileBytes(file, 0);
    bytes = skipped(unpack(counted(source), onDamage), from.offset, file.name);
  }
  const splits =
    kind === 'list'
      ? splitList(bytes, from, limits)
      : splitLines(bytes, from, { ...limits, isDocument: kind === 'document' });
  return { splits, bytesRead: () => read, damage: () => damage };
}

async function* fileBytes({ path = '', name }: PlannedFile, start: number): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { start, highWaterMark: readBytes });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PalimpsestError('FILE_UNREADABLE', `${name} cannot be read: ${reason}`, { evidence: { path }, cause });
  }
}

async function* asBytes(source: AsyncIterable<Uint8Array | string> | undefined): AsyncGenerator<Uint8Array> {
  for await (const chunk of source ?? []) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** The bytes behind an offset. */
async function* skipped(source: Bytes, offset: number, name: string): AsyncGenerator<Uint8Array> {
  let left = offset;
  for await (const chunk of source) {
    const rest = chunk.subarray(Math.min(left, chunk.length));
    left -= chunk.length - rest.length;
    if (rest.length > 0) yield rest;
  }
  if (left === 0) return;
  const message = `${name} ended ${left} bytes before the point where the earlier run stopped: give it the same input again`;
  throw new PalimpsestError('FILE_UNREADABLE', message, { evidence: { path: name } });
}

async function headOf(path: string, length: number): Promise<Uint8Array> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** How much of a document tells what is in it. */
const kindBytes = 65_536;

/** What is in a file: only one that is named `.json` may hold anything but lines. */
export async function kindOf(file: PlannedFile): Promise<InputKind> {
  if (file.path === undefined || !isJsonName(file.path)) return 'lines';
  const parts: Uint8Array[] = [];
  let [known, isWhole] = [0, true];
  for await (const chunk of unpack(fileBytes(file, 0), () => undefined)) {
    parts.push(chunk);
    known += chunk.length;
    isWhole = known < kindBytes;
    if (!isWhole) break;
  }
  const head = Buffer.concat(parts)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (head.startsWith('[')) return 'list';
  const [first = '', ...rest] = head.split('\n');
  if (rest.every((line) => line.trim() === '') || parseJson(first) !== undefined) return 'lines';
  if (isWhole && parseJson(head) !== undefined) return 'document';
  // The first line may be broken, and no record should be lost for it. A record in many lines may have an object in one of them.
  const said = (isWhole ? rest : rest.slice(0, -1)).filter((line) => line.trim() !== '');
  return said.filter((line) => isObject(parseJson(line))).length * 2 > said.length ? 'lines' : 'document';
}
