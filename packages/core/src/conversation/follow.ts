/** Brings a conversation to where its client stands: continues it, branches off it, reads it back, or begins another. */
import { isHandoff } from '../compression/handoff-block.ts';
import { type ConversationRecord, createRecord } from '../compression/record.ts';
import { defined } from '../shared/defined.ts';
import { PalimpsestError } from '../shared/errors.ts';
import type { MessageId, SessionId } from '../store/ids.ts';
import { appendInBatches } from '../store/message-store.ts';
import { beginInBatches, newestSession, type Session, type SessionDraft } from '../store/session-store.ts';
import { isSameMessage } from '../transcript/message.ts';
import { note } from './call-hooks.ts';
import { restoreRecord } from './compress/stored.ts';
import { engineFor, noteSessionStart, placesOf } from './engine.ts';
import {
  type Asked,
  type LiveConversation,
  promptsHash,
  promptsIn,
  type Runtime,
  type Shown,
  type Step,
  saidIn,
  untouched,
} from './live.ts';
import { serveSession } from './memory/provider.ts';
import { shareMemory, showMemory } from './memory/snapshot.ts';
import { markPause, pauseBefore, readPauses, sharePauses } from './pauses.ts';
import { sharePins } from './pins.ts';
import { readRecalled, shareRecalled } from './recalled.ts';
import { rollingHashes, sharedStart } from './said.ts';
import { type Beside, noteSaved, saveBeside } from './save-state.ts';
import { startKey } from './shapes.ts';
import { initialState, parseState, stateKey, stateText } from './state.ts';
import { forget, nameLive, remember, type Turn } from './turns.ts';

/**
 * The conversation of a request, with everything that the client has said in it. A client that changes or takes back
 * something gets a branch, which begins with the client's own list.
 */
export async function follow(turn: Turn): Promise<Step> {
  return followFrom(turn, await knownFor(turn));
}

/** The same from what `knownFor` found. `count` says what is kept with it, just before that is done. */
export async function followFrom(
  turn: Turn,
  known: LiveConversation | undefined,
  count?: (step: Step) => Beside,
): Promise<Step> {
  const { runtime, basis, asked } = turn;
  const shared = known ? sharedStart(known.hashes, asked.hashes) : 0;
  const isContinued = known && shared === known.hashes.length;
  const live = isContinued ? known : await begin(turn, known, shared);
  const step = { runtime, basis, live, asked };
  const pause = pauseBefore(step);
  // What has just begun may have it all.
  if (isContinued || live.hashes.length < asked.hashes.length) await grow(step, count?.(step));
  else if (count) await saveBeside(step, count(step));
  if (pause !== undefined) await markPause(step, pause);
  await serveSession(step);
  await showMemory(step);
  return step;
}

/** The conversation that has most of a request, in memory or in the store: another process may have been there last. */
export async function knownFor(turn: Turn): Promise<LiveConversation | undefined> {
  const { runtime, owner, asked } = turn;
  const continues = (live: LiveConversation): boolean => sharedStart(live.hashes, asked.hashes) === live.hashes.length;
  const { sessionId } = asked;
  if (sessionId !== undefined && !runtime.live.has(sessionId)) {
    const named = await readBack(turn, sessionId);
    // Any session of its chain may be named, and is named again with the next request.
    nameLive(runtime, sessionId, named);
    if (continues(named)) return named;
  }
  if (owner && continues(owner)) return owner;
  // Of those that begin alike the store says which one was there last, whichever of them is followed.
  const shared = owner ? sharedStart(owner.hashes, asked.hashes) : 0;
  const stored = await storedSession(runtime, asked, shared);
  if (stored === undefined || (await newestSession(runtime.settings.store.sessions, stored)).id === owner?.session.id)
    return owner;
  return readBack(turn, stored);
}

/** How many of the newest beginnings of a list are asked for in the store. */
const askedStarts = 200;

/** The session in which the longest beginning of a list was said that has at least `shared` messages. */
async function storedSession({ settings }: Runtime, { hashes }: Asked, shared: number): Promise<SessionId | undefined> {
  const { store } = settings;
  const end = Math.max(1, shared, hashes.length - askedStarts);
  for (let size = hashes.length; size >= end; size--) {
    const id = await store.meta.get(startKey(hashes[size - 1] ?? ''));
    // The key stays where a person has deleted its session.
    if (id !== undefined && (await store.sessions.get(id))) return id;
  }
  return undefined;
}

