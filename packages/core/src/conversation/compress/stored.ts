/** A stored conversation read back before a compression, and written on after it: the record, the continuation, the usage. */

import type { CompressorOptions } from '../../compression/compressor-session.ts';
import { compressorWith, createCompressor } from '../../compression/engine.ts';
import { isHandoff } from '../../compression/handoff-block.ts';
import { type ConversationRecord, createRecord, nowhere } from '../../compression/record.ts';
import { totalsClause } from '../../compression/report.ts';
import type { CompressionResult, MessageFate } from '../../compression/result.ts';
import type { SummaryCallReport } from '../../compression/summarize/run-plan.ts';
import { stateKeys } from '../../context/define-engine.ts';
import type { ContextEngine } from '../../context/engine.ts';
import type { MessageId, SessionId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import { type Lease, newestSession, type Session } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import { messageTokens } from '../../tokens/measure.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { isSameMessage, type Message, type Transcript } from '../../transcript/message.ts';
import { messageText } from '../../transcript/text.ts';
import { countedCall } from '../../usage/counted-call.ts';
import { noteEpisode } from '../episodes.ts';
import { keptNote, promptsIn } from '../live.ts';
import { pinnedRefs } from '../pins.ts';
import { parseState, stateKey } from '../state.ts';

/** A conversation as a process that had followed it all along would know it. */
export interface KnownConversation {
  readonly record: ConversationRecord;
  /** The view of the newest session. */
  readonly entries: readonly StoredMessage[];
  /** For each entry its place in the record; -1 for a handoff. */
  readonly places: readonly number[];
  /** The id of every message of the record, by its place. */
  readonly ids: readonly MessageId[];
  readonly compressions: number;
}

/** Reads a conversation back, from its first session to the one given. */
export async function restoreRecord(
  store: Store,
  { id }: Session,
  count: (text: string) => number,
): Promise<KnownConversation> {
  const record = createRecord({ count });
  const ids: MessageId[] = [];
  const chain = await store.sessions.chain(id);
  const takenBack = await store.sessions.takenBack(id);
  let entries: readonly StoredMessage[] = [];
  let places: readonly number[] = [];
  let goneBefore: readonly boolean[] = [];
  let said = 0;
  for (const session of chain) {
    entries = await store.messages.view(session.id);
    const isTakenBack = (place: number): boolean =>
      takenBack.some(({ first, last }) => place >= first && place <= last);
    const gone = entries.map(({ origin }) =>
      origin === undefined ? isTakenBack(said++) : (goneBefore[origin] ?? false),
    );
    const kept = entries.filter((_, at) => !gone[at]);
    const opening = kept.filter(({ origin }) => origin !== undefined);
    if (opening.length > 0) {
      record.rememberView(
        opening.map(({ message }) => message),
        opening.map(({ origin = nowhere }) => places[origin] ?? nowhere),
      );
    }
    const found = ingested(record, entries, gone);
    let next = 0;
    places = gone.map((isGone) => (isGone ? nowhere : (found[next++] ?? nowhere)));
    goneBefore = gone;
    for (const [at, place] of places.entries()) if (place !== nowhere) ids[place] ??= entries[at]?.id ?? '';
  }
  const compressions = chain.slice(0, -1).filter(({ endReason }) => endReason !== 'undo').length;
  return { record, entries, places, ids, compressions };
}

/** Takes a view into the record, with the numbers of what was taken back where it was said. */
function ingested(
  record: ConversationRecord,
  entries: readonly StoredMessage[],
  gone: readonly boolean[],
): readonly number[] {
  const kept: Message[] = [];
  for (const [at, { origin, message }] of entries.entries()) {
    if (!gone[at]) kept.push(message);
    else if (origin === undefined) {
      record.ingest(kept);
      record.passOver(1);
    }
  }
  return record.ingest(kept);
}

/** What every continuation is made of; what was said since the view was read stays behind the new list. */
interface Continuing {
  readonly session: Session;
  readonly lease: Lease | undefined;
}

/** What the built-in engine made. */
export interface OwnList extends Continuing {
  readonly result: CompressionResult;
  readonly record: ConversationRecord;
  /** For each message of the stored view its place in the record; -1 for one that is not in it. */
  readonly places: readonly number[];
  /** The id of every message of the record, by its place. */
  readonly ids: readonly (MessageId | undefined)[];
}

/** Opens the continuation with what the built-in engine made. @throws STORE_CONFLICT when somebody else was faster */
export async function continued(store: Store, made: OwnList): Promise<Session> {
  const { record, places, ids, session, result, lease } = made;
  const { messages, handoff } = result;
  const positions = new Map(places.map((place, at) => [place, at]));
  const origins = record
    .ingest(messages)
    .map((place) => (place === nowhere ? nowhere : (positions.get(place) ?? nowhere)));
  const at = messages.findIndex(isHandoff);
  const covers = (handoff?.covers ?? []).flatMap((ref) => ids[Number(ref.slice(1)) - 1] ?? []);
  const next = await store.sessions.continue({
    sessionId: session.id,
    size: places.length,
    messages,
    origins,
    ...(lease ? { lease } : {}),
    ...(handoff && at >= 0 ? { handoff: { at, covers, writtenBy: handoff.writtenBy } } : {}),
  });
  await noteEpisode(store, next.id, messages);
  return next;
}

/** What an engine of others made. */
export interface ListOfOthers extends Continuing {
  readonly list: readonly Message[];
  /** The stored view. */
  readonly view: readonly Pick<StoredMessage, 'id' | 'message'>[];
  /** Where each message that the engine was shown stands in the view. */
  readonly shownAt: ReadonlyMap<Message, number>;
  /** For each message of the view the id of what it was made of, where that is known. @default it was not changed */
  readonly firstIds?: readonly (MessageId | undefined)[];
}

/**
 * Opens the continuation with what an engine of others made. What is still the same object was kept; the first message that
 * it wrote stands for everything that is not shown any more.
 *
 * @throws STORE_CONFLICT when somebody else was faster
 */
export async function continuedByOthers(store: Store, made: ListOfOthers): Promise<Session> {
  const { session, list, view, shownAt, firstIds = [], lease } = made;
  const origins = list.map((message) => shownAt.get(message) ?? nowhere);
  const kept = new Set(origins);
  const at = list.findIndex((message, index) => origins[index] === nowhere && message.role !== 'system');
  const opening = promptsIn(view.map(({ message }) => message));
  const stored = view.map(({ id }, index) => ({ id, first: firstIds[index] }));
  const gone = stored.filter((_, index) => index >= opening && !kept.has(index));
  const covers = at < 0 ? [] : await coveredBy(store, gone);
  return store.sessions.continue({
    sessionId: session.id,
    size: view.length,
    messages: list,
    origins,
    ...(lease ? { lease } : {}),
    ...(covers.length > 0 ? { handoff: { at, covers, writtenBy: 'model' } } : {}),
  });
}

interface Gone {
  readonly id: MessageId;
  readonly first: MessageId | undefined;
}

/** The messages as they were first stored, and in place of an earlier handoff what that stands for. */
async function coveredBy(store: Store, gone: readonly Gone[]): Promise<readonly MessageId[]> {
  const ids = new Set<MessageId>();
  for (const { id, first } of gone) {
    // A handoff may share its message with a request.
    const covered = await store.messages.coveredBy(id);
    const own = first ?? (covered.length > 0 ? undefined : id);
    for (const one of [...covered, ...(own === undefined ? [] : [own])]) ids.add(one);
  }
  return [...ids];
}

/** Counts what the model's calls used, also those of a summary that was not taken. */
export async function noteUsage(
  store: Store,
  sessionId: SessionId,
  { summary, failure }: CompressionResult,
): Promise<void> {
  const before = failure?.before ?? summary?.failures ?? [];
  const calls = [...before, ...(failure ? [failure] : [])].flatMap((attempt) => attempt.calls ?? []);
  await noteCalls(store, sessionId, [...calls, ...(summary?.calls ?? [])]);
}

/** Counts calls of a summary. What was not reported is not guessed: estimates of a call's size stay out of it. */
export async function noteCalls(store: Store, id: SessionId, calls: readonly SummaryCallReport[]): Promise<void> {
  await store.usage.add(
    calls.map(({ model, usage }) => ({ sessionId: id, task: 'summary', ...countedCall(model, usage) })),
  );
}

// The text that a hook keeps through a compression: what it costs, where it stands, and how long it stays.

/** What every such message begins with. */
const opening = messageText(keptNote('')).trimEnd();

const isKeptMessage = (message: Message): boolean =>
  message.role === 'user' && messageText(message).startsWith(opening);

/** Tokens that the text takes of the window. */
export const keptTokens = (kept: string | null, tokenizer: Tokenizer): number =>
  kept === null ? 0 : messageTokens(keptNote(kept), tokenizer);

/** A stored view as its model is sent it. */
export function transcriptWithKept(transcript: Transcript, kept: string | null): Transcript {
  if (kept === null) return transcript;
  const { messages, compressions } = transcript;
  const start = promptsIn(messages);
  const moved = compressions?.map((at) => (at < start ? at : at + 1));
  return {
    ...transcript,
    messages: messages.toSpliced(start, 0, keptNote(kept)),
    ...(moved ? { compressions: moved } : {}),
  };
}

/** What was compressed, and how its tokens are counted. */
interface Given {
  readonly messages: readonly Message[];
  readonly tokenizer: Tokenizer;
}

/** A compression whose list begins with the text, in place of one from before; as it is where nothing was compressed. */
export function resultWithKept(
  result: CompressionResult,
  kept: string | null,
  { messages: given, tokenizer }: Given,
): CompressionResult {
  const over = new Set(result.messages.filter(isKeptMessage));
  if (result.status !== 'compressed' || (kept === null && over.size === 0)) return result;
  const others = result.messages.filter((message) => !over.has(message));
  const messages = kept === null ? others : others.toSpliced(promptsIn(others), 0, keptNote(kept));
  const lost = [...over].reduce((sum, message) => sum + messageTokens(message, tokenizer), 0);
  const more = keptTokens(kept, tokenizer) - lost;
  const fates = result.fates.map((fate): MessageFate => {
    const message = given[fate.at];
    if (!message || !over.has(message)) return fate;
    return { ...fate, fate: 'removed', tokensAfter: 0, why: 'a text that a hook kept, until this compression' };
  });
  const { before, after: made } = result;
  const after = { ...made, head: Math.max(0, made.head + more), total: made.total + more };
  const reason = result.reason.replace(totalsClause(before, made), totalsClause(before, after));
  return { ...result, reason, messages, fates, after };
}

/** Keeps the text with a stored conversation, until its next compression. */
export async function keepForSession(store: Store, rootId: SessionId, kept: string | null): Promise<void> {
  const state = parseState(await store.meta.get(stateKey(rootId)));
  if (state.kept !== kept) await store.meta.set(stateKey(rootId), JSON.stringify({ ...state, kept }));
}

/** The text that is kept with a stored conversation. */
export const keptForSession = async (store: Store, rootId: SessionId): Promise<string | null> =>
  parseState(await store.meta.get(stateKey(rootId))).kept;

// The built-in engine for a session in which an engine of others has failed: it reads back what was said before.

/**
 * A built-in engine that follows the numbers, and whose every compression reads the conversation from the store first:
 * the refs of its handoffs then count all that was said, whatever another engine left out before.
 */
export function storedCompressor(
  store: Store,
  sessionId: SessionId,
  options: CompressorOptions & { readonly tokenizer: Tokenizer },
): ContextEngine<Message> {
  const numbers = createCompressor(options);
  let count = 0;
  const engine: ContextEngine<Message> = {
    ...numbers,
    async compress(messages, call) {
      const tip = await newestSession(store.sessions, sessionId);
      const { record, entries, ids, compressions } = await restoreRecord(store, tip, options.tokenizer.count);
      const { contextLength } = numbers;
      const refs = await pinnedRefs(store, tip.id, ids);
      const parts = { record, compressionCount: compressions, pinned: () => refs };
      const once = compressorWith({ ...options, contextLength }, parts);
      const known = asStored(messages, entries);
      const list = await once.compress(known, call);
      const result = once.lastResult();
      if (result) await noteUsage(store, tip.id, result);
      if (list === known) return messages;
      count++;
      const given = new Map(known.map((message, at) => [message, messages[at]]));
      return list.map((message) => given.get(message) ?? message);
    },
    onSessionReset() {
      count = 0;
      numbers.onSessionReset();
    },
  };
  // The spread above has copied the numbers as they were; these read them as they are.
  const live = stateKeys.map((key) => [key, { get: () => numbers[key] + (key === 'compressionCount' ? count : 0) }]);
  return Object.defineProperties(engine, Object.fromEntries(live));
}

/** So many messages of the store may be missing from a list in a row, such as system prompts. */
const mostMissing = 8;

/** The list in the objects of the store where they say the same: the record knows a message by how it is written. */
function asStored(messages: readonly Message[], entries: readonly StoredMessage[]): readonly Message[] {
  let from = 0;
  return messages.map((message) => {
    const near = entries.slice(from, from + mostMissing);
    const at = near.findIndex((entry) => isSameMessage(entry.message, message));
    if (at < 0) return message;
    from += at + 1;
    return near[at]?.message ?? message;
  });
}
