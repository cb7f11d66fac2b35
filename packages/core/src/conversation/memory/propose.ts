/** What a model finds worth keeping before a compression: an extra call, bounded, whose failure costs a notice. */

import { reasonOf } from '../../compression/guard/guarded.ts';
import { inTime } from '../../compression/guard/in-time.ts';
import { askWhatToKeep, type Proposals } from '../../memory/commit/ask-model.ts';
import { platformTimers } from '../../shared/timers.ts';
import { countedCall } from '../../usage/counted-call.ts';
import { note } from '../call-hooks.ts';
import type { Covered, KeepingHost } from './commit.ts';

const timeoutMs = 30_000;

/** Texts that the covered messages bear out; none without a model. @throws the signal's reason */
export async function proposeFor(host: KeepingHost, { session, covered }: Covered): Promise<readonly string[]> {
  const { memory, timers = platformTimers } = host.runtime.settings;
  const model = memory?.writer;
  const { signal } = host.asked.call;
  if (!model) return [];
  try {
    const work = (over: AbortSignal): Promise<Proposals> => askWhatToKeep(covered, { model, signal: over });
    const { proposals, usage } = await inTime({ timers, timeoutMs, signal }, work);
    if (usage) await countCall(host, session.id, countedCall(model.name, usage));
    return proposals.map(({ text }) => text);
  } catch (error) {
    signal?.throwIfAborted();
    const message = `${model.name} could not say what is worth keeping (${reasonOf(error)}); it was found by rule alone.`;
    note(host, { type: 'memory', level: 'warn', message });
    return [];
  }
}

const countCall = (
  { runtime }: KeepingHost,
  sessionId: string,
  call: ReturnType<typeof countedCall>,
): Promise<unknown> => runtime.settings.store.usage.add([{ sessionId, task: 'memory', ...call }]);
