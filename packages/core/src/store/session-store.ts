/** The port to sessions: how they descend, what they are called, and the conversations that a person sees. */
import { defined } from '../shared/defined.ts';
import type { Message } from '../transcript/message.ts';
import type { Instant, MessageId, SessionId } from './ids.ts';
import { type Appended, type AppendOptions, appendInBatches, batches, type MessageStore } from './message-store.ts';
import type { UsageTotals } from './usage-store.ts';

/** How a session came about: by itself, by a compression, by an edit or a rewind, or as a sub-agent of another one. */
export type SessionRelation = 'root' | 'continuation' | 'branch' | 'side';

/** Messages that a person has taken back: from the first to the last, among all that was said in the conversation, from 0. */
export interface TakenBack {
  readonly first: number;
  readonly last: number;
}

/** What is known of a session from the start. */
export interface SessionDraft {
  /** Where its messages come from: a format's name for an import, else `cli`, `library`, `gateway`, `batch`. */
  readonly source: string;
  /** @default a new one */
  readonly id?: SessionId;
  readonly parentId?: SessionId;
  /** @default root, and branch with a parent */
  readonly relation?: Exclude<SessionRelation, 'continuation'>;
  /** The session's own id in the tool that wrote it: one session a source and id. */
  readonly sourceId?: string;
  /** The file that it was imported from. */
  readonly sourcePath?: string;
  /** The folder the agent worked in. */
  readonly project?: string;
  readonly model?: string;
  readonly title?: string;
  /** Who gave the title; one of a person's is never replaced by another's. @default user */
  readonly titleFrom?: TitleOrigin;
  /** @default now */
  readonly startedAt?: Instant;
  /** What of its first messages was taken back where it branched off. @default nothing */
  readonly takenBack?: readonly TakenBack[];
}

/** Who gave a title, the strongest first. */
export type TitleOrigin = 'user' | 'model' | 'source';

/** One durable stretch of a conversation. */
export interface Session extends Omit<SessionDraft, 'relation' | 'takenBack'> {
  readonly id: SessionId;
  readonly relation: SessionRelation;
  /** The session that its conversation began with; itself for a root, a branch and a side conversation. */
  readonly rootId: SessionId;
  readonly startedAt: Instant;
  readonly endedAt?: Instant;
  /** The first reason that was given: `compression`, `undo`, or what a door says. */
  readonly endReason?: string;
  /** When its newest message was said. */
  readonly lastActiveAt: Instant;
  readonly messages: number;
  readonly toolCalls: number;
  readonly usage: UsageTotals;
}

/** A conversation as a person sees it: a chain of sessions as one row. */
export interface Conversation {
  /** The session to go on with: the newest of the chain. */
  readonly tip: Session;
  /** Where it began; the tip itself without a compression. */
  readonly root: Session;
  /** Sessions in the chain. */
  readonly sessions: number;
  /** The newest title of the chain. */
  readonly title?: string;
  /** Opening of its newest request, at most 80 characters. */
  readonly preview: string;
}

/** Which conversations are listed; all of what is set must hold. */
export interface ConversationFilter {
  readonly source?: string;
  /** The folder, or one above it. */
  readonly project?: string;
  /** Active at or after, and before. */
  readonly since?: Instant;
  readonly until?: Instant;
  /** Side conversations too. @default false */
  readonly sides?: boolean;
  /** @default 20 */
  readonly limit?: number;
  /** @default 0 */
  readonly offset?: number;
}

/** What a compression made of a session, or a person who has taken something back. */
export interface ContinuationDraft {
  /** The session that it ends. */
  readonly sessionId: SessionId;
  /** How many messages of its view were compressed; those that came since are carried over behind the new view. */
  readonly size: number;
  /** The new view. */
  readonly messages: readonly Message[];
  /**
   * For each of them the position in the old view of what it is or was made of (a result may have been shortened), and
   * -1 for a handoff; `StoredMessage.origin` gives it back.
   */
  readonly origins: readonly number[];
  /** The handoff among the messages, and every message that it stands for, oldest first, in earlier sessions too. */
  readonly handoff?: {
    readonly at: number;
    readonly covers: readonly MessageId[];
    readonly writtenBy: 'ledger' | 'model';
  };
  /**
   * Set where a person takes back what was said from this place of the conversation on: `size` is then all of the view, and the
   * session ends with `undo`. A view that has grown meanwhile is refused with `STORE_CONFLICT`.
   */
  readonly takesBackFrom?: number;
  /** Why the session ends. @default undo where something is taken back, else compression */
  readonly endReason?: 'compression' | 'undo';
  /** Held by the one who compresses: a lease that was lost is refused with `STORE_CONFLICT`. */
  readonly lease?: Lease;
}

/** How a session begins with messages. */
export interface BeginOptions extends Pick<AppendOptions, 'time' | 'meta'> {
  /** What is shown of them from the start: in a continuation, opened in the same moment. @default all of them */
  readonly shows?: Omit<ContinuationDraft, 'sessionId' | 'size' | 'lease' | 'takesBackFrom'>;
}

/** A session that was begun with messages, or the one that continues it from the start. */
export interface Begun {
  readonly session: Session;
  readonly appended: Appended;
}

