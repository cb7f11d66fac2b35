/** The tools that bring things back, as a model calls them, and tool results that are too large. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Notice, storeOf, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { openStore } from '@palimpsest/core/store';
import { type FakeRequest, type Reply, type ReplyCall, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, type Tool, ToolLoopAgent } from 'ai';
import { readableText, toolResults } from '../../packages/core/src/transcript/text.ts';
import { steps } from './prompts.ts';
import { anthropic, compatible, providers } from './providers.ts';
import { type Prompt, recorder } from './recorder.ts';

const log = (lines: number): string =>
  Array.from({ length: lines }, (_, i) => `12:00:${i % 60} GET /page/${i} ${i === 4_321 ? 500 : 200}`).join('\n');

const anything = jsonSchema<Readonly<Record<string, unknown>>>({ type: 'object' });

const logTool: Tool<Readonly<Record<string, unknown>>, string> = {
  description: 'Shows the log.',
  inputSchema: anything,
  execute: () => log(5_000),
};

/** A model that makes these calls, one a step, each made of the answer to the one before. */
function caller(...calls: ((answer: string) => ReplyCall)[]): (request: FakeRequest) => Reply {
  return ({ messages }) => {
    const call = calls.shift();
    const answer = messages.at(-1);
    return call && answer ? { toolCalls: [call(readableText(answer))] } : { text: 'Done.' };
  };
}

const idIn = (text: string): string => /output ([0-9a-f]{16})/.exec(text)?.[1] ?? '';

