/** What of a conversation is kept beside its messages: its state, and what its calls used. */
import type { UsageEntry } from '../store/usage-store.ts';
import type { LiveConversation, Step } from './live.ts';
import { stateKey, stateText } from './state.ts';

/** What is kept together with what was said, or not at all. */
export interface Beside {
  readonly meta: Readonly<Record<string, string>>;
  readonly usage: readonly UsageEntry[];
  /** Called once it is. */
  readonly whenKept?: () => void;
}

/** The state to be kept: nothing where it has not changed since it was kept last. */
export function unsavedState(live: LiveConversation): Beside['meta'] {
  const policy = live.builtIn?.compressor.policyState() ?? live.state.policy;
  live.state = { ...live.state, policy };
  const text = stateText(live.state);
  return text === live.savedState ? {} : { [stateKey(live.session.rootId)]: text };
}

/** It was kept. */
export function noteSaved(live: LiveConversation, { meta, whenKept }: Beside): void {
  whenKept?.();
  live.savedState = meta[stateKey(live.session.rootId)] ?? live.savedState;
}

/** Keeps it where nothing is said with it. */
export async function saveBeside({ runtime, live }: Pick<Step, 'runtime' | 'live'>, beside: Beside): Promise<void> {
  await runtime.settings.store.usage.add(beside.usage, { meta: beside.meta });
  noteSaved(live, beside);
}

/** Writes the state down where it has changed. */
export const saveState = (step: Pick<Step, 'runtime' | 'live'>): Promise<void> =>
  saveBeside(step, { meta: unsavedState(step.live), usage: [] });
