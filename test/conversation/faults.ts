/**
 * A process that dies at one of its calls, before the call is done or behind it: what a crash at that instant leaves, or a
 * disk that was full for a moment. Calls are those of its store, and whatever else is put under its guard.
 */
import type { Store } from '@palimpsest/core/store';

export interface Fault {
  /** The call that fails, from 0. */
  readonly at: number;
  readonly when: 'before' | 'after';
  /** Later calls are done again. @default false */
  readonly passes?: boolean;
  /** Happens in place of the fault: all calls are done. */
  readonly instead?: () => void;
}

export class Crash extends Error {}

/** What a process has that may die. */
export interface Mortal {
  readonly store: Store;
  /** How many calls were made. */
  calls(): number;
  /** What the process was killed at; undefined while it lives. */
  died(): string | undefined;
  /** Dies between two calls: none is done any more. */
  kill(): void;
  /** The same function, under the same guard. */
  guarded<A extends unknown[], R>(name: string, call: (...given: A) => R | Promise<R>): (...given: A) => Promise<R>;
}

/** The process that dies at a fault; from a fault on that does not pass, no call is done any more. */
export function dying(store: Store, fault: Fault): Mortal {
  let calls = 0;
  let dead = false;
  let died: string | undefined;
  const crash = (what: string): Crash => {
    died ??= what;
    return new Crash(what);
  };
  const guarded: Mortal['guarded'] =
    (name, call) =>
    async (...given) => {
      const isHere = calls++ === fault.at;
      if (isHere) fault.instead?.();
      const isFault = isHere && !fault.instead;
      if (dead || (isFault && fault.when === 'before')) {
        dead = !fault.passes;
        throw crash(`${name} was not done`);
      }
      const done = await call(...given);
      // It was killed while the call was under way.
      if (dead) throw crash(`${name} was done`);
      if (!isFault) return done;
      dead = !fault.passes;
      throw crash(`${name} was done`);
    };
  const part = <P extends object>(whole: P): P =>
    new Proxy(whole, {
      get(target, name, receiver) {
        const member: unknown = Reflect.get(target, name, receiver);
        if (typeof member !== 'function') return member;
        return guarded(String(name), (...given: unknown[]): unknown => Reflect.apply(member, target, given));
      },
    });
  const { messages, sessions, leases, usage, meta } = store;
  const wrapped: Store = {
    ...store,
    messages: part(messages),
    sessions: part(sessions),
    leases: part(leases),
    usage: part(usage),
    meta: part(meta),
  };
  return {
    store: wrapped,
    calls: () => calls,
    died: () => died,
    guarded,
    kill() {
      dead = true;
      died ??= 'it was killed';
    },
  };
}
