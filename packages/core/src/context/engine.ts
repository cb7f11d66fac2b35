/**
 * The contract of a context engine: the part that decides when a context is too big and makes it smaller. Exactly one
 * is active. It is generic over the message type, so a host may use plain provider messages.
 */
import type { JsonObject } from '../shared/json.ts';

/** What a provider reported for one call. Every field may be missing; what is missing is not zero. */
export interface EngineUsage {
  /** Input + both caches: all tokens of the prompt, and nothing else. */
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
  readonly inputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly outputTokens?: number;
  readonly reasoningTokens?: number;
}

/** What a host may read at any time. All are 0 until something is known. */
export interface EngineState {
  /** The prompt of the last call, as the provider counted it. */
  lastPromptTokens: number;
  lastCompletionTokens: number;
  lastTotalTokens: number;
  /** Prompt tokens from which on the context should be compressed. */
  thresholdTokens: number;
  /** The model's window. */
  contextLength: number;
  /** Compressions of this session that changed something. */
  compressionCount: number;
}

/** What a host knows when it asks for a compression. */
export interface CompressOptions {
  /** Tokens of the whole request now, reported or estimated. */
  readonly currentTokens?: number;
  /** What the summary should treat in full detail. */
  readonly focusTopic?: string;
  /** A person asks for it: what holds automatic passes back does not count. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
}

/** A model the session runs on from now. */
export interface EngineModel {
  readonly model: string;
  readonly contextLength: number;
  readonly provider?: string;
  readonly baseUrl?: string;
  /** Output tokens that every request reserves inside the window. */
  readonly reservedOutputTokens?: number;
}

/** How a session begins. */
export interface SessionStart {
  /** `compression` when the session continues one that was compressed. */
  readonly reason: 'new' | 'resume' | 'compression';
  readonly model?: string;
}

/** A tool that an engine offers to the model, as a JSON Schema. */
export interface EngineTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** What an engine tells a person about itself. */
export interface EngineStatus {
  readonly lastPromptTokens: number;
  readonly thresholdTokens: number;
  readonly contextLength: number;
  /** Share of the window in use, 0–100. */
  readonly usagePercent: number;
  readonly compressionCount: number;
}

/** The part that decides when a context is too big and makes it smaller; exactly one is active. */
export interface ContextEngine<M> extends Readonly<EngineState> {
  readonly name: string;
  /** Takes the usage of a call. Called after every call; fields may be missing. */
  updateFromResponse(usage: EngineUsage): void;
  /** True when the context should be compressed now; without a number, by the last reported one. */
  shouldCompress(promptTokens?: number): boolean;
  /** Why the engine holds back although the context is over the threshold, for people; undefined when it does not. */
  heldBack(promptTokens?: number): string | undefined;
  /** A smaller list; the same list object when there is nothing to do. Never changes the list it is given. */
  compress(messages: readonly M[], options?: CompressOptions): Promise<readonly M[]>;

  /** A cheap check before a call, in addition to `shouldCompress`. */
  shouldCompressPreflight(messages: readonly M[]): boolean;
  /** False when `compress` would give the list back as it is, so that nobody waits for nothing: no middle, for most engines. */
  hasContentToCompress(messages: readonly M[]): boolean;
  onSessionStart(sessionId: string, start: SessionStart): Promise<void>;
  /** At a real end only: the person leaves or starts anew. Never at a compression, never after a turn. */
  onSessionEnd(sessionId: string, messages: readonly M[]): Promise<void>;
  /** The session starts anew under the same engine: all counters return to 0. */
  onSessionReset(): void;
  toolSchemas(): readonly EngineTool[];
  /** The result of one of the engine's tools as JSON text; an unknown name gives an error in JSON, never a throw. */
  handleToolCall(name: string, args: JsonObject, messages: readonly M[]): Promise<string>;
  status(): EngineStatus;
  /** The model changed: recomputes the threshold. */
  updateModel(model: EngineModel): void;
}
