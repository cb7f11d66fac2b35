/** Whatever a model sends, the tool answers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sessionSearchTool } from '../../../packages/core/src/recall/session-search/session-search.ts';
import { asking, keep, openMemory } from './stored.ts';

describe('whatever a model sends', () => {
  test('Q1 an argument that is not known is named with the nearest one, and the rest is done', async () => {
    await using store = await openMemory();
    await keep(store, ['a bittern', 'ok']);
    const { count, notes } = await asking(store)({ query: 'bittern', limitt: 1 });
    assert.deepEqual([count, notes], [1, ['The argument "limitt" is not known and was not used; did you mean limit?']]);
  });
  test('Q1 arguments may be JSON text, a lone text, or nothing', async () => {
    await using store = await openMemory();
    await keep(store, ['a bittern', 'ok']);
    const ask = asking(store);
    for (const given of ['{"query":"bittern"}', 'bittern', { query: 'bittern' }, { query: ['bittern'] }]) {
      assert.equal((await ask(given)).count, 1, JSON.stringify(given));
    }
    for (const given of [undefined, null, '', [], 7, true]) assert.equal((await ask(given)).mode, 'recent');
  });
  test('Q1 no query and no argument raises', async () => {
    await using store = await openMemory();
    await keep(store, ['a "quoted" NOT (thing) 部署', 'x AND y* OR -z']);
    const ask = asking(store);
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 80 }),
      fc.stringMatching(/^["()*:^\-+ANDORNOT \0'%_部]{0,60}$/),
      fc.constant('"'.repeat(5_000)),
      fc.constant('(('.repeat(3_000)),
      fc.constant(`${'a'.repeat(100_000)}`),
      fc.constant('\ud800 \udfff'),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (query) => assert.equal((await ask({ query })).success, true)),
      { numRuns: 150 },
    );
    const values = fc.oneof(fc.jsonValue(), hostile, fc.constant(Number.NaN), fc.constant(undefined), fc.bigInt());
    const names = fc.constantFrom('query', 'role_filter', 'limit', 'since', 'until', 'project', 'source', 'session_id');
    const more = fc.constantFrom('message_id', 'window', 'offset', '__proto__', 'constructor');
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.oneof(names, more), values), async (given) => {
        assert.equal(typeof (await ask(given)).success, 'boolean');
      }),
      { numRuns: 150 },
    );
  });
  test('Q1 a store that is closed is told, not thrown', async () => {
    const store = await openMemory();
    await store.close();
    const { success, error } = await asking(store)({ query: 'x' });
    assert.equal(success, false);
    assert.notEqual(error, '');
  });
  test('Q1 an abort rejects with its reason', async () => {
    await using store = await openMemory();
    const tool = sessionSearchTool({ store });
    await assert.rejects(tool.run({}, { signal: AbortSignal.abort(new Error('stop')) }), /stop/);
  });
  test('Q1 limits, which are none of its options, are refused when the tool is made', async () => {
    await using store = await openMemory();
    // As a program without types may write it.
    const limits: object = { limits: { maxConcurrency: 6 } };
    assert.throws(() => sessionSearchTool({ store, ...limits }), { code: 'BAD_OPTION', message: /got limits/ });
  });
});
