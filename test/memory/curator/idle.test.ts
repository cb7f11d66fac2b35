/** The curator in idle time, over real files and a real store; time passes when the test says so. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type ConversationNotice, createConversations } from '@palimpsest/core';
import { type CuratorReport, createIdleCurator, type IdleCuratorOptions, type Memory } from '@palimpsest/core/memory';
import { system, user } from '../../conversation/agent.ts';
import { virtualTime } from '../../conversation/virtual-time.ts';
import { add, byPerson, type MemoryBench, monday, openBench, project } from '../entries/bench.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

/** A memory with two entries that contradict each other. */
async function disordered(t: TestContext): Promise<MemoryBench> {
  const bench = await openBench(t);
  await add(bench.memory, 'Release day is Monday.', byPerson);
  bench.clock.now += 1_000;
  await add(bench.memory, 'Release day is Friday.', byPerson);
  return bench;
}

const textsOf = async ({ store }: MemoryBench): Promise<readonly string[]> =>
  (await store.memory.list()).map(({ text }) => text);

/** A curator whose reports and failures are kept, and a promise of the next report. */
function curatorFor(bench: MemoryBench, more: Partial<IdleCuratorOptions> = {}) {
  const time = virtualTime(monday + minute);
  const reports: CuratorReport[] = [];
  const errors: unknown[] = [];
  let next = Promise.withResolvers<CuratorReport>();
  const curator = createIdleCurator({
    memory: bench.memory,
    store: bench.store,
    clock: time.clock,
    onReport: (report) => {
      reports.push(report);
      next.resolve(report);
      next = Promise.withResolvers();
    },
    onError: (error) => errors.push(error),
    ...more,
  });
  const reported = async (ms: number): Promise<CuratorReport> => {
    const { promise } = next;
    await time.pass(ms);
    return promise;
  };
  return { curator, time, reports, errors, reported };
}

/** Whatever has begun comes to its end: each round gives the store and the files their turn. */
async function calm({ store }: MemoryBench): Promise<void> {
  for (let round = 0; round < 100; round++) {
    await store.meta.get('');
    await setImmediate();
  }
}

