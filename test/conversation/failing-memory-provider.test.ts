/** A memory provider that fails in a conversation, and what a model may write with its tools. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Message } from '@palimpsest/core';
import type { MemoryProvider } from '@palimpsest/core/memory';
import { openBench } from '../memory/entries/bench.ts';
import { answer, listOf, reply, runtimeOver, step, user, work } from './agent.ts';
import { fact, heard, order, question, recalledIn, stageOf, systemIn, warnings } from './memory-provider-stage.ts';
import { settled, virtualTime } from './virtual-time.ts';

describe('M3 a provider that fails', () => {
  test('that cannot be started costs a notice, and the conversation goes on without', async (t) => {
    const { provider, calls } = heard({ start: () => Promise.reject(new Error('HTTP 503')) });
    const { runtime, notices } = await stageOf(t, provider);
    const list = listOf(1);
    const contexts = await work(runtime, list, { from: 2, steps: 4 });
    assert.deepEqual(warnings(notices), [
      'The memory provider notes could not be started: HTTP 503. It is left out until it works again.',
    ]);
    assert.deepEqual(contexts.flatMap(recalledIn), []);
    assert.deepEqual(
      contexts.map(systemIn),
      contexts.map(() => systemIn(contexts[0] ?? assert.fail())),
    );
    assert.deepEqual(calls, []);
  });

  test('that hangs delays a request by its limits and no longer, at most once a failure', async (t) => {
    const time = virtualTime();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const start = (): Promise<never> => {
      begin();
      return new Promise(() => undefined);
    };
    const { provider } = heard({ start });
    const { runtime, notices } = await stageOf(t, provider, { clock: time.clock });
    const preparing = runtime.prepare({ messages: [user(question)] });
    let isDone = false;
    void preparing.then(() => {
      isDone = true;
    });
    await begun;
    await time.pass(7_900);
    assert.equal(isDone, false);
    await time.pass(200);
    const { messages } = await preparing;
    assert.equal(messages.length, 1);
    await runtime.prepare({ messages: [user(question), reply('Yes.'), user('And which one is live?')] });
    assert.equal(warnings(notices).length, 1);
  });

  test('that hangs holds no request that was called off', async (t) => {
    const time = virtualTime();
    const { provider } = heard({ start: () => new Promise(() => undefined) });
    const { runtime } = await stageOf(t, provider, { clock: time.clock });
    const abort = new AbortController();
    const preparing = runtime.prepare({ messages: [user(question)], signal: abort.signal });
    await settled();
    abort.abort(new Error('gave up'));
    await assert.rejects(preparing, /gave up/);
  });

  test('that floods is cut to its share, and what of it reads like an order stands nowhere', async (t) => {
    const flood = Array.from({ length: 100_000 }, (_, at) => `Server ${at} is called bird ${at}.`).join('\n');
    const { provider } = heard({ recall: () => `${order}\n${flood}`, promptText: () => `${order}\nNotes.` });
    const { runtime, notices } = await stageOf(t, provider);
    const context = await runtime.prepare({ messages: [user(question)] });
    const [[, text] = assert.fail()] = recalledIn(context);
    assert.ok(text.length < 6_000, `${text.length}`);
    assert.match(text, /Server 1 is called bird 1/);
    assert.doesNotMatch(JSON.stringify(context.messages), /Ignore all previous/);
    assert.ok(warnings(notices).some((message) => message.includes('left out what is no memory')));
  });

  test('has its tools left out of requests from the next turn on, never within one', async (t) => {
    let works = true;
    const tool = { name: 'notes_search', description: 'Searches.', parameters: { type: 'object' } };
    const { provider } = heard({
      tools: [tool],
      runTool: () => (works ? fact : Promise.reject(new Error('HTTP 503'))),
    });
    const { runtime } = await stageOf(t, provider);
    const list = [user(question)];
    const one = await runtime.prepare({ messages: list });
    const served = (await runtime.memoryProvider(one.sessionId)) ?? assert.fail();
    assert.deepEqual(served.tools(), [tool]);
    assert.match((await served.runTool('notes_search', {})) ?? '', /<memory-context>.*called heron/s);
    works = false;
    for (let at = 0; at < 3; at++)
      assert.match((await served.runTool('notes_search', {})) ?? '', /do not say that it worked/);
    assert.match((await served.runTool('notes_search', {})) ?? '', /does not work now: go on without it/);
    const [called, result] = step(1, 1);
    await answer(runtime, one, called);
    list.push(called, result);
    const two = await runtime.prepare({ messages: list });
    await answer(runtime, two, reply('I do not know.'));
    const three = await runtime.prepare({ messages: [...list, reply('I do not know.'), user('Try again, please.')] });
    assert.deepEqual(
      [one, two, three].map(({ absentTools }) => absentTools),
      [undefined, undefined, ['notes_search']],
    );
    assert.deepEqual(served.tools(), []);
  });

  test('BAD_OPTION for what is no provider, and for one with the name of the built-in memory', async (t) => {
    const { store, memory } = await openBench(t);
    for (const provider of [{}, { name: 'Two Words' }, { name: 'built-in' }, 'notes'])
      assert.throws(() => runtimeOver(store, { memory: { memory, provider: Object(provider) } }), {
        code: 'BAD_OPTION',
      });
  });
});

describe('invariant 7: what a model writes with a tool of a provider', () => {
  const tools = [{ name: 'notes_keep', description: 'Keeps a fact.', parameters: { type: 'object' }, writes: 'text' }];

  async function keeping(t: TestContext, said: readonly Message[], members: Partial<MemoryProvider> = {}) {
    const kept: unknown[] = [];
    const { provider } = heard({
      tools,
      recall: () => '',
      runTool: (_, args) => {
        kept.push(args);
        return 'Saved.';
      },
      ...members,
    });
    const { runtime } = await stageOf(t, provider);
    const { sessionId } = await runtime.prepare({ messages: [...said] });
    const served = (await runtime.memoryProvider(sessionId)) ?? assert.fail();
    return { kept, keep: (text: unknown) => served.runTool('notes_keep', { text }) };
  }

  const planted = 'Paper Mill 17 ships its reams on Fridays.';

  test('is not written where a page said it, with the reason, in whatever shape it comes', async (t) => {
    const page: Message[] = [
      user('What does paper cost?'),
      {
        role: 'assistant',
        parts: [{ type: 'toolCall', callId: 'p1', name: 'fetch_page', input: '{}', inputType: 'json' }],
      },
      { role: 'tool', parts: [{ type: 'toolResult', callId: 'p1', content: [{ type: 'text', text: planted }] }] },
    ];
    const { kept, keep } = await keeping(t, page);
    for (const text of [planted, [planted], { deep: [planted] }])
      assert.match(
        (await keep(text)) ?? '',
        /may not be remembered:.*the person has to confirm it\. Nothing was saved/,
      );
    assert.deepEqual(kept, []);
  });

  test('is not written where the provider itself recalled it, or a tool of it gave it', async (t) => {
    const given = { promptText: () => planted } as const;
    for (const members of [{ recall: () => planted }, given]) {
      const { kept, keep } = await keeping(t, [user('What does paper cost?')], members);
      assert.match((await keep(planted)) ?? '', /Nothing was saved/);
      assert.deepEqual(kept, []);
    }
    // Its name makes no tool of a provider one of the agent's own.
    const todo = { name: 'todo_list', description: 'Lists.', parameters: { type: 'object' } };
    const list: Message[] = [
      user('What is to be done?'),
      {
        role: 'assistant',
        parts: [{ type: 'toolCall', callId: 'p1', name: 'todo_list', input: '{}', inputType: 'json' }],
      },
      { role: 'tool', parts: [{ type: 'toolResult', callId: 'p1', content: [{ type: 'text', text: planted }] }] },
    ];
    const { keep } = await keeping(t, list, { tools: [...tools, todo] });
    assert.match((await keep(planted)) ?? '', /Nothing was saved/);
  });

  test('is written where the person said it', async (t) => {
    const { kept, keep } = await keeping(t, [user('Remember that I take the train at 7:14.')]);
    assert.match((await keep('Takes the train at 7:14.')) ?? '', /Saved/);
    assert.deepEqual(kept, [{ text: 'Takes the train at 7:14.' }]);
  });

  test('a tool whose definition reads like an order is not offered', async (t) => {
    const { provider } = heard({ tools: [{ name: 'notes_keep', description: order, parameters: { type: 'object' } }] });
    const { runtime, notices } = await stageOf(t, provider);
    const { sessionId } = await runtime.prepare({ messages: [user(question)] });
    assert.deepEqual((await runtime.memoryProvider(sessionId))?.tools(), []);
    assert.ok(warnings(notices).some((message) => message.includes('its definition reads like an order')));
  });
});
