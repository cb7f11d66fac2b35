/** What ends a request before its answer: limits of time, size and number. Each is told in the words of the client's dialect. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import type { DialectName } from '@palimpsest/core/testing';
import { startFakeProvider } from '@palimpsest/core/testing';
import { gatewayBefore, handTimers, nobody } from './support/gateway.ts';
import { dialectNames, streamRequests } from './support/recorded.ts';
import { answerIn, answerOf, exchange, openSocket, postOf, readAll, wireUpstream } from './support/wire.ts';

const ask = (url: string, dialect: DialectName): Promise<Response> => {
  const { path, headers, body } = streamRequests[dialect];
  return fetch(`${url}${path}`, { method: 'POST', headers, body });
};

type ErrorBody = Record<string, Record<string, unknown>>;

// JSON.parse says nothing of what it gives; what is missing fails the test that looks for it.
const bodyOf = async (answer: Response): Promise<ErrorBody> => JSON.parse(await answer.text()) as ErrorBody;

/** The words of a failure, by dialect: what a client looks at to decide. */
const kindIn: Readonly<Record<DialectName, (body: ErrorBody) => unknown>> = {
  'openai-chat': ({ error }) => error?.type,
  'openai-responses': ({ error }) => error?.type,
  anthropic: ({ type, error }) => [type, error?.type],
  gemini: ({ error }) => [error?.code, error?.status],
};

