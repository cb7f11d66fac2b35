/** Reads what a search found, around a message or from both ends of a conversation, and shows messages. */
import type { Instant, MessageId, SessionId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import type { Message } from '../../transcript/message.ts';
import { originOf } from '../../transcript/origin.ts';
import { cleanPiece, type ShownPiece } from '../../transcript/redact.ts';
import { carriesResults, toolCalls, toolResults } from '../../transcript/text.ts';
import { type Lineage, lineageOf, lineageTitle, locate, type ReadableStore, readLineage } from './lineage.ts';

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

// A stored message as people and models read it: without credentials, and cut where it is long.

/** Who speaks: a role, or for role `user` the host program or an earlier summary. */
export type Speaker = 'system' | 'user' | 'host' | 'summary' | 'assistant' | 'tool';

/** A message with its text, or a piece of it; recognised credentials are masked. */
export interface ShownMessage extends ShownPiece {
  readonly id: MessageId;
  readonly sessionId: SessionId;
  readonly time: Instant;
  readonly speaker: Speaker;
  readonly name?: string;
  /** The tools that it calls, or whose results it carries, each once. */
  readonly tools: readonly string[];
  /** A person has taken it back. */
  readonly isTakenBack?: true;
}

interface ShowOptions {
  /** Characters that are passed over. @default 0 */
  readonly from?: number;
  /** Most characters shown. */
  readonly max: number;
}

/** A message that carries results counts as a tool's, whatever its role in the format. */
export function speakerOf(message: Message): Speaker {
  if (message.role === 'assistant' || message.role === 'system') return message.role;
  if (message.role === 'tool' || carriesResults(message)) return 'tool';
  const origin = originOf(message);
  return origin === undefined || origin === 'person' ? 'user' : origin;
}

/** Messages as they are shown; a result gets the name of its tool from the calls among them. */
export function shownMessages(messages: readonly StoredMessage[], options: ShowOptions): readonly ShownMessage[] {
  const names = calledNames(messages);
  return messages.map((stored) => shown(stored, names, options));
}

/** The tools that a message calls, or whose results it carries, each once; the calls stand in the messages near it. */
export const toolsOf = ({ message }: StoredMessage, near: readonly StoredMessage[]): readonly string[] =>
  toolNames(message, calledNames(near));

/** The names of tools by the ids of their calls. */
const calledNames = (messages: readonly StoredMessage[]): ReadonlyMap<string, string> =>
  new Map(messages.flatMap(({ message }) => toolCalls(message).map(({ callId, name }) => [callId, name] as const)));

function toolNames(message: Message, names: ReadonlyMap<string, string>): readonly string[] {
  const answered = toolResults(message).flatMap(({ name, callId }) => name ?? names.get(callId) ?? []);
  return [...new Set([...toolCalls(message).map(({ name }) => name), ...answered])];
}

function shown(
  stored: StoredMessage,
  names: ReadonlyMap<string, string>,
  { from = 0, max }: ShowOptions,
): ShownMessage {
  const { id, sessionId, time, message } = stored;
  return {
    id,
    sessionId,
    time,
    speaker: speakerOf(message),
    ...(message.name === undefined ? {} : { name: message.name }),
    tools: toolNames(message, names),
    ...(stored.isTakenBack ? { isTakenBack: true } : {}),
    ...cleanPiece(message, { from, max }),
  };
}
