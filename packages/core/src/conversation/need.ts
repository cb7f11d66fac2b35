/** Why a context is compressed before it is sent, if it is. */
import { reasonOf } from '../compression/guard/guarded.ts';
import type { Usage } from '../usage/normalise.ts';
import { priceOf } from '../usage/price.ts';
import { noteHook } from './call-hooks.ts';
import { isForBackground } from './compress/background.ts';
import { promptsFor, type Step } from './live.ts';
import { modelRest } from './model-wait.ts';
import type { CompressionDecision, CompressionMoment, PriceRatios } from './planner.ts';
import { type Fill, fixedTokens, overflows, roomOf } from './size.ts';

/**
 * `window`: it does not fit. `wish`: its model has asked for it. `prepared`: what was made of it in the background waits to be
 * taken. `engine`: its engine, or a planner in its place, wishes it.
 */
export type Need = 'none' | 'window' | 'wish' | 'prepared' | 'engine';

interface Weighed extends Fill {
  /** No pass was made for this request. */
  readonly isFirst: boolean;
}

/** What a context needs before it is sent. */
export function needFor(step: Step, weighed: Weighed): Need {
  const { runtime, live } = step;
  // Switched off, it is for a person to ask for.
  if (overflows(live, weighed)) return runtime.settings.config.enabled ? 'window' : 'none';
  if (live.state.wish !== null) return runtime.settings.config.enabled ? 'wish' : 'none';
  const isPrepared = live.ahead?.progress.type === 'ready';
  const engine = isPrepared || engineWishes(step, weighed.size.tokens) ? 'compress' : 'wait';
  if (decided(step, weighed, engine) === 'wait') return 'none';
  if (isPrepared) return 'prepared';
  // A model takes its time over it: the request goes out as it is, and the next one takes what was made meanwhile.
  return isForBackground(step) ? 'none' : 'engine';
}

/** ★ Whoever plans by prices decides here; a planner that fails costs no message. */
function decided(step: Step, weighed: Weighed, engine: CompressionDecision): CompressionDecision {
  const { runtime, live } = step;
  const { planner } = runtime.settings;
  if (!planner || !weighed.isFirst) return engine;
  try {
    const decision = planner(momentOf(step, weighed, engine));
    const { action, plan = live.state.plan } = typeof decision === 'string' ? { action: decision } : decision;
    if (action !== 'compress' && action !== 'wait') throw new Error('it said neither compress nor wait');
    // What cannot be kept is noticed here, not where the conversation is kept.
    if (JSON.stringify(plan) === undefined) throw new Error('its plan has no text as JSON');
    live.state = { ...live.state, plan };
    return action;
  } catch (error) {
    noteHook(step, `The planner failed (${reasonOf(error)}); the engine decided.`);
    return engine;
  }
}

function engineWishes(step: Step, tokens: number): boolean {
  const { live, asked } = step;
  const { engine, builtIn, view } = live;
  // The built-in engine decides by the number alone; it never asks for the list.
  if (builtIn) return hasGrown(step, tokens) && modelRest(step) === 0 && engine.shouldCompress(tokens);
  if (engine.shouldCompress(tokens)) return true;
  const { listed } = promptsFor(live, asked.prompts);
  return engine.shouldCompressPreflight([...listed, ...view.map(({ message }) => message)]);
}

/** What has come since the last compression is worth another one from so many tokens on, or from half of what the window has left. */
const worthTokens = 2_000;
const worthShare = 0.5;

/**
 * True where enough has come since the last compression for another one. It matters where that one could not bring the context
 * below its threshold: what stands beside the messages is too much for the window, and each turn would be compressed by itself.
 */
export function hasGrown(step: Pick<Step, 'runtime' | 'basis' | 'live'>, tokens: number): boolean {
  const { leftTokens } = step.live.state;
  if (leftTokens === 0) return true;
  const worth = Math.min(worthTokens, Math.floor(Math.max(0, roomOf(step) - leftTokens) * worthShare));
  return tokens - leftTokens >= worth;
}

/** What a planner is told of a conversation now. */
function momentOf(step: Step, { size, room }: Fill, engine: CompressionDecision): CompressionMoment {
  const { runtime, live } = step;
  const { model, now } = runtime.settings;
  const { lastCall, plan, usualExtraTokens } = live.state;
  return {
    rootId: live.session.rootId,
    compressionCount: live.engine.compressionCount,
    usualExtraTokens,
    tokens: size.tokens,
    fixedTokens: fixedTokens(step),
    thresholdTokens: live.engine.thresholdTokens,
    roomTokens: room,
    cachedTokens: lastCall?.cachedTokens ?? undefined,
    sinceLastCallMs: lastCall === null ? undefined : Math.max(0, now() - lastCall.at),
    priceRatios: ratiosOf(model, size.tokens),
    isPrepared: live.ahead?.progress.type === 'ready',
    engine,
    plan,
  };
}

/** By what a prompt of this length costs: prices depend on it. */
function ratiosOf(model: string, tokens: number): PriceRatios | undefined {
  const price = (usage: Usage): number | undefined => priceOf(model, usage).amount;
  const input = price({ inputTokens: tokens, outputTokens: 0 });
  if (!input) return undefined;
  const none = { inputTokens: 0, outputTokens: 0 };
  const ratio = (amount: number | undefined): number => Math.round((1e6 * (amount ?? input)) / input) / 1e6;
  return {
    cacheRead: ratio(price({ ...none, cacheReadTokens: tokens })),
    cacheWrite: ratio(price({ ...none, cacheWriteTokens: tokens })),
    output: ratio((price({ inputTokens: tokens, outputTokens: tokens }) ?? 2 * input) - input),
  };
}
