/** ★ Start here: a model of the AI SDK whose conversations stay inside its window. */

import type { LanguageModelMiddleware, ModelMessage } from 'ai';
import type { Summarizer } from '../compression/summarize/summarizer.ts';
import type { ConversationRuntime } from '../conversation/conversations.ts';
import { isAiSdkModel, knownVersions } from '../provider/ai-sdk-model.ts';
import { type AiSdkSummarizerOptions, aiSdkSummarizer } from '../provider/ai-sdk-summarizer.ts';
import type { TurnRecallReport } from '../recall/turn/options.ts';
import { defined } from '../shared/defined.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { Store } from '../store/store.ts';
import { answered, usageOf, withReport } from './call.ts';
import { type Door, openDoors } from './door.ts';
import type { AnyModel, CallOptions, GenerateResult, Model, StreamResult } from './interface.ts';
import { checkOptions, type DoorParts, type WithPalimpsestOptions } from './options.ts';
import { promptOf, replyOf } from './prompt.ts';
import { shownAnswer } from './shown.ts';
import { listen, streamLimits, wholeLimits } from './silence.ts';
import { noteCaller, type OpenedStream, openedStream, settledStream } from './stream.ts';

const known = new WeakMap<object, Door>();

/**
 * The model with its conversations kept, and compressed where they would not fit its window; for `generateText`, `streamText`
 * and agents. What is not compressed goes to the provider as the program made it. Wrap it around all other middleware, so that
 * it sees what the program will send again.
 *
 * Throws `BAD_OPTION` and `BAD_CONFIG` for options that make no sense and for what is no model object. Calls throw what the
 * provider throws when nothing is left to try (`adviceFor` says what a person can do), `CALL_TIMEOUT` for one
 * that is silent for too long, and `CONTEXT_OVERFLOW` when not even the newest request fits. Of our own errors they throw those only that are mistakes of the program: `BAD_OPTION`, and `ID_UNKNOWN`
 * for a session that does not exist.
 *
 * `await using` stops it at the end of its block, as `stop` does.
 */
export function withPalimpsest<M extends AnyModel>(model: M, options: WithPalimpsestOptions = {}): M & AsyncDisposable {
  return wrapModel(model, options);
}

/** The same for tests that need other parts. */
export function wrapModel<M extends AnyModel>(
  model: M,
  options: WithPalimpsestOptions,
  parts: DoorParts = {},
): M & AsyncDisposable {
  requireModel(model);
  checkOptions('withPalimpsest', options);
  // Older versions differ in parts that are handed through.
  const inner = model as AnyModel as Model;
  const door = openDoors(options, parts)(() => inner);
  const calls: Pick<Model, 'doGenerate' | 'doStream'> = {
    doGenerate: (call) => generate(door, inner, call),
    doStream: (call) => stream(door, inner, call),
  };
  // A proxy must not say otherwise of a member that cannot change.
  const face: M = Object.isFrozen(model) ? Object.create(model) : model;
  const wrapped = new Proxy(face, {
    get(_, name) {
      if (name === 'doGenerate' || name === 'doStream') return calls[name];
      if (name === Symbol.asyncDispose) return door.stop;
      const member: unknown = Reflect.get(model, name, model);
      // Methods of a class may use its private fields.
      return typeof member === 'function' && name !== 'constructor' ? member.bind(model) : member;
    },
  });
  known.set(wrapped, door);
  // The proxy has the member.
  return wrapped as M & AsyncDisposable;
}

/**
 * The same as middleware, for `wrapLanguageModel`; put it first in the list, where it is the outermost. It may stand before
 * several models, as in a registry: each keeps to its own window, and a conversation goes on from one to another. Throws `BAD_OPTION` and `BAD_CONFIG` for options that make no sense.
 */
export function palimpsestMiddleware(options: WithPalimpsestOptions = {}): LanguageModelMiddleware & AsyncDisposable {
  checkOptions('palimpsestMiddleware', options);
  const doors = openDoors(options);
  let smallest: Model | undefined;
  // What the tools give back goes to whichever model comes next.
  const all = doors(() => smallest);
  const doorTo = (model: Model): Door => {
    const door = doors(() => model);
    if (smallest === undefined || windowOf(door) < windowOf(all)) smallest = model;
    return door;
  };
  const middleware: LanguageModelMiddleware & AsyncDisposable = {
    specificationVersion: 'v4',
    [Symbol.asyncDispose]: all.stop,
    wrapGenerate: ({ model, params }) => generate(doorTo(model), model, params),
    wrapStream: ({ model, params }) => stream(doorTo(model), model, params),
  };
  known.set(middleware, all);
  return middleware;
}

/** One that nobody knows is no reason to keep answers small. */
const windowOf = ({ contextLength = Number.POSITIVE_INFINITY }: Door): number => contextLength;

