/**
 * The port to the model that writes summaries. The core knows nothing else of models: an adapter over the AI SDK lies
 * in `provider/`, and tests bring their own.
 */
import { type Evidence, PalimpsestError } from '../../shared/errors.ts';
import type { FailureKind } from '../policy/state.ts';

/** One call of the model. */
export interface SummaryCall {
  /** What the model is and what it must not do: the same text for every call of a conversation. */
  readonly system: string;
  readonly prompt: string;
  /** Asked of the model where it takes one. @default the model's own */
  readonly temperature?: number;
  readonly signal?: AbortSignal;
  /** Told every piece of the answer as it arrives, so that a person sees that work goes on. */
  readonly onText?: (text: string) => void;
}

/** Tokens that the provider reported for one call; a member it did not report is absent, which is not zero. */
export interface SummaryUsage {
  /** Without what came from the cache or went into it. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens?: number;
}

/** What came back from one call. */
export interface SummaryReply {
  /** What the model wrote, without its reasoning; may be empty, which the caller judges. */
  readonly text: string;
  /** What it thought, where the provider shows it. */
  readonly reasoning?: string;
  /** Why it stopped: by itself, at a limit of length, because it refused, or for a reason we have no name for. */
  readonly finish: 'stop' | 'length' | 'refusal' | 'other';
  readonly usage?: SummaryUsage;
}

/** A model that writes summaries. */
export interface Summarizer {
  /** `provider/model`, as people and reports name it. */
  readonly name: string;
  /** Its window in tokens; undefined when nobody knows it. */
  readonly contextLength?: number;
  /**
   * Milliseconds that one call may take; then `signal` of the call is aborted, nobody waits for it any longer, and it counts
   * as a failure of the model. 0 for no limit. @default 600000
   */
  readonly timeoutMs?: number;
  /** Asked once, for the whole job, when this one fails. @default nobody: the ledger writes alone */
  readonly fallback?: Summarizer;
  /** @throws SummarizerError for everything that keeps it from answering; the signal's reason when it is aborted */
  write(call: SummaryCall): Promise<SummaryReply>;
}

/** How long a call may take where the summarizer does not say: ten minutes, as the SDKs of OpenAI and Anthropic. */
const summaryTimeoutMs = 600_000;

/** The longest that timers of the platform wait. */
export const longestSummaryTimeoutMs = 2_147_483_647;

/**
 * A model could not write a summary. `kind` decides what the policy does next; `evidence.overflow` says that the prompt
 * was longer than the model's window, so that less of it may help.
 */
export class SummarizerError extends PalimpsestError {
  readonly kind: FailureKind;
  /** `provider/model`. */
  readonly model: string;

  constructor(
    kind: FailureKind,
    message: string,
    { model, cause, evidence }: { model: string; cause?: unknown; evidence?: Evidence },
  ) {
    super('SUMMARY_FAILED', message, { evidence: { ...evidence, kind, model }, cause });
    this.name = 'SummarizerError';
    this.kind = kind;
    this.model = model;
  }
}

// Calls that run beside each other: at most so many at once, none left behind when one fails or somebody stops them.

/** How many calls run at once, and what stops them. */
export interface Bounds {
  readonly maxParallel: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The results in the order of the inputs. When one call fails, no further one is started, the others are aborted, and
 * that failure is thrown; an abort from outside rejects at once with the signal's reason, whatever the calls do with it.
 */
export async function mapBounded<T, R>(
  inputs: readonly T[],
  { maxParallel, signal }: Bounds,
  run: (input: T, at: number, signal: AbortSignal) => Promise<R>,
): Promise<readonly R[]> {
  const siblings = new AbortController();
  const stop = signal ? AbortSignal.any([signal, siblings.signal]) : siblings.signal;
  const results: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < inputs.length && !stop.aborted; at = next++) {
      const input = inputs[at];
      if (input !== undefined) results[at] = await run(input, at, stop);
    }
  };
  const workers = Array.from({ length: Math.min(maxParallel, inputs.length) }, work);
  try {
    await untilAborted(Promise.all(workers), signal);
  } catch (error) {
    siblings.abort(error);
    throw error;
  }
  return results;
}

/** The result of some work, or the signal's reason as soon as it is aborted; the work is then left to end by itself. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    // Handled also when nobody waits any more: a late failure is no unhandled rejection.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

// One call of a summarizer, which may take its time and no longer: a function of a user's own may never end.

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

// Windows of models that write summaries, as they turned out: a model that has refused a prompt as too long is not
// sent one of that length again, by whatever conversation asks it next. Held while the process runs.

/** A window that was learnt from a refusal. */
export interface LearntWindow {
  readonly tokens: number;
  /** True where the model named it; otherwise it is a guess below what was refused. */
  readonly isNamed: boolean;
}

const windows = new WeakMap<Summarizer, LearntWindow>();

/** What a refusal has told of the model; undefined where none has, or its own window is smaller. */
export function learntWindow(summarizer: Summarizer): LearntWindow | undefined {
  const learnt = windows.get(summarizer);
  return learnt && learnt.tokens < (summarizer.contextLength ?? Number.POSITIVE_INFINITY) ? learnt : undefined;
}

/** No model that writes summaries has a smaller window: a guess below it came from a refusal for another reason. */
const leastGuess = 1_000;

/** Only ever downwards: a model does not grow because an error names a number. */
export function learnWindow(summarizer: Summarizer, window: LearntWindow): void {
  if (!window.isNamed && window.tokens < leastGuess) return;
  if (window.tokens < (windows.get(summarizer)?.tokens ?? Number.POSITIVE_INFINITY)) windows.set(summarizer, window);
}

/** A guess that leaves no room for anything is none. */
export function forgetWindow(summarizer: Summarizer): void {
  windows.delete(summarizer);
}

/** True where a prompt was longer than the model's window. */
export const isOverflow = (error: unknown): error is SummarizerError =>
  error instanceof SummarizerError && error.evidence.overflow === true;

/** The window that a refusal names; undefined where it names none. */
export function namedWindow({ evidence: { contextLength } }: SummarizerError): number | undefined {
  return typeof contextLength === 'number' && contextLength > 0 ? contextLength : undefined;
}
