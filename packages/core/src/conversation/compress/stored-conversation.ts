/** A stored conversation read back before a compression, and written on after it: the record, the continuation, the usage. */
import { isHandoff } from '../../compression/handoff-block.ts';
import { type ConversationRecord, createRecord, nowhere } from '../../compression/record.ts';
import type { CompressionResult } from '../../compression/result.ts';
import type { SummaryCallReport } from '../../compression/summarize/run-plan.ts';
import type { MessageId, SessionId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import type { Lease, Session } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import type { Message } from '../../transcript/message.ts';
import { countedCall } from '../../usage/counted-call.ts';
import { promptsIn } from '../live/live.ts';

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
  let entries: readonly StoredMessage[] = [];
  let places: readonly number[] = [];
  for (const session of chain) {
    entries = await store.messages.view(session.id);
    const opening = entries.filter(({ origin }) => origin !== undefined);
    if (opening.length > 0) {
      record.rememberView(
        opening.map(({ message }) => message),
        opening.map(({ origin = nowhere }) => places[origin] ?? nowhere),
      );
    }
    places = record.ingest(entries.map(({ message }) => message));
    for (const [at, place] of places.entries()) if (place !== nowhere) ids[place] ??= entries[at]?.id ?? '';
  }
  return { record, entries, places, ids, compressions: chain.length - 1 };
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
export function continued(store: Store, made: OwnList): Promise<Session> {
  const { record, places, ids, session, result, lease } = made;
  const { messages, handoff } = result;
  const positions = new Map(places.map((place, at) => [place, at]));
  const origins = record
    .ingest(messages)
    .map((place) => (place === nowhere ? nowhere : (positions.get(place) ?? nowhere)));
  const at = messages.findIndex(isHandoff);
  const covers = (handoff?.covers ?? []).flatMap((ref) => ids[Number(ref.slice(1)) - 1] ?? []);
  return store.sessions.continue({
    sessionId: session.id,
    size: places.length,
    messages,
    origins,
    ...(lease ? { lease } : {}),
    ...(handoff && at >= 0 ? { handoff: { at, covers, writtenBy: handoff.writtenBy } } : {}),
  });
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
