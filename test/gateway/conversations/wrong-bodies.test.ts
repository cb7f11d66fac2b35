/** Bodies that nobody should send, through conversations: answered, never a 500, and sent as they came where they cannot be read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '@palimpsest/core/store';
import { openConversations } from '../../../packages/palimpsest/src/gateway/conversations/open-conversations.ts';
import { gatewayBefore } from '../support/gateway.ts';
import { answerOf, wireUpstream } from '../support/wire.ts';
import { throwBodies } from './throw-bodies.ts';

test('K2 bodies of six clients that went wrong are answered, and none is changed that cannot be read', async () => {
  // `npm run bench -- gateway-bodies` throws 10,000 of them.
  const { actions, faults } = await throwBodies(0, 150);
  assert.deepEqual(faults, []);
  // All of it happens, or the bodies would show nothing.
  for (const action of ['passed', 'whole', 'view', 'compressed', 'unfit'])
    assert.ok((actions[action] ?? 0) >= 1, JSON.stringify(actions));
});

const deep = (count: number): string => `${'['.repeat(count)}${']'.repeat(count)}`;
const messages = (list: string): string => `{"model":"m","max_tokens":9,"messages":${list}}`;
const contents = (content: string): string => messages(`[{"role":"user","content":${content}}]`);

const cases: readonly (readonly [title: string, body: string | Uint8Array<ArrayBuffer>])[] = [
  ['a nest of 100,000 lists', contents(deep(100_000))],
  ['a nest in a member that nobody reads', `{"x":${deep(100_000)},${contents('"a"').slice(1)}`],
  ['a key that stands there twice', '{"model":"m","messages":[{"role":"user","content":"a"}],"messages":[]}'],
  ['__proto__ as a member', `{"__proto__":{"messages":[]},${contents('"a"').slice(1)}`],
  ['__proto__ in a message', messages('[{"role":"user","content":"a","__proto__":{"role":"assistant"}}]')],
  ['__proto__ as a role', messages('[{"role":"__proto__","content":"a"}]')],
  ['constructor as a type of part', contents('[{"type":"constructor","text":"a"}]')],
  ['half a pair', contents('"\\ud83d"')],
  ['half a pair in a key', messages('[{"role":"user","content":"a","\\ude42":1}]')],
  ['bytes that are no UTF-8', Buffer.from(contents('"\xff\xfe\xc3"'), 'latin1') as Uint8Array<ArrayBuffer>],
  ['a mark of byte order', `\ufeff${contents('"a"')}`],
  ['a number beyond all numbers', `{"model":"m","max_tokens":1e999,"messages":[{"role":"user","content":"a"}]}`],
  ['a negative number of tokens', `{"model":"m","max_tokens":-5,"messages":[{"role":"user","content":"a"}]}`],
  ['a model of 100,000 characters', contents('"a"').replace('"m"', `"${'m'.repeat(100_000)}"`)],
  ['a model that is a list', contents('"a"').replace('"m"', '["m"]')],
  ['messages without roles', messages('[{"content":"a"},{},null,7]')],
  ['a result without its call', contents('[{"type":"tool_result","tool_use_id":"toolu_9","content":"a"}]')],
  ['two calls of one id', messages(`[{"role":"user","content":"a"},{"role":"assistant","content":[${twice()}]}]`)],
  [
    'a list that ends with the assistant',
    messages('[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]'),
  ],
  [
    '2,000 messages',
    messages(JSON.stringify(Array.from({ length: 2_000 }, () => ({ role: 'user', content: 'same' })))),
  ],
  ['nothing', ''],
  ['null', 'null'],
];

function twice(): string {
  const call = '{"type":"tool_use","id":"toolu_1","name":"f","input":{}}';
  return `${call},${call}`;
}

test('K2 bodies that are made to do harm are answered, and go out as they came', async (t) => {
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{"ok":1}')));
  await using store = await openStore({ path: ':memory:' });
  const middle = openConversations({ store });
  await using gateway = await gatewayBefore(upstream.url, {}, { middle });
  for (const [title, body] of cases) {
    await t.test(title, async () => {
      for (const path of [
        '/v1/messages',
        '/v1/chat/completions',
        '/v1/responses',
        '/v1beta/models/m:generateContent',
      ]) {
        const response = await fetch(`${gateway.url}${path}`, { method: 'POST', body });
        assert.deepEqual([response.status, await response.text()], [200, '{"ok":1}'], path);
        assert.ok(upstream.requests.at(-1)?.body.equals(Buffer.from(body)), path);
      }
      assert.equal(Reflect.get({}, 'role'), undefined);
    });
  }
  assert.match(await (await fetch(`${gateway.url}/metrics`)).text(), /middle_errors_total 0/);
  await middle.stop();
});
