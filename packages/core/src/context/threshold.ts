/**
 * From a window and the configuration to numbers of tokens: where compression starts and how big each part may be.
 * Pure, and defined for every window from a few hundred tokens up.
 */

import { PalimpsestError } from '../shared/errors.ts';
import { pressureTiers } from './pressure.ts';
import type { CompressionConfig } from './settings.ts';

/** The model a threshold is computed for. */
export interface ThresholdModel {
  readonly id: string;
  readonly provider?: string;
}

export interface ThresholdOptions {
  readonly model?: ThresholdModel;
  /** Output tokens that every request reserves inside the window. At most half the window is believed. @default 0 */
  readonly reservedOutputTokens?: number;
}

/** All sizes of a session, in tokens. */
export interface Budgets {
  /** Prompt tokens from which on the context is compressed. */
  readonly thresholdTokens: number;
  /** What the kept end should weigh. */
  readonly tailTokens: number;
  /** What the kept end may weigh rather than cut a group. */
  readonly tailCeilingTokens: number;
  /** What the kept start may weigh; null where only the number of its messages counts. */
  readonly headTokens: number | null;
  /** The least and the most that a summary is given. */
  readonly summaryMinTokens: number;
  readonly summaryMaxTokens: number;
  /** What pinned messages may weigh together. */
  readonly pinTokens: number;
}

/** The threshold is at least this many tokens, so that a small share of a window does not compress all the time … */
const thresholdFloorTokens = 64_000;
/** … and where that floor binds, at most this share of the window, so that small windows work. */
const thresholdFloorShare = 0.85;

/** The tail may overshoot its budget up to this factor rather than cut a group. */
export const tailCeilingRatio = 1.5;

/** Share of the handoff that a model is told to fill; the user's words and the ledger's lines need the rest. */
export const summaryModelShare = 0.5;

/** A summary takes at most this share of the window … */
const summaryWindowShare = 0.05;
/** … and this one where the window is too small for `minTokens`. */
const tinySummaryShare = 1 / 8;

/** A summary never takes more than this share of the threshold, however low somebody sets it. */
const summaryThresholdShare = 0.2;

/** Of the threshold, this much may be kept by a compression: the rest is room until the next one. */
const keptShare = 0.9;

/** What a planned compression keeps at the end, as a share of what is configured: what is left is carried for long. */
export const plannedTailShare = 0.5;

/** Both presets were made for big windows; in small ones their tail is at most this share of the threshold. */
const presetTailShare = { reserved: 0.4, lean: 0.2 } as const;
const reserved = { headTokens: 4_000, tailTokens: 16_000, summaryTokens: 4_000 } as const;
const lean = { windowShare: 0.025, minTokens: 10_000, maxTokens: 25_000 } as const;

/**
 * Prompt tokens from which on the context is compressed: the share of the window, at least the floor; where the floor
 * binds, at most 85 % of the window; never above the cap. A threshold by model in tokens takes the place of all that,
 * one as a share takes the place of the share. What could never be reached (no smaller than the window) becomes 85 %.
 * Where the notices are those of the tiers, the tier `compress` is the latest point.
 * Throws `BAD_OPTION` for a window that is not a number above 0.
 */
export function thresholdTokens(
  contextLength: number,
  config: CompressionConfig,
  options: ThresholdOptions = {},
): number {
  const { pressure } = config;
  const hasTiers = pressure === 'tiers' || pressure === 'both';
  const latest = hasTiers ? Math.floor(contextLength * pressureTiers.compress) : Number.POSITIVE_INFINITY;
  return Math.max(1, Math.min(latest, byConfig(contextLength, config, options)));
}

