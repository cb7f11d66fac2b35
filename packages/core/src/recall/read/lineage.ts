/**
 * A conversation as it happened, over all its sessions: every message where it was said, once. What a compression
 * carried over into the next session, and its handoffs, are left out.
 *
 * ```
 * sessions    a0 a1 a2 a3 │ handoff a2' a3 b4 b5 │ handoff b5 c6
 * lineage     a0 a1 a2 a3                b4 b5                c6
 * ```
 */

import { createNumbering, type Inherited, mostOpening } from '../../compression/numbering.ts';
import { nowhere } from '../../compression/record.ts';
import { redact } from '../../redaction/redact.ts';
import { PalimpsestError } from '../../shared/errors.ts';
import type { MessageId, SessionId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import type { Conversation, Session, TakenBack } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import { cleanTitle, firstRequestTitle, mostBeforeRequest, requestTitle } from '../../store/title.ts';
import type { Message, Transcript } from '../../transcript/message.ts';

/** What reading needs of a store. */
export type ReadableStore = Pick<Store, 'messages' | 'sessions'>;

/** One session of a conversation, and what of its view was said in it. */
interface LineageSession {
  readonly session: Session;
  /** Messages that the session opened with, which were said before or by nobody. */
  readonly opening: number;
  /** Place in the lineage of the first message that was said in it. */
  readonly start: number;
}

/** The sessions of one conversation, from the first to the newest. */
export interface Lineage {
  readonly root: Session;
  /** The newest session. */
  readonly tip: Session;
  readonly sessions: readonly LineageSession[];
  /** Messages that were said in all sessions together. */
  readonly size: number;
  /** Those of them that a person has taken back. */
  readonly takenBack: readonly TakenBack[];
}

/** True for the place of a message that a person has taken back. */
export const isTakenBack = ({ takenBack }: Lineage, at: number): boolean =>
  takenBack.some(({ first, last }) => at >= first && at <= last);

/** The conversation that a session belongs to. Throws `ID_UNKNOWN` for a session that does not exist. */
export async function lineageOf(store: ReadableStore, id: SessionId): Promise<Lineage> {
  const chain = await store.sessions.chain(id);
  const [root, tip] = [chain[0], chain.at(-1)];
  if (!root || !tip) throw new PalimpsestError('ID_UNKNOWN', `There is no session ${id.slice(0, 80)}.`);
  const sessions: LineageSession[] = [];
  let size = 0;
  for (const session of chain) {
    const opening = session.relation === 'continuation' ? await openingOf(store, session) : 0;
    sessions.push({ session, opening, start: size });
    size += session.messages - opening;
  }
  return { root, tip, sessions, size, takenBack: await store.sessions.takenBack(root.id) };
}

/** How many messages a session opened with: those with an origin stand in front, so that halving finds their end. */
async function openingOf(store: ReadableStore, { id, messages }: Session): Promise<number> {
  let low = 0;
  let high = messages;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [one] = await store.messages.view(id, { from: middle, to: middle + 1 });
    if (one?.origin === undefined) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Messages of a lineage by their places in it, `to` not included. */
export async function readLineage(
  store: ReadableStore,
  lineage: Lineage,
  range: { readonly from: number; readonly to: number },
): Promise<readonly StoredMessage[]> {
  const { sessions, size } = lineage;
  const [from, to] = [Math.max(0, range.from), Math.min(size, range.to)];
  const found: StoredMessage[] = [];
  for (const { session, opening, start } of sessions) {
    const inView = { from: opening + Math.max(0, from - start), to: opening + to - start };
    if (inView.from >= Math.min(inView.to, session.messages)) continue;
    for (const stored of await store.messages.view(session.id, inView))
      found.push(withFate(lineage, start + stored.position - opening, stored));
  }
  return found;
}

const withFate = (lineage: Lineage, at: number, stored: StoredMessage): StoredMessage =>
  isTakenBack(lineage, at) ? { ...stored, isTakenBack: true } : stored;

/** A message and its place in the lineage; a handoff stands before the message with the place, and is not part of it. */
export interface Located {
  readonly stored: StoredMessage;
  readonly lineage: Lineage;
  readonly at: number;
  readonly isPart: boolean;
}

/**
 * Where a message was said: in the conversation of the session that is named, else where it was shown first. Undefined
 * for an id that no message has, or none there.
 */
export async function locate(store: ReadableStore, id: MessageId, sessionId?: SessionId): Promise<Located | undefined> {
  const places = await store.messages.places([id]);
  if (places.length === 0) return undefined;
  if (sessionId === undefined) {
    const home = (await store.messages.get(id)) ?? places[0];
    return home && locatedIn(await lineageOf(store, home.sessionId), [home, ...places]);
  }
  return locatedIn(await lineageOf(store, sessionId), places);
}

/** The same in a conversation that is known. */
export const locateIn = async (store: ReadableStore, lineage: Lineage, id: MessageId): Promise<Located | undefined> =>
  locatedIn(lineage, await store.messages.places([id]));

function locatedIn(lineage: Lineage, places: readonly StoredMessage[]): Located | undefined {
  const sessionOf = (one: StoredMessage): LineageSession | undefined =>
    lineage.sessions.find(({ session }) => session.id === one.sessionId);
  const here = places.filter((one) => sessionOf(one) !== undefined);
  const stored = here.find(({ origin }) => origin === undefined) ?? here[0];
  const found = stored && sessionOf(stored);
  if (!stored || !found) return undefined;
  const isPart = stored.position >= found.opening;
  const at = found.start + (isPart ? stored.position - found.opening : 0);
  return { stored: isPart ? withFate(lineage, at, stored) : stored, lineage, at, isPart };
}

/**
 * For each message of the newest view its place among all that was said, -1 for a handoff. What a compression has carried over is
 * followed back to where it was said.
 */
export async function placesInLineage(store: ReadableStore, { sessions }: Lineage): Promise<readonly number[]> {
  const tip = sessions.length - 1;
  const { session } = sessions[tip] ?? {};
  const found = session ? await store.messages.view(session.id) : [];
  let open = found.map(({ origin, position }, at) => ({ at, origin, position }));
  const places = found.map(() => nowhere);
  for (let level = tip; level >= 0 && open.length > 0; level--) {
    const { start = 0, opening = 0 } = sessions[level] ?? {};
    const carried = open.filter(({ origin }) => origin !== undefined && origin !== nowhere);
    for (const { at, origin, position } of open) if (origin === undefined) places[at] = start + position - opening;
    const before = sessions[level - 1]?.session;
    if (!before || carried.length === 0) break;
    const wanted = carried.map(({ origin = 0 }) => origin);
    const range = { from: Math.min(...wanted), to: Math.max(...wanted) + 1 };
    const rows = new Map((await store.messages.view(before.id, range)).map((row) => [row.position, row]));
    open = carried.map(({ at, origin = 0 }) => ({ at, origin: rows.get(origin)?.origin, position: origin }));
  }
  return places;
}

/** The title of a conversation: the newest that one of its sessions has. */
export const titleOf = ({ sessions }: Lineage): Conversation['title'] =>
  sessions.findLast(({ session }) => session.title !== undefined)?.session.title;

// What a conversation is called wherever it is shown: by its title, else by how its first request begins.

/** The title of a conversation in a store, without credentials; empty where it has none and nobody asked anything. */
export async function conversationTitle(
  store: ReadableStore,
  { title, root }: Pick<Conversation, 'title' | 'root'>,
): Promise<string> {
  if (title !== undefined) return redact(title);
  for (let at = 0; at < mostBeforeRequest; at++) {
    const [stored] = await store.messages.view(root.id, { from: at, to: at + 1 });
    if (!stored) break;
    const request = requestTitle(stored.message);
    if (request !== undefined) return request;
  }
  return '';
}

/** The same, of a conversation that is being read. */
export function lineageTitle(store: ReadableStore, lineage: Lineage): Promise<string> {
  const title = titleOf(lineage);
  return conversationTitle(store, { root: lineage.root, ...(title === undefined ? {} : { title }) });
}

/** The same, of a conversation in a file. */
export function transcriptTitle({ title, messages }: Pick<Transcript, 'title' | 'messages'>): string {
  const given = title === undefined ? undefined : cleanTitle(title, 'source');
  if (given !== undefined) return redact(given);
  return firstRequestTitle(messages) ?? '';
}

// What a person means by the title that is shown of a conversation.

/** True for the title in any case. */
export const isTitle = (title: string, wanted: string): boolean => plain(title) === plain(wanted) && title !== '';

/** True for a text that ends in `…`, as where a table has cut it, and the title begins so. */
export function isTitleStart(title: string, wanted: string): boolean {
  const text = plain(wanted);
  const start = text.replace(/\s*(?:…|~|\.\.\.)$/, '');
  return start !== '' && start !== text && plain(title).startsWith(start);
}

const plain = (text: string): string => text.trim().toLowerCase();

// Under which numbers the messages of a stored conversation are named: as they stand, or, where its client began with
// a list that was compressed elsewhere, as the handoff in it says.

/** Places here are numbers less one, as everywhere where messages are named. */
export interface LineageNumbers {
  /** One more than the largest place. */
  readonly size: number;
  /** Where in the lineage the message of a place stands; undefined for one that is not here. */
  indexOf(place: number): number | undefined;
  /** The place of the message at an index of the lineage. */
  placeOf(index: number): number;
  readonly inherited: Inherited | undefined;
}

/** Only the beginning of a conversation can say it, and that never changes. */
export async function lineageNumbers(store: ReadableStore, lineage: Lineage): Promise<LineageNumbers> {
  const { size } = lineage;
  const opening = await readLineage(store, lineage, { from: 0, to: mostOpening + 1 });
  const numbering = createNumbering();
  let inherited: Inherited | undefined;
  let handoffAt = 0;
  const places: number[] = [];
  const take = (message: Message, following: Message | undefined): void => {
    const { number, inherited: found } = numbering.take(message, following);
    if (found) [inherited, handoffAt] = [found, places.length];
    places.push(number - 1);
  };
  for (const [at, { message }] of opening.entries()) take(message, opening[at + 1]?.message);
  if (!inherited)
    return { size, indexOf: (place) => (place < size ? place : undefined), placeOf: (index) => index, inherited };
  // What is said behind the beginning is counted on, whatever it says.
  while (places.length < size) take(silent, undefined);
  const indexes = new Map(places.map((place, at) => [place, at]));
  indexes.set(nowhere, handoffAt);
  const largest = places.reduce((most, place) => Math.max(most, place), -1);
  return {
    size: largest + 1,
    inherited,
    indexOf: (place) => indexes.get(place),
    placeOf: (index) => places[index] ?? nowhere,
  };
}

const silent: Message = { role: 'assistant', parts: [] };
