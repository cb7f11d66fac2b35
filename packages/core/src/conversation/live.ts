/** What a process knows of the conversations that it follows, and of the request that it works on. */
import type { AheadPass } from '../compression/compressor-pass.ts';
import type { Compressor } from '../compression/engine.ts';
import { personMessage } from '../compression/handoff-block.ts';
import type { ConversationRecord } from '../compression/record.ts';
import type { Ref } from '../compression/ref.ts';
import type { SummaryCallReport } from '../compression/summarize/run-plan.ts';
import type { Summarizer } from '../compression/summarize/summarizer.ts';
import type { ContextEngine } from '../context/engine.ts';
import type { MemoryProviders } from '../memory/providers/memory-providers.ts';
import { type KnownWindows, noRecovery, type RecoveryState, type StrippedParts } from '../provider/errors/recovery.ts';
import type { TurnRecallReport } from '../recall/turn/options.ts';
import type { JsonValue } from '../shared/json.ts';
import type { Instant, MessageId, SessionId } from '../store/ids.ts';
import type { Lease, Session } from '../store/session-store.ts';
import type { Tokenizer } from '../tokens/tokenizer.ts';
import type { CallSpan } from '../tracing/call-span.ts';
import type { Message } from '../transcript/message.ts';
import type { PauseMark, RecalledText, ShownMemory } from './beside.ts';
import type { ConversationSettings } from './options.ts';
import type { BackgroundCounts, ContextRequest, ConversationNotice, PreparedContext } from './request.ts';
import { type RollingHashes, rollingHashes, type StartIndex } from './said.ts';
import type { ConversationState, SizeReport } from './state.ts';

/** One for each `createConversations`. */
export interface Runtime {
  readonly settings: ConversationSettings;
  /** Read once, at the first request. */
  readonly basis: () => Promise<Basis>;
  /** Every beginning of every conversation that is followed. */
  readonly starts: StartIndex<LiveConversation>;
  /** The conversations that are followed, the one unused for longest first. */
  readonly followed: Set<LiveConversation>;
  /** The same by the ids of their sessions, as far as anybody may name them. */
  readonly live: Map<SessionId, LiveConversation>;
  /** By the hash of the first thing said, the newest first: what a client sends again is compared before it is hashed. */
  readonly openers: Map<string, readonly LiveConversation[]>;
  /** For conversations that are not followed yet: lanes by name, each there only while somebody is in it. */
  readonly lanes: Map<string, { readonly lane: Lane; users: number }>;
  readonly newSessionId: () => SessionId;
  readonly background: BackgroundCounts;
  readonly pending: WeakMap<PreparedContext, Pending>;
  /** Memory providers by the first session of the conversation that each serves, the one unused for longest first. */
  readonly hosted: Map<SessionId, HostedProvider>;
  /** Providers that are stopped now. */
  readonly leaving: Set<Promise<unknown>>;
}

