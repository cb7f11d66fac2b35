/** Upstreams over TLS with a certificate of one's own, and behind a proxy. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createPlain, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecure } from 'node:https';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Duplex } from 'node:stream';
import { describe, test } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import { gatewayDefaults } from '../../packages/palimpsest/src/config/gateway.ts';
import { proxiesIn } from '../../packages/palimpsest/src/gateway/proxies.ts';
import { makeCertificate } from './support/certificate.ts';
import { gatewayBefore, nobody } from './support/gateway.ts';

interface Here extends AsyncDisposable {
  readonly port: number;
}

async function listening(server: Server, host = '127.0.0.1'): Promise<Here> {
  await once(server.listen(0, host), 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    port: address.port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Seen {
  readonly target: string;
  readonly headers: readonly string[];
}

const seenBy =
  (seen: Seen[]) =>
  (request: IncomingMessage): void =>
    void seen.push({ target: `${request.method} ${request.url}`, headers: request.rawHeaders });

interface FakeProxy extends Here {
  readonly seen: Seen[];
}

/** Opens every tunnel to one port of this machine, whatever host is asked for, and passes requests on there. */
async function fakeProxy(
  behind: Here,
  { status = 200, isSecure = false }: { readonly status?: number; readonly isSecure?: boolean } = {},
): Promise<FakeProxy> {
  const seen: Seen[] = [];
  const sockets = new Set<Duplex>();
  const note = seenBy(seen);
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    note(request);
    response.end('by the proxy');
  };
  const server = isSecure ? createSecure(proxyCertificate, answer) : createPlain(answer);
  server.on('connect', (request, socket) => {
    note(request);
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const onward = connect(behind.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    for (const one of [onward, socket]) {
      sockets.add(one);
      one.on('error', () => undefined);
    }
  });
  const here = await listening(server);
  return {
    ...{ port: here.port, seen },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await here[Symbol.asyncDispose]();
    },
  };
}

const proxyCertificate = makeCertificate(['localhost', '127.0.0.1', '0.0.0.0']);
const otherCertificate = makeCertificate(['other.example.test']);
const certificate = makeCertificate(['api.example.test', 'api.openai.com', 'chatgpt.com', '127.0.0.1', '::1']);
// What NODE_EXTRA_CA_CERTS does for a process that is just being started.
setDefaultCACertificates([certificate.cert, proxyCertificate.cert, otherCertificate.cert]);

const post = (url: string): Promise<Response> =>
  fetch(`${url}/v1/messages`, {
    method: 'POST',
    body: '{"a": 1.0}',
    headers: { 'anthropic-version': '2023-06-01', 'x-api-key': 'of the client' },
  });

