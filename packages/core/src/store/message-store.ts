/** The port to what was said: messages are stored once and never change; a session is an ordered view over them. */
import { defined } from '../shared/defined.ts';
import type { Message } from '../transcript/message.ts';
import type { Instant, MessageId, SessionId } from './ids.ts';
import type { UsageEntry } from './usage-store.ts';

/** A message in a place of a session. */
export interface StoredMessage {
  readonly id: MessageId;
  readonly sessionId: SessionId;
  /** Its place in the view of the session, from 0. */
  readonly position: number;
  /** When it was said; where the message does not tell, when it was stored, and for an import the start of the session. */
  readonly time: Instant;
  /**
   * In a session that a compression opened, for the messages that it opened with: the position in the session before of
   * what the message is or was made of; -1 for a handoff. Absent for what was said later.
   */
  readonly origin?: number;
  /** Set where a whole conversation is read: a person has taken it back, and no model sees it any more. */
  readonly isTakenBack?: true;
  /** With every field that it came with, byte for byte, but without the place in its file. */
  readonly message: Message;
}

/** A part of a view. */
export interface ViewRange {
  /** First position and the one after the last. @default the whole view */
  readonly from?: number;
  readonly to?: number;
}

/** A part of the view of a session. */
export interface SessionRange extends ViewRange {
  readonly sessionId: SessionId;
}

/** What an append may be told. */
export interface AppendOptions {
  /** How many messages the caller believes the view to have: another count is refused with `STORE_CONFLICT`. */
  readonly expectedSize?: number;
  /** When a message without a time was said. @default now */
  readonly time?: Instant;
  /** Small values that are kept with the messages, as `MetaStore` keeps them: all of it, or nothing. @default none */
  readonly meta?: Readonly<Record<string, string>>;
  /** Calls that are counted with the messages, as `UsageStore.add` counts them. @default none */
  readonly usage?: readonly UsageEntry[];
}

/** What an append did. */
export interface Appended {
  /** Ids in the order of the messages given. */
  readonly ids: readonly MessageId[];
  /** Position of the first of them. */
  readonly from: number;
  /** Messages that no session had before. */
  readonly added: number;
}

/** Every method is atomic: done and durable when its promise is fulfilled, or not done at all. */
export interface MessageStore {
  /**
   * Adds messages at the end of a session's view. Those that are known already are shown again, not stored again. Others
   * cannot write meanwhile: `appendInBatches` takes long lists in steps.
   * Throws `ID_UNKNOWN` for a session that does not exist, `STORE_CONFLICT` for one that has ended or grown.
   */
  append(sessionId: SessionId, messages: readonly Message[], options?: AppendOptions): Promise<Appended>;
  /** The messages of a view in order; empty for a range outside. Throws `ID_UNKNOWN`. */
  view(sessionId: SessionId, range?: ViewRange): Promise<readonly StoredMessage[]>;
  /** Parts of several views at one moment, in the order asked for. Throws `ID_UNKNOWN` for a session that does not exist. */
  views(ranges: readonly SessionRange[]): Promise<readonly StoredMessage[]>;
  /** The ids of a view in order: enough to tell what of a list is new. Throws `ID_UNKNOWN`. */
  viewIds(sessionId: SessionId): Promise<readonly MessageId[]>;
  /** A message in the session that showed it first; undefined for an id that was not given. */
  get(id: MessageId): Promise<StoredMessage | undefined>;
  /** The ids that begin with these hex digits, in order, at most `limit`; none for no digits. */
  find(prefix: string, limit: number): Promise<readonly MessageId[]>;
  /** Every place where messages are shown, oldest session first. */
  places(ids: readonly MessageId[]): Promise<readonly StoredMessage[]>;
  /** The messages that a handoff stands for, oldest first; empty for a message that is no handoff. */
  coveredBy(id: MessageId): Promise<readonly MessageId[]>;
  count(): Promise<number>;
}

// Long imports, in steps that leave room for other writers.

/** How much one step holds: some tenths of a second, in which no other process can write. */
export const batchLimits = { messages: 1_000, characters: 8_000_000 } as const;

/**
 * Appends any number of messages in steps of bounded size, each of them atomic; what goes with them is kept with the first one.
 * What ends it halfway leaves a beginning of the list, which `viewIds` shows. Throws what `append` throws, also when somebody else appends in between.
 */
export async function appendInBatches(
  store: MessageStore,
  sessionId: SessionId,
  { messages, ...options }: AppendOptions & { readonly messages: readonly Message[] },
): Promise<Appended> {
  const later = defined({ time: options.time });
  let all: Appended | undefined;
  for (const batch of batches(messages)) {
    const expected = all === undefined ? options : { ...later, expectedSize: all.from + all.ids.length };
    const done = await store.append(sessionId, batch, expected);
    all = all ? { ids: [...all.ids, ...done.ids], from: all.from, added: all.added + done.added } : done;
  }
  return all ?? store.append(sessionId, [], options);
}

/** The messages in steps, each within the limits. */
export function* batches(messages: readonly Message[]): Generator<readonly Message[]> {
  let batch: Message[] = [];
  let characters = 0;
  for (const message of messages) {
    const length = roughCharacters(message);
    const full = batch.length >= batchLimits.messages || characters + length > batchLimits.characters;
    if (full && batch.length > 0) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(message);
    characters += length;
  }
  if (batch.length > 0) yield batch;
}

/** Counts every string in a message; its JSON is somewhat longer. Without recursion, since values may be nested deep. */
function roughCharacters(message: Message): number {
  const open: unknown[] = [message];
  let characters = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') characters += value.length;
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) open.push(one);
  }
  return characters;
}