/** A stored conversation, as a process would know it that had followed it all along. */
export async function readBack(turn: Turn, id: SessionId): Promise<LiveConversation> {
  const { runtime, basis } = turn;
  const { store } = runtime.settings;
  const session = await newestSession(store.sessions, id);
  // It was ended, and its client goes on.
  if (session.endedAt !== undefined) await store.sessions.reopen(session.id);
  const { record, entries, places, ids, compressions } = await restoreRecord(store, session, basis.tokenizer.count);
  const { said, atOf } = saidIn(record);
  const shown = entries.map(({ id: messageId, message }, i): Shown => {
    const place = places[i] ?? -1;
    const original = record.at(place);
    const asSaid = original !== undefined && isSameMessage(original, message);
    return { id: messageId, message, at: asSaid ? (atOf.get(place) ?? -1) : -1 };
  });
  const messages = entries.map(({ message }) => message);
  const opening = promptsIn(messages);
  const hash = promptsHash(messages.slice(0, opening));
  const savedState = await store.meta.get(stateKey(session.rootId));
  const known = parseState(savedState);
  const state = { ...known, prompts: known.prompts ?? hash };
  const isPlain = state.prompts === hash;
  forget(runtime, runtime.live.get(session.id));
  const made = engineFor(turn, session, { record, ids: [...ids], policy: state.policy, compressions });
  const live = openLive(turn, session, {
    ...made,
    hashes: rollingHashes(said),
    said,
    state,
    savedState: savedState ?? '',
    // What an engine has added to them stays.
    prompts: shown.slice(0, opening).map((one, i) => ({ ...one, at: isPlain ? i : -1 })),
    view: shown.slice(opening),
  });
  live.recalled = await readRecalled(store, live);
  live.pauses = await readPauses(store, live);
  remember(runtime, live);
  await noteSessionStart(turn, live, entries.length > 0 ? 'resume' : 'new');
  return live;
}

type Opened = Pick<LiveConversation, 'engine' | 'builtIn'> & Partial<LiveConversation>;

/** A conversation that is followed for the first time; nothing was said in it unless it is told. */
function openLive(turn: Turn, session: Session, known: Opened): LiveConversation {
  const nothing = { hashes: [], said: [], state: initialState, savedState: '', prompts: [], view: [] };
  const activeAt = session.lastActiveAt;
  const names = new Set<SessionId>();
  const live: LiveConversation = { lane: turn.newLane(), session, names, activeAt, ...nothing, ...untouched, ...known };
  turn.opened.push(live);
  return live;
}

/** Another conversation, or a branch of one that was answered in what both share. */
async function begin(turn: Turn, known: LiveConversation | undefined, shared: number): Promise<LiveConversation> {
  const { runtime, basis, asked } = turn;
  const { store, source, model } = runtime.settings;
  const project = asked.call.project ?? runtime.settings.memory?.memory.project;
  const parent = asked.said.slice(0, shared).some(({ role }) => role === 'assistant') ? known : undefined;
  const above = parent?.session.id ?? (await followed(turn));
  const branch = above === undefined ? {} : ({ parentId: above, relation: 'branch' } as const);
  const id = runtime.newSessionId();
  const draft: SessionDraft = { id, source, model, ...defined({ project }), ...branch };
  const record = createRecord({ count: basis.tokenizer.count });
  const opening = parent && sharedView({ parent, asked, shared, record });
  const compressions = opening ? 1 : 0;
  const first = opening ? beginningOf(asked, shared) : asked;
  const state = { ...initialState, prompts: promptsHash(first.prompts) };
  const savedState = stateText(state);
  // In one moment with its first messages: whenever the process dies, the next one finds a beginning of the list, or nothing.
  const { session, appended } = await beginInBatches(store, draft, {
    messages: [...first.prompts, ...first.said],
    meta: { ...startsOf(first, 0, id), [stateKey(id)]: savedState },
  });
  const made = engineFor(turn, session, { record, ids: [], policy: initialState.policy, compressions });
  const live = openLive(turn, session, { ...made, state, savedState });
  try {
    showNew(runtime, live, { asked: first, ids: appended.ids });
    noteRequest({ runtime, basis, live, asked: first }, 0);
    if (parent) await shareWith({ runtime, basis, live, asked }, parent, { shared, opening });
    await noteSessionStart(turn, live, 'new');
  } catch (error) {
    // Half begun, also where it was called off: the next request reads it back, and tells of its start.
    forget(runtime, live);
    throw error;
  }
  if (parent) {
    const message = `The conversation changed after message ${shared}: it continues as a branch, and the earlier version is kept.`;
    note(turn, { type: 'branched', level: 'log', message });
    // Its client has gone another way.
    parent.ahead?.stop();
    parent.ahead = undefined;
  }
  return live;
}

