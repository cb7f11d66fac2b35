/** What a planner is told of a conversation. */
import { priceOf } from '../usage/price.ts';
import type { Usage } from '../usage/usage.ts';
import type { LiveConversation } from './live.ts';
import type { CompressionDecision, CompressionMoment, PriceRatios } from './planner.ts';
import type { Runtime } from './runtime.ts';

/** What a planner is told of a conversation now. */
export function momentOf(
  { settings }: Runtime,
  live: LiveConversation,
  { tokens, room, engine }: { readonly tokens: number; readonly room: number; readonly engine: CompressionDecision },
): CompressionMoment {
  const { lastCall } = live;
  return {
    tokens,
    thresholdTokens: live.engine.thresholdTokens,
    roomTokens: room,
    cachedTokens: lastCall?.cachedTokens,
    sinceLastCallMs: lastCall === undefined ? undefined : Math.max(0, settings.now() - lastCall.at),
    priceRatios: ratiosOf(settings.model, tokens),
    isPrepared: live.ahead?.progress.type === 'ready',
    engine,
  };
}

/** By what a prompt of this length costs: prices depend on it. */
function ratiosOf(model: string, tokens: number): PriceRatios | undefined {
  const price = (usage: Usage): number | undefined => priceOf(model, usage).amount;
  const input = price({ inputTokens: tokens, outputTokens: 0 });
  if (!input) return undefined;
  const none = { inputTokens: 0, outputTokens: 0 };
  return {
    cacheRead: (price({ ...none, cacheReadTokens: tokens }) ?? input) / input,
    cacheWrite: (price({ ...none, cacheWriteTokens: tokens }) ?? input) / input,
    output: ((price({ inputTokens: tokens, outputTokens: tokens }) ?? input) - input) / input,
  };
}
