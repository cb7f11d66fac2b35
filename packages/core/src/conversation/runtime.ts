/** What both calls work with. */
import type { Summarizer } from '../compression/summarize/summarizer.ts';
import type { KnownWindows } from '../provider/errors/known-windows.ts';
import type { JsonValue } from '../shared/json.ts';
import type { SessionId } from '../store/ids.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { Message } from '../transcript/message.ts';
import type { Lanes } from './lanes.ts';
import type { BackgroundCounts } from './live/ahead.ts';
import type { LiveConversation } from './live/live.ts';
import type { RollingHashes, StartIndex } from './live/said.ts';
import type { Calibration, SizeReport } from './live/size.ts';
import type { ConversationSettings } from './options.ts';
import type { ContextRequest, ConversationNotice, PreparedContext } from './request.ts';

/** One for each `createConversations`. */
export interface Runtime {
  readonly settings: ConversationSettings;
  /** Read once, at the first request. */
  readonly basis: () => Promise<Basis>;
  /** Every beginning of every conversation that is followed. */
  readonly starts: StartIndex<LiveConversation>;
  /** The conversations that are followed, the one unused for longest first. */
  readonly followed: Set<LiveConversation>;
  /** The same by the ids of their sessions, as far as anybody may name them. */
  readonly live: Map<SessionId, LiveConversation>;
  /** By the hash of the first thing said, the newest first: what a client sends again is compared before it is hashed. */
  readonly openers: Map<string, readonly LiveConversation[]>;
  /** For conversations that are not followed yet. */
  readonly lanes: Lanes;
  readonly newSessionId: () => SessionId;
  readonly background: BackgroundCounts;
  readonly pending: WeakMap<PreparedContext, Pending>;
}

/** What takes time to find out, and is learnt from answers and failures. */
export interface Basis {
  readonly tokenizer: Tokenizer;
  calibration: Calibration | undefined;
  readonly windows: KnownWindows;
  /** The window: as it was given, or a lower one that the provider named, or one that was guessed. */
  contextLength: number;
  /** Set while the window is a guess. */
  guess: GuessedWindow | undefined;
  /** Those of the settings, with the windows that are known of them. */
  readonly summarizer?: Summarizer;
}

/** What is known of a window that no provider has named. */
export interface GuessedWindow {
  /** The smallest request, in tokens, that was refused as too long: what is clearly smaller may still be taken. */
  readonly refusedTokens: number;
  /** The window before the first guess. */
  readonly before: number;
}

/** A request taken apart. */
export interface Asked {
  readonly prompts: readonly Message[];
  /** What follows the system prompts, and its hashes. */
  readonly said: readonly Message[];
  readonly hashes: RollingHashes;
  /** Set where a fence of ours came back and was taken off. */
  readonly isUnfenced?: boolean;
  readonly tools: readonly JsonValue[];
  readonly sessionId: SessionId | undefined;
  readonly call: Pick<ContextRequest, 'focusTopic' | 'maxTokens' | 'recall' | 'signal'>;
  /** Told what a person should know. */
  readonly notices: ConversationNotice[];
}

/** What `settle` has to know of a context. */
export interface Pending {
  readonly asked: Asked;
  readonly sessionId: SessionId;
  /** What a report of this context is a report of. */
  readonly sent: Omit<SizeReport, 'promptTokens'>;
  /** Tokens of recalled text, which the next turn does not carry. */
  readonly recallTokens: number;
  /** The estimate of the whole request, where it was estimated. */
  readonly estimate: number | undefined;
  /** Set while it is being settled, and after that. */
  settling: Promise<unknown> | undefined;
}

/** Where the calibration of a model is kept. */
export const calibrationKey = (model: string): string => `calibration:${model}`;
