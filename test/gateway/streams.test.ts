/** Streams pass as they come: each piece at once, none altered, none held back, none invented, at the pace of the client. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import { describe, test } from 'node:test';
import { type DialectName, startFakeProvider } from '@palimpsest/core/testing';
import { gatewayBefore, handTimers } from './support/gateway.ts';
import { dialectNames, recordedStream, streamRequests } from './support/recorded.ts';
import { answerIn, answerOf, exchange, openSocket, postOf, readAll, wireUpstream } from './support/wire.ts';

describe('split points', () => {
  for (const dialect of dialectNames) {
    test(`K2 a stream of ${dialect} arrives piece by piece, wherever it is split, within characters too`, async () => {
      const { bytes, type } = await recordedStream(dialect);
      await using pair = await splittingPair(bytes, type);
      const splits = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1);
      const wrong: number[] = [];
      const lane = async (): Promise<void> => {
        for (let split = splits.pop(); split !== undefined; split = splits.pop())
          if (!(await pair.arrives(dialect, split))) wrong.push(split);
      };
      await Promise.all(Array.from({ length: 8 }, lane));
      assert.ok(bytes.length > 300);
      assert.deepEqual(wrong, []);
    });
  }
});

describe('K2 pieces that come in one go', () => {
  const pieces = Array.from({ length: 40 }, (_, at) => `data: {"piece":${at},"text":"größer 🌍"}\n\n`);
  const chunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
  const all = head + pieces.map(chunk).join('');

  test('go on in one go, all of them and in order', async () => {
    await using upstream = await wireUpstream(({ socket }) => void socket.write(`${all}0\r\n\r\n`));
    await using gateway = await gatewayBefore(upstream.url);
    const socket = openSocket(gateway.url);
    socket.write(postOf('/v1/messages', '{}'));
    const bytes = await readAll(socket);
    assert.equal(answerIn(bytes).body.toString(), pieces.join(''));
    assert.equal(answerIn(bytes).isWhole, true);
    // The sizes of chunks stand alone on their lines; an event of these begins with a letter that no size has.
    const frames = bytes.toString('latin1').match(/\r\n[0-9a-f]+\r\n(?=data)/g) ?? [];
    assert.ok(frames.length < pieces.length / 4, `${frames.length} of ${pieces.length}`);
  });

  test('reach the client before the break that comes with them', async () => {
    await using upstream = await wireUpstream(({ socket }) => void socket.end(all));
    await using gateway = await gatewayBefore(upstream.url);
    const answer = await exchange(gateway.url, postOf('/v1/messages', '{}'));
    assert.deepEqual([answer.body.toString(), answer.isWhole], [pieces.join(''), false]);
  });
});

/**
 * An upstream that sends `bytes` in two pieces, the second only when the client has the first, with a gateway before it. A gateway that
 * held anything back would wait for ever.
 */
