/** The port to pins: the messages that a person has pinned in a conversation, so that no compression takes them out of it. */
import type { Instant, MessageId, SessionId } from './ids.ts';

/** A message that a person has pinned. */
export interface StoredPin {
  readonly messageId: MessageId;
  readonly pinnedAt: Instant;
  /** What it takes of a context, as it was counted when it was pinned. */
  readonly tokens: number;
}

/** What is to be pinned, and what there is room for. */
export interface PinDraft {
  readonly messageId: MessageId;
  readonly tokens: number;
  /** Tokens that all pins of the conversation together may have. */
  readonly mostTokens: number;
}

/**
 * What became of it: `known` was pinned before, for `full` there was no room, and nothing was written. `pins` are all that
 * the conversation has now.
 */
export interface Pinned {
  readonly type: 'pinned' | 'known' | 'full';
  readonly pins: readonly StoredPin[];
}

/** Pins belong to a conversation and go with it, whichever of its sessions is named. */
export interface PinStore {
  /** The oldest pin first. Throws `ID_UNKNOWN` for a session that does not exist. */
  list(sessionId: SessionId): Promise<readonly StoredPin[]>;
  /**
   * Pins a message where there is room for it; two who pin at once never pin more than there is room for. Throws
   * `ID_UNKNOWN` for a session or a message that does not exist.
   */
  add(sessionId: SessionId, draft: PinDraft): Promise<Pinned>;
  /** False where it was not pinned. Throws `ID_UNKNOWN` for a session that does not exist. */
  remove(sessionId: SessionId, messageId: MessageId): Promise<boolean>;
  /** Pins in one conversation what is pinned in another, as far as the messages are named. Throws `ID_UNKNOWN` for a session. */
  share(from: SessionId, to: SessionId, messageIds: readonly MessageId[]): Promise<void>;
}
