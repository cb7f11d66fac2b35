/** What a model finds worth keeping before a compression: an extra call, bounded, whose failure costs a notice. */

import { reasonOf } from '../../compression/guard/guarded.ts';
import { inTime } from '../../compression/guard/in-time.ts';
import { askWhatToKeep, type Proposals } from '../../memory/commit/ask-model.ts';
import { platformTimers } from '../../shared/timers.ts';
import type { Message } from '../../transcript/message.ts';
import { countedCall } from '../../usage/counted-call.ts';
import { note } from '../call-hooks.ts';
import type { Asked, Runtime, Snapshot, Step } from '../live.ts';
import { coveredBy } from './commit.ts';
import { withKeptByProvider } from './provider.ts';

const timeoutMs = 30_000;

/** For whom it is asked. */
interface Asking extends Pick<Step, 'runtime' | 'live'> {
  readonly asked: { readonly notices: Asked['notices']; readonly call: { readonly signal?: AbortSignal } };
}

/** A smaller list, and what it takes the place of. */
interface Covering {
  readonly snapshot: Snapshot;
  readonly smaller: readonly Message[];
  /** What a hook wants the new context to begin with. */
  readonly kept: string | null;
}

/** What goes on beside a summary: into the memory, and in the words of the memory provider. @throws the signal's reason */
export async function keepFor(
  asking: Asking,
  { snapshot, smaller, kept }: Covering,
): Promise<{ readonly proposed: readonly string[]; readonly kept: string | null }> {
  const covered = coveredBy(snapshot, smaller);
  const proposals = proposeFor(asking, snapshot, covered);
  const [proposed, all] = await Promise.all([proposals, withKeptByProvider(asking, kept, covered)]);
  return { proposed, kept: all };
}

/** Texts that the covered messages bear out; none without a model. @throws the signal's reason */
async function proposeFor(asking: Asking, snapshot: Snapshot, covered: readonly Message[]): Promise<readonly string[]> {
  const { memory, timers = platformTimers } = asking.runtime.settings;
  const model = memory?.writer;
  const { signal } = asking.asked.call;
  if (!model) return [];
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
