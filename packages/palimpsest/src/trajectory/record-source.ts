/** Records that come from somewhere else than from files. */
import type { Bytes } from './read/unpack.ts';

/** Records that are made while they are read: the same ones, in the same order, each time. */
export interface RecordSource {
  /** What reports and a file in a folder call it. */
  readonly name: string;
  /** Everything that its records depend on: a run goes on with the same one only. */
  readonly identity: Readonly<Record<string, string>>;
  /** The records, one a line. */
  readonly bytes: Bytes;
}
