/** The numbers by which handoffs name messages: those by which the store finds them again, and no others. */
import { restoreRecord } from '../../compression/compress-session.ts';
import { engineFor } from '../engine-for.ts';
import type { LiveConversation } from '../live/live.ts';
import type { Runtime } from '../runtime.ts';
import { requireTip } from '../snapshot.ts';

/**
 * Numbers everything anew, as another process would read it. The engine was shown system prompts that were not stored then,
 * and has numbered them: everything that is said from now on would have other numbers here than in the store.
 *
 * @throws STORE_CONFLICT when another process has gone on with the session
 */
export async function readNumbersBack(runtime: Runtime, live: LiveConversation): Promise<void> {
  const { builtIn, session, prompts, view } = live;
  if (!builtIn) return;
  await requireTip(runtime, live);
  const { tokenizer } = await runtime.basis();
  const { record, entries, ids, compressions } = await restoreRecord(runtime.settings.store, session, tokenizer.count);
  const policy = builtIn.compressor.policyState();
  const made = await engineFor(runtime, session, { record, ids: [...ids], policy, compressions });
  // The record knows the messages of its view by how they were read.
  const shown = [...prompts, ...view].map((one, at) => ({ ...one, message: entries[at]?.message ?? one.message }));
  Object.assign(live, made, { prompts: shown.slice(0, prompts.length), view: shown.slice(prompts.length) });
}