function byConfig(contextLength: number, config: CompressionConfig, options: ThresholdOptions): number {
  const window = effectiveWindow(contextLength, options.reservedOutputTokens);
  const own = options.model && modelThreshold(options.model, config.modelThresholds);
  const highest = Math.max(1, Math.floor(window * thresholdFloorShare));
  if (own !== undefined && own > 1) return own < window ? own : highest;
  const byShare = Math.floor(window * (own ?? config.threshold));
  const floored = byShare < thresholdFloorTokens ? Math.min(thresholdFloorTokens, highest) : byShare;
  const capped = Math.min(floored, config.thresholdTokens ?? floored);
  return capped < window ? Math.max(1, capped) : highest;
}

/**
 * The threshold that the configuration has for a model: a share up to 1, or tokens. The longest part of the id that
 * matches wins; on equal length one with the provider, then the alphabetically first. Upper and lower case are one.
 */
export function modelThreshold(
  model: ThresholdModel,
  thresholds: Readonly<Record<string, number>>,
): number | undefined {
  let best: { length: number; scoped: boolean; key: string } | undefined;
  for (const key of Object.keys(thresholds).sort()) {
    const match = matchOf(key.toLowerCase(), model);
    if (!match) continue;
    const longer = !best || match.length > best.length;
    const scopedTie = best?.length === match.length && match.scoped && !best.scoped;
    if (longer || scopedTie) best = { ...match, key };
  }
  return best && thresholds[best.key];
}

/** Every size for a window. */
export function budgetsFor(contextLength: number, config: CompressionConfig, options: ThresholdOptions = {}): Budgets {
  const threshold = thresholdTokens(contextLength, config, options);
  const window = effectiveWindow(contextLength, options.reservedOutputTokens);
  const summaryMaxTokens = summaryMax({ window: contextLength, threshold }, config);
  const { tail, head } = presetSizes({ window, threshold }, config);
  const room = Math.max(1, Math.floor(threshold * keptShare) - summaryMaxTokens - (head ?? 0));
  const tailTokens = Math.max(1, Math.min(tail, room));
  return {
    thresholdTokens: threshold,
    tailTokens,
    tailCeilingTokens: Math.max(tailTokens, Math.min(Math.floor(tailTokens * tailCeilingRatio), room)),
    headTokens: head,
    summaryMinTokens: Math.min(config.summary.minTokens, summaryMaxTokens),
    summaryMaxTokens,
    pinTokens: Math.floor(threshold * config.pinRatio + 1e-9),
  };
}

// In a small window, tools and system prompts take half of it: what a compression keeps has to leave room for turns beside them.

/** What a compression leaves free below the threshold at least, for a few turns; and at most this share of what it can use. */
const leastFreeTokens = 2_000;
const mostFreeShare = 0.5;

interface Besides {
  readonly contextLength: number;
  readonly config: CompressionConfig;
}

/**
 * The sizes for requests that have so many tokens which no compression changes. Where tail and summary would leave no room for a
 * few turns, both are smaller, in the same proportion; in windows from about 16,000 tokens on, they are as for none.
 */
export function budgetsBeside(fixedTokens: number, { contextLength, config }: Besides): Budgets {
  const budgets = budgetsFor(contextLength, config);
  const { thresholdTokens: threshold, summaryMaxTokens, tailCeilingTokens } = budgets;
  const room = Math.max(0, threshold - fixedTokens);
  const most = room - Math.min(leastFreeTokens, Math.floor(room * mostFreeShare));
  const share = most / (summaryMaxTokens + tailCeilingTokens);
  if (share >= 1 || fixedTokens === 0) return budgets;
  const shrunk = (tokens: number): number => Math.max(1, Math.floor(tokens * share));
  return {
    ...budgets,
    tailTokens: shrunk(budgets.tailTokens),
    tailCeilingTokens: shrunk(tailCeilingTokens),
    summaryMinTokens: shrunk(budgets.summaryMinTokens),
    summaryMaxTokens: shrunk(summaryMaxTokens),
  };
}

/** What is beside the messages may take so much of the threshold that no list fits below it: then half of what the window has left. */
const leastTargetShare = 0.5;

