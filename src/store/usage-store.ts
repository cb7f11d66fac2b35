/** The port to what model calls used and cost. */
import type { Instant, SessionId } from './ids.ts';

/** Tokens as the provider reported them, each counted once. */
export interface UsageTotals {
  /** Without what came from or went into a cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number;
  readonly calls: number;
  /** In US dollars; undefined while no call had a known price. */
  readonly costUsd?: number;
  /** Calls whose price is unknown. */
  readonly unpriced: number;
}

/** One call of a model. */
export interface UsageEntry extends Omit<UsageTotals, 'calls' | 'unpriced'> {
  readonly sessionId: SessionId;
  /** `provider/model`. */
  readonly model: string;
  /** What the call was for, such as `turn`, `summary`, `title`. */
  readonly task: string;
  readonly at?: Instant;
}

/** Which calls are counted; all of what is set must hold. */
export interface UsageFilter {
  readonly sessionId?: SessionId;
  readonly since?: Instant;
  readonly until?: Instant;
}

/** Usage of one group of calls. */
export interface UsageRow extends UsageTotals {
  /** The model, the source, the task or the day (`2026-11-22`, UTC) of the group. */
  readonly group: string;
}

/** Keeps what every call used. */
export interface UsageStore {
  /** Adds a call to its session, in the order of the calls. */
  add(entry: UsageEntry): Promise<void>;
  totals(filter?: UsageFilter): Promise<UsageTotals>;
  by(group: 'model' | 'source' | 'task' | 'day', filter?: UsageFilter): Promise<readonly UsageRow[]>;
}
