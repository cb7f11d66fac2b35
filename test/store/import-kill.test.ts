/** An import that is killed leaves whole steps, and the next one goes on from there. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type Message, readTranscripts, type Transcript } from '@palimpsest/core';
import { exportSession, openStore } from '@palimpsest/core/store';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { chatFile } from '../support/small-session.ts';
import { newFolder } from '../support/store-files.ts';

const worker = join(import.meta.dirname, 'workers/importer.ts');
const files = 8;
const turns = 40;
const mostRounds = 40;
const lapseMs = 60_000;

/** The conversations differ from their first request on. */
const file = (at: number): string => chatFile(turns).replaceAll('empty row', `empty row of table ${at}`);

test('F3 imports that are killed at random instants are finished by the next, and leave nothing twice', async (t) => {
  const folder = await newFolder(t);
  const path = join(folder, 'store.db');
  mkdirSync(join(folder, 'logs'));
  for (let at = 0; at < files; at++) writeFileSync(join(folder, 'logs', `${at}.json`), file(at));
  const outcomes: string[] = [];
  let kills = 0;
  let state = 20_261_122;
  for (let round = 0; round < mostRounds; round++) {
    const args = [worker, path, join(folder, 'logs'), String(round * lapseMs)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    // Behind the files that are known already, somewhere in the next ones.
    let lines = 0;
    const isFurther = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        outcomes.push(chunk.toString());
        lines += chunk.toString().split('\n').length - 1;
        if (lines > round) resolve();
      });
    });
    await Promise.race([isFurther, ended]);
    state = (state * 48_271) % 2_147_483_647;
    await Promise.race([delay(state % 60), ended]);
    child.kill('SIGKILL');
    const [code] = await ended;
    if (code === 0) break;
    kills++;
    await requireWholeSteps(path);
  }
  t.diagnostic(`${kills} kills`);
  assert.ok(kills >= 3 && kills < mostRounds);
  assert.ok(!outcomes.join('').includes('branched'));
  await using store = await openStore({ path, clock: { now: () => Date.now() + mostRounds * lapseMs } });
  const sessions = await store.sessions.list({ limit: 100 });
  assert.equal(sessions.length, files);
  const kept = await Promise.all(sessions.map(({ tip }) => exportSession(store, tip.id)));
  for (let at = 0; at < files; at++) {
    const [transcript] = (await readTranscripts(file(at))).transcripts;
    const request = transcript && firstRequest(transcript);
    const found = kept.find((one) => firstRequest(one) === request);
    assert.deepEqual(found?.messages.map(plain), transcript?.messages.map(plain));
  }
});

const plain = ({ source: _, ...message }: Message): unknown => JSON.parse(JSON.stringify(message));
const firstRequest = ({ messages }: Transcript): string =>
  messages.filter(({ role }) => role === 'user').map(messageText)[0] ?? '';

async function requireWholeSteps(path: string): Promise<void> {
  await using store = await openStore({ path });
  const report = await store.care.check();
  assert.ok(report.ok, JSON.stringify(report.findings));
  for (const { tip } of await store.sessions.list({ limit: 100 })) {
    // A step holds a thousand messages: each of these conversations is there as a whole or not at all.
    assert.ok([0, 1 + 6 * turns].includes(tip.messages), String(tip.messages));
  }
}
