/** What a scan is not sure of: the person's word is enough, and nobody else's is. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Refusal } from '../../../packages/core/src/memory/files/operations.ts';
import { add, byPerson, openBench, told } from './bench.ts';

const check = (text: string): Refusal | undefined => {
  if (text.includes('doubtful'))
    return { reason: 'it has words in doubt', findings: ['planted'], unlessConfirmed: true };
  return text.includes('forbidden') ? { reason: 'it has an order', findings: ['override'] } : undefined;
};

describe('M2 a text in doubt', () => {
  test('waits for the person where the model, a tool or a document brings it', async (t) => {
    const { memory, store, read } = await openBench(t, { check });
    for (const source of ['model', 'own-tool', 'outside-tool', 'document'] as const) {
      const written = await add(memory, `A doubtful text of ${source}.`, { source });
      assert.equal(written.type, 'waits');
      const { reason } = (await store.memory.history())[0] ?? {};
      assert.equal(reason, 'It waits for the person: it has words in doubt.');
    }
    assert.equal(read('MEMORY.md'), '');
  });

  test('is kept and shown where the person says it, by hand or to the model', async (t) => {
    const { memory, store } = await openBench(t, { check });
    assert.equal((await add(memory, 'A doubtful text.', byPerson)).type, 'saved');
    assert.equal((await add(memory, 'Another doubtful one.', { actor: 'model', source: 'person' })).type, 'saved');
    const { text, blocked } = await memory.snapshot();
    assert.deepEqual(blocked, []);
    assert.match(text, /A doubtful text\.[\s\S]*Another doubtful one\./);
    assert.ok((await store.memory.list()).every(({ confirmedAt }) => confirmedAt !== undefined));
  });

  test('is shown once the person says yes to it', async (t) => {
    const { memory, store } = await openBench(t, { check });
    const waiting = await add(memory, 'A doubtful text.', { source: 'own-tool' });
    assert.equal((await memory.snapshot()).text, '');
    assert.ok(waiting.type === 'waits' && waiting.entries[0]);
    assert.equal((await memory.approve(waiting.entries[0].id)).type, 'saved');
    assert.match((await memory.snapshot()).text, /A doubtful text\./);
    assert.deepEqual(await told(store), ['e1 live person: A doubtful text.']);
  });

  test('that somebody writes into a file is kept from the model until the person confirms it', async (t) => {
    const { memory, save } = await openBench(t, { check });
    save('MEMORY.md', 'A doubtful text.');
    const hidden = await memory.snapshot();
    assert.doesNotMatch(hidden.text, /doubtful text/);
    assert.equal(hidden.blocked.length, 1);
    await add(memory, 'A doubtful text.', byPerson);
    assert.match((await memory.snapshot()).text, /A doubtful text\./);
  });

  test('waits with everything that came in the same act, and what is forbidden is refused whoever says it', async (t) => {
    const { memory, read } = await openBench(t, { check });
    const both = ['Uses pnpm.', 'A doubtful text.'].map((content) => ({ action: 'add', content }) as const);
    assert.equal((await memory.apply(both, { actor: 'model', source: 'own-tool' })).type, 'waits');
    const forbidden = await add(memory, 'A forbidden text.', byPerson);
    assert.ok(forbidden.type === 'refused' && forbidden.refusal.type === 'blocked');
    assert.equal(read('MEMORY.md'), '');
  });
});
