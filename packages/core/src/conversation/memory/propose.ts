/** What a model finds worth keeping before a compression: an extra call, bounded, whose failure costs a notice. */

import { reasonOf } from '../../compression/guard/guarded.ts';
import { inTime } from '../../compression/guard/in-time.ts';
import { askWhatToKeep, type Proposals } from '../../memory/commit/ask-model.ts';
import { platformTimers } from '../../shared/timers.ts';
import type { Message } from '../../transcript/message.ts';
import { countedCall } from '../../usage/counted-call.ts';
import { note } from '../call-hooks.ts';
import type { Snapshot, Step } from '../live.ts';
import { type Covered, coveredBy, type KeepingHost } from './commit.ts';
import { withKeptByProvider } from './provider.ts';

const timeoutMs = 30_000;

/** A smaller list, and what it takes the place of. */
interface Covering {
  readonly snapshot: Snapshot;
  readonly smaller: readonly Message[];
  /** What a hook wants the new context to begin with. */
  readonly kept: string | null;
}

/** What goes on beside a summary: into the memory, and in the words of the memory provider. @throws the signal's reason */
export async function keepFor(
  asking: KeepingHost & Pick<Step, 'runtime' | 'live'>,
  { snapshot: { session, list }, smaller, kept }: Covering,
): Promise<{ readonly proposed: readonly string[]; readonly kept: string | null }> {
  const covered = coveredBy(list, smaller);
  const proposals = proposeFor(asking, { session, covered });
  const [proposed, all] = await Promise.all([proposals, withKeptByProvider(asking, kept, covered)]);
  return { proposed, kept: all };
}

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
