/** What passes through the gateway is what would pass without it: byte for byte, both ways. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { gatewayBefore } from './support/gateway.ts';
import { answerOf, exchange, headerLines, postOf, wireUpstream } from './support/wire.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const claudeHeaders = [
  'Accept: application/json',
  'X-Stainless-Retry-Count: 0',
  'X-Claude-Code-Session-Id: 0d1f0c4e-2f7a-4c37-9d65-0a1b2c3d4e5f',
  'anthropic-beta: claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27',
  'Content-Type: application/json',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'X-Twice: one',
  'x-twice: two',
  'X-Latin: caf\xe9',
  'Authorization: Bearer sk-test',
];

const paths: readonly (readonly [client: string, upstream: string])[] = [
  ['/v1/chat/completions', '/v1/chat/completions'],
  ['/chat/completions', '/v1/chat/completions'],
  ['/v1/responses', '/v1/responses'],
  ['/responses', '/v1/responses'],
  ['/v1/responses/compact', '/v1/responses/compact'],
  ['/v1/messages?beta=true', '/v1/messages?beta=true'],
  ['/messages', '/v1/messages'],
  ['/v1/messages/count_tokens?beta=true', '/v1/messages/count_tokens?beta=true'],
  ['/v1beta/models/gemini-3-pro:generateContent', '/v1beta/models/gemini-3-pro:generateContent'],
  [
    '/v1beta/models/gemini-3.5-flash-lite:streamGenerateContent?alt=sse&key=a%2Fb',
    '/v1beta/models/gemini-3.5-flash-lite:streamGenerateContent?alt=sse&key=a%2Fb',
  ],
  ['/v1/models/gemini-3-pro:countTokens', '/v1/models/gemini-3-pro:countTokens'],
  ['/models/gemini-3-pro:generateContent', '/v1beta/models/gemini-3-pro:generateContent'],
];

test('K2 every route goes to the upstream of its dialect, with its query as it came', async () => {
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
  await using gateway = await gatewayBefore(upstream.url);
  for (const [path] of paths) await exchange(gateway.url, postOf(path));
  const targets = upstream.requests.map(({ head }) => /^POST (\S+) HTTP\/1\.1/.exec(head)?.[1]);
  assert.deepEqual(
    targets,
    paths.map(([, target]) => target),
  );
});

test('K2 the list of models is asked of the provider whose client asks', async () => {
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
  await using other = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
  const at = (url: string) => ({ baseUrl: url, keyVariable: null });
  await using gateway = await gatewayBefore(upstream.url, {
    upstreams: {
      openaiChat: at(`${upstream.url}/api/v4/`),
      openaiResponses: at(upstream.url),
      anthropic: at(`${other.url}/v1`),
      gemini: at(other.url),
    },
  });
  const get = (path: string, header: string): Promise<unknown> =>
    exchange(gateway.url, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\nConnection: close\r\n\r\n`);
  await get('/v1/models', 'x-a: 1');
  await get('/models/meta%2Fllama-4', 'x-a: 1');
  await get('/v1/models?limit=5', 'anthropic-version: 2023-06-01');
  await get('/v1beta/models', 'x-a: 1');
  const targets = [...upstream.requests, ...other.requests].map(({ head }) => head.split(' HTTP')[0]);
  assert.deepEqual(targets, [
    'GET /api/v4/models',
    'GET /api/v4/models/meta%2Fllama-4',
    'GET /v1/models?limit=5',
    'GET /v1beta/models',
  ]);
});

test('K2 the body of a request reaches the upstream with the same SHA-256, whatever it is', async () => {
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
  await using gateway = await gatewayBefore(upstream.url);
  const bodies = [
    Buffer.from('{"model":"x","messages":[ ],  "a":1.0e2,"a":2,"\\u00e9":"\ud83c\udf89"}'),
    Buffer.from([0x7b, 0xff, 0xfe, 0x80, 0x00, 0x7d]),
    randomBytes(300_000),
    gzipSync('{"model":"x"}'),
    Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    Buffer.alloc(0),
  ];
  for (const body of bodies) await exchange(gateway.url, postOf('/v1/messages', body));
  assert.deepEqual(
    upstream.requests.map(({ body }) => sha256(body)),
    bodies.map(sha256),
  );
});

test('K2 a body that comes in chunks is sent on with its length, and with the same bytes', async () => {
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
  await using gateway = await gatewayBefore(upstream.url);
  const head =
    'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n';
  await exchange(gateway.url, `${head}3\r\n{"a\r\n4;x=y\r\n":1}\r\n0\r\n\r\n`);
  const [request] = upstream.requests;
  assert.equal(request?.body.toString(), '{"a":1}');
  assert.match(request.head, /^content-length: 7$/im);
});

test('K2 headers of a request keep their names, values and order; only those of the connection and of the gateway stay behind', async () => {
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
  await using gateway = await gatewayBefore(upstream.url);
  const between = [
    'Keep-Alive: timeout=5',
    'TE: trailers',
    'X-Palimpsest-Key: k',
    'X-Hop: 1',
    'Proxy-Connection: close',
  ];
  const bytes = postOf('/v1/messages', '{}', [...claudeHeaders, ...between])
    .toString('latin1')
    .replace('\r\nConnection: close', '\r\nConnection: close, X-Hop, Authorization');
  await exchange(gateway.url, bytes);
  assert.deepEqual(headerLines(upstream.requests[0]?.head ?? ''), claudeHeaders);
});

describe('answers', () => {
  const heads: readonly (readonly [title: string, head: string])[] = [
    ['without a content type', 'HTTP/1.1 200 OK\r\nx-request-id: r1'],
    ['with a status text of its own', 'HTTP/1.1 200 Fine By Me\r\ncontent-type: text/plain'],
    [
      'with a status text in UTF-8',
      `HTTP/1.1 403 ${Buffer.from('Accès refusé 禁止访问').toString('latin1')}\r\ncontent-type: text/plain`,
    ],
    [
      'with cookies and names in any case',
      'HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\nCF-Ray: x\r\nX-Latin: caf\xe9',
    ],
    [
      '429 with retry-after',
      'HTTP/1.1 429 Too Many Requests\r\nretry-after: 7\r\nanthropic-ratelimit-tokens-remaining: 0',
    ],
    ['529', 'HTTP/1.1 529 Overloaded\r\ncontent-type: application/json\r\nx-should-retry: true'],
    ['400', 'HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\nrequest-id: req_1'],
    ['302', 'HTTP/1.1 302 Found\r\nlocation: https://elsewhere.example/'],
    ['with a date of its own', 'HTTP/1.1 200 OK\r\ndate: Thu, 01 Jan 2026 00:00:00 GMT'],
  ];
  for (const [title, head] of heads) {
    test(`K2 an answer ${title} arrives unchanged`, async () => {
      const body = '{"error":{"message":"prompt is too long: 214321 tokens > 200000 maximum"}}';
      await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf(body, head)));
      await using gateway = await gatewayBefore(upstream.url);
      const answer = await exchange(gateway.url, postOf('/v1/messages'));
      assert.equal(answer.head.split('\r\n')[0], head.split('\r\n')[0]);
      assert.deepEqual(headerLines(answer.head), headerLines(head));
      assert.equal(answer.body.toString(), body);
    });
  }

  test('K2 a status text in another encoding is replaced by the usual one, and the answer arrives', async () => {
    const head = 'HTTP/1.1 403 Acc\xe8s refus\xe9\r\ncontent-type: text/plain';
    await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{"a":1}', head)));
    await using gateway = await gatewayBefore(upstream.url);
    const answer = await exchange(gateway.url, postOf('/v1/messages'));
    assert.equal(answer.head.split('\r\n')[0], 'HTTP/1.1 403 Forbidden');
    assert.deepEqual([headerLines(answer.head), answer.body.toString()], [['content-type: text/plain'], '{"a":1}']);
  });

  for (const [name, bytes] of [
    ['gzip', gzipSync('{"a":"é"}')],
    ['br', brotliCompressSync('{"a":"é"}')],
    ['zstd', zstdCompressSync('{"a":"é"}')],
  ] as const) {
    test(`K2 an answer compressed with ${name} stays compressed`, async () => {
      await using upstream = await wireUpstream(({ socket }) =>
        socket.write(answerOf(bytes, `HTTP/1.1 200 OK\r\ncontent-encoding: ${name}`)),
      );
      await using gateway = await gatewayBefore(upstream.url);
      const answer = await exchange(gateway.url, postOf('/v1/messages', '{}', [`accept-encoding: ${name}`]));
      assert.equal(sha256(answer.body), sha256(bytes));
      assert.match(answer.head, new RegExp(`^content-encoding: ${name}$`, 'im'));
    });
  }

  test('K2 an answer without a body stays without one', async () => {
    await using upstream = await wireUpstream(({ socket }) =>
      socket.write('HTTP/1.1 204 No Content\r\nx-a: 1\r\n\r\n'),
    );
    await using gateway = await gatewayBefore(upstream.url);
    const answer = await exchange(gateway.url, postOf('/v1/messages'));
    assert.deepEqual([answer.status, answer.body.length], [204, 0]);
  });

  test('K2 what an upstream says before its answer is left out, and the answer comes', async () => {
    await using upstream = await wireUpstream(({ socket }) =>
      socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${answerOf('{"a":1}')}`),
    );
    await using gateway = await gatewayBefore(upstream.url);
    const answer = await exchange(gateway.url, postOf('/v1/messages'));
    assert.deepEqual([answer.status, answer.body.toString()], [200, '{"a":1}']);
  });

  test('K2 an answer that ends with its connection arrives whole', async () => {
    await using upstream = await wireUpstream(({ socket }) =>
      socket.end('HTTP/1.1 200 OK\r\nx-a: 1\r\n\r\ndata: 1\n\n'),
    );
    await using gateway = await gatewayBefore(upstream.url);
    const answer = await exchange(gateway.url, postOf('/v1/messages'));
    assert.deepEqual([answer.body.toString(), answer.isWhole], ['data: 1\n\n', true]);
  });
});

test('K2 Expect: 100-continue gets its word before the body is sent', async () => {
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{"a":1}')));
  await using gateway = await gatewayBefore(upstream.url);
  const answer = await exchange(gateway.url, postOf('/v1/messages', '{}', ['Expect: 100-continue']));
  assert.match(answer.head, /^HTTP\/1\.1 100 Continue/);
  assert.match(answer.body.toString(), /^HTTP\/1\.1 200 OK[\s\S]*\{"a":1\}$/);
  assert.doesNotMatch(upstream.requests[0]?.head ?? '', /^expect/im);
});

test('K2 an offer of HTTP/2 beside a request is left unanswered, and the request is served', async () => {
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{"a":1}')));
  await using gateway = await gatewayBefore(upstream.url);
  const bytes = postOf('/v1/messages', '{}', ['Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'])
    .toString('latin1')
    .replace('Connection: close', 'Connection: close, Upgrade, HTTP2-Settings');
  const answer = await exchange(gateway.url, bytes);
  assert.equal(answer.status, 200);
  assert.deepEqual(headerLines(upstream.requests[0]?.head ?? ''), []);
});
