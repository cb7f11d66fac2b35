/** Which failures of a model are worth another try, and which end a run: with what to do about them. */
import { PalimpsestError, type SummarizerError } from '@palimpsest/core';

/** Failures of the key, the account, the model or the address: they are the same for every record. */
const hopeless: ReadonlySet<string> = new Set(['auth', 'quota', 'no_provider']);

/** A provider that asks to wait longer, in seconds, is not waited for: the run can go on another day. */
const longestPauseSeconds = 600;

/** True for a failure that every other call would have as well. */
export function isHopeless({ kind, evidence: { retryable, retryAfterSeconds } }: SummarizerError): boolean {
  if (hopeless.has(kind) || (kind === 'network' && retryable === false)) return true;
  return typeof retryAfterSeconds === 'number' && retryAfterSeconds > longestPauseSeconds;
}

/** Failures without a word of the provider that may pass. */
const passing: ReadonlySet<string> = new Set(['timeout', 'bad_output', 'server_error', 'network', 'rate_limit']);

/** True for a failure that may be none the next time, as the rules for failures of providers say. */
export const isWorthRetrying = ({ kind, evidence: { retryable } }: SummarizerError): boolean =>
  typeof retryable === 'boolean' ? retryable : passing.has(kind);

/** True where the server has too much to do: then all calls wait. */
export const turnsAway = ({ kind, evidence: { status } }: SummarizerError): boolean =>
  kind === 'rate_limit' || status === 503 || status === 529;

const goOn = 'Everything until then is kept beside the output; go on with --resume';

/** A failure that ends the run. */
export const stoppedBy = (error: SummarizerError): PalimpsestError => stop(`${error.message} ${goOn}.`, error);

/** Nothing has worked for a while. */
export const givenUp = (error: SummarizerError, failures: number): PalimpsestError =>
  stop(`the last ${failures} summaries could not be had: ${error.message} ${goOn}.`, error);

const stop = (message: string, { evidence }: SummarizerError): PalimpsestError =>
  new PalimpsestError('SUMMARY_FAILED', message, { evidence });

/** No more may be spent. */
export const capReached = (maxCost: number): PalimpsestError =>
  new PalimpsestError(
    'COST_CAP',
    `the next summary would cost more than the cap allows ($${maxCost}, --max-cost). ${goOn} and a higher cap, or with --on-cap ledger to write the rest without a model.`,
    { evidence: { maxCost } },
  );

/** What went wrong beside the model. */
export const runFailure = (error: unknown): PalimpsestError => {
  if (PalimpsestError.isInstance(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new PalimpsestError('SUMMARY_FAILED', message, { cause: error });
};
