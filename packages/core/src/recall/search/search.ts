/** Finds again what was said: by words, names, phrases, times and speakers, in all conversations of a store. */
import { assistantQueries, userQueries } from '../../language/requests.ts';
import type { Instant } from '../../store/ids.ts';
import type { StoredMessage } from '../../store/message-store.ts';
import type { Candidate, SearchFilter, SimilarMessage } from '../../store/search-index.ts';
import { newestSession } from '../../store/session-store.ts';
import type { Store } from '../../store/store.ts';
import { searchFields } from '../../store/terms/index-terms.ts';
import { genAi } from '../../tracing/conventions.ts';
import { inSpan } from '../../tracing/tracer.ts';
import type { Message, Role } from '../../transcript/message.ts';
import { rolesIn, rolesOfParts } from '../../transcript/origin.ts';
import { toolCalls, toolResults } from '../../transcript/text.ts';
import { type QuerySimilarity, querySimilarity } from '../vectors/embed-messages.ts';
import { type Expansion, expansionOf } from './expansion.ts';
import { type FoundTerms, findTerms, fulfils, plainTexts } from './find-terms.ts';
import { hasTypedForm, type Reading, type TypedForms, typedForms, withForms } from './occurrences.ts';
import {
  type FoundConversation,
  requireQuery,
  requireSearchable,
  resolveSearchOptions,
  type SearchAnswer,
  type SearchHit,
  type SearchOptions,
  searchDefaults,
} from './options.ts';
import { cleanPassage, type Marking, markingOf, passageOf } from './passage.ts';
import { parseQuery, prohibitionsOf, type Requirement, requiredTerms, requirementOf } from './query.ts';
import { type Ranked, rank } from './rank.ts';
import { timesIn } from './times.ts';
import { type RankingWeights, rankingWeights } from './wanted-terms.ts';

/** What a search needs of a store. */
export type SearchableStore = Pick<Store, 'index' | 'messages' | 'sessions' | 'vectors'>;

/** Candidates that the index is asked for, and how many of them are read. */
const mostCandidates = 600;
const mostRead = 200;
/** Characters that are read, but for the most promising few. */
const mostCharacters = 120_000;
const fewestRead = 60;
/** So many times more where a form of a word is asked for, which only the messages themselves tell from others. */
const moreForForms = 3;
/** And where too few of those have the form, so many messages are looked through for it alone. */
const mostForForms = 2_000;
/** Messages that are read for their meaning alone. */
const mostNearest = 100;
/** A question has so many words; for less, a neighbour of a match is no answer. */
const fewestOfQuestion = 4;

/**
 * Messages that fit a query, best first, and by conversation. Every text is a query; an empty one finds nothing.
 * Credentials in passages are masked, unless `raw` is asked for.
 * Throws `BAD_OPTION` for what is no store and no query, and for an option that is none or out of its range.
 */
export function search(store: SearchableStore, query: string, options: SearchOptions = {}): Promise<SearchAnswer> {
  return searchWith(store, query, { options, weights: rankingWeights });
}

interface SearchBasis {
  readonly options: SearchOptions;
  readonly weights: RankingWeights;
  /** What "yesterday" is counted from. @default the time of the system */
  readonly now?: Instant | undefined;
  /** Of whoever waits; handed to what names other words. */
  readonly signal?: AbortSignal | undefined;
}

/** A search with other weights, for measuring what each is worth, or at another time. In a span, which has nothing of the query. */
export function searchWith(store: SearchableStore, text: string, basis: SearchBasis): Promise<SearchAnswer> {
  return inSpan(
    () => ({ name: 'retrieval', attributes: { [genAi.operation]: 'retrieval' } }),
    async (span) => {
      const answer = await answerTo(store, text, basis);
      const { limit = searchDefaults.limit } = basis.options;
      span?.setAttributes({ [genAi.topK]: limit, 'palimpsest.retrieval.hits': answer.hits.length });
      return answer;
    },
  );
}

