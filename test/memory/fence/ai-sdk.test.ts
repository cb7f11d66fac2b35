/** Answers of a wrapped model that repeats blocks of ours: what a program is given, and what is kept. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { stop, storeOf, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, type ModelMessage, streamText } from 'ai';
import { createShownParts } from '../../../packages/core/src/ai-sdk/shown.ts';
import { fence } from '../../../packages/core/src/memory/fence/fence.ts';
import { messageText } from '../../../packages/core/src/transcript/text.ts';
import { anthropic, providers } from '../../ai-sdk/providers.ts';
import { type Content, type ModelV4, type Prompt, recorder } from '../../ai-sdk/recorder.ts';

const block = fence('The user likes tea.');
const handoff = '<handoff covers="m1-m9" messages="9">\nReference only: notes.\n\nPort 80.\n</handoff>';
const echo = `Hello\n${block}\n${handoff} world`;
const visible = 'Hello\n\n world';
const prompt: Prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }];

describe('M4 an answer that repeats blocks', () => {
  for (const provider of providers) {
    test(`is shown without them over ${provider.name}, streamed in any pieces or not`, async () => {
      await using fake = await startFakeProvider();
      const model = withPalimpsest(provider.model(fake));
      const messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }];
      fake.reply({ text: echo });
      assert.equal((await generateText({ model, messages, maxRetries: 0 })).text, visible);
      for (const pieceChars of [1, 7, 24, 10_000]) {
        fake.reply({ text: echo, pieceChars });
        assert.equal(await streamText({ model, messages, maxRetries: 0 }).text, visible);
      }
      await stop(model);
    });
  }

  test('is kept as the model said it, and its conversation goes on', async () => {
    await using fake = await startFakeProvider();
    const model = withPalimpsest(anthropic.model(fake));
    const messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }];
    for (const isStreamed of [false, true]) {
      fake.reply({ text: echo });
      const call = { model, messages, maxRetries: 0 };
      const { responseMessages } = isStreamed ? streamText(call) : await generateText(call);
      messages.push(...(await responseMessages), { role: 'user', content: 'Go on.' });
    }
    fake.reply({ text: 'Done.' });
    await generateText({ model, messages, maxRetries: 0 });
    const store = await storeOf(model);
    const conversations = await store.sessions.list();
    assert.equal(conversations.length, 1);
    const view = await store.messages.view(conversations[0]?.tip.id ?? '');
    assert.deepEqual(
      view.map(({ message }) => messageText(message)),
      ['Hello', echo, 'Go on.', echo, 'Go on.', 'Done.'],
    );
    assert.doesNotMatch(JSON.stringify(fake.requests.at(-1)?.body), /memory-context|<handoff/);
    await stop(model);
  });

  test('goes on in its conversation where nothing of it was shown', async () => {
    await using fake = await startFakeProvider();
    const model = withPalimpsest(anthropic.model(fake));
    fake.reply({ text: block }, { text: 'Done.' });
    const hello: ModelMessage = { role: 'user', content: 'Hello' };
    assert.equal((await generateText({ model, messages: [hello], maxRetries: 0 })).text, '');
    await generateText({ model, messages: [hello, { role: 'user', content: 'Go on.' }], maxRetries: 0 });
    assert.equal((await (await storeOf(model)).sessions.list()).length, 1);
    await stop(model);
  });

  test('keeps the arguments of its calls, its thoughts, and the order of its parts', async () => {
    const said: readonly Content[] = [
      { type: 'reasoning', text: block },
      { type: 'text', text: echo },
      { type: 'tool-call', toolCallId: 'call_1', toolName: 'note', input: JSON.stringify({ text: block }) },
      { type: 'text', text: 'And\n<memory-con' },
    ];
    const expected = said.map((part) =>
      part.type === 'text' && part.text === echo ? { ...part, text: visible } : part,
    );
    const { model } = recorder([said, said]);
    const wrapped = withPalimpsest(model);
    assert.deepEqual((await wrapped.doGenerate({ prompt })).content, expected);
    const parts = await Array.fromAsync((await wrapped.doStream({ prompt })).stream);
    const order = parts.flatMap((part) =>
      part.type.endsWith('-delta') ? [] : [`${part.type} ${'id' in part ? part.id : ''}`],
    );
    assert.deepEqual(order, [
      'stream-start ',
      ...['reasoning-start 0', 'reasoning-end 0', 'text-start 1', 'text-end 1', 'tool-call '],
      ...['text-start 3', 'text-end 3', 'finish '],
    ]);
    const textOf = (id: string): string =>
      parts.map((part) => ('delta' in part && part.id === id ? part.delta : '')).join('');
    assert.deepEqual([textOf('0'), textOf('1'), textOf('3')], [block, visible, 'And\n<memory-con']);
    assert.deepEqual(
      parts.find(({ type }) => type === 'tool-call'),
      said[2],
    );
    await stop(wrapped);
  });

  test('runs its tools, and the next step has the answer as it was shown', async () => {
    await using fake = await startFakeProvider();
    const model = withPalimpsest(anthropic.model(fake));
    fake.reply({ text: echo, toolCalls: [{ name: 'note', input: { text: block } }] }, { text: 'Done.' });
    const noted: unknown[] = [];
    const tools = {
      note: {
        inputSchema: jsonSchema<{ text: string }>({ type: 'object' }),
        execute: async ({ text }: { text: string }) => {
          noted.push(text);
          return 'ok';
        },
      },
    };
    const streamed = streamText({ model, prompt: 'Hello', tools, stopWhen: isStepCount(3), maxRetries: 0 });
    assert.equal(await streamed.text, 'Done.');
    assert.deepEqual(noted, [block]);
    assert.doesNotMatch(JSON.stringify(fake.requests[1]?.body), /Port 80/);
    assert.equal((await (await storeOf(model)).sessions.list()).length, 1);
    await stop(model);
  });
});

describe('M4 a stream that breaks off', () => {
  const usual = recorder().model;
  const failing = (deltas: readonly string[], end: 'error' | 'throw' | 'close'): ModelV4 => ({
    ...usual,
    doStream: async () => {
      const parts = deltas.map((delta) => ({ type: 'text-delta', id: '0', delta }) as const);
      const waiting = [...parts, ...(end === 'error' ? [{ type: 'error', error: new Error('gone') } as const] : [])];
      const stream = new ReadableStream({
        pull(controller) {
          const part = waiting.shift();
          if (part) controller.enqueue(part);
          else if (end === 'throw') controller.error(new Error('gone'));
          else controller.close();
        },
      });
      return { stream };
    },
  });

  for (const end of ['error', 'throw', 'close'] as const) {
    test(`shows what was held back and is no block, before its end by ${end}`, async () => {
      for (const [last, expected] of [
        ['<memory', 'Hi.\n<memory'],
        [block.slice(0, -3), 'Hi.\n'],
      ] as const) {
        const wrapped = withPalimpsest(failing(['Hi.\n', last], end));
        const seen: string[] = [];
        const read = async (): Promise<void> => {
          for await (const part of (await wrapped.doStream({ prompt })).stream)
            seen.push(part.type === 'text-delta' ? part.delta : `(${part.type})`);
        };
        if (end === 'throw') await assert.rejects(read(), /gone/);
        else await read();
        assert.equal(seen.join(''), expected + (end === 'error' ? '(error)' : ''));
        await stop(wrapped);
      }
    });
  }
});

test('M4 parts pass as the very objects that they were where nothing is taken out', () => {
  const shown = createShownParts();
  const parts = [
    { type: 'text-start', id: 'a' },
    { type: 'text-delta', id: 'a', delta: 'Hi. <memory-context>' },
    { type: 'text-delta', id: 'b', delta: '\n' },
    { type: 'text-delta', id: 'a', delta: '' },
    { type: 'reasoning-delta', id: 'a', delta: '<memory-context>\n' },
    { type: 'tool-input-delta', id: 'a', delta: '<memory-context>\n' },
    { type: 'text-end', id: 'a' },
  ] as const;
  for (const part of parts) {
    const [one, ...others] = shown.next(part);
    assert.equal(one, part);
    assert.equal(others.length, 0);
  }
});
