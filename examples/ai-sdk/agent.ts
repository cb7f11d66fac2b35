// An AI SDK agent in a window that is far too small for its work: its conversation is compressed in time, results that are too
// large are saved, and the agent looks up what it no longer sees. A local fake server plays the provider.
import assert from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { storeOf, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { startFakeProvider } from '@palimpsest/core/testing';
import { isStepCount, jsonSchema, ToolLoopAgent, tool } from 'ai';

// It visits forty rooms, and then looks up what was in the third.
let calls = 0;
await using provider = await startFakeProvider({
  contextLength: 16_000,
  script: () => {
    calls++;
    if (calls <= 40) return { toolCalls: [{ name: 'visit', input: { room: calls } }] };
    if (calls === 41) return { toolCalls: [{ name: 'session_search', input: { query: '"brass key"' } }] };
    return { text: 'All rooms are visited.' };
  },
});
const openai = createOpenAI({ baseURL: provider.baseUrl('openai-responses'), apiKey: 'none' });

// Wrap the model and offer it the tools beside your own. It is stopped at the end of the block.
await using model = withPalimpsest(openai('gpt-5'), {
  contextLength: 16_000,
  onNotice: ({ level, message }) => level !== 'log' && console.log(message),
});
const visit = tool({
  description: 'Visits a room and says what is in it.',
  inputSchema: jsonSchema<{ room: number }>({ type: 'object', properties: { room: { type: 'integer' } } }),
  execute: ({ room }) =>
    `Room ${room}.\n${'A chair, a table, a lamp, a shelf with books.\n'.repeat(60)}${room === 3 ? 'Under the rug: a brass key.' : ''}`,
});
const agent = new ToolLoopAgent({
  model,
  stopWhen: isStepCount(50),
  instructions: 'You look for a key.',
  tools: { visit, ...tools(model) },
});
const { text, steps } = await agent.generate({ prompt: 'Look into all rooms.' });
const found = steps.flatMap(({ toolResults }) => toolResults).findLast(({ toolName }) => toolName === 'session_search');
console.log(`${text} ${steps.length} steps, ${provider.requests.length} requests.`);

// ---
const store = await storeOf(model);
const [conversation] = await store.sessions.list();
console.log(
  `The conversation was compressed ${(await store.sessions.chain(conversation?.tip.id ?? '')).length - 1} times.`,
);
assert.ok(provider.requests.every(({ status }) => status === 200));
assert.equal(text, 'All rooms are visited.');
assert.match(String(found?.output), /brass key/);
