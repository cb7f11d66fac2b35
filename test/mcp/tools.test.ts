/** The tools of the server, over a store that is there. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { loadEncoding } from '../../packages/core/src/tokens/encoding.ts';
import { estimateTextTokens } from '../../packages/core/src/tokens/estimate.ts';
import { assistant, user } from '../support/conversations.ts';
import { type KeptFolder, secret, withKept } from './support/kept.ts';
import { call, initialize, type ServerProcess, startServer } from './support/server-process.ts';

const served = ['--store', '../kept.db'];

/** A server for the oven. */
async function withServer(
  use: (server: ServerProcess, kept: KeptFolder) => Promise<void>,
  args: readonly string[] = [],
): Promise<void> {
  await withKept(async (kept) => {
    await using server = startServer([...served, ...args], { cwd: kept.oven });
    await initialize(server);
    await use(server, kept);
  });
}

describe('session_search and expand', () => {
  test('K2 a search gives passages, a message in full, and a conversation', () =>
    withServer(async (server, { ids }) => {
      const found = JSON.parse((await call(server, 'session_search', { query: 'crystal divided' })).text);
      assert.equal(found.results[0].session_id, ids.drift);
      assert.match(found.results[0].passages[0].text, />>>crystal<<</);
      const message_id = found.results[0].passages[0].message_id;
      const read = JSON.parse((await call(server, 'session_search', { message_id, window: 1 })).text);
      assert.match(read.message.text, /it has to be 32768/);
      const whole = JSON.parse((await call(server, 'session_search', { session_id: ids.drift })).text);
      assert.equal(whole.messages, 4);
    }));

  test('K2 expand brings messages back, of the newest conversation unless one is named', () =>
    withServer(async (server, { ids }) => {
      const { text, isError } = await call(server, 'expand', { refs: 'm1-m2' });
      assert.equal(isError, false);
      assert.match(text, new RegExp(`^\\[conversation ${ids.drift}, "Oven timer drift"\\]`));
      assert.match(text, /Why does the oven timer drift by 7 seconds\?[\s\S]*divided by 32767/);
      assert.equal((await call(server, 'expand', { refs: 'm2', session_id: 'oven timer drift' })).isError, false);
      assert.equal((await call(server, 'expand', { refs: ['m1', 'm2'] })).text, text);
    }));

  test('K2 what is wrong with a call is an answer that says what to do', () =>
    withServer(async (server) => {
      const wrong: readonly (readonly [string, object, RegExp])[] = [
        ['expand', {}, /needs the id of a message/],
        ['expand', { refs: ['m1', 2] }, /needs the id of a message/],
        ['expand', { refs: 'm99' }, /m1 to m4|m4/],
        ['expand', { refs: 'm1', session_id: 'nothing like it' }, /There is no conversation/],
        ['session_search', { message_id: 'ffffffffffffffff' }, /take a message_id from a search/],
        ['read_output', {}, /needs the id of a saved output/],
        ['read_output', { id: 'ffffffffffffffff' }, /There is no saved output/],
        ['search_output', {}, /needs words/],
        ['compress_text', {}, /needs the text/],
        ['remember', { text: 'x' }, /about must be one of/],
        ['memory', { action: 'burn' }, /action must be one of: add, replace, remove/],
      ];
      for (const [name, args, words] of wrong) {
        const { text, isError } = await call(server, name, args);
        assert.match(text, words, name);
        assert.equal(isError, true, `${name} ${JSON.stringify(args)}`);
      }
    }));

  test('K2 an answer is bounded in tokens in every script, and says how to read on', () =>
    withServer(async (server, { cwd, oven }) => {
      await using store = await openStore({ path: join(cwd, 'kept.db') });
      const { id } = await store.sessions.create({ source: 'codex', project: oven, title: 'Long' });
      const words = [
        '部署失败了因为端口被占用',
        'the deploy failed because of the port ',
        'развертывание упало из-за порта ',
      ];
      await store.messages.append(
        id,
        words.flatMap((one) => [user(one.repeat(4_000)), assistant(one.repeat(40))]),
      );
      for (const [at, word] of words.entries()) {
        const refs = `m${2 * at + 1}`;
        const first = await call(server, 'expand', { refs, session_id: id });
        assert.ok(estimateTextTokens(first.text) <= 8_000, `${estimateTextTokens(first.text)} tokens of ${word}`);
        const [, next = ''] = /more characters: expand (\{.*\})\]$/.exec(first.text) ?? [];
        const more = await call(server, 'expand', { ...JSON.parse(next), session_id: id });
        assert.notEqual(more.text, first.text);
        const [message_id] = (await store.messages.viewIds(id)).slice(2 * at);
        const read = await call(server, 'session_search', { message_id, window: 20 });
        assert.ok(estimateTextTokens(read.text) <= 8_000, `${estimateTextTokens(read.text)} tokens read`);
        assert.ok(JSON.parse(read.text).message.next_offset > 0);
      }
    }));
});

