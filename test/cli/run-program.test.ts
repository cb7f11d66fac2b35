/** `palimpsest run`: a program with its own streams, signals and exit code, pointed at a gateway. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gatewayFor, isSameServer } from '../../packages/palimpsest/src/cli/connect/own-gateway.ts';
import { requireOwnModels, withOwnAddress } from '../../packages/palimpsest/src/cli/connect/own-settings.ts';
import { clientRows } from '../../packages/palimpsest/src/clients/client-list.ts';
import { detourVariable, straightVariables } from '../../packages/palimpsest/src/clients/no-proxy.ts';
import { runSettings, upstreamsIn } from '../../packages/palimpsest/src/clients/run-settings.ts';
import { entry, inFolder, made, quietEnv, runHere, runProcess } from '../support/command-line.ts';
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
    const done = await runProcess(words, {
      cwd: home,
      env: { ANTHROPIC_API_KEY: 'not-a-key', NO_PROXY: 'corp.example' },
    });
    assert.equal(done.code, 0);
    const env = JSON.parse(done.stdout);
    assert.deepEqual(
      [env.ANTHROPIC_BASE_URL, env.OPENAI_BASE_URL, env.GOOGLE_GEMINI_BASE_URL, env.ANTHROPIC_API_KEY],
      [gateway.url, `${gateway.url}/v1`, gateway.url, 'not-a-key'],
    );
    assert.deepEqual([env.NO_PROXY, env.no_proxy], ['corp.example,127.0.0.1', 'corp.example,127.0.0.1']);
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

test('K2 what opencode is told by the person keeps its comments, and what is broken is refused', () => {
  const gateway = 'http://127.0.0.1:4780';
  const told = (own: string) => runSettings(['opencode'], { gateway, env: { OPENCODE_CONFIG_CONTENT: own } });
  const opencode = told('{ // mine\n  "model": "a/b",\n  "share": "disabled",\n}');
  assert.ok('env' in opencode);
  assert.match(
    opencode.env.OPENCODE_CONFIG_CONTENT ?? '',
    /^\{ \/\/ mine\n {2}"model": "a\/b",\n {2}"share": "disabled",.*4780/s,
  );
  for (const broken of ['{ "model": ', '{ "provider": { "openai": 1 } }'])
    assert.throws(() => told(broken), { code: 'BAD_OPTION', message: /OPENCODE_CONFIG_CONTENT.*line 1: expected/ });
});

test('K2 Claude Code gets the address by an option that goes before its files, unless the person uses it', () => {
  const gateway = 'http://127.0.0.1:4780';
  const told = (...words: readonly string[]) => {
    const settings = runSettings(words, { gateway, env: {} });
    assert.ok('args' in settings);
    return settings;
  };
  const option = ['--settings', '{"env":{"ANTHROPIC_BASE_URL":"http://127.0.0.1:4780"}}'];
  assert.deepEqual(told('claude', '-p', '--', '--settings').args, [...option, '-p', '--', '--settings']);
  for (const own of [['--settings', 'mine.json'], ['--settings={}']]) {
    const { args, notes } = told('claude', ...own);
    assert.deepEqual([args, notes.length], [own, 1]);
  }
});

const claudeFile = (address: string): string => JSON.stringify({ env: { ANTHROPIC_BASE_URL: address } });

test('K2 the server in the settings of Claude Code becomes the upstream, and one of a project is refused', () =>
  inFolder({}, async (home) => {
    const words = ['/usr/bin/claude', '-p'];
    const { terminal } = made({ cwd: join(home, 'project'), env: { HOME: home } });
    const own = () => withOwnAddress(words, { gateway: 'http://127.0.0.1:4780', terminal });
    assert.equal((await own()).ANTHROPIC_BASE_URL, undefined);
    write(home, { '.claude/settings.json': claudeFile('https://corp.example') });
    assert.equal((await own()).ANTHROPIC_BASE_URL, 'https://corp.example');
    await runHere(['connect', 'claude-code', '--yes', '--gateway', 'http://127.0.0.1:4999'], { cwd: home });
    assert.equal((await own()).ANTHROPIC_BASE_URL, undefined);
    write(home, { 'project/.claude/settings.local.json': claudeFile('https://u:pass-word@other.example') });
    await assert.rejects(own(), ({ code, message }) => code === 'BAD_OPTION' && !message.includes('pass-word'));
    write(home, { 'project/.claude/settings.local.json': claudeFile('http://localhost:4780') });
    assert.equal((await own()).ANTHROPIC_BASE_URL, undefined);
  }));

test('K2 the server in the settings of Codex becomes the upstream', () =>
  inFolder({}, async (home) => {
    write(home, { '.codex/config.toml': 'openai_base_url = "https://corp.example/v1"\n' });
    const { terminal } = made({ cwd: home, env: { HOME: home } });
    const env = await withOwnAddress(['codex', 'exec'], { gateway: 'http://127.0.0.1:4780', terminal });
    assert.deepEqual(upstreamsIn(env), [
      ['openai-chat', 'https://corp.example/v1'],
      ['openai-responses', 'https://corp.example/v1'],
    ]);
  }));

test('K2 Qwen Code is refused where a model in its file would go past the gateway, with the line', () =>
  inFolder({}, async (home) => {
    const settings = (address: string): string =>
      `{\n  "modelProviders": { "openai": [\n    { "id": "m", "baseUrl": "${address}" }\n  ] }\n}\n`;
    const { terminal } = made({ cwd: home, env: { HOME: home } });
    const checked = () => requireOwnModels(['qwen'], { gateway: 'http://127.0.0.1:4780', terminal });
    await checked();
    write(home, { '.qwen/settings.json': settings('http://127.0.0.1:4780/v1') });
    await checked();
    write(home, { '.qwen/settings.json': settings('https://api.openai.com/v1') });
    await assert.rejects(checked(), { code: 'BAD_CONFIG', message: /line 3: .*palimpsest connect qwen/ });
    await runHere(['connect', 'qwen', '--yes', '--gateway', 'http://127.0.0.1:5000'], { cwd: home });
    const advice = /start palimpsest serve, or use palimpsest disconnect qwen for this run/;
    await assert.rejects(checked(), { code: 'BAD_CONFIG', message: advice });
  }));

test(
  'K2 the gateway of a run listens on this machine alone, wants no key, and tells when nothing came to it',
  slow,
  () =>
    inFolder({}, async (home) => {
      await using other = await answering('another program');
      const keys = `  keys:\n    laptop: sha256:${'a'.repeat(64)}\n`;
      write(home, { '.config/palimpsest/config.yaml': `gateway:\n  host: 0.0.0.0\n${keys}` });
      const url = 'process.env.ANTHROPIC_BASE_URL';
      const code = `fetch(${url} + '/metrics').then((a) => console.log(${url}, a.status))`;
      const words = ['run', '--gateway', other.url, '--', node, '-e', code];
      const done = await runProcess(words, { cwd: home, env: { HOME: home } });
      assert.match(done.stdout, /^http:\/\/127\.0\.0\.1:\d+ 200\n$/);
      assert.match(done.stderr, /no request came to the gateway of this run.*palimpsest connect/);
    }),
);

test('K2 all names of this machine are one, and the gateway there is used for them', slow, async () => {
  assert.ok(isSameServer('http://localhost:4780/v1', 'http://127.0.0.1:4780'));
  assert.ok(isSameServer('http://[::1]:4780', 'http://127.0.0.1:4780'));
  assert.ok(!isSameServer('http://localhost:4781', 'http://127.0.0.1:4780'));
  await using gateway = await answering(gatewayText);
  const env = { ANTHROPIC_BASE_URL: gateway.url.replace('127.0.0.1', 'localhost') };
  await using used = await gatewayFor(gateway.url, made({ env }).terminal);
  assert.deepEqual([used.url, used.isOwn], [gateway.url, false]);
});

test('K2 the gateway is kept from a proxy, beside what is kept from it already', () => {
  const gateway = 'http://127.0.0.1:4780';
  const both = (list: string) => ({ NO_PROXY: list, no_proxy: list });
  assert.deepEqual(straightVariables(gateway, {}), {});
  const behind = { https_proxy: 'http://proxy.example:3128' };
  assert.deepEqual(straightVariables(gateway, behind), both('127.0.0.1'));
  assert.deepEqual(straightVariables(gateway, { no_proxy: 'a.example, 127.0.0.1' }), both('a.example, 127.0.0.1'));
  assert.deepEqual(straightVariables(gateway, { NO_PROXY: '*' }), both('*'));
  assert.deepEqual(straightVariables(gateway, { NO_PROXY: 'a', no_proxy: 'b' }), {
    NO_PROXY: 'a,127.0.0.1',
    no_proxy: 'b,127.0.0.1',
  });
  assert.deepEqual(straightVariables('http://[::1]:4780', behind), both('::1,[::1]'));
  assert.equal(detourVariable(gateway, behind), 'https_proxy');
  assert.equal(detourVariable(gateway, { HTTP_PROXY: 'http://p.example', no_proxy: 'localhost,127.0.0.1' }), undefined);
  assert.equal(detourVariable(gateway, {}), undefined);
});

test('K2 addresses of the environment become the upstreams of a gateway for this run', () => {
  const env = { ANTHROPIC_BASE_URL: 'https://a.example', OPENAI_BASE_URL: 'https://o.example/v1', PATH: '/bin' };
  assert.deepEqual(upstreamsIn(env), [
    ['anthropic', 'https://a.example'],
    ['openai-chat', 'https://o.example/v1'],
    ['openai-responses', 'https://o.example/v1'],
  ]);
});
