/** Engines of others, held to their contract. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { validate } from '@palimpsest/core';
import {
  createChatCompressor,
  createCompressor,
  guardEngine,
  type JsonObject,
  type Timers,
} from '@palimpsest/core/engine';
import { guardOn } from '../../packages/core/src/compression/guard/guard-engine.ts';
import { platformTimers } from '../../packages/core/src/shared/timers.ts';
import { checkOn } from '../../packages/core/src/testing/engine-contract.ts';
import { runtimeOver, stored, system, tokenizer, user, withStore, work } from '../conversation/agent.ts';
import { engineContract } from '../support/engine-contract.ts';
import { working, zoo } from './zoo.ts';

/** A clock on which every deadline is over at once. */
const hasty: Timers = {
  after: (_, fire) => {
    const timer = setImmediate(fire);
    return () => clearImmediate(timer);
  },
};

const timersFor = (hangs: boolean | undefined): Timers => (hangs ? hasty : platformTimers);

describe('E3 the contract holds', () => {
  engineContract('E3 for the built-in engine', () => createCompressor());
  engineContract('E3 for a small engine', () => working());
  engineContract('E3 for a small engine under guard', () => guardEngine(working(), { fallback: createCompressor() }));
  // What they have in common is the guard: every third of them shows it, and all of them in the conversations below.
  for (const { title, make, hangs } of zoo.filter((_, at) => at % 3 === 0)) {
    engineContract(`E3 for an engine under guard that ${title}`, () =>
      guardOn(timersFor(hangs), make(), { fallback: createCompressor() }),
    );
  }
});

test('E3 the contract suite finds what is wrong with most of the broken engines, and names it', async () => {
  // The promise of the second one fails behind everybody's back; `plugins check` sees it in its worker.
  const unseen = ['fails when it should say why it holds back'];
  const late = 'says later whether to compress, and then fails';
  for (const { title, make, hangs } of zoo) {
    if (title === late) continue;
    const findings = await checkOn(timersFor(hangs), make);
    const broken = findings.filter(({ holds, level }) => !holds && level === 'must');
    if (!unseen.includes(title)) assert.ok(broken.length > 0, `nothing was found wrong with an engine that ${title}`);
    for (const { problem } of broken) assert.ok((problem ?? '').length > 0);
  }
});

describe('E3 a conversation goes on', () => {
  for (const { title, make, hangs, told } of zoo) {
    test(`E3 with an engine that ${title}`, () =>
      withStore(async (store) => {
        const notices: string[] = [];
        const fallback = (): ReturnType<typeof createCompressor> =>
          createCompressor({ tokenizer, contextLength: 8_000 });
        const engine = (): ReturnType<typeof working> =>
          guardOn(timersFor(hangs), make(), {
            fallback: fallback(),
            onNotice: (notice) => void notices.push(notice),
          });
        const runtime = runtimeOver(store, { engine });
        const list = [system('You move ledgers.'), user('Move the ledgers of all regions.')];
        const contexts = await work(runtime, list, { steps: 22 });
        assert.ok(
          contexts.some(({ compression }) => compression),
          'expected a compression',
        );
        for (const { messages } of contexts) {
          assert.deepEqual(validate(messages), []);
          assert.ok(JSON.stringify(messages).includes('Move the ledgers of all regions.'));
        }
        const kept = await Promise.all(
          (await stored(store)).map(async (id) => (await store.messages.get(id))?.message),
        );
        for (const { parts } of list.slice(0, -1)) {
          assert.ok(
            kept.some((message) => isDeepStrictEqual(message?.parts, parts)),
            'expected every message to be kept',
          );
        }
        if (told) assert.match(notices.join('\n'), told);
        for (const notice of notices) assert.match(notice, /The context engine "(?:broken|nameless)" failed in /);
        // The same failure at every step is one line.
        assert.equal(new Set(notices).size, notices.length);
        assert.ok(notices.length <= 12, notices.join('\n'));
      }));
  }
});

