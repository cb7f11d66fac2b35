/** What a model finds worth keeping before a compression: an extra call, bounded, whose failure costs a notice. */

import { reasonOf } from '../../compression/guard/guarded.ts';
import { inTime } from '../../compression/guard/in-time.ts';
import { askWhatToKeep, type Proposals } from '../../memory/commit/ask-model.ts';
import { platformTimers } from '../../shared/timers.ts';
import type { Message } from '../../transcript/message.ts';
import { countedCall } from '../../usage/counted-call.ts';
import { note } from '../call-hooks.ts';
import type { Asked, Runtime, Snapshot } from '../live.ts';
import { coveredBy } from './commit.ts';

const timeoutMs = 30_000;

/** For whom it is asked. */
interface Asking {
  readonly runtime: Runtime;
  readonly asked: { readonly notices: Asked['notices']; readonly call: { readonly signal?: AbortSignal } };
}

/** Texts that the covered messages bear out; none without a model. @throws the signal's reason */
export async function proposeFor(
  asking: Asking,
  snapshot: Snapshot,
  smaller: readonly Message[],
): Promise<readonly string[]> {
  const { memory, timers = platformTimers } = asking.runtime.settings;
  const model = memory?.writer;
  const { signal } = asking.asked.call;
  if (!model) return [];
  const covered = coveredBy(snapshot, smaller);
  try {
    const work = (over: AbortSignal): Promise<Proposals> => askWhatToKeep(covered, { model, signal: over });
    const { proposals, usage } = await inTime({ timers, timeoutMs, signal }, work);
    if (usage) await countCall(asking.runtime, snapshot.session.id, countedCall(model.name, usage));
    return proposals.map(({ text }) => text);
  } catch (error) {
    signal?.throwIfAborted();
    const message = `${model.name} could not say what is worth keeping (${reasonOf(error)}); it was found by rule alone.`;
    note(asking, { type: 'memory', level: 'warn', message });
    return [];
  }
}

const countCall = ({ settings }: Runtime, sessionId: string, call: ReturnType<typeof countedCall>): Promise<unknown> =>
  settings.store.usage.add([{ sessionId, task: 'memory', ...call }]);