describe('an upstream that cannot be reached', () => {
  const kinds: Readonly<Record<DialectName, unknown>> = {
    'openai-chat': 'server_error',
    'openai-responses': 'server_error',
    anthropic: ['error', 'api_error'],
    gemini: [502, 'UNAVAILABLE'],
  };
  for (const dialect of dialectNames) {
    test(`K2 is a 502 in the words of ${dialect}, and says that nothing was sent`, async () => {
      await using gateway = await gatewayBefore(nobody);
      const answer = await ask(gateway.url, dialect);
      const body = await bodyOf(answer);
      assert.deepEqual([answer.status, kindIn[dialect](body)], [502, kinds[dialect]]);
      assert.match(String(body.error?.message), /connection to 127\.0\.0\.1:9, got ECONNREFUSED; nothing was sent/);
      assert.equal(answer.headers.get('x-palimpsest-error'), 'upstream-unreachable');
    });
  }

  test('K2 is tried again while it is being started, since nothing was sent', async () => {
    const port = await freePort();
    const timers = handTimers();
    await using gateway = await gatewayBefore(`http://127.0.0.1:${port}`, {}, { timers });
    const asked = ask(gateway.url, 'anthropic');
    // What somebody else answers at that port would leave this waiting.
    const answered = asked.then(({ status }) => assert.fail(`answered ${status} before the upstream was there`));
    await Promise.race([timers.started(100), answered]);
    await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{"a":1}')), port);
    timers.fire(100);
    assert.equal((await asked).status, 200);
    assert.equal(upstream.requests.length, 1);
    await assert.rejects(answered);
  });

  test('K2 is not tried again once bytes were sent', async () => {
    await using upstream = await wireUpstream(({ socket }) => socket.destroy());
    await using gateway = await gatewayBefore(upstream.url);
    const answer = await ask(gateway.url, 'openai-chat');
    assert.deepEqual([answer.status, upstream.requests.length], [502, 1]);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address ? address.port : 0;
}

describe('an upstream that is silent', () => {
  const kinds: Readonly<Record<DialectName, unknown>> = {
    'openai-chat': 'server_error',
    'openai-responses': 'server_error',
    anthropic: ['error', 'timeout_error'],
    gemini: [504, 'DEADLINE_EXCEEDED'],
  };
  for (const dialect of dialectNames) {
    test(`K2 before its answer, is a 504 in the words of ${dialect}, with advice`, async () => {
      await using fake = await startFakeProvider();
      await using gateway = await gatewayBefore(fake.url, { firstByteTimeoutSeconds: 0.05 });
      fake.reply({ hang: true });
      const answer = await ask(gateway.url, dialect);
      const body = await bodyOf(answer);
      assert.deepEqual([answer.status, kindIn[dialect](body)], [504, kinds[dialect]]);
      assert.match(String(body.error?.message), /within 0\.05 s.*raise gateway\.first_byte_timeout_seconds/);
      await (await fake.received(1)).ended;
    });
  }

  test('K2 in the middle of its answer, ends both connections', async () => {
    await using fake = await startFakeProvider();
    await using gateway = await gatewayBefore(fake.url, { silenceTimeoutSeconds: 0.05 });
    fake.reply({ text: 'One. Two.', pieceChars: 4, hangAfter: 4 });
    const answer = await ask(gateway.url, 'anthropic');
    await assert.rejects(answer.text());
    await (await fake.received(1)).ended;
    const page = await (await fetch(`${gateway.url}/metrics`)).text();
    assert.match(page, /upstream_errors_total\{dialect="anthropic",kind="silence"\} 1/);
  });
});

test('K2 a client that leaves its answer unread is let go after a while', async () => {
  const timers = handTimers();
  const piece = Buffer.alloc(65_536, 'x');
  await using upstream = await wireUpstream(({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 999999999\r\n\r\n');
    const pump = (): void => {
      while (!socket.destroyed && socket.write(piece));
      socket.once('drain', pump);
    };
    pump();
  });
  await using gateway = await gatewayBefore(upstream.url, { silenceTimeoutSeconds: 77 }, { timers });
  const client = openSocket(gateway.url).pause();
  client.write(postOf('/v1/messages'));
  const { socket } = await upstream.received(1);
  const left = new Promise((resolve) => socket.once('close', resolve));
  // A wait may end because the client's system took what was written; one of them does not.
  while (!socket.closed) {
    await Promise.race([left, timers.started(77_000)]);
    timers.fire(77_000);
  }
  client.destroy();
});

describe('bodies', () => {
  test('K2 one that says that it is too large is refused before it is read', async () => {
    await using gateway = await gatewayBefore(nobody, { maxBodyMb: 0.001 });
    const bytes = `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n${'x'.repeat(9_000)}`;
    const answer = await exchange(gateway.url, bytes);
    const { error } = JSON.parse(answer.body.toString());
    assert.deepEqual([answer.status, error.type], [413, 'request_too_large']);
    assert.match(error.message, /at most 1048 bytes.*gateway\.max_body_mb/);
  });

  test('K2 one that becomes too large is refused, and what still comes of it is not kept', async () => {
    await using gateway = await gatewayBefore(nobody, { maxBodyMb: 0.001 });
    const client = openSocket(gateway.url);
    const all = readAll(client);
    client.write('POST /v1/responses HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (let at = 0; at < 64; at++) client.write(`400\r\n${'y'.repeat(1_024)}\r\n`);
    client.write('0\r\n\r\n');
    assert.equal(answerIn(await all).status, 413);
  });

  test('K2 one whose next piece does not come is refused', async () => {
    const timers = handTimers();
    await using gateway = await gatewayBefore(nobody, { receiveTimeoutSeconds: 33 }, { timers });
    const client = openSocket(gateway.url);
    const all = readAll(client);
    client.write('POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"a"');
    // Once where something came since, and once where nothing did.
    for (let look = 0; look < 2; look++) {
      await Promise.race([timers.started(33_000), timers.started(1_000)]);
      timers.fire(33_000);
    }
    await timers.started(1_000);
    timers.fire(1_000);
    const answer = answerIn(await all);
    assert.equal(answer.status, 408);
    assert.match(answer.head, /^x-palimpsest-error: body-too-slow$/m);
  });

  test('K2 one that asks before it comes is refused before it is sent', async () => {
    await using gateway = await gatewayBefore(nobody, { maxBodyMb: 0.001 });
    const bytes =
      'POST /v1/admin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n';
    const client = openSocket(gateway.url);
    const all = readAll(client);
    client.write(bytes);
    client.once('data', () => client.end());
    assert.equal(answerIn(await all).status, 404);
  });
});

describe('heads', () => {
  test('K2 one that comes too slowly is refused (slow loris), and the gateway serves others meanwhile', async () => {
    await using gateway = await gatewayBefore(nobody, { receiveTimeoutSeconds: 0.2 });
    const clients = Array.from({ length: 50 }, () => openSocket(gateway.url));
    const all = clients.map(readAll);
    for (const client of clients) client.write('POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    assert.equal((await fetch(`${gateway.url}/healthz`)).status, 200);
    const answers = (await Promise.all(all)).map(answerIn);
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [408]);
  });

  test('K2 one that is too large is refused', async () => {
    await using gateway = await gatewayBefore(nobody);
    const answer = await exchange(gateway.url, postOf('/v1/messages', '{}', [`X-Large: ${'x'.repeat(70_000)}`]));
    assert.equal(answer.status, 431);
    assert.match(answer.head, /^x-palimpsest-error: headers-too-large$/m);
  });
});

describe('numbers', () => {
  test('K2 more requests at a time than allowed are told to wait', async () => {
    await using fake = await startFakeProvider();
    await using gateway = await gatewayBefore(fake.url, { maxRequests: 1 });
    fake.reply({ hang: true });
    const leave = new AbortController();
    const { path, headers, body } = streamRequests.anthropic;
    const first = fetch(`${gateway.url}${path}`, { method: 'POST', headers, body, signal: leave.signal });
    await fake.received(1);
    const answer = await ask(gateway.url, 'anthropic');
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1']);
    assert.equal((await bodyOf(answer)).error?.type, 'overloaded_error');
    leave.abort();
    await assert.rejects(first);
    await (await fake.received(1)).ended;
  });

  test('K2 more requests a minute than allowed are told how long to wait, each caller for himself', async () => {
    let now = 0;
    await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
    await using gateway = await gatewayBefore(upstream.url, { requestsPerMinute: 2 }, { now: () => now });
    const status = async (): Promise<number> => (await ask(gateway.url, 'openai-responses')).status;
    assert.deepEqual([await status(), await status()], [200, 200]);
    const refused = await ask(gateway.url, 'openai-responses');
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '30']);
    assert.equal((await bodyOf(refused)).error?.type, 'rate_limit_error');
    now = 30_000;
    assert.deepEqual([await status(), await status()], [200, 429]);
  });
});
