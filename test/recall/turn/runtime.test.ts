/** Recall in the runtime and over HTTP: fenced into the newest request, and nothing before it is another. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createConversations, type Message, type PreparedContext } from '@palimpsest/core';
import { withPalimpsest } from '@palimpsest/core/ai-sdk';
import { createTurnRecall } from '@palimpsest/core/search';
import type { Store } from '@palimpsest/core/store';
import { type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, type ModelMessage } from 'ai';
import { chat } from '../../ai-sdk/providers.ts';
import { assistant, user } from '../../support/conversations.ts';
import { keep, openMemory } from '../session-search/stored.ts';

const topics = ['lanterns', 'anvils', 'saddles', 'violins', 'kettles'];
const told = (topic: string): string => `The ${topic} of depot Quillfeather stand in the ${topic.length}th cellar.`;
const asked = (topic: string): string => `In which cellar of depot Quillfeather are the ${topic}?`;

async function storeWithTopics(): Promise<Store> {
  const store = await openMemory();
  for (const topic of topics) await keep(store, [told(topic), `Noted, the ${topic}.`]);
  await keep(
    store,
    Array.from({ length: 60 }, (_, at) => `Crate ${at} went to the harbour.`),
  );
  return store;
}

const step = (at: number): readonly Message[] => [
  { role: 'assistant', parts: [{ type: 'toolCall', callId: `c${at}`, name: 'visit', input: '{}', inputType: 'json' }] },
  { role: 'tool', parts: [{ type: 'toolResult', callId: `c${at}`, content: [{ type: 'text', text: `shelf ${at}` }] }] },
];

const fence = /<recalled-context[\s\S]*<\/recalled-context>/;

describe('recall into the turns of a conversation', () => {
  test('Y2 never is a byte before the newest request another, and what was recalled is not stored', async () => {
    await using store = await storeWithTopics();
    await using plainStore = await storeWithTopics();
    const model = 'claude-sonnet-4-5';
    const runtime = createConversations({ store, model, recall: createTurnRecall({ store }) });
    const plain = createConversations({ store: plainStore, model });
    const messages: Message[] = [];
    let before: readonly Message[] = [];
    const both = async (): Promise<readonly PreparedContext[]> => [
      await runtime.prepare({ messages }),
      await plain.prepare({ messages }),
    ];
    for (const [turn, topic] of topics.entries()) {
      messages.push(user(asked(topic)));
      for (let at = 0; at < 4; at++) {
        const [on, off] = await both();
        const sent = on?.messages ?? [];
        // What was sent is sent again; what is new is as its client wrote it, but for what is recalled with the newest request.
        assert.equal(JSON.stringify(sent.slice(0, before.length)), JSON.stringify(before));
        assert.equal(sent.length, off?.messages.length);
        assert.deepEqual(sent.map(said), off?.messages.map(said));
        assert.ok(JSON.stringify(sent).includes(told(topic)), topic);
        assert.equal(JSON.stringify(sent).split(told(topic)).length, 2, 'nothing is recalled twice');
        before = sent;
        messages.push(...step(turn * 4 + at));
      }
      messages.push(assistant(`Done with the ${topic}.`));
    }
    const ids = (await store.sessions.list({ limit: 100 })).map(({ tip }) => tip.id);
    for (const id of ids) assert.doesNotMatch(JSON.stringify(await store.messages.view(id)), /recalled-context/);
  });

  test('Y2 over HTTP each prompt begins with all of the prompt before, and has what its question needs', async () => {
    await using store = await storeWithTopics();
    let calls = 0;
    const script = (): Reply =>
      ++calls % 4 === 0 ? { text: 'Done.' } : { toolCalls: [{ name: 'visit', input: { at: calls } }] };
    await using fake = await startFakeProvider({ script });
    const model = withPalimpsest(chat.model(fake), {
      store,
      contextLength: 1_000_000,
      recall: createTurnRecall({ store }),
    });
    const inputSchema = jsonSchema<{ readonly at: number }>({
      type: 'object',
      properties: { at: { type: 'integer' } },
    });
    const tools = { visit: { description: 'Visits.', inputSchema, execute: () => 'shelf' } };
    const messages: ModelMessage[] = [];
    for (const topic of topics) {
      messages.push({ role: 'user', content: asked(topic) });
      const { responseMessages } = await generateText({ model, messages, tools, stopWhen: isStepCount(5) });
      messages.push(...responseMessages);
    }
    const texts = ({ messages: sent }: FakeRequest): readonly string[] => sent.map((one) => JSON.stringify(one));
    assert.equal(fake.requests.length, 4 * topics.length);
    for (const [at, request] of fake.requests.entries()) {
      const own = texts(request);
      const before = at === 0 ? [] : texts(fake.requests[at - 1] ?? request);
      assert.deepEqual(own.slice(0, before.length), before);
      assert.ok(own.join().includes(told(topics[Math.floor(at / 4)] ?? '')));
    }
  });
});

/** A message without what recall put into it. */
const said = ({ parts, ...message }: Message): object => ({
  ...message,
  parts: parts.filter((part) => part.type !== 'text' || !fence.test(part.text)),
});
