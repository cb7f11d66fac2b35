/** Whether breakpoints are of use to a model, and who reads them. */
import { modelInfo } from '../../tokens/models.ts';
import type { CacheTarget } from './breakpoints.ts';

/** A model and the way to it. */
export interface CachedModel {
  /** Its id, or `provider/id`. */
  readonly model: string;
  /** @default the one in `model`, or the one that the address tells */
  readonly provider?: string;
  readonly baseUrl?: string;
}

/**
 * Who reads the breakpoints of a model: set for Claude over the Anthropic API or OpenRouter, undefined for everything
 * else, because other providers cache without being asked or refuse the mark.
 *
 * @example
 * import { cacheTargetOf } from '@palimpsest/core';
 * cacheTargetOf({ model: 'anthropic/claude-sonnet-4-5' }); // 'anthropic'
 * cacheTargetOf({ model: 'openai/gpt-5' }); // undefined
 */
export function cacheTargetOf({ model, provider, baseUrl }: CachedModel): CacheTarget | undefined {
  if (!modelInfo(model)?.family.startsWith('claude')) return undefined;
  const host = baseUrl === undefined ? undefined : hostOf(baseUrl);
  if (host !== undefined) return byHost(host);
  const slash = model.indexOf('/');
  const name = (provider ?? (slash > 0 ? model.slice(0, slash) : 'anthropic')).toLowerCase();
  return name === 'anthropic' || name === 'openrouter' ? name : undefined;
}

function byHost(host: string): CacheTarget | undefined {
  if (isWithin(host, 'anthropic.com')) return 'anthropic';
  return isWithin(host, 'openrouter.ai') ? 'openrouter' : undefined;
}

const isWithin = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`);

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).hostname.toLowerCase() : '';
}
