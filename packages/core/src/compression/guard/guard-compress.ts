/** One compression by an engine of others, or by the fallback where that fails. */
import type { CompressOptions } from '../../context/engine.ts';
import { badPlugin } from './bad-plugin.ts';
import { type Guarded, reasonOf } from './guarded.ts';
import { inTime } from './in-time.ts';
import { takeList } from './take-list.ts';

/** So many failures in a row, and the engine is not asked again: every one of them may cost the whole time limit. */
const mostFailures = 3;

/** Throws what the fallback throws, and the reason of the caller's signal; `BAD_PLUGIN` where nobody takes over. */
export async function compressGuarded<M>(
  guarded: Guarded<M>,
  messages: readonly M[],
  options: CompressOptions = {},
): Promise<readonly M[]> {
  if (guarded.failures >= mostFailures) return rescued(guarded, messages, options);
  try {
    const list = await ownList(guarded, messages, options);
    guarded.failures = 0;
    if (list !== messages) guarded.isStale = false;
    return list;
  } catch (error) {
    // Nobody waits any more.
    options.signal?.throwIfAborted();
    if (guarded.onFailure === 'throw')
      throw badPlugin(`The context engine "${guarded.name}" failed in compress (${reasonOf(error)})`, error);
    guarded.failures++;
    guarded.tell('compress', error, whatNext(guarded));
    return rescued(guarded, messages, options);
  }
}

function whatNext<M>({ failures, fallback }: Guarded<M>): string {
  const done = `"${fallback.name}" compressed instead`;
  return failures < mostFailures ? done : `${done}, and will for the rest of the session`;
}

async function ownList<M>(
  guarded: Guarded<M>,
  messages: readonly M[],
  options: CompressOptions,
): Promise<readonly M[]> {
  const { engine, copies, timers, timeoutMs } = guarded;
  const shown = copies.shown(messages);
  const result = await inTime<unknown>({ timers, timeoutMs, signal: options.signal }, (signal) =>
    engine.compress(shown, { ...options, signal }),
  );
  return takeList({ before: messages, shown, result }, copies);
}

async function rescued<M>(
  guarded: Guarded<M>,
  messages: readonly M[],
  options: CompressOptions,
): Promise<readonly M[]> {
  const list = await guarded.fallback.compress(messages, options);
  if (list === messages) return messages;
  guarded.rescued++;
  guarded.isStale = true;
  return list;
}
