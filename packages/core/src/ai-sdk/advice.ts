/** What a person can do about an error of a provider, carried by the error itself. */
import type { Door } from './door.ts';

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
