/** What of a conversation is compressed: the list that its engine is shown, and where each message of it is stored. */

import { isSoundList } from '../compression/repair/sound.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { newestSession } from '../store/newest-session.ts';
import { carriesResults, toolCalls, toolResults } from '../transcript/text.ts';
import { type BuiltIn, type LiveConversation, promptsFor, promptsHash } from './live/live.ts';
import type { Snapshot } from './live/view.ts';
import type { Asked, Runtime } from './runtime.ts';

/** The conversation as it is now. */
export function snapshotOf(live: LiveConversation, asked: Asked): Snapshot {
  const { session, prompts, state } = live;
  const view = live.view.slice();
  const { listed } = promptsFor(live, asked.prompts);
  const list = [...listed, ...view.map(({ message }) => message)];
  // Whoever asks without the client's list asks for what is stored, whatever an engine has added to it.
  const isAsStored =
    asked.prompts.length === prompts.length && prompts.every(({ message }, at) => message === list[at]);
  const said = isAsStored ? state.prompts : null;
  return { session, prompts, view, promptsHash: said ?? promptsHash(asked.prompts), list };
}

/**
 * For every message of the stored view its place in the record, whose messages get the ids that they are stored under,
 * before others take their place in the view.
 */
export function placesOf(
  { record, ids }: BuiltIn,
  { prompts, view }: Pick<Snapshot, 'prompts' | 'view'>,
): readonly number[] {
  const shown = [...prompts, ...view];
  const places = record.ingest(shown.map(({ message }) => message));
  for (const [at, place] of places.entries()) if (place >= 0) ids[place] ??= shown[at]?.id;
  return places;
}

/** True when nothing is left open: a call that waits for its result would be cut off from it. */
export function isClosed({ view }: LiveConversation): boolean {
  const start = view.findLastIndex(({ message }) => !carriesResults(message));
  const group = view.slice(Math.max(0, start)).map(({ message }) => message);
  const answered = new Set(group.flatMap(toolResults).map(({ callId }) => callId));
  return isSoundList(group) && group.flatMap(toolCalls).every(({ callId }) => answered.has(callId));
}

/** Whoever held the lease before may have gone on from the session. */
export async function requireTip({ settings }: Runtime, { session, prompts, view }: LiveConversation): Promise<void> {
  const tip = await newestSession(settings.store.sessions, session.id);
  if (tip.id === session.id && tip.messages === prompts.length + view.length) return;
  throw new PalimpsestError('STORE_CONFLICT', `Another process continued session ${session.id}: read it again.`, {
    evidence: { id: session.id },
  });
}
