/** The contract of a memory provider: knowledge that another program or service keeps, for the conversations of a person. */
import type { EngineTool } from '../../context/engine.ts';
import type { JsonObject } from '../../shared/json.ts';
import type { MemoryTarget } from '../../store/memory-store.ts';

/** How a member of a provider is called. */
export interface ProviderCall {
  /** Fires when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

/** The session that a provider serves. */
export interface ProviderSession {
  readonly sessionId: string;
  /** Whose memory it is, where several people share a provider. @default 'default' */
  readonly userId?: string;
  /** The project that the session works on; absent where it works on none. What is learned in one is not shown in another. */
  readonly project?: string;
}

/** What a provider is asked for before a turn. */
export interface ProviderQuery {
  readonly sessionId: string;
  /** The newest words of the person, without credentials. */
  readonly text: string;
  /** Most characters of an answer; what is longer is cut at the end of a line. */
  readonly maxChars: number;
}

/** A turn that is over, without credentials, recalled text and tool results. */
export interface ProviderTurn {
  readonly sessionId: string;
  /** Counts the turns of a session, from 1; the same number again is the same turn, sent once more. */
  readonly number: number;
  readonly user: string;
  readonly assistant: string;
}

/** What a person or an assistant said, without credentials. */
export interface ProviderMessage {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** What was written to the memory that comes with Palimpsest. */
export interface ProviderWrite {
  readonly sessionId: string;
  readonly what: 'add' | 'replace' | 'remove';
  readonly target: MemoryTarget;
  /** The new entry; for `remove` the one that is gone. */
  readonly text: string;
  /** For `replace`: the entry as it was. */
  readonly before?: string;
}

/** One note, written, read and removed by its id: how a provider shows that it really keeps what it is given. */
export interface ProviderNotes {
  /** Writes a text and gives its id, once it can be read. */
  write(text: string, call: ProviderCall): Promise<string>;
  /** The text behind an id as the service has it now; undefined where there is none. */
  read(id: string, call: ProviderCall): Promise<string | undefined>;
  remove(id: string, call: ProviderCall): Promise<void>;
}

type Answer<T> = T | undefined | Promise<T | undefined>;

/** A tool of a provider. */
export interface ProviderTool extends EngineTool {
  /** The argument that holds what is to be remembered, for a tool that writes; it is scanned before the tool runs. */
  readonly writes?: string;
}

/** How long each call of a provider may take, in milliseconds. */
export interface ProviderLimits {
  /** @default 8_000 */
  readonly startMs: number;
  /** The turn waits for it. @default 1_500 */
  readonly recallMs: number;
  /** @default 30_000 */
  readonly toolMs: number;
  /** To save a turn or a write; nobody waits for it. @default 30_000 */
  readonly saveMs: number;
  /** To be heard before a compression, and for every other event. @default 5_000 */
  readonly eventMs: number;
  /** To write a note and read it back. @default 20_000 */
  readonly probeMs: number;
  /** For everything that is still to be saved when a program ends. @default 5_000 */
  readonly stopMs: number;
}

/** Every default of `ProviderLimits`. */
export const defaultProviderLimits: ProviderLimits = {
  startMs: 8_000,
  recallMs: 1_500,
  toolMs: 30_000,
  saveMs: 30_000,
  eventMs: 5_000,
  probeMs: 20_000,
  stopMs: 5_000,
};

/**
 * A memory that another program or service keeps. Only the name is needed. Members may throw, hang and give back anything:
 * `createMemoryProviders` isolates them, limits their time, and scans what they give before a model sees it. A member that fails
 * throws; what a model has to know, such as that nothing was found, is an answer.
 *
 * One object may serve several conversations of a person and a project at once: `start` comes with each of them, queries, turns
 * and writes say which session they belong to, and `stop` comes behind the last one.
 */
export interface MemoryProvider {
  /** Small letters, digits and `-`, such as `mem0`. */
  readonly name: string;
  /** The times that it needs, where the usual ones do not do. */
  readonly limits?: Partial<ProviderLimits>;
  /** What is missing before it can be used, such as a key, in a sentence; undefined for nothing. Never uses the network. */
  missing?(): string | undefined;
  /** Called before everything else, and again after a failure. */
  start?(session: ProviderSession, call: ProviderCall): Answer<void>;
  /** What the system prompt says of it. Asked for once, behind `start`: a prompt that changes costs the cache. */
  promptText?(): string;
  /** Plain lines of text that help with a turn; undefined or blank for nothing. */
  recall?(query: ProviderQuery, call: ProviderCall): Answer<string>;
  /** A turn has begun: `number` counts from 1. */
  onTurnStart?(turn: Omit<ProviderTurn, 'user' | 'assistant'>, call: ProviderCall): Answer<void>;
  /** Called one turn after the other; may come once more with the same turn when it threw or was late. */
  saveTurn?(turn: ProviderTurn, call: ProviderCall): Answer<void>;
  /** What the model may call. Names that are taken are left out. */
  readonly tools?: readonly ProviderTool[];
  /** The answer to a call of one of its tools, for the model. */
  runTool?(name: string, args: JsonObject, call: ProviderCall): Answer<string>;
  /** The memory that comes with Palimpsest was changed. */
  onMemoryWrite?(write: ProviderWrite, call: ProviderCall): Answer<void>;
  /** What the conversation loses from sight with the compression that begins; may give text for the handoff. */
  beforeCompression?(messages: readonly ProviderMessage[], call: ProviderCall): Answer<string>;
  /** A compression or a fork goes on in another session. */
  onSessionContinue?(session: ProviderSession, call: ProviderCall): Answer<void>;
  /** The conversation is over. */
  onSessionEnd?(messages: readonly ProviderMessage[], call: ProviderCall): Answer<void>;
  /** How it shows that it works. Without, it is thought to work again when its next call does. */
  readonly notes?: ProviderNotes;
  /** Lets go of what it holds. Nothing is called behind it. */
  stop?(call: ProviderCall): Answer<void>;
}

/** What is said of a provider to a person: one line, without credentials and without anything that it has remembered. */
export interface ProviderNotice {
  readonly type: 'memory-provider';
  readonly level: 'info' | 'warn';
  readonly provider: string;
  readonly message: string;
}
