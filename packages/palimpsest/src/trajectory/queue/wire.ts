/** Batches and results on their way through a database: packed, with a hash, and not trusted at the other end. */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzipSync, zstdCompress, zstdDecompressSync } from 'node:zlib';
import { PalimpsestError } from '@palimpsest/core';
import { isObject, parseJson } from '@palimpsest/core/settings';
import { emptySum, type MetricsSum } from '@palimpsest/core/trajectories';
import { type BrokenRecord, type JobResult, type JobSpec, recordNumbers, type TrajectoryJob } from '../work/job.ts';
import { isSampled } from '../work/sample.ts';
import type { Row } from './packages.ts';

/** A batch as it is stored. */
export interface PackedBatch {
  readonly hash: string;
  /** What is not bytes, as JSON. */
  readonly form: string;
  readonly bytes: Uint8Array;
  readonly ends: Uint8Array | null;
}

/** A result as it is stored. */
export interface PackedResult {
  readonly result: string;
  readonly output: Uint8Array;
}

const compress = promisify(zstdCompress);
/** No batch and no result is larger, unpacked: the largest record and one batch more, and what metrics add. */
const mostBytes = 2 ** 31;

export async function packBatch(job: TrajectoryJob): Promise<PackedBatch> {
  const { bytes, ends, first, salt, framing, packing } = job;
  const form = JSON.stringify({ first, salt, framing, packing });
  const endBytes = ends ? Uint8Array.from(Buffer.from(ends.buffer, ends.byteOffset, ends.byteLength)) : null;
  return { hash: hashOf(bytes, endBytes, form), form, bytes: await compress(bytes), ends: endBytes };
}

/** Throws where it is not what was stored. */
export function unpackBatch({ hash, form, bytes, ends }: Row): TrajectoryJob {
  const told = typeof form === 'string' ? parseJson(form) : undefined;
  if (!isObject(told) || typeof form !== 'string' || !(bytes instanceof Uint8Array)) throw damaged('a batch');
  const unpacked = unpack(bytes, 'zstd', 'a batch');
  const endBytes = ends instanceof Uint8Array ? Uint8Array.from(ends) : null;
  if (hashOf(unpacked, endBytes, form) !== hash) throw damaged('a batch');
  const { first, salt, framing, packing } = told;
  if (typeof first !== 'number' || (framing !== 'lines' && framing !== 'list')) throw damaged('a batch');
  if (packing !== 'plain' && packing !== 'gzip' && packing !== 'zstd') throw damaged('a batch');
  return {
    bytes: unpacked,
    first,
    framing,
    packing,
    ...(typeof salt === 'number' && { salt }),
    ...(endBytes && { ends: new Uint32Array(endBytes.buffer) }),
  };
}

export async function packResult({ bytes, ...rest }: JobResult, { packing }: TrajectoryJob): Promise<PackedResult> {
  return { result: JSON.stringify(rest), output: packing === 'plain' ? await compress(bytes) : bytes };
}

/** Throws `TRAJECTORY_BROKEN` for a result that this job cannot have. */
export function unpackResult({ result, output }: Row, job: TrajectoryJob, spec: JobSpec): JobResult {
  const told = typeof result === 'string' ? parseJson(result) : undefined;
  if (!isObject(told) || !(output instanceof Uint8Array)) throw damaged('a result');
  const { read, written, dropped, sum, broken } = told;
  const text = unpack(output, job.packing === 'plain' ? 'zstd' : job.packing, 'a result');
  const numbers = recordNumbers(job).filter((number) => isSampled({ number, salt: job.salt }, spec.sample));
  if (!isCount(read) || !isCount(written) || !isCount(dropped) || !isSum(sum)) throw damaged('a result');
  if (!Array.isArray(broken) || !broken.every((one) => isBroken(one, numbers))) throw damaged('a result');
  const isAll = job.framing === 'lines' ? written + dropped === read : written + dropped <= read;
  const lines = linesIn(text) + (job.framing === 'list' && text.length > 0 ? 1 : 0);
  if (read !== numbers.length || !isAll || lines !== written) {
    const message = `expected a result of ${numbers.length} records, got ${String(read)} read and ${lines} lines for ${String(written)}`;
    throw new PalimpsestError('TRAJECTORY_BROKEN', message);
  }
  return { bytes: job.packing === 'plain' ? text : Uint8Array.from(output), read, written, dropped, sum, broken };
}

function unpack(bytes: Uint8Array, packing: 'gzip' | 'zstd', what: string): Uint8Array<ArrayBuffer> {
  if (bytes.length === 0) return new Uint8Array(0);
  try {
    const limits = { maxOutputLength: mostBytes };
    return Uint8Array.from(packing === 'gzip' ? gunzipSync(bytes, limits) : zstdDecompressSync(bytes, limits));
  } catch {
    throw damaged(what);
  }
}

function hashOf(bytes: Uint8Array, ends: Uint8Array | null, form: string): string {
  const hash = createHash('sha256').update(form).update('\n').update(bytes);
  return (ends ? hash.update('\n').update(ends) : hash).digest('hex');
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}

const isCount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

const isSum = (value: unknown): value is MetricsSum =>
  isObject(value) && Object.keys(emptySum).every((key) => Number.isFinite(value[key]));

const isBroken = (value: unknown, numbers: readonly number[]): value is BrokenRecord =>
  isObject(value) &&
  typeof value.code === 'string' &&
  typeof value.message === 'string' &&
  typeof value.number === 'number' &&
  numbers.includes(value.number);

const damaged = (what: string): PalimpsestError =>
  new PalimpsestError('TRAJECTORY_BROKEN', `expected ${what} as it was stored, got other bytes`);
