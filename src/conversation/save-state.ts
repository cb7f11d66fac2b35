/** Writes down what is known of a conversation beside its messages. */
import type { LiveConversation } from './live/live.ts';
import { stateKey } from './live/state.ts';
import type { Runtime } from './runtime.ts';

/** Nothing is written where nothing has changed. */
export async function saveState({ settings }: Runtime, live: LiveConversation): Promise<void> {
  const policy = live.builtIn?.compressor.policyState() ?? live.state.policy;
  live.state = { ...live.state, policy };
  const text = JSON.stringify(live.state);
  if (text === live.savedState) return;
  await settings.store.meta.set(stateKey(live.session.rootId), text);
  live.savedState = text;
}
