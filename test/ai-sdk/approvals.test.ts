/** Tools that run once a person has said that they may: those of the provider, and those of the program. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  convertToModelMessages,
  isStepCount,
  isToolUIPart,
  jsonSchema,
  readUIMessageStream,
  streamText,
  type Tool,
  type UIMessage,
} from 'ai';
import { type AnyModel, type Notice, withPalimpsest } from '../../src/ai-sdk/index.ts';
import { openStore } from '../../src/index.ts';
import { type FakeRequest, type Reply, startFakeProvider } from '../../src/testing/index.ts';
import { steps } from './prompts.ts';
import { anthropic } from './providers.ts';
import { type Prompt, recorder } from './recorder.ts';

const asked: Prompt = [
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'May I?' },
      {
        ...{ type: 'tool-call', toolCallId: 'mcp_0123456789abcdef', toolName: 'mcp.delete', input: { path: '/x' } },
        ...{ providerExecuted: true, providerOptions: { openai: { approvalRequestId: 'mcpr_1' } } },
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

/** A person in a browser, who is asked and answers; everything comes back as text. */
async function chat(model: AnyModel, isAllowed: boolean, questions: readonly string[]): Promise<void> {
  const remove: Tool<{ readonly path: string }, string> = {
    inputSchema: jsonSchema({ type: 'object', properties: { path: { type: 'string' } } }),
    needsApproval: true,
    execute: ({ path }) => `${path} is gone.`,
  };
  let messages: UIMessage[] = [];
  for (const text of questions) {
    messages.push({ id: text, role: 'user', parts: [{ type: 'text', text }] });
    for (let isAsked = true; isAsked; ) {
      messages = JSON.parse(JSON.stringify(messages));
      const last = messages.at(-1);
      const result = streamText({
        ...{ model, maxRetries: 0, stopWhen: isStepCount(5), tools: { remove } },
        messages: await convertToModelMessages(messages, { tools: { remove } }),
      });
      const stream = result.toUIMessageStream({ originalMessages: messages, generateMessageId: () => `to ${text}` });
      const states = readUIMessageStream({ stream, ...(last?.role === 'assistant' ? { message: last } : {}) });
      const answer = (await Array.fromAsync(states)).at(-1);
      assert.ok(answer);
      const waiting = answer.parts.filter(isToolUIPart).filter(({ state }) => state === 'approval-requested');
      for (const part of waiting) {
        Object.assign(part, { state: 'approval-responded', approval: { ...part.approval, approved: isAllowed } });
      }
      messages = [...messages.filter(({ id }) => id !== answer.id), answer];
      isAsked = waiting.length > 0;
    }
  }
}

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
    await chat(model, isAllowed, ['One?', 'Two?', 'Three?']);
    assert.deepEqual(notices, []);
    const [conversation, ...others] = await store.sessions.list();
    assert.deepEqual(others, []);
    assert.equal(conversation?.tip.messages, 12);
    assert.match(JSON.stringify(fake.requests.at(-1)?.body), isAllowed ? /\/5 is gone/ : /denied/);
  });
}
