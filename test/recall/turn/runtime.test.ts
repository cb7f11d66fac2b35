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
    const both = async (): Promise<readonly PreparedContext[]> => [
      await runtime.prepare({ messages }),
      await plain.prepare({ messages }),
    ];
    for (const [turn, topic] of topics.entries()) {
      messages.push(user(asked(topic)));
      for (let at = 0; at < 4; at++) {
        const [on, off] = await both();
        const newest = messages.findLastIndex(({ role }) => role === 'user');
        assert.equal(JSON.stringify(on?.messages.slice(0, newest)), JSON.stringify(off?.messages.slice(0, newest)));
        assert.equal(JSON.stringify(on?.messages.slice(newest + 1)), JSON.stringify(off?.messages.slice(newest + 1)));
        assert.ok(JSON.stringify(on?.messages[newest]).includes(told(topic)), topic);
        messages.push(...step(turn * 4 + at));
      }
      messages.push(assistant(`Done with the ${topic}.`));
    }
    const ids = (await store.sessions.list({ limit: 100 })).map(({ tip }) => tip.id);
    for (const id of ids) assert.doesNotMatch(JSON.stringify(await store.messages.view(id)), /recalled-context/);
  });

  test('Y2 over HTTP the prompts share everything up to the newest request, and the steps of a turn all of it', async () => {
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
      const newest = request.messages.findLastIndex(({ role }) => role === 'user');
      assert.match(own[newest] ?? '', fence);
      assert.ok(own.every((text, place) => place === newest || !fence.test(text)));
      if (at % 4 > 0) assert.deepEqual(own.slice(0, before.length), before);
      else
        assert.deepEqual(
          own.slice(0, newest).map(unfenced),
          before.concat(own.slice(before.length, newest)).map(unfenced),
        );
    }
  });
});

/** What recall put into a message of the person is gone with the next turn. */
const unfenced = (text: string): string => text.replace(/,\{"type":"text","text":"<recalled-context[\s\S]*/, ']}');
