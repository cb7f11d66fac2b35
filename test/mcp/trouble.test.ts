/** A store that is locked, full, gone or shared: the answer says so, and the server lives. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { PalimpsestError } from '../../packages/core/src/shared/errors.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import type { Store } from '../../packages/core/src/store/store.ts';
import { startFakeProvider } from '../../packages/core/src/testing/fake-provider.ts';
import { createKept } from '../../packages/palimpsest/src/mcp/kept.ts';
import { runProcess } from '../support/command-line.ts';
import { withKept } from './support/kept.ts';
import { call, initialize, startServer } from './support/server-process.ts';

const served = ['--store', '../kept.db'];
const canLimit = spawnSync('bash', ['-c', 'ulimit -f 100']).status === 0;
const skip = !canLimit && 'needs bash and a limit for the size of files';

describe('a store in trouble', () => {
  test('K2 one that another process holds is told of, and served when it is free again', () =>
    withKept(async ({ cwd, oven }) => {
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      assert.match((await call(server, 'remember', { text: 'Likes tea.', about: 'person' })).text, /waits/);
      const other = new DatabaseSync(join(cwd, 'kept.db'));
      other.exec('begin immediate');
      const { text, isError } = await call(server, 'remember', { text: 'Likes coffee.', about: 'person' });
      assert.ok(isError);
      assert.match(text, /STORE_BUSY/);
      assert.match((await call(server, 'session_search', { query: 'drift' })).text, /Oven timer/);
      other.exec('rollback');
      other.close();
      assert.match((await call(server, 'remember', { text: 'Likes coffee.', about: 'person' })).text, /waits/);
    }));

  test('K2 on a disk without room nothing is kept, and reading goes on', { skip }, () =>
    withKept(async ({ cwd, oven }) => {
      const sizes = ['', '-wal', '-shm'].map((ending) => statSync(join(cwd, `kept.db${ending}`)).size);
      const fileKilobytes = Math.ceil(Math.max(...sizes) / 1_024) + 2;
      await using server = startServer(served, { cwd: oven, fileKilobytes });
      await initialize(server);
      let answer = { text: '', isError: false };
      for (let at = 0; at < 20 && !answer.isError; at++)
        answer = await call(server, 'remember', { text: `The shelf ${at} holds ${at * 11} jars.`, about: 'project' });
      assert.ok(answer.isError);
      assert.match(answer.text, /Not saved.*STORE_(FULL|UNREADABLE)/);
      assert.match((await call(server, 'session_search', { query: 'drift' })).text, /Oven timer/);
      assert.match((await call(server, 'memory', {})).text, /Nothing is remembered/);
    }),
  );

  test('K2 a file that is no store is told of, and another one in its place is opened', () =>
    withKept(async ({ cwd, oven }) => {
      for (const ending of ['-wal', '-shm']) rmSync(join(cwd, `kept.db${ending}`), { force: true });
      renameSync(join(cwd, 'kept.db'), join(cwd, 'whole.db'));
      writeFileSync(join(cwd, 'kept.db'), 'This is a note and no database at all.\n'.repeat(100));
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      const { text, isError } = await call(server, 'session_search', { query: 'drift' });
      assert.ok(isError);
      assert.match(text, /\(STORE_\w+\)/);
      assert.equal((await server.ask('resources/read', { uri: 'palimpsest://sessions' })).error?.code, -32_603);
      renameSync(join(cwd, 'whole.db'), join(cwd, 'kept.db'));
      assert.equal((await call(server, 'session_search', {})).isError, false);
    }));
});

test('K2 a call that failed closes the store that it used, and none that was opened since', () =>
  withKept(async ({ cwd }) => {
    const opened: Store[] = [];
    const kept = createKept({
      openStore: async () => {
        const store = await openStore({ path: join(cwd, 'kept.db') });
        opened.push(store);
        return store;
      },
      openMemory: () => Promise.reject(new Error('no call asks for it')),
      hasStore: async () => true,
      hasMemory: async () => true,
      project: undefined,
    });
    const replaced = new PalimpsestError('STORE_REPLACED', 'another file stands there');
    const [first, second, third] = [kept.call(), kept.call(), kept.call()];
    await Promise.all([first.record(), second.record()]);
    await first.failed(replaced);
    await assert.rejects(async () => opened[0]?.sessions.list(), { code: 'STORE_CLOSED' });
    const inUse = await third.record();
    await second.failed(replaced);
    assert.equal((await inUse.sessions.list({ limit: 1 })).length, 1);
    await kept.close();
    await assert.rejects(async () => opened[1]?.sessions.list(), { code: 'STORE_CLOSED' });
    assert.equal(opened.length, 2);
  }));

describe('a store that others use', () => {
  test('K2 two servers and a chat share one store, and each sees what the others keep', () =>
    withKept(async ({ cwd, oven }) => {
      await using provider = await startFakeProvider({
        apiKey: 'test-key',
        script: () => ({ text: 'The hinge squeaks at 40 °C.' }),
      });
      await using one = startServer(served, { cwd: oven });
      await using other = startServer(served, { cwd: oven });
      await Promise.all([initialize(one), initialize(other)]);
      const words = [
        'chat',
        '-p',
        'When does the hinge squeak?',
        '--model',
        'openai/gpt-5-mini',
        '--base-url',
        provider.baseUrl('openai-chat'),
        '--store',
        '../kept.db',
      ];
      const [chat] = await Promise.all([
        runProcess(words, {
          cwd: oven,
          env: { OPENAI_API_KEY: 'test-key', PALIMPSEST_API_KEY: 'test-key' },
          input: '',
        }),
        ...Array.from({ length: 8 }, (_, at) =>
          call(at % 2 === 0 ? one : other, 'remember', {
            text: `The shelf ${at} holds ${at * 11} jars.`,
            about: 'project',
          }),
        ),
        ...Array.from({ length: 8 }, (_, at) => call(at % 2 === 0 ? one : other, 'session_search', { query: 'drift' })),
      ]);
      assert.equal(chat.code, 0, chat.stderr);
      for (const server of [one, other])
        assert.match((await call(server, 'session_search', { query: 'hinge squeaks' })).text, /40 °C/);
      await using store = await openStore({ path: join(cwd, 'kept.db') });
      assert.equal((await store.memory.list({ status: ['pending'], project: oven })).length, 8);
      assert.ok((await store.care.check()).ok);
    }));
});