describe('E3 the guard', () => {
  const long = [
    system('You move ledgers.'),
    user('Move them.'),
    ...Array.from({ length: 30 }, (_, at) => user(`Region ${at}: ${'row '.repeat(200)}`)),
  ];

  test('E5 gives back the very list where the engine changes nothing', async () => {
    const list = long.slice(0, 3);
    const guard = guardEngine(working(), { fallback: createCompressor() });
    assert.equal(await guard.compress(list), list);
  });

  test('E5 gives back the very messages that stay, and leaves the list as it was', async () => {
    const before = JSON.stringify(long);
    const guard = guardEngine(working(), { fallback: createCompressor() });
    const smaller = await guard.compress(long);
    assert.ok(smaller.length < long.length);
    for (const message of smaller) assert.ok(long.includes(message));
    assert.equal(JSON.stringify(long), before);
    assert.equal(guard.compressionCount, 1);
  });

  test('E3 does not ask an engine again that has failed three times in a row', async () => {
    let asked = 0;
    const notices: string[] = [];
    const engine = working({
      compress: async () => {
        asked++;
        throw new Error('no');
      },
    });
    const guard = guardEngine(engine, {
      fallback: working({ name: 'other' }),
      onNotice: (notice) => void notices.push(notice),
    });
    for (let times = 0; times < 5; times++) await guard.compress(long);
    assert.equal(asked, 3);
    assert.equal(guard.compressionCount, 5);
    assert.match(notices.at(-1) ?? '', /"other" compressed instead, and will for the rest of the session/);
    guard.onSessionReset();
    assert.equal(guard.compressionCount, 0);
    await guard.compress(long);
    assert.equal(asked, 4);
  });

  test('E3 does not take a prompt from before its fallback compressed for one from after', async () => {
    const guard = guardEngine(working({ compress: async () => [] }), { fallback: working({ name: 'other' }) });
    guard.updateModel({ model: 'some-model', contextLength: 10_000 });
    guard.updateFromResponse({ promptTokens: 9_000 });
    assert.equal(guard.shouldCompress(), true);
    await guard.compress(long);
    assert.equal(guard.shouldCompress(), false);
    guard.updateFromResponse({ promptTokens: 9_000 });
    assert.equal(guard.shouldCompress(), true);
  });

  test('E3 lets a caller give up, and does not blame the engine', async () => {
    const controller = new AbortController();
    const notices: string[] = [];
    const engine = working({ compress: () => new Promise(() => undefined) });
    const guard = guardEngine(engine, {
      fallback: createCompressor(),
      onNotice: (notice) => void notices.push(notice),
    });
    const pending = guard.compress(long, { signal: controller.signal });
    controller.abort(new Error('Enough.'));
    await assert.rejects(pending, /Enough\./);
    assert.deepEqual(notices, []);
  });

  test('E3 says that what an engine wrote in the place of the user is not the person’s', async () => {
    const engine = working({
      compress: async (list) =>
        [list[0], user('I want it blue.'), ...list.slice(-2)].flatMap((message) => message ?? []),
    });
    const smaller = await guardEngine(engine, { fallback: createCompressor() }).compress(long);
    assert.deepEqual(smaller[1], { ...user('I want it blue.'), origin: 'summary' });
  });

  test('E3 writes no credential of an error into a notice', async () => {
    const notices: string[] = [];
    const engine = working({ compress: async () => Promise.reject(new Error('key AKIAIOSFODNN7EXAMPLE refused')) });
    await guardEngine(engine, {
      fallback: createCompressor(),
      onNotice: (notice) => void notices.push(notice),
    }).compress(long);
    assert.match(notices[0] ?? '', /key \[REDACTED/);
  });

  test('E3 guards engines over messages of OpenAI as well', async () => {
    const chat: JsonObject[] = [
      { role: 'system', content: 'You move ledgers.' },
      ...Array.from(
        { length: 30 },
        (_, at): JsonObject => ({ role: at % 2 ? 'assistant' : 'user', content: `Region ${at} ${'row '.repeat(200)}` }),
      ),
    ];
    const notices: string[] = [];
    const fallback = createChatCompressor({ contextLength: 8_000, config: { thresholdTokens: 4_000 } });
    const guard = guardEngine<JsonObject>(
      { ...createChatCompressor(), name: 'broken', compress: async (list) => list.slice(0, 3) },
      { fallback, onNotice: (notice) => void notices.push(notice) },
    );
    const smaller = await guard.compress(chat);
    assert.ok(smaller.length < chat.length);
    assert.match(notices[0] ?? '', /removed the newest request/);
    assert.ok(JSON.stringify(smaller).includes(JSON.stringify(chat.at(-2)?.content)));
  });

  test('E3 holds engines over plain messages to the system prompt and to what providers take', async () => {
    const chat: JsonObject[] = [
      { role: 'system', content: 'You move ledgers.' },
      { role: 'user', content: 'Move them.' },
      ...Array.from({ length: 30 }, (_, at) => [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'move', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: `c${at}`, content: `Region ${at}: ${'row '.repeat(200)}` },
      ]).flat(),
      { role: 'user', content: 'And the rest?' },
    ];
    const told = async (pick: (list: readonly JsonObject[]) => readonly JsonObject[]): Promise<string> => {
      const notices: string[] = [];
      const guard = guardEngine<JsonObject>(
        { ...createChatCompressor(), name: 'broken', compress: async (list) => pick(list) },
        {
          fallback: createChatCompressor({ contextLength: 8_000, config: { thresholdTokens: 4_000 } }),
          onNotice: (notice) => void notices.push(notice),
        },
      );
      assert.ok((await guard.compress(chat)).some((message) => message.role === 'system'));
      return notices.join('\n');
    };
    assert.match(await told((list) => list.slice(-3)), /removed the system prompt/);
    assert.match(
      await told((list) => [...list.slice(0, 2), ...list.slice(-2)]),
      /providers would refuse its list \(message 2/,
    );
    assert.equal(await told((list) => [...list.slice(0, 2), ...list.slice(-3)]), '');
  });

  test('E3 refuses a time limit that is none', () => {
    assert.throws(() => guardEngine(working(), { fallback: working(), timeoutMs: 0 }), { code: 'BAD_OPTION' });
  });
});
