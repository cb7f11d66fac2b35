/** Who may use the gateway, and that no key ends up where it does not belong. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hashOfKey, makeKey } from '../../packages/palimpsest/src/gateway/keys.ts';
import { gatewayBefore, nobody } from './support/gateway.ts';
import { answerOf, exchange, postOf, type WireAnswer, wireUpstream } from './support/wire.ts';

const key = makeKey();
const keys = { laptop: hashOfKey(key) };
const codeOf = ({ head }: WireAnswer): string | undefined => /^x-palimpsest-error: (.+)$/m.exec(head)?.[1];

describe('Host and Origin', () => {
  const call = (headers: readonly string[]): Buffer =>
    Buffer.from(
      `POST /v1/messages HTTP/1.1\r\n${headers.join('\r\n')}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
  const cases: readonly (readonly [title: string, headers: readonly string[], status: number])[] = [
    ['localhost', ['Host: localhost:4780'], 200],
    ['an address of this machine', ['Host: 127.0.0.1'], 200],
    ['its address in IPv6', ['Host: [::1]:4780'], 200],
    ['a name of a page that was bent to this machine', ['Host: evil.example:4780'], 403],
    ['a name that only begins like ours', ['Host: localhost.evil.example'], 403],
    ['an address of others', ['Host: 10.0.0.1'], 403],
    ['no name at all', ['X-A: 1'], 400],
    ['two names', ['Host: localhost', 'Host: evil.example'], 400],
    ['a name that is none', ['Host: localhost/../x'], 400],
    ['a page of this machine', ['Host: localhost', 'Origin: http://localhost:3000'], 200],
    ['a page of elsewhere', ['Host: localhost', 'Origin: https://evil.example'], 403],
    ['a page without a name', ['Host: localhost', 'Origin: null'], 403],
    ['a page that was allowed', ['Host: localhost', 'Origin: app://notes'], 200],
    ['a name that was allowed', ['Host: Gate.Internal:80'], 200],
  ];
  for (const [title, headers, status] of cases) {
    test(`K2 a caller of ${title} gets ${status}`, async () => {
      await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
      await using gateway = await gatewayBefore(upstream.url, { origins: ['app://notes'], hosts: ['gate.internal'] });
      const answer = await exchange(gateway.url, call(headers));
      assert.equal(answer.status, status, answer.body.toString());
      assert.equal(upstream.requests.length, status === 200 ? 1 : 0);
    });
  }
});

test('K2 what the gateway says itself is not for names and pages of others, but for its health, which any probe may ask', async () => {
  await using gateway = await gatewayBefore(nobody);
  const callers = [
    'Host: evil.example',
    'Host: localhost\r\nOrigin: https://evil.example',
    'X-A: 1',
    'Host: localhost',
  ];
  const statuses: number[][] = [];
  for (const path of ['/', '/metrics', '/healthz', '/readyz']) {
    const answers = callers.map((headers) =>
      exchange(gateway.url, `GET ${path} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`),
    );
    statuses.push((await Promise.all(answers)).map(({ status }) => status));
  }
  const [checked, open] = [
    [403, 403, 400, 200],
    [200, 200, 200, 200],
  ];
  assert.deepEqual(statuses, [checked, checked, open, open]);
});

test('K2 a gateway that others can reach does not start without a key, and says how to make one', async () => {
  const started = gatewayBefore(nobody, { host: '0.0.0.0' });
  await assert.rejects(started, { code: 'BAD_OPTION', message: /0\.0\.0\.0, got none: .*--make-key/ });
  await using gateway = await gatewayBefore(nobody, { host: '0.0.0.0' }, { authToken: 'a-token-of-the-test' });
  const at = gateway.url.replace('0.0.0.0', '127.0.0.1');
  assert.equal((await fetch(`${at}/v1/messages`, { method: 'POST', body: '{}' })).status, 401);
  assert.equal((await fetch(`${at}/metrics`)).status, 401);
  assert.equal((await fetch(`${at}/healthz`)).status, 200);
  assert.equal(
    (await fetch(`${at}/metrics`, { headers: { authorization: 'Bearer a-token-of-the-test' } })).status,
    200,
  );
});

describe('keys', () => {
  const refusals: readonly (readonly [title: string, headers: readonly string[], code: string])[] = [
    ['none', [], 'bad-key'],
    ['another one', [`x-palimpsest-key: ${makeKey()}`], 'bad-key'],
    ['a part of it', [`x-palimpsest-key: ${key.slice(0, -1)}`], 'bad-key'],
    ['its hash', [`x-palimpsest-key: ${keys.laptop}`], 'bad-key'],
    ['ours where the key of the provider belongs', [`Authorization: Bearer ${key}`], 'misplaced-key'],
    ['ours in both places', [`x-palimpsest-key: ${key}`, `x-api-key: ${key}`], 'misplaced-key'],
  ];
  for (const [title, headers, code] of refusals) {
    test(`K2 of a gateway with keys, ${title} is refused, and nothing is sent on`, async () => {
      await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
      await using gateway = await gatewayBefore(upstream.url, { keys });
      const answer = await exchange(gateway.url, postOf('/v1/messages', '{}', headers));
      assert.deepEqual([answer.status, codeOf(answer), upstream.requests.length], [401, code, 0]);
      assert.equal(JSON.parse(answer.body.toString()).error.type, 'authentication_error');
    });
  }

  test('K2 ours travels in a header of its own beside that of the provider, and ends here', async () => {
    await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
    await using gateway = await gatewayBefore(upstream.url, { keys });
    const headers = [`X-Palimpsest-Key: ${key}`, 'Authorization: Bearer sk-of-the-provider'];
    assert.equal((await exchange(gateway.url, postOf('/v1/messages', '{}', headers))).status, 200);
    assert.match(upstream.requests[0]?.head ?? '', /^Authorization: Bearer sk-of-the-provider$/m);
    assert.doesNotMatch(upstream.requests[0]?.head ?? '', /palimpsest/i);
  });

  test('K2 ours is not sent on by a gateway without keys, either', async () => {
    await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
    await using gateway = await gatewayBefore(upstream.url);
    const answer = await exchange(gateway.url, postOf(`/v1beta/models/m:generateContent?key=${key}`));
    assert.deepEqual([answer.status, upstream.requests.length], [401, 0]);
  });

  const places: readonly (readonly [path: string, header: string, sent: RegExp])[] = [
    ['/v1/messages', `x-api-key: ${key}`, /^x-api-key: own-key$/m],
    ['/v1/messages', `Authorization: Bearer ${key}`, /^x-api-key: own-key$/m],
    ['/v1/chat/completions', `Authorization: Bearer ${key}`, /^authorization: Bearer own-key$/m],
    ['/v1beta/models/m:generateContent', `x-goog-api-key: ${key}`, /^x-goog-api-key: own-key$/m],
    [`/v1beta/models/m:generateContent?key=${key}&alt=sse`, 'x-a: 1', /^x-goog-api-key: own-key$/m],
  ];
  for (const [path, header, sent] of places) {
    test(`K2 where the gateway has the key of the provider, ours may stand in its place: ${header.split(':')[0]} at ${path.split(/[?]/)[0]}`, async () => {
      await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
      const upstreamKeys = { anthropic: 'own-key', 'openai-chat': 'own-key', gemini: 'own-key' };
      await using gateway = await gatewayBefore(upstream.url, { keys }, { upstreamKeys });
      const answer = await exchange(gateway.url, postOf(path, '{}', [header]));
      assert.equal(answer.status, 200, answer.body.toString());
      const { head = '' } = upstream.requests[0] ?? {};
      assert.match(head, sent);
      assert.ok(!head.includes(key));
      if (path.includes('alt=sse')) assert.match(head, /^POST \/v1beta\/models\/m:generateContent\?alt=sse HTTP/);
    });
  }

  describe('out of place', () => {
    const token = 'a-token=of;the,test-alone';
    const words = Buffer.from(`me:${key}`).toString('base64');
    const gemini = '/v1beta/models/m:generateContent';
    const both = [`x-palimpsest-key: ${key}`];
    type Case = readonly [title: string, path: string, headers: readonly string[]];
    const anywhere: readonly Case[] = [
      ['in a parameter of another name', `${gemini}?Key=${key}`, []],
      ['in a parameter with escapes', `${gemini}?k=palimpsest%2Dkey%2D${key.slice(15)}`, []],
      ['in the path', `/v1beta/models/${key}:generateContent`, []],
      ['in another header', '/v1/messages', [`X-Other: ${key}`]],
      ['in a cookie', '/v1/messages', [`Cookie: a=1; b=${key}`]],
    ];
    const ofProvider: readonly Case[] = [
      ['behind Bearer and a tab', '/v1/messages', [`Authorization: Bearer\t${key}`]],
      ['behind another word', '/v1/messages', [`Authorization: Token ${key}`]],
      ['as a password', '/v1/messages', [`Authorization: Basic ${words}`]],
      ['in the second of two parameters', `${gemini}?key=a&key=${key}`, []],
      ['in both of two parameters', `${gemini}?key=${key}&key=${key}`, []],
      ['behind Bearer, one that nobody made here', '/v1/messages', [`Authorization: Bearer ${token}`]],
      ['in a parameter, one that nobody made here', `${gemini}?alt=sse&k=${token}`, []],
    ];
    async function sent(cases: readonly Case[], upstreamKeys: Readonly<Record<string, string>>): Promise<void> {
      await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
      await using gateway = await gatewayBefore(upstream.url, { keys }, { upstreamKeys, authToken: token });
      for (const [title, path, headers] of cases) {
        const answer = await exchange(gateway.url, postOf(path, '{}', [...both, ...headers]));
        assert.deepEqual([title, answer.status, codeOf(answer)], [title, 401, 'misplaced-key']);
      }
      assert.equal(upstream.requests.length, 0);
    }

    test('K2 a key of ours is not sent on, wherever in the headers or the target it stands', () =>
      sent([...anywhere, ...ofProvider], {}));

    test('K2 a key of ours outside of the place that is free for it is not sent on, either', () =>
      sent(anywhere, { anthropic: 'own-key', gemini: 'own-key' }));

    test('K2 in a place that is free for it nothing is sent on, however it is written', async () => {
      await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
      const upstreamKeys = { anthropic: 'own-key', gemini: 'own-key' };
      await using gateway = await gatewayBefore(upstream.url, { keys }, { upstreamKeys });
      for (const [, path, headers] of ofProvider.slice(0, 5))
        assert.equal((await exchange(gateway.url, postOf(path, '{}', [...both, ...headers]))).status, 200);
      assert.equal((await exchange(gateway.url, postOf(`${gemini}?key=a&key=${key}`))).status, 200);
      const heads = upstream.requests.map(({ head }) => head.toString());
      assert.equal(heads.length, 6);
      for (const head of heads) assert.ok(!head.includes(key) && !head.includes(words) && !head.includes('?'), head);
    });
  });

  test('K2 a key is of 256 bits, and its hash says nothing about it', () => {
    assert.match(key, /^palimpsest-key-[\w-]{43}$/);
    assert.match(keys.laptop, /^sha256:[0-9a-f]{64}$/);
    assert.notEqual(makeKey(), makeKey());
  });
});

test('K2 no key and no query reaches a note or the metrics', async () => {
  const notes: string[] = [];
  await using gateway = await gatewayBefore(nobody, {}, { note: (line) => notes.push(line) });
  const headers = ['Authorization: Bearer sk-secret-1', 'x-api-key: sk-secret-2'];
  await exchange(
    gateway.url,
    postOf('/v1beta/models/m:generateContent?key=sk-secret-3', '{"a":"sk-secret-4"}', headers),
  );
  const page = await (await fetch(`${gateway.url}/metrics`)).text();
  assert.equal(notes.length, 1);
  assert.doesNotMatch(`${notes.join()}${page}`, /sk-secret/);
});
