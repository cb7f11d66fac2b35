/** The engine of a conversation: how it is made, and what it is told that it cannot know: sessions and the window. */
import { compressorWith } from '../compression/engine.ts';
import type { PolicyState } from '../compression/policy/state.ts';
import { isSoundList } from '../compression/repair/sound.ts';
import type { CompressionResult } from '../compression/result.ts';
import type { SessionStart } from '../context/engine.ts';
import { defined } from '../shared/defined.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { type Lease, newestSession, type Session } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import type { Message } from '../transcript/message.ts';
import { carriesResults, toolCalls, toolResults } from '../transcript/text.ts';
import { bounded, callHook, type Host } from './call-hooks.ts';
import { continued, continuedByOthers } from './compress/stored.ts';
import {
  type Asked,
  type BuiltIn,
  type LiveConversation,
  promptsFor,
  promptsHash,
  promptsIn,
  type Runtime,
  type Shown,
  type Snapshot,
  type Step,
} from './live.ts';
import { commitToMemory, coveredBy } from './memory/commit.ts';
import { serveSession } from './memory/provider.ts';
import { showMemory } from './memory/snapshot.ts';
import { carryPauses } from './pauses.ts';
import { keptWithPins } from './pins.ts';
import { carryRecalled } from './recalled.ts';
import { remember } from './turns.ts';

interface EngineBasis extends Omit<BuiltIn, 'compressor' | 'pinned'> {
  readonly policy: PolicyState;
  readonly compressions: number;
}

/** The engine of the settings, else the built-in one. */
export function engineFor(
  { runtime, basis }: Pick<Step, 'runtime' | 'basis'>,
  session: Session,
  { record, ids, policy, compressions: compressionCount }: EngineBasis,
): Pick<LiveConversation, 'engine' | 'builtIn'> {
  const { engine, model, reservedOutputTokens, now, config, store } = runtime.settings;
  if (engine) return { engine: engine(session.id), builtIn: undefined };
  const { tokenizer, contextLength, summarizer } = basis;
  const options = { model, contextLength, reservedOutputTokens, tokenizer, config, ...defined({ summarizer }) };
  const pinned: BuiltIn['pinned'] = { refs: [] };
  const parts = {
    now,
    record,
    policy,
    compressionCount,
    pinned: () => pinned.refs,
    ...defined({ keptIn: store.name }),
  };
  const compressor = compressorWith(options, parts);
  return { engine: compressor, builtIn: { compressor, record, ids, pinned } };
}

/** Tells the engine and the hooks that a session begins: anew, read back, or behind a compression. */
export async function noteSessionStart(
  host: Host & { readonly runtime: Runtime },
  { engine, session }: LiveConversation,
  reason: SessionStart['reason'],
): Promise<void> {
  const { id: sessionId, parentId: from } = session;
  const { model } = host.runtime.settings;
  // What an engine is told comes before what it is asked, also by the next request.
  const work = (): Promise<void> => engine.onSessionStart(sessionId, { reason, model });
  await bounded(host, { name: `onSessionStart of the engine "${engine.name}"`, work });
  if (reason !== 'compression') {
    await callHook(host, 'onSessionStart', (hooks, call) => hooks.onSessionStart?.({ sessionId, reason }, call));
  } else if (from !== undefined) await tellContinued(host, from, sessionId);
}

/** Tells the hook that a compression goes on in another session. */
export const tellContinued = (host: Host, from: string, to: string): Promise<void> =>
  callHook(host, 'onSessionContinue', (hooks, call) => hooks.onSessionContinue?.({ from, to }, call));

/** Tells the engine and the hooks that a conversation has really ended. */
export async function noteSessionEnd(runtime: Runtime, live: LiveConversation, reason: string): Promise<void> {
  const { engine, session, view } = live;
  const host = { runtime, asked: { notices: [], call: {} } };
  const messages = view.map(({ message }) => message);
  const work = (): Promise<void> => engine.onSessionEnd(session.id, messages);
  await bounded(host, { name: `onSessionEnd of the engine "${engine.name}"`, work });
  await callHook(host, 'onSessionEnd', (hooks, call) => hooks.onSessionEnd?.({ sessionId: session.id, reason }, call));
}

