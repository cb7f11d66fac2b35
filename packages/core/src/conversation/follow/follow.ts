/** Brings a conversation to where its client stands: continues it, branches off it, reads it back, or begins another. */

import { createRecord } from '../../compression/record.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import { appendInBatches } from '../../store/append-in-batches.ts';
import type { SessionId } from '../../store/ids.ts';
import { newestSession } from '../../store/newest-session.ts';
import type { SessionDraft } from '../../store/session-store.ts';
import { isSameMessage } from '../../transcript/identity.ts';
import { restoreRecord } from '../compress/stored-conversation.ts';
import { engineFor } from '../engine-for.ts';
import { noteSessionStart } from '../engine-session.ts';
import { type LiveConversation, promptsHash, promptsIn, saidIn, untouched } from '../live/live.ts';
import { rollingHashes, sharedStart } from '../live/said.ts';
import { initialState, parseState, stateKey } from '../live/state.ts';
import type { Shown } from '../live/view.ts';
import { note } from '../notices.ts';
import type { Asked, Runtime } from '../runtime.ts';
import { forget, remember, type Turn } from '../turns.ts';
import { sharedView, showShared } from './shared-view.ts';

/**
 * The conversation of a request, with everything that the client has said in it. A client that changes or takes back
 * something gets a branch, which begins with the client's own list.
 */
export async function follow(runtime: Runtime, asked: Asked, turn: Turn): Promise<LiveConversation> {
  const known = await knownFor(runtime, asked, turn);
  const shared = known ? sharedStart(known.hashes, asked.hashes) : 0;
  if (known && shared === known.hashes.length) return grown(runtime, known, asked);
  const hasReply = asked.said.slice(0, shared).some(({ role }) => role === 'assistant');
  return begun(runtime, asked, { turn, parent: hasReply ? known : undefined });
}

async function knownFor(runtime: Runtime, asked: Asked, turn: Turn): Promise<LiveConversation | undefined> {
  const { owner } = turn;
  const continues = (live: LiveConversation): boolean => sharedStart(live.hashes, asked.hashes) === live.hashes.length;
  const { sessionId } = asked;
  if (sessionId !== undefined && !runtime.live.has(sessionId)) {
    const named = await readBack(runtime, sessionId, { turn, asked });
    // Any session of its chain may be named, and is named again with the next request.
    runtime.live.set(sessionId, named);
    if (continues(named)) return named;
  }
  if (owner && continues(owner)) return owner;
  // Of those that begin alike the store says which one was there last, whichever of them is followed.
  const shared = owner ? sharedStart(owner.hashes, asked.hashes) : 0;
  const stored = await storedSession(runtime, asked, shared);
  if (stored === undefined || (await newestSession(runtime.settings.store.sessions, stored)).id === owner?.session.id)
    return owner;
  return readBack(runtime, stored, { turn, asked });
}

export const startKey = (hash: string): string => `said:${hash}`;

/** How many of the newest beginnings of a list are asked for in the store. */
const askedStarts = 200;

/** The session in which the longest beginning of a list was said that has at least `shared` messages. */
async function storedSession({ settings }: Runtime, { hashes }: Asked, shared: number): Promise<SessionId | undefined> {
  const { store } = settings;
  const end = Math.max(1, shared, hashes.length - askedStarts);
  for (let size = hashes.length; size >= end; size--) {
    const id = await store.meta.get(startKey(hashes[size - 1] ?? ''));
    // The key is written first: a process that died behind it has made no session.
    if (id !== undefined && (await store.sessions.get(id))) return id;
  }
  return undefined;
}

interface ReadBackOptions {
  readonly turn: Turn;
  readonly asked: Pick<Asked, 'notices' | 'call'>;
}

/** A stored conversation, as a process would know it that had followed it all along. */
export async function readBack(
  runtime: Runtime,
  id: SessionId,
  { turn, asked }: ReadBackOptions,
): Promise<LiveConversation> {
  const { store } = runtime.settings;
  const { tokenizer } = await runtime.basis();
  const session = await newestSession(store.sessions, id);
  // It was ended, and its client goes on.
  if (session.endedAt !== undefined) await store.sessions.reopen(session.id);
  const { record, entries, places, ids, compressions } = await restoreRecord(store, session, tokenizer.count);
  const { said, atOf } = saidIn(record);
  const shown = entries.map(({ id: messageId, message }, i): Shown => {
    const place = places[i] ?? -1;
    const original = record.at(place);
    const asSaid = original !== undefined && isSameMessage(original, message);
    return { id: messageId, message, at: asSaid ? (atOf.get(place) ?? -1) : -1 };
  });
  const messages = entries.map(({ message }) => message);
  const prompts = messages.slice(0, promptsIn(messages));
  const savedState = await store.meta.get(stateKey(session.rootId));
  const known = parseState(savedState);
  const state = { ...known, prompts: known.prompts ?? promptsHash(prompts) };
  const isPlain = state.prompts === promptsHash(prompts);
  forget(runtime, runtime.live.get(session.id));
  const live: LiveConversation = {
    lane: turn.newLane(),
    session,
    hashes: rollingHashes(said),
    said,
    state,
    savedState: savedState ?? '',
    ...untouched,
    ...(await engineFor(runtime, session, { record, ids: [...ids], policy: state.policy, compressions })),
    // What an engine has added to them stays.
    prompts: shown.slice(0, prompts.length).map((one, i) => ({ ...one, at: isPlain ? i : -1 })),
    view: shown.slice(prompts.length),
  };
  turn.opened.push(live);
  remember(runtime, live);
  await noteSessionStart(runtime, live, { reason: entries.length > 0 ? 'resume' : 'new', asked });
  return live;
}

