/** What every dialect has in common: keeping requests, pace, faults, and an end without loose threads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DialectName, type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import fc from 'fast-check';
import { fakeProviderAt } from '../../packages/core/src/testing/fake-provider.ts';
import { piecesOf } from '../../packages/core/src/transcript/wire/answer.ts';
import { text } from './replies.ts';

const messages = [{ role: 'user', content: 'Hello' }];
const requests: Readonly<Record<DialectName, { path: string; body: object }>> = {
  'openai-chat': { path: '/v1/chat/completions', body: { model: 'm', messages } },
  'openai-responses': { path: '/v1/responses', body: { model: 'm', input: 'Hello' } },
  anthropic: { path: '/v1/messages', body: { model: 'm', max_tokens: 100, messages } },
  gemini: {
    path: '/v1beta/models/m:generateContent',
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  },
};
const dialects: readonly DialectName[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];

function post(fake: FakeProvider, dialect: DialectName, more: { stream?: boolean } = {}): Promise<Response> {
  const { path, body } = requests[dialect];
  // Gemini is told by the path to stream.
  const streamed = path.replace(':generateContent', ':streamGenerateContent?alt=sse');
  return fetch(fake.url + (more.stream ? streamed : path), {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'anthropic-version': '2023-06-01',
      'x-api-key': 'hush',
      cookie: 'hush',
    },
    body: JSON.stringify({ ...body, ...more }),
  });
}

test('a request is kept with everything but its secrets', async () => {
  await using fake = await startFakeProvider();
  for (const dialect of dialects) await (await post(fake, dialect)).text();
  assert.deepEqual(
    fake.requests.map(({ number, dialect, method, path, model, stream, status, aborted }) => [
      number,
      dialect,
      method,
      path,
      model,
      stream,
      status,
      aborted,
    ]),
    dialects.map((dialect, index) => [index + 1, dialect, 'POST', requests[dialect].path, 'm', false, 200, false]),
  );
  assert.equal(JSON.stringify(fake.requests).includes('hush'), false);
  assert.equal(fake.requests[0]?.headers['x-api-key'], '[hidden]');
  assert.deepEqual(
    fake.requests.map((request) => request.messages.map(({ parts }) => parts[0])),
    dialects.map(() => [{ type: 'text', text: 'Hello' }]),
  );
});

test('the same requests get the same bytes on every run, and no date', async () => {
  const run = async (): Promise<readonly string[]> => {
    await using fake = await startFakeProvider();
    const seen: string[] = [];
    for (const dialect of dialects) {
      for (const stream of [false, true]) {
        fake.reply({ text, reasoning: 'Hm.', toolCalls: [{ name: 'ls', input: {} }] });
        const response = await post(fake, dialect, { stream });
        assert.equal(response.headers.has('date'), false);
        seen.push(await response.text());
      }
    }
    return seen;
  };
  assert.deepEqual(await run(), await run());
});

test('bodies carry the clock that was passed in', async () => {
  await using fake = await fakeProviderAt(() => 1_234_567, {});
  const body = await (await post(fake, 'openai-chat')).text();
  assert.match(body, /"created":1234,/);
});

test('scripts answer in their order, then the script of the options', async () => {
  await using fake = await startFakeProvider({ script: { text: 'otherwise' } });
  fake.reply({ text: 'first' }, (request) => ({ text: `request ${request.number}` }));
  const said: string[] = [];
  for (let at = 0; at < 3; at++) said.push(await (await post(fake, 'openai-chat')).text());
  assert.ok(said[0]?.includes('"first"') && said[1]?.includes('"request 2"') && said[2]?.includes('"otherwise"'));
});

test('a script that throws is a failure that names its error', async () => {
  await using fake = await startFakeProvider();
  fake.reply(() => {
    throw new Error('no such case');
  });
  const response = await post(fake, 'anthropic');
  assert.equal(response.status, 500);
  assert.equal(response.headers.get('x-should-retry'), 'false');
  assert.match(await response.text(), /The script for request 1 threw: no such case/);
});

test('waits go through the timer that was passed in: before the first byte, and between pieces', async () => {
  const waits: number[] = [];
  await using fake = await startFakeProvider({ wait: async (ms) => void waits.push(ms) });
  fake.reply({ text: 'abcdef', delayMs: 5_000, pieceChars: 2, pieceDelayMs: 70 });
  await (await post(fake, 'openai-chat', { stream: true })).text();
  assert.deepEqual(waits, [5_000, 70, 70]);
});

for (const dialect of dialects) {
  test(`${dialect}: the connection drops after so many characters, in a stream and in a whole body`, async () => {
    await using fake = await startFakeProvider();
    fake.reply({ text: 'abcdefghij'.repeat(10), pieceChars: 10, closeAfter: 25 }, { text, closeAfter: 25 });
    const seen: string[] = [];
    await assert.rejects(async () => {
      const { body } = await post(fake, dialect, { stream: true });
      for await (const bytes of body ?? []) seen.push(new TextDecoder().decode(bytes));
    });
    const pieces = seen.join('').match(/abcdefghij/g) ?? [];
    // Responses repeats the text when it is complete, which it never was.
    assert.equal(pieces.length, 3);
    await assert.rejects(async () => (await post(fake, dialect)).text());
    assert.equal(
      fake.requests.some(({ aborted }) => aborted),
      false,
    );
  });

  test(`${dialect}: one event of a malformed stream is no JSON, and the others are`, async () => {
    await using fake = await startFakeProvider();
    fake.reply({ text, malformed: true }, { text, malformed: true });
    const events = (await (await post(fake, dialect, { stream: true })).text()).matchAll(/^data: (.*)$/gm);
    const broken = [...events].filter(([, data = '']) => data !== '[DONE]' && !isJson(data));
    assert.equal(broken.length, 1);
    assert.equal(isJson(await (await post(fake, dialect)).text()), false);
  });

  test(`${dialect}: a request that hangs ends when the provider is closed, and the client is told`, async () => {
    const fake = await startFakeProvider();
    fake.reply({ hang: true });
    const answer = assert.rejects(post(fake, dialect));
    const request = await fake.received(1);
    await fake.close();
    await answer;
    await request.ended;
    assert.equal(request.aborted, false);
    await fake.close();
  });
}

test('raw bytes are sent as they are', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ raw: { contentType: 'text/html', body: '<p>Sign in</p>', status: 203 } });
  const response = await post(fake, 'openai-chat');
  assert.equal(response.status, 203);
  assert.equal(response.headers.get('content-type'), 'text/html');
  assert.equal(await response.text(), '<p>Sign in</p>');
});

test('usage that is not to be reported is in no body', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ text, usage: 'none' }, { text, usage: 'none' });
  assert.equal((await (await post(fake, 'openai-chat')).text()).includes('"usage"'), false);
  assert.match(await (await post(fake, 'openai-responses')).text(), /"usage":null/);
});

test('each model has a window of its own, which the list of models tells, and the others have none', async () => {
  await using fake = await startFakeProvider({ contextLength: { large: 400, small: 100 }, script: { text } });
  const list: unknown = await (await fetch(`${fake.url}/v1/models`)).json();
  const rows = [
    ['large', 400],
    ['small', 100],
  ].map(([id, tokens]) => ({ id, object: 'model', created: 1_767_225_600, owned_by: 'fake', max_model_len: tokens }));
  assert.deepEqual(list, { object: 'list', data: rows });
  const statusOf = async (model: string): Promise<number> => {
    const messages = [{ role: 'user', content: 'word '.repeat(200) }];
    const body = JSON.stringify({ model, messages });
    return (await fetch(`${fake.url}/v1/chat/completions`, { method: 'POST', body })).status;
  };
  assert.deepEqual([await statusOf('large'), await statusOf('small'), await statusOf('constructor')], [200, 400, 200]);
});

test('a path that no API has is answered with 404 and kept', async () => {
  await using fake = await startFakeProvider();
  for (const path of ['/chat/completions', '/v1/v1/messages', '/v1/chat/completions/7', '/']) {
    const response = await fetch(fake.url + path, { method: 'POST', body: '{}' });
    assert.equal(response.status, 404, path);
  }
  assert.equal((await fetch(`${fake.url}/v1/chat/completions`)).status, 404);
  assert.equal(fake.requests.length, 5);
});

test('a text in pieces is the text, and no piece tears a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 9 }), (whole, size) => {
      const pieces = [...piecesOf(whole, size)];
      assert.equal(pieces.join(''), whole);
      assert.ok(pieces.every((piece) => piece.isWellFormed() && piece.length <= Math.max(2, size)));
    }),
  );
});

function isJson(body: string): boolean {
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}
