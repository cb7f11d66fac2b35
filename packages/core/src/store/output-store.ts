/** The port to tool results that were saved whole: by content, found and read by lines. */
import type { Instant, SessionId } from './ids.ts';

/** Names a saved output: 16 hex digits of the SHA-256 of its text. */
export type OutputId = string;

/** A tool result that was saved. */
export interface SavedOutput {
  readonly id: OutputId;
  readonly characters: number;
  /** Bytes in UTF-8. */
  readonly bytes: number;
  readonly lines: number;
  readonly savedAt: Instant;
  readonly tool?: string;
  readonly sessionId?: SessionId;
}

/** Some lines of an output. */
export interface OutputLines {
  readonly output: SavedOutput;
  /** First line and the last, from 1. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A line of an output that a search found. */
export interface OutputHit {
  /** From 1. */
  readonly line: number;
  readonly text: string;
}

/** How an output is searched. */
export interface OutputSearch {
  /** @default 20 */
  readonly limit?: number;
}

/** The name under which an import keeps what stands around messages; no tool can have it. */
export const surroundingsTool = 'palimpsest:surroundings';

/** Saves tool results whole, and brings their lines back. */
export interface OutputStore {
  /** Saves a text; the same text is saved once. It is read back before its id is given. */
  save(text: string, about?: { readonly tool?: string; readonly sessionId?: SessionId }): Promise<SavedOutput>;
  get(id: OutputId): Promise<SavedOutput | undefined>;
  /** Lines of an output; the range is cut to what there is. Throws `ID_UNKNOWN`. */
  read(id: OutputId, range?: { readonly from?: number; readonly to?: number }): Promise<OutputLines>;
  /** Lines that hold every word of the query, those with the phrase first. Throws `ID_UNKNOWN`. */
  search(id: OutputId, query: string, options?: OutputSearch): Promise<readonly OutputHit[]>;
  /**
   * What tools gave back, in all sessions or in one; with a name only what was saved under it. What the store keeps for
   * itself is listed by its name alone.
   */
  list(sessionId?: SessionId, options?: { readonly tool?: string }): Promise<readonly SavedOutput[]>;
}
