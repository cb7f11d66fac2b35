/**
 * The port to what is remembered beyond conversations: typed entries, and a history of every act that changed one. The two
 * files of the memory show some of them; the store knows where each came from, which no text can tell of itself.
 */
import type { Instant, MessageId, SessionId } from './ids.ts';

/** Names an entry within its store: `e` and a number. It is never given twice. */
export type MemoryEntryId = string;

/** Names an act within its store: `a` and a number that rises. */
export type MemoryActId = string;

/** The file that shows an entry: USER.md for what is so of the person, MEMORY.md for everything else. */
export type MemoryTarget = 'memory' | 'user';

/**
 * What an entry is: who somebody is, how they like things done, what is so, how things stand for the moment, how something
 * is done.
 */
export const memoryKinds = ['identity', 'preference', 'fact', 'state', 'procedure'] as const;
/** One of `memoryKinds`. */
export type MemoryKind = (typeof memoryKinds)[number];

/**
 * Who said what an entry says, the most trusted first. An entry that came from several has the last one of them, and keeps
 * it through merging, rewording and moving; only the person raises it, by confirming that very text.
 */
export const memorySources = ['person', 'model', 'own-tool', 'outside-tool', 'document'] as const;
/** One of `memorySources`. */
export type MemorySource = (typeof memorySources)[number];

/**
 * `live` is remembered; `pending` waits for the person and is shown to no model; `retired` was replaced, removed or has
 * become stale; `rejected` was refused by the person.
 */
export type MemoryStatus = 'live' | 'pending' | 'retired' | 'rejected';

/** Something that is remembered. Times are milliseconds since 1970 in UTC. */
export interface MemoryEntry {
  readonly id: MemoryEntryId;
  readonly target: MemoryTarget;
  readonly kind: MemoryKind;
  /** One entry of the file, in plain text. */
  readonly text: string;
  /** For a fact with a name: `key` is normalised, `value` as it was said; at most one live entry a key and scope. */
  readonly key?: string;
  readonly value?: string;
  /** The project it holds for; absent for what holds everywhere. */
  readonly project?: string;
  readonly source: MemorySource;
  /** The session in which it was learned, and the messages it rests on. */
  readonly sessionId?: SessionId;
  readonly messages: readonly MessageId[];
  /** The entries in whose place it stands. */
  readonly replaces: readonly MemoryEntryId[];
  readonly status: MemoryStatus;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
  /** When somebody last said that it is so; a merge keeps the newest. */
  readonly statedAt: Instant;
  /** Until when it is thought to hold, where that was said. */
  readonly until?: Instant;
  /** When the person confirmed this very text. */
  readonly confirmedAt?: Instant;
  /** When it last was recalled or found useful, for those who retire the stale. */
  readonly usedAt?: Instant;
}

/** A new entry: ids and times are given by the store. */
export type MemoryDraft = Omit<MemoryEntry, 'id' | 'createdAt' | 'updatedAt' | 'status'> & {
  /** @default 'live' */
  readonly status?: MemoryStatus;
};

/** What an act does to one entry: makes it (no `id`), or sets what is given of it. */
export type MemoryChange =
  | { readonly type: 'add'; readonly draft: MemoryDraft }
  | { readonly type: 'set'; readonly id: MemoryEntryId; readonly values: Partial<MemoryDraft> };

/** Who did it: a person by a command or a file, a model by its tool, the curator, the runtime, or an import. */
export type MemoryActor = 'person' | 'file' | 'model' | 'curator' | 'runtime' | 'import';

/** Changes that belong together: all of them are made, or none. */
export interface MemoryActDraft {
  readonly actor: MemoryActor;
  /** What was done, in one word: `add`, `replace`, `merge`, `retire`, `approve`, `undo` … */
  readonly what: string;
  /** Why, in a sentence for a person. */
  readonly reason: string;
  readonly sessionId?: SessionId;
  readonly changes: readonly MemoryChange[];
}

/** What was done, with each entry before (absent for a new one) and after. */
export interface MemoryAct extends Omit<MemoryActDraft, 'changes'> {
  readonly id: MemoryActId;
  readonly at: Instant;
  readonly changes: readonly { readonly before?: MemoryEntry; readonly after: MemoryEntry }[];
  /** The act that this one takes back. */
  readonly undoes?: MemoryActId;
  /** The act that took this one back. */
  readonly undoneBy?: MemoryActId;
}

/** Which entries are listed; all of what is set must hold. */
export interface MemoryFilter {
  /** @default ['live'] */
  readonly status?: readonly MemoryStatus[];
  readonly target?: MemoryTarget;
  readonly kind?: MemoryKind;
  readonly key?: string;
  /**
   * What holds in this project: its own entries and those without a project. `null` for those without one alone; entries of
   * all projects only when it is absent, which nothing that a model sees may do.
   */
  readonly project?: string | null;
}

/**
 * Where `meta` keeps what a session shows of the memory, behind which stands the id of the session. It goes with the session,
 * and `forget` clears all of them.
 */
export const shownMemoryPrefix = 'memory:';

/** Where it is kept what a session shows of what is remembered. */
export const shownMemoryKey = (sessionId: string): string => `${shownMemoryPrefix}${sessionId}`;

/** The same for what was recalled for the turns of a session: the id of the session, and the turn. */
export const recalledPrefix: string = `${shownMemoryPrefix}recalled:`;

/** Everything that is remembered. Nothing is ever deleted but by `forget`. */
export interface MemoryStore {
  /**
   * Does all changes of an act or none. Where `expected` tells how an entry was when the act was decided on, and it is not so
   * any more, nothing happens.
   *
   * @throws ID_UNKNOWN for an entry that is not there, STORE_CONFLICT for one that has changed
   */
  act(draft: MemoryActDraft, expected?: readonly MemoryEntry[]): Promise<MemoryAct>;
  get(id: MemoryEntryId): Promise<MemoryEntry | undefined>;
  /** In the order in which they were made. */
  list(filter?: MemoryFilter): Promise<readonly MemoryEntry[]>;
  /** Acts, the newest first, of one entry or of all. */
  history(options?: { readonly entry?: MemoryEntryId; readonly limit?: number }): Promise<readonly MemoryAct[]>;
  /**
   * Takes an act back: each of its entries is again as before, a new one is retired. It is an act itself.
   *
   * @throws ID_UNKNOWN for an act that is not there, STORE_CONFLICT where a later act has changed one of its entries
   */
  undo(id: MemoryActId, by: Pick<MemoryActDraft, 'actor' | 'reason'>): Promise<MemoryAct>;
  /** Takes an entry and its text out of the history for good: for what should never have been kept, such as a secret. */
  forget(id: MemoryEntryId): Promise<void>;
}
