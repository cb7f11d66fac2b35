/** Where something else than the engine's threshold may say when a context is compressed (C4): what it is told. */
import type { PlannedDecision } from '../context/prompt-cache/rewrite-planner.ts';
import type { JsonValue } from '../shared/json.ts';
import type { SessionId } from '../store/ids.ts';

/** A request that is about to be sent, and fits the window as it is. */
export interface CompressionMoment {
  /** The session that the conversation began with: the same before and after compressions, for planners that remember. */
  readonly rootId: SessionId;
  /** How often the conversation was compressed. */
  readonly compressionCount: number;
  /** Under `planned`: how many tokens more the last compression would have left with the configured tail. */
  readonly usualExtraTokens: number;
  /** Tokens of the whole request, reported or estimated. */
  readonly tokens: number;
  /** Of them those that no compression changes: system prompts and tools, estimated. */
  readonly fixedTokens: number;
  /** Where the engine compresses. */
  readonly thresholdTokens: number;
  /** What a request may have. */
  readonly roomTokens: number;
  /** Prompt tokens of the last call that were read from a cache or written to it, as far as they were reported. */
  readonly cachedTokens: number | undefined;
  /** Milliseconds since the last call was answered; undefined before the first one. A cache forgets after minutes. */
  readonly sinceLastCallMs: number | undefined;
  /** List prices as multiples of the price of an input token; undefined where the prices are not known. */
  readonly priceRatios: PriceRatios | undefined;
  /** True when a summary was prepared in the background: to use it costs no call. */
  readonly isPrepared: boolean;
  /** What the engine would do. */
  readonly engine: CompressionDecision;
  /** What the planner last had kept with the conversation, whichever process it was in; null before the first time. */
  readonly plan: JsonValue;
}

/** Prices by the price of an input token. */
export interface PriceRatios {
  readonly cacheRead: number;
  /** Of the shortest-lived write. */
  readonly cacheWrite: number;
  readonly output: number;
}

/** What is done about a context that fits. */
export type CompressionDecision = 'compress' | 'wait';

/**
 * Decides when to compress in place of the engine, once before every call that fits the window. What does not fit is
 * compressed without asking, and the limits of a turn stay. Pure and quick: every call waits for it. What it wants to know
 * the next time, it gives back as `plan`: it is kept with the conversation and outlives the process.
 */
export type CompressionPlanner = (moment: CompressionMoment) => CompressionDecision | PlannedDecision;
