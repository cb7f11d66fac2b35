import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type LockOptions, takeLock } from '../../../packages/core/src/memory/files/lock.ts';
import { newFolder } from '../../support/store-files.ts';

const lockIn = async (t: TestContext): Promise<string> => join(await newFolder(t), '.lock');

/** Time that goes by with every wait, and with nothing else. */
function ownTime(): Required<Pick<LockOptions, 'now' | 'timers' | 'random'>> & { readonly waits: number[] } {
  let now = Date.now();
  const waits: number[] = [];
  const after = (ms: number, fire: () => void): (() => void) => {
    now += ms;
    waits.push(ms);
    queueMicrotask(fire);
    return () => undefined;
  };
  return { now: () => now, timers: { after }, random: () => 0.5, waits };
}

const holderOf = (path: string): Record<string, unknown> => JSON.parse(readFileSync(path, 'utf8'));

test('M2 a lock is a file for its owner alone, and gone when it is released', async (t) => {
  const path = await lockIn(t);
  const lock = await takeLock(path);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.ok(lock.isHeld());
  assert.equal(holderOf(path).pid, process.pid);
  lock[Symbol.dispose]();
  assert.ok(!existsSync(path));
});

test('M2 a lock that is held is waited for with growing pauses, and refused in the end by name', async (t) => {
  const path = await lockIn(t);
  using _held = await takeLock(path);
  const time = ownTime();
  await assert.rejects(takeLock(path, { ...time, waitMs: 1_000 }), {
    code: 'MEMORY_BUSY',
    message: new RegExp(`process ${process.pid} .* 1000 ms`),
  });
  assert.equal(Math.round(time.waits.reduce((sum, ms) => sum + ms, 0)), 1_000);
  assert.ok((time.waits[0] ?? 0) < (time.waits[5] ?? 0));
});

test('M2 a lock is taken over from a process that is dead', async (t) => {
  const path = await lockIn(t);
  using _own = await takeLock(path);
  const dead = spawnSync('true').pid;
  writeFileSync(path, JSON.stringify({ ...holderOf(path), id: 'other', pid: dead }));
  using taken = await takeLock(path, { ...ownTime(), waitMs: 0 });
  assert.ok(taken.isHeld());
});

test('M2 a lock is taken over from a dead process whose number another one has now', async (t) => {
  const path = await lockIn(t);
  using _own = await takeLock(path);
  const holder = holderOf(path);
  if (holder.started === undefined) return t.skip('this system does not tell when a process began');
  writeFileSync(path, JSON.stringify({ ...holder, id: 'other', started: '1' }));
  using taken = await takeLock(path, { ...ownTime(), waitMs: 0 });
  assert.ok(taken.isHeld());
});

test('M2 a lock of another machine, or one cut short, is taken over when it is old and not before', async (t) => {
  for (const content of [JSON.stringify({ id: 'other', pid: process.pid, host: 'elsewhere' }), '', '{"id":']) {
    const path = await lockIn(t);
    writeFileSync(path, content);
    await assert.rejects(takeLock(path, { ...ownTime(), waitMs: 100 }), { code: 'MEMORY_BUSY' });
    const old = new Date(Date.now() - 11_000);
    utimesSync(path, old, old);
    using taken = await takeLock(path, { ...ownTime(), waitMs: 0 });
    assert.ok(taken.isHeld());
  }
});

test('M2 the lock of a living process stays, however old it is', async (t) => {
  const path = await lockIn(t);
  using held = await takeLock(path);
  if (holderOf(path).started === undefined) return t.skip('this system does not tell when a process began');
  utimesSync(path, new Date(0), new Date(0));
  await assert.rejects(takeLock(path, { ...ownTime(), waitMs: 100 }), { code: 'MEMORY_BUSY' });
  assert.ok(held.isHeld());
});

test('M2 a lock that was lost is not released for its new holder', async (t) => {
  const path = await lockIn(t);
  const lost = await takeLock(path);
  writeFileSync(path, JSON.stringify({ ...holderOf(path), id: 'other' }));
  assert.ok(!lost.isHeld());
  lost[Symbol.dispose]();
  assert.ok(existsSync(path));
});

test('M2 a link in the place of the lock is refused and left alone', async (t) => {
  const path = await lockIn(t);
  const target = `${path}-target`;
  symlinkSync(target, path);
  await assert.rejects(takeLock(path, ownTime()), { code: 'FILE_UNREADABLE' });
  assert.ok(lstatSync(path).isSymbolicLink());
  assert.ok(!existsSync(target));
});

test('M2 a lock in a folder that is not there is refused', async (t) => {
  const path = join(await newFolder(t), 'none', '.lock');
  await assert.rejects(takeLock(path), { code: 'FILE_UNREADABLE', message: /ENOENT/ });
});
