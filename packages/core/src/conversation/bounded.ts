/** Runs what is not ours so that it can neither stop nor break a conversation. */
import { reasonOf } from '../compression/guard/guarded.ts';
import { platformTimers, type Timers } from '../shared/timers.ts';
import type { HookCall } from './hooks.ts';
import { note } from './notices.ts';
import type { ConversationSettings } from './options.ts';
import type { ConversationNotice } from './request.ts';

/** Who runs hooks: a runtime, or one compression outside of any. */
export interface HookHost {
  readonly settings: Pick<ConversationSettings, 'hooks' | 'hookTimeoutMs' | 'timers' | 'onNotice'>;
}

/** Whom a notice about a hook goes to. */
type Listener = { readonly notices: ConversationNotice[] };

interface Bounded<T> {
  readonly name: string;
  readonly work: (call: HookCall) => T | Promise<T>;
  /** Of the request that waits. @default it is never called off */
  readonly signal?: AbortSignal | undefined;
}

/** What the work gives; undefined when it failed or took too long, and when its request was called off. */
export async function bounded<T>(
  host: HookHost,
  listener: Listener,
  { name, work, signal }: Bounded<T>,
): Promise<T | undefined> {
  if (signal?.aborted) return undefined;
  const { hookTimeoutMs, timers = platformTimers } = host.settings;
  const tell = (what: string): undefined => {
    note(host, listener, { type: 'hook', level: 'warn', message: `The hook ${name} ${what}; it was ignored.` });
  };
  const patience = startPatience(timers, hookTimeoutMs, signal);
  try {
    const done = await Promise.race([Promise.resolve().then(() => work({ signal: patience.signal })), patience.over]);
    if (done === calledOff) return undefined;
    return done === tooLate ? tell(`took longer than ${hookTimeoutMs} ms`) : done;
  } catch (error) {
    // It may have heard of it first.
    if (signal?.aborted) return undefined;
    return tell(`failed (${reasonOf(error)})`);
  } finally {
    patience.stop();
  }
}

const tooLate = Symbol('too late');
const calledOff = Symbol('called off');

/** How long somebody waits. */
interface Patience {
  readonly over: Promise<typeof tooLate | typeof calledOff>;
  /** Fires when it is over. */
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

function startPatience(timers: Timers, ms: number, request: AbortSignal | undefined): Patience {
  const { promise: over, resolve } = Promise.withResolvers<typeof tooLate | typeof calledOff>();
  const controller = new AbortController();
  const stopTimer = timers.after(ms, () => {
    resolve(tooLate);
    controller.abort(new Error(`no answer after ${ms} ms`));
  });
  const aborted = (): void => {
    resolve(calledOff);
    controller.abort(request?.reason);
  };
  request?.addEventListener('abort', aborted, { once: true });
  return {
    over,
    signal: controller.signal,
    stop() {
      stopTimer();
      request?.removeEventListener('abort', aborted);
    },
  };
}