/** Every method is atomic: done and durable when its promise is fulfilled, or not done at all. */
export interface SessionStore {
  create(draft: SessionDraft): Promise<Session>;
  /** A session that has its first messages from the moment it is there. Throws what `create` and `append` throw. */
  begin(draft: SessionDraft, messages: readonly Message[], options?: BeginOptions): Promise<Begun>;
  /**
   * Says where a side conversation branched off, once the session that it came from is known. False for one that has
   * its place already, or is no side conversation.
   */
  link(id: SessionId, parentId: SessionId): Promise<boolean>;
  get(id: SessionId): Promise<Session | undefined>;
  /** The session of a tool's own session, the newest branch of it. */
  bySource(source: string, sourceId: string): Promise<Session | undefined>;
  /**
   * What a person means by an id, the beginning of one, or a title: the tips, best first. A conversation without a title is
   * found by how its first request begins, and a text that ends in `…` stands for every such name that begins so.
   */
  find(text: string): Promise<readonly Session[]>;
  list(filter?: ConversationFilter): Promise<readonly Conversation[]>;
  /**
   * The newest session of the chain, at most 100 continuations away. Of a longer chain it is the session that is 100 away,
   * which has ended: the walk goes on from there with another call, and `chain` gives all of it at once.
   */
  tip(id: SessionId): Promise<Session>;
  /** The chain from its root to its tip, however long. */
  chain(id: SessionId): Promise<readonly Session[]>;
  /** What was taken back of a conversation, named by any of its sessions, in the order in which it was said. */
  takenBack(id: SessionId): Promise<readonly TakenBack[]>;
  /** Ends a session and opens its continuation. Throws `STORE_CONFLICT` when another one has ended it. */
  continue(draft: ContinuationDraft): Promise<Session>;
  /** Ends a session; the first reason stays. */
  end(id: SessionId, reason: string): Promise<void>;
  /** Takes the end back. Throws `STORE_CONFLICT` for a session that goes on in another one. */
  reopen(id: SessionId): Promise<void>;
  /** Names a conversation; `undefined` takes the title away. A title in use becomes `X #2`. Returns what it is now. */
  title(id: SessionId, title: string | undefined, from?: TitleOrigin): Promise<string | undefined>;
  /** Deletes a conversation's sessions, and the messages that no other session shows and no other handoff stands for. */
  delete(id: SessionId): Promise<Deleted>;
  /** Deletes what was last active before, conversation by conversation; `dryRun` only counts. */
  prune(before: Instant, options?: { readonly source?: string; readonly dryRun?: boolean }): Promise<Deleted>;
}

/** What a deletion took away, or would. */
export interface Deleted {
  readonly sessions: number;
  readonly messages: number;
  readonly ids: readonly MessageId[];
}

/** Before the key of a meta value that marks a long pause in a session: its id follows, and the turn. It goes with the session. */
export const pausePrefix = 'pause:';

// Answers that broke off: each is kept as a side conversation, whose end says why. No sub-agent has said them.

/** Why there is no more of an answer: its stream failed, or nobody wanted the rest. */
export type BrokenAnswerEnd = 'broken_off' | 'called_off';

const ends: ReadonlySet<string | undefined> = new Set<BrokenAnswerEnd>(['broken_off', 'called_off']);

/** True for the session of an answer that broke off. */
export const isBrokenAnswer = ({ relation, endReason }: Pick<Session, 'relation' | 'endReason'>): boolean =>
  relation === 'side' && ends.has(endReason);

// Leases: two processes never do the same thing to the same session.

/** The right to do something alone until it expires. */
export interface Lease {
  /** What is leased, such as `compress:<session>`. */
  readonly name: string;
  /** Who holds it: one process, or one of its tasks. */
  readonly owner: string;
  /** Different for every time it was given: what was done under an expired one is recognised. */
  readonly token: string;
  readonly expiresAt: Instant;
}

/** Gives and takes leases. */
export interface LeaseStore {
  /**
   * The lease, or undefined while another one holds it. A crashed owner's lapses after its `milliseconds`; where the clock
   * was set back meanwhile, after twice that at the latest. Whoever lost it can do nothing under it any more.
   */
  acquire(name: string, owner: string, milliseconds: number): Promise<Lease | undefined>;
  /** The lease with a new end; undefined when it has lapsed and another one took it. */
  renew(lease: Lease, milliseconds: number): Promise<Lease | undefined>;
  release(lease: Lease): Promise<void>;
  /** Leases that have not expired. */
  held(): Promise<readonly Lease[]>;
}

// The newest session of a conversation, however long its chain is.

/** Goes on from where `tip` stops, after 100 continuations; ends where it comes to a session again. */
export async function newestSession(sessions: Pick<SessionStore, 'tip'>, id: SessionId): Promise<Session> {
  const seen = new Set([id]);
  let session = await sessions.tip(id);
  while (!seen.has(session.id)) {
    seen.add(session.id);
    session = await sessions.tip(session.id);
  }
  return session;
}

/** Begins a session with any number of messages: with the first of them in one moment, and the others in steps. Throws what both throw. */
export async function beginInBatches(
  { sessions, messages: store }: { readonly sessions: SessionStore; readonly messages: MessageStore },
  draft: SessionDraft,
  { messages, ...options }: Pick<AppendOptions, 'time' | 'meta'> & { readonly messages: readonly Message[] },
): Promise<Begun> {
  const [opening = []] = batches(messages);
  const { session, appended } = await sessions.begin(draft, opening, options);
  const rest = messages.slice(opening.length);
  if (rest.length === 0) return { session, appended };
  const later = { ...defined({ time: options.time }), messages: rest, expectedSize: opening.length };
  const more = await appendInBatches(store, session.id, later);
  return { session, appended: { ids: [...appended.ids, ...more.ids], from: 0, added: appended.added + more.added } };
}
