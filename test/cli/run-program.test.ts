/** `palimpsest run`: a program with its own streams, signals and exit code, pointed at a gateway. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { clientRows } from '../../packages/palimpsest/src/clients/client-list.ts';
import { runSettings, upstreamsIn } from '../../packages/palimpsest/src/clients/run-settings.ts';
import { entry, inFolder, quietEnv, runHere, runProcess } from '../support/command-line.ts';
import { write } from './plugin-home.ts';

/** Something that answers at an address, as a gateway of ours does or otherwise. */
async function answering(
  text: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_, response) => response.writeHead(200, headers).end(text));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const gatewayText = 'Palimpsest gateway. It passes on everything.\n';
const node = process.execPath;
const slow = { timeout: 60_000 } as const;

test('K2 a program is told where the gateway is, keeps its keys, and no file is changed', slow, () =>
  inFolder({}, async (home) => {
    await using gateway = await answering(gatewayText);
    const code = 'console.log(JSON.stringify(process.env))';
    const words = ['run', '--gateway', gateway.url, '--', node, '-e', code];
    const done = await runProcess(words, { cwd: home, env: { ANTHROPIC_API_KEY: 'not-a-key' } });
    assert.equal(done.code, 0);
    const env = JSON.parse(done.stdout);
    assert.deepEqual(
      [env.ANTHROPIC_BASE_URL, env.OPENAI_BASE_URL, env.GOOGLE_GEMINI_BASE_URL, env.ANTHROPIC_API_KEY],
      [gateway.url, `${gateway.url}/v1`, gateway.url, 'not-a-key'],
    );
    assert.deepEqual([done.stderr, readdirSync(home)], ['', []]);
  }),
);

test(
  'K2 without an option the gateway of your configuration is used, also where it answers nobody without a key',
  slow,
  () =>
    inFolder({}, async (home) => {
      await using gateway = await answering('no key', { 'x-palimpsest-error': 'bad-key' });
      const { port } = new URL(gateway.url);
      const keys = `  keys:\n    laptop: sha256:${'a'.repeat(64)}\n`;
      write(home, { '.config/palimpsest/config.yaml': `gateway:\n  port: ${port}\n${keys}` });
      const code = 'console.log(process.env.ANTHROPIC_BASE_URL)';
      const done = await runProcess(['run', '--', node, '-e', code], { cwd: home, env: { HOME: home } });
      assert.equal(done.stdout, `${gateway.url}\n`);
      assert.match(done.stderr, /wants a key/);
    }),
);

test('K2 input, output and exit code are those of the program, and its options are not ours', slow, async () => {
  await using gateway = await answering(gatewayText);
  const code = 'process.stdin.pipe(process.stdout); console.error(process.argv.at(-1)); process.exitCode = 7';
  const words = ['run', '--gateway', gateway.url, '--', node, '-e', code, '--', '--json'];
  const done = await runProcess(words, { input: 'from the person' });
  assert.deepEqual(done, { code: 7, stdout: 'from the person', stderr: '--json\n' });
});

test('K2 a program that a signal ended gives 128 and the number of it', slow, async () => {
  await using gateway = await answering(gatewayText);
  const words = ['run', '--gateway', gateway.url, '--', node, '-e', 'process.kill(process.pid, "SIGKILL")'];
  assert.equal((await runProcess(words)).code, 137);
});