async function answerTo(
  store: SearchableStore,
  text: string,
  { options, weights, now = Date.now(), signal }: SearchBasis,
): Promise<SearchAnswer> {
  requireSearchable(store);
  requireQuery(text);
  const { limit, passageCharacters } = resolveSearchOptions(options);
  const query = parseQuery(text);
  const terms = await findTerms(store.index, query, weights.terms);
  const { vectors } = options;
  const similarity = vectors && (await querySimilarity(store, vectors, { text }));
  const task: SearchTask = {
    store,
    text,
    terms,
    options,
    weights,
    now,
    signal,
    limit,
    ...(similarity ? { similarity, nearest: await similarity.nearest(options, mostNearest) } : { nearest: [] }),
    forms: typedForms(query, terms.wanted),
    isQuestion: query.leaves.length >= fewestOfQuestion,
    isLone: query.leaves.length === 1,
  };
  const requirement = requirementOf(query);
  const strict = await attempt(task, requirement);
  const isRelaxed = strict.length === 0 && requirement !== undefined && terms.wanted.length > 0;
  const ranked = isRelaxed ? await attempt(task, prohibitionsOf(requirement)) : strict;
  const marking = markingOf(query.leaves, terms.wanted);
  const { explain = false, raw = false, roles } = options;
  const shown = { marking, passageCharacters, explain, raw, roles };
  const own = ranked.map((one) => hitOf(one, { ...shown, worth: terms.worth }));
  const more = requirement === undefined && own.length < limit ? await expanded(task, ranked) : undefined;
  const hits = more ? [...own, ...more.ranked.map((one) => hitOf(one, { ...shown, worth: more.worth }))] : own;
  return {
    hits,
    conversations: await byConversation(store, hits),
    ...(more ? { expanded: more.wanted.map(({ term }) => term) } : {}),
    ...(terms.corrected.length > 0 ? { corrected: terms.corrected } : {}),
    ...(isRelaxed && hits.length > 0 ? { relaxed: true } : {}),
  };
}

interface SearchTask {
  readonly store: SearchableStore;
  readonly text: string;
  readonly terms: FoundTerms;
  readonly options: SearchOptions;
  readonly weights: RankingWeights;
  readonly now: Instant;
  readonly signal: AbortSignal | undefined;
  readonly limit: number;
  /** Where there are vectors, and the query has words in a script that their model knows. */
  readonly similarity?: QuerySimilarity;
  readonly nearest: readonly SimilarMessage[];
  readonly forms: TypedForms;
  readonly isQuestion: boolean;
  /** True for a query of a single word. */
  readonly isLone: boolean;
}

/** What is found under a requirement, best first. */
async function attempt(task: SearchTask, requirement: Requirement | undefined): Promise<readonly Ranked[]> {
  const { forms, limit } = task;
  const { ranked, rest } = await rankedOf(task, requirement);
  const isEnough = rest.length === 0 || formsIn(ranked, forms) >= limit;
  const more = isEnough ? [] : await withForms(task.store, rest, forms);
  const found = more.length === 0 ? ranked : (await rankedOf(task, requirement, more)).ranked;
  // What is not shown need not be checked.
  return Iterator.from(found)
    .filter((one) => isHit(one, task, requirement))
    .take(limit)
    .toArray();
}

/** What only other words find, behind what the query's own words found. */
async function expanded(
  task: SearchTask,
  ranked: readonly Ranked[],
): Promise<(Expansion & { readonly ranked: readonly Ranked[] }) | undefined> {
  const { store, text, terms, options, limit, signal } = task;
  const expander = typeof options.expand === 'function' ? options.expand : undefined;
  if (!options.expand) return undefined;
  const found = ranked.filter(({ reading }) => reading.occurrences.length > 0).map(({ stored }) => stored.message);
  const own = terms.wanted.map(({ term }) => term);
  const expansion = await expansionOf(store.index, { query: text, terms: own, found, expander, signal });
  if (!expansion) return undefined;
  const known = new Set(ranked.map(({ stored }) => stored.id));
  const others = { ...task, terms: expansion, nearest: [], forms: new Map(), isQuestion: false, isLone: false };
  const more = await attempt({ ...others, limit: limit + ranked.length }, undefined);
  const fitting = more.filter(({ stored, reading }) => !known.has(stored.id) && isEnough(reading, expansion));
  // Scores stay in order: whatever these are worth, they are worth less than any word that was asked for.
  const [least, most] = [ranked.at(-1)?.score ?? 1, fitting[0]?.score ?? 1];
  const lower = fitting.map((one) => ({ ...one, score: (least * 0.9 * one.score) / most }));
  return { ...expansion, ranked: lower.slice(0, limit - ranked.length) };
}

