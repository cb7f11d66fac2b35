/** Tools that run once a person has said that they may: those of the provider, and those of the program. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Notice, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { openStore } from '@palimpsest/core/store';
import { type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { jsonSchema, type Tool } from 'ai';
import { chat } from './browser.ts';
import { steps } from './prompts.ts';
import { anthropic, providers } from './providers.ts';
import { type Prompt, recorder } from './recorder.ts';

const asked: Prompt = [
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'May I?' },
      {
        type: 'tool-call',
        toolCallId: 'mcp_0123456789abcdef',
        toolName: 'mcp.delete',
        input: { path: '/x' },
        providerExecuted: true,
        providerOptions: { openai: { approvalRequestId: 'mcpr_1' } },
      },
    ],
  },
  { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'mcpr_1', approved: true }] },
];

const after: Prompt = [
  { role: 'assistant', content: [{ type: 'text', text: 'It is deleted.' }] },
  { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
];

for (const [when, rest] of [
  ['at the end', []],
  ['in the middle', after],
] as const) {
  test(`A3 what a person has allowed keeps its call through a compression, ${when} of the context`, async () => {
    const { model, calls } = recorder();
    const wrapped = withPalimpsest(model, { contextLength: 8_000 });
    const prompt: Prompt = [
      { role: 'user', content: [{ type: 'text', text: 'Look at all of it.' }] },
      ...steps(14),
      ...asked,
      ...rest,
    ];
    await wrapped.doGenerate({ prompt });
    const sent = calls[0]?.prompt ?? [];
    assert.ok(sent.length < prompt.length);
    assert.deepEqual(sent.slice(-asked.length - rest.length), [...asked, ...rest]);
  });
}

const remove: Tool<{ readonly path: string }, string> = {
  inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
  needsApproval: true,
  execute: ({ path }) => `${path} is gone.`,
};

const look: Tool<object, string> = { inputSchema: jsonSchema({ type: 'object' }), execute: () => 'Dust.' };

for (const isAllowed of [true, false]) {
  test(`L1 a chat in which a person ${isAllowed ? 'allows' : 'refuses'} a tool stays one conversation`, async () => {
    const script = ({ number }: FakeRequest): Reply =>
      number % 2 === 1
        ? { text: 'May I?', toolCalls: [{ name: 'remove', input: { path: `/${number}` } }] }
        : { text: `That was ${number}.` };
    await using fake = await startFakeProvider({ script });
    await using store = await openStore({ path: ':memory:' });
    const notices: Notice[] = [];
    const model = withPalimpsest(anthropic.model(fake), { store, onNotice: (notice) => notices.push(notice) });
    await chat(() => model, { questions: ['One?', 'Two?', 'Three?'], tools: { remove }, isAllowed });
    assert.deepEqual(notices, []);
    const [conversation, ...others] = await store.sessions.list();
    assert.deepEqual(others, []);
    assert.equal(conversation?.tip.messages, 12);
    assert.match(JSON.stringify(fake.requests.at(-1)?.body), isAllowed ? /\/5 is gone/ : /denied/);
  });
}

for (const provider of providers) {
  test(`L1 a chat stays one conversation over ${provider.name} whose calls wait, run and end in another order than they were asked for`, async () => {
    // The first waits for a person; a stream of OpenRouter ends the second, without arguments, behind the third.
    const toolCalls = [
      { name: 'remove', input: { path: '/x' } },
      { name: 'look', input: '' },
      { name: 'look', input: { at: 1 } },
    ];
    const script = ({ number }: FakeRequest): Reply =>
      number % 2 === 1 ? { toolCalls } : { text: `That was ${number}.` };
    await using fake = await startFakeProvider({ script });
    await using store = await openStore({ path: ':memory:' });
    const notices: Notice[] = [];
    // As a route makes it, anew for every request.
    const route = () => withPalimpsest(provider.model(fake), { store, onNotice: (notice) => notices.push(notice) });
    await chat(route, { questions: ['One?', 'Two?', 'Three?'], tools: { remove, look } });
    assert.deepEqual(notices, []);
    const [conversation, ...others] = await store.sessions.list();
    assert.deepEqual(others, []);
    assert.equal(conversation?.tip.messages, 12);
    assert.equal(conversation?.tip.usage.calls, 6);
  });
}
