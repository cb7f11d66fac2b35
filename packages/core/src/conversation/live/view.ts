/** What a conversation shows its model, message by message. */
import type { MessageId } from '../../store/ids.ts';
import type { Session } from '../../store/session-store.ts';
import type { Message } from '../../transcript/message.ts';

/** A message of the view. */
export interface Shown {
  readonly id: MessageId;
  /** As it is stored, which is what engines see. */
  readonly message: Message;
  /** Its place in what the client sends, or among its system prompts; -1 for a handoff, and for what was shortened. */
  readonly at: number;
}

/** A conversation at one moment; what is said later stands behind it. */
export interface Snapshot {
  readonly session: Session;
  /** The stored view: the system prompts that it opens with, and the rest. */
  readonly prompts: readonly Shown[];
  readonly view: readonly Shown[];
  /** What the client's own system prompts say. */
  readonly promptsHash: string;
  /** What the engine is shown. */
  readonly list: readonly Message[];
}
