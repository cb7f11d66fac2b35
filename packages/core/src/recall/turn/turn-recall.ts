/**
 * Automatic recall: what earlier conversations and the memory say about a request, found before the model is asked. It stays
 * silent where it is not sure.
 *
 * ```
 * request ─► what it asks ─► its words ─┬─► messages of other sessions ─┐
 *                                       ├─► what these were about ──────┤
 *                                       └─► remembered entries ─────────┴─► sure? ─► text within the budget
 * ```
 */
import { platformTimers } from '../../shared/timers.ts';
import type { Instant } from '../../store/ids.ts';
import { timesIn, withoutTimes } from '../search/times.ts';
import { findTurns } from './candidates.ts';
import { findEntries, knownEntries } from './entries.ts';
import { findEpisodes } from './episodes.ts';
import { questionOf } from './focus.ts';
import {
  checkTurnRecallOptions,
  type TurnRecall,
  type TurnRecallOptions,
  type TurnRecallReport,
  type TurnRecallRequest,
  turnRecallDefaults,
} from './options.ts';
import { type AskedWord, askedWords, weighWords } from './question.ts';
import { type FoundForTurn, reportOf } from './report.ts';

/**
 * Recall for the option `recall` of `createConversations` and `withPalimpsest`. The text is plain: the runtime puts it into its
 * fence. The same store and request give the same text. Throws `BAD_OPTION`.
 */
export function createTurnRecall(options: TurnRecallOptions): TurnRecall {
  checkTurnRecallOptions(options);
  const explain = (request: TurnRecallRequest): Promise<TurnRecallReport> => recallFor(options, request);
  return Object.assign(async (request: TurnRecallRequest) => (await explain(request)).text, { explain });
}

async function recallFor(options: TurnRecallOptions, request: TurnRecallRequest): Promise<TurnRecallReport> {
  const { confidence: needed = turnRecallDefaults.confidence } = options;
  const question = questionOf(request.text, request.messages);
  const nothing = { tokens: 0, question, words: [], confidence: 0, needed, candidates: [] };
  const deadline = startDeadline(options, request.signal);
  try {
    const now = await deadline.inTime(nowOf(options, request));
    if (now === undefined) return { ...nothing, reason: 'out of time' };
    // A time is met by when a message was said, not by its words.
    const asked = askedWords(withoutTimes(question, now));
    if (asked.length === 0) return { ...nothing, reason: 'nothing asked' };
    const found = await findFor(options, request, { question, asked, now, deadline });
    return found ? reportOf(found, { options, request, needed }) : { ...nothing, reason: 'out of time' };
  } finally {
    deadline.stop();
  }
}

/** What "yesterday" is counted from is in the record, so that the same request gives the same text on any day. */
async function nowOf({ store, clock }: TurnRecallOptions, { sessionId }: TurnRecallRequest): Promise<Instant> {
  const session = await store.sessions.get(sessionId);
  return session?.lastActiveAt ?? clock?.now?.() ?? Date.now();
}

interface Asked {
  readonly now: Instant;
  readonly question: string;
  readonly asked: readonly AskedWord[];
  readonly deadline: Deadline;
}

/** What there is time for: entries alone where the search takes too long; undefined where there is not even that. */
async function findFor(
  { store, project, entries, vectors }: TurnRecallOptions,
  { sessionId }: TurnRecallRequest,
  { question, asked, now, deadline }: Asked,
): Promise<FoundForTurn | undefined> {
  const listed = entries ? ((await deadline.inTime(entries())) ?? []) : [];
  const known = knownEntries(listed, project);
  const others = known.map(({ terms }) => terms);
  const words = await deadline.inTime(weighWords(store.index, asked, { question, others }));
  if (!words) return undefined;
  const task = { question, words, times: timesIn(question, now), sessionId, project, vectors, now };
  const turns = await deadline.inTime(findTurns(store, task));
  const episodes = (await deadline.inTime(findEpisodes(store, task))) ?? [];
  const isLate = turns === undefined;
  return { question, words, entries: findEntries(known, words), turns: turns ?? [], episodes, isLate };
}

interface Deadline {
  /** The value, or undefined where time is over first. */
  inTime<T>(work: Promise<T>): Promise<T | undefined>;
  stop(): void;
}

function startDeadline({ clock, timeoutMs }: TurnRecallOptions, signal: AbortSignal | undefined): Deadline {
  const { timers = platformTimers } = clock ?? {};
  const { promise: over, resolve: end } = Promise.withResolvers<undefined>();
  const isOver = (): void => end(undefined);
  const stop = timers.after(timeoutMs ?? turnRecallDefaults.timeoutMs, isOver);
  if (signal?.aborted) isOver();
  signal?.addEventListener('abort', isOver, { once: true });
  return {
    inTime: (work) => Promise.race([over, work]),
    stop: () => {
      stop();
      signal?.removeEventListener('abort', isOver);
    },
  };
}