describe('K2: upstreams behind a proxy', () => {
  test('K2 one with TLS is reached by a tunnel, and the proxy sees a name and a port', async () => {
    const seen: Seen[] = [];
    const secure = createSecure(certificate, (request, response) => {
      seenBy(seen)(request);
      request.pipe(response);
    });
    await using upstream = await listening(secure);
    await using proxy = await fakeProxy(upstream);
    const env = { https_proxy: `http://me:se%20cret@127.0.0.1:${proxy.port}`, HTTPS_PROXY: nobody };
    await using gateway = await gatewayBefore('https://api.example.test', {}, { proxyFor: proxiesIn(env) });
    assert.equal(await (await post(gateway.url)).text(), '{"a": 1.0}');
    assert.equal(await (await post(gateway.url)).text(), '{"a": 1.0}');
    assert.deepEqual(
      seen.map(({ target }) => target),
      ['POST /v1/messages', 'POST /v1/messages'],
    );
    const [tunnel, ...more] = proxy.seen;
    assert.deepEqual([tunnel?.target, more.length], ['CONNECT api.example.test:443', 0]);
    const given = tunnel?.headers.indexOf('proxy-authorization') ?? -1;
    assert.equal(tunnel?.headers[given + 1], `Basic ${Buffer.from('me:se cret').toString('base64')}`);
    assert.ok(!JSON.stringify(proxy.seen).includes('of the client'));
    assert.ok(!JSON.stringify(seen).includes('proxy-authorization'));
  });

  test('K2 one without TLS is asked by the proxy, with its whole address and the headers as they came', async () => {
    await using proxy = await fakeProxy({ port: 9, [Symbol.asyncDispose]: async () => undefined });
    const env = { HTTP_PROXY: `127.0.0.1:${proxy.port}` };
    await using gateway = await gatewayBefore('http://api.example.test:8080', {}, { proxyFor: proxiesIn(env) });
    assert.equal(await (await post(gateway.url)).text(), 'by the proxy');
    assert.equal(proxy.seen[0]?.target, 'POST http://api.example.test:8080/v1/messages');
    assert.ok(proxy.seen[0]?.headers.includes('api.example.test:8080'));
  });

  test('K2 a proxy that refuses is told by its status, and nothing was sent', async () => {
    await using proxy = await fakeProxy({ port: 9, [Symbol.asyncDispose]: async () => undefined }, { status: 407 });
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    await using gateway = await gatewayBefore('https://api.example.test', {}, { proxyFor: proxiesIn(env) });
    const answer = await post(gateway.url);
    assert.deepEqual([answer.status, answer.headers.get('x-palimpsest-error')], [502, 'upstream-unreachable']);
    assert.match(await answer.text(), /PROXY_ANSWERED_407/);
  });

  test('K2 a certificate that nobody vouches for is refused, and its code says so', async () => {
    const other = makeCertificate(['api.example.test']);
    await using upstream = await listening(createSecure(other, (_, response) => response.end('never')));
    await using proxy = await fakeProxy(upstream);
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` };
    await using gateway = await gatewayBefore('https://api.example.test', {}, { proxyFor: proxiesIn(env) });
    const answer = await post(gateway.url);
    assert.equal(answer.status, 502);
    assert.match(await answer.text(), /DEPTH_ZERO_SELF_SIGNED_CERT/);
  });
});

describe('K2: a proxy that speaks TLS itself', () => {
  for (const host of ['localhost', '127.0.0.1']) {
    test(`K2 opens tunnels to an upstream with TLS, called as ${host}`, async () => {
      await using upstream = await listening(createSecure(certificate, (_, response) => response.end('through')));
      await using proxy = await fakeProxy(upstream, { isSecure: true });
      const proxyFor = proxiesIn({ HTTPS_PROXY: `https://${host}:${proxy.port}` });
      await using gateway = await gatewayBefore('https://api.example.test', {}, { proxyFor });
      assert.equal(await (await post(gateway.url)).text(), 'through');
      assert.equal(proxy.seen[0]?.target, 'CONNECT api.example.test:443');
    });

    test(`K2 asks an upstream without TLS itself, called as ${host}`, async () => {
      await using proxy = await fakeProxy(
        { port: 9, [Symbol.asyncDispose]: async () => undefined },
        { isSecure: true },
      );
      const proxyFor = proxiesIn({ HTTP_PROXY: `https://${host}:${proxy.port}` });
      await using gateway = await gatewayBefore('http://api.example.test', {}, { proxyFor });
      assert.equal(await (await post(gateway.url)).text(), 'by the proxy');
      assert.equal(await (await post(gateway.url)).text(), 'by the proxy');
    });
  }

  test('K2 is asked itself also where it is the proxy for upstreams with TLS, too', async () => {
    await using proxy = await fakeProxy({ port: 9, [Symbol.asyncDispose]: async () => undefined }, { isSecure: true });
    // An address that does not count as this machine, and is.
    const address = `https://0.0.0.0:${proxy.port}`;
    const proxyFor = proxiesIn({ HTTP_PROXY: address, HTTPS_PROXY: address });
    await using gateway = await gatewayBefore('http://api.example.test', {}, { proxyFor });
    assert.equal(await (await post(gateway.url)).text(), 'by the proxy');
    assert.deepEqual(
      proxy.seen.map(({ target }) => target),
      ['POST http://api.example.test/v1/messages'],
    );
  });
});

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));

