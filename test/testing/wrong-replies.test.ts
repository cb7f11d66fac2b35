/** Replies of a wrong shape, as tests without a compiler write them: the error says what was expected, and where. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Reply, startFakeProvider } from '@palimpsest/core/testing';

const ask = (url: string, stream = false): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'Hello' }] }),
  });

const reply = (value: unknown): Reply => value as Reply; // as a caller without a compiler has it

test('K2 a reply of the wrong shape is refused where it is given', async () => {
  await using fake = await startFakeProvider();
  for (const [given, message] of [
    [
      { toolCalls: [{ name: 'bash', arguments: { command: 'ls' } }] },
      'expected a member of call 0 in toolCalls of a reply, got arguments: its members are name, input, id, namespace',
    ],
    [
      { toolCalls: [{ name: 'bash' }] },
      'expected as input of call 0 in toolCalls of a reply the arguments as an object, or as the text to send, got undefined',
    ],
    [{ toolcalls: [] }, 'expected a member of a reply, got toolcalls: did you mean toolCalls?'],
    [{ text: ['Hello'] }, 'expected as text of a reply a text, got a list'],
    [{ error: { status: 99 } }, 'expected as status of error of a reply an HTTP status from 200 to 599, got 99'],
    [{ usage: { inputTokens: '7' } }, 'expected as inputTokens of usage of a reply a number of tokens from 0, got "7"'],
    [{ pieceChars: 0 }, 'expected as pieceChars of a reply a number of characters from 1, got 0'],
    [undefined, 'expected a reply as an object, got undefined'],
  ] as const) {
    assert.throws(() => fake.reply({ text: 'first' }, reply(given)), { code: 'BAD_OPTION', message });
  }
  fake.reply({ text: 'right' });
  const { choices } = (await (await ask(fake.url)).json()) as { choices: { message: { content: string } }[] };
  assert.equal(choices[0]?.message.content, 'right', 'nothing of the refused calls was queued');
});

test('K2 a function that gives a reply of the wrong shape is answered with a failure that says so', async () => {
  await using fake = await startFakeProvider({ script: () => reply({ toolCalls: [{ name: 'x', arguments: '{}' }] }) });
  for (const stream of [false, true]) {
    const response = await ask(fake.url, stream);
    assert.equal(response.status, 500);
    assert.match(await response.text(), /gave no reply: expected a member of call 0 .* got arguments/);
  }
  const circular: Record<string, unknown> = {};
  circular.self = circular;
  fake.reply(reply({ toolCalls: [{ name: 'x', input: circular }] }), { text: 'still there' });
  const response = await ask(fake.url);
  assert.equal(response.status, 500);
  assert.match(await response.text(), /cannot be sent: .*circular/);
  assert.match(await (await ask(fake.url)).text(), /still there/);
});

test('K2 an option of the fake provider that is none is refused', async () => {
  const options: object = { contextLenght: 1_000 };
  await assert.rejects(startFakeProvider(options), {
    code: 'BAD_OPTION',
    message: /contextLenght: did you mean contextLength\?/,
  });
  await assert.rejects(startFakeProvider({ script: reply({ txt: '' }) }), {
    code: 'BAD_OPTION',
    message: /did you mean text\?/,
  });
});
