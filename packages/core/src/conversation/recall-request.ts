/** What a program is told that finds text for a request. */
import type { SessionId } from '../store/ids.ts';
import type { Message } from '../transcript/message.ts';

/** What is recalled for. */
export interface RecallRequest {
  readonly sessionId: SessionId;
  /** The newest words of the person. */
  readonly text: string;
  /** What the model is shown; nothing of it need be recalled. */
  readonly messages: readonly Message[];
  /** Fires when nobody waits any more. */
  readonly signal: AbortSignal;
}

/** Finds what helps with a request; undefined or blank for nothing. */
export type Recall = (request: RecallRequest) => string | undefined | Promise<string | undefined>;
