/** `palimpsest mcp --port`: streamable HTTP, for programs that may. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { runProcess } from '../support/command-line.ts';
import { withKept } from './support/kept.ts';
import { type ServerProcess, startServer } from './support/server-process.ts';

const token = 'a-token-of-more-than-16-characters';

/** The address at which a server says that it listens. */
async function addressOf(server: ServerProcess): Promise<URL> {
  const [, url = ''] = await server.said(/listening at (http:\S+)/);
  return new URL(url);
}

async function withHttp(
  args: readonly string[],
  use: (url: URL, server: ServerProcess) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  await withKept(async ({ oven }) => {
    const server = startServer(['--store', '../kept.db', '--port', '0', ...args], { cwd: oven, env });
    try {
      await use(await addressOf(server), server);
    } finally {
      server.child.kill('SIGTERM');
      await server.ended;
    }
  });
}

interface Reply {
  readonly status: number;
  readonly text: string;
}

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly method?: string;
  readonly path?: string;
}

const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });

/** With any header, which `fetch` would not send. */
function ask(url: URL, { headers = {}, body = ping, method = 'POST', path = '/mcp' }: Asked = {}): Promise<Reply> {
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return new Promise((resolve, reject) => {
    const options = { host: url.hostname, port: url.port, method, path, headers: { ...usual, ...headers } };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? body : undefined);
  });
}

describe('clients over HTTP', () => {
  test('K2 of the SDK connect in either way, list and call', () =>
    withHttp([], async (url) => {
      assert.equal(url.hostname, '127.0.0.1');
      for (const mode of ['legacy', 'auto'] as const) {
        const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
        await client.connect(new StreamableHTTPClientTransport(url));
        assert.equal((await client.listTools()).tools.length, 7);
        const found = await client.callTool({ name: 'session_search', arguments: { query: 'crystal' } });
        assert.match(JSON.stringify(found.content), /Oven timer drift/);
        assert.match(JSON.stringify(await client.readResource({ uri: 'palimpsest://sessions' })), /Oven timer drift/);
        assert.match(JSON.stringify(await client.getPrompt({ name: 'recap' })), /Oven timer drift/);
        await client.close();
      }
    }));

  test('K2 many at once are served', () =>
    withHttp([], async (url) => {
      const frame = (id: number): string =>
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'expand', arguments: { refs: 'm1' } },
        });
      const replies = await Promise.all(Array.from({ length: 30 }, (_, id) => ask(url, { body: frame(id) })));
      assert.ok(replies.every(({ status, text }) => status === 200 && text.includes('drift by 7 seconds')));
    }));

  test('K2 a signal ends the server with 0', () =>
    withKept(async ({ oven }) => {
      const server = startServer(['--port', '0', '--store', '../kept.db'], { cwd: oven });
      await ask(await addressOf(server));
      server.child.kill('SIGINT');
      assert.equal(await server.ended, 0);
      assert.deepEqual(server.lines(), []);
    }));
});

