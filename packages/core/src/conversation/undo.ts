/**
 * A person takes their last turn back: the next request goes on before it. Nothing is lost. The messages stay under their numbers,
 * where `expand` and a search find them; the session that goes on does not show them, and no handoff tells of them.
 */
import { isHandoff, personMessage } from '../compression/handoff-block.ts';
import { nowhere, refAt } from '../compression/record.ts';
import type { Ref } from '../compression/ref.ts';
import { noun } from '../output/text.ts';
import {
  isTakenBack,
  type Lineage,
  lineageNumbers,
  lineageOf,
  locateIn,
  placesInLineage,
} from '../recall/read/lineage.ts';
import { aText, checkKnownOptions } from '../shared/options/known-options.ts';
import type { SessionId } from '../store/ids.ts';
import type { StoredMessage } from '../store/message-store.ts';
import type { ContinuationDraft } from '../store/session-store.ts';
import type { Store } from '../store/store.ts';
import type { Message } from '../transcript/message.ts';
import { messageText } from '../transcript/text.ts';
import { stopAhead } from './compress/background.ts';
import { askedNow, stepFor } from './compress-now.ts';
import type { Runtime, Step } from './live.ts';
import { keepShown } from './memory/snapshot.ts';
import { keepPauses } from './pauses.ts';
import { keepRecalled } from './recalled.ts';
import { forget, inTurn } from './turns.ts';

/** Which conversation, by any of its sessions. */
export interface UndoRequest {
  readonly sessionId: SessionId;
}

/** What became of it. `refused`: nothing was changed, and `message` says why and what to do. */
export interface UndoReport {
  readonly status: 'undone' | 'refused';
  /** The session to go on with. */
  readonly sessionId: SessionId;
  /** One line for a person. */
  readonly message: string;
  /** What the person had said, for an editor that offers it again; absent where it was refused. */
  readonly text?: string;
  /** How many messages were taken back: the client drops as many from the end of its list. */
  readonly messages: number;
  /** Pins that went with them. */
  readonly unpinned: readonly Ref[];
}

/** See `ConversationRuntime.undo`. */
export async function undo(runtime: Runtime, request: UndoRequest): Promise<UndoReport> {
  checkKnownOptions('undo', request, { sessionId: { ...aText, isNeeded: true } });
  return inTurn(runtime, await askedNow(runtime, request), async (turn) => {
    const step = await stepFor(turn);
    const { store } = runtime.settings;
    const { id: sessionId } = step.live.session;
    const found = await lastTurn(store, sessionId);
    if ('why' in found) return { status: 'refused', sessionId, message: found.why, messages: 0, unpinned: [] };
    await stopAhead(step.live);
    const next = await store.sessions.continue({
      sessionId,
      size: found.size,
      ...found.left,
      takesBackFrom: found.from,
    });
    const unpinned = await unpin(store, found);
    await keepBeside(step, next.id);
    // What this process knows of it has numbers for what was taken back; it is read anew.
    forget(runtime, step.live);
    const { lineage, from, count, text } = found;
    const what = `${noun(count, 'message')} from ${refAt((await lineageNumbers(store, lineage)).placeOf(from))} on`;
    const message = `Taken back: ${what}. They are kept, and the conversation goes on before them.`;
    return { status: 'undone', sessionId: next.id, message, text, messages: count, unpinned };
  });
}

/** The turn that is taken back. */
interface LastTurn {
  readonly lineage: Lineage;
  /** Place of its first message among all that was said. */
  readonly from: number;
  /** Its messages. */
  readonly count: number;
  /** What the person said. */
  readonly text: string;
  /** Messages of the view. */
  readonly size: number;
  /** The view without it. */
  readonly left: Pick<ContinuationDraft, 'messages' | 'origins' | 'handoff'>;
}

interface NoTurn {
  readonly why: string;
}

/** The newest turn of a conversation, where all of it stands in the view. */
async function lastTurn(store: Store, sessionId: SessionId): Promise<LastTurn | NoTurn> {
  const lineage = await lineageOf(store, sessionId);
  const view = await store.messages.view(lineage.tip.id);
  const places = await placesInLineage(store, lineage);
  const start = view.findLastIndex(({ message }) => personMessage(message) !== undefined);
  const opening = view[start];
  const said = opening && personMessage(opening.message);
  const isCompressed = view.some(({ message }) => isHandoff(message));
  if (!opening || !said) return { why: isCompressed ? compressedTurn : nothingSaid };
  const isMerged = isHandoff(opening.message);
  const from = places[start] ?? nowhere;
  const turn = [from, ...places.slice(start + 1)];
  const wanted = standingFrom(lineage, from);
  if (from < 0 || wanted.length !== turn.length || wanted.some((place, i) => place !== turn[i])) {
    return { why: compressedTurn };
  }
  const kept = view.slice(0, start);
  const list = { messages: kept.map(({ message }) => message), origins: kept.map((_, at) => at) };
  const left = isMerged ? await withHandoff(store, list, opening) : list;
  return { lineage, from, count: turn.length, text: messageText(said), size: view.length, left };
}

const nothingSaid = 'Nothing was taken back: nobody has said anything yet that could be.';
const compressedTurn =
  'Nothing was taken back: the last turn was compressed, and stands in the handoff in part. To go another way from an earlier ' +
  'message, branch the conversation before it.';

/** The places from one on of what was not taken back before. */
const standingFrom = (lineage: Lineage, from: number): readonly number[] =>
  Array.from({ length: Math.max(0, lineage.size - from) }, (_, i) => from + i).filter(
    (at) => !isTakenBack(lineage, at),
  );

/** The handoff without the request that was merged into it. */
async function withHandoff(
  store: Store,
  { messages, origins }: Pick<LastTurn['left'], 'messages' | 'origins'>,
  { id, message }: StoredMessage,
): Promise<LastTurn['left']> {
  const handoff: Message = { role: message.role, origin: 'summary', parts: message.parts.slice(0, 1) };
  const covers = await store.messages.coveredBy(id);
  return {
    messages: [...messages, handoff],
    origins: [...origins, nowhere],
    ...(covers.length > 0 ? { handoff: { at: messages.length, covers, writtenBy: 'ledger' } } : {}),
  };
}

/** What is not in the conversation any more is not pinned in it. */
async function unpin(store: Store, { lineage, from }: LastTurn): Promise<readonly Ref[]> {
  const refs: Ref[] = [];
  for (const { messageId } of await store.pins.list(lineage.tip.id)) {
    const at = (await locateIn(store, lineage, messageId))?.at ?? -1;
    if (at < from) continue;
    await store.pins.remove(lineage.tip.id, messageId);
    refs.push(refAt((await lineageNumbers(store, lineage)).placeOf(at)));
  }
  return refs;
}

/** What stands beside what was said goes on as it was, so that the requests begin with the same bytes. */
async function keepBeside({ runtime, live }: Step, to: SessionId): Promise<void> {
  const { store } = runtime.settings;
  await keepShown(store, live.session.id, to);
  await keepRecalled(store, live.recalled, to);
  await keepPauses(store, live.pauses, to);
}
