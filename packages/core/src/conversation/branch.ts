/**
 * A person goes another way from a conversation, which stays as it is: a session of its own that shows the same messages, under
 * the same numbers, and is no continuation. Both go on by themselves from then on.
 */
import { isBridge, isHandoff } from '../compression/handoff-block.ts';
import { nowhere, refAt } from '../compression/record.ts';
import { noun } from '../output/text.ts';
import { type Lineage, lineageNumbers, lineageOf, placesInLineage, readLineage } from '../recall/read/lineage.ts';
import { indexesOf } from '../recall/refs.ts';
import { defined } from '../shared/defined.ts';
import { PalimpsestError } from '../shared/errors.ts';
import { aText, checkKnownOptions } from '../shared/options/known-options.ts';
import type { SessionId } from '../store/ids.ts';
import type { StoredMessage } from '../store/message-store.ts';
import type { BeginOptions } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import { carriesResults } from '../transcript/text.ts';
import type { Runtime } from './live.ts';
import { keepShown } from './memory/snapshot.ts';
import { keepPauses } from './pauses.ts';
import { keepRecalled } from './recalled.ts';
import { initialState, parseState, stateKey } from './state.ts';

/** Where a conversation is left. */
export interface BranchRequest {
  /** Any of its sessions. */
  readonly sessionId: SessionId;
  /** The last message that both show, such as `m12`; results of its calls go with it. @default all messages */
  readonly at?: string;
  /** @default the title of the conversation with "(branch)" behind it, where it has one */
  readonly title?: string;
}

/** A branch. */
export interface BranchReport {
  /** The session to go on with: to be named with each request, for until then both say the same. */
  readonly sessionId: SessionId;
  /** Its title, as it was free. */
  readonly title?: string;
  /** How many messages it shows. */
  readonly messages: number;
  /** One line for a person. */
  readonly message: string;
}

/** See `ConversationRuntime.branch`. */
export async function branch(runtime: Runtime, request: BranchRequest): Promise<BranchReport> {
  checkKnownOptions('branch', request, { sessionId: { ...aText, isNeeded: true }, at: aText, title: aText });
  const { store } = runtime.settings;
  const lineage = await lineageOf(store, request.sessionId);
  const end = await endOf(store, lineage, request.at);
  const said = await readLineage(store, lineage, { from: 0, to: end });
  const { source, model, project } = lineage.tip;
  const takenBack = lineage.takenBack.flatMap(({ first, last }) =>
    first < end ? [{ first, last: Math.min(last, end - 1) }] : [],
  );
  const draft = {
    source,
    id: runtime.newSessionId(),
    parentId: lineage.tip.id,
    relation: 'branch',
    takenBack,
  } as const;
  const shows = await shownUpTo(store, lineage, { end, said });
  const { session: tip } = await store.sessions.begin(
    { ...draft, ...defined({ model, project }) },
    said.map(({ message }) => message),
    defined({ time: said.at(-1)?.time, shows }),
  );
  await shareBeside(runtime, lineage, { root: draft.id, tip: tip.id, said });
  const title = await titled(store, lineage, { id: tip.id, wanted: request.title });
  const messages = tip.messages;
  const newest = said.findLastIndex(({ isTakenBack }) => !isTakenBack);
  const last = newest < 0 ? '' : ` up to ${refAt((await lineageNumbers(store, lineage)).placeOf(newest))}`;
  const message = `A branch shows the conversation${last}: ${noun(messages, 'message')}. The conversation itself stays as it is.`;
  return { sessionId: tip.id, messages, message, ...defined({ title }) };
}

/** Index behind the last message that is shared. @throws ID_UNKNOWN, BAD_OPTION */
async function endOf(store: Store, lineage: Lineage, at: string | undefined): Promise<number> {
  if (at === undefined) return lineage.size;
  const numbers = await lineageNumbers(store, lineage);
  const [place, ...others] = indexesOf(at, numbers.size);
  const index = place === undefined ? undefined : numbers.indexOf(place);
  if (index === undefined || others.length > 0)
    throw new PalimpsestError(
      'BAD_OPTION',
      `expected one message of this conversation, such as m12, got ${at.slice(0, 40)}`,
    );
  const [message, ...behind] = await readLineage(store, lineage, { from: index, to: index + mostResults });
  if (message?.isTakenBack)
    throw new PalimpsestError('BAD_OPTION', `${at.slice(0, 40)} was taken back: branch at a message before it`);
  // A call without its result would be cut off from it.
  const results = behind.findIndex((one) => !carriesResults(one.message));
  return index + 1 + (results < 0 ? behind.length : results);
}

