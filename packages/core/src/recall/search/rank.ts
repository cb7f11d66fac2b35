/** What the messages that were read are worth, from their own words and from what stands around them. */
import type { MessageId, SessionId } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import type { Candidate } from '../../store/search-index.ts';
import { scanTerms } from '../../store/terms/scan.ts';
import type { Message, Role } from '../../transcript/message.ts';
import { saidBy } from '../../transcript/origin.ts';
import { exactScores, type Occurrence, type Reading, readFor, sought, type TypedForms } from './occurrences.ts';
import { type NamedTime, timeFit } from './times.ts';
import type { RankingWeights, WantedTerm } from './wanted-terms.ts';

/** A message with its worth. */
export interface Ranked {
  readonly stored: StoredMessage;
  readonly reading: Reading;
  /** Close enough in meaning to be found without a word of the query. */
  readonly isClose: boolean;
  readonly score: number;
  /** What the score is made of. */
  readonly parts: RankedParts;
}

type RankedParts = Readonly<Record<'words' | 'around' | 'session' | 'time' | 'speaker', number>> & {
  readonly meaning?: number;
};

export interface RankingTask {
  readonly wanted: readonly WantedTerm[];
  /** Rarity of each wanted term times its weight. */
  readonly worth: readonly number[];
  /** Everything that the index found; the sessions are judged by it. */
  readonly candidates: readonly Candidate[];
  /** What was read of it: candidates, and the neighbours of short ones. */
  readonly read: readonly StoredMessage[];
  /** How close messages are in meaning, where there are vectors. */
  readonly similarities?: Similarities | undefined;
  readonly times: readonly NamedTime[];
  /** Whom the query speaks of. */
  readonly speaks: 'of the user' | 'of the assistant' | 'of neither';
  /** Words as they were typed, where that matters. */
  readonly forms: TypedForms;
  /** True for a single word: then who typed it means that form of it. */
  readonly isLone: boolean;
  /** Whose words count, where not everybody's do. */
  readonly roles?: readonly Role[];
  readonly weights: RankingWeights;
}

interface Scored {
  readonly stored: StoredMessage;
  readonly reading: Reading;
  readonly words: number;
  readonly isShort: boolean;
  around: number;
}

/** The messages that were read and have something of what is wanted in or beside them, best first. */
export function rank(task: RankingTask): readonly Ranked[] {
  const scored = scoreWords(task);
  addNeighbours(scored, task.weights);
  return addSessions(
    scored.filter(({ words, around, stored }) => words + around > 0 || isClose(stored, task)),
    task,
  ).sort(byScore);
}

const isClose = ({ id }: StoredMessage, { similarities, weights }: RankingTask): boolean =>
  (similarities?.get(id) ?? 0) >= weights.close;

const byScore = (a: Ranked, b: Ranked): number => b.score - a.score || b.stored.time - a.stored.time;

function scoreWords({ wanted, worth, read, roles, forms, isLone, weights }: RankingTask): readonly Scored[] {
  const terms = sought(wanted.map(({ term }) => term));
  const readings = read.map((stored) => ({
    stored,
    reading: readFor(heard(stored.message, roles), terms),
  }));
  const frame = lexicalFrame(wanted, worth, weights);
  const exact = exactScores(
    readings.map(({ reading }) => reading),
    { forms, wanted },
  );
  const lexical = readings.map(({ reading }) => lexicalScore(reading, frame));
  // Of a single word, a rare form goes before every other one, however often and in however short a message that is said.
  const rare = isLone && exact.filter((score) => score > 0).length <= mostRare ? weights.lone * largest(lexical) : 0;
  return readings.map(({ stored, reading }, i) => {
    const isShort = reading.fields.reduce((sum, { text }) => sum + text.length, 0) <= weights.shortTurn;
    return {
      stored,
      reading,
      words: (lexical[i] ?? 0) + weights.exact * (exact[i] ?? 0) + ((exact[i] ?? 0) > 0 ? rare : 0),
      isShort,
      around: 0,
    };
  });
}

/** A form that stands in more messages than a person is shown is not rare. */
const mostRare = 10;

/** Of a message in which several speak, what those say who are asked for; one of others may stand beside what is found. */
function heard(message: Message, roles: readonly Role[] | undefined): Message {
  if (!roles) return message;
  const said = saidBy(message, roles);
  return said.parts.length > 0 ? said : message;
}

