/** The last stage of every compression: the session goes on in a continuation that opens with the smaller list. */

import type { CompressionResult } from '../../compression/result.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import type { Lease, Session } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import type { Message } from '../../transcript/message.ts';
import { noteSessionStart } from '../engine-session.ts';
import { type LiveConversation, promptsIn } from '../live/live.ts';
import type { Shown, Snapshot } from '../live/view.ts';
import type { Asked, Runtime } from '../runtime.ts';
import { remember } from '../turns.ts';
import { continued, continuedByOthers } from './stored-conversation.ts';

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

// Writes down what an engine made of a conversation: the session ends, and the next one opens with the smaller list.

/** What an engine made of a conversation. */
interface Smaller {
  /** What it was shown; what was said since stays behind the smaller list as it is. */
  readonly snapshot: Snapshot;
  readonly smaller: readonly Message[];
  /** For each message of the stored view its place in the record of the built-in engine. */
  readonly places: readonly number[];
  /** The report of the built-in engine. */
  readonly result: CompressionResult | undefined;
  readonly lease: Lease | undefined;
}

/** What has changed of a conversation. */
type Continuation = Pick<LiveConversation, 'session' | 'prompts' | 'view'>;

/** Opens the continuation. @throws STORE_CONFLICT when another process has gone on with the session */
async function continuation(store: Store, live: LiveConversation, made: Smaller): Promise<Continuation> {
  const { snapshot, smaller } = made;
  const session = await opened(store, live, made);
  const since = live.view.slice(snapshot.view.length);
  const ids = await store.messages.viewIds(session.id);
  if (ids.length !== smaller.length + since.length) {
    const message = `Expected ${smaller.length + since.length} messages in session ${session.id}, got ${ids.length}: another process added some. Read it again.`;
    throw new PalimpsestError('STORE_CONFLICT', message, { evidence: { id: session.id } });
  }
  const atOf = placesInRequest(snapshot);
  const shown = smaller.map((message, i): Shown => ({ id: ids[i] ?? '', message, at: atOf.get(message) ?? -1 }));
  const opening = promptsIn(smaller);
  return { session, prompts: shown.slice(0, opening), view: [...shown.slice(opening), ...since] };
}

/** Where each message that the engine was shown stands in what the client sends, or among its system prompts. */
function placesInRequest({ prompts, view, list }: Snapshot): ReadonlyMap<Message, number> {
  const atOf = new Map(view.map(({ message, at }) => [message, at]));
  for (const [at, prompt] of list.slice(0, promptsIn(list)).entries()) {
    atOf.set(prompt, prompts.find(({ message }) => message === prompt)?.at ?? at);
  }
  return atOf;
}

async function opened(store: Store, { builtIn }: LiveConversation, made: Smaller): Promise<Session> {
  const { result, places, lease, snapshot, smaller } = made;
  const { session, prompts, view } = snapshot;
  if (builtIn && result) {
    const { record, ids } = builtIn;
    return continued(store, { session, result, record, places, ids, lease });
  }
  const stored = [...prompts, ...view];
  const shownAt = new Map(stored.map(({ message }, at) => [message, at]));
  return continuedByOthers(store, { session, list: smaller, view: stored, shownAt, lease });
}
