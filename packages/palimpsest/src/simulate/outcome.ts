/** What a policy cost, in dollars and in content. */
import { priceOf } from '@palimpsest/core';
import { type Rates, ratesFor } from '@palimpsest/core/usage';
import type { LossyEvent, Played, PlayedCall } from './replay.ts';

/** What one policy made of a transcript. */
export interface PolicyOutcome {
  readonly name: string;
  /** One clause for a person. */
  readonly about: string;
  /** Calls that were played: all, or those before the one that did not fit. */
  readonly calls: number;
  /** Set where the prompt did not fit the window: the number of the call, from 1. All other figures end before it. */
  readonly failedAt?: number;
  /** US dollars for prompts, answers and summaries. */
  readonly dollars: number;
  readonly promptDollars: number;
  readonly summaryDollars: number;
  /** Tokens of all prompts: neither read nor written, read from the cache, written to it. */
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** Share of the prompt tokens that were read from the cache, 0–1. */
  readonly hitRate: number;
  /** Calls, the first aside, that read less than half of their prompt from the cache. */
  readonly rewrites: number;
  /** Rewrites of the context that took content out of it, and how many tokens they took. */
  readonly lossyEvents: number;
  readonly lostTokens: number;
  readonly compressions: number;
  readonly meanPromptTokens: number;
  /** Share of the prompt tokens read from the cache, of those calls (the first aside) before which nothing was rewritten. */
  readonly steadyHitRate: number;
  /** Every call in order. */
  readonly played: readonly SimulatedCall[];
}

/** One call as it was played. */
export interface SimulatedCall {
  /** The sum of the three below. */
  readonly promptTokens: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly outputTokens: number;
  /** For the prompt, the answer, and the summary where one was written before. */
  readonly dollars: number;
  /** The rewrite of the context before the call that took content out of it. */
  readonly rewrite?: LossyEvent;
}

/** Whose prices count. */
export interface PriceBasis {
  readonly model: string;
  /** The model that writes summaries; absent: the ledger writes them for nothing. */
  readonly summarizer?: string;
}

/** Adds up what was played. */
export function outcomeOf(
  { name, about }: Pick<PolicyOutcome, 'name' | 'about'>,
  { calls, failedAt }: Played,
  basis: PriceBasis,
): PolicyOutcome {
  const events = calls.flatMap(({ rewrite }) => (rewrite ? [rewrite] : []));
  const promptTokens = sum(calls, (call) => call.promptTokens);
  const cacheReadTokens = sum(calls, ({ readTokens }) => readTokens);
  const steady = calls.slice(1).filter(({ rewrite }) => !rewrite);
  const played = calls.map((call) => simulatedCall(call, basis));
  return {
    name,
    about,
    calls: calls.length,
    played,
    cacheReadTokens,
    ...(failedAt === undefined ? {} : { failedAt }),
    dollars: sum(played, ({ dollars }) => dollars),
    promptDollars: sum(calls, (call) => promptPrice(call, basis)),
    summaryDollars: sum(calls, (call) => summaryPrice(call, basis)),
    inputTokens: sum(calls, ({ inputTokens }) => inputTokens),
    cacheWriteTokens: sum(calls, ({ writeTokens }) => writeTokens),
    outputTokens: sum(calls, ({ outputTokens }) => outputTokens),
    hitRate: share(cacheReadTokens, promptTokens),
    steadyHitRate: share(
      sum(steady, ({ readTokens }) => readTokens),
      sum(steady, (call) => call.promptTokens),
    ),
    rewrites: calls.slice(1).filter((call) => call.readTokens < call.promptTokens / 2).length,
    lossyEvents: events.length,
    lostTokens: sum(events, ({ tokens }) => tokens),
    compressions: events.filter(({ type }) => type === 'compress').length,
    meanPromptTokens: Math.round(promptTokens / Math.max(1, calls.length)),
  };
}

function simulatedCall(call: PlayedCall, basis: PriceBasis): SimulatedCall {
  const { promptTokens, inputTokens, readTokens, writeTokens, outputTokens, rewrite } = call;
  return {
    promptTokens,
    inputTokens,
    outputTokens,
    cacheReadTokens: readTokens,
    cacheWriteTokens: writeTokens,
    dollars: promptPrice(call, basis) + answerPrice(call, basis),
    ...(rewrite ? { rewrite } : {}),
  };
}

const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);

const perMillion = 1_000_000;
const unpriced: Rates = { input: 0, output: 0 };

/** Dollars for the prompt of a call. A write costs what its life does, a read what the list says. */
function promptPrice({ inputTokens, readTokens, writeTokens, promptTokens, life }: PlayedCall, { model }: PriceBasis) {
  const { input, cacheRead = input } = ratesFor(model, promptTokens) ?? unpriced;
  return (input * (inputTokens + writeTokens * life.writePrice) + cacheRead * readTokens) / perMillion;
}

const answerPrice = (call: PlayedCall, basis: PriceBasis): number =>
  ((ratesFor(basis.model, call.promptTokens) ?? unpriced).output * call.outputTokens) / perMillion +
  summaryPrice(call, basis);

/** The summarizer reads what goes and what was there before, and writes what stands for it. */
function summaryPrice({ rewrite }: PlayedCall, { summarizer }: PriceBasis): number {
  if (summarizer === undefined || rewrite?.type !== 'compress') return 0;
  const { tokens, handoffTokens } = rewrite;
  return priceOf(summarizer, { inputTokens: tokens + handoffTokens, outputTokens: handoffTokens }).amount ?? 0;
}

function sum<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((total, one) => total + of(one), 0);
}

// Outcomes of several transcripts as one.

/** What a policy made of several transcripts. */
export interface PolicyTotal extends Omit<PolicyOutcome, 'failedAt' | 'played' | 'steadyHitRate'> {
  /** Transcripts whose prompt did not fit the window; their figures end there. */
  readonly failed: number;
}

/** The sum of what one policy made of each transcript; at least one. */
export function totalOf(outcomes: readonly [PolicyOutcome, ...PolicyOutcome[]]): PolicyTotal {
  const { name, about } = outcomes[0];
  const sum = (of: (one: PolicyOutcome) => number): number => outcomes.reduce((total, one) => total + of(one), 0);
  const calls = sum((one) => one.calls);
  const tokens = {
    inputTokens: sum((one) => one.inputTokens),
    cacheReadTokens: sum((one) => one.cacheReadTokens),
    cacheWriteTokens: sum((one) => one.cacheWriteTokens),
  };
  const promptTokens = tokens.inputTokens + tokens.cacheReadTokens + tokens.cacheWriteTokens;
  return {
    name,
    about,
    calls,
    ...tokens,
    failed: outcomes.filter(({ failedAt }) => failedAt !== undefined).length,
    dollars: sum((one) => one.dollars),
    promptDollars: sum((one) => one.promptDollars),
    summaryDollars: sum((one) => one.summaryDollars),
    outputTokens: sum((one) => one.outputTokens),
    hitRate: promptTokens === 0 ? 0 : tokens.cacheReadTokens / promptTokens,
    rewrites: sum((one) => one.rewrites),
    lossyEvents: sum((one) => one.lossyEvents),
    lostTokens: sum((one) => one.lostTokens),
    compressions: sum((one) => one.compressions),
    meanPromptTokens: calls === 0 ? 0 : Math.round(promptTokens / calls),
  };
}
