/** What a search gives back. */
import type { Instant, MessageId, SessionId } from '../../store/ids.ts';
import type { Session } from '../../store/session-store.ts';
import type { Role } from '../../transcript/message.ts';
import type { Passage } from './passage.ts';

/** A message that was found. Its ids serve `expand` (the message), `scroll` (around it) and `read` (its session). */
export interface SearchHit {
  readonly messageId: MessageId;
  readonly sessionId: SessionId;
  /** Its place in the view of the session, from 0. */
  readonly position: number;
  readonly time: Instant;
  /** Who said the passage: in a message with role `user`, a result is a tool's, and what a program wrote the system's. */
  readonly role: Role;
  /** Who spoke, where the message tells. */
  readonly name?: string;
  /** The tools that it calls, or whose results it carries. */
  readonly tools?: readonly string[];
  /** Where the match stands in it; recognised credentials are masked, unless the search was `raw`. */
  readonly passage: Passage;
  /** Larger is better; comparable within one answer only. */
  readonly score: number;
  /** What the score is made of, when asked for. */
  readonly parts?: Readonly<Record<string, number>>;
}

/** The hits of one conversation. */
export interface FoundConversation {
  readonly root: Session;
  /** The session to go on with. */
  readonly tip: Session;
  readonly title?: string;
  /** Best first. */
  readonly hits: readonly SearchHit[];
}

/** What a search gives back: hits, and the same by conversation. */
export interface SearchAnswer {
  /** Best first. */
  readonly hits: readonly SearchHit[];
  /** The same hits by conversation, in the order of their best ones. */
  readonly conversations: readonly FoundConversation[];
  /** Spellings that were tried because a word of the query is nowhere. */
  readonly corrected?: readonly { readonly from: string; readonly to: string }[];
  /** True when no message has what the query demands (a phrase, AND), and these are the nearest instead. */
  readonly relaxed?: boolean;
}
