/** Runs what is not ours so that it can neither stop nor break a conversation. */
import { platformTimers, type Timers } from '../provider/deadlines.ts';
import { note } from './notices.ts';
import type { ConversationNotice } from './request.ts';
import type { Runtime } from './runtime.ts';

/** Whom a notice about a hook goes to. */
type Listener = { readonly notices: ConversationNotice[] };

/** What the work gives; undefined when it failed or took too long. */
export async function bounded<T>(
  runtime: Runtime,
  listener: Listener,
  { name, work }: { readonly name: string; readonly work: () => T | Promise<T> },
): Promise<T | undefined> {
  const { hookTimeoutMs, timers = platformTimers } = runtime.settings;
  const tell = (what: string): undefined => {
    note(runtime, listener, { type: 'hook', level: 'warn', message: `The hook ${name} ${what}; it was passed over.` });
  };
  const late: Timing = startTiming(timers, hookTimeoutMs);
  try {
    const done = await Promise.race([Promise.resolve().then(work), late.over]);
    return done === tooLate ? tell(`took longer than ${hookTimeoutMs} ms`) : done;
  } catch (error) {
    return tell(`failed (${error instanceof Error ? error.message : String(error)})`);
  } finally {
    late.stop();
  }
}

const tooLate = Symbol('too late');

interface Timing {
  readonly over: Promise<typeof tooLate>;
  readonly stop: () => void;
}

function startTiming(timers: Timers, ms: number): Timing {
  const { promise: over, resolve } = Promise.withResolvers<typeof tooLate>();
  return { over, stop: timers.after(ms, () => resolve(tooLate)) };
}
