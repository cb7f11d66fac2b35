/** ★ One call of a wrapped model: prepared, sent as often as its failures ask for, and settled. */
import type { ConversationRuntime } from '../conversation/conversations.ts';
import type { CallOutcome, NextStep, PreparedContext } from '../conversation/request.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { JsonValue } from '../shared/json.ts';
import { pause } from '../shared/timers.ts';
import type { Message } from '../transcript/message.ts';
import { admitted } from './admit.ts';
import { adviseOn } from './advice.ts';
import type { Door } from './door.ts';
import type { CallOptions } from './interface.ts';
import { ownOptions } from './own-options.ts';
import { messagesOf } from './prompt.ts';
import { type Begun, sentOptions } from './sent.ts';
import { isTooSilent } from './silence.ts';

/** A call whose answer is there, or begins to come. */
export interface Answered<T> {
  readonly answer: T;
  /** Undefined for a call that was sent as the program made it. */
  readonly settling: Settling | undefined;
}

/** What was sent, and where its outcome goes. */
export interface Settling {
  readonly prepared: PreparedContext;
  /** The prompt as it was read, message by message. */
  readonly asked: readonly Message[];
  /** Tells the runtime what became of it. Never throws: what fails here must not cost the answer. */
  settle(outcome: CallOutcome): Promise<NextStep | undefined>;
}

/**
 * Sends a call until it is answered or nothing is left to try. Throws the provider's error with our advice on it, and
 * CONTEXT_OVERFLOW for what cannot fit; a failure of our own is told, and the call sent as the program made it.
 */
export async function answered<T>(
  door: Door,
  options: CallOptions,
  send: (options: CallOptions) => PromiseLike<T>,
): Promise<Answered<T>> {
  const begun = await begin(door, options);
  if (!begun) return { answer: await send(ownOptions(options).plain), settling: undefined };
  for (let { prepared } = begun; ; ) {
    const { abortSignal: signal } = options;
    const ended = { runtime: begun.runtime, prepared, signal };
    const settling: Settling = { prepared, asked: begun.asked, settle: (outcome) => settled(door, ended, outcome) };
    try {
      return { answer: await send(sentOptions(door, options, { ...begun, prepared })), settling };
    } catch (error) {
      if (isTooSilent(error)) {
        await settling.settle({ type: 'aborted' });
        throw adviseOn(door, error, error.message);
      }
      const outcome = failureOf(error, options);
      const next = await settling.settle(outcome);
      // Nobody waited for the cure.
      if (outcome.type === 'failed') signal?.throwIfAborted();
      if (next?.type !== 'retry') throw next?.type === 'give_up' ? adviseOn(door, error, next.advice) : error;
      await pause(next.waitMs, { timers: door.options.timers, signal });
      prepared = next.prepared;
    }
  }
}

/** Undefined where the call is to be sent as it is. */
async function begin(door: Door, options: CallOptions): Promise<Begun | undefined> {
  const { prompt, tools = [], responseFormat, abortSignal: signal, maxOutputTokens: maxTokens } = options;
  // Nothing was said: there is no conversation yet.
  if (prompt.every(({ role }) => role === 'system')) return undefined;
  try {
    const came = messagesOf(prompt);
    const asked = await admitted(door, prompt, came);
    const runtime = await door.conversations();
    const schema = responseFormat?.type === 'json' ? responseFormat.schema : undefined;
    const prepared = await runtime.prepare({
      messages: asked,
      // Only their JSON is looked at, for its size.
      tools: [...tools, ...(schema ? [schema] : [])] as readonly unknown[] as readonly JsonValue[],
      ...(door.options.sessionId === undefined ? {} : { sessionId: door.options.sessionId }),
      ...ownOptions(options).own,
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { runtime, asked, isAsItCame: asked === came, prepared };
  } catch (error) {
    if (signal?.aborted || isForCaller(door, error)) throw error;
    const message = 'A call was sent unchanged, because Palimpsest failed: see the error.';
    door.notify({ type: 'bypassed', level: 'warn', message, error });
    return undefined;
  }
}

/** Mistakes of the program, and what cannot fit a window that is known. */
function isForCaller({ contextLength }: Door, error: unknown): boolean {
  if (isOverflow(error)) return contextLength !== undefined;
  if (!PalimpsestError.isInstance(error)) return false;
  return error.code === 'BAD_OPTION' || error.code === 'BAD_CONFIG' || error.code === 'ID_UNKNOWN';
}

const isOverflow = (error: unknown): error is PalimpsestError =>
  PalimpsestError.isInstance(error) && error.code === 'CONTEXT_OVERFLOW';

interface Ended {
  readonly runtime: ConversationRuntime;
  readonly prepared: PreparedContext;
  readonly signal: AbortSignal | undefined;
}

async function settled(
  door: Door,
  { runtime, prepared, signal }: Ended,
  outcome: CallOutcome,
): Promise<NextStep | undefined> {
  try {
    return await runtime.settle(prepared, outcome);
  } catch (error) {
    if (outcome.type === 'failed' && isOverflow(error))
      return { type: 'give_up', error: outcome.error, advice: error.message };
    if (signal?.aborted && error === signal.reason) return undefined;
    const message = 'The outcome of a call could not be kept: see the error.';
    door.notify({ type: 'bypassed', level: 'warn', message, error });
    return undefined;
  }
}

/** What a thrown error means. */
const failureOf = (error: unknown, { abortSignal }: CallOptions): CallOutcome =>
  abortSignal?.aborted ? { type: 'aborted' } : { type: 'failed', error };
