/** Calls that hang: ended once their provider has said nothing for too long. */

import { PalimpsestError } from '../shared/errors.ts';
import { quietTimers } from '../shared/timers.ts';
import type { CallOptions, Model } from './interface.ts';

/** How long a provider may say nothing, in milliseconds; 0 for ever. */
export interface CallTimeouts {
  /** To the first byte of an answer, after which the call is ended with `CALL_TIMEOUT`. @default 120000 for a stream, 600000 for an answer that comes whole */
  readonly firstByteMs: number;
  /** That a stream may fall silent for; one that speaks may go on for ever. @default 300000 */
  readonly silenceMs: number;
}

/** For a stream. Codex gives a silent one five minutes as well. */
export const streamLimits: CallTimeouts = { firstByteMs: 120_000, silenceMs: 300_000 };
/** An answer that comes whole says nothing before its end: ten minutes, as the SDKs of OpenAI and Anthropic. */
export const wholeLimits: CallTimeouts = { firstByteMs: 600_000, silenceMs: 0 };

/** The longest that timers of the platform wait. */
export const longestTimeoutMs = 2_147_483_647;

/** A call whose provider is listened to. */
export interface Listening {
  /** The call, which ends when its caller gives up or its provider has been silent for too long. */
  readonly call: CallOptions;
  /** What the provider does next; CALL_TIMEOUT when it takes too long over it. One at a time. */
  next<T>(work: PromiseLike<T>): Promise<T>;
  /** The first byte has come: from now on every wait has a time of its own. */
  heard(): void;
  /** Nobody listens any more. */
  stop(): void;
}

/** Begins to listen; the time to the first byte runs from now on. */
export function listen(
  model: Pick<Model, 'provider' | 'modelId'>,
  options: CallOptions,
  limits: CallTimeouts,
): Listening {
  const { abortSignal: caller } = options;
  const controller = new AbortController();
  const left = (): void => controller.abort(caller?.reason);
  if (caller?.aborted) left();
  caller?.addEventListener('abort', left, { once: true });
  let isHeard = false;
  let error: PalimpsestError | undefined;
  let fail: (reason: unknown) => void = ignore;
  const arm = (limit: keyof CallTimeouts): (() => void) => {
    const ms = limits[limit];
    if (ms === 0) return ignore;
    return quietTimers.after(ms, () => {
      error = tooSilent(`${model.provider}/${model.modelId}`, limit, ms);
      // Who waits hears it from here, and not from what a model makes of it.
      fail(error);
      controller.abort(error);
    });
  };
  let disarm = arm('firstByteMs');
  return {
    call: { ...options, abortSignal: controller.signal },
    next: (work) =>
      new Promise((resolve, reject) => {
        if (isHeard) disarm = arm('silenceMs');
        fail = reject;
        if (error) reject(error);
        Promise.resolve(work)
          .finally(() => (isHeard ? disarm() : undefined))
          .then(resolve, reject);
      }),
    heard() {
      if (!isHeard) disarm();
      isHeard = true;
    },
    stop() {
      disarm();
      caller?.removeEventListener('abort', left);
    },
  };
}

function tooSilent(model: string, limit: keyof CallTimeouts, ms: number): PalimpsestError {
  const evidence = { model, limit, ms };
  const message =
    limit === 'firstByteMs'
      ? `${model} sent nothing for ${ms / 1_000} s, so the call was stopped: try again, or choose another model. If it is only slow to start, raise timeouts.firstByteMs (0: no limit).`
      : `${model} stopped sending in the middle of its answer for ${ms / 1_000} s, so the call was stopped: try again, or choose another model. What it had sent is kept. If it only pauses, raise timeouts.silenceMs (0: no limit).`;
  return new PalimpsestError('CALL_TIMEOUT', message, { evidence });
}

/** True for the error of a call that was ended for its silence. */
export const isTooSilent = (error: unknown): error is PalimpsestError =>
  PalimpsestError.isInstance(error) && error.code === 'CALL_TIMEOUT';

function ignore(): void {
  // Nothing is waited for.
}