/** A word that stands beside many others proves nothing by itself. */
function isEnough({ occurrences }: Reading, { sure }: Expansion): boolean {
  const found = new Set(occurrences.map(({ term }) => term));
  return found.size > 1 || found.values().some((term) => sure.has(term));
}

const formsIn = (ranked: readonly Ranked[], forms: TypedForms): number =>
  ranked.reduce((count, { reading }) => count + (hasTypedForm(reading, forms) ? 1 : 0), 0);

/** What was read, best first, and where a form is asked for the candidates that were not; `more` is read in any case. */
async function rankedOf(
  task: SearchTask,
  requirement: Requirement | undefined,
  more: readonly Candidate[] = [],
): Promise<{ readonly ranked: readonly Ranked[]; readonly rest: readonly Candidate[] }> {
  const { store, text, terms, options, weights, limit, forms } = task;
  const wanted = terms.wanted.map(({ term }) => term);
  const { all, none } = requiredTerms(requirement, terms.completions);
  const hasForms = forms.size > 0;
  const times = hasForms ? moreForForms : 1;
  const most = Math.max(mostCandidates, limit, hasForms ? mostForForms : 0);
  const candidates = await store.index.candidates({ wanted, all, none, filter: options, limit: most });
  const promising = mostPromising(candidates, { limit, times });
  const read = await readAround(store, [...promising, ...more, ...task.nearest], weights.shortTurn);
  const similarities = await task.similarity?.of(read.map(({ id }) => id));
  const ranked = rank({
    wanted: terms.wanted,
    worth: terms.worth,
    candidates,
    read,
    weights,
    similarities,
    forms,
    isLone: task.isLone,
    times: timesIn(text, task.now),
    speaks: speaksOf(text),
    ...(options.roles ? { roles: options.roles } : {}),
  });
  const isRead = new Set(promising);
  return { ranked, rest: hasForms ? candidates.filter((one) => !isRead.has(one)) : [] };
}

/** A message with the words, one that is close in meaning, or for a question one beside a message with the words. */
function isHit({ reading, stored, isClose }: Ranked, task: SearchTask, requirement: Requirement | undefined): boolean {
  const isWithout = reading.occurrences.length === 0;
  if (isWithout && (requirement !== undefined || !(task.isQuestion || isClose))) return false;
  if (!passes(stored, task.options)) return false;
  return requirement === undefined || fulfils(plainTexts(reading.fields), requirement);
}

/** What the index could not check for a message that was only read beside another one. */
function passes({ message, time }: StoredMessage, { roles, since, until }: SearchFilter): boolean {
  if (roles && !rolesIn(message).some((role) => roles.includes(role))) return false;
  return (since === undefined || time >= since) && (until === undefined || time < until);
}

/** The candidates that are read: rare words, in messages that are not long for it; no more than is needed. */
function mostPromising(
  candidates: readonly Candidate[],
  { limit, times }: { readonly limit: number; readonly times: number },
): readonly Candidate[] {
  const worth = ({ score, length }: Candidate): number => score / (1 + Math.log1p(length / typicalLength) / 4);
  const chosen = [...candidates].sort((a, b) => worth(b) - worth(a)).slice(0, Math.max(mostRead * times, limit));
  let characters = 0;
  const enough = chosen.findIndex(({ length }, i) => {
    characters += length;
    return characters > mostCharacters * times && i >= Math.max(fewestRead, limit);
  });
  return enough < 0 ? chosen : chosen.slice(0, enough);
}

/** Characters of a message that is neither long nor short. */
const typicalLength = 1_000;

/** What a first or second person in the query tells of the speaker that is meant. */
function speaksOf(query: string): 'of the user' | 'of the assistant' | 'of neither' {
  if (assistantQueries.test(query)) return 'of the assistant';
  return userQueries.test(query) ? 'of the user' : 'of neither';
}

// Fetches the candidates' messages, and those beside short ones.