/** Messages with results that answer one message. */
const mostResults = 200;

type ShownView = NonNullable<BeginOptions['shows']>;

interface Shared {
  readonly end: number;
  readonly said: readonly StoredMessage[];
}

/**
 * The view of the conversation up to there, where it is another one than all that was said. Where what stands for other messages
 * tells of some that the branch does not share, the branch shows all that was said and not taken back.
 */
async function shownUpTo(store: Store, lineage: Lineage, shared: Shared): Promise<ShownView | undefined> {
  const { end, said } = shared;
  const view = await store.messages.view(lineage.tip.id);
  const places = await placesInLineage(store, lineage);
  const kept = view.flatMap((stored, i) => {
    const place = places[i] ?? nowhere;
    return place < end ? [{ stored, place }] : [];
  });
  const list = { messages: kept.map(({ stored }) => stored.message), origins: kept.map(({ place }) => place) };
  const at = kept.findLastIndex(({ stored, place }) => isStandIn(stored, place));
  const standIn = kept[at]?.stored;
  if (view.some((stored, i) => stored !== standIn && isStandIn(stored, places[i] ?? nowhere))) return standing(said);
  if (!standIn) return kept.every(({ stored, place }) => stored.id === said[place]?.id) ? standing(said) : list;
  const covers = await store.messages.coveredBy(standIn.id);
  const known = new Set(said.map(({ id }) => id));
  const isTold = covers.every((id) => known.has(id)) && (end === lineage.size || list.origins.includes(end - 1));
  if (!isTold || covers.length === 0) return standing(said);
  return { ...list, handoff: { at, covers, writtenBy: 'ledger' } };
}

/** True for what stands for other messages, alone or beside a request. */
const isStandIn = ({ message }: StoredMessage, place: number): boolean =>
  isHandoff(message) || (place === nowhere && !isBridge(message));

/** All that was said and not taken back; undefined where that is everything. */
function standing(said: readonly StoredMessage[]): ShownView | undefined {
  const left = said.flatMap(({ message, isTakenBack }, place) => (isTakenBack ? [] : [{ message, place }]));
  if (left.length === said.length) return undefined;
  const [messages, origins] = [left.map(({ message }) => message), left.map(({ place }) => place)];
  return { messages, origins, endReason: 'undo' };
}

interface Made {
  readonly root: SessionId;
  readonly tip: SessionId;
  readonly said: readonly StoredMessage[];
}

/** Pins, what a hook keeps, what stands for the program's prompts, and what is remembered: the branch begins with the same bytes. */
async function shareBeside(
  { settings, live }: Runtime,
  { tip: from }: Lineage,
  { root, tip, said }: Made,
): Promise<void> {
  const { store } = settings;
  const shared = said.flatMap(({ id, isTakenBack }) => (isTakenBack ? [] : [id]));
  await store.pins.share(from.id, root, shared);
  const { kept, prompts } = parseState(await store.meta.get(stateKey(from.rootId)));
  await store.meta.set(stateKey(root), JSON.stringify({ ...initialState, kept, prompts }));
  await keepShown(store, from.id, tip);
  const followed = live.get(from.id);
  await keepRecalled(store, followed?.recalled ?? [], tip);
  await keepPauses(store, followed?.pauses ?? [], tip);
}

async function titled(
  store: Store,
  { sessions }: Lineage,
  { id, wanted }: { readonly id: SessionId; readonly wanted: string | undefined },
): Promise<string | undefined> {
  const title = sessions.findLast(({ session }) => session.title !== undefined)?.session.title;
  const given = wanted ?? (title === undefined ? undefined : `${title} (branch)`);
  return given === undefined ? undefined : store.sessions.title(id, given);
}
