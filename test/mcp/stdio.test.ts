/** `palimpsest mcp` over two pipes, as the clients of today open it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { entry, quietEnv } from '../support/command-line.ts';
import { namesLoaded } from '../support/names-loaded.ts';
import { withKept } from './support/kept.ts';
import { call, initialize, startServer } from './support/server-process.ts';

const served = ['--store', '../kept.db'];
const modern = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'claude-code', version: '2.1.330' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

describe('the opening of a connection', () => {
  test('K2 a client that probes with server/discover and then sends initialize is served', () =>
    withKept(async ({ oven }) => {
      await using server = startServer(served, { cwd: oven });
      const discovered = await server.ask('server/discover', modern);
      assert.deepEqual(discovered.result?.supportedVersions, ['2026-07-28']);
      assert.match(String(discovered.result?.instructions), /session_search/);
      const { result } = await initialize(server);
      assert.equal(result?.protocolVersion, '2025-11-25');
      assert.deepEqual(result?.capabilities, { tools: {}, resources: {}, prompts: {} });
      for (const method of ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list', 'ping'])
        assert.equal((await server.ask(method)).error, undefined, method);
    }));

  test('K2 a client of revision 2026-07-28 needs no handshake', () =>
    withKept(async ({ oven }) => {
      await using server = startServer(served, { cwd: oven });
      const { result } = await server.ask('tools/list', modern);
      assert.deepEqual([result?.resultType, result?.cacheScope], ['complete', 'private']);
      const answer = await server.ask('tools/call', {
        ...modern,
        name: 'session_search',
        arguments: { query: 'drift' },
      });
      assert.match(JSON.stringify(answer.result), /Oven timer drift/);
    }));

  for (const version of ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])
    test(`K2 a client of revision ${version} gets it`, () =>
      withKept(async ({ oven }) => {
        await using server = startServer(served, { cwd: oven });
        assert.equal((await initialize(server, version)).result?.protocolVersion, version);
        assert.match((await call(server, 'session_search', {})).text, /Oven timer drift/);
      }));

  test('K2 a client of the SDK connects in either way and calls a tool', () =>
    withKept(async ({ oven }) => {
      for (const mode of ['legacy', 'auto'] as const) {
        const transport = new StdioClientTransport({
          command: process.execPath,
          args: [entry, 'mcp', ...served],
          cwd: oven,
          env: { ...quietEnv, HOME: oven },
          stderr: 'ignore',
        });
        const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
        await client.connect(transport);
        const { tools } = await client.listTools();
        assert.equal(tools.length, 7);
        const answer = await client.callTool({ name: 'expand', arguments: { refs: 'm2' } });
        assert.match(JSON.stringify(answer.content), /divided by 32767/);
        await client.close();
      }
    }));
});

describe('the start of the server', () => {
  test('K2 the opening and the list of tools load nothing of the library but what settings are checked with', () =>
    withKept(async ({ oven }) => {
      const server = startServer(served, { cwd: oven, env: { NODE_OPTIONS: `--import=${namesLoaded}` } });
      await initialize(server);
      for (const method of ['tools/list', 'prompts/list']) assert.equal((await server.ask(method)).error, undefined);
      server.child.stdin?.end();
      assert.equal(await server.ended, 0);
      const loaded = server.errors().split('\n');
      const library = loaded.flatMap((url) => /\/packages\/core\/src\/([\w-]+(?:\.ts|\/))/.exec(url)?.slice(1) ?? []);
      assert.deepEqual(
        [...new Set(library)].filter((name) => name.endsWith('.ts')),
        ['settings.ts'],
      );
      assert.deepEqual(
        loaded.filter((url) => /\/src\/(?:store|recall|memory|compression|redaction)\//.test(url)),
        [],
      );
      assert.ok(loaded.some((url) => url.endsWith('/mcp/server.ts')));
    }));
});

describe('the end of a connection', () => {
  test('K2 the end of the input answers what is under way and ends the process with 0', () =>
    withKept(async ({ oven }) => {
      const server = startServer(served, { cwd: oven });
      const initialized = initialize(server);
      server.write({
        jsonrpc: '2.0',
        id: 'last',
        method: 'tools/call',
        params: { name: 'session_search', arguments: {} },
      });
      server.child.stdin?.end();
      assert.equal(await server.ended, 0);
      assert.ok((await initialized).result);
      assert.match(JSON.stringify((await server.frame(({ id }) => id === 'last')).result), /Oven timer drift/);
    }));

  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    test(`K2 ${signal} ends the process with 0, with the pipe open`, () =>
      withKept(async ({ oven }) => {
        const server = startServer(served, { cwd: oven });
        await initialize(server);
        await call(server, 'session_search', {});
        server.child.kill(signal);
        assert.equal(await server.ended, 0);
        assert.equal(server.errors(), '');
      }));
});

describe('what is no message', () => {
  const frames: readonly (readonly [string, string | Uint8Array, number, (string | number | null)?])[] = [
    ['no JSON', 'hello?\n', -32_700],
    ['bytes that are no UTF-8', Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]), -32_700],
    ['half a message', '{"jsonrpc":"2.0","id":700,"method":\n', -32_700],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', -32_600],
    ['another version', '{"jsonrpc":"1.0","id":"a","method":"ping"}\n', -32_600, 'a'],
    ['a method that is no text', '{"jsonrpc":"2.0","id":800,"method":5}\n', -32_600, 800],
    ['nesting without an end', `{"jsonrpc":"2.0","id":900,"method":"ping","params":${'['.repeat(200_000)}\n`, -32_600],
    [
      '17 MB',
      `{"jsonrpc":"2.0","id":1000,"method":"ping","params":{"a":"${'x'.repeat(17 * 1024 * 1024)}"}}\n`,
      -32_600,
    ],
  ];
  test('K2 gets an error of JSON-RPC, and the next message is served', () =>
    withKept(async ({ oven }) => {
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      for (const [what, bytes, code, id = null] of frames) {
        const before = server.lines().length;
        server.write(bytes);
        assert.deepEqual((await server.ask('ping')).result, {}, what);
        // Exactly one answer beside that to the ping.
        const errors = server
          .lines()
          .slice(before)
          .map((line) => JSON.parse(line))
          .filter(({ error }) => error);
        assert.deepEqual(
          errors.map(({ id: of, error }) => [of, error.code]),
          [[id, code]],
          what,
        );
      }
    }));

  test('K2 names that would change objects, empty lines and pieces of a message do no harm', () =>
    withKept(async ({ oven }) => {
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      server.write('\n\r\n');
      server.write(
        '{"jsonrpc":"2.0","id":"p","method":"tools/call","params":{"name":"session_search","arguments":{"__proto__":{"query":"x"},"constr',
      );
      server.write('uctor":{"prototype":{"limit":1}},"query":"drift"}}}\r\n');
      const { result } = await server.frame(({ id }) => id === 'p');
      assert.match(JSON.stringify(result), /Oven timer/);
      assert.deepEqual((await server.ask('ping')).result, {});
    }));

  test('K2 what a client may not ask for is refused by name', () =>
    withKept(async ({ oven }) => {
      await using server = startServer(served, { cwd: oven });
      await initialize(server);
      assert.equal((await server.ask('tasks/list')).error?.code, -32_601);
      const { error } = await server.ask('tools/call', { name: 'terminal', arguments: {} });
      assert.equal(error?.code, -32_602);
      assert.match(error?.message ?? '', /no tool "terminal": there are session_search, expand, read_output/);
    }));
});