/**
 * Ends what a wrapped model or middleware does beside its calls: gives up summaries in the background, waits until what broke off
 * is kept, and closes a store that was opened for it. To be called when no call is under way; the next call opens everything
 * anew. Throws `BAD_OPTION` for anything else, and what closing a store throws.
 */
export function stop(wrapped: AnyModel | LanguageModelMiddleware): Promise<void> {
  return doorFor(wrapped).stop();
}

/**
 * The store of a wrapped model or of middleware, opened if it was not yet. Throws `BAD_OPTION` for anything else, and what
 * `openStore` throws.
 */
export function storeOf(wrapped: AnyModel | LanguageModelMiddleware): Promise<Store> {
  return doorFor(wrapped).store();
}

/**
 * The runtime of a wrapped model, for what is not said with a call: compressing now, ending a conversation, who writes to the memory.
 * It is the one that serves the calls, and is stopped with `stop(model)`. Throws `BAD_OPTION` for anything else, and what
 * `openStore` throws.
 */
export function conversationsOf(wrapped: AnyModel | LanguageModelMiddleware): Promise<ConversationRuntime> {
  return doorFor(wrapped).conversations();
}

/**
 * Everything that was said in a conversation, for `messages` of a call that goes on with it, in this process or another one: the
 * newest request of the person goes behind it. System prompts are not part of it. An answer that broke off is not either, so that
 * the list may end with what the person said, or with tool calls that have no results: those need one before the next call.
 * Throws `ID_UNKNOWN` for a session that does not exist, and `BAD_OPTION` for a model that was not wrapped.
 */
export async function transcriptOf(
  wrapped: AnyModel | LanguageModelMiddleware,
  sessionId: string,
): Promise<ModelMessage[]> {
  const runtime = await doorFor(wrapped).conversations();
  // The SDK takes a prompt for messages: the same parts with the same names.
  return promptOf(await runtime.transcript(sessionId)) as ModelMessage[];
}

/**
 * Why something was recalled for the newest turn of a conversation, or was not; the id of its session stands in
 * `providerMetadata.palimpsest` of each answer. Undefined where nothing was looked for in this process. Throws `BAD_OPTION` for a
 * model that was not wrapped.
 */
export async function explainRecall(
  wrapped: AnyModel | LanguageModelMiddleware,
  sessionId: string,
): Promise<TurnRecallReport | undefined> {
  return (await doorFor(wrapped).conversations()).explainRecall(sessionId);
}

/** The door of what was wrapped here. Throws `BAD_OPTION` for anything else. */
export function doorFor(wrapped: AnyModel | LanguageModelMiddleware): Door {
  const door = known.get(wrapped);
  if (door) return door;
  throw new PalimpsestError(
    'BAD_OPTION',
    'expected a model that withPalimpsest wrapped, or its middleware, got another object',
  );
}

async function generate(door: Door, model: Model, options: CallOptions): Promise<GenerateResult> {
  const limits = { ...wholeLimits, ...defined(door.options.timeouts ?? {}) };
  const send = async (call: CallOptions): Promise<GenerateResult> => {
    const listening = listen(model, call, limits);
    try {
      return await listening.next(model.doGenerate(listening.call));
    } finally {
      listening.stop();
    }
  };
  const { answer, settling } = await answered(door, options, { send, isStreamed: false });
  if (!settling) return shownAnswer(answer);
  for (const part of answer.content) if (part.type === 'tool-call') noteCaller(door, part, { options, settling });
  await settling.settle({ type: 'answered', reply: replyOf(answer.content), usage: usageOf(answer) });
  return withReport(shownAnswer(answer), settling.prepared);
}

async function stream(door: Door, model: Model, options: CallOptions): Promise<StreamResult> {
  const limits = { ...streamLimits, ...defined(door.options.timeouts ?? {}) };
  const send = (call: CallOptions): Promise<OpenedStream> => {
    const listening = listen(model, call, limits);
    return openedStream(model.doStream(listening.call), listening);
  };
  const { answer, settling } = await answered(door, options, { send, isStreamed: true });
  return settledStream(answer, { door, options, settling });
}

function requireModel(model: unknown): void {
  if (isAiSdkModel(model) && knownVersions.includes(model.specificationVersion)) return;
  const came =
    typeof model === 'string'
      ? `the text "${model.slice(0, 60)}": give the model object, such as gateway("…")`
      : 'none';
  throw new PalimpsestError(
    'BAD_OPTION',
    `expected a language model of the AI SDK (interface v2, v3 or v4), got ${came}`,
  );
}

// Any language model of the AI SDK as the model that writes summaries.

/**
 * A summariser for `summarizer`, and for the `fallback` of another one: every summary it writes is checked against the record. Give it a model
 * that was not wrapped. Throws `BAD_OPTION` for what is no model object.
 */
export const summarize = (model: AnyModel, options?: AiSdkSummarizerOptions): Summarizer =>
  aiSdkSummarizer(model, options);