describe('M5 the curator in idle time', () => {
  test('begins after five quiet minutes, and each of its acts is taken back by its id', async (t) => {
    const bench = await disordered(t);
    const { curator, time, reports, reported } = curatorFor(bench);
    curator.touch();
    await time.pass(4 * minute);
    curator.touch();
    await time.pass(4 * minute);
    assert.deepEqual(reports, []);
    const { state, acts } = await reported(minute);
    assert.equal(state, 'done');
    assert.deepEqual(await textsOf(bench), ['Release day is Friday.']);
    assert.doesNotMatch(bench.read('MEMORY.md'), /Monday/);
    for (const { id } of acts) await bench.memory.undo(id);
    assert.deepEqual(await textsOf(bench), ['Release day is Monday.', 'Release day is Friday.']);
    assert.match(bench.read('MEMORY.md'), /Monday/);
    await curator.stop();
  });

  test('runs once a day for all processes of a store, whichever of them is quiet', async (t) => {
    const bench = await disordered(t);
    const one = curatorFor(bench);
    const other = curatorFor(bench, { memory: bench.another(), clock: one.time.clock });
    one.curator.touch();
    other.curator.touch();
    await one.time.pass(5 * minute);
    await calm(bench);
    assert.equal(one.reports.length + other.reports.length, 1);
    other.curator.touch();
    await one.time.pass(5 * minute);
    await calm(bench);
    assert.equal(one.reports.length + other.reports.length, 1);
    bench.clock.now += day;
    await add(bench.memory, 'Release day is Tuesday.', byPerson);
    await one.time.pass(day);
    one.curator.touch();
    await one.reported(5 * minute);
    await Promise.all([one.curator.stop(), other.curator.stop()]);
    assert.deepEqual(await textsOf(bench), ['Release day is Tuesday.']);
  });

  test('is called off by what happens next, and tries again after the next quiet while', async (t) => {
    const bench = await disordered(t);
    // What happens while the memory is read, as any request may.
    const memory: Memory = {
      ...bench.memory,
      reconcile: async () => {
        const act = await bench.memory.reconcile();
        if (tries++ === 0) curator.touch();
        return act;
      },
    };
    let tries = 0;
    const { curator, time, reports, errors, reported } = curatorFor(bench, { memory });
    curator.touch();
    await time.pass(5 * minute);
    await calm(bench);
    assert.deepEqual([tries, reports.length, errors.length], [1, 0, 0]);
    assert.equal((await textsOf(bench)).length, 2);
    assert.equal((await reported(5 * minute)).acts.length, 1);
    await curator.stop();
  });

  test('looks at nothing of another project, and holds nobody up while another process curates', async (t) => {
    const bench = await openBench(t);
    const other = bench.another({ project });
    await add(other, 'Release day is Monday.', byPerson);
    bench.clock.now += 1_000;
    await add(other, 'Release day is Friday.', byPerson);
    const { curator, reported, time, reports } = curatorFor(bench);
    curator.touch();
    assert.deepEqual((await reported(5 * minute)).acts, []);
    assert.equal((await textsOf(bench)).length, 2);
    const own = curatorFor(bench, { memory: other, clock: time.clock });
    const lease = await bench.store.leases.acquire('curate:idle', 'another process', day);
    own.curator.touch();
    await time.pass(5 * minute);
    await calm(bench);
    assert.equal(own.reports.length, 0);
    await bench.store.leases.release(lease ?? assert.fail());
    own.curator.touch();
    await time.pass(5 * minute);
    await calm(bench);
    assert.deepEqual([own.reports.length, reports.length], [1, 1]);
    await Promise.all([curator.stop(), own.curator.stop()]);
  });

  test('tells of a failure, and of an option that nobody knows', async (t) => {
    const bench = await disordered(t);
    const memory = { ...bench.memory, reconcile: () => Promise.reject(new Error('no disk')) };
    const { curator, time, errors } = curatorFor(bench, { memory });
    curator.touch();
    await time.pass(5 * minute);
    await calm(bench);
    assert.match(String(errors[0]), /no disk/);
    await curator.stop();
    assert.throws(() => curatorFor(bench, { ...JSON.parse('{"after":5}') }), { code: 'BAD_OPTION' });
  });
});

describe('M5 a runtime with a memory', () => {
  test('puts it in order while nothing happens, tells which acts, and stops with the runtime', async (t) => {
    const bench = await disordered(t);
    const time = virtualTime(monday + minute);
    const told = Promise.withResolvers<ConversationNotice>();
    const runtime = createConversations({
      store: bench.store,
      model: 'claude-sonnet-4-5',
      memory: bench.memory,
      clock: time.clock,
      onNotice: (notice) => notice.message.startsWith('While nothing') && told.resolve(notice),
    });
    await runtime.prepare({ messages: [system('You move ledgers.'), user('Hello.')] });
    await time.pass(5 * minute);
    const { level, message } = await told.promise;
    assert.equal(level, 'log');
    const [, id = ''] = /put in order: (a\d+) \(\w+\)\. Undo/.exec(message) ?? [];
    await bench.memory.undo(id);
    assert.equal((await textsOf(bench)).length, 2);
    await runtime.stop();
  });

  test('leaves it alone where that is turned off', async (t) => {
    const bench = await disordered(t);
    const time = virtualTime(monday + minute);
    const memory = { memory: bench.memory, curate: false } as const;
    const runtime = createConversations({ store: bench.store, model: 'claude-sonnet-4-5', memory, clock: time.clock });
    await runtime.prepare({ messages: [user('Hello.')] });
    await time.pass(day);
    await calm(bench);
    await runtime.stop();
    assert.equal((await textsOf(bench)).length, 2);
    const wrong = { memory: { memory: bench.memory, curate: JSON.parse('{"afterMs":-1}') } };
    assert.throws(() => createConversations({ store: bench.store, model: 'x', ...wrong }), { code: 'BAD_OPTION' });
  });
});
