/** How a gateway ends: what is open ends well, what is new is refused, and nobody is waited for without limit. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { gatewayBefore, handTimers } from './support/gateway.ts';
import { answerIn, openSocket, postOf, readAll, wireUpstream } from './support/wire.ts';

const head = 'HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n';

test('K2 an open stream ends well after the gateway was told to stop, and a new connection is refused', async () => {
  await using upstream = await wireUpstream(({ socket }) => socket.write(`${head}da`));
  await using gateway = await gatewayBefore(upstream.url);
  const client = openSocket(gateway.url);
  const all = readAll(client);
  client.write(postOf('/v1/messages').toString().replace('Connection: close', 'X-A: 1'));
  await once(client, 'data');
  const stopped = gateway.stop();
  const late = openSocket(gateway.url);
  assert.equal((await readAll(late)).length, 0);
  (await upstream.received(1)).socket.write('ta');
  const answer = answerIn(await all);
  assert.deepEqual([answer.body.toString(), answer.isWhole], ['data', true]);
  await stopped;
});

test('K2 a request that comes over an open connection while the gateway stops is told to go elsewhere', async () => {
  await using upstream = await wireUpstream(({ socket }) => socket.write(`${head}da`));
  await using gateway = await gatewayBefore(upstream.url);
  const client = openSocket(gateway.url);
  const all = readAll(client);
  client.write(postOf('/v1/messages').toString().replace('Connection: close', 'X-A: 1'));
  await once(client, 'data');
  const stopped = gateway.stop();
  client.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n');
  client.write(postOf('/v1/messages').toString().replace('Connection: close', 'X-A: 1'));
  (await upstream.received(1)).socket.write('ta');
  const text = (await all).toString();
  assert.match(text, /HTTP\/1\.1 503[\s\S]*stopping\n/);
  await stopped;
  assert.equal(upstream.requests.length, 1);
});

test('K2 a stream that does not end is ended when the time to stop is over', async () => {
  const timers = handTimers();
  await using upstream = await wireUpstream(({ socket }) => socket.write(`${head}da`));
  await using gateway = await gatewayBefore(upstream.url, { drainSeconds: 55 }, { timers });
  const client = openSocket(gateway.url);
  const all = readAll(client);
  client.write(postOf('/v1/messages'));
  await once(client, 'data');
  const stopped = gateway.stop();
  await timers.started(55_000);
  timers.fire(55_000);
  await stopped;
  assert.equal(answerIn(await all).isWhole, false);
});
