/** Takes what was prepared in the background, if it still is the beginning of the conversation. */
import type { Ahead } from '../live/ahead.ts';
import type { LiveConversation } from '../live/live.ts';
import { promptsHash } from '../live/live.ts';
import type { ContextCompression } from '../request.ts';
import type { Asked, Runtime } from '../runtime.ts';
import { requireTip } from '../snapshot.ts';
import { goOn } from './go-on.ts';

/** What became of it. */
type Taken = Pick<ContextCompression, 'result' | 'inBackground'> | undefined;

/**
 * The conversation goes on with the summary that waits for it; undefined where there is none, or none that fits.
 *
 * @throws STORE_CONFLICT when another process was faster
 */
export async function takeAhead(runtime: Runtime, live: LiveConversation, asked: Asked): Promise<Taken> {
  const { ahead } = live;
  if (ahead?.progress.type !== 'ready') return undefined;
  live.ahead = undefined;
  const { pass, places, kept, lease } = ahead.progress;
  const held = isStillStart(live, ahead, asked) ? await lease.resumed() : undefined;
  if (!held) {
    ahead.stop();
    return undefined;
  }
  try {
    await requireTip(runtime, live);
    const { snapshot } = ahead;
    const smaller = pass.take();
    await goOn(runtime, live, { asked, kept, snapshot, smaller, places, result: pass.result, lease: held });
  } catch (error) {
    ahead.stop();
    throw error;
  }
  ahead.progress = { type: 'over' };
  runtime.background.taken++;
  await lease.release();
  return { result: pass.result, inBackground: true };
}

/** What was said since stands behind it, and the client has not changed its system prompts. */
function isStillStart({ session, view }: LiveConversation, { snapshot }: Ahead, { prompts }: Asked): boolean {
  if (session.id !== snapshot.session.id || promptsHash(prompts) !== snapshot.promptsHash) return false;
  return view.length >= snapshot.view.length && snapshot.view.every(({ id }, at) => view[at]?.id === id);
}

/** Stops a compression in the background, and waits until it is over. */
export async function stopAhead(live: LiveConversation): Promise<void> {
  const { ahead } = live;
  live.ahead = undefined;
  ahead?.stop();
  await ahead?.done;
}

/** Waits for a compression in the background, because there is no room for anything else, as long as the request does. */
export async function aheadDone({ ahead }: LiveConversation, signal: AbortSignal | undefined): Promise<void> {
  if (!ahead) return;
  if (!signal) return ahead.done;
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await Promise.race([ahead.done, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
