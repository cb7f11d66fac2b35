/** What a person is told at a start of the prompt cache (C2): whether it is on, for how long, and by whom. Pure. */
import { cacheRulesFor, cacheTargetOf, modelInfo } from '@palimpsest/core';
import type { ModelConfig } from '../config/config.ts';
import type { ModelAddress } from './resolve-model.ts';

const ttlWords = { '5m': '5 minutes', '1h': '1 hour' } as const;
const targetWords = { anthropic: 'Anthropic', openrouter: 'OpenRouter', litellm: 'LiteLLM' } as const;

/** One line: what a wrapped model does for the model at this address, and what its provider does by itself. */
export function cacheLine(
  { provider, model, local }: Pick<ModelAddress, 'provider' | 'model' | 'local'>,
  { cacheTtl, off = false }: Pick<ModelConfig, 'cacheTtl'> & { readonly off?: boolean },
): string {
  // As a wrapped model tells it: by the provider's name, whatever its address is.
  const target = cacheTargetOf({ model, provider });
  if (target && off) return 'Prompt cache: off, because no breakpoints are set (cache: off)';
  if (target) return `Prompt cache: on, ${ttlWords[cacheTtl]}, Claude over ${targetWords[target]}`;
  if (local) return `Prompt cache: left to ${provider}, which charges nothing`;
  if (modelInfo(model)?.family.startsWith('claude'))
    return `Prompt cache: off, because Claude over ${provider} takes no breakpoints of ours (only over Anthropic and OpenRouter)`;
  const rules = cacheRulesFor(`${provider}/${model}`);
  if (!rules) return `Prompt cache: off, because nothing is known of how ${provider} caches ${model}`;
  return `Prompt cache: automatic, about ${minutes(rules.ttlSeconds)}, ${provider} needs no breakpoints`;
}

function minutes(seconds: number): string {
  const hours = seconds / 3_600;
  if (hours >= 1) return `${Math.round(hours)} hour${Math.round(hours) === 1 ? '' : 's'}`;
  return `${Math.round(seconds / 60)} minutes`;
}
