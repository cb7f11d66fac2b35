/** A tool of a program's own engine, as a model calls it: whatever the engine does, the model gets an answer. */

import { frozenCopy } from '../compression/guard/copies.ts';
import { reasonOf } from '../compression/guard/guarded.ts';
import { inTime } from '../compression/guard/in-time.ts';
import type { ContextEngine } from '../context/engine.ts';
import { isJsonObject } from '../shared/json.ts';
import { platformTimers } from '../shared/timers.ts';
import type { SessionId } from '../store/ids.ts';
import type { Store } from '../store/store.ts';
import type { Message } from '../transcript/message.ts';
import type { Door } from './door.ts';

/** A call of a tool of an engine. */
export interface EngineCall {
  readonly name: string;
  /** What the model sends. */
  readonly given: unknown;
  readonly door: Door;
  readonly store: Store;
  /** The session that calls; undefined where it cannot be told from others. */
  readonly sessionId: SessionId | undefined;
  readonly signal: AbortSignal | undefined;
}

/** As long as the guard of plugins gives them. */
const timeoutMs = 120_000;

/**
 * The answer of the engine of the conversation that calls, which is shown its context as it is kept; an error in JSON where there
 * is none. Throws the signal's reason.
 */
export async function engineAnswer(call: EngineCall): Promise<string> {
  const { name, given, store, sessionId } = call;
  if (sessionId === undefined) return failure(`It is not known which conversation calls ${name}.`);
  if (!isJsonObject(given)) return failure(`${name} takes an object of arguments.`);
  const chain = (await store.sessions.chain(sessionId)).map(({ id }) => id);
  const engine = call.door.engines.find(chain);
  if (!engine) return failure(`The conversation was not open yet. Call ${name} again.`);
  const view = await store.messages.view(chain.at(-1) ?? sessionId);
  const messages = view.map(({ message }) => message);
  return answerOf(engine, { ...call, work: () => engine.handleToolCall(name, frozenCopy(given), messages) });
}

interface Working extends EngineCall {
  readonly work: () => Promise<string>;
}

async function answerOf(engine: ContextEngine<Message>, { name, door, signal, work }: Working): Promise<string> {
  const { timers = platformTimers } = door.options;
  try {
    const answer: unknown = await inTime({ timers, timeoutMs, signal }, work);
    if (typeof answer === 'string') return answer;
    throw new Error('its answer is not a text');
  } catch (error) {
    signal?.throwIfAborted();
    const reason = reasonOf(error);
    const message = `The context engine "${engine.name}" failed in its tool ${name} (${reason}); the model got the error.`;
    door.notify({ type: 'hook', level: 'warn', message });
    return failure(`The tool "${name}" failed: ${reason}.`);
  }
}

const failure = (error: string): string => JSON.stringify({ error });
