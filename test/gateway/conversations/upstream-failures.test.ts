/** Upstreams that fail while conversations are kept: the client sees what it would have seen directly, and nothing half is kept as whole. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openStore, type Store } from '@palimpsest/core/store';
import type { DialectName } from '@palimpsest/core/testing';
import { overflowEvents } from '@palimpsest/core/wire';
import { openConversations } from '../../../packages/palimpsest/src/gateway/conversations/open-conversations.ts';
import { across } from '../support/across.ts';
import { gatewayBefore, handTimers } from '../support/gateway.ts';
import { packed, packings } from '../support/packed.ts';
import { dialectNames, recordedStream, streamRequests } from '../support/recorded.ts';
import {
  answerIn,
  answerOf,
  exchange,
  openSocket,
  postOf,
  readAll,
  type WireUpstream,
  wireUpstream,
} from '../support/wire.ts';
import { agentOf, askAgain } from './agents.ts';
import { fileOf, keptGateway, readsFiles } from './support.ts';

/** How an upstream ends after its bytes; `reset` once the client has what came before. */
type End = 'open' | 'end' | 'reset';

interface Failure {
  readonly title: string;
  readonly bytes: Buffer;
  readonly end: End;
}

const streamHead = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n';
const chunk = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
const chunked = (...pieces: readonly Uint8Array[]): Buffer =>
  Buffer.concat([Buffer.from(`${streamHead}transfer-encoding: chunked\r\n\r\n`), ...pieces.map(chunk)]);
const lastChunk = Buffer.from('0\r\n\r\n');
const refusal = (line: string, headers: string, body: string): Buffer =>
  answerOf(body, `HTTP/1.1 ${line}\r\ncontent-type: application/json${headers}`);

/** The words of an error in a stream, in each dialect. */
const errorEvents: Readonly<Record<DialectName, string>> = {
  anthropic: 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
  'openai-chat': 'data: {"error":{"message":"The server had an error","type":"server_error"}}\n\n',
  'openai-responses':
    'event: response.failed\ndata: {"type":"response.failed","response":{"status":"failed","error":{"code":"server_error","message":"x"},"output":[]}}\n\n',
  gemini: 'data: {"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}\n\n',
};

async function failuresOf(dialect: DialectName): Promise<readonly Failure[]> {
  const { bytes: whole } = await recordedStream(dialect);
  // Within the last words, which may be cut within a character.
  const half = whole.subarray(0, Math.floor(whole.length * 0.7));
  const error = Buffer.from(errorEvents[dialect]);
  const odd = Buffer.from('data: {"cut\n\n');
  return [
    { title: 'a reset in the middle', bytes: chunked(half), end: 'reset' },
    { title: 'an end in the middle', bytes: chunked(half), end: 'end' },
    { title: 'an end within the first event', bytes: chunked(whole.subarray(0, 9)), end: 'end' },
    { title: 'an error within the stream', bytes: Buffer.concat([chunked(half, error), lastChunk]), end: 'open' },
    { title: 'an error in place of words', bytes: Buffer.concat([chunked(error), lastChunk]), end: 'open' },
    { title: 'a stream without an end', bytes: Buffer.concat([chunked(half), lastChunk]), end: 'open' },
    { title: 'garbage in the stream', bytes: Buffer.concat([chunked(odd, odd), lastChunk]), end: 'open' },
    { title: 'a page in place of an answer', bytes: answerOf('<html>Bad gateway</html>'), end: 'open' },
    { title: 'an empty answer', bytes: answerOf(''), end: 'open' },
    {
      title: '429',
      bytes: refusal('429 Too Many Requests', '\r\nretry-after: 7', '{"error":{"message":"slow"}}'),
      end: 'open',
    },
    { title: '529', bytes: refusal('529 Overloaded', '', '{"error":{"message":"busy"}}'), end: 'open' },
    { title: '503', bytes: refusal('503 Service Unavailable', '', 'down'), end: 'open' },
    { title: '400', bytes: refusal('400 Bad Request', '', '{"error":{"message":"messages: bad role"}}'), end: 'open' },
  ];
}