describe('who may come in', () => {
  test('K2 a Host or an Origin of somebody else is refused', () =>
    withHttp([], async (url) => {
      const port = url.port;
      const refused: readonly Asked['headers'][] = [
        { host: `evil.example:${port}` },
        { host: 'evil.example' },
        { host: `127.0.0.1.evil.example:${port}` },
        { host: `127.0.0.1:${port}@evil.example` },
        { host: '192.168.0.1' },
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: 'http://localhost.evil.example' },
        { origin: 'file://' },
      ];
      for (const headers of refused) {
        const { status, text } = await ask(url, { headers: headers ?? {} });
        assert.equal(status, 403, JSON.stringify(headers));
        assert.match(text, /expected (a Host|no Origin)/);
      }
      for (const headers of [
        { host: `localhost:${port}` },
        { host: `[::1]:${port}` },
        { origin: 'http://localhost:6274' },
      ])
        assert.equal((await ask(url, { headers })).status, 200, JSON.stringify(headers));
    }));

  test('K2 names that are allowed are served, with and without a port', () =>
    withHttp(['--allow-host', 'Mcp.example, other.example'], async (url) => {
      for (const headers of [{ host: 'mcp.example' }, { host: 'other.example:80', origin: 'https://mcp.example:8443' }])
        assert.equal((await ask(url, { headers })).status, 200);
    }));

  test('K2 a token is demanded of everybody where one is set', () =>
    withHttp(
      [],
      async (url) => {
        for (const headers of [
          {},
          { authorization: 'Bearer wrong-token-of-16-characters' },
          { authorization: token },
        ]) {
          const { status, text } = await ask(url, { headers });
          assert.equal(status, 401);
          assert.doesNotMatch(text, new RegExp(token));
        }
        const frame = {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'session_search', arguments: {} },
        };
        const headers = { authorization: `Bearer ${token}` };
        const { status, text } = await ask(url, { headers, body: JSON.stringify(frame) });
        assert.equal(status, 200);
        // The variable of the token is no setting that the configuration would not know.
        assert.match(text, /Oven timer drift/);
      },
      { PALIMPSEST_MCP_TOKEN: token },
    ));

  test('K2 more than this machine is only served with a token', () =>
    withKept(async ({ oven }) => {
      for (const host of ['0.0.0.0', '::', '10.0.0.1']) {
        const { code, stderr } = await runProcess(['mcp', '--port', '0', '--host', host], { cwd: oven });
        assert.equal(code, 2);
        assert.match(stderr, /expected --auth-token/);
      }
      const short = await runProcess(['mcp', '--port', '0', '--auth-token', 'short'], { cwd: oven });
      assert.match(short.stderr, /at least 16 characters/);
      assert.match(
        (await runProcess(['mcp', '--host', '0.0.0.0'], { cwd: oven })).stderr,
        /expected --port beside --host/,
      );
      assert.match((await runProcess(['mcp', '--port', '1e9'], { cwd: oven })).stderr, /whole number from 0 to 65535/);
    }));

  test('K2 a server for more than this machine is called by any address, and by no other name', () =>
    withHttp(['--host', '0.0.0.0', '--auth-token', token], async (url) => {
      const local = new URL(url.href.replace('0.0.0.0', '127.0.0.1'));
      const authorization = `Bearer ${token}`;
      assert.equal((await ask(local, { headers: { authorization, host: '192.168.7.7:7411' } })).status, 200);
      assert.equal((await ask(local, { headers: { authorization, host: 'evil.example' } })).status, 403);
    }));
});

describe('what is no request', () => {
  test('K2 gets an error in words, and the next request is served', () =>
    withHttp([], async (url) => {
      const wrong: readonly (readonly [Asked, number])[] = [
        [{ path: '/' }, 404],
        [{ path: '/mcp/../etc/passwd' }, 404],
        [{ path: '/mcp%2f..' }, 404],
        [{ method: 'GET' }, 405],
        [{ method: 'DELETE' }, 405],
        [{ method: 'PUT' }, 405],
        [{ body: 'hello?' }, 400],
        [{ body: '' }, 400],
        [{ body: '[]' }, 400],
        [{ body: Uint8Array.from([0x7b, 0xff, 0x7d]) }, 400],
        [{ body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'['.repeat(500_000)}` }, 400],
        [{ headers: { 'content-type': 'text/plain' } }, 415],
        [{ headers: { accept: 'text/html' } }, 406],
      ];
      for (const [asked, status] of wrong) {
        const reply = await ask(url, asked);
        assert.equal(reply.status, status, JSON.stringify(asked).slice(0, 100));
        assert.ok(reply.text.length < 2_000);
      }
      assert.equal((await ask(url)).status, 200);
    }));

  test('K2 a body without an end is cut off, and the next request is served', () =>
    withHttp([], async (url) => {
      const large = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"${'x'.repeat(17 * 1024 * 1024)}"}}`;
      const reply = await ask(url, { body: large }).catch((error: NodeJS.ErrnoException) => error.code ?? '');
      // The server may hang up while the client still writes.
      assert.ok(
        typeof reply === 'string' ? /EPIPE|ECONNRESET/.test(reply) : reply.status === 413,
        JSON.stringify(reply),
      );
      const socket = connect(Number(url.port), url.hostname);
      socket.write(
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      );
      const said = await new Promise<string>((resolve) => {
        let text = '';
        socket.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        socket.on('close', () => resolve(text));
      });
      assert.match(said, /^HTTP\/1\.1 400/);
      assert.equal((await ask(url)).status, 200);
    }));
});