/** A short message is understood from those beside it: an answer from its question. */
function addNeighbours(scored: readonly Scored[], weights: RankingWeights): void {
  const bySession = new Map<SessionId, Map<number, Scored>>();
  for (const one of scored) {
    if (!one.isShort) continue;
    const places = bySession.get(one.stored.sessionId) ?? new Map<number, Scored>();
    bySession.set(one.stored.sessionId, places.set(one.stored.position, one));
  }
  for (const one of scored) {
    if (!one.isShort) continue;
    const { sessionId, position } = one.stored;
    const wordsAt = (distance: number, share: (reading: Reading) => number): number => {
      const other = bySession.get(sessionId)?.get(position + distance);
      return other && other.words > 0 ? share(other.reading) * other.words : 0;
    };
    one.around =
      wordsAt(-2, () => weights.twoAway) +
      wordsAt(-1, (reading) => (asks(reading) ? weights.beforeAsking : weights.before)) +
      wordsAt(1, () => weights.after) +
      wordsAt(2, () => weights.twoAway);
  }
}

const asks = ({ fields }: Reading): boolean => fields.some(({ text }) => /[?？]\s*$/.test(text));

/** Adds what the session is worth, the time, and who speaks. */
function addSessions(scored: readonly Scored[], task: RankingTask): Ranked[] {
  const { weights, times } = task;
  const own = scored.map(
    (one) => (one.words + one.around) * personFactor(one.stored, task) * askingFactor(one, weights),
  );
  const sessions = sessionScores(task.candidates, task.worth);
  const named = namedSpeakers(task);
  const meaning = task.similarities && meaningOf(task.similarities, task.read, weights);
  const [mostOwn, mostSession] = [largest(own), largest(sessions.values())];
  return scored.map(({ stored, reading, words, around }, i) => {
    const session = weights.session * ((sessions.get(stored.sessionId) ?? 0) / mostSession) ** weights.sessionPower;
    const time = times.length === 0 ? 0 : weights.time * timeFit(times, stored.time);
    const speaker = named.has(stored.message.name ?? '') ? weights.namedSpeaker : 0;
    const close = meaning ? meaning.own(stored) * personFactor(stored, task) + meaning.session(stored) : 0;
    const score = (own[i] ?? 0) / mostOwn + session + time + speaker + close;
    const parts = {
      words: words / mostOwn,
      around: around / mostOwn,
      session,
      time,
      speaker,
      ...(meaning ? { meaning: close } : {}),
    };
    return { stored, reading, isClose: isClose(stored, task), score, parts };
  });
}

/** The speakers that the query names; none when it names all of them, which tells nothing. */
function namedSpeakers({ read, wanted }: RankingTask): ReadonlySet<string> {
  const terms = new Set(wanted.map(({ term }) => term));
  const speakers = new Set(read.flatMap(({ message }) => (message.name ? [message.name] : [])));
  const named = speakers.values().filter((name) => scanTerms(name).terms.some((term) => terms.has(term)));
  const found = new Set(named);
  return found.size < speakers.size ? found : new Set();
}

const largest = (values: Iterable<number>): number =>
  Iterator.from(values).reduce((most, one) => Math.max(most, one), 1e-9);

function personFactor({ message }: StoredMessage, { speaks, weights }: RankingTask): number {
  const isMeant =
    (speaks === 'of the user' && message.role === 'user') ||
    (speaks === 'of the assistant' && message.role === 'assistant');
  return isMeant ? 1 + weights.person : 1;
}

/** A short turn that asks is seldom what is looked for: the answer to it is. */
const askingFactor = (one: Scored, weights: RankingWeights): number =>
  one.isShort && asks(one.reading) ? 1 - weights.asking : 1;

// How well a session as a whole fits, from which of its messages have which terms.

