import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import type { UsageEntry } from '../../packages/core/src/store/usage-store.ts';
import { dayEdges, dayName, dayStart, insights, insightsAt } from '../../packages/core/src/usage/insights.ts';

const day = (month: number, date: number, hour = 12): number => new Date(2026, month - 1, date, hour).getTime();

async function withCalls(look: (store: Store) => Promise<void>): Promise<void> {
  await using store = await openStore({ path: ':memory:' });
  const draft = { startedAt: day(2, 27), messages: [] };
  const oven = await store.sessions.create({ ...draft, source: 'codex', project: '/home/ada/oven' });
  const bread = await store.sessions.create({ ...draft, source: 'library' });
  for (const { id } of [oven, bread])
    await store.messages.append(id, [{ role: 'user', parts: [{ type: 'text', text: 'Why?' }] }], { time: day(2, 28) });
  const call = (sessionId: string, at: number, fields: Partial<UsageEntry> = {}): UsageEntry => ({
    sessionId,
    at,
    model: 'openai/gpt-5',
    task: 'turn',
    inputTokens: 100,
    outputTokens: 10,
    cacheReadTokens: 900,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    ...fields,
  });
  await store.usage.add([
    call(oven.id, day(2, 28, 0), { costUsd: 1, savedUsd: 2 }),
    call(oven.id, day(2, 28, 23), { costUsd: 0.5 }),
    call(oven.id, day(3, 3), { model: 'anthropic/claude-opus-5', costUsd: 9, task: 'summary' }),
    call(bread.id, day(3, 3), { isPartial: true }),
  ]);
  await look(store);
}

const money = (all: readonly { name: string; costUsd?: number; calls: number }[]): readonly unknown[] =>
  all.map(({ name, costUsd, calls }) => [name, costUsd, calls]);

describe('days', () => {
  test('U2 every instant between two lies in one day, whatever the clock of the machine does', () => {
    const instant = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2040, 0) });
    fc.assert(
      fc.property(instant, fc.integer({ min: 1, max: 400 * 86_400_000 }), (since, length) => {
        const edges = dayEdges(since, since + length);
        assert.deepEqual([edges[0], edges.at(-1)], [since, since + length]);
        const names = edges.slice(0, -1).map(dayName);
        assert.equal(new Set(names).size, names.length);
        for (const [at, edge] of edges.entries()) {
          const before = edges[at - 1] ?? Number.NEGATIVE_INFINITY;
          assert.ok(edge > before);
          if (at > 0) assert.equal(dayName(edge - 1), names[at - 1]);
          // Whole days begin and end where they should: they are not marked as parts.
          if (at > 0 && at < names.length) assert.equal(dayStart(edge), edge);
        }
      }),
    );
  });
});

describe('insights', () => {
  test('U2 sums up by model, source, project, task, the dearest first', () =>
    withCalls(async (store) => {
      const found = await insightsAt(day(3, 4), store, {});
      assert.deepEqual(money(found.models), [
        ['anthropic/claude-opus-5', 9, 1],
        ['openai/gpt-5', 1.5, 3],
      ]);
      assert.deepEqual(money(found.sources), [
        ['codex', 10.5, 3],
        ['library', undefined, 1],
      ]);
      assert.deepEqual(money(found.projects), [
        ['/home/ada/oven', 10.5, 3],
        ['', undefined, 1],
      ]);
      assert.deepEqual(money(found.tasks), [
        ['summary', 9, 1],
        ['turn', 1.5, 3],
      ]);
      const { costUsd, savedUsd, calls, unpriced, partial } = found.totals;
      assert.deepEqual([costUsd, savedUsd, calls, unpriced, partial], [10.5, 2, 4, 1, 1]);
      assert.deepEqual([found.activity.conversations, found.activity.messages], [2, 2]);
      assert.deepEqual(
        found.largest.map(({ source, costUsd: cost }) => [source, cost]),
        [
          ['codex', 10.5],
          ['library', undefined],
        ],
      );
    }));

  test('U2 has a row for every day by the clock of the machine, the quiet ones too', () =>
    withCalls(async (store) => {
      const { days } = await insightsAt(day(3, 4), store, {});
      assert.deepEqual(
        days.map(({ day: name, calls, models }) => [name, calls, models.map((model) => model.name).join()]),
        [
          ['2026-02-28', 2, 'openai/gpt-5'],
          ['2026-03-01', 0, ''],
          ['2026-03-02', 0, ''],
          ['2026-03-03', 2, 'anthropic/claude-opus-5,openai/gpt-5'],
          ['2026-03-04', 0, ''],
        ],
      );
    }));

  test('U2 counts the calls at or after since and before until', () =>
    withCalls(async (store) => {
      const calls = async (since: number, until: number): Promise<number> =>
        (await insights(store, { since, until })).totals.calls;
      assert.equal(await calls(day(2, 28, 0), day(2, 28, 23)), 1);
      assert.equal(await calls(day(2, 28, 1), day(3, 4)), 3);
      assert.equal(await calls(day(5, 1), day(5, 2)), 0);
    }));

  test('U2 a store without calls has nothing to tell, and a call of a broken clock makes no days without end', async () => {
    await using store = await openStore({ path: ':memory:' });
    const none = await insightsAt(day(3, 4), store, {});
    assert.deepEqual([none.totals.calls, none.models, none.range], [0, [], undefined]);
    const { id } = await store.sessions.create({ source: 'cli' });
    const tokens = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
    for (const at of [-8_640_000_000_000_000, day(3, 3)])
      await store.usage.add({ sessionId: id, model: 'm', task: 'turn', at, ...tokens });
    const { days } = await insightsAt(day(3, 4), store, {});
    assert.ok(days.length <= 40_001);
    assert.equal(days.findLast(({ calls }) => calls > 0)?.day, '2026-03-03');
  });
});
