/** A store that cannot be written costs no client its answer: conversations go on in memory, and are kept again when they can be. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { createConversations, PalimpsestError } from '@palimpsest/core';
import { openStore, type Store } from '@palimpsest/core/store';
import { openDatabase } from '../../../packages/core/src/store/sqlite/open-database.ts';
import { storeOver } from '../../../packages/core/src/store/sqlite/store.ts';
import { openPlaces, type StoreHealth } from '../../../packages/palimpsest/src/gateway/conversations/places.ts';
import { newFolder } from '../../support/store-files.ts';
import { type Agent, agentOf, type Exchanged } from './agents.ts';
import { fileOf, type Kept, keptGateway, readsFiles } from './support.ts';

const task = 'Please read every file in data/.';
const contextLength = 8_000;

/** A clock that goes on when the test says so. */
const handClock = () => {
  let time = Date.parse('2026-11-23T09:00:00Z');
  const pass = (ms: number): void => {
    time += ms;
  };
  return { clock: { now: (): number => time }, pass };
};

async function steps(agent: Agent, from: number, to: number): Promise<readonly Exchanged[]> {
  const all: Exchanged[] = [];
  for (let step = from; step <= to; step++) all.push(await agent.step(fileOf(step)));
  return all;
}

const header = (all: readonly Exchanged[], name: string): readonly (string | null)[] =>
  all.map(({ headers }) => headers.get(`x-palimpsest-${name}`));

const isKept = (all: readonly Exchanged[]): boolean => header(all, 'session').every((session) => session !== null);

/** Everything that was said in the one conversation that there is, through all its sessions. */
async function requireWhole({ store }: Kept, agent: Agent, answers: number): Promise<void> {
  const conversations = await store.sessions.list();
  assert.equal(conversations.length, 1);
  const { tip } = conversations[0] ?? {};
  // The last answer is kept beside the relay.
  for (let tries = 0; (await store.messages.count()) < agent.list.length && tries < 2_000; tries++)
    await setImmediate();
  const runtime = createConversations({ store, model: 'm' });
  const said = (await runtime.transcript(tip?.id ?? '')).map((message) => JSON.stringify(message)).join('\n');
  for (let step = 1; step <= answers; step++)
    assert.equal(said.split(`row 3 of part-${step}.csv`).length, 2, `what was read at step ${step}`);
}

describe('F1, K2: a disk that is full', () => {
  test('costs no client its answer; one line tells of it; what was said meanwhile is kept once there is room', async (t) => {
    const path = join(await newFolder(t), 'store.db');
    const options = { path, readOnly: false, busyMilliseconds: 100, gathersWrites: true, clock: Date.now };
    const opened = await openDatabase(options);
    await using store = storeOver(opened, options);
    const { clock, pass } = handClock();
    await using kept = await keptGateway({ contextLength, script: readsFiles(40) }, { contextLength, store, clock });
    const agent = agentOf('anthropic', kept.url, task);
    const before = await steps(agent, 1, 4);
    const { page_count: pages } = opened.db.prepare('pragma page_count').get() ?? {};
    opened.db.exec(`pragma max_page_count = ${pages}`);
    // Through the end of the window, and of pauses after which the store is tried again.
    const during: Exchanged[] = [];
    for (let at = 5; at <= 24; at++) {
      during.push(...(await steps(agent, at, at)));
      pass(2_000);
    }
    opened.db.exec('pragma max_page_count = 100000');
    pass(10_000);
    const after = await steps(agent, 25, 28);

    const all = [...before, ...during, ...after];
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
    assert.ok(
      kept.provider.requests.every(({ status }) => status === 200),
      'a request was sent that does not fit',
    );
    assert.ok(isKept(before) && isKept(after));
    assert.ok(header(during, 'kept').includes('no'));
    assert.ok(
      header(during, 'action')
        .slice(-8)
        .every((action) => action === 'view' || action === 'compressed'),
    );
    assert.equal(kept.notes.length, 2, kept.notes.join('\n'));
    assert.match(kept.notes[0] ?? '', /its disk is full\..* Until then, conversations go on in memory\./);
    assert.match(kept.notes[1] ?? '', /can be written again/);
    await requireWhole(kept, agent, 27);
    assert.equal((await store.care.check()).ok, true);
  });
});

describe('F1: what goes on in memory', () => {
  test('is under way when the store can be written again, and ends there', async () => {
    await using at = await placed();
    const go = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const slow = at.places.within(async (place) => {
      if (place.health) throw full;
      entered.resolve();
      await go.promise;
      await place.store.meta.set('a', 'b');
      return place.store.meta.get('a');
    });
    await entered.promise;
    at.pass(10_000);
    await at.recovers();
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    go.resolve();
    assert.equal(await slow, 'b');
    assert.equal(await at.store.meta.get('a'), undefined);
  });

  test('waits for its upstream when the store can be written again: its place stays open until the trouble after', async () => {
    await using at = await placed();
    const first = await at.fails();
    at.pass(10_000);
    await at.recovers();
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    // An answer that comes now is kept there, or judged there.
    await first.meta.set('a', 'b');
    const second = await at.fails();
    assert.notEqual(second, first);
    assert.equal(await first.meta.get('a'), 'b');
    at.pass(10_000);
    await at.recovers();
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    await assert.rejects(first.meta.get('a'), { code: 'STORE_CLOSED' });
    await second.meta.set('a', 'b');
    await at.places.stop();
    await assert.rejects(second.meta.get('a'), { code: 'STORE_CLOSED' });
    assert.deepEqual(at.stopped, [first, at.store, second]);
  });

  test('begins anew there after an hour of trouble, and what was under way has its place an hour more', async () => {
    await using at = await placed();
    const hours: Store[] = [];
    for (let hour = 0; hour < 3; hour++) {
      hours.push(await at.fails());
      for (let turn = 0; turn < 10; turn++) await setImmediate();
      assert.equal(await at.where(), hours.at(-1));
      at.pass(3_600_000);
    }
    assert.equal(new Set(hours).size, 3);
    assert.deepEqual(at.stopped, hours.slice(0, 1));
  });
});

