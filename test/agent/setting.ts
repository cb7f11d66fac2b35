/** What tests of the agent share: an agent over the loop of the SDK, our wrapped model and a provider over real HTTP. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createMemory } from '@palimpsest/core/memory';
import type { Store } from '@palimpsest/core/store';
import type { FakeProvider, Reply } from '@palimpsest/core/testing';
import { jsonSchema, type ToolSet } from 'ai';
import { createAgent } from '../../packages/palimpsest/src/agent/agent.ts';
import type { Agent, AgentOptions } from '../../packages/palimpsest/src/agent/agent-types.ts';
import type { AgentEvent } from '../../packages/palimpsest/src/agent/events.ts';

/** An agent in a test. */
export interface Setting {
  readonly agent: Agent;
  readonly store: Store;
  readonly events: AgentEvent[];
  /** Settles when an event of the type has come that holds. */
  seen(holds: (event: AgentEvent) => boolean): Promise<AgentEvent>;
}

/** An agent over a provider and a store, which remembers nothing beyond its conversations. */
export function setting(fake: FakeProvider, store: Store, more: Partial<AgentOptions> = {}): Setting {
  const events: AgentEvent[] = [];
  const waiting = new Set<() => void>();
  const agent = createAgent({
    store,
    project: '/project',
    model: modelOf(fake),
    memory: { memory: createMemory({ store, folder: join(tmpdir(), 'palimpsest-nothing-remembered') }) },
    prompt: () => 'You work on ovens.',
    tools: {},
    onEvent: (event) => {
      events.push(event);
      for (const look of waiting) look();
    },
    ...more,
  });
  const seen = (holds: (event: AgentEvent) => boolean): Promise<AgentEvent> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = events.find(holds);
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { agent, store, events, seen };
}

export function modelOf(fake: FakeProvider, name = 'some-model'): AgentOptions['model'] {
  const provider = createOpenAICompatible({
    name: 'own',
    apiKey: 'key-of-a-test',
    includeUsage: true,
    baseURL: fake.baseUrl('openai-chat'),
  });
  return { model: provider.chatModel(name), name: `own/${name}`, contextLength: 32_000 };
}

/** One tool, which looks at a thing. */
export const look = (
  execute: (input: { readonly at: string }, signal: AbortSignal | undefined) => Promise<string>,
): ToolSet => ({
  look: {
    description: 'Looks at a thing.',
    inputSchema: jsonSchema<{ readonly at: string }>({
      type: 'object',
      properties: { at: { type: 'string' } },
      required: ['at'],
    }),
    execute: (input, { abortSignal }) => execute(input, abortSignal),
  },
});

/** A model that wants to look at something. */
export const calls = (at: string): Reply => ({
  text: `I look at ${at}.`,
  toolCalls: [{ name: 'look', input: { at } }],
});
export const text = (events: readonly AgentEvent[]): string =>
  events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');