describe('K2: an upstream with TLS that is an address', () => {
  test('K2 of IPv4 is reached, and its certificate is compared with it', async () => {
    await using upstream = await listening(createSecure(certificate, (_, response) => response.end('straight')));
    await using gateway = await gatewayBefore(`https://127.0.0.1:${upstream.port}`);
    assert.equal(await (await post(gateway.url)).text(), 'straight');
    await using other = await listening(createSecure(otherCertificate, (_, response) => response.end('never')));
    await using wrong = await gatewayBefore(`https://127.0.0.1:${other.port}`);
    assert.match(await (await post(wrong.url)).text(), /ERR_TLS_CERT_ALTNAME_INVALID/);
  });

  test('K2 of IPv6 is reached', { skip: !hasIPv6 && 'this machine has no address of IPv6' }, async () => {
    await using upstream = await listening(
      createSecure(certificate, (_, response) => response.end('straight')),
      '::1',
    );
    await using gateway = await gatewayBefore(`https://[::1]:${upstream.port}`);
    assert.equal(await (await post(gateway.url)).text(), 'straight');
  });

  test('K2 of IPv6 is asked of a proxy in brackets', async () => {
    await using proxy = await fakeProxy({ port: 9, [Symbol.asyncDispose]: async () => undefined }, { status: 407 });
    const proxyFor = proxiesIn({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    await using gateway = await gatewayBefore('https://[2001:db8::7]:8443', {}, { proxyFor });
    assert.match(await (await post(gateway.url)).text(), /PROXY_ANSWERED_407/);
    assert.equal(proxy.seen[0]?.target, 'CONNECT [2001:db8::7]:8443');
  });
});

describe('K2: Codex that is logged in with ChatGPT', () => {
  const requests = [
    ['POST', '/v1/responses'],
    ['POST', '/v1/responses/compact'],
    ['GET', '/v1/models?client_version=1'],
  ] as const;
  const login = { authorization: 'Bearer of-the-login', 'ChatGPT-Account-ID': 'a1' };

  /** Where its requests arrive. OpenAI and ChatGPT are both played by one server behind a proxy: nothing leaves this machine. */
  async function arrivals(
    headers: Readonly<Record<string, string>>,
    options: Parameters<typeof gatewayBefore>[2] & { readonly named?: string } = {},
  ): Promise<readonly string[]> {
    const seen: string[] = [];
    const secure = createSecure(certificate, (request, response) => {
      const { host, authorization } = request.headers;
      seen.push(`${host}${request.url} ${authorization}`);
      response.end('{}');
    });
    await using upstream = await listening(secure);
    await using proxy = await fakeProxy(upstream);
    const { named, ...others } = options;
    const upstreams = { ...gatewayDefaults.upstreams };
    if (named !== undefined) upstreams.openaiResponses = { baseUrl: named, keyVariable: null };
    const proxyFor = proxiesIn({ HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    await using gateway = await gatewayBefore(nobody, { upstreams }, { ...others, proxyFor });
    for (const [method, path] of requests) {
      const body = method === 'POST' ? { body: '{}' } : {};
      assert.equal((await fetch(`${gateway.url}${path}`, { method, headers, ...body })).status, 200);
    }
    return seen;
  }

  test('K2 its requests go where its token is good, when no other upstream is named', async () => {
    const at = 'chatgpt.com/backend-api/codex';
    assert.deepEqual(await arrivals(login), [
      `${at}/responses Bearer of-the-login`,
      `${at}/responses/compact Bearer of-the-login`,
      `${at}/models?client_version=1 Bearer of-the-login`,
    ]);
  });

  const elsewhere: readonly (readonly [title: string, ...Parameters<typeof arrivals>, at: string])[] = [
    ['a request with a key goes to OpenAI', { authorization: 'Bearer k' }, {}, 'api.openai.com/v1'],
    [
      'an upstream that is named gets its requests',
      login,
      { named: 'https://api.example.test/x' },
      'api.example.test/x',
    ],
    [
      'the key of an upstream goes to that upstream alone',
      login,
      { upstreamKeys: { 'openai-responses': 'k' } },
      'api.openai.com/v1',
    ],
  ];
  for (const [title, headers, options, at] of elsewhere)
    test(`K2 ${title}`, async () => {
      const [first = '', ...more] = await arrivals(headers, options);
      assert.deepEqual([first.split(' ')[0], more.length], [`${at}/responses`, 2]);
    });
});

describe('K2: which upstream is behind a proxy', () => {
  const proxyFor = proxiesIn({
    HTTPS_PROXY: 'https://proxy.example',
    HTTP_PROXY: 'proxy.example:3128',
    NO_PROXY: 'inner.example, .corp.example,*.wild.example 10.0.0.7,[fd00::1]:8443',
  });
  const found: readonly (readonly [string, string | undefined])[] = [
    ['https://api.example.com', 'https://proxy.example'],
    ['http://api.example.com', 'http://proxy.example:3128'],
    ['https://inner.example', undefined],
    ['https://deep.inner.example:8443', undefined],
    ['https://notinner.example', 'https://proxy.example'],
    ['https://a.corp.example.', undefined],
    ['https://a.wild.example', undefined],
    ['http://10.0.0.7:8000', undefined],
    ['https://[fd00::1]:8443', undefined],
    ['https://[fd00::1]', 'https://proxy.example'],
    ['http://localhost:11434', undefined],
    ['http://127.0.0.2:80', undefined],
    ['https://[::1]:4000', undefined],
  ];
  for (const [upstream, origin] of found)
    test(`K2 ${upstream} ${origin === undefined ? 'is not' : `is behind ${origin}`}`, () =>
      assert.equal(proxyFor(new URL(upstream))?.origin, origin));

  test('K2 NO_PROXY=* means nobody, and no variable means no proxy', () => {
    assert.equal(proxiesIn({ HTTPS_PROXY: 'http://p', NO_PROXY: '*' })(new URL('https://a.example')), undefined);
    assert.equal(proxiesIn({ HTTPS_PROXY: '' })(new URL('https://a.example')), undefined);
  });

  test('K2 a % in a password that begins no escape stands for itself', () => {
    const words: readonly (readonly [string, string])[] = [
      ['50%off', '50%off'],
      ['a%20b%', 'a b%'],
      ['%ff%41', '%ff%41'],
      ['%C3%A9%zz', 'é%zz'],
    ];
    for (const [given, meant] of words) {
      const proxy = proxiesIn({ HTTPS_PROXY: `http://m%65:${given}@p.example` })(new URL('https://a.example'));
      assert.equal(proxy?.authorization, `Basic ${Buffer.from(`me:${meant}`).toString('base64')}`);
    }
  });

  test('K2 a proxy of another kind is refused without its password', () => {
    for (const word of ['socks5://me:hidden@p.example:1080', 'http://', 'ftp://p.example'])
      assert.throws(
        () => proxiesIn({ HTTPS_PROXY: word }),
        (error: Error) => /expected HTTPS_PROXY to name a proxy/.test(error.message) && !/hidden/.test(error.message),
      );
  });
});
