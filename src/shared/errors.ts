/** Stable names of what can go wrong. A code never changes its meaning; `docs/reference/errors.md` lists them. */
export type ErrorCode =
  | 'BAD_CONFIG'
  | 'BAD_ENCODING'
  | 'BAD_MESSAGES'
  | 'BAD_OPTION'
  | 'CONTEXT_OVERFLOW'
  | 'FILE_UNREADABLE'
  | 'FORMAT_UNKNOWN'
  | 'FORMAT_UNSUPPORTED'
  | 'ID_AMBIGUOUS'
  | 'ID_UNKNOWN'
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
