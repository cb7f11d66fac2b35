/** A conversation that goes on with a model whose window is another one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Notice, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { openStore } from '@palimpsest/core/store';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, type ModelMessage, type Tool } from 'ai';
import { compatible } from './providers.ts';

const list: Tool<Readonly<Record<string, unknown>>, string> = {
  description: 'Lists what is in the depot.',
  inputSchema: jsonSchema<Readonly<Record<string, unknown>>>({ type: 'object' }),
  execute: () => 'a shelf with seventeen crates of paper\n'.repeat(280),
};

// A result is weighed by each model anew, so that the list of the client is another one to it.
const todo = 'a result that a smaller window would not take whole makes the conversation branch';

for (const [first, second] of [
  [24_000, 6_000],
  [6_000, 24_000],
] as const) {
  test(`L2 a conversation from a window of ${first} tokens goes on in one of ${second}, and is the same`, {
    todo,
  }, async () => {
    await using fake = await startFakeProvider();
    fake.reply({ toolCalls: [{ name: 'list', input: {} }] }, { text: 'Crates of paper.' }, { text: 'Seventeen.' });
    await using store = await openStore({ path: ':memory:' });
    const notices: Notice[] = [];
    const messages: ModelMessage[] = [];
    const say = async (content: string, contextLength: number): Promise<void> => {
      const onNotice = (notice: Notice): unknown => notices.push(notice);
      const model = withPalimpsest(compatible.model(fake), { store, contextLength, onNotice });
      messages.push({ role: 'user', content });
      const all = { list, ...tools(model) };
      const { responseMessages } = await generateText({
        model,
        messages,
        tools: all,
        stopWhen: isStepCount(5),
        maxRetries: 0,
      });
      messages.push(...responseMessages);
    };
    await say('What is in the depot?', first);
    await say('How many crates are on a shelf?', second);
    assert.deepEqual(
      notices.filter(({ type }) => type === 'branched').map(({ message }) => message),
      [],
    );
    assert.equal((await store.sessions.list()).length, 1);
  });
}
