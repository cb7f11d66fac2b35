/** How much of the prompts of an agent's loop a prompt cache has, with recall into its turns and without. */
import type { Message } from '@palimpsest/core';
import { withPalimpsest } from '@palimpsest/core/ai-sdk';
import { createTurnRecall } from '@palimpsest/core/search';
import { openStore, type Store } from '@palimpsest/core/store';
import { type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, type ModelMessage } from 'ai';
import { messageTokens } from '../../packages/core/src/tokens/measure.ts';
import { estimatingTokenizer } from '../../packages/core/src/tokens/tokenizer.ts';
import { chat } from '../../test/ai-sdk/providers.ts';

/** A loop of so many steps in so many turns. */
export interface LoopPlan {
  readonly steps: number;
  readonly turns: number;
}

export interface LoopOutcome {
  readonly requests: number;
  /** Turns whose requests carried what their question asks for. */
  readonly recalled: number;
  /** Share of the prompt tokens that stood at the beginning of the prompt before. */
  readonly hitRate: number;
  /** Requests in which a message before the newest one of the person is another than in the request before. */
  readonly changedBefore: number;
}

const depots = ['Quillfeather', 'Veldmark', 'Ashgrove', 'Tarnhill', 'Brackwater'];
const goods = [
  'lanterns',
  'anvils',
  'saddles',
  'violins',
  'kettles',
  'sails',
  'ladders',
  'mirrors',
  'barrels',
  'clocks',
];

const nameOf = (at: number): string => `${depots[at % depots.length]}`;
const thingOf = (at: number): string => `${goods[at % goods.length]} of type ${String.fromCharCode(65 + at)}${at}`;

const answerOf = (at: number): string =>
  `The ${thingOf(at)} at ${nameOf(at)} stand in cellar ${at * 7 + 3} behind the copper boiler.`;

/** What an earlier conversation said: each turn asks about some of it. */
const said = (at: number): readonly Message[] => [
  user(answerOf(at)),
  { role: 'assistant', parts: [{ type: 'text', text: `Noted: ${thingOf(at)} in cellar ${at * 7 + 3}.` }] },
];

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] });
const question = (at: number): string => `In which cellar at ${nameOf(at)} do the ${thingOf(at)} stand?`;

/** Plays the loop over HTTP, from a client that sends its whole list each time. */
export async function playLoop(plan: LoopPlan, isRecalling: boolean): Promise<LoopOutcome> {
  await using store = await filled(plan.turns);
  const perTurn = plan.steps / plan.turns;
  let step = 0;
  const script = (): Reply => {
    step++;
    const isEnd = step % perTurn === 0;
    return isEnd ? { text: `Turn ${step / perTurn} is done.` } : { toolCalls: [{ name: 'visit', input: { step } }] };
  };
  await using fake = await startFakeProvider({ script });
  const recall = isRecalling ? { recall: createTurnRecall({ store }) } : {};
  const model = withPalimpsest(chat.model(fake), { store, contextLength: 1_000_000, ...recall });
  const messages: ModelMessage[] = [];
  for (let turn = 0; turn < plan.turns; turn++) {
    messages.push({ role: 'user', content: question(turn) });
    const { responseMessages } = await generateText({
      model,
      messages,
      maxRetries: 0,
      system: 'You visit depots.',
      stopWhen: isStepCount(perTurn + 1),
      tools: { visit },
    });
    messages.push(...responseMessages);
  }
  return outcomeOf(fake.requests, perTurn);
}

const visit = {
  description: 'Visits a depot.',
  inputSchema: jsonSchema<{ readonly step: number }>({ type: 'object', properties: { step: { type: 'integer' } } }),
  execute: ({ step }: { readonly step: number }): string =>
    Array.from({ length: 20 }, (_, line) => `shelf ${line} holds ${(step * 31 + line * 17) % 997} crates`).join('\n'),
};

async function filled(turns: number): Promise<Store> {
  const store = await openStore({ path: ':memory:' });
  for (let at = 0; at < turns; at++) {
    const { id } = await store.sessions.create({ source: 'library' });
    await store.messages.append(id, said(at), { time: Date.UTC(2026, 0, 1 + at) });
  }
  return store;
}

const tokenizer = estimatingTokenizer('openai');

function outcomeOf(requests: readonly FakeRequest[], perTurn: number): LoopOutcome {
  let [cached, all, changedBefore] = [0, 0, 0];
  const recalled = new Set<number>();
  let before: readonly string[] = [];
  for (const [sent, { messages }] of requests.entries()) {
    const texts = messages.map((message) => JSON.stringify(message));
    const newest = messages.findLastIndex(({ role }) => role === 'user');
    const turn = Math.floor(sent / perTurn);
    if (texts.some((text) => text.includes(answerOf(turn)))) recalled.add(turn);
    const first = texts.findIndex((text, at) => text !== before[at]);
    const same = first < 0 ? texts.length : first;
    if (same < Math.min(newest, before.length)) changedBefore++;
    for (const [at, message] of messages.entries()) {
      const tokens = messageTokens(message, tokenizer);
      all += tokens;
      if (at < same) cached += tokens;
    }
    before = texts;
  }
  return { requests: requests.length, recalled: recalled.size, hitRate: cached / all, changedBefore };
}
