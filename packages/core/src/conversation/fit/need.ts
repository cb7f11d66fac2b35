/** Why a context is compressed before it is sent, if it is. */
import { reasonOf } from '../../compression/guard/guarded.ts';
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { priceOf } from '../../usage/price.ts';
import type { Usage } from '../../usage/usage.ts';
import { isForBackground } from '../compress/background.ts';
import { type LiveConversation, promptsFor } from '../live/live.ts';
import { fixedTokens } from '../live/size.ts';
import { note } from '../notices.ts';
import type { CompressionDecision, CompressionMoment, PriceRatios } from '../planner.ts';
import type { ContextSize } from '../request.ts';
import type { Asked, Runtime } from '../runtime.ts';
import { overflows } from './overflow.ts';

/**
 * `window`: it does not fit. `prepared`: what was made of it in the background waits to be taken. `engine`: its engine, or
 * a planner in its place, wishes it.
 */
export type Need = 'none' | 'window' | 'prepared' | 'engine';

interface Weighed {
  readonly asked: Asked;
  readonly size: ContextSize;
  readonly room: number;
  readonly tokenizer: Tokenizer;
  /** No pass was made for this request. */
  readonly isFirst: boolean;
}

/** What a context needs before it is sent. */
export function needFor(runtime: Runtime, live: LiveConversation, weighed: Weighed): Need {
  const { asked, size, room } = weighed;
  // Switched off, it is for a person to ask for.
  if (overflows(live, { size, room })) return runtime.settings.config.enabled ? 'window' : 'none';
  const isPrepared = live.ahead?.progress.type === 'ready';
  const engine = isPrepared || engineWishes(live, weighed) ? 'compress' : 'wait';
  if (decided(runtime, live, { ...weighed, engine }) === 'wait') return 'none';
  if (isPrepared) return 'prepared';
  // A model takes its time over it: the request goes out as it is, and the next one takes what was made meanwhile.
  return isForBackground(runtime, live, asked) ? 'none' : 'engine';
}

/** ★ Whoever plans by prices decides here; a planner that fails costs no message. */
function decided(
  runtime: Runtime,
  live: LiveConversation,
  { asked, size, room, tokenizer, isFirst, engine }: Weighed & { readonly engine: CompressionDecision },
): CompressionDecision {
  const { planner } = runtime.settings;
  if (!planner || !isFirst) return engine;
  try {
    const decision = planner(momentOf(runtime, live, { asked, tokens: size.tokens, room, engine, tokenizer }));
    const { action, plan = live.state.plan } = typeof decision === 'string' ? { action: decision } : decision;
    if (action !== 'compress' && action !== 'wait') throw new Error('it said neither compress nor wait');
    // What cannot be kept is noticed here, not where the conversation is kept.
    JSON.stringify(plan);
    live.state = { ...live.state, plan };
    return action;
  } catch (error) {
    const message = `The planner failed (${reasonOf(error)}); the engine decided.`;
    note(runtime, asked, { type: 'hook', level: 'warn', message });
    return engine;
  }
}

function engineWishes(live: LiveConversation, { asked, size }: Weighed): boolean {
  const { engine, builtIn, view } = live;
  if (engine.shouldCompress(size.tokens)) return true;
  // The built-in engine has decided; it never asks for the list.
  if (builtIn) return false;
  const { listed } = promptsFor(live, asked.prompts);
  return engine.shouldCompressPreflight([...listed, ...view.map(({ message }) => message)]);
}

// What a planner is told of a conversation.

/** A request, and what the engine would do about it. */
interface Weighing {
  readonly asked: Asked;
  readonly tokens: number;
  readonly room: number;
  readonly engine: CompressionDecision;
  readonly tokenizer: Tokenizer;
}

/** What a planner is told of a conversation now. */
function momentOf(
  { settings }: Runtime,
  live: LiveConversation,
  { asked, tokens, room, engine, tokenizer }: Weighing,
): CompressionMoment {
  const { session } = live;
  const { lastCall, plan, usualExtraTokens } = live.state;
  const { sent } = promptsFor(live, asked.prompts);
  return {
    rootId: session.rootId,
    compressionCount: live.engine.compressionCount,
    usualExtraTokens,
    tokens,
    fixedTokens: fixedTokens({ prompts: sent, tools: asked.tools }, tokenizer),
    thresholdTokens: live.engine.thresholdTokens,
    roomTokens: room,
    cachedTokens: lastCall?.cachedTokens ?? undefined,
    sinceLastCallMs: lastCall === null ? undefined : Math.max(0, settings.now() - lastCall.at),
    priceRatios: ratiosOf(settings.model, tokens),
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