/** Gives a branch what belongs to the messages that it shares with the conversation it left. */
async function shareWith(
  step: Step,
  parent: LiveConversation,
  { shared, opening }: { readonly shared: number; readonly opening: SharedView | undefined },
): Promise<void> {
  const { runtime, live, asked } = step;
  if (opening) {
    await showShared(runtime, live, opening);
    remember(runtime, live, live.hashes.length);
    live.state = { ...live.state, kept: parent.state.kept };
  }
  await shareMemory(step, parent);
  await shareRecalled(step, parent);
  await sharePauses(step, parent);
  if (opening) live.activeAt = parent.activeAt;
  const ends = { from: parent.session.id, to: live.session.rootId };
  await sharePins(runtime.settings.store, { ...ends, said: asked.said.slice(0, shared) });
}

/** The session that a client says it goes on from, where it is still there. */
async function followed({ runtime, asked }: Turn): Promise<SessionId | undefined> {
  const { follows } = asked.call;
  return follows !== undefined && (await runtime.settings.store.sessions.get(follows)) ? follows : undefined;
}

/** A request as it was when its client had said so much. */
const beginningOf = (asked: Asked, size: number): Asked => ({
  ...asked,
  said: asked.said.slice(0, size),
  hashes: asked.hashes.slice(0, size),
});

/** Takes everything into the conversation that the client has said, and what is kept with it. */
async function grow(step: Step, beside: Beside = { meta: {}, usage: [] }): Promise<void> {
  const { runtime, live, asked } = step;
  const known = live.hashes.length;
  const fresh = asked.said.slice(known);
  const expectedSize = live.prompts.length + live.view.length;
  if (fresh.length === 0) {
    await requireUnchanged(runtime, live, expectedSize);
    await saveBeside(step, beside);
  } else {
    const opening = expectedSize === 0 ? asked.prompts : [];
    const { ids } = await appendInBatches(runtime.settings.store.messages, live.session.id, {
      messages: [...opening, ...fresh],
      expectedSize,
      meta: { ...startsOf(asked, known, live.session.id), ...beside.meta },
      usage: beside.usage,
    });
    noteSaved(live, beside);
    if (expectedSize === 0) live.state = { ...live.state, prompts: promptsHash(opening) };
    showNew(runtime, live, { asked, ids });
  }
  noteRequest(step, known);
}

/** Whatever its client takes back, the beginning that is left is found. */
const startsOf = ({ hashes }: Asked, known: number, id: SessionId): Readonly<Record<string, string>> =>
  Object.fromEntries(hashes.slice(known).map((hash) => [startKey(hash), id]));

/** Shows what was stored under these ids, the system prompts first where nothing was shown yet. */
function showNew(
  { settings }: Runtime,
  live: LiveConversation,
  { asked, ids }: { readonly asked: Asked; readonly ids: readonly MessageId[] },
): void {
  const known = live.hashes.length;
  const opening = live.prompts.length + live.view.length === 0 ? asked.prompts : [];
  live.prompts = opening.length > 0 ? opening.map((message, at) => ({ id: ids[at] ?? '', message, at })) : live.prompts;
  // In place: a copy of a long view for every step is what a step would cost.
  for (let at = known; at < asked.said.length; at++) {
    const message = asked.said[at];
    if (message) live.view.push({ id: ids[opening.length + at - known] ?? '', message, at });
  }
  live.hashes = asked.hashes;
  live.activeAt = settings.now();
}

/** The newest request, whose objects are those of the conversation from now on. */
function noteRequest({ runtime, live, asked }: Step, known: number): void {
  live.said = asked.said;
  live.lastPrompts = asked.prompts;
  live.lastTools = asked.tools;
  remember(runtime, live, known);
}

/** Where nothing is appended, nobody else notices that another process was here. */
async function requireUnchanged({ settings }: Runtime, { session }: LiveConversation, size: number): Promise<void> {
  const now = await settings.store.sessions.get(session.id);
  if (now && now.endedAt === undefined && now.messages === size) return;
  throw new PalimpsestError('STORE_CONFLICT', `Another process changed session ${session.id}: read it again.`, {
    evidence: { id: session.id },
  });
}

// A branch off a conversation that was compressed: what both share is shown as it was shown there, not compressed anew.

/** What a branch opens with, behind a session that holds the shared list itself. */
interface SharedView {
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
function sharedView({ parent, asked, shared, record }: Branching): SharedView | undefined {
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
async function showShared(
  { settings }: Runtime,
  live: LiveConversation,
  { prompts, view, origins }: SharedView,
): Promise<void> {
  const { store, summarizer } = settings;
  const messages = [...prompts, ...view].map(({ message }) => message);
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
