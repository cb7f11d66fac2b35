/** Compresses a conversation that a store keeps: the session ends, and its continuation opens with the smaller list. */

import { PalimpsestError } from '../shared/errors.ts';
import type { MessageId, SessionId } from '../store/ids.ts';
import type { Lease } from '../store/lease-store.ts';
import type { StoredMessage } from '../store/message-store.ts';
import { newestSession } from '../store/newest-session.ts';
import type { Session } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import { countedCall } from '../usage/counted-call.ts';
import { compress } from './compress.ts';
import { isHandoff } from './handoff-block.ts';
import type { CompressOptions } from './options.ts';
import { type ConversationRecord, createRecord, nowhere } from './record.ts';
import type { CompressionResult } from './result.ts';
import type { SummaryCallReport, SummaryProgress } from './summarize/run-plan.ts';

/** How a stored conversation is compressed: as a list is, and by whom. */
export interface CompressSessionOptions extends Omit<CompressOptions, 'record' | 'compressionCount'> {
  /** Who compresses, for whoever finds the conversation busy: a process, or one of its tasks. */
  readonly owner: string;
  /**
   * Milliseconds after which another process may take over when this one has died. Longer than a model may be silent.
   * @default 300_000
   */
  readonly leaseMilliseconds?: number;
}

/** What became of a stored conversation. */
export interface SessionCompression {
  /** The session to go on with: the continuation, or the same one where nothing was compressed. */
  readonly session: Session;
  readonly result: CompressionResult;
}

const defaultLease = 300_000;

/**
 * Compresses the newest session of a conversation and opens its continuation, in one transaction: whatever happens on
 * the way, the conversation is as it was before or as it is after. Refs of the handoff count the messages of the whole
 * conversation. What was said meanwhile stands behind the new list.
 *
 * @throws ID_UNKNOWN for a session that does not exist; STORE_CONFLICT while another process compresses the
 * conversation, or when the lease was lost; and whatever `compress` throws
 */
export async function compressSession(
  store: Store,
  id: SessionId,
  { owner, leaseMilliseconds = defaultLease, ...options }: CompressSessionOptions,
): Promise<SessionCompression> {
  const tip = await newestSession(store.sessions, id);
  const name = `compress:${tip.rootId}`;
  const first = await store.leases.acquire(name, owner, leaseMilliseconds);
  if (!first) throw await busyError(store, name);
  const lease = renewing(store, first, leaseMilliseconds);
  try {
    // Whoever held the lease before may have gone on from it.
    const session = await newestSession(store.sessions, tip.id);
    const known = await restoreRecord(store, session, options.tokenizer.count);
    const result = await compress(
      known.entries.map(({ message }) => message),
      {
        ...(store.name === undefined ? {} : { keptIn: `session ${tip.rootId} of ${store.name}` }),
        ...options,
        record: known.record,
        compressionCount: known.compressions,
        onSummaryProgress: (event) => {
          lease.seen(event);
          options.onSummaryProgress?.(event);
        },
      },
    );
    await noteUsage(store, session.id, result);
    if (result.status !== 'compressed') return { session, result };
    return { session: await continued(store, { ...known, session, result, lease: await lease.current() }), result };
  } finally {
    await store.leases.release(await lease.current());
  }
}

/** What to throw where somebody else holds the lease of this name on a conversation. */
export async function busyError(store: Store, name: string): Promise<PalimpsestError> {
  const holder = (await store.leases.held()).find((lease) => lease.name === name);
  const who = holder ? `${holder.owner} until ${new Date(holder.expiresAt).toISOString()}` : 'another process';
  return new PalimpsestError(
    'STORE_CONFLICT',
    `The conversation is already being compressed by ${who}: wait for that to end, then read the conversation again.`,
    { evidence: { lease: name } },
  );
}

/** A lease that is given a new end while a model shows signs of life. */
interface RenewingLease {
  seen(event: SummaryProgress): void;
  current(): Promise<Lease>;
}

/** Pieces of text come many times a second. */
const textsPerRenewal = 200;

function renewing(store: Store, first: Lease, milliseconds: number): RenewingLease {
  let lease = Promise.resolve(first);
  let texts = 0;
  return {
    seen: (event) => {
      if (event.type === 'text' && ++texts % textsPerRenewal !== 0) return;
      // One that was lost stays as it is: the store refuses what is done under it.
      lease = lease.then(async (held) => (await store.leases.renew(held, milliseconds).catch(() => undefined)) ?? held);
    },
    current: () => lease,
  };
}

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

/** A compression that is to be written down. */
export interface Finished {
  readonly session: Session;
  readonly result: CompressionResult;
  readonly record: ConversationRecord;
  /** For each message of the stored view its place in the record; -1 for one that is not in it. */
  readonly places: readonly number[];
  /** The id of every message of the record, by its place. */
  readonly ids: readonly (MessageId | undefined)[];
  readonly lease?: Lease;
}

/** Opens the continuation with what the built-in engine made. */
export function continued(store: Store, { record, places, ids, session, result, lease }: Finished): Promise<Session> {
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
