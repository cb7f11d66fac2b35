/** Which conversations and results a server gives out: those of its project, and no others by any name. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { runProcess } from '../support/command-line.ts';
import { user } from '../support/conversations.ts';
import { withKept } from './support/kept.ts';
import { call, initialize, startServer } from './support/server-process.ts';

const served = ['--store', '../kept.db'];

describe('a server for one project', () => {
  test('K2 never gives out what was said in another project, by words, ids, titles or addresses', () =>
    withKept(async ({ oven, garden, ids }) => {
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      const calls: readonly (readonly [string, object])[] = [
        ['session_search', { query: 'quagmire tulips' }],
        ['session_search', { query: 'zephyrine OR drift' }],
        ['session_search', { query: 'quagmire', project: garden }],
        ['session_search', { query: 'quagmire', project: '/' }],
        // One letter off, and a prefix: a corrected word would tell what is said there.
        ['session_search', { query: 'quagmere' }],
        ['session_search', { query: 'zephyr*' }],
        ['session_search', { limit: 5 }],
        ['session_search', { session_id: ids.tulips }],
        ['session_search', { session_id: ids.tulips, query: 'tulips' }],
        ['session_search', { session_id: 'Tulip bulbs' }],
        ['session_search', { message_id: ids.tulipMessage }],
        ['session_search', { message_id: ids.tulipMessage.slice(0, 10) }],
        ['expand', { refs: 'm1', session_id: ids.tulips }],
        ['expand', { refs: 'm1', session_id: 'Tulip bulbs' }],
        ['read_output', { id: ids.gardenLog, from: 3_000 }],
        ['read_output', { id: ids.gardenLog.slice(0, 8) }],
        ['search_output', { query: 'quagmire' }],
        ['search_output', { query: 'quagmire', id: ids.gardenLog }],
      ];
      for (const [name, args] of calls) {
        const { text } = await call(server, name, args);
        const said = text.replaceAll(JSON.stringify(args).slice(1, -1), '').replace(/"query":"[^"]*"/, '');
        assert.doesNotMatch(
          said.replace(/no line of[^.]*\./i, ''),
          /quagmire(?! tulips")|zephyrine|fence|Tulip bulbs"?,? "/i,
          `${name} ${JSON.stringify(args)}: ${text.slice(0, 300)}`,
        );
      }
      for (const kind of ['sessions', 'summaries']) {
        const { error } = await server.ask('resources/read', { uri: `palimpsest://${kind}/${ids.tulips}` });
        assert.equal(error?.code, -32_602, kind);
      }
      assert.doesNotMatch(JSON.stringify((await server.ask('resources/list')).result), /tulip/i);
      for (const args of [{}, { session_id: ids.tulips }, { session_id: 'Tulip bulbs' }]) {
        const { result = {}, error } = await server.ask('prompts/get', { name: 'handoff', arguments: args });
        assert.doesNotMatch(JSON.stringify([result, error]), /quagmire|zephyrine/);
      }
      assert.doesNotMatch(JSON.stringify((await server.ask('prompts/get', { name: 'recap' })).result), /quagmire/);
    }));

  test('K2 --all-projects gives out all of them, and --project names another folder', () =>
    withKept(async ({ oven, garden, ids }) => {
      for (const args of [['--all-projects'], ['--project', garden]]) {
        await using server = startServer([...served, ...args], { cwd: oven });
        await initialize(server);
        assert.match((await call(server, 'session_search', { query: 'quagmire' })).text, /Tulip bulbs/, args.join(' '));
        assert.match((await call(server, 'read_output', { id: ids.gardenLog, from: 3_000 })).text, /quagmire/);
      }
    }));

  test('K2 what two projects have said and saved alike is found in the own one', () =>
    withKept(async ({ cwd, oven, ids }) => {
      await using store = await openStore({ path: join(cwd, 'kept.db') });
      const { id } = await store.sessions.create({ source: 'codex', project: join(oven, 'src'), title: 'Shared' });
      await store.messages.append(id, [user('Where do the quagmire tulips go?')]);
      const log = (await store.outputs.read(ids.gardenLog)).text;
      await store.outputs.save(log, { tool: 'bash', sessionId: id });
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      const read = JSON.parse((await call(server, 'session_search', { message_id: ids.tulipMessage })).text);
      assert.equal(read.session_id, id);
      assert.match((await call(server, 'read_output', { id: ids.gardenLog, from: 3_003 })).text, /quagmire/);
    }));
});

describe('the memory of a server', () => {
  test('M1 is that of its project and of everywhere', () =>
    withKept(async ({ cwd, oven, garden }) => {
      const add = (words: readonly string[]): Promise<unknown> =>
        runProcess(['memory', 'add', ...words, '--yes', '--store', '../kept.db'], { cwd: oven, env: { HOME: cwd } });
      await add(['Tests run with npm test.']);
      await add(['--project', garden, 'Bulbs are ordered in October.']);
      await add(['--user', 'Answers in British English.']);
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      for (const read of [
        async () => (await call(server, 'memory', {})).text,
        async () => JSON.stringify((await server.ask('resources/read', { uri: 'palimpsest://memory' })).result),
      ]) {
        const text = await read();
        assert.match(text, /npm test/);
        assert.match(text, /British English/);
        assert.doesNotMatch(text, /Bulbs/);
      }
      await using all = startServer([...served, '--all-projects'], { cwd: oven });
      await initialize(all);
      assert.doesNotMatch((await call(all, 'memory', {})).text, /Bulbs/);
    }));
});

describe('addresses of resources', () => {
  test('K2 are names and no paths', () =>
    withKept(async ({ oven, ids }) => {
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      const wrong = [
        'file:///etc/passwd',
        'palimpsest://sessions/../memory',
        `palimpsest://sessions/..%2f${ids.drift}`,
        `palimpsest://sessions/${ids.drift}/../../x`,
        `palimpsest://sessions/${ids.drift}?x=1`,
        `palimpsest://sessions/${ids.drift.slice(0, 8)}`,
        'palimpsest://sessions/Oven timer drift',
        'palimpsest://sessions/__proto__',
        `palimpsest://other/${ids.drift}`,
        `palimpsest://sessions/${'x'.repeat(100_000)}`,
        '',
      ];
      for (const uri of wrong) {
        const { error } = await server.ask('resources/read', { uri });
        assert.equal(error?.code, -32_602, uri.slice(0, 80));
        assert.ok((error?.message ?? '').length < 400);
      }
    }));
});