/** One thing at a time, in the order in which it was asked for. */
export interface Lane {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** What takes time to find out, and is learnt from answers and failures. */
export interface Basis {
  readonly tokenizer: Tokenizer;
  calibration: Calibration | undefined;
  readonly windows: KnownWindows;
  /** The window: as it was given, or a lower one that the provider named, or one that was guessed. */
  contextLength: number;
  /** Set while the window is a guess. */
  guess: GuessedWindow | undefined;
  /** Those of the settings, with the windows that are known of them. */
  readonly summarizer?: Summarizer;
}

/** How far reports lie above estimates for a model: a mean that follows slowly. */
export interface Calibration {
  readonly ratio: number;
  readonly reports: number;
}

/** What is known of a window that no provider has named. */
export interface GuessedWindow {
  /** The smallest request, in tokens, that was refused as too long: what is clearly smaller may still be taken. */
  readonly refusedTokens: number;
  /** The window before the first guess. */
  readonly before: number;
}

/** A request taken apart. */
export interface Asked {
  readonly prompts: readonly Message[];
  /** What follows the system prompts, and its hashes. */
  readonly said: readonly Message[];
  readonly hashes: RollingHashes;
  /** Set where a fence of ours came back and was taken off. */
  readonly isUnfenced?: boolean;
  readonly tools: readonly JsonValue[];
  readonly sessionId: SessionId | undefined;
  readonly call: Pick<ContextRequest, 'project' | 'follows' | 'focusTopic' | 'maxTokens' | 'recall' | 'signal'>;
  /** Told what a person should know. */
  readonly notices: ConversationNotice[];
}

/** A request at work on its conversation. */
export interface Step {
  readonly runtime: Runtime;
  readonly basis: Basis;
  readonly live: LiveConversation;
  readonly asked: Asked;
}

/** What `settle` has to know of a context. */
export interface Pending {
  readonly asked: Asked;
  readonly sessionId: SessionId;
  /** What a report of this context is a report of. */
  readonly sent: Omit<SizeReport, 'promptTokens'>;
  /** The estimate of the whole request, where it was estimated. */
  readonly estimate: number | undefined;
  /** Its call, where that is traced. */
  readonly span: CallSpan | undefined;
  /** Whether its usage is in the store, also where what came behind that failed. */
  isCounted: boolean;
  /** Set while it is being settled, and after that. */
  settling: Promise<unknown> | undefined;
}

/** What a process knows of a conversation; changed only by who is in its lane. */
export interface LiveConversation {
  readonly lane: Lane;
  readonly engine: ContextEngine<Message>;
  /** What the built-in engine works with; absent for another engine. */
  readonly builtIn: BuiltIn | undefined;
  /** The newest session. */
  session: Session;
  /** Ids of its sessions under which the runtime has it. */
  readonly names: Set<SessionId>;
  /** The system prompts that the stored view opens with. */
  prompts: readonly Shown[];
  /** The stored view behind them. */
  view: Shown[];
  /** What the client has said, and its own objects in the newest form, system prompts left out. */
  hashes: RollingHashes;
  said: readonly Message[];
  /** The client's own system prompts of its newest request. */
  lastPrompts: readonly Message[];
  /** The definitions of tools of its newest request. */
  lastTools: readonly JsonValue[];
  state: ConversationState;
  /** What was tried after failed calls of a turn. */
  recovery: { readonly turn: string; readonly state: RecoveryState };
  /** The newest context, if it was valid as it stood: what goes on from it is looked at from there on. */
  checked: Checked | undefined;
  /** The state as it was last written down. */
  savedState: string;
  /** A compression in the background. */
  ahead: Ahead | undefined;
  /** The session whose compression in the background a hook did not want. */
  vetoed: SessionId | undefined;
  /** What was recalled in its session, in the order in which it was said. */
  recalled: readonly RecalledText[];
  /** The long pauses that are marked in its session. */
  pauses: readonly PauseMark[];
  /** When something was said in it last. */
  activeAt: Instant;
  /** Why something was recalled for a turn, or was not. */
  explained: { readonly turn: string; readonly report: TurnRecallReport } | undefined;
  /** What its session shows of the memory. */
  memory: ShownMemory | undefined;
}

/** The memory provider as it serves one conversation. It outlives what a process knows of the conversation. */
export interface HostedProvider {
  readonly providers: MemoryProviders;
  readonly started: Promise<void>;
  /** The session that it was told of. */
  sessionId: SessionId;
  /** Of the newest request, which hears its notices. */
  notices: ConversationNotice[];
  /** The turn that it has begun, and what it recalled for it; undefined where it has not been asked. */
  turn: string | undefined;
  recalled: string | undefined;
  /** Its tools that are left out of the requests of this turn. */
  absent: readonly string[] | undefined;
}

export interface BuiltIn {
  readonly compressor: Compressor<Message>;
  readonly record: ConversationRecord;
  /** The id of every message of the record, by its place, as far as they are known. */
  readonly ids: (MessageId | undefined)[];
  /** What a person has pinned, as it was read for the newest pass. */
  readonly pinned: { refs: readonly Ref[] };
}

/** A message of the view. */
export interface Shown {
  readonly id: MessageId;
  /** As it is stored, which is what engines see. */
  readonly message: Message;
  /** Its place in what the client sends, or among its system prompts; -1 for a handoff, and for what was shortened. */
  readonly at: number;
}

/** A list that needed no repair. */
export interface Checked {
  readonly messages: readonly Message[];
  /** Every call in it. */
  readonly callIds: Set<string>;
}

/** A conversation at one moment, as it is compressed; what is said later stands behind it. */
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

/**
 * A compression that is prepared while the conversation goes on, from the snapshot that it is made of to the request that
 * takes it; a conversation has one at most. Nothing of the conversation changes before that.
 */
export interface Ahead {
  readonly snapshot: Snapshot;
  /** `over`: it was taken, or came to nothing. */
  progress: { readonly type: 'running' | 'over' } | ({ readonly type: 'ready' } & ReadyAhead);
  /** Fulfilled when the model is done with it, or was stopped; never rejected. */
  readonly done: Promise<void>;
  /** Nobody wants it any more. */
  readonly stop: () => void;
}

/** What waits to be taken. */
export interface ReadyAhead {
  readonly pass: Extract<AheadPass<Message>, { type: 'ready' }>;
  readonly places: readonly number[];
  /** The pins that it knows of. */
  readonly pinned: readonly Ref[];
  /** Of the models that wrote it. */
  readonly calls: readonly SummaryCallReport[];
  /** What a hook wants the new context to begin with. */
  readonly kept: string | null;
  /** What a model found worth keeping of what is covered. */
  readonly proposed: readonly string[];
  readonly lease: HeldLease;
}

/** A lease that is given a new end again and again until it rests or is released. */
export interface HeldLease {
  /** As it is now; the store refuses what is done under one that was lost. */
  current(): Lease;
  /** Gives it a new end; never throws. */
  renew(): Promise<void>;
  /** Taken again after its release; undefined when somebody else has it by now. */
  resumed(): Promise<Lease | undefined>;
  release(): Promise<void>;
}

/** Of a conversation that nothing has been tried with. */
export const untouched: Pick<
  LiveConversation,
  | 'lastPrompts'
  | 'lastTools'
  | 'recovery'
  | 'checked'
  | 'ahead'
  | 'vetoed'
  | 'recalled'
  | 'pauses'
  | 'explained'
  | 'memory'
> = {
  lastPrompts: [],
  lastTools: [],
  recovery: { turn: '', state: noRecovery },
  checked: undefined,
  ahead: undefined,
  vetoed: undefined,
  recalled: [],
  pauses: [],
  explained: undefined,
  memory: undefined,
};

// System prompts, and the view as its client would send it.

/** How many system prompts open a list. */
export function promptsIn(messages: readonly Message[]): number {
  const first = messages.findIndex(({ role }) => role !== 'system');
  return first < 0 ? messages.length : first;
}

/** What a list of system prompts says. */
export const promptsHash = (prompts: readonly Message[]): string => rollingHashes(prompts).at(-1) ?? '';

/**
 * The system prompts of a request as an engine sees them, and as they are sent: with what an engine added to the same ones,
 * and what is remembered.
 */
export function promptsFor(
  { prompts, state, memory }: LiveConversation,
  asked: readonly Message[],
): { readonly listed: readonly Message[]; readonly sent: readonly Message[] } {
  const shown = memory?.message ? [memory.message] : [];
  const added = state.kept === null ? shown : [...shown, keptNote(state.kept)];
  if (state.prompts !== promptsHash(asked)) return { listed: asked, sent: [...asked, ...added] };
  return { listed: prompts.map(({ message }) => message), sent: [...shownAs(prompts, asked), ...added] };
}

/** The message that carries what a hook wants the context to begin with. */
export const keptNote = (text: string): Message => ({
  role: 'user',
  origin: 'host',
  parts: [{ type: 'text', text: `[System: kept by this program through the compression]\n${text}` }],
});

/**
 * The view as the client itself would send it now, behind what goes before it: its newest form of everything that stands
 * there as it was said.
 */
export function shownAs(
  view: readonly Shown[],
  said: readonly Message[],
  before: readonly Message[] = [],
): readonly Message[] {
  const start = Math.min(wholeStart(view), said.length);
  const rest = view.slice(start).map(({ at, message }) => said[at] ?? message);
  return before.concat(said.slice(0, start), rest);
}

const wholeStarts = new WeakMap<readonly Shown[], number>();

/** How many messages a view begins with that all stand where they were said. Views only grow: what is new is looked at. */
export function wholeStart(view: readonly Shown[]): number {
  let start = wholeStarts.get(view) ?? 0;
  if (start === view.length) return start;
  while (view[start]?.at === start) start++;
  wholeStarts.set(view, start);
  return start;
}

/** Everything that was said in a conversation that was read back, and where each message of the record stands in it. */
export function saidIn(record: ConversationRecord): { said: readonly Message[]; atOf: ReadonlyMap<number, number> } {
  const said: Message[] = [];
  const atOf = new Map<number, number>();
  for (const place of record.arrivals) {
    const message = record.prompts.has(place) ? undefined : record.at(place);
    // Where nothing is left but them, the record does not take them for what opens a list.
    if (message?.role === 'system' && said.length === 0) continue;
    if (message) atOf.set(place, said.push(message) - 1);
  }
  return { said, atOf };
}

// How often a conversation was compressed in a turn (T7), and what was refused in it.

/**
 * The turn, by the hash of all that was said up to the message of a person that opened it. Of what was said, not of the
 * view: there the message may stand in a handoff, whose id is another one behind each compression.
 */
export function turnOf({ said, hashes }: Pick<LiveConversation, 'said' | 'hashes'>): string {
  return hashes[said.findLastIndex((message) => personMessage(message) !== undefined)] ?? '';
}

/** Compressions of this turn since the last reported prompt below the threshold. */
export function passesOf(live: LiveConversation): number {
  const { passes } = live.state;
  return passes.count > 0 && passes.turn === turnOf(live) ? passes.count : 0;
}

/** Those of them that made the conversation smaller. */
export const donePassesOf = (live: LiveConversation): number => (passesOf(live) === 0 ? 0 : live.state.passes.done);

export function countPass(live: LiveConversation, { isDone }: { readonly isDone: boolean }): void {
  const done = donePassesOf(live) + (isDone ? 1 : 0);
  live.state = { ...live.state, passes: { turn: turnOf(live), count: passesOf(live) + 1, done } };
}

/** What its provider has refused in this turn: the next step of it would be refused for the same. */
export function strippedIn(live: LiveConversation): readonly StrippedParts[] {
  const { turn, state } = live.recovery;
  // Where nothing was, nobody looks for the turn.
  return state.stripped.length > 0 && turn === turnOf(live) ? state.stripped : [];
}