/** Sends the request of a dialect, and reads to the end what came back; the headers that the gateway adds are left out. */
async function asked(
  url: string,
  { dialect, end, upstream }: { dialect: DialectName; end: End; upstream: WireUpstream },
) {
  const { path, headers, body } = streamRequests[dialect];
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const client = openSocket(url);
  const all = readAll(client);
  if (end === 'reset') client.once('data', () => upstream.requests.at(-1)?.socket.resetAndDestroy());
  client.write(postOf(path, body, lines));
  const { head, ...rest } = answerIn(await all);
  const own = head.split('\r\n').filter((line) => !/^(?:x-palimpsest-|connection:|keep-alive:)/i.test(line));
  return { ...rest, head: own, isTold: /^x-palimpsest-action: whole$/m.test(head) };
}

/** What is in the store once all that was going on is settled. */
async function saidIn(store: Store): Promise<readonly string[]> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  const conversations = await store.sessions.list();
  assert.equal(conversations.length, 1);
  return (await store.messages.view(conversations[0]?.tip.id ?? '')).map(({ message }) => message.role);
}

describe('F1, K2: what a client sees of an upstream that fails', () => {
  for (const dialect of dialectNames) {
    test(`is byte for byte what it sees directly, and no half answer is kept: ${dialect}`, async () => {
      const failures = await failuresOf(dialect);
      let now: Failure | undefined;
      await using upstream = await wireUpstream(({ socket }) => {
        socket.write(now?.bytes ?? '', () => {
          if (now?.end === 'end') socket.end();
        });
      });
      await using store = await openStore({ path: ':memory:' });
      const middle = openConversations({ store });
      await using plain = await gatewayBefore(upstream.url);
      await using gateway = await gatewayBefore(upstream.url, {}, { middle });
      for (const failure of failures) {
        now = failure;
        const { isTold: _, ...direct } = await asked(plain.url, { dialect, end: failure.end, upstream });
        const { isTold, ...through } = await asked(gateway.url, { dialect, end: failure.end, upstream });
        assert.deepEqual(through, direct, failure.title);
        assert.ok(isTold, failure.title);
        assert.deepEqual(await saidIn(store), ['user'], failure.title);
      }
      // One that hangs before its first byte ends when its client leaves.
      now = undefined;
      const client = openSocket(gateway.url);
      client.write(postOf(streamRequests[dialect].path, streamRequests[dialect].body));
      const { socket } = await upstream.received(2 * failures.length + 1);
      client.destroy();
      await once(socket, 'close');
      assert.deepEqual(await saidIn(store), ['user'], 'a hang');
      // Each was sent once: what is tried again is the client's business.
      assert.equal(upstream.requests.length, 2 * failures.length + 1);
      const { bytes: whole } = await recordedStream(dialect);
      now = { title: 'whole', bytes: Buffer.concat([chunked(whole), lastChunk]), end: 'open' };
      assert.ok((await asked(gateway.url, { dialect, end: 'open', upstream })).body.equals(whole));
      assert.deepEqual(await saidIn(store), ['user', 'assistant']);
      await middle.stop();
    });
  }
});

