/**
 * Pins (A7): a message that a person pins stays word for word in every later context of its conversation. It changes nothing
 * before the next compression: while the message is shown it is said once, and what a cache holds stays good.
 */
import { hidesCredential, type PinnableWords, pinnableWords, pinnedSection } from '../compression/pinned.ts';
import { refAt } from '../compression/record.ts';
import type { Ref } from '../compression/ref.ts';
import { expandSession } from '../recall/expand-tool.ts';
import { lineageNumbers, lineageOf, locate, readLineage } from '../recall/read/lineage.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { aText, checkKnownOptions } from '../shared/options/known-options.ts';
import type { Instant, MessageId, SessionId } from '../store/ids.ts';
import type { StoredPin } from '../store/pin-store.ts';
import type { Store } from '../store/store.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Message } from '../transcript/message.ts';
import { isFromPerson } from '../transcript/origin.ts';
import { messageText } from '../transcript/text.ts';

/** Which message of which conversation. */
export interface PinRequest {
  /** Any session of the conversation. */
  readonly sessionId: SessionId;
  /** The message as handoffs and stubs name it, such as `m12`. */
  readonly ref?: string;
  /** The message by its id in the store. @default the one of `ref`, else the newest message of the person */
  readonly messageId?: MessageId;
}

/** A pinned message. */
export interface PinnedMessage {
  readonly ref: Ref;
  readonly messageId: MessageId;
  readonly speaker: 'person' | 'assistant';
  /** As it stands in contexts: word for word, credentials masked. */
  readonly text: string;
  readonly tokens: number;
  readonly pinnedAt: Instant;
}

/** What is pinned in a conversation, the oldest pin first. */
export interface PinList {
  readonly pins: readonly PinnedMessage[];
  readonly usedTokens: number;
  /** What all pins together may have. */
  readonly mostTokens: number;
}

/** What became of a wish to pin. `refused`: nothing was changed, and `message` says why and what to do. */
export interface PinReport extends PinList {
  readonly status: 'pinned' | 'already' | 'refused';
  /** One line for a person. */
  readonly message: string;
  /** The message, unless it was refused. */
  readonly pin?: PinnedMessage;
}

/** What became of a wish to unpin. */
export interface UnpinReport extends PinList {
  readonly status: 'unpinned' | 'not-pinned';
  /** One line for a person. */
  readonly message: string;
}

/** How pins are measured: by the tokenizer of the model, within its budget (`budgetsFor`). */
export interface PinRoom {
  readonly tokenizer: Pick<Tokenizer, 'count'>;
  /** What all pins of a conversation together may have. */
  readonly mostTokens: number;
}

/**
 * Pins a message because a person asks for it; for whoever has a store and no runtime.
 *
 * @throws ID_UNKNOWN for a session or a message that does not exist there; BAD_OPTION for a text that names not one message
 *
 * @example
 * import { openStore, pinMessage } from '@palimpsest/core/store';
 * import { estimatingTokenizer } from '@palimpsest/core';
 * await using store = await openStore({ path: 'agent.db' });
 * const [session] = await store.sessions.find('Move the ledgers');
 * const room = { tokenizer: estimatingTokenizer('claude'), mostTokens: 10_000 };
 * if (session) await pinMessage(store, { sessionId: session.id, ref: 'm1' }, room);
 */
export async function pinMessage(store: Store, request: PinRequest, room: PinRoom): Promise<PinReport> {
  const { sessionId } = request;
  const { ref, messageId, message, isTakenBack } = await meantBy(store, request);
  const words = pinnableWords(message);
  const refused = async (why: string): Promise<PinReport> => ({
    ...(await listPins(store, sessionId, room)),
    status: 'refused',
    message: `${ref} was not pinned: ${why}`,
  });
  if (isTakenBack) return refused('it was taken back. Say it again and pin that.');
  if (!words) return refused(notPinnable(message));
  const tokens = tokensOf({ ref, ...words }, room);
  const { type } = await store.pins.add(sessionId, { messageId, tokens, mostTokens: room.mostTokens });
  const list = await listPins(store, sessionId, room);
  const pin = list.pins.find((one) => one.messageId === messageId);
  if (type === 'full' || !pin) return refused(noRoom(tokens, list));
  const masked = hidesCredential(message) ? ' A credential in it is masked.' : '';
  const used = `${number(list.usedTokens)} of ${number(list.mostTokens)} tokens are used`;
  if (type === 'known') return { ...list, status: 'already', pin, message: `${ref} is pinned already; ${used}.` };
  return { ...list, status: 'pinned', pin, message: `${ref} is pinned; ${used}.${masked}` };
}

