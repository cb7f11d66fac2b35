/** What calls used and cost, and small values. */
import assert from 'node:assert/strict';
import type { UsageEntry } from '../../../packages/core/src/store/usage-store.ts';
import { answered, morning, opened, type StorePromises, sessionOf } from './store-bench.ts';

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
  partial: 0,
};

export const usagePromises: StorePromises = {
  'F3 small values are kept with the calls, or neither is': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['Move the ledgers.']);
    await store.usage.add(call(session.id), { meta: { here: 'after one' } });
    await assert.rejects(
      store.usage.add([call(session.id), call('nobody')], { meta: { here: 'after two', there: 'x' } }),
      {
        code: 'ID_UNKNOWN',
      },
    );
    assert.deepEqual(await Promise.all(['here', 'there'].map(store.meta.get)), ['after one', undefined]);
    assert.equal((await store.usage.totals({ sessionId: session.id })).calls, 1);
    await store.usage.add([], { meta: { there: 'alone' } });
    assert.equal(await store.meta.get('there'), 'alone');
  },
  'F3 calls are counted with the messages that they brought, or neither is': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['Move the ledgers.']);
    const append = (text: string, entry: UsageEntry): Promise<unknown> =>
      store.messages.append(session.id, [answered(text)], { usage: [entry], meta: { here: text } });
    const callsNow = async (): Promise<number> => (await store.usage.totals({ sessionId: session.id })).calls;
    await append('They are moved.', call(session.id, { costUsd: 0.25 }));
    const kept = await store.sessions.get(session.id);
    assert.deepEqual([kept?.messages, kept?.usage.calls, kept?.usage.costUsd, await callsNow()], [2, 1, 0.25, 1]);
    await assert.rejects(append('Twice.', call('nobody')), { code: 'ID_UNKNOWN' });
    await assert.rejects(append('Less.', call(session.id, { inputTokens: -1 })), { code: 'BAD_OPTION' });
    assert.deepEqual([(await store.sessions.get(session.id))?.messages, await callsNow()], [2, 1]);
    assert.equal(await store.meta.get('here'), 'They are moved.');
  },
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
        partial: 0,
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

  'U2 calls fall into the spans of time that they were made in, by kind, and empty spans have no row': async (
    t,
    bench,
  ) => {
    const { store } = await opened(t, bench);
    const hour = 3_600_000;
    const a = await sessionOf(store, ['a'], { source: 'cli', project: '/home/ada/oven' });
    const b = await sessionOf(store, ['b'], { source: 'gateway' });
    assert.equal(await store.usage.range(), undefined);
    for (const at of [0, 1, hour - 1, hour, 5 * hour]) await store.usage.add(call(a.id, { at: morning + at }));
    await store.usage.add(call(b.id, { at: morning + 1, costUsd: 0.5, savedUsd: -0.25 }));
    const times = [0, 1, 2, 3, 4, 5].map((at) => morning + at * hour);
    const spans = await store.usage.spans(times);
    assert.deepEqual(
      spans.map(({ from, source, project, calls, costUsd, savedUsd }) => [
        (from - morning) / hour,
        source,
        project,
        calls,
        costUsd,
        savedUsd,
      ]),
      [
        [0, 'cli', '/home/ada/oven', 3, undefined, undefined],
        [1, 'cli', '/home/ada/oven', 1, undefined, undefined],
        [0, 'gateway', undefined, 1, 0.5, -0.25],
      ],
    );
    assert.deepEqual(await store.usage.spans([morning]), []);
    assert.deepEqual(await store.usage.spans([]), []);
    assert.deepEqual(await store.usage.range(), { first: morning, last: morning + 5 * hour });
  },

  'U2 a call that tells itself from others counts once, and a later report that says more takes its place': async (
    t,
    bench,
  ) => {
    const { store } = await opened(t, bench);
    const a = await sessionOf(store, ['a'], { source: 'codex' });
    const b = await sessionOf(store, ['b'], { source: 'codex' });
    const early = call(a.id, { reportId: 'one', outputTokens: 3, isPartial: true, at: morning });
    await store.usage.add([early, early, call(a.id, { reportId: 'two' })]);
    await store.usage.add({ ...early, sessionId: b.id });
    const { calls, outputTokens, partial } = await store.usage.totals();
    assert.deepEqual([calls, outputTokens, partial], [2, 23, 1]);
    const whole = { ...early, sessionId: b.id, outputTokens: 90, isPartial: false, costUsd: 1.5 };
    for (const entry of [whole, early, whole]) await store.usage.add([entry]);
    const sum = await store.usage.totals({ sessionId: a.id });
    assert.deepEqual([sum.calls, sum.outputTokens, sum.partial, sum.costUsd, sum.unpriced], [2, 110, 0, 1.5, 1]);
    assert.deepEqual((await store.sessions.get(a.id))?.usage, sum);
    assert.equal((await store.sessions.get(b.id))?.usage.calls, 0);
  },

  'U2 a call goes over to a later branch for the same log, but not from a conversation that goes on elsewhere': async (
    t,
    bench,
  ) => {
    const { store } = await opened(t, bench);
    const log = { source: 'codex', sourceId: 'rollout-1' };
    const calls = async (id: string): Promise<number> => (await store.sessions.get(id))?.usage.calls ?? -1;
    const first = await sessionOf(store, ['a'], log);
    const report = (id: string): Promise<void> => store.usage.add([call(id, { reportId: 'one', costUsd: 2 })]);
    await report(first.id);
    const branch = await sessionOf(store, ['a', 'b'], { ...log, parentId: first.id, relation: 'branch' });
    for (const { id } of [branch, first, branch]) await report(id);
    assert.deepEqual([await calls(first.id), await calls(branch.id)], [0, 1]);
    await store.sessions.end(branch.id, 'compression');
    const next = await sessionOf(store, ['a', 'c'], { ...log, parentId: branch.id, relation: 'branch' });
    await report(next.id);
    assert.deepEqual([await calls(branch.id), await calls(next.id)], [1, 0]);
    const { calls: all, costUsd } = await store.usage.totals();
    assert.deepEqual([all, costUsd], [1, 2]);
  },

  'U2 a call whose session was deleted counts in the one that its log is imported to again': async (t, bench) => {
    const { store } = await opened(t, bench);
    const a = await sessionOf(store, ['a']);
    await store.usage.add(call(a.id, { reportId: 'one', costUsd: 2 }));
    await store.sessions.delete(a.id);
    const b = await sessionOf(store, ['a']);
    await store.usage.add(call(b.id, { reportId: 'one', costUsd: 2 }));
    assert.deepEqual([(await store.usage.totals()).costUsd, (await store.sessions.get(b.id))?.usage.costUsd], [2, 2]);
  },

  'U2 usage of a conversation holds that of its continuations and of the sides that they started': async (t, bench) => {
    const { store } = await opened(t, bench);
    const root = await sessionOf(store, ['a', 'b']);
    const messages = (await store.messages.view(root.id)).map(({ message }) => message);
    const next = await store.sessions.continue({ sessionId: root.id, size: 2, messages, origins: [0, 1] });
    const side = await sessionOf(store, ['s'], { parentId: next.id, relation: 'side' });
    const under = await sessionOf(store, ['u'], { parentId: side.id, relation: 'side' });
    const branch = await sessionOf(store, ['x'], { parentId: next.id, relation: 'branch' });
    for (const { id } of [root, next, side, under, branch]) await store.usage.add(call(id, { at: morning }));
    await store.usage.add(call(root.id, { model: 'openai/gpt', at: morning + 5 }));
    await store.usage.add(call(root.id, { model: 'openai/gpt', at: morning + 4, inputTokens: 5_000 }));
    const rows = await store.usage.ofConversation(next.id);
    assert.deepEqual(
      rows.map(({ sessionId, isSide, model, calls, lastAt }) => [sessionId, isSide, model, calls, lastAt - morning]),
      [
        [root.id, false, 'anthropic/claude', 1, 0],
        [root.id, false, 'openai/gpt', 2, 5],
        [next.id, false, 'anthropic/claude', 1, 0],
        [side.id, true, 'anthropic/claude', 1, 0],
        [under.id, true, 'anthropic/claude', 1, 0],
      ],
    );
    assert.deepEqual([...new Set(rows.map(({ lastPromptTokens }) => lastPromptTokens))], [350]);
    await assert.rejects(store.usage.ofConversation('nobody'), { code: 'ID_UNKNOWN' });
    const [most, ...others] = await store.usage.largest(10);
    assert.deepEqual([most?.sessionId, most?.calls, others.length], [next.id, 4, 3]);
    const { conversations, sides, messages: said, compressions } = await store.usage.activity();
    assert.deepEqual([conversations, sides, said, compressions], [2, 2, 5, 1]);
    assert.equal((await store.usage.activity({ until: 0 })).messages, 0);
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
      { cacheReadTokens: 1e15 },
      { reasoningTokens: Number.NaN },
      { costUsd: -1 },
      { savedUsd: Number.POSITIVE_INFINITY },
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
