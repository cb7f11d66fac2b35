/**
 * A batch of records, and what comes of it: plain data on both sides, so that a worker can do it, or another machine. The
 * same job always has the same result.
 */
import { isUtf8 } from 'node:buffer';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { PalimpsestError, type Tokenizer } from '@palimpsest/core';
import { parseJson } from '@palimpsest/core/settings';
import {
  addMetrics,
  compressTrajectory,
  emptySum,
  type MetricsSum,
  metricsJson,
  type TrajectoryMetrics,
  type TrajectoryOptions,
  type TrajectorySummarizer,
} from '@palimpsest/core/trajectories';
import type { Packing } from '../read/unpack.ts';
import { isSampled, type Sample } from './sample.ts';
import type { Slots } from './slots.ts';
import { type RecordTask, type RunningTask, startTask, type TaskFigures } from './task.ts';

/** What every job of a run is done with. */
export interface JobSpec {
  /** An encoding or a model whose tokens are counted. */
  readonly tokenizer: string;
  /** What core is told for every record. */
  readonly options: Omit<TrajectoryOptions, 'tokenizer' | 'summarizer' | 'signal'>;
  /** False drops what is still over the target. */
  readonly saveOverLimit: boolean;
  /** True writes its metrics into each compressed record. */
  readonly recordMetrics: boolean;
  /** Longest time for one record, in milliseconds. */
  readonly timeoutMs: number;
  /** Only a part of the records. */
  readonly sample: Sample | undefined;
  /** What is done with each record; absent to compress it. */
  readonly task?: RecordTask;
}

/** Records of one file. */
export interface TrajectoryJob {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each record ends in `bytes`, one byte before the next begins; absent where each is a line. */
  readonly ends?: Uint32Array<ArrayBuffer>;
  /** The number of the first record in its file, from 1. */
  readonly first: number;
  /** Tells its file from others where a sample is taken. @default 0 */
  readonly salt?: number;
  /** What the records become: lines, or elements of a list. */
  readonly framing: Framing;
  readonly packing: Packing;
  /** Records that are not tried: they stay as they are, for the reason given. By number. */
  readonly passed?: Readonly<Record<number, BrokenReason>>;
}

/** `lines` end with a line break each; between the elements of a `list` stands a comma. */
export type Framing = 'lines' | 'list';

/** Why a record was not compressed. */
export interface BrokenReason {
  /** An error code, such as `TRAJECTORY_BROKEN`. */
  readonly code: string;
  /** What was expected, and what came. */
  readonly message: string;
}

/** A record that was not compressed; it stands in the output as it is, unless it would break a JSON list. */
export interface BrokenRecord extends BrokenReason {
  /** From 1; for lines, the line. */
  readonly number: number;
}

/** What came of a job. */
export interface JobResult extends TaskFigures {
  /** For the output file, packed; without a comma at either end. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Records that were read, blank lines and what was left out of a sample not counted. */
  readonly read: number;
  readonly written: number;
  /** Records that stayed over the target and were dropped. */
  readonly dropped: number;
  readonly sum: MetricsSum;
  readonly broken: readonly BrokenRecord[];
}

/** What a job is done with beside its own data. */
export interface JobTools {
  readonly spec: JobSpec;
  readonly tokenizer: Tokenizer;
  /** Writes the summaries of a record. */
  readonly summarizer?: (number: number) => TrajectorySummarizer;
  /** Records at the same time, where they wait for a model; it keeps its own time. @default one after the other */
  readonly slots?: Slots;
  /** Hears which record is under way. */
  readonly onRecord?: (number: number) => void;
}

/** Does a job. Never rejects for what is in a record. */
export async function runJob(job: TrajectoryJob, tools: JobTools): Promise<JobResult> {
  const { spec } = tools;
  const out: Uint8Array[] = [];
  const broken: BrokenRecord[] = [];
  const breakOf = job.framing === 'list' ? comma : newline;
  let [sum, read, written, dropped] = [emptySum, 0, 0, 0];
  const keep = (bytes: Uint8Array): void => {
    if (job.framing === 'list' && out.length > 0) out.push(breakOf);
    out.push(bytes);
    if (job.framing === 'lines') out.push(breakOf);
    written++;
  };
  const task = spec.task && startTask(spec.task, { tokenizer: tools.tokenizer, format: spec.options.format });
  for await (const { number, bytes, line, outcome } of outcomesOf(job, tools, task)) {
    read++;
    if (outcome.type === 'broken') {
      broken.push({ number, ...outcome.reason });
      const kept = job.framing === 'list' ? oneLineJson(bytes) : job.ends ? withoutBreaks(bytes) : line;
      if (kept) keep(kept);
      continue;
    }
    if (outcome.metrics) sum = addMetrics(sum, outcome.metrics);
    if (outcome.metrics?.stillOverLimit && !spec.saveOverLimit) dropped++;
    else if (outcome.bytes) keep(outcome.bytes);
  }
  return { bytes: packed(joined(out), job.packing), read, written, dropped, sum, broken, ...task?.figures() };
}