interface Begin {
  readonly turn: Turn;
  readonly parent: LiveConversation | undefined;
}

async function begun(runtime: Runtime, asked: Asked, { turn, parent }: Begin): Promise<LiveConversation> {
  const { store, source, project, model } = runtime.settings;
  const { tokenizer } = await runtime.basis();
  const id = runtime.newSessionId();
  // First the key: whenever the process dies, the next one finds what there is.
  await store.meta.set(startKey(asked.hashes.at(-1) ?? ''), id);
  const draft: SessionDraft = {
    id,
    source,
    model,
    ...(project === undefined ? {} : { project }),
    ...(parent ? { parentId: parent.session.id, relation: 'branch' } : {}),
  };
  const session = await store.sessions.create(draft);
  const record = createRecord({ count: tokenizer.count });
  const shared = parent ? sharedStart(parent.hashes, asked.hashes) : 0;
  const opening = parent && sharedView({ parent, asked, shared, record });
  const compressions = opening ? 1 : 0;
  const live: LiveConversation = {
    lane: turn.newLane(),
    session,
    hashes: [],
    said: [],
    state: initialState,
    savedState: '',
    ...untouched,
    ...(await engineFor(runtime, session, { record, ids: [], policy: initialState.policy, compressions })),
    prompts: [],
    view: [],
  };
  turn.opened.push(live);
  if (opening) {
    await grown(runtime, live, beginningOf(asked, shared));
    await showShared(runtime, live, opening);
    live.state = { ...live.state, kept: parent.state.kept };
  }
  await noteSessionStart(runtime, live, { reason: 'new', asked });
  if (parent) {
    noteBranch(runtime, asked, parent);
    // Its client has gone another way.
    parent.ahead?.stop();
    parent.ahead = undefined;
  }
  return grown(runtime, live, asked);
}

/** A request as it was when its client had said so much. */
const beginningOf = (asked: Asked, size: number): Asked => ({
  ...asked,
  said: asked.said.slice(0, size),
  hashes: asked.hashes.slice(0, size),
});

function noteBranch(runtime: Runtime, asked: Asked, parent: LiveConversation): void {
  const shared = sharedStart(parent.hashes, asked.hashes);
  const message = `The conversation changed after message ${shared}: it continues as a branch, and the earlier version is kept.`;
  note(runtime, asked, { type: 'branched', level: 'log', message });
}

/** The conversation with everything that the client has said. */
async function grown(runtime: Runtime, live: LiveConversation, asked: Asked): Promise<LiveConversation> {
  const { store } = runtime.settings;
  const known = live.hashes.length;
  const fresh = asked.said.slice(known);
  const expectedSize = live.prompts.length + live.view.length;
  if (fresh.length === 0) {
    await requireUnchanged(runtime, live, expectedSize);
  } else {
    const opening = expectedSize === 0 ? asked.prompts : [];
    const { ids } = await appendInBatches(store.messages, live.session.id, {
      messages: [...opening, ...fresh],
      expectedSize,
      // Whatever its client takes back, the beginning that is left is found.
      meta: Object.fromEntries(asked.hashes.slice(known).map((hash) => [startKey(hash), live.session.id])),
    });
    const shown = [...opening, ...fresh].map((message, i): Shown => {
      return { id: ids[i] ?? '', message, at: i < opening.length ? i : known + i - opening.length };
    });
    if (expectedSize === 0) {
      live.prompts = shown.slice(0, opening.length);
      live.state = { ...live.state, prompts: promptsHash(opening) };
    }
    // In place: a copy of a long view for every step is what a step would cost.
    for (const one of shown.slice(opening.length)) live.view.push(one);
    live.hashes = asked.hashes;
  }
  live.said = asked.said;
  live.lastPrompts = asked.prompts;
  remember(runtime, live, known);
  return live;
}

/** Where nothing is appended, nobody else notices that another process was here. */
async function requireUnchanged({ settings }: Runtime, { session }: LiveConversation, size: number): Promise<void> {
  const now = await settings.store.sessions.get(session.id);
  if (now && now.endedAt === undefined && now.messages === size) return;
  throw new PalimpsestError('STORE_CONFLICT', `Another process changed session ${session.id}: read it again.`, {
    evidence: { id: session.id },
  });
}
