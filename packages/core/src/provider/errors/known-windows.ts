/**
 * Windows that were learnt from failures. What a provider stated is remembered in the store; what was only concluded holds
 * while the process runs. A window is only ever learnt downwards: a model does not grow because an error names a number.
 */
import type { MetaStore } from '../../store/store.ts';
import { isWindow } from './limits.ts';
import type { WindowSource } from './recovery.ts';

/** A window that a failure named. */
export interface LearntWindow {
  readonly tokens: number;
  readonly source: WindowSource;
  /** The window reckoned with so far; only a lower one is taken. @default no window */
  readonly current?: number;
}

/** Windows by model. A model is named with its provider, and with its base URL where that is not the provider's own. */
export interface KnownWindows {
  /** The lowest window that was learnt for a model; undefined when none was. */
  get(model: string): Promise<number | undefined>;
  /** Takes a window when it is one and lower than what is known; tells whether it was taken. */
  learn(model: string, window: LearntWindow): Promise<boolean>;
  /** Forgets what was learnt about a model: it was changed, or its server was started with another window. */
  forget(model: string): Promise<void>;
}

const keyOf = (model: string): string => `context_length:${model}`;

/**
 * Windows that are kept among the small values of a store.
 *
 * @example
 * import { knownWindows } from '@palimpsest/core';
 * import { openStore } from '@palimpsest/core/store';
 * await using store = await openStore({ path: 'agent.db' });
 * const windows = knownWindows(store.meta);
 * await windows.get('openai/gpt-5'); // undefined, until one was learnt
 */
export function knownWindows(values: Pick<MetaStore, 'get' | 'set'>): KnownWindows {
  const guessed = new Map<string, number>();
  const get = async (model: string): Promise<number | undefined> => {
    const kept = Number(await values.get(keyOf(model)));
    const known = [kept, guessed.get(model)].filter(isWindow);
    return known.length === 0 ? undefined : Math.min(...known);
  };
  return {
    get,
    async learn(model, { tokens, source, current }) {
      const known = Math.min((await get(model)) ?? Number.POSITIVE_INFINITY, current ?? Number.POSITIVE_INFINITY);
      if (!isWindow(tokens) || tokens >= known) return false;
      if (source === 'stated') await values.set(keyOf(model), String(tokens));
      else guessed.set(model, tokens);
      return true;
    },
    async forget(model) {
      guessed.delete(model);
      await values.set(keyOf(model), undefined);
    },
  };
}
