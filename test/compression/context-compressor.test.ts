/** The default engine as a class, in the hands of a loop of somebody's own. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Message, toOpenAiChat, validate } from '@palimpsest/core';
import { ContextCompressor } from '@palimpsest/core/engine';
import { listOf, user } from '../conversation/agent.ts';
import { engineContract } from '../support/engine-contract.ts';

interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
}

const small = { contextLength: 8_000, config: { thresholdTokens: 4_000 } } as const;

describe('E1 ContextCompressor', () => {
  engineContract('E1 keeps the contract over our messages', () => new ContextCompressor<Message>());

  test('E1 needs no more than the window, and has the numbers of the contract', () => {
    const engine = new ContextCompressor({ contextLength: 200_000 });
    assert.equal(engine.name, 'compressor');
    assert.deepEqual([engine.contextLength, engine.thresholdTokens, engine.compressionCount], [200_000, 100_000, 0]);
    assert.deepEqual([engine.shouldCompress(), engine.shouldCompress(100_000)], [false, true]);
    engine.updateFromResponse({ promptTokens: 120_000, completionTokens: 500, totalTokens: 120_500 });
    assert.deepEqual(
      [engine.lastPromptTokens, engine.lastCompletionTokens, engine.lastTotalTokens, engine.shouldCompress()],
      [120_000, 500, 120_500, true],
    );
    assert.equal(engine.status().usagePercent, 60);
    engine.updateModel({ model: 'some-model', contextLength: 1_000_000 });
    assert.deepEqual([engine.contextLength, engine.thresholdTokens], [1_000_000, 500_000]);
    engine.onSessionReset();
    assert.deepEqual([engine.lastPromptTokens, engine.compressionCount], [0, 0]);
    assert.throws(() => new ContextCompressor({ contextLength: 200_000, config: { threshold: 5 } }), {
      code: 'BAD_CONFIG',
    });
  });

  test('E1 E5 compresses messages of OpenAI: what stays is the same object, and the list is not changed', async () => {
    const messages = toOpenAiChat([
      ...listOf(30),
      user('And region east?'),
    ]) as readonly object[] as readonly ChatMessage[];
    const before = JSON.stringify(messages);
    const engine = new ContextCompressor<ChatMessage>(small);
    const smaller = await engine.compress(messages, { currentTokens: 9_000, focusTopic: 'region east' });
    assert.equal(JSON.stringify(messages), before);
    assert.ok(smaller.length < messages.length);
    assert.equal(smaller.at(-1), messages.at(-1));
    assert.ok(smaller.filter((message) => messages.includes(message)).length > 1);
    assert.equal(engine.compressionCount, 1);
    assert.equal(engine.lastResult()?.status, 'compressed');
    assert.equal(engine.expand('m3'), messages[2]);
  });

  test('E1 compresses our messages in the same way', async () => {
    const messages: readonly Message[] = [...listOf(30), user('And region east?')];
    const engine = new ContextCompressor<Message>(small);
    const smaller = await engine.compress(messages, { currentTokens: 9_000 });
    assert.ok(smaller.length < messages.length);
    assert.deepEqual(validate(smaller), []);
    assert.equal(smaller.at(-1), messages.at(-1));
  });

  test('E5 gives back the same list object where there is nothing to do', async () => {
    const messages: readonly ChatMessage[] = [{ role: 'user', content: 'Hello' }];
    assert.equal(await new ContextCompressor<ChatMessage>(small).compress(messages), messages);
    const ours = [user('Hello')];
    assert.equal(await new ContextCompressor<Message>(small).compress(ours), ours);
  });

  test('E2 answers a call of a tool that it does not have with an error in JSON, and its hooks do no harm', async () => {
    const engine = new ContextCompressor<Message>(small);
    const answer = JSON.parse(await engine.handleToolCall('lookup', {}, []));
    assert.match(answer.error, /Unknown tool/);
    assert.deepEqual(
      [engine.toolSchemas(), engine.shouldCompressPreflight([]), engine.heldBack()],
      [[], false, undefined],
    );
    assert.equal(engine.hasContentToCompress([]), false);
    await engine.onSessionStart('s', { reason: 'new' });
    await engine.onSessionEnd('s', []);
  });

  test('E2 says that there is something to compress where a middle lies between head and tail', () => {
    const engine = new ContextCompressor<ChatMessage>(small);
    const messages = toOpenAiChat([...listOf(30), user('And east?')]) as readonly object[] as readonly ChatMessage[];
    assert.equal(engine.hasContentToCompress(messages), true);
    assert.equal(engine.hasContentToCompress(messages.slice(0, 4)), false);
    const system: ChatMessage = { role: 'system', content: 'You are careful.' };
    assert.equal(engine.hasContentToCompress([system, system]), false, 'only a system prompt');
    const hello: ChatMessage = { role: 'user', content: 'Hello' };
    assert.equal(engine.hasContentToCompress([system, hello, { role: 'assistant', content: 'Hi' }]), false);
    const large: ChatMessage = { role: 'assistant', content: 'words of a long reply '.repeat(3_000) };
    assert.equal(engine.hasContentToCompress([hello, large, hello]), true, 'larger than the window: it is shortened');
  });

  test('E2 never says that there is nothing where a compression makes the list smaller', async () => {
    const list = [...listOf(12), user('And region east?')];
    for (const contextLength of [4_000, 8_000, 200_000]) {
      for (let length = 0; length <= list.length; length++) {
        const messages = list.slice(0, length);
        const engine = new ContextCompressor<Message>({ contextLength });
        const says = engine.hasContentToCompress(messages);
        const smaller = await engine.compress(messages, { currentTokens: contextLength }).catch(() => undefined);
        const what = `${length} messages at ${contextLength}`;
        if (!says) assert.equal(smaller, messages, what);
        // What is too small to become smaller, although it has a middle, is known only once it was tried.
        else if (smaller === messages) assert.match(engine.lastResult()?.reason ?? '', /smaller|grow/i, what);
        if (smaller && smaller !== messages) assert.equal(engine.hasContentToCompress(messages), true, what);
      }
    }
  });

  test('E1 refuses what is no list of messages', async () => {
    const engine = new ContextCompressor(small);
    const list: readonly unknown[] = [{ content: 'x' }];
    await assert.rejects(engine.compress(list as readonly ChatMessage[]), { code: 'BAD_MESSAGES' });
  });
});
