/** A client as SDKs and command lines are: it keeps its list, sends it whole each time, and takes what comes back. */
import { setImmediate } from 'node:timers/promises';
import {
  type ConversationOptions,
  type ConversationRuntime,
  conversationTokens,
  estimatingTokenizer,
  type Message,
  type NextStep,
  type PreparedContext,
  type Tokenizer,
} from '@palimpsest/core';
import { openStore, type Store } from '@palimpsest/core/store';
import { createRuntime } from '../../packages/core/src/conversation/conversations.ts';
import type { RuntimeParts } from '../../packages/core/src/conversation/options.ts';
import { defined } from '../../packages/core/src/shared/defined.ts';

export const tokenizer: Tokenizer = estimatingTokenizer('claude');

/** A window in which a few steps of work fill the context. */
export const smallWindow = 8_000;

export const system = (text: string): Message => ({ role: 'system', parts: [{ type: 'text', text }] });
export const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
export const reply = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });

/** A call of a tool and what comes back, about `lines` lines long. */
export const step = (at: number, lines = 40): readonly [Message, Message] => [
  {
    role: 'assistant',
    parts: [
      { type: 'text', text: `Now region north-${at}.` },
      {
        type: 'toolCall',
        callId: `call-${at}`,
        name: 'bash',
        input: JSON.stringify({ command: `node scripts/move-${at}.ts` }),
        inputType: 'json',
      },
    ],
  },
  {
    role: 'tool',
    parts: [
      {
        type: 'toolResult',
        callId: `call-${at}`,
        content: [
          { type: 'text', text: `ledger_${at}: ${at * 17} rows\n${`row of region north-${at}\n`.repeat(lines)}` },
        ],
      },
    ],
  },
];

/** What a client has after so many steps. */
export const listOf = (steps: number): Message[] => [
  system('You move ledgers.'),
  user('Move the ledgers of all regions.'),
  ...Array.from({ length: steps }, (_, i) => step(i + 1)).flat(),
];

/** What a test says of a runtime: what a user may, and what only our own doors say. */
export interface RunOptions extends Partial<ConversationOptions>, Partial<RuntimeParts> {
  /** Of `config.summary`. */
  readonly background?: boolean;
}

/** A runtime whose clock stands still. */
export function runtimeOver(store: Store, options: RunOptions = {}): ConversationRuntime {
  const { source, owner, maxLive, recallTokens, planner, background = false, clock, config = {}, ...given } = options;
  const basis = { store, model: 'claude-sonnet-4-5', tokenizer, contextLength: smallWindow };
  return createRuntime(
    {
      ...basis,
      config: { ...config, summary: { background, ...config.summary } },
      clock: { now: () => 1_795_305_600_000, ...clock },
      ...given,
    },
    defined({ source, owner, maxLive, recallTokens, planner }),
  );
}

/** Runs over a store in memory, which ends with it. */
export async function withStore(
  run: (store: Store) => Promise<void>,
  { clock: now }: { readonly clock?: () => number } = {},
): Promise<void> {
  const store = await openStore({ path: ':memory:', clock: defined({ now }) });
  try {
    await run(store);
  } finally {
    await store.close();
  }
}

/** What a provider reports of a context. */
export const usageOf = (messages: readonly Message[]): { inputTokens: number; outputTokens: number } => ({
  inputTokens: conversationTokens(messages, tokenizer),
  outputTokens: 20,
});

/** A model answers what was prepared. */
export async function answer(
  runtime: ConversationRuntime,
  prepared: PreparedContext,
  message: Message,
): Promise<NextStep> {
  return runtime.settle(prepared, { type: 'answered', reply: message, usage: usageOf(prepared.messages) });
}

/** Steps of work, each prepared, answered and taken into the client's list; gives back every context. */
export async function work(
  runtime: ConversationRuntime,
  list: Message[],
  { from = 1, steps, lines = 40 }: { from?: number; steps: number; lines?: number },
): Promise<readonly PreparedContext[]> {
  const contexts: PreparedContext[] = [];
  for (let at = from; at < from + steps; at++) {
    const prepared = await runtime.prepare({ messages: list });
    contexts.push(prepared);
    const [called, result] = step(at, lines);
    await answer(runtime, prepared, called);
    list.push(called, result);
    // Long runs leave room for the test runner.
    if (at % 50 === 0) await setImmediate();
  }
  return contexts;
}

/** A list as it comes out of a request's body: the same words in new objects. */
export const anew = (list: readonly Message[]): Message[] =>
  // JSON in, JSON out: a message holds nothing else.
  JSON.parse(JSON.stringify(list)) as Message[];

/** Every message of every session, by its id. */
export async function stored(store: Store): Promise<readonly string[]> {
  const sessions = await sessionsOf(store);
  const views = await Promise.all(sessions.map(({ id }) => store.messages.view(id)));
  return [...new Set(views.flat().map(({ id }) => id))];
}

/** All sessions, those of each conversation from its root on. */
export async function sessionsOf(store: Store): Promise<readonly Awaited<ReturnType<Store['sessions']['tip']>>[]> {
  const conversations = await store.sessions.list({ limit: 1_000 });
  const chains = await Promise.all(conversations.map(({ tip }) => store.sessions.chain(tip.id)));
  return chains.flat();
}
