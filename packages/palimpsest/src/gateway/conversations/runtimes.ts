/** The runtimes of the library, one for each model that is asked. */
import type { ConversationRuntime } from '@palimpsest/core';
import type { GatewayDialect } from '../../config/gateway.ts';

export interface Runtimes {
  readonly runtimeFor: (dialect: GatewayDialect, model: string) => ConversationRuntime;
  /** Ends what runs in the background. */
  stop(): Promise<void>;
}

/** Runtimes that are held at once; a client may name any model. */
const mostRuntimes = 64;

/** Makes them as they are needed; the one unused for longest goes, and its conversations are read back. */
export function openRuntimes(create: (name: string) => ConversationRuntime): Runtimes {
  const held = new Map<string, ConversationRuntime>();
  return {
    runtimeFor(dialect, model) {
      const name = nameOf(dialect, model);
      const runtime = held.get(name) ?? create(name);
      held.delete(name);
      held.set(name, runtime);
      const [oldest] = held;
      if (held.size > mostRuntimes && oldest) {
        held.delete(oldest[0]);
        // Waits for nothing that a request needs.
        oldest[1].stop().catch(() => undefined);
      }
      return runtime;
    },
    stop: async () => {
      await Promise.all([...held.values()].map((runtime) => runtime.stop()));
    },
  };
}

const vendors: Readonly<Record<GatewayDialect, string>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
};

/** Longer ones name no model. */
const longestName = 200;

/** The name of a model as the library has it. */
export const nameOf = (dialect: GatewayDialect, model: string): string =>
  `${vendors[dialect]}/${model.length > longestName ? 'unknown' : model}`;
