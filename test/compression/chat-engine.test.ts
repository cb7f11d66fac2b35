import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimatingTokenizer, fromOpenAiChat, validate } from '@palimpsest/core';
import { type Compressor, createChatCompressor, type JsonObject } from '@palimpsest/core/engine';
import { deepFreeze } from '../support/conversations.ts';
import { chatMessages } from '../support/small-session.ts';

const engine = (): Compressor<JsonObject> =>
  createChatCompressor({ tokenizer: estimatingTokenizer('claude'), contextLength: 8_000 });
/** Plain JSON, as a host has it. */
const session = (turns: number): readonly JsonObject[] => deepFreeze(JSON.parse(JSON.stringify(chatMessages(turns))));
const isHandoff = (message: JsonObject): boolean => JSON.stringify(message).includes('<handoff covers=');

test('E5: plain chat messages go in unchanged and come back as the very objects, or as the very list', async () => {
  const compressor = engine();
  const list = session(40);
  const next = await compressor.compress(list);
  const known = new Set(list);
  assert.ok(next.filter((message) => known.has(message)).length >= 3);
  assert.deepEqual(validate(fromOpenAiChat(next)), []);
  const short = list.slice(0, 3);
  assert.equal(await engine().compress(short), short);
});

for (const [how, sent] of [
  ['as the same objects', (list: readonly JsonObject[]) => list],
  ['as JSON from a store', (list: readonly JsonObject[]): readonly JsonObject[] => JSON.parse(JSON.stringify(list))],
] as const) {
  test(`A6: a list that comes back ${how} keeps its numbers over five passes`, async () => {
    const compressor = engine();
    const all = session(90);
    let list = all.slice(0, 240);
    for (let pass = 0; pass < 5; pass++) {
      const next = await compressor.compress(sent(list));
      assert.equal(next.filter(isHandoff).length, 1);
      list = [...next, ...all.slice(240 + 60 * pass, 300 + 60 * pass)];
    }
    await compressor.compress(sent(list));
    const said = all.slice(0, 240 + 300);
    for (const [at, message] of said.entries()) assert.deepEqual(compressor.expand(`m${at + 1}`), message);
    assert.equal(compressor.expand(`m${said.length + 1}`), undefined);
    assert.match(JSON.stringify(list[1] ?? null), /covers=\\"m2-m/);
  });
}

test('A4: calls of the old kind keep their results when the list grows', async () => {
  const turn = (n: number): readonly JsonObject[] => [
    { role: 'user', content: `Read file ${n}.` },
    { role: 'assistant', content: null, function_call: { name: 'read', arguments: `{"path":"${n}.txt"}` } },
    { role: 'function', name: 'read', content: `line of file ${n}\n`.repeat(60) },
    { role: 'assistant', content: `Read ${n}.` },
  ];
  const compressor = engine();
  const list = Array.from({ length: 40 }, (_, n) => turn(n)).flat();
  const next = await compressor.compress(list.slice(0, -2));
  const again = await compressor.compress([...next, ...list.slice(-2), ...turn(41), ...turn(42)]);
  for (const messages of [next, again]) assert.deepEqual(validate(fromOpenAiChat(messages)), []);
  assert.ok(again.filter(({ role }) => role === 'function').length >= 1);
});

test('F1: what is no chat message is an error, never left out', async () => {
  const lists = [[...session(2), null], [{ content: 'nobody said this' }], 'hello'];
  for (const list of lists) {
    // As a caller without a compiler would give it.
    const given = list as readonly JsonObject[];
    await assert.rejects(engine().compress(given), { code: 'BAD_MESSAGES' });
  }
});
