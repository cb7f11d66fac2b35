/** Writes down what is known of a conversation beside its messages. */
import type { UsageEntry } from '../store/usage-store.ts';
import type { LiveConversation } from './live/live.ts';
import { stateKey } from './live/state.ts';
import type { Runtime } from './runtime.ts';

/** Nothing is written where nothing has changed. A call is counted together with what it changed, or not at all. */
export async function saveState(
  { settings: { store } }: Runtime,
  live: LiveConversation,
  { entry }: { readonly entry?: UsageEntry } = {},
): Promise<void> {
  const policy = live.builtIn?.compressor.policyState() ?? live.state.policy;
  live.state = { ...live.state, policy };
  const text = JSON.stringify(live.state);
  const meta = text === live.savedState ? {} : { [stateKey(live.session.rootId)]: text };
  if (entry) await store.usage.add(entry, { meta });
  else for (const [key, value] of Object.entries(meta)) await store.meta.set(key, value);
  live.savedState = text;
}