describe('read_output and search_output', () => {
  test('R3 a saved result is read by lines and searched', () =>
    withServer(async (server, { ids }) => {
      const page = await call(server, 'read_output', { id: ids.ovenLog, from: 2_998, to: 3_001 });
      assert.match(page.text, /request 2998 took[\s\S]*Error: missing symbol foo/);
      const found = await call(server, 'search_output', { query: 'missing symbol' });
      assert.match(found.text, /3001: Error: missing symbol foo/);
      assert.equal((await call(server, 'read_output', { id: ids.ovenLog.slice(0, 6) })).isError, false);
    }));
});

describe('credentials', () => {
  test('S6 no tool, resource or prompt shows one', () =>
    withServer(async (server, { ids }) => {
      const calls: readonly (readonly [string, object])[] = [
        ['session_search', { query: 'token board' }],
        ['session_search', { session_id: ids.drift }],
        ['expand', { refs: 'm1-m4' }],
        ['read_output', { id: ids.ovenLog, from: 2_990 }],
        ['search_output', { query: 'password' }],
        ['compress_text', { text: `password=${secret}`, max_tokens: 300 }],
        ['compress_text', { text: `${'a line of a log\n'.repeat(900)}password=${secret}\n`, max_tokens: 300 }],
        ['remember', { text: `The token is ${secret}.`, about: 'project' }],
      ];
      for (const [name, args] of calls)
        assert.doesNotMatch((await call(server, name, args)).text, new RegExp(secret), name);
      for (const uri of [
        `palimpsest://sessions/${ids.drift}`,
        `palimpsest://summaries/${ids.drift}`,
        'palimpsest://memory',
      ])
        assert.doesNotMatch(
          JSON.stringify((await server.ask('resources/read', { uri })).result),
          new RegExp(secret),
          uri,
        );
      for (const name of ['handoff', 'recap'])
        assert.doesNotMatch(
          JSON.stringify((await server.ask('prompts/get', { name })).result),
          new RegExp(secret),
          name,
        );
      assert.match((await call(server, 'expand', { refs: 'm3' })).text, /\[REDACTED:/);
    }));
});

describe('compress_text', () => {
  test('K2 a log keeps its start, its end and what tells of a failure, within the tokens', () =>
    withServer(async (server) => {
      const lines = Array.from({ length: 4_000 }, (_, i) => `12:00:${i % 60} step ${i} ok`);
      lines[2_000] = 'Error: the oven is on fire';
      const { text } = await call(server, 'compress_text', { text: lines.join('\n'), max_tokens: 600 });
      const { count } = await loadEncoding('o200k_base');
      assert.ok(count(text) <= 600, `${count(text)} tokens`);
      assert.match(text, /step 0 ok[\s\S]*Error: the oven is on fire[\s\S]*step 3999 ok$/);
      const about = await call(server, 'compress_text', { text: lines.join('\n'), max_tokens: 600, focus: '2711' });
      assert.match(about.text, /step 2711 ok/);
    }));

  test('K2 one line without an end is cut within the tokens', () =>
    withServer(async (server) => {
      const { count } = await loadEncoding('o200k_base');
      for (const text of ['x1'.repeat(300_000), '部署'.repeat(100_000)]) {
        const answer = await call(server, 'compress_text', { text, max_tokens: 300 });
        assert.ok(count(answer.text) <= 300, `${count(answer.text)} tokens`);
        assert.match(answer.text, /characters left out/);
      }
    }));

  test('K2 a transcript of any format is told within the tokens', () =>
    withServer(async (server) => {
      const steps = Array.from({ length: 60 }, (_, i) => [
        { role: 'user', content: `Add test ${i} for src/cart${i}.ts and run it.` },
        { role: 'assistant', content: `Added test ${i}: it passes. ${'The cart adds up. '.repeat(20)}` },
      ]).flat();
      const { count } = await loadEncoding('o200k_base');
      const { text } = await call(server, 'compress_text', { text: JSON.stringify(steps), max_tokens: 900 });
      assert.ok(count(text) <= 900, `${count(text)} tokens`);
      assert.match(text, /^\[conversation of 120 messages/);
      assert.match(text, /cart59/);
    }));
});

describe('a store that is not there', () => {
  test('K2 is told of, and what is proposed first makes it', () =>
    withServer(async (server, { cwd }) => {
      for (const name of ['kept.db', 'kept.db-wal', 'kept.db-shm']) rmSync(join(cwd, name), { force: true });
      const { text, isError } = await call(server, 'session_search', {});
      assert.ok(isError);
      assert.match(text, /no store at .* yet: create one with `palimpsest import/);
      assert.match((await call(server, 'memory', {})).text, /Nothing is remembered here yet/);
      assert.deepEqual((await server.ask('resources/list')).error, undefined);
      assert.match(JSON.stringify((await server.ask('prompts/get', { name: 'recap' })).result), /import --discover/);
      const kept = await call(server, 'remember', { text: 'Answers in British English.', about: 'person' });
      assert.match(kept.text, /waits/);
      assert.match((await call(server, 'session_search', {})).text, /There is no earlier conversation/);
    }));
});
