/** Requests that mean harm, or are none: each gets a clear answer or the end of its connection, and the gateway lives on. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { gatewayBefore, type TestGateway } from './support/gateway.ts';
import {
  answerIn,
  answerOf,
  exchange,
  openSocket,
  postOf,
  readAll,
  type WireAnswer,
  type WireUpstream,
  wireUpstream,
} from './support/wire.ts';

let upstream: WireUpstream;
let gateway: TestGateway;

before(async () => {
  upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
  gateway = await gatewayBefore(upstream.url, { maxBodyMb: 1, receiveTimeoutSeconds: 1 });
});

after(async () => {
  await gateway[Symbol.asyncDispose]();
  await upstream[Symbol.asyncDispose]();
});

const lives = async (): Promise<boolean> => (await fetch(`${gateway.url}/healthz`)).status === 200;

describe('paths', () => {
  const targets: readonly (readonly [target: string, status: number])[] = [
    ['/v1/../admin', 404],
    ['/v1/./messages', 404],
    ['/v1//messages', 404],
    ['//v1/messages', 404],
    ['/v1/messages/', 404],
    ['/v1/messages/..%2f..%2fadmin', 404],
    ['/v1%2fmessages', 404],
    ['/%76%31/messages', 404],
    ['/V1/messages', 404],
    ['/v1/messages%00', 404],
    ['/v1/messages\\..\\admin', 404],
    ['/v1/messages;x=y', 404],
    ['/v1beta/models/../../admin:generateContent', 404],
    ['/v1beta/models/a%2f..%2fb:generateContent', 404],
    ['/v1beta/models/m:deleteEverything', 404],
    ['/v1beta/models/m:constructor', 404],
    ['/v1/__proto__', 404],
    ['/constructor', 404],
    [`/v1/messages?${'q'.repeat(9_000)}`, 404],
    ['http://evil.example/v1/messages', 400],
    ['https://127.0.0.1/v1/messages', 400],
    ['*', 400],
  ];
  for (const [target, status] of targets) {
    test(`K2 ${JSON.stringify(target.slice(0, 50))} is answered with ${status}, and nothing is sent on`, async () => {
      const seen = upstream.requests.length;
      const answer = await exchange(gateway.url, postOf(target));
      assert.equal(answer.status, status);
      assert.match(answer.head, /^x-palimpsest-error: (?:unknown-path|bad-target)$/m);
      assert.equal(upstream.requests.length, seen);
    });
  }

  for (const target of [
    '/v1/models/..',
    '/v1/models/%2e%2e',
    '/v1/models/a%2F..%2Fb',
    '/v1/models/a/../b',
    '/v1/models/',
  ]) {
    test(`K2 the model ${target} does not exist`, async () => {
      const seen = upstream.requests.length;
      const bytes = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      assert.equal((await exchange(gateway.url, bytes)).status, 404);
      assert.equal(upstream.requests.length, seen);
    });
  }

  test('K2 a 404 names what is there', async () => {
    const answer = await exchange(gateway.url, postOf('/v1/nothing'));
    assert.match(answer.body.toString(), /\/v1\/messages, .*got \\"\/v1\/nothing\\"/);
  });
});

describe('methods', () => {
  const methods: readonly (readonly [line: string, status: number, allow: string | undefined])[] = [
    ['GET /v1/messages', 405, 'POST, OPTIONS'],
    ['HEAD /v1/messages', 405, 'POST, OPTIONS'],
    ['DELETE /v1/messages', 405, 'POST, OPTIONS'],
    ['PUT /v1/models', 405, 'GET, HEAD, OPTIONS'],
    ['OPTIONS /v1/messages', 204, 'POST, OPTIONS'],
    ['OPTIONS /v1/models', 204, 'GET, HEAD, OPTIONS'],
    ['OPTIONS *', 204, 'POST, OPTIONS'],
    ['HEAD /', 200, undefined],
    ['HEAD /v1/models', 200, undefined],
    ['CONNECT evil.example:443', 405, undefined],
    ['TRACE /v1/messages', 405, 'POST, OPTIONS'],
    ['BREW /v1/messages', 400, undefined],
  ];
  for (const [line, status, allow] of methods) {
    test(`K2 ${line} is answered with ${status}`, async () => {
      const answer = await exchange(gateway.url, `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      assert.deepEqual([answer.status, /^allow: (.+)$/im.exec(answer.head)?.[1]], [status, allow]);
    });
  }

  test('K2 a page gets no permission to call, whatever it asks (CORS)', async () => {
    const asked =
      'OPTIONS /v1/messages HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nAccess-Control-Request-Method: POST';
    const answer = await exchange(gateway.url, `${asked}\r\nConnection: close\r\n\r\n`);
    assert.doesNotMatch(answer.head, /access-control/i);
  });

  test('K2 the upgrade to a WebSocket is answered with 426 at once', async () => {
    const head =
      'GET /v1/responses HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nopenai-beta: responses_websockets=2026-02-06';
    const answer = await exchange(
      gateway.url,
      `${head}\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );
    assert.equal(answer.status, 426);
    assert.match(answer.head, /^upgrade: HTTP\/1\.1$/m);
  });
});

describe('smuggling', () => {
  const heads: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['both lengths', ['Content-Length: 4', 'Transfer-Encoding: chunked']],
    ['both lengths, the other way round', ['Transfer-Encoding: chunked', 'Content-Length: 4']],
    ['two lengths', ['Content-Length: 4', 'Content-Length: 5']],
    ['a length that is none', ['Content-Length: 4x']],
    ['a negative length', ['Content-Length: -1']],
    ['a coding that is none', ['Transfer-Encoding: xchunked']],
    ['a coding behind a blank', ['Transfer-Encoding : chunked']],
    ['a folded header', ['X-A: 1', ' Transfer-Encoding: chunked']],
    ['a bare line feed', ['X-A: 1\nX-B: 2']],
    ['a bare carriage return', ['X-A: 1\rX-B: 2']],
    ['a null byte', ['X-A: a\0b']],
    ['a name with a blank', ['X A: 1']],
    ['a chunk size that is none', ['Transfer-Encoding: chunked', 'X-Body: bad']],
  ];
  for (const [title, lines] of heads) {
    test(`K2 a request with ${title} is refused, and nothing is sent on`, async () => {
      const seen = upstream.requests.length;
      const body = 'zz\r\nGET /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n';
      const answer = await exchange(
        gateway.url,
        `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
      );
      assert.equal(answer.status, 400, answer.head);
      assert.equal(upstream.requests.length, seen);
    });
  }

  test('K2 a header with CR and LF in a value of a middle cannot be sent', async () => {
    const middle = {
      prepare: async ({ body }: { body: Uint8Array }) => ({ body, headers: [['x-a', 'b\r\nx-evil: 1']] as const }),
    };
    await using other = await gatewayBefore(upstream.url, {}, { middle });
    const seen = upstream.requests.length;
    const answer = await exchange(other.url, postOf('/v1/messages'));
    assert.equal(answer.status, 400);
    assert.match(answer.body.toString(), /printable characters.*nothing was sent/);
    assert.equal(upstream.requests.length, seen);
  });

  test('K2 garbage behind a whole request does not take its answer away, and ends the connection', async () => {
    const go = Promise.withResolvers<void>();
    await using slow = await wireUpstream(
      ({ socket }) => void go.promise.then(() => socket.write(answerOf('{"a":1}'))),
    );
    await using other = await gatewayBefore(slow.url);
    const client = openSocket(other.url);
    const all = readAll(client);
    client.write(
      `${postOf('/v1/messages').toString('latin1').replace('Connection: close', 'X-A: 1')}\0garbage\r\n\r\n`,
    );
    await slow.received(1);
    go.resolve();
    assert.deepEqual([answerIn(await all).status, answerIn(await all).body.toString()], [200, '{"a":1}']);
  });

  test('K2 two requests in one packet are answered one after the other', async () => {
    const first = postOf('/v1/messages').toString('latin1').replace('Connection: close', 'Connection: keep-alive');
    const client = openSocket(gateway.url);
    client.write(first + postOf('/v1/nothing').toString('latin1'));
    const statuses = [...(await readAll(client)).toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/g)].map(
      ([, status]) => status,
    );
    assert.deepEqual(statuses, ['200', '404']);
  });
});

describe('random requests', () => {
  /** Numbers of a seed, the same each time. */
  function* numbers(seed: number): Generator<number> {
    for (let state = seed; ; ) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      yield state;
    }
  }

  const bodies = ['{}', '[', '{"a":', '\ud800', '\0', 'null', '"', '{"messages":[{}]}', '\xff\xfe', 'data: x\n\n'];
  const lines = [
    'POST /v1/messages HTTP/1.1',
    'POST /v1/responses HTTP/1.1',
    'GET /v1/models HTTP/1.1',
    'POST /v1/chat/completions HTTP/1.0',
  ];

  /** A request that is right but for bytes that were changed, taken away or added. */
  function spoiled(random: Generator<number>): { readonly bytes: Buffer; readonly isCut: boolean } {
    const next = (below: number): number => (random.next().value ?? 0) % below;
    const body = Array.from({ length: next(20) }, () => bodies[next(bodies.length)]).join('');
    const whole = Buffer.from(
      `${lines[next(lines.length)]}\r\nHost: localhost\r\nX-${next(99)}: ${'y'.repeat(next(200))}\r\nContent-Length: ${Buffer.byteLength(body, 'latin1')}\r\nConnection: close\r\n\r\n${body}`,
      'latin1',
    );
    for (let change = next(4); change > 0; change--) whole[next(whole.length)] = next(256);
    const isCut = next(5) === 0;
    return { bytes: isCut ? whole.subarray(0, next(whole.length)) : whole, isCut };
  }

  /** The first answer, or what came before the connection ended. What was cut short is followed by the end of the client. */
  async function answerTo({ bytes, isCut }: ReturnType<typeof spoiled>): Promise<WireAnswer> {
    const client = openSocket(gateway.url);
    if (isCut) client.end(bytes);
    else client.write(bytes);
    const pieces: Buffer[] = [];
    client.on('data', (piece) => {
      pieces.push(piece);
      const answer = answerIn(Buffer.concat(pieces));
      if (answer.status !== 0 && answer.isWhole) client.destroy();
    });
    await new Promise((resolve) => client.once('close', resolve));
    return answerIn(Buffer.concat(pieces));
  }

  test('K2 10,000 of them leave the gateway alive, each with an answer or an ended connection', {
    timeout: 180_000,
  }, async () => {
    const random = numbers(20_261_123);
    const statuses = new Map<number, number>();
    let left = 10_000;
    const lane = async (): Promise<void> => {
      while (left-- > 0) {
        const { status } = await answerTo(spoiled(random));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 64 }, lane));
    assert.ok(await lives());
    const total = [...statuses.values()].reduce((sum, count) => sum + count, 0);
    assert.equal(total, 10_000);
    const known = new Set([0, 200, 204, 400, 403, 404, 405, 408, 413, 417, 426, 431, 501, 502, 505]);
    assert.deepEqual(
      [...statuses.keys()].filter((status) => !known.has(status)),
      [],
    );
    assert.ok((statuses.get(200) ?? 0) > 1_000 && (statuses.get(400) ?? 0) > 500, JSON.stringify([...statuses]));
    const page = await (await fetch(`${gateway.url}/metrics`)).text();
    assert.match(page, /^palimpsest_gateway_open 0$/m);
  });
});
