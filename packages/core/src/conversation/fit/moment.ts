/** What a planner is told of a conversation. */
import type { Tokenizer } from '../../tokens/tokenizer.ts';
import { priceOf } from '../../usage/price.ts';
import type { Usage } from '../../usage/usage.ts';
import { type LiveConversation, promptsFor } from '../live/live.ts';
import { fixedTokens } from '../live/size.ts';
import type { CompressionDecision, CompressionMoment, PriceRatios } from '../planner.ts';
import type { Asked, Runtime } from '../runtime.ts';

/** A request, and what the engine would do about it. */
interface Weighing {
  readonly asked: Asked;
  readonly tokens: number;
  readonly room: number;
  readonly engine: CompressionDecision;
  readonly tokenizer: Tokenizer;
}

/** What a planner is told of a conversation now. */
export function momentOf(
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