/** Nothing is told that the engine knows: a change of the model makes it forget what it has learnt. */
export function useWindow(
  { runtime, live }: Pick<Step, 'runtime' | 'live'>,
  contextLength: number,
  model: string = runtime.settings.model,
): void {
  if (live.engine.contextLength === contextLength) return;
  const { reservedOutputTokens } = runtime.settings;
  live.engine.updateModel({ model, contextLength, reservedOutputTokens });
}

// A running conversation as something to compress: the list that its engine is shown, and what it goes on with.

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

/** Whoever held the lease before may have gone on from the session. @throws STORE_CONFLICT */
export async function requireTip({ runtime, live }: Step): Promise<void> {
  const { session, prompts, view } = live;
  const tip = await newestSession(runtime.settings.store.sessions, session.id);
  if (tip.id === session.id && tip.messages === prompts.length + view.length) return;
  throw conflict(session.id, `Another process continued session ${session.id}: read it again.`);
}

const conflict = (id: string, message: string): PalimpsestError =>
  new PalimpsestError('STORE_CONFLICT', message, { evidence: { id } });

/** What an engine made of a conversation. */
export interface Smaller {
  /** What it was shown; what was said since stays behind the smaller list as it is. */
  readonly snapshot: Snapshot;
  readonly list: readonly Message[];
  /** For each message of the stored view its place in the record of the built-in engine. */
  readonly places: readonly number[];
  /** The report of the built-in engine. */
  readonly result: CompressionResult | undefined;
}

interface GoingOn extends Smaller {
  /** What a hook wants the new context to begin with. */
  readonly kept: string | null;
  /** What a model found worth keeping of what is covered. */
  readonly proposed: readonly string[];
  readonly lease: Lease;
}

/** The session goes on in a continuation that opens with the smaller list. @throws STORE_CONFLICT when another process has gone on with it */
export async function goOn(step: Step, { kept, ...made }: GoingOn): Promise<void> {
  const { runtime, live } = step;
  const { snapshot, list, result } = made;
  const { store } = runtime.settings;
  // First: no summary decides on what is remembered (L2).
  const { session: before, list: given } = snapshot;
  const { proposed } = made;
  await commitToMemory(step, { session: before, covered: coveredBy(given, list), proposed });
  const beside = live.builtIn ? kept : await keptWithPins(store, before.id, { list, kept });
  const session = await opened(store, live, made);
  const since = live.view.slice(snapshot.view.length);
  const ids = await store.messages.viewIds(session.id);
  const expected = list.length + since.length;
  if (ids.length !== expected) {
    const what = `Expected ${expected} messages in session ${session.id}, got ${ids.length}`;
    throw conflict(session.id, `${what}: another process added some. Read it again.`);
  }
  const atOf = placesInRequest(snapshot);
  const shown = list.map((message, i): Shown => ({ id: ids[i] ?? '', message, at: atOf.get(message) ?? -1 }));
  const opening = promptsIn(list);
  live.session = session;
  live.prompts = shown.slice(0, opening);
  live.view = [...shown.slice(opening), ...since];
  const known = { prompts: snapshot.promptsHash, kept: beside, usualExtraTokens: result?.usualExtraTokens ?? 0 };
  live.state = { ...live.state, report: null, ...known };
  await showMemory(step);
  await carryRecalled(step);
  await carryPauses(step);
  remember(runtime, live, live.hashes.length);
  await noteSessionStart(step, live, 'compression');
  await serveSession(step);
}

/** Where each message that the engine was shown stands in what the client sends, or among its system prompts. */
function placesInRequest({ prompts, view, list }: Snapshot): ReadonlyMap<Message, number> {
  const atOf = new Map(view.map(({ message, at }) => [message, at]));
  for (const [at, prompt] of list.slice(0, promptsIn(list)).entries()) {
    atOf.set(prompt, prompts.find(({ message }) => message === prompt)?.at ?? at);
  }
  return atOf;
}

function opened(
  store: Store,
  { builtIn }: LiveConversation,
  { result, places, lease, snapshot, list }: Omit<GoingOn, 'kept' | 'proposed'>,
): Promise<Session> {
  const { session, prompts, view } = snapshot;
  if (builtIn && result) return continued(store, { session, result, ...builtIn, places, lease });
  const stored = [...prompts, ...view];
  const shownAt = new Map(stored.map(({ message }, at) => [message, at]));
  return continuedByOthers(store, { session, list, view: stored, shownAt, lease });
}