/** The score of each session by its id: BM25 over sessions, where a message with the term counts as one use of it. */
function sessionScores(candidates: readonly Candidate[], weights: readonly number[]): ReadonlyMap<string, number> {
  const uses = new Map<string, Map<number, number>>();
  for (const { sessionId, matched } of candidates) {
    const counts = uses.get(sessionId) ?? new Map<number, number>();
    uses.set(sessionId, counts);
    for (const term of matched) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const sessionsWith = new Map<number, number>();
  for (const counts of uses.values()) {
    for (const term of counts.keys()) sessionsWith.set(term, (sessionsWith.get(term) ?? 0) + 1);
  }
  const rarity = (term: number): number => {
    const count = sessionsWith.get(term) ?? 0;
    return (weights[term] ?? 0) * Math.log(1 + (uses.size - count + 0.5) / (count + 0.5));
  };
  const score = (counts: ReadonlyMap<number, number>): number =>
    counts.entries().reduce((sum, [term, count]) => sum + (rarity(term) * count * 3) / (count + 2), 0);
  return new Map(uses.entries().map(([id, counts]) => [id, score(counts)]));
}

// What closeness in meaning adds to the score of a message, where the store has vectors.

/** How close messages are to the query, 0 to 1. */
type Similarities = ReadonlyMap<MessageId, number>;

/** The share of a message's own closeness, and of the closest message of its session; the best message has all of it. */
interface Meaning {
  own(stored: StoredMessage): number;
  session(stored: StoredMessage): number;
}

/** Closeness beside the best one, which words are put beside theirs in the same way. */
function meaningOf(similarities: Similarities, read: readonly StoredMessage[], weights: RankingWeights): Meaning {
  const bySession = new Map<SessionId, number>();
  let most = weights.sure;
  for (const { id, sessionId } of read) {
    const similarity = similarities.get(id) ?? 0;
    if (similarity > (bySession.get(sessionId) ?? 0)) bySession.set(sessionId, similarity);
    most = Math.max(most, similarity);
  }
  return {
    own: ({ id }) => (weights.meaning * (similarities.get(id) ?? 0)) / most,
    session: ({ sessionId }) => (weights.meaningSession * (bySession.get(sessionId) ?? 0)) / most,
  };
}

// How well the words of one message fit: BM25 over the message, or over the best stretch of a long one.

interface LexicalFrame {
  readonly weights: RankingWeights;
  /** What each wanted term counts: its rarity and its weight. */
  readonly worth: readonly number[];
  /** For each wanted term the places of those that stand beside it in the query, on either side. */
  readonly beside: readonly ReadonlySet<number>[];
}

/** What the scores of all messages have in common. */
function lexicalFrame(wanted: readonly WantedTerm[], worth: readonly number[], weights: RankingWeights): LexicalFrame {
  const places = new Map(wanted.map(({ term }, i) => [term, i]));
  const beside = wanted.map(() => new Set<number>());
  wanted.forEach(({ followers = [] }, at) => {
    for (const term of followers) {
      const follower = places.get(term);
      if (follower === undefined) continue;
      beside[at]?.add(follower);
      beside[follower]?.add(at);
    }
  });
  return { weights, worth, beside };
}

/** The score of a message; 0 without a wanted term. */
function lexicalScore(reading: Reading, frame: LexicalFrame): number {
  if (reading.occurrences.length === 0) return 0;
  const { stretch, stretchWords } = frame.weights;
  const whole = bm25(reading, reading.occurrences, { frame, words: reading.words });
  if (reading.words <= stretchWords * 1.5 || stretch === 0) return whole;
  return Math.max(whole, stretch * bestStretch(reading, frame));
}

interface Extent {
  readonly frame: LexicalFrame;
  readonly words: number;
}

function bm25(reading: Reading, occurrences: readonly Occurrence[], { frame, words }: Extent): number {
  const { saturation, lengthFloor, lengthPower, typicalWords, pair } = frame.weights;
  const counts = new Map<number, number>();
  for (const { term, field } of occurrences) {
    counts.set(term, (counts.get(term) ?? 0) + fieldWeight(reading, field, frame.weights));
  }
  const norm = saturation * (lengthFloor + (words / typicalWords) ** lengthPower);
  let sum = 0;
  for (const [term, count] of counts) sum += ((frame.worth[term] ?? 0) * count * (saturation + 1)) / (count + norm);
  return sum + (pair * pairsWorth(occurrences, frame) * (saturation + 1)) / (1 + norm);
}

/** The worth of the distinct pairs of terms that stand side by side here as in the query: of each, its commoner term's. */
function pairsWorth(occurrences: readonly Occurrence[], { worth, beside, weights }: LexicalFrame): number {
  const found = new Set<number>();
  let sum = 0;
  occurrences.forEach(({ term, field, ordinal }, at) => {
    const others = beside[term];
    if (!others || others.size === 0) return;
    for (let i = at + 1; i < occurrences.length; i++) {
      const next = occurrences[i];
      if (!next || next.field !== field || next.ordinal - ordinal > weights.pairReach) return;
      if (next.ordinal === ordinal || !others.has(next.term)) continue;
      const pair = Math.min(term, next.term) * worth.length + Math.max(term, next.term);
      if (found.has(pair)) continue;
      found.add(pair);
      sum += Math.min(worth[term] ?? 0, worth[next.term] ?? 0);
    }
  });
  return sum;
}

function fieldWeight({ fields }: Reading, field: number, weights: RankingWeights): number {
  const name = fields[field]?.name;
  return name === 'speaker' ? weights.speaker : name === 'result' ? weights.result : 1;
}

/** The best of the stretches that overlap by half. */
function bestStretch(reading: Reading, frame: LexicalFrame): number {
  const { stretchWords } = frame.weights;
  const half = stretchWords / 2;
  const stretches = new Map<number, Occurrence[]>();
  for (const occurrence of reading.occurrences) {
    const second = Math.floor(occurrence.ordinal / half);
    for (const at of [second - 1, second]) {
      const known = stretches.get(at);
      if (known) known.push(occurrence);
      else stretches.set(at, [occurrence]);
    }
  }
  let best = 0;
  for (const occurrences of stretches.values()) {
    best = Math.max(best, bm25(reading, occurrences, { frame, words: stretchWords }));
  }
  return best;
}