/** The messages of some candidates; for short ones also the one before and the one after. */
async function readAround(
  store: Pick<Store, 'messages'>,
  candidates: readonly Pick<Candidate, 'sessionId' | 'position' | 'length'>[],
  shortTurn: number,
): Promise<readonly StoredMessage[]> {
  const wanted = new Map<string, Set<number>>();
  for (const { sessionId, position, length } of candidates) {
    const places = wanted.get(sessionId) ?? new Set<number>();
    wanted.set(sessionId, places);
    for (const place of length > shortTurn ? [position] : [position - 1, position, position + 1]) places.add(place);
  }
  return store.messages.views(
    [...wanted].flatMap(([sessionId, places]) => rangesOf(places).map((range) => ({ sessionId, ...range }))),
  );
}

/** The fewest ranges with all the places. */
function rangesOf(places: ReadonlySet<number>): readonly { readonly from: number; readonly to: number }[] {
  const sorted = [...places].filter((place) => place >= 0).sort((a, b) => a - b);
  const ranges: { from: number; to: number }[] = [];
  for (const place of sorted) {
    const last = ranges.at(-1);
    if (last && place === last.to) last.to = place + 1;
    else ranges.push({ from: place, to: place + 1 });
  }
  return ranges;
}

// Shows what was found: hits with their passages, and the conversations that they belong to.

interface HitOptions {
  readonly worth: readonly number[];
  readonly marking: Marking;
  readonly passageCharacters: number;
  readonly explain: boolean;
  readonly raw: boolean;
  /** Whose words were looked for; everybody's without. */
  readonly roles: readonly Role[] | undefined;
}

/** A ranked message as a hit. */
function hitOf({ stored, reading, score, parts }: Ranked, options: HitOptions): SearchHit {
  const { id: messageId, sessionId, position, time, message } = stored;
  const tools = toolsOf(message);
  const passage = passageOf(reading, { ...options, characters: options.passageCharacters });
  return {
    messageId,
    sessionId,
    position,
    time,
    role: speakerOf(message, passage.text, options.roles),
    ...(message.name === undefined ? {} : { name: message.name }),
    ...(tools.length > 0 ? { tools } : {}),
    passage: options.raw ? passage : cleanPassage(passage, message),
    score,
    ...(options.explain ? { parts } : {}),
  };
}

/** Who says the text of a passage: the first of those asked for in whose parts it stands. */
function speakerOf(message: Message, text: string, roles: readonly Role[] | undefined): Role {
  const said = rolesOfParts(message);
  const found = message.parts.findIndex((part, at) => {
    const role = said[at] ?? message.role;
    if (roles && !roles.includes(role)) return false;
    return searchFields({ role, parts: [part] }).some((field) => field.text.includes(text));
  });
  return said[found] ?? message.role;
}

function toolsOf(message: Message): readonly string[] {
  const names = [...toolCalls(message), ...toolResults(message)].flatMap(({ name }) => (name ? [name] : []));
  return [...new Set(names)];
}

/** The conversations of hits, in the order of their best hits. */
async function byConversation(
  store: Pick<Store, 'sessions'>,
  hits: readonly SearchHit[],
): Promise<readonly FoundConversation[]> {
  const bySession = Map.groupBy(hits, ({ sessionId }) => sessionId);
  const byRoot = new Map<string, FoundConversation>();
  for (const [sessionId, own] of bySession) {
    const session = await store.sessions.get(sessionId);
    if (!session) continue;
    const known = byRoot.get(session.rootId);
    if (known) {
      const merged = [...known.hits, ...own].sort((a, b) => b.score - a.score);
      byRoot.set(session.rootId, { ...known, hits: merged });
      continue;
    }
    const root = session.rootId === sessionId ? session : await store.sessions.get(session.rootId);
    const tip = await newestSession(store.sessions, sessionId);
    const title = tip.title ?? session.title ?? root?.title;
    byRoot.set(session.rootId, { root: root ?? session, tip, ...(title === undefined ? {} : { title }), hits: own });
  }
  return [...byRoot.values()].sort((a, b) => (b.hits[0]?.score ?? 0) - (a.hits[0]?.score ?? 0));
}