async function splittingPair(
  bytes: Buffer,
  type: string,
): Promise<AsyncDisposable & { readonly arrives: (dialect: DialectName, split: number) => Promise<boolean> }> {
  const waiting = new Map<string, () => void>();
  const server = createServer((incoming, response) => {
    const id = String(incoming.headers['x-split']);
    incoming.resume().once('end', () => {
      response.writeHead(200, { 'content-type': type });
      response.write(bytes.subarray(0, Number(id)));
      waiting.set(id, () => response.end(bytes.subarray(Number(id))));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const gateway = await gatewayBefore(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  const agent = new Agent({ keepAlive: true });
  return {
    arrives: async (dialect, split) => {
      const { path, headers, body } = streamRequests[dialect];
      const answer = await send(`${gateway.url}${path}`, {
        body,
        agent,
        headers: { ...headers, 'x-split': String(split) },
      });
      let got = Buffer.alloc(0);
      for await (const piece of answer) {
        got = Buffer.concat([got, piece]);
        if (got.length < split) continue;
        waiting.get(String(split))?.();
        waiting.delete(String(split));
      }
      return got.equals(bytes) && answer.headers['content-type'] === type;
    },
    [Symbol.asyncDispose]: async () => {
      agent.destroy();
      await gateway.end();
      server.close();
      server.closeAllConnections();
    },
  };
}

function send(
  url: string,
  { body, ...options }: { readonly body: string; readonly agent?: Agent; readonly headers: Record<string, string> },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', ...options }, resolve);
    asked.on('error', reject).end(body);
  });
}

test('K2 a client that does not read stops the upstream: of 200 MB, little more than the buffers of the system is taken', async () => {
  const piece = Buffer.alloc(65_536, 'x');
  const total = 200 * 1_024 * 1_024;
  let written = 0;
  let isFull = false;
  await using upstream = await wireUpstream(({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${total}\r\n\r\n`);
    const pump = (): void => {
      isFull = false;
      while (written < total && !isFull) {
        written += piece.length;
        isFull = !socket.write(piece);
      }
      if (isFull) socket.once('drain', pump);
    };
    pump();
  });
  await using gateway = await gatewayBefore(upstream.url);
  const before = process.memoryUsage().arrayBuffers;
  const client = openSocket(gateway.url).pause();
  client.write(postOf('/v1/messages'));
  await upstream.received(1);
  // Many times as long as everybody on the way takes to pass on what he can take.
  for (let quiet = 0, last = -1; quiet < 100; last = written) {
    await (await fetch(`${gateway.url}/healthz`)).text();
    quiet = isFull && written === last ? quiet + 1 : 0;
  }
  const held = process.memoryUsage().arrayBuffers - before;
  assert.ok(written < 40 * 1_024 * 1_024, `the upstream could write ${written} bytes`);
  assert.ok(held < 20 * 1_024 * 1_024, `${held} bytes are held`);
  let got = 0;
  client.on('data', (bytes) => {
    got += bytes.length;
  });
  client.resume();
  await once(client, 'close');
  assert.ok(got > total, `${got} bytes came of ${total}`);
});

test('K2 a client that is slow is not taken for an upstream that is silent', async () => {
  const body = Buffer.alloc(20 * 1_024 * 1_024, 'x');
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf(body)));
  // The gateway's own clock for the client stands still; that of the connection to the upstream runs.
  await using gateway = await gatewayBefore(upstream.url, { silenceTimeoutSeconds: 0.05 }, { timers: handTimers() });
  const client = openSocket(gateway.url).pause();
  client.write(postOf('/v1/messages'));
  await upstream.received(1);
  // Longer than any of its limits, counted in answers of the gateway.
  for (const start = performance.now(); performance.now() - start < 1_500; )
    await (await fetch(`${gateway.url}/healthz`)).text();
  const all = readAll(client);
  client.resume();
  const answer = answerIn(await all);
  assert.equal(answer.isWhole, true);
  assert.equal(answer.body.length, body.length);
});

describe('a client that goes away', () => {
  test('K2 ends the call of the upstream at once, before an answer has begun', async () => {
    await using fake = await startFakeProvider();
    await using gateway = await gatewayBefore(fake.url);
    fake.reply({ hang: true });
    const { path, headers, body } = streamRequests.anthropic;
    const asked = request(`${gateway.url}${path}`, { method: 'POST', headers }).on('error', () => undefined);
    asked.end(body);
    const seen = await fake.received(1);
    asked.destroy();
    await seen.ended;
    assert.equal(seen.aborted, true);
    assert.match(await (await fetch(`${gateway.url}/metrics`)).text(), /route="\/v1\/messages",status="499"\} 1/);
  });

  test('K2 ends the call of the upstream at once, in the middle of a stream', async () => {
    await using fake = await startFakeProvider();
    await using gateway = await gatewayBefore(fake.url);
    fake.reply({ text: 'One. Two.', pieceChars: 4, hangAfter: 4 });
    const { path, headers, body } = streamRequests.anthropic;
    const answer = await send(`${gateway.url}${path}`, { headers, body });
    await once(answer, 'data');
    answer.on('error', () => undefined).destroy();
    const seen = await fake.received(1);
    await seen.ended;
    assert.equal(seen.aborted, true);
  });

  test('K2 is noticed while its body is still coming, and nothing is sent', async () => {
    await using fake = await startFakeProvider();
    await using gateway = await gatewayBefore(fake.url);
    const client = openSocket(gateway.url);
    client.write('POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{"a"');
    await once(client, 'connect');
    client.end();
    await once(client.resume(), 'close');
    assert.equal((await fetch(`${gateway.url}/readyz`)).status, 200);
    assert.equal(fake.requests.length, 0);
  });
});

describe('an upstream that ends in the middle', () => {
  const start = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n';
  const cases: readonly (readonly [title: string, bytes: string, end: 'reset' | 'end'])[] = [
    ['of a chunked stream by a reset', `${start}transfer-encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n`, 'reset'],
    ['of a chunked stream by its end', `${start}transfer-encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n`, 'end'],
    ['of a body with a length', `${start}content-length: 100\r\n\r\ndata: 1\n\n`, 'end'],
    ['of a chunk that is garbage', `${start}transfer-encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\nzz\r\n`, 'end'],
  ];
  for (const [title, bytes, end] of cases) {
    test(`K2 ${title} ends the client's connection in the middle, after what came, and adds nothing`, async () => {
      await using upstream = await wireUpstream(({ socket }) => {
        // A reset may overtake what was sent before it; here it comes when the client has that.
        socket.write(Buffer.from(bytes), () => {
          if (end === 'end') socket.end();
        });
      });
      await using gateway = await gatewayBefore(upstream.url);
      const client = openSocket(gateway.url);
      client.write(postOf('/v1/messages'));
      const all = readAll(client);
      client.once('data', () => {
        if (end === 'reset') upstream.requests[0]?.socket.resetAndDestroy();
      });
      const answer = answerIn(await all);
      assert.deepEqual([answer.status, answer.body.toString(), answer.isWhole], [200, 'data: 1\n\n', false]);
    });
  }

  test('K2 is a reset for a client of HTTP/1.0, where a plain end would look whole', async () => {
    await using upstream = await wireUpstream(({ socket }) => {
      socket.write(`${start}transfer-encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n`);
    });
    await using gateway = await gatewayBefore(upstream.url);
    const client = openSocket(gateway.url);
    const failed = once(client, 'error');
    client.write('POST /v1/messages HTTP/1.0\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}');
    let got = '';
    client.on('data', (piece) => {
      got += piece;
      if (got.includes('data: 1')) upstream.requests[0]?.socket.destroy();
    });
    const [error] = await failed;
    assert.equal(error.code, 'ECONNRESET');
  });
});

test('K2 garbage in place of an answer is an error of the gateway in the words of the dialect', async () => {
  await using upstream = await wireUpstream(({ socket }) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
  await using gateway = await gatewayBefore(upstream.url);
  const answer = await exchange(gateway.url, postOf('/v1/messages'));
  assert.equal(answer.status, 502);
  assert.match(answer.head, /^x-palimpsest-error: upstream-broken$/m);
  const { type, error } = JSON.parse(answer.body.toString());
  assert.deepEqual([type, error.type], ['error', 'api_error']);
  assert.match(error.message, /was sent and may have been charged/);
});

test('K2 pings pass as they come, and none is made up while the upstream is silent', async () => {
  const bytes = 'event: ping\ndata: {"type": "ping"}\n\n: keep-alive\n\nevent: odd.new_event\ndata: {}\n\n';
  const go = Promise.withResolvers<void>();
  await using upstream = await wireUpstream(({ socket }) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${bytes}`);
    void go.promise.then(() => socket.end(bytes));
  });
  await using gateway = await gatewayBefore(upstream.url);
  const client = openSocket(gateway.url);
  client.write(postOf('/v1/messages'));
  const all = readAll(client);
  await new Promise<void>((resolve) => {
    let got = '';
    client.on('data', (piece) => {
      got += piece;
      if (got.includes('odd.new_event')) resolve();
    });
  });
  go.resolve();
  assert.equal(answerIn(await all).body.toString(), `${bytes}${bytes}`);
});
