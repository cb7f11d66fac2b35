import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { estimatingTokenizer, type Message } from '@palimpsest/core';
import type { Compressor, CompressorOptions } from '@palimpsest/core/engine';
import { compressorWith } from '../../packages/core/src/compression/engine.ts';
import { isHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import { assistant, calls, deepFreeze, message, result, user } from '../support/conversations.ts';

/** A list over the threshold of an 8K window, which is 6,800. */
const turns = (count: number, from = 0): readonly Message[] =>
  Array.from({ length: count }, (_, i) => from + i).flatMap((n) => [
    user(`Please look at case ${n}.`),
    calls({ [`c${n}`]: 'read' }, { path: `src/case-${n}.ts` }),
    result(`c${n}`, Array.from({ length: 20 }, (_, row) => `const row${row} = ${n} * ${row};`).join('\n')),
    assistant(`Case ${n} multiplies.`),
  ]);
const session = deepFreeze([message('system', 'You are careful.'), ...turns(40)]);
const clock = { now: 1_000 };
const engineWith = (options: CompressorOptions = {}): Compressor<Message> =>
  compressorWith(
    { tokenizer: estimatingTokenizer('claude'), contextLength: 8_000, ...options },
    { now: () => clock.now },
  );

describe('the built-in engine', () => {
  test('E1: it is called compressor and knows its threshold from the start', () => {
    const engine = engineWith();
    assert.deepEqual(
      [engine.name, engine.contextLength, engine.thresholdTokens, engine.compressionCount],
      ['compressor', 8_000, 6_800, 0],
    );
    assert.deepEqual([engine.shouldCompress(6_799), engine.shouldCompress(6_800)], [false, true]);
  });

  test('E1, T3: what the provider reports decides, and the numbers can be read', () => {
    const engine = engineWith();
    engine.updateFromResponse({ inputTokens: 5_000, cacheReadTokens: 1_000, cacheWriteTokens: 900, outputTokens: 40 });
    assert.deepEqual(
      [engine.lastPromptTokens, engine.lastCompletionTokens, engine.lastTotalTokens],
      [6_900, 40, 6_940],
    );
    assert.equal(engine.shouldCompress(), true);
  });

  test('E5: the input is not changed, and an idle pass gives the very list back', async () => {
    const engine = engineWith();
    const short = session.slice(0, 3);
    assert.equal(await engine.compress(short), short);
    assert.equal(engine.compressionCount, 0);
    assert.equal(engine.lastResult()?.status, 'unchanged');
    const list = await engine.compress(session);
    assert.notEqual(list, session);
    assert.equal(engine.compressionCount, 1);
  });

  test('E1: a prompt reported before a compression does not start another one', async () => {
    const engine = engineWith();
    engine.updateFromResponse({ promptTokens: 7_500 });
    assert.equal(engine.shouldCompress(), true);
    await engine.compress(session, { currentTokens: 7_500 });
    assert.equal(engine.shouldCompress(), false);
    engine.updateFromResponse({ promptTokens: 7_000 });
    assert.equal(engine.shouldCompress(), true);
  });

  test('A6: expand gives the very message, after five passes of a growing list', async () => {
    const engine = engineWith();
    const said: Message[] = [...session];
    let list: readonly Message[] = session;
    for (let pass = 0; pass < 5; pass++) {
      const more = turns(10, 100 + 10 * pass);
      const next = await engine.compress(list);
      assert.equal(next.filter(isHandoff).length, 1);
      said.push(...more);
      list = [...next, ...more];
    }
    await engine.compress(list);
    for (const [at, one] of said.entries()) assert.equal(engine.expand(`m${at + 1}`), one);
    assert.equal(engine.expand(`m${said.length + 1}`), undefined);
    assert.equal(engine.expand('m0'), undefined);
    assert.equal(engine.compressionCount, 6);
  });

  test('F1: a pass that fails holds back nothing and loses nothing', async () => {
    const engine = engineWith({ contextLength: 4_000 });
    const huge = [...session, user('word '.repeat(9_000))];
    await assert.rejects(engine.compress(huge), { code: 'CONTEXT_OVERFLOW' });
    assert.equal(engine.compressionCount, 0);
    assert.notEqual(engine.policyState().phase.type, 'running');
    clock.now += 3_600_000;
    assert.equal(engine.shouldCompress(9_000), true);
    assert.notEqual(await engine.compress(session), session);
  });

  test('F3: an aborted pass leaves the engine as it was', async () => {
    const engine = engineWith();
    const before = engine.policyState();
    await assert.rejects(engine.compress(session, { signal: AbortSignal.abort() }), { name: 'AbortError' });
    assert.deepEqual(engine.policyState(), before);
    assert.deepEqual([engine.compressionCount, engine.lastResult(), engine.expand('m1')], [0, undefined, undefined]);
  });

  test('T5: two passes that saved too little are said to hold back the next', async () => {
    const engine = engineWith();
    const short = session.slice(0, 4);
    await engine.compress(short, { currentTokens: 7_000 });
    assert.equal(engine.shouldCompress(7_000), false);
    assert.match(engine.heldBack(7_000) ?? '', /nothing to compress/);
  });

  test('E2: a reset forgets the conversation and keeps the model', async () => {
    const engine = engineWith();
    await engine.compress(session);
    engine.onSessionReset();
    assert.deepEqual([engine.compressionCount, engine.lastPromptTokens, engine.contextLength], [0, 0, 8_000]);
    assert.deepEqual([engine.expand('m1'), engine.lastResult()], [undefined, undefined]);
    await engine.compress(turns(40, 500));
    assert.match(JSON.stringify(engine.expand('m1')), /case 500/);
  });

  test('E2: another model brings another threshold; one without a window changes nothing', () => {
    const engine = engineWith();
    engine.updateModel({ model: 'some-model', contextLength: 200_000 });
    assert.deepEqual([engine.contextLength, engine.thresholdTokens], [200_000, 100_000]);
    const broken = { model: 'other', contextLength: Number.NaN };
    assert.throws(() => engine.updateModel(broken), { code: 'BAD_OPTION' });
    assert.deepEqual([engine.contextLength, engine.thresholdTokens], [200_000, 100_000]);
  });

  test('E2: options that make no sense are refused when the engine is made', () => {
    assert.throws(() => engineWith({ contextLength: -5 }), { code: 'BAD_OPTION' });
    const unknown = { tresholds: 1 } as object;
    assert.throws(() => engineWith({ config: unknown }), { code: 'BAD_CONFIG' });
  });
});
