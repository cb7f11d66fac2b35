/** Other words for a query: what they find stands behind everything that has a word of it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { modelExpander, type SearchOptions, search } from '@palimpsest/core/search';
import type { Summarizer } from '../../../packages/core/src/compression/summarize/summarizer.ts';
import { sessionSearchTool } from '../../../packages/core/src/recall/session-search/session-search.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import { keep, openMemory } from '../session-search/stored.ts';

const filler = Array.from({ length: 30 }, (_, at) => `Crate ${at} went to the harbour of Veldmark.`);

const deadlocks = [
  'The worker has a deadlock: its loop got stuck on the queue.',
  'Another deadlock, the loop is stuck again.',
  'Is it the same deadlock? The loop stuck while draining.',
];
const inOtherWords = 'Yesterday the importer loop got stuck after midnight.';

async function found(store: Store, query: string, options: SearchOptions = {}): Promise<readonly string[]> {
  const { hits } = await search(store, query, { passageCharacters: 400, ...options });
  return hits.map(({ passage }) => passage.text);
}

describe('a search for other words', () => {
  test('Q2 finds by words that stand together with those of the query in the record', async () => {
    await using store = await openMemory();
    await keep(store, filler);
    await keep(store, deadlocks);
    await keep(store, [inOtherWords, 'The stuck drawer is mended.', 'A loop of rope.']);
    assert.equal((await found(store, 'deadlock')).length, 3);
    const texts = await found(store, 'deadlock', { expand: true });
    assert.deepEqual([new Set(texts.slice(0, 3)), ...texts.slice(3)], [new Set(deadlocks), inOtherWords]);
    const { expanded = [] } = await search(store, 'deadlock', { expand: true });
    assert.ok(expanded.includes('loop'), expanded.join());
  });

  test('Q3 puts what other words find behind every hit of the words that were asked, and in none of their places', async () => {
    await using store = await openMemory();
    await keep(store, deadlocks);
    await keep(
      store,
      Array.from({ length: 40 }, (_, at) => `Run ${at}: the loop got stuck.`),
    );
    for (const limit of [1, 2, 3, 10]) {
      const plain = await search(store, 'deadlock', { limit });
      const { hits } = await search(store, 'deadlock', { limit, expand: true });
      const own = plain.hits.length;
      assert.deepEqual(hits.slice(0, own), plain.hits);
      assert.ok(hits.length <= limit);
      assert.ok(hits.slice(own).every(({ score }) => score < (plain.hits.at(-1)?.score ?? 0)));
    }
  });

  test('Q2 adds nothing to a query that demands what must be there', async () => {
    await using store = await openMemory();
    await keep(store, filler);
    await keep(store, [...deadlocks, inOtherWords]);
    for (const query of ['"a deadlock"', 'deadlock AND queue', 'deadlock NOT queue', 'deadl*'])
      assert.deepEqual(await found(store, query, { expand: true }), await found(store, query), query);
  });

  test('Q2 finds other forms of a word in languages that the index has no stems of', async () => {
    const forms: readonly (readonly [query: string, said: string])[] = [
      ['когда закончится перевозка станков', 'Мы говорили о перевозке.'],
      ['welche Datenbanken haben wir gesichert', 'Die Datenbank liegt auf Falkenhorst.'],
      ['¿dónde están las máquinas de coser?', 'La máquina está en el taller.'],
      ['quelles sont les répétitions prévues', 'La répétition a lieu mardi.'],
    ];
    for (const [query, said] of forms) {
      await using store = await openMemory();
      await keep(store, filler);
      await keep(store, [said]);
      assert.ok((await found(store, query, { expand: true })).includes(said), query);
    }
  });

  test('Q2 asks a model for words where one is given, and takes nothing but words from it', async () => {
    await using store = await openMemory();
    await keep(store, filler);
    await keep(store, [inOtherWords]);
    const prompts: string[] = [];
    const model: Summarizer = {
      name: 'test/words',
      write: async ({ prompt }) => {
        prompts.push(prompt);
        return { text: 'stuck, loop; hang', finish: 'stop' };
      },
    };
    const expand = modelExpander(model);
    assert.deepEqual(await found(store, 'standstill', { expand: true }), []);
    assert.deepEqual(await found(store, 'standstill', { expand }), [inOtherWords]);
    assert.match(prompts[0] ?? '', /no instruction:\n"standstill"$/);
    const answer = await sessionSearchTool({ store, expander: expand }).run({ query: 'standstill' });
    assert.match(answer, /importer/);
  });

  test('Q2 session_search hands its signal to what names other words, and rejects with its reason', async () => {
    await using store = await openMemory();
    await keep(store, filler);
    const calling = new AbortController();
    const expander = modelExpander({
      name: 'test/never',
      write: ({ signal }) => {
        calling.abort(new Error('called off'));
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const tool = sessionSearchTool({ store, expander });
    await assert.rejects(tool.run({ query: 'standstill' }, { signal: calling.signal }), /called off/);
  });

  test('Q2 goes on without a model that fails, and ends with the reason of an abort', async () => {
    const expand = modelExpander({ name: 'test/fails', write: () => Promise.reject(new Error('no model')) });
    assert.deepEqual(await expand('deadlock'), []);
    const never = { name: 'test/never', timeoutMs: 1, write: () => new Promise<never>(() => undefined) };
    assert.deepEqual(await modelExpander(never)('deadlock'), []);
    await assert.rejects(expand('deadlock', { signal: AbortSignal.abort(new Error('called off')) }), /called off/);
  });
});
