/**
 * The port to what is kept: every message ever said or seen, once; sessions as views over them; what calls used; saved
 * output; and an index over all of it. `record/` has what is true of
 * every store, over a port to SQL; `sqlite/` is the adapter that needs nothing; all adapters run one contract suite.
 */
import type { EpisodeStore } from './episode-store.ts';
import type { Instant, MessageId, SessionId } from './ids.ts';
import type { MemoryStore } from './memory-store.ts';
import type { MessageStore } from './message-store.ts';
import type { PinStore } from './pin-store.ts';
import type { SearchIndex, VectorStore } from './search-index.ts';
import type { LeaseStore, SessionStore } from './session-store.ts';
import type { UsageStore } from './usage-store.ts';

/** Small values that belong to no session, such as the policy's state or a remembered window. */
export interface MetaStore {
  get(key: string): Promise<string | undefined>;
  /** `undefined` takes it away. */
  set(key: string, value: string | undefined): Promise<void>;
}

/** Everything that is kept; made by `openStore`. */
export interface Store extends AsyncDisposable {
  /** What people call it: the name of its file. Absent where it ends with the process. */
  readonly name?: string;
  readonly messages: MessageStore;
  readonly sessions: SessionStore;
  readonly leases: LeaseStore;
  readonly usage: UsageStore;
  readonly outputs: OutputStore;
  /** What is remembered beyond conversations. */
  readonly memory: MemoryStore;
  /** What each conversation was about. */
  readonly episodes: EpisodeStore;
  /** What people have pinned. */
  readonly pins: PinStore;
  readonly index: SearchIndex;
  readonly vectors: VectorStore;
  readonly meta: MetaStore;
  readonly care: StoreCare;
  /** Waits for what is under way. Further calls throw `STORE_CLOSED`. */
  close(): Promise<void>;
}

// The health of a store: what is wrong with it, what can be rebuilt, and copies of it.

/** Something that a check looked at. */
export interface CareFinding {
  readonly check: 'integrity' | 'foreign keys' | 'index' | 'views' | 'content' | 'memory' | 'leases' | 'file';
  readonly ok: boolean;
  /** One sentence for a person: what was found, and what to do. */
  readonly message: string;
  /** True for what `repair` can put right without touching a message. */
  readonly repairable: boolean;
}

/** What a check found. */
export interface CareReport {
  readonly findings: readonly CareFinding[];
  readonly ok: boolean;
  /** Where the store is, as a person would look for it. */
  readonly where: string;
  /** Bytes on disk, and the schema's version. */
  readonly bytes: number;
  readonly version: number;
  readonly messages: number;
  readonly sessions: number;
}

/** Checks, repairs and copies a store. */
export interface StoreCare {
  /** Looks at everything; changes nothing. */
  check(onProgress?: (done: number, all: number) => void): Promise<CareReport>;
  /** Rebuilds what can be rebuilt (indexes, views, counts), never a message. */
  repair(onProgress?: (done: number, all: number) => void): Promise<CareReport>;
  /** A consistent copy while others write. Refuses a file that exists. Returns its bytes. */
  backup(path: string): Promise<number>;
}

// What was taken out of a damaged store, and what is missing of it.

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
  /** Entries of the memory. */
  readonly memories: number;
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
    /** Entries of the memory, and acts of its history, that are gone or of which a part is gone. */
    readonly memories: number;
    readonly memoryActs: number;
  };
}

// The port to tool results that were saved whole: by content, found and read by lines.

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
