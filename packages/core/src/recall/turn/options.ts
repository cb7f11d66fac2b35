/** How recall into the turn is set up, and what it tells of itself. */
import { aFunction, aNumber, checkKnownOptions, type KnownOptions } from '../../shared/options/known-options.ts';
import { aClock, type Clock } from '../../shared/timers.ts';
import type { Instant, SessionId } from '../../store/ids.ts';
import type { MemoryEntry } from '../../store/memory-store.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import type { Message } from '../../transcript/message.ts';
import { requireSearchable } from '../search/options.ts';
import type { SearchableStore } from '../search/search.ts';
import type { Embedder } from '../vectors/embed-messages.ts';
import type { EpisodicStore } from './episodes.ts';

/** What is searched for a turn, and how sure it must be. */
export interface TurnRecallOptions {
  /** Where conversations are kept, and what they were about. */
  readonly store: SearchableStore & EpisodicStore;
  /**
   * The folder of the project: only what was said there or in a folder below is recalled, and only entries that hold there or
   * everywhere. @default all conversations, and the entries that hold everywhere
   */
  readonly project?: string;
  /** Most tokens of the text. @default 1000 */
  readonly tokens?: number;
  /**
   * Share of the question's words, 0 to 1, that must stand together in a place of the record; below it nothing is recalled.
   * A higher one recalls less often and is wrong less often. @default 0.52, measured by `bench/memory-recall.ts`
   */
  readonly confidence?: number;
  /** Milliseconds after which a request waits no longer; what has not been found by then is left out. @default 1500 */
  readonly timeoutMs?: number;
  /** Counts the tokens. @default an estimate */
  readonly tokenizer?: Tokenizer;
  /** What is remembered, such as `store.memory.list({ project })`. @default nothing */
  readonly entries?: () => Promise<readonly MemoryEntry[]>;
  /** The model whose vectors take part in the ranking; `embedMessages` makes them. @default words alone */
  readonly vectors?: Embedder;
  /** @default that of the platform */
  readonly clock?: Clock;
}

export const turnRecallDefaults = { tokens: 1_000, confidence: 0.52, timeoutMs: 1_500 } as const;

/** What is recalled for: what the option `recall` of a runtime is called with. */
export interface TurnRecallRequest {
  readonly sessionId: SessionId;
  /** The newest words of the person. */
  readonly text: string;
  /** What the model is shown. */
  readonly messages: readonly Message[];
  readonly signal?: AbortSignal;
}

/** Finds what helps with a request; the option `recall` of `createConversations` and `withPalimpsest` takes it as it is. */
export interface TurnRecall {
  /** The text, undefined where nothing is sure enough. Throws what the store throws. */
  (request: TurnRecallRequest): Promise<string | undefined>;
  /** The same with the reasons: what was looked for, and why each candidate was recalled or was not. */
  explain(request: TurnRecallRequest): Promise<TurnRecallReport>;
}

/** What came of it as a whole. */
export type TurnRecallReason =
  | 'recalled'
  | 'nothing asked'
  | 'nothing found'
  | 'not sure'
  | 'nothing new'
  | 'out of time';

/** What was looked for and found in a turn. */
export interface TurnRecallReport {
  readonly reason: TurnRecallReason;
  /** The text for the model; absent where nothing is recalled. */
  readonly text?: string;
  readonly tokens: number;
  /** What of the request was looked for. */
  readonly question: string;
  readonly words: readonly RecalledWord[];
  /** The confidence in the best place, 0 to 1, and the one that is needed. */
  readonly confidence: number;
  readonly needed: number;
  /** Remembered entries first, then messages, then what conversations were about, each best first. */
  readonly candidates: readonly RecallCandidate[];
}

/** A word of the question. */
export interface RecalledWord {
  readonly text: string;
  /** Messages and entries that have it. */
  readonly messages: number;
  /** It tells messages apart: a name, or a word that few have. */
  readonly isDistinctive: boolean;
}

/** Something that was found, and what became of it. */
export interface RecallCandidate {
  readonly type: 'message' | 'entry' | 'episode';
  /** The id of the message or entry; of an episode that of the conversation's first session. */
  readonly id: string;
  readonly sessionId?: SessionId;
  readonly time: Instant;
  readonly speaker: string;
  readonly text: string;
  /** Share of the question's words in its place, and which they are. */
  readonly confidence: number;
  readonly found: readonly string[];
  readonly outcome: 'recalled' | 'not sure' | 'same as another' | 'shown already' | 'no room';
}

const aPositive = { ...aNumber(1), expected: 'a number of at least 1' };

/** What a runtime lets its user say. */
export const turnRecallRules: KnownOptions<Pick<TurnRecallOptions, 'tokens' | 'confidence' | 'timeoutMs' | 'vectors'>> =
  {
    tokens: aPositive,
    confidence: { expected: 'a number from 0 to 1', holds: (value) => Number(value) >= 0 && Number(value) <= 1 },
    timeoutMs: aPositive,
    vectors: true,
  };

const known: KnownOptions<TurnRecallOptions> = {
  ...turnRecallRules,
  store: true,
  project: { expected: 'the path of a folder', holds: (value) => typeof value === 'string' },
  tokenizer: true,
  entries: aFunction,
  clock: aClock,
};

/** Throws `BAD_OPTION` for options that are none, and without a store. */
export function checkTurnRecallOptions(options: TurnRecallOptions): void {
  checkKnownOptions('createTurnRecall', options, known);
  requireSearchable(options.store);
}
