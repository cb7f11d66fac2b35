/** ★ One call of a wrapped model: prepared, sent as often as its failures ask for, and settled. */
import type { ModelMessage } from 'ai';
import type { ConversationRuntime } from '../conversation/conversations.ts';
import type { CallOutcome, NextStep, PreparedContext } from '../conversation/request.ts';
import { streamPart } from '../provider/ai-sdk-model.ts';
import { defined } from '../shared/defined.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { JsonValue } from '../shared/json.ts';
import { pause } from '../shared/timers.ts';
import type { SessionId } from '../store/ids.ts';
import type { Message } from '../transcript/message.ts';
import type { Usage } from '../usage/normalise.ts';
import { admitted } from './admitted.ts';
import type { Door } from './door.ts';
import type { CallOptions, GenerateResult, Prompt } from './interface.ts';
import { ownOptions } from './options.ts';
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

/** How a call is sent. */
export interface Sending<T> {
  readonly send: (options: CallOptions) => PromiseLike<T>;
  readonly isStreamed: boolean;
}

/**
 * Sends a call until it is answered or nothing is left to try. Throws the provider's error with our advice on it, and
 * CONTEXT_OVERFLOW for what cannot fit; a failure of our own is told, and the call sent as the program made it.
 */
export async function answered<T>(
  door: Door,
  options: CallOptions,
  { send, isStreamed }: Sending<T>,
): Promise<Answered<T>> {
  const begun = await begin(door, options);
  if (!begun) return { answer: await send(ownOptions(options).plain), settling: undefined };
  for (let { prepared } = begun; ; ) {
    const { abortSignal: signal } = options;
    const ended = { runtime: begun.runtime, prepared, signal };
    const { sessionId } = prepared;
    let sent: CallOptions | undefined;
    const settle: Settling['settle'] = (outcome) => {
      if (outcome.type === 'answered' && sent) door.keepSent(sessionId, { options: sent, isStreamed });
      return settled(door, ended, outcome);
    };
    const settling: Settling = { prepared, asked: begun.asked, settle };
    try {
      sent = sentOptions(door, options, { ...begun, prepared });
      return { answer: await send(sent), settling };
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
      await pause(next.waitMs, { timers: door.clock.timers, signal });
      prepared = next.prepared;
    }
  }
}

/** See `keep` of `@palimpsest/core/ai-sdk`. */
export async function keepSaid(
  door: Door,
  { messages, sessionId }: { readonly messages: readonly ModelMessage[]; readonly sessionId: SessionId },
): Promise<SessionId> {
  // The same parts with the same names: what is large becomes what it would become on its way to a model.
  const prompt = messages as Prompt;
  const said = await admitted(door, prompt, messagesOf(prompt));
  return (await door.conversations()).keep({ messages: said, sessionId });
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
      ...ownOptions(options).own,
      ...defined({ maxTokens, signal }),
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

// What a person can do about an error of a provider, carried by the error itself.

const advice = Symbol.for('palimpsest.advice');

/**
 * What a person can do about an error that a wrapped model threw, where something is known: its window is full, its key is
 * wrong, the account has no credit. Looks through the errors that the SDK puts around it, or makes of it.
 */
export function adviceFor(error: unknown): string | undefined {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 10; depth++) {
    const text: unknown = Reflect.get(at, advice);
    if (typeof text === 'string') return text;
    at = Reflect.get(at, 'lastError') ?? Reflect.get(at, 'cause') ?? Reflect.get(at, 'data');
  }
  return undefined;
}

/** The very error, with the advice on it: the SDK and programs look at its class, its status and its body. */
export function adviseOn(door: Door, error: unknown, text: string): unknown {
  if (typeof error === 'object' && error !== null) {
    put(error, text);
    // Of an error in a stream that is a plain object the SDK makes another one, around the data of it.
    const data: unknown = Reflect.get(error, 'data');
    if (typeof data === 'object' && data !== null) put(data, text);
  }
  door.notify({ type: 'gave_up', level: 'warn', message: text, error });
  return error;
}

/** What is frozen stays without it; the notice has it too. */
function put(error: object, text: string): void {
  Reflect.defineProperty(error, advice, { value: text, configurable: true });
}

// What an answer says about the tokens that it took, and what we say of the call beside it.

type Ending = Pick<GenerateResult, 'usage' | 'providerMetadata'>;

/** The usage that a provider reported; undefined where it reported none. */
export function usageOf({ usage, providerMetadata }: Ending): Usage | undefined {
  const part = streamPart({ type: 'finish', usage, providerMetadata });
  return part.type === 'finish' ? part.usage : undefined;
}

/** What a call tells of its context, under `providerMetadata.palimpsest` of its answer. */
export interface CallReport {
  /** The session that the call belongs to. */
  readonly sessionId: string;
  /** Tokens of the context, as they were reckoned before the call. */
  readonly contextTokens: number;
  /** True when everything that the program sent went to the model, with recalled and remembered text or without. */
  readonly isWhole: boolean;
}

/** The end of an answer with our report beside what the provider says. */
export function withReport<E extends Ending>(
  ending: E,
  { sessionId, size, isWhole, recalled, memory }: PreparedContext,
): E {
  const palimpsest = {
    sessionId,
    contextTokens: size.tokens,
    isWhole: isWhole || recalled !== undefined || memory !== undefined,
  };
  return { ...ending, providerMetadata: { ...ending.providerMetadata, palimpsest } };
}
