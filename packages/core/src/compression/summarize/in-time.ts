/** One call of a summarizer, which may take its time and no longer: a function of a user's own may never end. */
import { PalimpsestError } from '../../shared/errors.ts';
import { untilAborted } from './bounded.ts';
import {
  longestSummaryTimeoutMs,
  type Summarizer,
  SummarizerError,
  type SummaryReply,
  summaryTimeoutMs,
} from './summarizer.ts';

/** The reply. @throws SummarizerError `timeout` where it takes too long; the reason of the caller who gives up */
export async function inTime(
  { name, timeoutMs = summaryTimeoutMs }: Summarizer,
  caller: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<SummaryReply>,
): Promise<SummaryReply> {
  const late = new AbortController();
  const signal = caller ? AbortSignal.any([caller, late.signal]) : late.signal;
  const end = (): void => late.abort(tooLate(name, timeoutMs));
  const timer = timeoutMs > 0 ? setTimeout(end, Math.min(timeoutMs, longestSummaryTimeoutMs)) : undefined;
  // Nobody's program is kept from its end by a call that it does not wait for.
  timer?.unref?.();
  try {
    // Also for one that does not listen to the signal.
    return await untilAborted(call(signal), signal);
  } finally {
    clearTimeout(timer);
  }
}

function tooLate(model: string, ms: number): SummarizerError {
  const message = `${model} was not done after ${ms / 1_000} s, and the call was ended: try again, or choose another model. If it needs longer, raise timeoutMs of the summarizer (0: no limit).`;
  const cause = new PalimpsestError('CALL_TIMEOUT', message, { evidence: { model, ms } });
  return new SummarizerError('timeout', message, { model, cause });
}
