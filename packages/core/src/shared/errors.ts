/** Stable names of what can go wrong. A code never changes its meaning; `docs/reference/errors.md` lists them. */
export type ErrorCode =
  /** A configuration file, variable or object has an unknown key or a value out of its range; all of them are listed. */
  | 'BAD_CONFIG'
  /** A token encoding that does not exist, or whose rank table is missing. */
  | 'BAD_ENCODING'
  /** The body of a request is no JSON, or reads in two ways: it can only be passed on as it came. */
  | 'BODY_BROKEN'
  /** With other messages in it, the body of a request would be refused by its provider: send the one that came. */
  | 'BODY_UNFIT'
  /** The messages given are not what the function takes, or no provider would accept them. */
  | 'BAD_MESSAGES'
  /** An option of a function or a command has a value that it cannot take. */
  | 'BAD_OPTION'
  /** A plugin has no valid manifest, was written for another version, or its module does not give what it should. */
  | 'BAD_PLUGIN'
  /** A provider was silent for too long, and the call was ended. */
  | 'CALL_TIMEOUT'
  /** What must stay in the context is larger than the window. */
  | 'CONTEXT_OVERFLOW'
  /** The next call of a model would cost more than a cap allows; it was not made. */
  | 'COST_CAP'
  /** A file does not exist, cannot be read, or cannot be written. */
  | 'FILE_UNREADABLE'
  /** The content is in no format we know, or a format was named that does not exist. */
  | 'FORMAT_UNKNOWN'
  /** The format is known but cannot be written. */
  | 'FORMAT_UNSUPPORTED'
  /** An id stands for several things. */
  | 'ID_AMBIGUOUS'
  /** An id stands for nothing; the message names the valid ones. */
  | 'ID_UNKNOWN'
  /** A person gave up with Ctrl-C; nothing was changed. */
  | 'INTERRUPTED'
  /** Another process kept the memory locked for too long, or kept changing its file; nothing was written. */
  | 'MEMORY_BUSY'
  /** There is no model to hold a conversation with: none is named, no key is set, or the one that was named cannot be used. */
  | 'NO_MODEL'
  /** The database of a queue cannot be reached, or refuses what it is asked for. */
  | 'QUEUE_UNREACHABLE'
  /** Another process kept the store locked for longer than the busy time; nothing was written. */
  | 'STORE_BUSY'
  /** The store was closed before the call. */
  | 'STORE_CLOSED'
  /** Somebody else was faster: the session has ended or grown, or the lease was lost; nothing was changed. */
  | 'STORE_CONFLICT'
  /** A page or a row of the store cannot be read; `palimpsest doctor` says what is whole. */
  | 'STORE_DAMAGED'
  /** This Node has no SQLite, or one that can damage a store that several processes write to. */
  | 'STORE_ENGINE'
  /** The file is no store of Palimpsest; it was not touched. */
  | 'STORE_FOREIGN'
  /** There is no room for the store to grow; nothing was written. */
  | 'STORE_FULL'
  /** A newer Palimpsest wrote the store; it was not touched. */
  | 'STORE_NEWER'
  /** The store was opened for reading, or its file or folder may only be read; nothing was written. */
  | 'STORE_READ_ONLY'
  /** The file of the store was moved, deleted, emptied, replaced or overwritten while it was open, or a log beside it belongs to another file; nothing was written to what is there now. */
  | 'STORE_REPLACED'
  /** The store cannot be opened, read or written, for a reason that lies with the file system. */
  | 'STORE_UNREADABLE'
  /** A model could not write a summary: no key, no answer, a refusal, or text that is no summary. */
  | 'SUMMARY_FAILED'
  /** A text is longer than any summary: it was not held against its conversation. */
  | 'SUMMARY_TOO_LONG'
  /** A line of training data is no record with a list of turns. */
  | 'TRAJECTORY_BROKEN'
  /** The content is said to be in a format, and no message could be read from it. */
  | 'TRANSCRIPT_BROKEN';

/** What an error knows about its case: short values only, never a secret or a whole transcript. */
export type Evidence = Readonly<Record<string, string | number | boolean | undefined>>;

const marker = Symbol.for('palimpsest.error');

/**
 * The base of every error that Palimpsest throws. The message says what was expected, what came and what to do;
 * `code` is for programs.
 */
export class PalimpsestError extends Error {
  readonly code: ErrorCode;
  readonly evidence: Evidence;

  constructor(code: ErrorCode, message: string, options: { evidence?: Evidence; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PalimpsestError';
    this.code = code;
    this.evidence = options.evidence ?? {};
    Object.defineProperty(this, marker, { value: true });
  }

  /** True for an error of ours, also one that another installed copy of the package threw. */
  static isInstance(error: unknown): error is PalimpsestError {
    return typeof error === 'object' && error !== null && marker in error;
  }
}
