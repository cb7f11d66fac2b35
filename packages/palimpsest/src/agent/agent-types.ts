/** What an agent is made of, and what it does: the types that its parts and its front ends share. */
import type { CompressReport, CompressRequest, ConversationRuntime, MemoryUse, SessionMemory } from '@palimpsest/core';
import type { AnyModel, SummaryWriter, WithPalimpsestOptions } from '@palimpsest/core/ai-sdk';
import type { Session, Store } from '@palimpsest/core/store';
import type { ToolSet } from 'ai';
import type { OnAgentEvent, RequestKind, TurnEnd } from './events.ts';
import type { Queued } from './queue.ts';

/** The model that an agent works with. */
export interface AgentModel {
  readonly model: AnyModel;
  /** `provider/model`, for people and for prices. */
  readonly name: string;
  /** Its window in tokens, where it is known. */
  readonly contextLength?: number;
  /** Who writes the summaries. @default the ledger alone */
  readonly summarizer?: SummaryWriter;
}

/** What an agent is made of. The store and the memory stay the caller's. */
export interface AgentOptions
  extends Pick<WithPalimpsestOptions, 'config' | 'output' | 'engine' | 'hooks' | 'cache' | 'timeouts'> {
  readonly store: Store;
  /** The folder that it works in. */
  readonly project: string;
  readonly model: AgentModel;
  /** What is remembered beyond the conversation. */
  readonly memory: MemoryUse;
  /** Makes the system prompt of a session for a model: asked where one begins, and behind each compression. */
  readonly prompt: (session: SessionMemory, model: AgentModel) => string | Promise<string>;
  /** Its own tools, beside those of the wrapped model. */
  readonly tools: ToolSet;
  /** The share of the window that definitions of tools may have before those that are seldom used wait, 0 to 1. @default 0.1 */
  readonly toolShare?: number;
  /** Calls of the model that one turn may take. @default 250 */
  readonly maxSteps?: number;
  readonly onEvent: OnAgentEvent;
}

/** How a conversation is compressed. */
export interface CompressHow extends Pick<CompressRequest, 'signal'> {
  /** A topic that gets most of the handoff. */
  readonly topic?: string | undefined;
  /** The model that goes on with it, whose window it is to fit. The one there is writes the summary. */
  readonly nextModel?: AgentModel & Required<Pick<AgentModel, 'contextLength'>>;
}

/** An agent and its one conversation. */
export interface Agent {
  readonly model: AgentModel;
  /** The newest session of the conversation; undefined before anything is said. */
  readonly sessionId: string | undefined;
  /** Messages of the conversation, compressed or not. */
  readonly messages: number;
  readonly isBusy: boolean;
  /** What waits for the next step or the end of the turn. */
  readonly queue: readonly Queued[];
  /**
   * Says something, and works until the turn is over, and what was queued meanwhile too. While it works, `steer` is heard at the
   * next step, `follow_up` when it is done; both return at once then.
   */
  send(text: string, kind?: Exclude<RequestKind, 'retry'>): Promise<TurnEnd | undefined>;
  /** Once more, where the newest request has no answer. */
  retry(): Promise<TurnEnd | undefined>;
  /** Takes the newest of the queue back. */
  unqueue(): Queued | undefined;
  /** Stops the turn, or what is done between two; the queue stays. False where nothing was going on. */
  interrupt(): boolean;
  /**
   * Does something with the conversation while no turn can begin: what is said meanwhile waits for `goOn`. The signal fires at
   * `interrupt`. @throws what the work throws
   */
  between<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Works on what waits; undefined where nothing does. */
  goOn(): Promise<TurnEnd | undefined>;
  /** @throws BAD_OPTION before anything was said, the reason of the signal, and what a compression throws */
  compress(how?: CompressHow): Promise<CompressReport>;
  /** Begins another conversation; the one before is ended. */
  begin(): Promise<void>;
  /** Goes on with a stored conversation. @throws ID_UNKNOWN where there is none, and where nothing was said in it */
  resume(sessionId: string): Promise<Session>;
  /** The runtime of the conversation, for what a person does with it: pins, undoing, branches. */
  runtime(): Promise<ConversationRuntime>;
  /** Takes over what the runtime has changed: the conversation as it is stored now. */
  reload(sessionId: string): Promise<void>;
  /** Definitions of its tools, as they are sent. */
  toolNames(): Promise<readonly string[]>;
  /** Works with another model from here on. */
  useModel(model: AgentModel): Promise<void>;
  /** Stops what goes on, and waits until it is kept. */
  close(): Promise<void>;
}
