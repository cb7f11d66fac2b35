/** What a person can do about an error of a provider, carried by the error itself. */
import type { Door } from './door.ts';

const advice = Symbol.for('palimpsest.advice');

/**
 * What a person can do about an error that a wrapped model threw, where something is known: its window is full, its key is
 * wrong, the account has no credit. Looks through the errors that the SDK puts around it.
 */
export function adviceFor(error: unknown): string | undefined {
  for (let at = error, depth = 0; typeof at === 'object' && at !== null && depth < 10; depth++) {
    const text: unknown = Reflect.get(at, advice);
    if (typeof text === 'string') return text;
    at = Reflect.get(at, 'lastError') ?? Reflect.get(at, 'cause');
  }
  return undefined;
}

/** The very error, with the advice on it: the SDK and programs look at its class, its status and its body. */
export function adviseOn(door: Door, error: unknown, text: string): unknown {
  if (typeof error === 'object' && error !== null) {
    // A frozen error stays without it; the notice has it too.
    Reflect.defineProperty(error, advice, { value: text, configurable: true });
  }
  door.notify({ type: 'gave_up', level: 'warn', message: text, error });
  return error;
}
