/** What calls used and cost, and small values. */
import assert from 'node:assert/strict';
import type { UsageEntry } from '../../../src/store/usage-store.ts';
import { morning, opened, type StorePromises, sessionOf } from './store-bench.ts';

const call = (sessionId: string, fields: Partial<UsageEntry> = {}): UsageEntry => ({
  sessionId,
  model: 'anthropic/claude',
  task: 'turn',
  inputTokens: 10,
  outputTokens: 20,
  cacheReadTokens: 300,
  cacheWriteTokens: 40,
  reasoningTokens: 5,
  ...fields,
});

const nothing = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  calls: 0,
  unpriced: 0,
};

export const usagePromises: StorePromises = {
  'L5 tokens, calls and cost add up in the session, whatever it comes from': async (t, bench) => {
    const { store } = await opened(t, bench);
    for (const source of ['cli', 'gateway', 'library', 'batch']) {
      const session = await sessionOf(store, [source], { source });
      assert.deepEqual(session.usage, nothing);
      await store.usage.add(call(session.id, { costUsd: 0.25 }));
      await store.usage.add(call(session.id, { costUsd: 0 }));
      await store.usage.add(call(session.id, { inputTokens: 0 }));
      const sum = {
        inputTokens: 20,
        outputTokens: 60,
        cacheReadTokens: 900,
        cacheWriteTokens: 120,
        reasoningTokens: 15,
        calls: 3,
        costUsd: 0.25,
        unpriced: 1,
      };
      assert.deepEqual((await store.sessions.get(session.id))?.usage, sum);
      assert.deepEqual(await store.usage.totals({ sessionId: session.id }), sum);
    }
    assert.equal((await store.usage.totals()).calls, 12);
  },

  'U2 usage is grouped by model, source, task and day, within a time': async (t, bench) => {
    const { store } = await opened(t, bench);
    const a = await sessionOf(store, ['a'], { source: 'cli' });
    const b = await sessionOf(store, ['b'], { source: 'gateway' });
    await store.usage.add(call(a.id, { at: morning - 1 }));
    await store.usage.add(call(a.id, { at: morning, task: 'summary', model: 'openai/gpt', costUsd: 1 }));
    await store.usage.add(call(b.id, { at: morning + 86_400_000 }));
    const groups = async (...args: Parameters<typeof store.usage.by>): Promise<readonly unknown[]> =>
      (await store.usage.by(...args)).map(({ group, calls, unpriced }) => [group, calls, unpriced]);
    assert.deepEqual(await groups('model'), [
      ['anthropic/claude', 2, 2],
      ['openai/gpt', 1, 0],
    ]);
    assert.deepEqual(await groups('source'), [
      ['cli', 2, 1],
      ['gateway', 1, 1],
    ]);
    assert.deepEqual(await groups('task', { sessionId: a.id }), [
      ['summary', 1, 0],
      ['turn', 1, 1],
    ]);
    assert.deepEqual(await groups('day', { since: morning - 1 }), [
      ['2026-11-21', 1, 1],
      ['2026-11-22', 1, 0],
      ['2026-11-23', 1, 1],
    ]);
    assert.deepEqual(await groups('day', { since: morning, until: morning + 1 }), [['2026-11-22', 1, 0]]);
  },

  'L5 money that was spent stays spent when its conversation is deleted': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['a'], { source: 'cli' });
    await store.usage.add(call(session.id, { costUsd: 2 }));
    await store.sessions.delete(session.id);
    assert.deepEqual([(await store.usage.totals()).costUsd, (await store.usage.by('source'))[0]?.group], [2, 'cli']);
  },

  'L5 what is no usage is refused and not counted': async (t, bench) => {
    const { store } = await opened(t, bench);
    const { id } = await sessionOf(store, ['a']);
    for (const wrong of [
      { inputTokens: -1 },
      { outputTokens: 1.5 },
      { reasoningTokens: Number.NaN },
      { costUsd: -1 },
    ]) {
      await assert.rejects(store.usage.add(call(id, wrong)), { code: 'BAD_OPTION' });
    }
    await assert.rejects(store.usage.add(call('nobody')), { code: 'ID_UNKNOWN' });
    assert.deepEqual(await store.usage.totals(), nothing);
  },

  'L1 small values are kept, replaced and taken away': async (t, bench) => {
    const { store } = await opened(t, bench);
    const hostile = `a\0b"${String.fromCharCode(0xdc00)}`;
    await store.meta.set('policy', 'one');
    await store.meta.set('policy', '');
    await store.meta.set(hostile, hostile);
    assert.deepEqual([await store.meta.get('policy'), await store.meta.get(hostile)], ['', hostile]);
    await store.meta.set('policy', undefined);
    assert.equal(await store.meta.get('policy'), undefined);
  },
};