/**
 * Takes a pin away. What the newest handoff shows of it stays there until the next compression.
 *
 * @throws as `pinMessage`; BAD_OPTION without a message
 */
export async function unpinMessage(store: Store, request: PinRequest, room: PinRoom): Promise<UnpinReport> {
  if (request.ref === undefined && request.messageId === undefined) {
    throw new PalimpsestError('BAD_OPTION', 'expected a ref or a messageId to unpin, got neither');
  }
  const { ref, messageId } = await meantBy(store, request);
  const isDone = await store.pins.remove(request.sessionId, messageId);
  const list = await listPins(store, request.sessionId, room);
  const message = isDone ? `${ref} is no longer pinned.` : `${ref} is not pinned${pinnedNow(list)}.`;
  return { ...list, status: isDone ? 'unpinned' : 'not-pinned', message };
}

/** What is pinned in a conversation. @throws ID_UNKNOWN for a session that does not exist */
export async function listPins(store: Store, sessionId: SessionId, { mostTokens }: PinRoom): Promise<PinList> {
  const pins: PinnedMessage[] = [];
  const stored = await store.pins.list(sessionId);
  for (const pin of stored) pins.push(...(await pinnedMessage(store, sessionId, pin)));
  return { pins, usedTokens: stored.reduce((sum, { tokens }) => sum + tokens, 0), mostTokens };
}

async function pinnedMessage(store: Store, sessionId: SessionId, pin: StoredPin): Promise<readonly PinnedMessage[]> {
  const found = await namedIn(store, sessionId, pin.messageId);
  const words = found && pinnableWords(found.message);
  return words ? [{ ref: found.ref, ...pin, ...words }] : [];
}

interface Meant {
  readonly ref: Ref;
  readonly messageId: MessageId;
  readonly message: Message;
  readonly isTakenBack: boolean;
}

async function meantBy(store: Store, request: PinRequest): Promise<Meant> {
  checkKnownOptions('pin', request, { sessionId: { ...aText, isNeeded: true }, ref: aText, messageId: aText });
  const { sessionId, ref, messageId } = request;
  if (messageId !== undefined) {
    const found = await namedIn(store, sessionId, messageId);
    if (found) return found;
    const shown = messageId.slice(0, 80);
    const message = `There is no message ${shown} in the conversation of session ${sessionId.slice(0, 80)}.`;
    throw new PalimpsestError('ID_UNKNOWN', message, { evidence: { id: shown } });
  }
  if (ref === undefined) return newestWords(store, sessionId);
  const [one, ...others] = await expandSession(store, sessionId, ref);
  if (one && others.length === 0)
    return { ref: one.ref, messageId: one.id, message: one.message, isTakenBack: one.isTakenBack === true };
  throw new PalimpsestError('BAD_OPTION', `expected one message, such as m12, got ${ref.slice(0, 40)}`);
}

/** A message of the conversation by its id; undefined where it was not said there. */
async function namedIn(store: Store, sessionId: SessionId, messageId: MessageId): Promise<Meant | undefined> {
  const located = await locate(store, messageId, sessionId);
  if (!located?.isPart) return undefined;
  const { lineage, at, stored } = located;
  const place = (await lineageNumbers(store, lineage)).placeOf(at);
  return { ref: refAt(place), messageId, message: stored.message, isTakenBack: stored.isTakenBack === true };
}

const pageSize = 100;

