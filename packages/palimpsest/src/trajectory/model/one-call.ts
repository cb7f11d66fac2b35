/** One call of a model for a summary: what came of it, and what it used. */
import { PalimpsestError, type Summarizer, SummarizerError } from '@palimpsest/core';
import { inModelCall } from '@palimpsest/core/tracing';
import { promptTokensOf } from '@palimpsest/core/usage';
import type { CallClock } from './call-gate.ts';
import { costOf, type ModelTotals, type Pricing, usageOf } from './spending.ts';
import { type SummaryPrompt, summaryIn } from './summary-prompt.ts';

/** What came of a call. */
export interface CallOutcome {
  readonly result: { readonly type: 'text'; readonly text: string } | CallFailure;
  readonly used: Partial<ModelTotals>;
}

/** Why there is no summary. */
export interface CallFailure {
  readonly type: 'failed';
  readonly error: SummarizerError;
}

/** How a call is made. */
export interface CallOptions {
  readonly pricing: Pricing;
  readonly temperature: number | undefined;
  readonly withinMs: number;
  readonly clock: CallClock;
  /** Ends every call. */
  readonly closing: AbortSignal;
}

/** Calls the model once. Rejects only when the run is closed. */
export async function callModel(
  summarizer: Summarizer,
  { system, prompt }: SummaryPrompt,
  { pricing, temperature, withinMs, clock, closing }: CallOptions,
): Promise<CallOutcome> {
  const model = summarizer.name;
  const deadline = startDeadline(withinMs, { clock, closing });
  try {
    const settings = { signal: deadline.signal, ...(temperature === undefined ? {} : { temperature }) };
    const reply = await inModelCall(summarizer.name, 'summary', () =>
      summarizer.write({ system, prompt, ...settings }),
    );
    const { usage, isReported } = usageOf(reply.usage, { prompt: system + prompt, answer: reply.text });
    const used: Partial<ModelTotals> = {
      calls: 1,
      inputTokens: promptTokensOf(usage) ?? 0,
      outputTokens: usage.outputTokens ?? 0,
      costUsd: costOf(pricing, usage) ?? 0,
      unreported: isReported ? 0 : 1,
    };
    return { result: resultOf(() => summaryIn(reply, model), model), used };
  } catch (error) {
    closing.throwIfAborted();
    const message = `${model} did not answer within the time of a trajectory (processing.per_trajectory_timeout).`;
    const late = deadline.isOver() ? new SummarizerError('timeout', message, { model }) : undefined;
    return { result: { type: 'failed', error: late ?? failureOf(error, model) }, used: { calls: 1 } };
  } finally {
    deadline.end();
  }
}

function resultOf(read: () => string, model: string): CallOutcome['result'] {
  try {
    return { type: 'text', text: read() };
  } catch (error) {
    return { type: 'failed', error: failureOf(error, model) };
  }
}

function failureOf(error: unknown, model: string): SummarizerError {
  if (error instanceof SummarizerError) return error;
  const what = PalimpsestError.isInstance(error) || error instanceof Error ? error.message : String(error);
  return new SummarizerError('other', `${model} could not be asked: ${what}`, {
    model,
    evidence: { retryable: false },
  });
}

interface Deadline {
  readonly signal: AbortSignal;
  readonly isOver: () => boolean;
  readonly end: () => void;
}

function startDeadline(
  ms: number,
  { clock, closing }: { readonly clock: CallClock; readonly closing: AbortSignal },
): Deadline {
  const [late, done] = [new AbortController(), new AbortController()];
  void clock.wait(ms, done.signal).then(
    () => late.abort(new Error('too late')),
    () => undefined,
  );
  return {
    signal: AbortSignal.any([late.signal, closing]),
    isOver: () => late.signal.aborted,
    end: () => done.abort(),
  };
}
