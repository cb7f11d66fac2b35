/**
 * A store that fails at one of its calls, before the call is done or behind it: what a crash at that instant leaves, or a
 * disk that was full for a moment.
 */
import type { Store } from '../../src/index.ts';

export interface Fault {
  /** The call that fails, from 0. */
  readonly at: number;
  readonly when: 'before' | 'after';
  /** Later calls are done again. @default false */
  readonly passes?: boolean;
}

export class Crash extends Error {}

/** The store, and how many calls were made of it. From a fault on that does not pass, no call is done any more. */
export function dying(store: Store, fault: Fault): { readonly store: Store; readonly calls: () => number } {
  let calls = 0;
  let dead = false;
  const guarded = <P extends object>(part: P): P =>
    new Proxy(part, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== 'function') return member;
        return async (...given: unknown[]): Promise<unknown> => {
          const isFault = calls++ === fault.at;
          if (dead || (isFault && fault.when === 'before')) {
            dead = !fault.passes;
            throw new Crash(`${String(name)} was not done`);
          }
          const done: unknown = await Reflect.apply(member, target, given);
          if (!isFault) return done;
          dead = !fault.passes;
          throw new Crash(`${String(name)} was done`);
        };
      },
    });
  const { messages, sessions, leases, usage, meta } = store;
  const wrapped: Store = {
    ...store,
    messages: guarded(messages),
    sessions: guarded(sessions),
    leases: guarded(leases),
    usage: guarded(usage),
    meta: guarded(meta),
  };
  return { store: wrapped, calls: () => calls };
}
