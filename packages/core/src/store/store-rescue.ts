/** What was taken out of a damaged store, and what is missing of it. */
import type { MessageId, SessionId } from './ids.ts';
import type { OutputId } from './output-store.ts';

/** A message that could not be read. */
export interface LostMessage {
  /** Absent where nothing tells it any more. */
  readonly id?: MessageId;
  /** A session that showed it, and where, counted from 0 in the session as it was. */
  readonly sessionId?: SessionId;
  readonly position?: number;
}

/** The outcome of a rescue. */
export interface RescueReport {
  /** The copy, and its bytes. */
  readonly path: string;
  readonly bytes: number;
  /** What is in it. */
  readonly messages: number;
  readonly sessions: number;
  readonly outputs: number;
  readonly calls: number;
  readonly lost: {
    /** Pages of the file that are gone, and rows on others that could not be read. */
    readonly pages: number;
    readonly rows: number;
    /** Messages that something else in the store names. */
    readonly messages: readonly LostMessage[];
    /** Sessions whose own facts are gone; what they showed is kept in the copy where it could be read. */
    readonly sessions: readonly SessionId[];
    readonly outputs: readonly OutputId[];
    /** Calls that sessions count and of which nothing else is left. */
    readonly calls: number;
    /** Places of views that sessions count and that are gone. */
    readonly places: number;
  };
}
