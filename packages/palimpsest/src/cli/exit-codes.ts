/** What the process tells its caller by its exit code. */
import { type ErrorCode, PalimpsestError } from '@palimpsest/core/settings';

export const exitCodes = {
  fine: 0,
  /** The command ran and found what it is there to report. */
  finding: 1,
  /** Wrong options, arguments or configuration. */
  usage: 2,
  /** A file cannot be read or written, or is not what it should be. */
  input: 3,
  /** An error in Palimpsest itself. */
  internal: 4,
  /** The model that should write the summary could not, and nothing was changed. */
  model: 5,
  /** Ctrl-C: 128 + SIGINT, as shells count it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export const exitCodeHelp: readonly (readonly [ExitCode, string])[] = [
  [0, 'done'],
  [1, 'a finding: a refused compression, a claim that does not hold, no match'],
  [2, 'wrong options, arguments or configuration'],
  [3, 'a file cannot be read or written, or is broken'],
  [4, 'an error in Palimpsest itself'],
  [5, 'the model gave no answer or no usable summary; nothing was changed'],
  [130, 'interrupted with Ctrl-C; nothing is left half-written'],
];

const byError: Readonly<Record<ErrorCode, ExitCode>> = {
  BAD_CONFIG: 2,
  BAD_ENCODING: 2,
  BAD_MESSAGES: 3,
  BAD_OPTION: 2,
  BAD_PLUGIN: 3,
  BODY_BROKEN: 3,
  BODY_UNFIT: 3,
  CALL_TIMEOUT: 5,
  CONTEXT_OVERFLOW: 1,
  COST_CAP: 5,
  FILE_UNREADABLE: 3,
  FORMAT_UNKNOWN: 3,
  FORMAT_UNSUPPORTED: 2,
  ID_AMBIGUOUS: 2,
  ID_UNKNOWN: 2,
  INTERRUPTED: 130,
  MEMORY_BUSY: 3,
  NO_MODEL: 2,
  QUEUE_UNREACHABLE: 3,
  STORE_BUSY: 3,
  STORE_CLOSED: 4,
  STORE_CONFLICT: 3,
  STORE_DAMAGED: 3,
  STORE_ENGINE: 3,
  STORE_FOREIGN: 3,
  STORE_FULL: 3,
  STORE_NEWER: 3,
  STORE_READ_ONLY: 3,
  STORE_REPLACED: 3,
  STORE_UNREADABLE: 3,
  SUMMARY_FAILED: 5,
  SUMMARY_TOO_LONG: 3,
  TRAJECTORY_BROKEN: 3,
  TRANSCRIPT_BROKEN: 3,
};

/** The exit code for an error; whatever is not one of ours is an error in the program. */
export const exitCodeOf = (error: unknown): ExitCode =>
  PalimpsestError.isInstance(error) ? byError[error.code] : exitCodes.internal;
