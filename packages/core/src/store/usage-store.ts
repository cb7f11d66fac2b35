/** The port to what model calls used and cost. */
import { defined } from '../shared/defined.ts';
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
  /** What the cache saved, in US dollars, less what writing to it cost; undefined while that is known of no call. */
  readonly savedUsd?: number;
  /** Calls whose price is unknown. */
  readonly unpriced: number;
  /** Calls whose report was not whole: what they used is at least so much, and their price too. */
  readonly partial: number;
}

/** More tokens than any call has: a report with more is broken, and sums must stay exact. */
export const mostTokens = 1_000_000_000;

/** One call of a model. Each number of tokens is whole, and at most `mostTokens`. */
export interface UsageEntry extends Omit<UsageTotals, 'calls' | 'unpriced' | 'partial'> {
  readonly sessionId: SessionId;
  /** `provider/model`. */
  readonly model: string;
  /** What the call was for, such as `turn`, `summary`, `title`. */
  readonly task: string;
  readonly at?: Instant;
  /** @default false */
  readonly isPartial?: boolean;
  /** Tells the call from every other one, so that it counts once however often it is added. @default it is a new one */
  readonly reportId?: string;
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

/** Calls of one kind in one span of time. */
export interface UsageSpan extends UsageTotals {
  /** The time that the span begins with. */
  readonly from: Instant;
  readonly model: string;
  readonly source: string;
  readonly task: string;
  /** The folder the agent worked in, as its session named it at the time of the call. */
  readonly project?: string;
}

/** Calls of one model in one session of a conversation. */
export interface SessionUsage extends UsageTotals {
  readonly sessionId: SessionId;
  /** True for a sub-agent, or a branch off the main conversation. */
  readonly isSide: boolean;
  readonly model: string;
  readonly task: string;
  readonly lastAt: Instant;
  /** What the model read in the last of the calls: input and both caches. */
  readonly lastPromptTokens: number;
}

/** What went on in a time, beside what it used. */
export interface Activity {
  /** Conversations that something was said in; without sides. */
  readonly conversations: number;
  /** Sub-agents, and branches off the main conversation; without answers that broke off. */
  readonly sides: number;
  /** Messages that were said; a message that a compression carried over counts once. */
  readonly messages: number;
  /** Sessions that a compression opened. */
  readonly compressions: number;
}

/** A conversation by what it used. */
export interface LargestConversation extends UsageTotals {
  /** The newest session of it. */
  readonly sessionId: SessionId;
  readonly source: string;
  readonly project?: string;
  readonly title?: string;
  readonly preview: string;
  readonly lastActiveAt: Instant;
}

/** What may be kept together with calls. */
export interface AddUsageOptions {
  /** Small values, as `MetaStore` keeps them: with the calls, or not at all. @default none */
  readonly meta?: Readonly<Record<string, string>>;
}

/** Keeps what every call used. */
export interface UsageStore {
  /**
   * Adds calls to their sessions, in the order of the calls, all of them or none. A call that is known by its `reportId`
   * takes what the newer report says, unless that says less: what was still being written is counted whole later.
   */
  add(entries: UsageEntry | readonly UsageEntry[], options?: AddUsageOptions): Promise<void>;
  totals(filter?: UsageFilter): Promise<UsageTotals>;
  by(group: 'model' | 'source' | 'task' | 'day', filter?: UsageFilter): Promise<readonly UsageRow[]>;
  /** Calls from each time up to the next one, in one row a kind; spans without calls have none. Times must rise. */
  spans(times: readonly Instant[]): Promise<readonly UsageSpan[]>;
  /** When the first and the last call was made; undefined while there is none. */
  range(): Promise<{ readonly first: Instant; readonly last: Instant } | undefined>;
  /** Every session of the conversation and of the sides that it started, in their order. Throws `ID_UNKNOWN`. */
  ofConversation(sessionId: SessionId): Promise<readonly SessionUsage[]>;
  activity(filter?: Pick<UsageFilter, 'since' | 'until'>): Promise<Activity>;
  /** Of the conversations active in a time those that cost most, else used most tokens; each with all that it ever used. */
  largest(limit: number, filter?: Pick<UsageFilter, 'since' | 'until'>): Promise<readonly LargestConversation[]>;
}

/** The sum over groups that share no call; nothing for none. Money that is known of no call stays unknown. */
export function sumUsage(all: readonly UsageTotals[]): UsageTotals {
  const sum = (of: (usage: UsageTotals) => number): number => all.reduce((total, usage) => total + of(usage), 0);
  const known = (of: (usage: UsageTotals) => number | undefined): number | undefined => {
    const amounts = all.flatMap((usage) => of(usage) ?? []);
    return amounts.length === 0 ? undefined : amounts.reduce((total, amount) => total + amount, 0);
  };
  const costUsd = known((usage) => usage.costUsd);
  const savedUsd = known((usage) => usage.savedUsd);
  return {
    inputTokens: sum((usage) => usage.inputTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    cacheReadTokens: sum((usage) => usage.cacheReadTokens),
    cacheWriteTokens: sum((usage) => usage.cacheWriteTokens),
    reasoningTokens: sum((usage) => usage.reasoningTokens),
    calls: sum((usage) => usage.calls),
    ...defined({ costUsd, savedUsd }),
    unpriced: sum((usage) => usage.unpriced),
    partial: sum((usage) => usage.partial),
  };
}
