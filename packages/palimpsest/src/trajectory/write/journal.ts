/**
 * The journal beside an output that is not finished: one line of JSON for each point from which a run can go on. Lines are only
 * added, each after what it tells of is on the disk; a line that was cut off by a crash is none.
 */
import { isObject, parseJson } from '@palimpsest/core/settings';
import { emptySum, type MetricsSum } from '@palimpsest/core/trajectories';
import type { Tally } from '../work/task.ts';

/** The first line: what the run is. A run with another one cannot go on from here. */
export interface JournalStart {
  readonly type: 'run';
  readonly version: 1;
  /** Everything that the output depends on beside the inputs. */
  readonly options: Readonly<Record<string, string>>;
  /** True where outputs that were there before are replaced. */
  readonly force: boolean;
  readonly inputs: readonly InputIdentity[];
}

/** Tells whether a file is still the one that was read. */
export interface InputIdentity {
  readonly name: string;
  readonly output: string;
  /** Undefined for standard input. */
  readonly size?: number;
  readonly modifiedMs?: number;
  /** A hash of its first bytes. */
  readonly head?: string;
}

/** How far a file is. */
export interface FileState {
  /** Its place in the list of inputs. */
  readonly file: number;
  /** How far it is read, in unpacked bytes. */
  readonly offset: number;
  /** Records before that, with those that are no records. */
  readonly records: number;
  readonly outputBytes: number;
  /** Bytes of the list of broken records, of all files. */
  readonly brokenBytes: number;
  readonly counts: FileCounts;
  readonly sum: MetricsSum;
  /** Of a run that does not compress. */
  readonly tally?: Tally;
}

/** What was counted in a file. */
export interface FileCounts {
  readonly read: number;
  readonly written: number;
  readonly dropped: number;
  readonly broken: number;
}

export const noCounts: FileCounts = { read: 0, written: 0, dropped: 0, broken: 0 };

/** Where a file begins. */
export const fileStart = (file: number, brokenBytes: number): FileState => ({
  file,
  offset: 0,
  records: 0,
  outputBytes: 0,
  brokenBytes,
  counts: noCounts,
  sum: emptySum,
});

export type JournalLine =
  | JournalStart
  | ({ readonly type: 'point' } & FileState)
  /** The whole file is on the disk, under its partial name or its own. */
  | ({ readonly type: 'done' } & FileState);

/** What a journal tells. */
export interface Journal {
  readonly start: JournalStart;
  /** The files that are done, in their order. */
  readonly done: readonly FileState[];
  /** The newest point of the file that is not. */
  readonly point: FileState | undefined;
  /** Bytes of the journal that can be read. */
  readonly bytes: number;
}

/** What stands in a journal; undefined where not even its first line is whole. */
export function readJournal(text: string): Journal | undefined {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  let start: JournalStart | undefined;
  let point: FileState | undefined;
  const done: FileState[] = [];
  let bytes = 0;
  for (const written of whole.split('\n').slice(0, -1)) {
    const line = lineOf(written);
    // What follows a damaged line is not trusted.
    if (!line) break;
    bytes += Buffer.byteLength(written) + 1;
    if (line.type === 'run') start ??= line;
    else if (line.type === 'point') point = stateOf(line);
    else {
      done.push(stateOf(line));
      point = undefined;
    }
  }
  return start && { start, done, point, bytes };
}

const stateOf = ({ type: _, ...state }: { readonly type: string } & FileState): FileState => state;

function lineOf(text: string): JournalLine | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const isOne = value.type === 'run' ? value.version === 1 : value.type === 'point' || value.type === 'done';
  // Only we write it, and a line is read whole or not at all.
  return isOne ? (value as unknown as JournalLine) : undefined;
}