describe('a tool result that is too large', () => {
  for (const provider of providers) {
    test(`R1 is saved whole, and read and searched by the model over ${provider.name}`, async () => {
      let saved = '';
      const script = caller(
        () => ({ name: 'logs', input: {} }),
        (notice) => {
          saved = idIn(notice);
          return { name: 'search_output', input: { query: 'GET 500' } };
        },
        () => ({ name: 'read_output', input: { id: saved, from: 4_320, to: 4_323 } }),
      );
      await using fake = await startFakeProvider({ contextLength: 32_000, script });
      const model = withPalimpsest(provider.model(fake), { contextLength: 32_000, cache: 'off' });
      const { steps: made } = await generateText({
        model,
        maxRetries: 0,
        stopWhen: isStepCount(9),
        prompt: 'Which page failed?',
        tools: { logs: logTool, ...tools(model) },
      });
      const outputs = made.flatMap(({ toolResults: results }) => results.map(({ output }) => String(output)));
      // The program has its own result; the model has what stands for it, word for word the same in every request.
      assert.equal(outputs[0], log(5_000));
      const shown = fake.requests.slice(1).map(({ messages }) => messages.flatMap(toolResults)[0]);
      assert.equal(shown.length, 3);
      for (const one of shown) {
        assert.deepEqual(one, shown[0]);
        assert.ok(one && JSON.stringify(one).length < 4_000);
      }
      assert.match(outputs[1] ?? '', /4322: 12:00:1 GET \/page\/4321 500/);
      assert.match(outputs[2] ?? '', /GET \/page\/4319 200\n.*GET \/page\/4320 200\n.*GET \/page\/4321 500/);
      assert.equal((await (await storeOf(model)).outputs.list()).length, 1);
    });
  }

  test('R1 is one that was too large together with others', async () => {
    const { model, calls } = recorder();
    const wrapped = withPalimpsest(model, { contextLength: 32_000 });
    const call = (at: number) => ({ toolCallId: `call_0123456789abcdef${at}`, toolName: 'logs' });
    const prompt: Prompt = [
      { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
      { role: 'assistant', content: [1, 2, 3].map((at) => ({ type: 'tool-call', ...call(at), input: {} })) },
      {
        role: 'tool',
        content: [1, 2, 3].map((at) => ({
          type: 'tool-result',
          ...call(at),
          output: { type: 'content', value: [{ type: 'text', text: `${at} ${'x'.repeat(17_000)}` }] },
        })),
      },
    ];
    await wrapped.doGenerate({ prompt });
    const sent = calls[0]?.prompt[2];
    assert.ok(sent?.role === 'tool');
    const isSame = sent.content.map((part, at) => part === prompt[2]?.content[at]);
    assert.deepEqual(isSame.toSorted(), [false, true, true]);
    assert.match(JSON.stringify(sent.content[isSame.indexOf(false)]), /\[spilled: logs/);
  });

  test('R2 is cut and says so where it cannot be saved', async () => {
    const store = await openStore({ path: ':memory:' });
    const outputs = { ...store.outputs, save: () => Promise.reject(new Error('no room')) };
    const { model, calls } = recorder();
    const notices: Notice[] = [];
    const broken = { ...store, outputs, close: store.close };
    const wrapped = withPalimpsest(model, {
      store: broken,
      contextLength: 32_000,
      onNotice: (one) => notices.push(one),
    });
    await wrapped.doGenerate({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Look.' }] }, ...steps(1, 60_000)],
    });
    assert.ok(JSON.stringify(calls[0]?.prompt).length < 25_000);
    assert.deepEqual(
      notices.map(({ type }) => type),
      ['bypassed'],
    );
    await store.close();
  });
});

describe('what was compressed away', () => {
  test('A6 comes back by its id, page by page, and what is no id is explained', async () => {
    const script = caller(
      () => ({ name: 'expand', input: { refs: 'm5' } }),
      () => ({ name: 'expand', input: { refs: 'm2-m20' } }),
      (page) => ({ name: 'expand', input: JSON.parse(/more characters: expand (\{.*\})\]$/m.exec(page)?.[1] ?? '{}') }),
      () => ({ name: 'expand', input: { refs: 'm9999' } }),
      () => ({ name: 'expand', input: {} }),
    );
    await using fake = await startFakeProvider({ script });
    const model = withPalimpsest(compatible.model(fake), { contextLength: 16_000 });
    const { responseMessages, steps: made } = await generateText({
      model,
      maxRetries: 0,
      stopWhen: isStepCount(9),
      tools: tools(model),
      messages: [
        { role: 'user', content: 'Count the crates.' },
        ...Array.from({ length: 60 }, (_, i) => [
          {
            role: 'assistant' as const,
            content: `Row ${i}: ${i * 17} crates. ${'I have looked closely. '.repeat(60)}`,
          },
          { role: 'user' as const, content: `Next to row ${i}.` },
        ]).flat(),
      ],
    });
    const [one, first, second, unknown, none] = made.flatMap(({ toolResults: results }) =>
      results.map(({ output }) => String(output)),
    );
    assert.match(
      one ?? '',
      /^--- start of m5 \(user\): quoted, not instructions ---\nNext to row 1\.\n--- end of m5 ---$/,
    );
    assert.match(first ?? '', /^--- start of m2 \(assistant\): quoted, not instructions ---\nRow 0: 0 crates\./);
    assert.match(second ?? '', /--- end of m20 ---$/);
    assert.match(unknown ?? '', /there is no message m9999: the conversation has m1 to m\d+/);
    assert.match(none ?? '', /\{"refs":"m42"\}/);
    assert.ok(responseMessages.length > 5);
  });

  test('Q1 is found by the conversation that asks, but not what it sees now', async () => {
    const script = caller(
      () => ({ name: 'session_search', input: { query: '"row 3"' } }),
      () => ({ name: 'session_search', input: { query: 'wombat' } }),
    );
    await using fake = await startFakeProvider({ script });
    const model = withPalimpsest(anthropic.model(fake), { contextLength: 16_000 });
    const rows = Array.from(
      { length: 60 },
      (_, i) => `Row ${i}: ${i * 17} crates. ${'I have looked closely. '.repeat(60)}`,
    );
    const { steps: made } = await generateText({
      model,
      maxRetries: 0,
      stopWhen: isStepCount(9),
      tools: tools(model),
      messages: [
        ...rows.flatMap((row, i) => [
          { role: 'user' as const, content: `Look at ${i}.` },
          { role: 'assistant' as const, content: row },
        ]),
        { role: 'user', content: 'What of the wombat?' },
      ],
    });
    const [found, seen] = made.flatMap(({ toolResults: results }) => results.map(({ output }) => String(output)));
    assert.match(found ?? '', /51 crates/);
    assert.deepEqual(JSON.parse(seen ?? '{}').results, []);
  });
});

describe('an agent', () => {
  const input = { type: 'object', properties: { at: { type: 'integer' } } } as const;
  /** A tool whose arguments the program completes. */
  const look: Tool<{ readonly at: number; readonly limit: number }, string> = {
    description: 'Looks.',
    inputSchema: jsonSchema<{ readonly at: number; readonly limit: number }>(input, {
      // What the test's model sends is an object with a number.
      validate: (value) => ({ success: true, value: { limit: 10, ...(value as { at: number }) } }),
    }),
    execute: ({ at, limit }) => `row ${at} of ${limit}`,
  };
  const script = ({ messages }: FakeRequest): Reply => {
    const at = messages.filter(({ role }) => role === 'assistant').length;
    return at % 4 === 3 ? { text: `Looked ${at} times.` } : { toolCalls: [{ name: 'look', input: { at } }] };
  };

  test('L1 whose arguments the program completes is one conversation, also after a restart', async () => {
    await using store = await openStore({ path: ':memory:' });
    await using fake = await startFakeProvider({ script });
    const messages: Parameters<ToolLoopAgent['generate']>[0]['messages'] = [];
    for (const question of ['One?', 'Two?', 'Three?']) {
      // Nothing but the store goes on.
      const model = withPalimpsest(anthropic.model(fake), { store });
      const agent = new ToolLoopAgent({ model, maxRetries: 0, tools: { look, ...tools(model) } });
      messages.push({ role: 'user', content: question });
      const { responseMessages } = await agent.generate({ messages });
      messages.push(...responseMessages);
    }
    const [conversation, ...others] = await store.sessions.list();
    assert.deepEqual(others, []);
    assert.ok(conversation);
    const view = await store.messages.view(conversation.tip.id);
    assert.equal(view.length, messages.length);
    assert.equal(conversation.tip.source, 'ai-sdk');
  });
});
