/** Resources and prompts of the server. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { compressSession } from '../../packages/core/src/conversation/compress/compress-session.ts';
import { openStore } from '../../packages/core/src/store/open-store.ts';
import { estimatingTokenizer } from '../../packages/core/src/tokens/tokenizer.ts';
import { assistant, user } from '../support/conversations.ts';
import { withKept } from './support/kept.ts';
import { call, type Frame, initialize, startServer } from './support/server-process.ts';

const served = ['--store', '../kept.db'];

/** The text of a resource or a prompt. */
function textIn({ result, error }: Frame): string {
  assert.equal(error, undefined);
  const { contents, messages } = (result ?? {}) as {
    readonly contents?: readonly { readonly text: string }[];
    readonly messages?: readonly { readonly role: string; readonly content: { readonly text: string } }[];
  };
  return contents?.[0]?.text ?? messages?.[0]?.content.text ?? '';
}

describe('resources', () => {
  test('K2 the list has the memory, the conversations and the newest summaries, in a fixed order', () =>
    withKept(async ({ oven, ids }) => {
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      const { result = {} } = await server.ask('resources/list');
      const uris = (result.resources as readonly { readonly uri: string }[]).map(({ uri }) => uri);
      assert.deepEqual(uris, ['palimpsest://memory', 'palimpsest://sessions', `palimpsest://summaries/${ids.drift}`]);
      assert.match(JSON.stringify(result), /Oven timer drift/);
      const templates = await server.ask('resources/templates/list');
      assert.match(JSON.stringify(templates.result), /palimpsest:\/\/sessions\/\{session_id\}/);
      for (const uri of [...uris, `palimpsest://sessions/${ids.drift}`])
        assert.notEqual(textIn(await server.ask('resources/read', { uri })), '', uri);
    }));

  test('K2 a summary tells what came of a conversation, after compressions too, and expand brings back what it names', () =>
    withKept(async ({ cwd, oven }) => {
      await using store = await openStore({ path: join(cwd, 'kept.db') });
      const { id } = await store.sessions.create({ source: 'codex', project: oven, title: 'Long work' });
      const turns = Array.from({ length: 40 }, (_, i) => [
        user(`Add test ${i} for src/cart${i}.ts and run it.`),
        assistant(`Added test ${i}: it passes. ${'The cart adds up. '.repeat(60)}`),
      ]).flat();
      await store.messages.append(id, turns);
      const { session } = await compressSession(store, id, {
        tokenizer: estimatingTokenizer('unknown'),
        targetTokens: 3_000,
        owner: 'test',
      });
      assert.notEqual(session.id, id);
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      for (const one of [id, session.id]) {
        const text = textIn(await server.ask('resources/read', { uri: `palimpsest://summaries/${one}` }));
        assert.match(text, /cart0|cart1/);
      }
      const text = textIn(await server.ask('resources/read', { uri: `palimpsest://summaries/${session.id}` }));
      const [, ref = ''] = /\[?\b(m\d+)\b[^\n]*test 1\b/.exec(text) ?? [];
      assert.notEqual(ref, '', text.slice(0, 1_500));
      assert.match((await call(server, 'expand', { refs: ref, session_id: id })).text, /test 1\b/);
    }));
});

describe('prompts', () => {
  test('K2 handoff brings an earlier conversation into this one, the newest unless one is named', () =>
    withKept(async ({ oven, ids }) => {
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      const { result = {} } = await server.ask('prompts/list');
      assert.deepEqual(
        (result.prompts as readonly { readonly name: string }[]).map(({ name }) => name),
        ['handoff', 'recap'],
      );
      for (const args of [{}, { session_id: ids.drift }, { session_id: 'oven timer drift', focus: 'the divider' }]) {
        const text = textIn(await server.ask('prompts/get', { name: 'handoff', arguments: args }));
        assert.match(text, /Go on with the work of an earlier conversation/);
        assert.match(text, /32768/);
        assert.ok(text.includes(`"session_id":"${ids.drift}"`));
      }
      const { error } = await server.ask('prompts/get', {
        name: 'handoff',
        arguments: { session_id: 'no such thing' },
      });
      assert.deepEqual([error?.code, /There is no conversation/.test(error?.message ?? '')], [-32_602, true]);
      assert.equal((await server.ask('prompts/get', { name: 'other' })).error?.code, -32_602);
    }));

  test('K2 recap has the newest conversations, each with what came of it', () =>
    withKept(async ({ oven, ids }) => {
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      const text = textIn(await server.ask('prompts/get', { name: 'recap' }));
      assert.match(text, /Give me a short recap/);
      assert.ok(text.includes(`"Oven timer drift", session_id ${ids.drift}`));
      assert.match(text, /Why does the oven timer drift/);
    }));
});