/** What comes of the records, in their order. */
async function* outcomesOf(
  job: TrajectoryJob,
  tools: JobTools,
  task: RunningTask | undefined,
): AsyncGenerator<OneRecord & { outcome: Outcome }> {
  const { spec, slots, onRecord } = tools;
  const sampled = recordsOf(job).filter(({ number }) => isSampled({ number, salt: job.salt }, spec.sample));
  const clock = slots ? undefined : recordClock(spec.timeoutMs);
  const optionsFor = coreOptions(tools);
  const work = ({ number, bytes }: OneRecord): Promise<Outcome> => {
    onRecord?.(number);
    return workOnRecord(bytes, { number, job, spec, clock, task, optionsFor });
  };
  if (!slots) {
    try {
      for (const record of sampled) yield { ...record, outcome: await work(record) };
    } finally {
      clock?.close();
    }
    return;
  }
  const begun = [...sampled].map((record) => ({
    record,
    outcome: slots.run(record.bytes.length, () => work(record)),
  }));
  for (const { record, outcome } of begun) yield { ...record, outcome: await outcome };
}

const newline = Uint8Array.of(10);
const comma = Buffer.from(',\n');

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Bytes as a file of their own, several of which make one. */
export function packed(bytes: Uint8Array<ArrayBuffer>, packing: Packing): Uint8Array<ArrayBuffer> {
  if (packing === 'plain' || bytes.length === 0) return bytes;
  return Uint8Array.from(packing === 'gzip' ? gzipSync(bytes) : zstdCompressSync(bytes));
}

interface OneRecord {
  readonly number: number;
  readonly bytes: Uint8Array;
  /** With the white space around it: what is not understood stays as it is. */
  readonly line: Uint8Array;
}

/** The records of a job without their breaks; blank ones are none. */
function* recordsOf({ bytes, ends, first }: TrajectoryJob): Generator<OneRecord> {
  let [number, from] = [first, 0];
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; from < all.length; at++, number++) {
    const end = ends ? (ends[at] ?? all.length) : all.indexOf(10, from);
    if (ends && at >= ends.length) return;
    const stop = end < 0 ? all.length : end;
    const hasMark = number === 1 && all[from] === 0xef && all[from + 1] === 0xbb && all[from + 2] === 0xbf;
    const line = all.subarray(hasMark ? from + 3 : from, stop);
    const record = trimmed(line);
    if (record.length > 0) yield { number, bytes: record, line: withoutReturn(line) };
    from = stop + 1;
  }
}

/** The numbers of all records of a job; blank lines are none. */
export const recordNumbers = (job: TrajectoryJob): readonly number[] =>
  Array.from(recordsOf(job), ({ number }) => number);

const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 9 || byte === 13 || byte === 10;

/** Lines end with a line feed alone. */
const withoutReturn = (line: Uint8Array): Uint8Array => (line.at(-1) === 13 ? line.subarray(0, -1) : line);

function trimmed(bytes: Uint8Array): Uint8Array {
  let [from, to] = [0, bytes.length];
  while (from < to && isSpace(bytes[from])) from++;
  while (to > from && isSpace(bytes[to - 1])) to--;
  return bytes.subarray(from, to);
}

type Outcome =
  /** Without bytes where nothing is written of a record, and without metrics where it was not to be compressed. */
  | { readonly type: 'done'; readonly bytes?: Uint8Array; readonly metrics?: TrajectoryMetrics }
  | { readonly type: 'broken'; readonly reason: BrokenReason };

/** What core is told for a record of that number, and the signal that ends it. */
type OptionsFor = (number: number, signal: AbortSignal | undefined) => TrajectoryOptions;

/** Frozen, and the same object for as long as nothing differs: core looks at that once. */
function coreOptions({ spec, tokenizer, summarizer }: JobTools): OptionsFor {
  const { protect } = spec.options;
  const always = { ...spec.options, ...(protect && { protect: Object.freeze({ ...protect }) }), tokenizer };
  const made = new Map<AbortSignal | undefined, TrajectoryOptions>();
  return (number, signal) => {
    const known = made.get(signal);
    if (known) return known;
    const own = { ...always, ...(signal && { signal }) };
    if (summarizer) return { ...own, summarizer: summarizer(number) };
    made.set(signal, Object.freeze(own));
    return own;
  };
}

