/** What a person can do about an error of a provider, carried by the error itself. */

import type { PreparedContext } from '../conversation/request.ts';
import { streamPart } from '../provider/ai-sdk-model.ts';
import type { Usage } from '../usage/normalise.ts';
import type { Door } from './door.ts';
import type { GenerateResult } from './interface.ts';

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
  /** True when everything that the program sent went to the model, with recalled text or without. */
  readonly isWhole: boolean;
}

/** The end of an answer with our report beside what the provider says. */
export function withReport<E extends Ending>(ending: E, { sessionId, size, isWhole, carrier }: PreparedContext): E {
  const palimpsest = { sessionId, contextTokens: size.tokens, isWhole: isWhole || carrier !== undefined };
  return { ...ending, providerMetadata: { ...ending.providerMetadata, palimpsest } };
}
