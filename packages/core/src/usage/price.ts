/** What a call costs: list prices times the reported tokens. What is not known stays unknown. */

import type { UsageTotals } from '../store/usage-store.ts';
import { plainId } from '../tokens/models.ts';
import { promptTokensOf, type Usage } from './normalise.ts';
import { freeProviders, listPriceSellers, type PriceRow, priceRows, type Rates } from './prices.data.ts';

/**
 * `actual`: the provider said what it charges. `estimated`: worked out from list prices. `included`: the provider sends
 * no bill for tokens, because it is your own machine.
 */
export interface Price {
  readonly status: 'actual' | 'estimated' | 'included' | 'unknown';
  /** US dollars; set where the price is actual or estimated. */
  readonly amount?: number;
  /** US dollars for the same call if nothing of it were cached; set where that is known. */
  readonly uncached?: number;
}

const byId: ReadonlyMap<string, PriceRow> = new Map(
  priceRows.flatMap((row) => row.ids.map((id) => [id, row] as const)),
);

const perMillion = 1_000_000;
const unknown: Price = { status: 'unknown' };

/**
 * The price of one call by the list price of the model's maker.
 * @param model its id, or `provider/id`; another seller's price is only known where it is the maker's
 * @param usage what the provider reported for this one call: prices depend on the length of the prompt. A cache write
 *   is charged as the shortest-lived one unless the report says otherwise.
 *
 * @example
 * import { normaliseUsage, priceOf } from '@palimpsest/core';
 * const usage = normaliseUsage({ prompt_tokens: 1_200, completion_tokens: 80 });
 * const price = usage && priceOf('openai/gpt-5', usage);
 */
export function priceOf(model: string, usage: Usage): Price {
  try {
    return typeof model === 'string' && isUsage(usage) ? listPrice(model, usage) : unknown;
  } catch {
    // Members of what programs hand on may throw where they are read.
    return unknown;
  }
}

const tokenMembers = [
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'cacheWriteHourTokens',
] as const;

/** Callers without types hand in anything: a price of what is no number of tokens is no price. */
function isUsage(usage: Usage | null | undefined): usage is Usage {
  if (typeof usage !== 'object' || usage === null) return false;
  const isTokens = (tokens: number | undefined): boolean =>
    tokens === undefined || (Number.isFinite(tokens) && tokens >= 0);
  return tokenMembers.every((member) => isTokens(usage[member]));
}

function listPrice(model: string, usage: Usage): Price {
  if (isFree(model)) return { status: 'included' };
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, cacheWriteHourTokens = 0 } = usage;
  if (inputTokens === undefined || outputTokens === undefined) return unknown;
  const promptTokens = promptTokensOf(usage) ?? 0;
  const rates = ratesFor(model, promptTokens);
  if (!rates) return unknown;
  const amount = charged([
    [inputTokens, rates.input],
    [outputTokens, rates.output],
    [cacheReadTokens, rates.cacheRead],
    [cacheWriteTokens - cacheWriteHourTokens, rates.cacheWrite],
    [cacheWriteHourTokens, rates.cacheWriteHour],
  ]);
  const uncached = charged([
    [promptTokens, rates.input],
    [outputTokens, rates.output],
  ]);
  if (amount === undefined || uncached === undefined) return unknown;
  return { status: 'estimated', amount, uncached };
}

/** True where nobody sends a bill for tokens. */
export const isFree = (model: string): boolean => freeProviders.includes(providerOf(model) ?? '');

/** Dollars for tokens by rates; undefined when a kind of token was used that has no rate. */
function charged(buckets: readonly (readonly [tokens: number, rate: number | undefined])[]): number | undefined {
  let amount = 0;
  for (const [tokens, rate] of buckets) {
    if (tokens === 0) continue;
    if (rate === undefined) return undefined;
    amount += (tokens * rate) / perMillion;
  }
  return amount;
}

/** The price of a call that has not been made yet, as if nothing of it were cached. */
export function estimatePrice(model: string, tokens: { inputTokens: number; outputTokens: number }): Price {
  return priceOf(model, tokens);
}

/**
 * A price for people: `~$0.42`, and `$0.42` where it is the actual one; four decimals below a cent, `$0.00` for nothing,
 * `included`, `unknown`.
 */
export function moneyLabel({ status, amount }: Price): string {
  if (status === 'included' || status === 'unknown' || amount === undefined)
    return status === 'included' ? status : 'unknown';
  if (amount === 0) return '$0.00';
  const about = status === 'estimated' ? '~' : '';
  if (amount < 0.000_05) return `${about}$<0.0001`;
  // What rounds to a cent is one.
  const digits = amount.toFixed(amount < 0.009_95 ? 4 : 2).replace(/\B(?=(?:\d{3})+\.)/g, ',');
  return `${about}$${digits}`;
}

/** The list price for a prompt of so many tokens, by which the whole request is charged; undefined where it is not known. */
export function ratesFor(model: string, promptTokens: number): Rates | undefined {
  const row = rowOf(model);
  const provider = providerOf(model);
  if (!row || (provider !== undefined && !sellsAtListPrice(row, provider))) return undefined;
  return row.tiers.find(({ upTo = Number.POSITIVE_INFINITY }) => promptTokens <= upTo);
}

/** Who makes a model whose list price is known, by provider name; empty for any other. */
export const makersOf = (model: string): readonly string[] => rowOf(model)?.makers ?? [];

/** Whoever has the weights of an open model sets an own price. */
function sellsAtListPrice(row: PriceRow, provider: string): boolean {
  return row.makers.includes(provider) || (!row.open && listPriceSellers.includes(provider));
}

/** Google writes its ids as `models/…`, which names no seller. */
function providerOf(model: string): string | undefined {
  const slash = model.indexOf('/');
  const name = model.slice(0, Math.max(0, slash)).trim().toLowerCase();
  return name === '' || name === 'models' ? undefined : name;
}

/** What may follow an id without making it another model: a date or a number of a release, and words that say so. */
const release =
  /^(?:[-@](?:\d{8}|\d{4}-\d{2}-\d{2}|\d{2}-\d{4}|\d{2}-\d{2}|\d{3,4}|latest|preview|exp))*(?:-v\d+(?::\d+)?)?$/;

function rowOf(model: string): PriceRow | undefined {
  const id = plainId(model).replace(/\[1m\]$/, '');
  for (let end = id.length; end > 0; end--) {
    const row = byId.get(id.slice(0, end));
    // In the middle of a word or number: `gpt-5-2` is no start of `gpt-5-2025-08-07`.
    if (!row || /^[a-z0-9]/.test(id.slice(end))) continue;
    return release.test(id.slice(end)) ? row : undefined;
  }
  return undefined;
}

// What groups of calls cost, said so that no part of it passes for the whole.

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