describe('F1: a store that could not be written', () => {
  test('is tried by one request after a pause, while the others do not wait for it', async () => {
    await using at = await placed();
    await at.fails();
    assert.notEqual(await at.where(), at.store, 'it is left alone for a while');
    at.pass(5_000);
    const go = Promise.withResolvers<void>();
    const tries = at.places.within(async ({ health }) => {
      await go.promise;
      health?.kept();
      return health !== undefined;
    });
    assert.notEqual(await at.where(), at.store, 'one tries it');
    go.resolve();
    assert.equal(await tries, true);
    assert.equal(await at.where(), at.store);
    assert.match(at.notes.join('\n'), /^The disk is full\. Until then.*\nThe store can be written again/);
  });

  test('was not tried by a request that kept nothing: the next one tries it at once', async () => {
    await using at = await placed();
    await at.fails();
    at.pass(5_000);
    assert.equal(await at.where(), at.store);
    assert.equal(await at.where(), at.store);
    await at.recovers();
    assert.equal(at.notes.length, 2);
  });

  test('is left alone for another pause where the try fails', async () => {
    await using at = await placed();
    const before = await at.fails();
    at.pass(5_000);
    assert.equal(await at.fails(), before);
    assert.equal(await at.where(), before);
    at.pass(4_999);
    assert.equal(await at.where(), before);
    at.pass(1);
    assert.equal(await at.where(), at.store);
    assert.equal(at.notes.length, 1);
  });
});

const full = new PalimpsestError('STORE_FULL', 'The disk is full.');

/** Places over a store, and what became of them. */
async function placed() {
  const store = await openStore({ path: ':memory:' });
  const { clock, pass } = handClock();
  const [notes, stopped]: [string[], Store[]] = [[], []];
  const places = openPlaces<{ readonly store: Store; readonly health: StoreHealth | undefined }>({
    store,
    now: clock.now,
    note: (line) => void notes.push(line),
    open: (place, health) => ({ value: { store: place, health }, stop: async () => void stopped.push(place) }),
  });
  return {
    ...{ store, pass, notes, stopped, places },
    /** A request that the store does not take, and the store in memory that took it. */
    fails: () =>
      places.within(async (place) => {
        if (place.health) throw full;
        return place.store;
      }),
    /** A request that the store takes. */
    recovers: () => places.within(async ({ health }) => health?.kept()),
    /** Where a request is done that keeps nothing. */
    where: () => places.within(async (place) => place.store),
    [Symbol.asyncDispose]: async () => {
      await places.stop();
      await store.close();
    },
  };
}

/** Another process that holds the lock of a store until it is ended. */
async function lockOf(t: TestContext, path: string): Promise<ChildProcess> {
  const code = `const { DatabaseSync } = require('node:sqlite');
    const db = new DatabaseSync(${JSON.stringify(path)});
    db.exec('begin immediate');
    console.log('locked');
    process.stdin.resume().on('end', () => process.exit());`;
  const child = spawn(process.execPath, ['-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

describe('F4, K2: another process that holds the lock', () => {
  test('is waited for once, and not by each request; the conversation goes on where it was', async (t) => {
    const path = join(await newFolder(t), 'store.db');
    await using store: Store = await openStore({ path, busyMilliseconds: 100 });
    const { clock, pass } = handClock();
    await using kept = await keptGateway({ contextLength, script: readsFiles(40) }, { contextLength, store, clock });
    const agent = agentOf('openai-chat', kept.url, task);
    const before = await steps(agent, 1, 14);
    const holder = await lockOf(t, path);
    const during = await steps(agent, 15, 20);
    holder.stdin?.end();
    await once(holder, 'exit');
    pass(10_000);
    const after = await steps(agent, 21, 24);

    const all = [...before, ...during, ...after];
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
    assert.ok(isKept(before) && isKept(after));
    assert.deepEqual(new Set(header(during, 'kept')), new Set(['no']));
    assert.equal(kept.notes.length, 2, kept.notes.join('\n'));
    assert.match(kept.notes[0] ?? '', /another process kept it locked/);
    await requireWhole(kept, agent, 23);
  });

  test('keeps many clients waiting no longer than one', async (t) => {
    const path = join(await newFolder(t), 'store.db');
    await using store: Store = await openStore({ path, busyMilliseconds: 300 });
    await using kept = await keptGateway({ script: { text: 'Read.' } }, { store });
    await agentOf('anthropic', kept.url, task).step('');
    await lockOf(t, path);
    const start = performance.now();
    await agentOf('anthropic', kept.url, 'One asks.').step('');
    const one = performance.now() - start;
    const others = Array.from({ length: 20 }, (_, at) => agentOf('anthropic', kept.url, `Client ${at} asks.`).step(''));
    assert.ok((await Promise.all(others)).every(({ status }) => status === 200));
    assert.ok(performance.now() - start < 6 * one, 'each of them waited for the lock');
    assert.equal(kept.notes.length, 1);
  });
});
