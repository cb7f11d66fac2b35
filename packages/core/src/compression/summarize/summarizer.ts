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
  /** @throws SummarizerError for everything that keeps it from answering; the signal's reason when it is aborted */
  write(call: SummaryCall): Promise<SummaryReply>;
}

/** How long a call may take where the summarizer does not say: ten minutes, as the SDKs of OpenAI and Anthropic. */
export const summaryTimeoutMs = 600_000;

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