/** What the messages of a request are fitted to beside so many other tokens. */
export function targetBeside(
  beside: number,
  { contextLength, thresholdTokens }: Pick<Budgets, 'thresholdTokens'> & Pick<Besides, 'contextLength'>,
): number {
  if (beside === 0) return thresholdTokens;
  const least = Math.floor((contextLength - beside) * leastTargetShare);
  return Math.max(1, thresholdTokens - beside, least);
}

/** What a summary of so many compressed tokens may weigh: a share of them, between the two bounds of the budgets. */
export function summaryTokens(
  compressedTokens: number,
  config: CompressionConfig,
  budgets: Pick<Budgets, 'summaryMinTokens' | 'summaryMaxTokens'>,
): number {
  const share = config.summary.preset === 'sliding' ? slidingShare(compressedTokens) : config.summary.ratio;
  // Written the other way round, 0.2 × 5 would be 1.0000000000000002 for some neighbours and round up.
  const wanted = Math.floor(compressedTokens * share + 1e-9);
  return Math.min(budgets.summaryMaxTokens, Math.max(budgets.summaryMinTokens, wanted));
}

/** 20 % below 10K compressed tokens, 15 % below 30K, 10 % below 100K, 5 % above. */
export function slidingShare(compressedTokens: number): number {
  if (compressedTokens < 10_000) return 0.2;
  if (compressedTokens < 30_000) return 0.15;
  return compressedTokens < 100_000 ? 0.1 : 0.05;
}

function effectiveWindow(contextLength: number, reserved = 0): number {
  if (!Number.isFinite(contextLength) || contextLength <= 0) {
    const message = `expected the model's window as a number of tokens above 0, got ${contextLength}: set context_length`;
    throw new PalimpsestError('BAD_OPTION', message, { evidence: { contextLength } });
  }
  // Some models state an output cap as big as the window; half of it is the most a prompt can be asked to give up.
  const believed = Math.min(Math.max(0, Number.isFinite(reserved) ? reserved : 0), contextLength / 2);
  return Math.max(1, Math.floor(contextLength - believed));
}

function matchOf(key: string, model: ThresholdModel): { length: number; scoped: boolean } | undefined {
  const id = model.id.toLowerCase();
  const colon = key.indexOf(':');
  const provider = model.provider?.toLowerCase();
  if (colon > 0 && provider === key.slice(0, colon) && id.includes(key.slice(colon + 1))) {
    return { length: key.length - colon - 1, scoped: true };
  }
  // A colon is also part of ids, as in `llama3:8b`.
  return key !== '' && id.includes(key) ? { length: key.length, scoped: false } : undefined;
}

interface WindowSizes {
  readonly window: number;
  readonly threshold: number;
}

function summaryMax({ window, threshold }: WindowSizes, config: CompressionConfig): number {
  const { maxTokens, minTokens } = config.summary;
  const most = config.tailPreset === 'reserved' ? Math.min(reserved.summaryTokens, maxTokens) : maxTokens;
  const byWindow = Math.min(Math.floor(window * summaryWindowShare), most);
  const tiny = Math.min(minTokens, Math.floor(window * tinySummaryShare), most);
  return Math.max(1, Math.min(Math.max(byWindow, tiny), Math.floor(threshold * summaryThresholdShare)));
}

function presetSizes(
  { window, threshold }: WindowSizes,
  config: CompressionConfig,
): { tail: number; head: number | null } {
  switch (config.tailPreset) {
    case 'budget':
      return { tail: Math.floor(threshold * config.targetRatio + 1e-9), head: null };
    case 'reserved': {
      const { headTokens, tailTokens } = reserved;
      const scale = Math.min(1, (threshold * presetTailShare.reserved) / tailTokens);
      return { tail: Math.floor(tailTokens * scale), head: Math.floor(headTokens * scale) };
    }
    case 'lean': {
      const { windowShare, minTokens, maxTokens } = lean;
      const tail = Math.min(maxTokens, Math.max(minTokens, Math.floor(window * windowShare)));
      return { tail: Math.min(tail, Math.floor(threshold * presetTailShare.lean)), head: null };
    }
  }
}