describe('O2: an overflow that is told inside of a stream', () => {
  for (const dialect of dialectNames) {
    test(`is answered by a shorter request before the client sees anything: ${dialect}`, async () => {
      const { bytes: whole } = await recordedStream(dialect);
      const told = overflowEvents(dialect, { tokens: 9_100, limit: 8_000 });
      const events = told.map(
        ({ name, data }) => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`,
      );
      await using upstream = await wireUpstream(({ socket, body }) => {
        const answer = body.length > 15_000 ? Buffer.from(`${silence[dialect]}${events.join('')}`) : whole;
        socket.write(Buffer.concat([chunked(answer), lastChunk]));
      });
      await using store = await openStore({ path: ':memory:' });
      const middle = openConversations({ store });
      using far = across(middle);
      await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
      const { path, headers } = streamRequests[dialect];
      for (const asked of [
        'And now?',
        'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nWrite a summary.',
      ]) {
        const before = upstream.requests.length;
        const body = longBody(dialect, asked);
        const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
        assert.ok(Buffer.from(await answer.arrayBuffer()).equals(whole));
        await far.heard();
        assert.match(answer.headers.get('x-palimpsest-action') ?? '', /^(?:compressed|view)$/);
        assert.equal(upstream.requests.length, before + 2);
      }
      assert.equal(far.said.filter((type) => type === 'judge').length, 2);
      const lists = await Promise.all((await store.sessions.list()).map(({ tip }) => store.messages.view(tip.id)));
      const times = lists.map((messages) => JSON.stringify(messages).split('"And now?"').length - 1);
      assert.equal(Math.max(...times), 1, `each turn is kept once: ${times.join(' ')} in ${lists.length} lists`);
      await middle.stop();
    });
  }

  for (const packing of packings) {
    test(`is seen in a packed one as well, and the bytes of an answer stay packed: ${packing}`, async () => {
      const { path, headers } = streamRequests.anthropic;
      const error = errorEvents.anthropic.replace('Overloaded', 'prompt is too long: 9100 tokens > 8000 maximum');
      const { bytes: whole } = await recordedStream('anthropic');
      const [start = whole] = await packed(packing, [Buffer.from(silence.anthropic + error), whole]);
      const answer = await packed(packing, [whole.subarray(0, 700), whole.subarray(700)]);
      const head = `${streamHead}content-encoding: ${packing}\r\nconnection: close\r\n\r\n`;
      // One that is too long is told so, and breaks off before what ends its packing.
      await using upstream = await wireUpstream(({ socket, body }) => {
        const pieces = body.length > 15_000 ? [start] : answer;
        socket.end(Buffer.concat([Buffer.from(head), ...pieces]));
      });
      await using store = await openStore({ path: ':memory:' });
      const middle = openConversations({ store });
      using far = across(middle);
      await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near, timers: handTimers() });
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const got = await exchange(gateway.url, postOf(path, longBody('anthropic', 'And now?'), lines));
      assert.match(got.head, /^x-palimpsest-action: compressed$/m);
      assert.ok(got.body.equals(Buffer.concat(answer)));
      assert.equal(upstream.requests.length, 2);
      assert.match(await (await fetch(`${gateway.url}/metrics`)).text(), /overflows_recovered_total\{.*\} 1$/m);
      await middle.stop();
    });
  }

  test('a second time, where nothing is left to shorten, is not counted as answered', async () => {
    for (const packing of ['gzip', undefined] as const) {
      let asked = 0;
      const error = errorEvents.anthropic.replace('Overloaded', 'prompt is too long: 9100 tokens > 8000 maximum');
      const events = Buffer.from(silence.anthropic + error);
      const [bytes = events] = packing ? await packed(packing, [events]) : [];
      const encoding = packing ? `content-encoding: ${packing}\r\n` : '';
      await using upstream = await wireUpstream(({ socket }) => {
        asked++;
        socket.end(Buffer.concat([Buffer.from(`${streamHead}${encoding}connection: close\r\n\r\n`), bytes]));
      });
      await using store = await openStore({ path: ':memory:' });
      const middle = openConversations({ store });
      await using gateway = await gatewayBefore(upstream.url, {}, { middle });
      const { path, headers } = streamRequests.anthropic;
      const body = longBody('anthropic', 'And now?');
      const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
      assert.deepEqual([answer.status, await answer.text()], [200, events.toString()]);
      assert.ok(asked >= 2, 'it was sent again');
      const page = await (await fetch(`${gateway.url}/metrics`)).text();
      assert.match(page, /actions_total\{dialect="anthropic",action="(?:compressed|view)"\} 1$/m);
      assert.doesNotMatch(page, /overflows_recovered_total\{|action="recovered"/);
      await middle.stop();
    }
  });

  test('reaches the client where nothing makes the request shorter, as it came', async () => {
    const error = errorEvents.anthropic.replace('Overloaded', 'prompt is too long: 300 tokens > 200 maximum');
    await using upstream = await wireUpstream(({ socket }) =>
      socket.write(Buffer.concat([chunked(Buffer.from(error)), lastChunk])),
    );
    await using store = await openStore({ path: ':memory:' });
    const middle = openConversations({ store });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle });
    const { path, headers, body } = streamRequests.anthropic;
    const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
    assert.deepEqual([answer.status, await answer.text()], [200, error]);
    await middle.stop();
  });

  test('is not waited for: a head alone, an event that stands still, and a ping reach the client', async () => {
    const timers = handTimers();
    for (const start of [
      '',
      'event: message_start\ndata: {"type":"message_start","message":{}}\n\n',
      ': waiting\n\n',
    ]) {
      await using upstream = await wireUpstream(({ socket }) => socket.write(`${streamHead}\r\n${start}`));
      await using store = await openStore({ path: ':memory:' });
      const middle = openConversations({ store });
      await using gateway = await gatewayBefore(upstream.url, {}, { middle, timers });
      const { path, headers, body } = streamRequests.anthropic;
      const asking = fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
      if (!start.startsWith(':')) {
        await timers.started(2_000);
        timers.fire(2_000);
      }
      const answer = await asking;
      assert.equal(answer.status, 200);
      const reader = answer.body?.getReader();
      if (start !== '') assert.equal(Buffer.from((await reader?.read())?.value ?? []).toString(), start);
      await reader?.cancel();
      await middle.stop();
    }
  });
});

/** What a stream of the dialect begins with before any word. */
const silence: Readonly<Record<DialectName, string>> = {
  anthropic: 'event: message_start\ndata: {"type":"message_start","message":{"role":"assistant","content":[]}}\n\n',
  'openai-chat': 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}\n\n',
  'openai-responses':
    'event: response.created\ndata: {"type":"response.created","response":{"status":"in_progress","output":[]}}\n\n',
  gemini: '',
};

/** Some 10,000 tokens in two dozen messages. */
function longBody(dialect: DialectName, asked: string): string {
  const turns = Array.from({ length: 24 }, (_, at) => ({
    isUser: at % 2 === 0,
    text: at % 2 === 0 ? fileOf(at) : `Read ${at}.`,
  }));
  const asks = [...turns, { isUser: true, text: asked }];
  const chat = asks.map(({ isUser, text }) => ({ role: isUser ? 'user' : 'assistant', content: text }));
  const model = 'm';
  if (dialect === 'anthropic') return JSON.stringify({ model, max_tokens: 99, stream: true, messages: chat });
  if (dialect === 'openai-chat') return JSON.stringify({ model, stream: true, messages: chat });
  if (dialect === 'openai-responses') return JSON.stringify({ model, stream: true, input: chat });
  const contents = asks.map(({ isUser, text }) => ({ role: isUser ? 'user' : 'model', parts: [{ text }] }));
  return JSON.stringify({ contents });
}

describe('H3, O2: a summary of the client that its upstream refuses as too long', () => {
  test('is written from the shortened conversation, and its client sees no refusal', async () => {
    await using kept = await keptGateway({ contextLength: 12_000, script: readsFiles(99) }, { contextLength: 16_000 });
    const agent = agentOf('anthropic', kept.url, 'Please read every file in data/.');
    for (let step = 1; step <= 12; step++) await agent.step(fileOf(step));
    for (const part of [77, 78, 79]) {
      askAgain(agent, fileOf(part));
      agent.list.push({ role: 'assistant', content: 'Read.' });
    }
    askAgain(agent, 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nWrite a summary.');
    const before = kept.provider.requests.length;
    const { status, headers } = await agent.step('');
    assert.equal(status, 200);
    assert.match(headers.get('x-palimpsest-action') ?? '', /compressed|view/);
    assert.deepEqual(
      kept.provider.requests.slice(before).map((request) => request.status),
      [400, 200],
    );
    assert.match(kept.bodies.at(-1)?.came.toString() ?? '', /CRITICAL: Respond with TEXT ONLY/);
  });

  test('reaches its client as it came where the refusal is about something else', async () => {
    await using kept = await keptGateway({ script: { error: { status: 400, message: 'messages: unexpected role' } } });
    const agent = agentOf('anthropic', kept.url, 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.');
    const { status, answer } = await agent.step('');
    assert.deepEqual([status, /unexpected role/.test(answer)], [400, true]);
    assert.equal(kept.provider.requests.length, 1);
  });
});
