/** Reads what a search found: around a message, and a conversation from both ends. */
import type { MessageId, SessionId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import { lineageTitle } from './conversation-title.ts';
import { type Lineage, lineageOf, locate, type ReadableStore, readLineage } from './lineage.ts';

export interface AroundOptions {
  /** How many messages on each side. @default 5 */
  readonly window?: number;
  /** A session of the conversation in which the message is looked for. @default where it was shown first */
  readonly sessionId?: SessionId;
}

/** A message with those beside it, in the order in which they were said, over the borders of sessions. */
export interface AroundMessage {
  readonly lineage: Lineage;
  /** As `conversationTitle` gives it. */
  readonly title: string;
  readonly message: StoredMessage;
  readonly before: readonly StoredMessage[];
  readonly after: readonly StoredMessage[];
  /** How many messages of the conversation lie before and after what is given here. */
  readonly earlier: number;
  readonly later: number;
}

export const usualWindow = 5;

/** A message and its neighbours; undefined for an id that no message of the place has. Throws `ID_UNKNOWN` for a session. */
export async function readAround(
  store: ReadableStore,
  id: MessageId,
  { window = usualWindow, sessionId }: AroundOptions = {},
): Promise<AroundMessage | undefined> {
  const located = await locate(store, id, sessionId);
  if (!located) return undefined;
  const { lineage, at, isPart, stored } = located;
  const next = isPart ? at + 1 : at;
  const before = await readLineage(store, lineage, { from: at - window, to: at });
  const after = await readLineage(store, lineage, { from: next, to: next + window });
  return {
    lineage,
    title: await lineageTitle(store, lineage),
    message: stored,
    before,
    after,
    earlier: at - before.length,
    later: lineage.size - next - after.length,
  };
}

/** Messages of a conversation that are read from its beginning, and from its end. */
export const readEnds = { head: 20, tail: 10 } as const;

/** A conversation from both ends. */
export interface ReadConversation {
  readonly lineage: Lineage;
  /** As `conversationTitle` gives it. */
  readonly title: string;
  readonly head: readonly StoredMessage[];
  /** How many messages lie between. */
  readonly between: number;
  readonly tail: readonly StoredMessage[];
}

/** A conversation, by any of its sessions. Throws `ID_UNKNOWN` for a session that does not exist. */
export async function readConversation(
  store: ReadableStore,
  id: SessionId,
  { head, tail }: { readonly head: number; readonly tail: number } = readEnds,
): Promise<ReadConversation> {
  const lineage = await lineageOf(store, id);
  const first = await readLineage(store, lineage, { from: 0, to: head });
  const last = await readLineage(store, lineage, {
    from: Math.max(first.length, lineage.size - tail),
    to: lineage.size,
  });
  const between = lineage.size - first.length - last.length;
  return { lineage, title: await lineageTitle(store, lineage), head: first, between, tail: last };
}