interface Around {
  readonly number: number;
  readonly job: TrajectoryJob;
  readonly spec: JobSpec;
  readonly optionsFor: OptionsFor;
  /** Undefined where the calls of a model have a time limit of their own. */
  readonly clock: RecordClock | undefined;
  readonly task: RunningTask | undefined;
}

async function workOnRecord(
  bytes: Uint8Array,
  { number, job, spec, clock, task, optionsFor }: Around,
): Promise<Outcome> {
  const passed = job.passed?.[number];
  if (passed) return { type: 'broken', reason: passed };
  if (!isUtf8(bytes)) return broken('TRAJECTORY_BROKEN', 'expected UTF-8 text, got other bytes');
  const text = textOf(bytes);
  // An element of a list may stand in many lines: breaks are never within a text of JSON.
  const line = job.ends ? text.replaceAll(/\n[ \t\r\n]*/g, ' ') : text;
  const signal = clock?.begin();
  try {
    if (task) {
      const after = task.run(line);
      if (after === undefined) return { type: 'done' };
      return { type: 'done', bytes: after === text ? bytes : Buffer.from(after) };
    }
    const result = await compressTrajectory(line, optionsFor(number, signal));
    const isSame = result.text === text;
    const after = spec.recordMetrics && result.metrics.wasCompressed ? withMetrics(result) : result.text;
    return { type: 'done', bytes: isSame && after === text ? bytes : Buffer.from(after), metrics: result.metrics };
  } catch (error) {
    if (signal?.aborted) return broken('CALL_TIMEOUT', timeoutMessage(spec.timeoutMs));
    const message = error instanceof Error ? error.message : String(error);
    return broken(PalimpsestError.isInstance(error) ? error.code : 'INTERNAL', message);
  } finally {
    clock?.end();
  }
}

const textOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString('utf8');

const broken = (code: string, message: string): Outcome => ({
  type: 'broken',
  reason: { code, message: message.slice(0, 300) },
});

/** What is said of a record that took too long. */
export const timeoutMessage = (timeoutMs: number): string =>
  `expected to be done within ${timeoutMs / 1_000} s, and was not: raise processing.per_trajectory_timeout`;

/** The record with what was done to it, under the key that other tools use. A bare list of turns has no place for it. */
function withMetrics({ text, metrics }: { readonly text: string; readonly metrics: TrajectoryMetrics }): string {
  if (text.startsWith('[')) return text;
  const key = '"compression_metrics":';
  const added = JSON.stringify(metricsJson(metrics));
  if (!text.includes(key)) return `${text.slice(0, text.lastIndexOf('}'))},${key}${added}}`;
  const value = parseJson(text);
  // It was compressed before. What core gives is an object.
  return JSON.stringify({ ...(value as object), compression_metrics: metricsJson(metrics) });
}

/** A broken record in one line, where it is JSON at all: any other would make the whole list unreadable. */
function oneLineJson(bytes: Uint8Array): Uint8Array | undefined {
  const text = textOf(bytes).replaceAll(/\n[ \t\r\n]*/g, ' ');
  return isUtf8(bytes) && parseJson(text) !== undefined ? Buffer.from(text) : undefined;
}

/** A record that is no line as one: within JSON a break means nothing. */
const withoutBreaks = (bytes: Uint8Array): Uint8Array => bytes.map((byte) => (byte === 10 || byte === 13 ? 32 : byte));

interface RecordClock {
  /** The signal for one record. */
  readonly begin: () => AbortSignal;
  readonly end: () => void;
  /** After the last one. */
  readonly close: () => void;
}

/**
 * One signal for all records, replaced after a record that took too long, and one timer, which looks again where the record that it was
 * set for is done: to make one for each would be dear.
 */
function recordClock(timeoutMs: number): RecordClock {
  let controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let end = Number.POSITIVE_INFINITY;
  const look = (): void => {
    timer = undefined;
    const left = end - performance.now();
    if (left <= 0) controller.abort(new Error('too slow'));
    else if (left < Number.POSITIVE_INFINITY) timer = setTimeout(look, left);
  };
  return {
    begin: () => {
      if (controller.signal.aborted) controller = new AbortController();
      end = performance.now() + timeoutMs;
      if (timer) timer.ref();
      else timer = setTimeout(look, timeoutMs);
      return controller.signal;
    },
    end: () => {
      end = Number.POSITIVE_INFINITY;
      timer?.unref();
    },
    close: () => clearTimeout(timer),
  };
}
