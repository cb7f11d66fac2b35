/**
 * Leaves a model alone that fails to write summaries: for longer after each failure in a row, in every process. Meanwhile a conversation
 * that fits is sent as it is, and the ledger writes where it does not.
 */
import type { CompressionResult } from '../compression/result.ts';
import type { LiveConversation, Runtime } from './live.ts';
import type { ModelWait } from './state.ts';

type Asking = { readonly runtime: Runtime; readonly live: LiveConversation };

/** Milliseconds that the model is left alone from now on; 0 where it may be asked. After a jump of the clock never more than the wait was. */
export function modelRest({ runtime, live }: Asking): number {
  const { modelWait } = live.state;
  if (modelWait === null) return 0;
  return Math.max(0, Math.min(modelWait.until - runtime.settings.now(), modelWait.until - modelWait.since));
}

/** Counts what became of a pass: a failure of the model, or a summary of it. */
export function noteModel({ runtime, live }: Asking, result: CompressionResult | undefined): void {
  const { failureWaits, now } = runtime.settings;
  if (failureWaits === undefined || !result) return;
  if (result.failure) live.state = { ...live.state, modelWait: after(live.state.modelWait, failureWaits, now()) };
  else if (result.summary?.model !== undefined) live.state = { ...live.state, modelWait: null };
}

function after(before: ModelWait | null, waits: readonly number[], since: number): ModelWait {
  const failures = (before?.failures ?? 0) + 1;
  const seconds = waits[Math.min(failures, waits.length) - 1] ?? 0;
  return { failures, since, until: since + seconds * 1_000 };
}

/** Why nothing happens to a context over its threshold; undefined where the model may be asked. */
export function restAdvice(asking: Asking): string | undefined {
  const seconds = Math.ceil(modelRest(asking) / 1_000);
  if (seconds === 0) return undefined;
  const { failures = 0 } = asking.live.state.modelWait ?? {};
  const times = failures === 1 ? 'failed' : `failed ${failures} times in a row`;
  return `Automatic compression waits ${seconds} s because the model that writes the summaries ${times}. What does not fit is compressed from extracted facts.`;
}