for (const [signal, code] of [
  ['SIGTERM', 3],
  ['SIGINT', 4],
] as const) {
  test(`K2 ${signal} reaches the program, once, and the run ends when the program does`, slow, async () => {
    await using gateway = await answering(gatewayText);
    const program = `let count = 0;
      process.on('SIGTERM', () => { count++; setImmediate(() => process.exit(count === 1 ? 3 : 9)); });
      process.on('SIGINT', () => { count++; setImmediate(() => process.exit(count === 1 ? 4 : 9)); });
      setInterval(() => {}, 1000); console.log('ready');`;
    const child = spawn(node, [entry, 'run', '--gateway', gateway.url, '--', node, '-e', program], {
      env: { ...quietEnv, HOME: tmpdir() },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    child.kill(signal);
    assert.deepEqual(await once(child, 'close'), [code, null]);
  });
}

test(
  'K2 a program that is not there is told so, and one that no run can point anywhere is sent to connect',
  slow,
  async () => {
    await using gateway = await answering(gatewayText);
    const missing = await runHere(['run', '--gateway', gateway.url, '--', 'no-such-program']);
    assert.deepEqual([missing.code, /there is no such program/.test(missing.stderr)], [2, true]);
    const pi = await runHere(['run', '--', 'pi', '-p', 'hello']);
    assert.deepEqual(
      [pi.code, /pi reads .* use palimpsest connect pi, and palimpsest disc/.test(pi.stderr)],
      [2, true],
    );
    const cline = await runHere(['run', '--', '/opt/bin/cline', 'hello']);
    assert.deepEqual([cline.code, /Cline keeps .*: palimpsest connect cline says what/.test(cline.stderr)], [2, true]);
  },
);

test('K2 where something else answers, a gateway of this run is used and ends with it', slow, async (t) => {
  const help = await runHere(['serve', '--help']);
  if (!help.stdout.startsWith('Usage: palimpsest serve')) return t.skip('this version has no palimpsest serve');
  await using other = await answering('another program');
  const ask =
    'fetch(process.env.ANTHROPIC_BASE_URL).then((a) => a.text()).then((t) => console.log(process.env.ANTHROPIC_BASE_URL, t))';
  const words = ['run', '--gateway', other.url, '--', node, '-e', ask];
  // Nobody else's store.
  const done = await inFolder({}, (home) => runProcess(words, { cwd: home }));
  assert.equal(done.code, 0);
  const [url = ''] = done.stdout.split(' ');
  assert.match(done.stdout, /Palimpsest gateway/);
  assert.notEqual(url, other.url);
  await assert.rejects(fetch(url));
});

test('K2 where there is no gateway and none starts, the run says so and the program is not run', slow, async () => {
  const outcome = await runHere(['run', '--gateway', 'http://127.0.0.1:9', '--', node, '-e', ''], {
    env: { ANTHROPIC_BASE_URL: 'not an address' },
  });
  assert.deepEqual([outcome.code, /expected palimpsest serve to start for this run/.test(outcome.stderr)], [2, true]);
});

test('K2 every client that palimpsest connect knows is pointed at the gateway by a run, or refused', () => {
  const programs = ['claude', 'codex', 'opencode', 'pi.cmd', 'qwen', 'gemini', 'cline', '/usr/bin/cn'];
  const refused = programs.flatMap((program) => {
    const settings = runSettings([program], { gateway: 'http://127.0.0.1:4780', env: {} });
    return 'connect' in settings ? [settings.connect.name] : [];
  });
  assert.deepEqual(refused, ['pi', 'cline', 'continue']);
  // A new one is to be tried, and added to one of the two.
  assert.equal(clientRows.length, programs.length);
});

test('K2 Codex gets the address as an option and opencode as settings beside its own', () => {
  const gateway = 'http://127.0.0.1:4780';
  const codex = runSettings(['/usr/bin/codex', 'exec', 'hi'], { gateway, env: {} });
  assert.ok('args' in codex);
  assert.deepEqual(codex.args, ['-c', 'openai_base_url="http://127.0.0.1:4780/v1"', 'exec', 'hi']);
  const own = '{"theme":"dark","provider":{"openai":{"options":{"timeout":5}}}}';
  const opencode = runSettings(['opencode', 'run'], { gateway, env: { OPENCODE_CONFIG_CONTENT: own } });
  assert.ok('env' in opencode);
  const settings = JSON.parse(opencode.env.OPENCODE_CONFIG_CONTENT ?? '');
  assert.equal(settings.theme, 'dark');
  assert.deepEqual(settings.provider.openai.options, { timeout: 5, baseURL: `${gateway}/v1` });
  assert.equal(settings.provider.google.options.baseURL, `${gateway}/v1beta`);
});

test('K2 addresses of the environment become the upstreams of a gateway for this run', () => {
  const env = { ANTHROPIC_BASE_URL: 'https://a.example', OPENAI_BASE_URL: 'https://o.example/v1', PATH: '/bin' };
  assert.deepEqual(upstreamsIn(env), [
    ['anthropic', 'https://a.example'],
    ['openai-chat', 'https://o.example/v1'],
    ['openai-responses', 'https://o.example/v1'],
  ]);
});