/** The newest message of the person, read page by page from the end. */
async function newestWords(store: Store, sessionId: SessionId): Promise<Meant> {
  const lineage = await lineageOf(store, sessionId);
  for (let to = lineage.size; to > 0; to -= pageSize) {
    const page = await readLineage(store, lineage, { from: to - pageSize, to });
    const at = page.findLastIndex(
      ({ message, isTakenBack }) => !isTakenBack && isFromPerson(message) && messageText(message).trim() !== '',
    );
    const found = page[at];
    if (!found) continue;
    const place = (await lineageNumbers(store, lineage)).placeOf(Math.max(0, to - pageSize) + at);
    return { ref: refAt(place), messageId: found.id, message: found.message, isTakenBack: false };
  }
  throw new PalimpsestError('ID_UNKNOWN', 'Nobody has said anything in this conversation yet that could be pinned.');
}

const tokensOf = (words: PinnableWords & { readonly ref: Ref }, { tokenizer }: PinRoom): number =>
  tokenizer.count(pinnedSection([words]));

function notPinnable({ role }: Message): string {
  if (role === 'tool')
    return 'it is the result of a tool. Pin what you or the assistant said of it; expand brings it back.';
  if (role === 'assistant') return 'the assistant says nothing in it. Pin its answer, or your request.';
  return 'it is not said by you or the assistant, or it has no words. Pin the message in which you said it.';
}

function noRoom(tokens: number, { pins, usedTokens, mostTokens }: PinList): string {
  const all = `pins may have ${number(mostTokens)} tokens together`;
  const needed = `it needs ${number(tokens)}`;
  if (pins.length === 0) return `${needed}, and ${all}. Say it shorter and pin that, or raise pinRatio.`;
  const listed = pins.map((pin) => `${pin.ref} (${number(pin.tokens)})`).join(', ');
  return `${needed}, ${all}, and ${number(usedTokens)} are used by ${listed}. Unpin some, or raise pinRatio.`;
}

const pinnedNow = ({ pins }: PinList): string =>
  pins.length === 0 ? ': nothing is' : `; pinned are ${pins.map(({ ref }) => ref).join(', ')}`;

const number = (value: number): string => value.toLocaleString('en-US');

// What a compression does with them.

/** Pinned messages by their numbers in a record; `ids` has the id of every message of it, by its place. */
export async function pinnedRefs(
  { pins }: Pick<Store, 'pins'>,
  sessionId: SessionId,
  ids: readonly (MessageId | undefined)[],
): Promise<readonly Ref[]> {
  const stored = await pins.list(sessionId);
  return stored.flatMap(({ messageId }) => {
    const place = ids.lastIndexOf(messageId);
    return place < 0 ? [] : [refAt(place)];
  });
}

interface PinReader {
  readonly ids: readonly (MessageId | undefined)[];
  readonly pinned: { refs: readonly Ref[] };
}

/** Has the built-in engine know the pins as they are now, also those of other processes. */
export async function readPins(store: Store, sessionId: SessionId, reader: PinReader): Promise<readonly Ref[]> {
  reader.pinned.refs = await pinnedRefs(store, sessionId, reader.ids);
  return reader.pinned.refs;
}

/**
 * What the new context is to begin with where another engine made the list, which knows of no pins: what a hook keeps, and
 * before it what is pinned and not shown.
 */
export async function keptWithPins(
  store: Store,
  sessionId: SessionId,
  { list, kept }: { readonly list: readonly Message[]; readonly kept: string | null },
): Promise<string | null> {
  const { pins } = await listPins(store, sessionId, { tokenizer: { count: () => 0 }, mostTokens: 0 });
  const shown = new Set(list.map((message) => pinnableWords(message)?.text));
  const section = pinnedSection(pins.filter(({ text }) => !shown.has(text))).trim();
  return [section, kept ?? ''].filter(Boolean).join('\n\n') || null;
}

/** A branch keeps what is pinned in the part that both share. */
export async function sharePins(
  store: Store,
  { from, to, said }: { readonly from: SessionId; readonly to: SessionId; readonly said: readonly Message[] },
): Promise<void> {
  const pins = await store.pins.list(from);
  if (pins.length === 0) return;
  const shared: MessageId[] = [];
  for (const { messageId } of pins) {
    const pinned = (await store.messages.get(messageId))?.message;
    const isSaid = ({ role, parts }: Message): boolean =>
      role === pinned?.role && messageText({ role, parts }) === messageText(pinned);
    if (pinned && said.some(isSaid)) shared.push(messageId);
  }
  await store.pins.share(from, to, shared);
}
