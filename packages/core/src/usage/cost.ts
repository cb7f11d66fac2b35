/** What groups of calls cost, said so that no part of it passes for the whole. */
import type { UsageTotals } from '../store/usage-store.ts';
import { moneyLabel } from './price.ts';

/**
 * `whole`: the price of every call is known; `part`: the amount is the least that it was, because some calls have no known
 * price or an incomplete report; `none`: there was no call.
 */
export interface Cost {
  readonly status: 'none' | 'whole' | 'part' | 'included' | 'unknown';
  /** US dollars; set for `whole` and `part`. */
  readonly amount?: number;
}

/** The cost of a group of calls. */
export function costOf({ calls, costUsd, unpriced, partial }: CostParts): Cost {
  if (calls === 0) return { status: 'none' };
  if (costUsd === undefined) return { status: 'unknown' };
  if (unpriced > 0 || partial > 0) return { status: 'part', amount: costUsd };
  return costUsd === 0 ? { status: 'included' } : { status: 'whole', amount: costUsd };
}

type CostParts = Pick<UsageTotals, 'calls' | 'costUsd' | 'unpriced' | 'partial'>;

/** For tables: `~$1.20`, and `~$1.20+` for what is at least so much. */
export function costLabel(totals: CostParts): string {
  const { status, amount = 0 } = costOf(totals);
  if (status === 'none') return '–';
  if (status === 'unknown' || status === 'included') return status;
  return `${moneyLabel({ status: 'estimated', amount })}${status === 'part' ? '+' : ''}`;
}

/** For sentences: `~$1.20`, and `at least ~$1.20`. */
export function costText(totals: CostParts): string {
  const { status, amount = 0 } = costOf(totals);
  if (status === 'none') return 'no calls';
  if (status === 'unknown' || status === 'included') return status;
  return `${status === 'part' ? 'at least ' : ''}${moneyLabel({ status: 'estimated', amount })}`;
}

/** Why a cost is no more than a part, for a person; empty where it is the whole. */
export function costRemarks({ calls, unpriced, partial }: CostParts): readonly string[] {
  const of = (count: number): string =>
    count === calls ? 'every call' : `${written(count)} of ${written(calls)} calls`;
  return [
    ...(unpriced > 0 ? [`the price of ${of(unpriced)} is unknown`] : []),
    ...(partial > 0 ? [`the report of ${of(partial)} is incomplete: tokens and price are at least this much`] : []),
  ];
}

const written = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

/** What the cache saved, and what the calls would have cost without it; `saved` is below zero where writing cost more. */
export function savingsOf({ costUsd, savedUsd }: Pick<UsageTotals, 'costUsd' | 'savedUsd'>): Savings | undefined {
  if (costUsd === undefined || savedUsd === undefined) return undefined;
  return { saved: savedUsd, without: costUsd + savedUsd };
}

/** In US dollars. */
export interface Savings {
  readonly saved: number;
  readonly without: number;
}

/** What the models read: input and both caches. */
export const promptTokensIn = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: PromptParts): number =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

/** The part of it that came from a cache, from 0 to 1; undefined where nothing was read. */
export function cacheShareOf(totals: PromptParts): number | undefined {
  const prompt = promptTokensIn(totals);
  return prompt === 0 ? undefined : totals.cacheReadTokens / prompt;
}

type PromptParts = Pick<UsageTotals, 'inputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>;
