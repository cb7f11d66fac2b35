/** The port to episodes: what each conversation was about, in so few words that a month of them fits a page. */
import type { Instant, SessionId } from './ids.ts';

/** What is remembered of one conversation. */
export interface StoredEpisode {
  /** The first session of the conversation. */
  readonly sessionId: SessionId;
  /** Where its agent worked, as its session says. */
  readonly project?: string;
  /** A line a part: what was wanted, done, found, decided and left open. */
  readonly text: string;
  /** When the conversation began, and when it was active last as the episode was written. */
  readonly startedAt: Instant;
  readonly endedAt: Instant;
}

/** Which episodes are listed; all of what is set must hold. */
export interface EpisodeFilter {
  /** Conversations of this project alone; `null` for those without one; all of them only when it is absent. */
  readonly project?: string | null;
  /** Active at or after. */
  readonly since?: Instant;
  /** Begun before. */
  readonly until?: Instant;
  /** Words of which at least one has to stand in it; those with the most and the rarest of them come first. */
  readonly query?: string;
  /** @default 20 */
  readonly limit?: number;
}

/** One episode a conversation: a later one takes the place of the one before, and it goes with its conversation. */
export interface EpisodeStore {
  /** Keeps what a conversation was about, told by any of its sessions. An empty text takes it away. @throws SESSION_UNKNOWN */
  put(sessionId: SessionId, text: string): Promise<StoredEpisode | undefined>;
  /** Of the conversation that a session belongs to. @throws SESSION_UNKNOWN */
  get(sessionId: SessionId): Promise<StoredEpisode | undefined>;
  /** The newest first, unless a query says otherwise. */
  list(filter?: EpisodeFilter): Promise<readonly StoredEpisode[]>;
}
