/** A branch off a conversation that was compressed: what both share is shown as it was shown there, not compressed anew. */
import { isHandoff } from '../../compression/handoff-block.ts';
import type { ConversationRecord } from '../../compression/record.ts';
import type { Message } from '../../transcript/message.ts';
import { type LiveConversation, promptsHash, saidIn } from '../live/live.ts';
import type { Shown } from '../live/view.ts';
import type { Asked, Runtime } from '../runtime.ts';
import { placesOf } from '../snapshot.ts';

/** What a branch opens with, behind a session that holds the shared list itself. */
export interface SharedView {
  readonly prompts: readonly Shown[];
  readonly view: readonly Shown[];
  /** For each message of both its place in the shared list, system prompts first; -1 for what stands for others. */
  readonly origins: readonly number[];
}

interface Branching {
  readonly parent: LiveConversation;
  readonly asked: Asked;
  /** How many messages behind the system prompts both have. */
  readonly shared: number;
  /** The record of the branch, empty yet; the shared list is taken into it. */
  readonly record: ConversationRecord;
}

/**
 * The view of the conversation that is branched off, up to where the ways part. Undefined where nothing was compressed, and
 * where its client went back behind what is shown as it was said: then the branch opens with the client's own list.
 */
export function sharedView({ parent, asked, shared, record }: Branching): SharedView | undefined {
  const places = saidPlaces(parent);
  if (!places || !isNumberedAlike({ parent, asked, shared, record })) return undefined;
  const end = places.findIndex((place) => place >= shared);
  const cut = end < 0 ? places.length : end;
  const isParted = places.length - cut === parent.said.length - shared && places.slice(cut).every((at) => at >= shared);
  if (!isParted || places.slice(0, cut).every((_, i) => (parent.view[i]?.at ?? -1) >= 0)) return undefined;
  const isSame = parent.state.prompts === promptsHash(asked.prompts);
  const prompts = isSame ? parent.prompts : asked.prompts.map((message, at): Shown => ({ id: '', message, at }));
  const view = parent.view.slice(0, cut).map((one): Shown => ({ ...one, message: asked.said[one.at] ?? one.message }));
  const { length } = asked.prompts;
  const origins = [
    ...prompts.map((_, at) => (at < length ? at : -1)),
    ...places.slice(0, cut).map((place) => (place < 0 ? -1 : length + place)),
  ];
  return { prompts, view, origins };
}

/** For each message of the view its place among what was said; -1 for what stands for others. */
function saidPlaces(live: LiveConversation): readonly number[] | undefined {
  if (!live.builtIn) return live.view.map(({ at }) => at);
  const places = placesOf(live.builtIn, live).slice(live.prompts.length);
  const { said, atOf } = saidIn(live.builtIn.record);
  if (said.length !== live.said.length) return undefined;
  return live.view.map(({ at }, i) => (at >= 0 ? at : (atOf.get(places[i] ?? -1) ?? -1)));
}

/** Handoffs name messages by numbers: they have to mean the same in the branch. */
function isNumberedAlike({ parent: { builtIn }, asked, shared, record }: Branching): boolean {
  if (!builtIn) return true;
  const { length } = asked.prompts;
  const places = record.ingest([...asked.prompts, ...asked.said.slice(0, shared)]).slice(length);
  const { atOf } = saidIn(builtIn.record);
  const matching = [...atOf].filter(([place, at]) => at < shared && places[at] === place);
  return matching.length === shared;
}

/** Opens the branch with it: a continuation of the session that holds the shared list. */
export async function showShared(
  { settings }: Runtime,
  live: LiveConversation,
  { prompts, view, origins }: SharedView,
): Promise<void> {
  const { store, summarizer } = settings;
  const messages: readonly Message[] = [...prompts, ...view].map(({ message }) => message);
  const shown = new Set(origins);
  const covers = live.view.filter((_, at) => !shown.has(live.prompts.length + at)).map(({ id }) => id);
  const isStandIn = ({ message }: Shown, at: number): boolean =>
    live.builtIn ? isHandoff(message) : origins[prompts.length + at] === -1;
  const at = view.findIndex(isStandIn);
  const { builtIn } = live;
  const places = builtIn ? placesOf(builtIn, live) : [];
  const session = await store.sessions.continue({
    sessionId: live.session.id,
    size: live.prompts.length + live.view.length,
    messages,
    origins,
    ...(at >= 0 && covers.length > 0
      ? { handoff: { at: prompts.length + at, covers, writtenBy: summarizer ? 'model' : 'ledger' } }
      : {}),
  });
  builtIn?.record.rememberView(
    messages,
    origins.map((origin) => places[origin] ?? -1),
  );
  const ids = await store.messages.viewIds(session.id);
  const stored = [...prompts, ...view].map((one, i): Shown => ({ ...one, id: ids[i] ?? '' }));
  live.session = session;
  live.prompts = stored.slice(0, prompts.length);
  live.view = stored.slice(prompts.length);
}
