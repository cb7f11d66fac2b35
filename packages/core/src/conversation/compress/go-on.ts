/** The last stage of every compression: the session goes on in a continuation that opens with the smaller list. */

import { noteSessionStart } from '../engine-session.ts';
import type { LiveConversation } from '../live/live.ts';
import type { Asked, Runtime } from '../runtime.ts';
import { remember } from '../turns.ts';
import { continuation, type Smaller } from './continuation.ts';

/** What a conversation goes on with, and what for. */
export interface GoingOn extends Smaller {
  readonly asked: Asked;
  /** What a hook wants the new context to begin with. */
  readonly kept: string | null;
}

/** @throws STORE_CONFLICT when another process has gone on with the session */
export async function goOn(runtime: Runtime, live: LiveConversation, { asked, kept, ...made }: GoingOn): Promise<void> {
  const next = await continuation(runtime.settings.store, live, made);
  const { snapshot, result } = made;
  const known = { prompts: snapshot.promptsHash, kept, usualExtraTokens: result?.usualExtraTokens ?? 0 };
  Object.assign(live, next, { state: { ...live.state, report: null, ...known } });
  remember(runtime, live, live.hashes.length);
  await noteSessionStart(runtime, live, { reason: 'compression', asked });
}
