/** A class to build an engine on, for who prefers classes to `defineEngine`. */
import type { JsonObject } from '../shared/json.ts';
import {
  contextEngineDefaults,
  promptTokensOf,
  resetCounters,
  statusOf,
  takeModel,
  takeUsage,
  unknownTool,
} from './define-engine.ts';
import type {
  CompressOptions,
  ContextEngine,
  EngineModel,
  EngineState,
  EngineStatus,
  EngineTool,
  EngineUsage,
  SessionStart,
} from './engine.ts';

/**
 * An engine in which everything works but `compress`, which is yours: give back a smaller list and count it in
 * `compressionCount`, or give back the very list that came. The state is yours to read and to write.
 */
export abstract class BaseEngine<M> implements ContextEngine<M>, EngineState {
  abstract readonly name: string;
  /** Share of the window at which to compress. */
  readonly threshold: number = contextEngineDefaults.threshold;
  /** Messages to keep at the start. */
  readonly protectFirstN: number = contextEngineDefaults.protectFirstN;
  /** Messages to keep at the end. */
  readonly protectLastN: number = contextEngineDefaults.protectLastN;
  lastPromptTokens = 0;
  lastCompletionTokens = 0;
  lastTotalTokens = 0;
  thresholdTokens = 0;
  contextLength = 0;
  compressionCount = 0;
  /** Compressions when a prompt was last reported: one from before a compression says nothing about what came of it. */
  #countAtReport = 0;

  abstract compress(messages: readonly M[], options?: CompressOptions): Promise<readonly M[]>;

  updateFromResponse(usage: EngineUsage): void {
    if (promptTokensOf(usage) !== undefined) this.#countAtReport = this.compressionCount;
    takeUsage(this, usage);
  }

  shouldCompress(promptTokens?: number): boolean {
    const reported = this.#countAtReport === this.compressionCount ? this.lastPromptTokens : 0;
    return this.thresholdTokens > 0 && (promptTokens ?? reported) >= this.thresholdTokens;
  }

  heldBack(_promptTokens?: number): string | undefined {
    return undefined;
  }

  shouldCompressPreflight(_messages: readonly M[]): boolean {
    return false;
  }

  /** Override it where `compress` keeps a head and a tail: false while nothing lies between, so that nobody waits for nothing. */
  hasContentToCompress(_messages: readonly M[]): boolean {
    return true;
  }

  async onSessionStart(_sessionId: string, _start: SessionStart): Promise<void> {}

  async onSessionEnd(_sessionId: string, _messages: readonly M[]): Promise<void> {}

  onSessionReset(): void {
    resetCounters(this);
    this.#countAtReport = 0;
  }

  toolSchemas(): readonly EngineTool[] {
    return [];
  }

  async handleToolCall(name: string, _args: JsonObject, _messages: readonly M[]): Promise<string> {
    return unknownTool(this.name, name);
  }

  status(): EngineStatus {
    return statusOf(this);
  }

  updateModel(model: EngineModel): void {
    takeModel(this, { model, threshold: this.threshold });
  }
}
