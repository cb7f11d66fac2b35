/** Processes that are killed at random instants while they work on one conversation. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { validate } from '@palimpsest/core';
import { exportSession, openStore } from '@palimpsest/core/store';
import { messageBody } from '../../packages/core/src/store/message-body.ts';
import { listOf, runtimeOver, sessionsOf } from './agent.ts';
import { openedFile } from './store-file.ts';

const worker = join(import.meta.dirname, 'workers/stepper.ts');
/** So long that it is compressed, and so many processes killed in their work, however long the machine takes for either. */
const leastSteps = 30;
const leastKills = 6;
const mostRounds = 60;
/** A process that nobody got round to killing ends after so many steps. */
const stepsARound = 60;
/** A lease of a process that was killed has lapsed when the next one begins. */
const lapseMs = 400_000;

test('F3 a conversation whose processes are killed again and again is whole, once, and compressed in one line', (t) =>
  openedFile(t, async (path) => {
    let kills = 0;
    let known = 0;
    let state = 20_261_122;
    for (let round = 0; round < mostRounds && (known < leastSteps || kills < leastKills); round++) {
      const mode = round % 2 === 0 ? 'background' : 'foreground';
      const args = [worker, path, String(known + 1), String(known + stepsARound), String(round * lapseMs), mode];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const ended = once(child, 'exit');
      let told = '';
      const begun = new Promise<void>((resolve) => {
        child.stdout.on('data', (piece: Buffer) => {
          told += piece.toString();
          resolve();
        });
      });
      await Promise.race([begun, ended]);
      state = (state * 48_271) % 2_147_483_647;
      await Promise.race([delay(state % 150), ended]);
      child.kill('SIGKILL');
      const [code] = await ended;
      if (code !== 0) kills++;
      known = Math.max(known, Number(told.trim().split('\n').at(-1) ?? 0));
    }
    t.diagnostic(`${kills} kills in ${known} steps`);
    assert.ok(kills >= leastKills && known >= leastSteps, `${kills} kills, ${known} steps`);
    await using store = await openStore({ path, clock: { now: () => Date.now() + mostRounds * lapseMs } });
    const list = listOf(known);
    const last = await runtimeOver(store).prepare({ messages: list });
    assert.deepEqual(validate(last.messages), []);
    const conversations = await store.sessions.list();
    assert.equal(conversations.length, 1);
    const relations = new Set((await sessionsOf(store)).map(({ relation }) => relation));
    assert.deepEqual([...relations], ['root', 'continuation']);
    const { messages } = await exportSession(store, last.sessionId);
    const ids = (all: typeof messages): readonly unknown[] => all.map((message, at) => messageBody(message, at).ids[0]);
    assert.deepEqual(ids(messages), ids(list));
    assert.ok((await store.care.check()).ok);
  }));
