/** What of the record may bear on a question: messages that search finds, each with the place around it. */
import { questionEnds } from '../../language/requests.ts';
import { redact } from '../../redaction/redact.ts';
import { defined } from '../../shared/defined.ts';
import { shortened } from '../../shared/graphemes.ts';
import type { Instant, MessageId, SessionId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import type { Message, Role } from '../../transcript/message.ts';
import { saidBy } from '../../transcript/origin.ts';
import { messageText } from '../../transcript/text.ts';
import { lineageOf, readLineage } from '../read/lineage.ts';
import { type Occurrence, type Reading, readFor, sought } from '../search/occurrences.ts';
import type { SearchHit } from '../search/options.ts';
import { type SearchableStore, searchWith } from '../search/search.ts';
import { type NamedTime, timeFit } from '../search/times.ts';
import { rankingWeights } from '../search/wanted-terms.ts';
import { type CurrentView, currentView } from '../session-search/discover.ts';
import type { Embedder } from '../vectors/embed-messages.ts';
import { fitOf, type PlaceFit } from './confidence.ts';
import { termsOf, type WeighedWord } from './question.ts';

/** A message that was found. */
export interface FoundTurn {
  readonly stored: StoredMessage;
  readonly text: string;
  readonly fit: PlaceFit;
  /** What completes it: the question before an answer, the answer behind a question. */
  readonly completion?: { readonly stored: StoredMessage; readonly text: string };
}

export interface CandidateTask {
  readonly question: string;
  readonly words: readonly WeighedWord[];
  readonly times: readonly NamedTime[];
  readonly sessionId: SessionId;
  readonly project?: string | undefined;
  readonly vectors?: Embedder | undefined;
  /** What "yesterday" is counted from. */
  readonly now: Instant;
}

/** Only what people and models said: results of tools are asked for with `session_search`. */
const speakers: readonly Role[] = ['user', 'assistant'];
/** Messages that are looked at; more where the newest of them may be those of the current view. */
const mostFound = 60;
const mostFoundOfCurrent = 200;
/** Characters of a message, and of what completes it. */
const mostCharacters = 480;
const mostOfCompletion = 240;

/** Best first, without what the model sees anyway. */
export async function findTurns(store: SearchableStore, task: CandidateTask): Promise<readonly FoundTurn[]> {
  const view = await currentView(store, task.sessionId);
  const gone = await takenBackIn(store, view.tipId);
  const hits = (await search(store, task, view)).filter(({ messageId }) => !gone.has(messageId)).slice(0, mostFound);
  const terms = [...new Set(task.words.flatMap(termsOf))];
  const around = await placesAround(store, hits);
  return hits.flatMap((hit) => {
    const place = around.get(hit.sessionId);
    const stored = place?.get(hit.position);
    if (!place || !stored) return [];
    const time = task.times.length === 0 ? undefined : timeFit(task.times, stored.time);
    const fits = termsOfPlaces(hit, place, terms).map((here) =>
      fitOf(task.words, { has: (term) => here.has(term), time }),
    );
    const fit =
      fits.toSorted((a, b) => b.confidence - a.confidence)[0] ?? fitOf(task.words, { has: () => false, time });
    const completion = completionOf(stored, place, view);
    return [{ stored, text: textOf(stored, hit), fit, ...defined({ completion }) }];
  });
}

/** What the person has taken back of the current conversation: it is not brought up again unasked. */
async function takenBackIn(store: SearchableStore, tipId: SessionId | undefined): Promise<ReadonlySet<MessageId>> {
  const stretches = tipId === undefined ? [] : await store.sessions.takenBack(tipId);
  if (tipId === undefined || stretches.length === 0) return new Set();
  const lineage = await lineageOf(store, tipId);
  const gone = new Set<MessageId>();
  for (const { first, last } of stretches)
    for (const { id } of await readLineage(store, lineage, { from: first, to: last + 1 })) gone.add(id);
  return gone;
}

/** Of the current conversation only what was compressed away. */
async function search(
  store: SearchableStore,
  { question, sessionId, project, vectors, now }: CandidateTask,
  view: CurrentView,
): Promise<readonly SearchHit[]> {
  const find = async (limit: number, without: readonly SessionId[]): Promise<readonly SearchHit[]> => {
    const narrow = defined({ project, vectors });
    const options = { limit, without, roles: speakers, passageCharacters: mostCharacters, expand: true, ...narrow };
    return (await searchWith(store, question, { options, weights: rankingWeights, now })).hits;
  };
  const current = view.tipId === undefined ? undefined : await store.sessions.get(view.tipId);
  if (current?.relation !== 'continuation') {
    return (await find(mostFound, current ? [sessionId] : [])).filter(({ messageId }) => !view.ids.has(messageId));
  }
  const all = await find(mostFoundOfCurrent, []);
  const found = all.filter(({ messageId }) => !view.ids.has(messageId));
  if (found.length >= mostFound || all.length < mostFoundOfCurrent) return found;
  const others = await find(mostFound, [sessionId]);
  const ids = new Set(found.map(({ messageId }) => messageId));
  return [...found, ...others.filter(({ messageId }) => !ids.has(messageId) && !view.ids.has(messageId))];
}

type Place = ReadonlyMap<number, StoredMessage>;

/** The messages of hits with those beside them, by session and position. */
async function placesAround(
  store: Pick<SearchableStore, 'messages'>,
  hits: readonly SearchHit[],
): Promise<ReadonlyMap<SessionId, Place>> {
  const ranges = hits.map(({ sessionId, position }) => ({
    sessionId,
    from: Math.max(0, position - 1),
    to: position + 2,
  }));
  const places = new Map<SessionId, Map<number, StoredMessage>>();
  for (const stored of await store.messages.views(ranges)) {
    const place = places.get(stored.sessionId) ?? new Map<number, StoredMessage>();
    places.set(stored.sessionId, place.set(stored.position, stored));
  }
  return places;
}

/** Words of a place: somewhere in a longer text stands every word of a question. */
const placeWords = 100;

/** The terms of each place that a message has: all of it with the short ones beside it, or the stretches of a long one. */
function termsOfPlaces(
  { position }: SearchHit,
  place: Place,
  terms: readonly string[],
): readonly ReadonlySet<string>[] {
  const wanted = sought(terms);
  const [own, ...beside] = [position, position - 1, position + 1].map((at) => {
    const stored = place.get(at);
    return stored && readFor(saidBy(stored.message, speakers), wanted);
  });
  const termOf = ({ term }: Occurrence): string => terms[term] ?? '';
  if (!own) return [];
  if (own.words > placeWords) return stretchesOf(own).map((found) => new Set(found.map(termOf)));
  const short = beside.filter((one) => one !== undefined && one.words <= placeWords);
  return [new Set([own, ...short].flatMap((one) => one?.occurrences.map(termOf) ?? []))];
}

/** Stretches that overlap by half; who speaks belongs to each. */
function stretchesOf({ fields, occurrences }: Reading): readonly (readonly Occurrence[])[] {
  const isSpeaker = ({ field }: Occurrence): boolean => fields[field]?.name === 'speaker';
  const stretches = new Map<number, Occurrence[]>();
  for (const occurrence of occurrences.filter((one) => !isSpeaker(one))) {
    const second = Math.floor((occurrence.ordinal * 2) / placeWords);
    for (const at of [second - 1, second]) stretches.set(at, [...(stretches.get(at) ?? []), occurrence]);
  }
  const speaker = occurrences.filter(isSpeaker);
  return [...stretches.values()].map((found) => [...found, ...speaker]);
}

/** A whole message where it is short, else the stretch of it that was found. */
function textOf({ message }: StoredMessage, { passage }: SearchHit): string {
  const said = plain(message);
  if (said.length <= mostCharacters) return said;
  const stretch = oneLine(passage.text);
  // A message may be found by the name of who speaks alone.
  if (stretch.length < mostOfCompletion) return shortened(said, mostCharacters);
  return `${passage.cutBefore ? '…' : ''}${stretch}${passage.cutAfter ? '…' : ''}`;
}

const plain = (message: Message): string => oneLine(redact(messageText(saidBy(message, speakers))));

/** A line for each message: nothing that is quoted can look like another line. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** An answer is understood from its question, and a question is of use with its answer. */
function completionOf(stored: StoredMessage, place: Place, view: CurrentView): FoundTurn['completion'] {
  const before = place.get(stored.position - 1);
  const after = place.get(stored.position + 1);
  const other = asks(stored.message) ? after : before && asks(before.message) ? before : undefined;
  if (!other || view.ids.has(other.id)) return undefined;
  const text = shortened(plain(other.message), mostOfCompletion);
  return text === '' ? undefined : { stored: other, text };
}

const asks = (message: Message): boolean => questionEnds.test(messageText(message).trimEnd());
