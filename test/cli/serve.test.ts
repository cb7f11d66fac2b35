/** `palimpsest serve` as a person runs it: a process, its first lines, its signals, its refusals. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { runCli } from '../../packages/palimpsest/src/cli/cli.ts';
import { hashOfKey } from '../../packages/palimpsest/src/gateway/keys.ts';
import { makeCertificate } from '../gateway/support/certificate.ts';
import { serving } from '../gateway/support/serving.ts';
import { answerIn, openSocket, postOf, readAll, wireUpstream } from '../gateway/support/wire.ts';
import { inFolder, made, runHere } from '../support/command-line.ts';

test(
  'K2 an upstream whose certificate is vouched for by a file of NODE_EXTRA_CA_CERTS is reached over TLS',
  {
    timeout: 60_000,
  },
  () =>
    inFolder({}, async (home) => {
      const certificate = makeCertificate(['localhost']);
      writeFileSync(join(home, 'authority.pem'), certificate.cert);
      const upstream = createServer(certificate, (request, response) => void request.pipe(response));
      await once(upstream.listen(0, '127.0.0.1'), 'listening');
      const { port } = Object(upstream.address());
      const words = ['--relay', '--upstream', `anthropic=https://localhost:${port}`];
      const proxies = { HTTPS_PROXY: 'http://proxy.example', NO_PROXY: 'openai.com,googleapis.com' };
      await using serve = await serving(words, {
        env: { NODE_EXTRA_CA_CERTS: join(home, 'authority.pem'), ...proxies },
      });
      const answer = await fetch(`${serve.url}/v1/messages`, { method: 'POST', body: '{}' });
      assert.deepEqual([answer.status, await answer.text()], [200, '{}']);
      assert.ok(!/through the proxy/.test(serve.out()), serve.out());
      upstream.close();
      upstream.closeAllConnections();
    }),
);

test('K2 who is reached through a proxy is told at the start, without its password', { timeout: 60_000 }, async () => {
  await using serve = await serving(['--relay'], { env: { HTTPS_PROXY: 'http://me:hidden@proxy.example:3128' } });
  assert.match(serve.out(), /api\.anthropic\.com is reached through the proxy http:\/\/proxy\.example:3128/);
  assert.ok(!/hidden/.test(serve.out()));
});

test('K2 what NODE_OPTIONS imports is loaded where streams pass and spans are made, and not in the worker beside it', {
  timeout: 60_000,
}, () => {
  const note = `import { appendFileSync } from 'node:fs';
    import { isMainThread } from 'node:worker_threads';
    appendFileSync(new URL('./loaded', import.meta.url), isMainThread ? 'main ' : 'worker ');`;
  return inFolder({ 'note.mjs': note }, async (folder) => {
    const imported = pathToFileURL(join(folder, 'note.mjs')).href;
    await using serve = await serving([], { env: { NODE_OPTIONS: `--import=${imported}` } });
    assert.match(serve.out(), /Keeps conversations in/);
    assert.equal(readFileSync(join(folder, 'loaded'), 'utf8'), 'main ');
  });
});

for (const [signal, code] of [
  ['SIGTERM', 0],
  ['SIGINT', 0],
] as const) {
  test(`K2 ${signal} lets an open stream end, and then the process ends with ${code}`, {
    timeout: 60_000,
  }, async () => {
    await using upstream = await wireUpstream(({ socket }) =>
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nda'),
    );
    await using serve = await serving(['--upstream', `anthropic=${upstream.url}`]);
    assert.match(serve.out(), /ANTHROPIC_BASE_URL=http:/);
    const client = openSocket(serve.url);
    const all = readAll(client);
    client.write(postOf('/v1/messages'));
    await once(client, 'data');
    const closed = once(serve.child, 'close');
    serve.child.kill(signal);
    // From then on it is not ready, and soon nobody listens.
    while (
      await fetch(`${serve.url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    );
    (await upstream.received(1)).socket.write('ta');
    assert.equal(answerIn(await all).body.toString(), 'data');
    assert.deepEqual(await closed, [code, null]);
  });
}

test('K2 a second signal does not wait for open streams', { timeout: 60_000 }, async () => {
  await using upstream = await wireUpstream(({ socket }) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nda'),
  );
  await using serve = await serving(['--upstream', `anthropic=${upstream.url}`, '--json']);
  const client = openSocket(serve.url);
  client.write(postOf('/v1/messages'));
  await once(client, 'data');
  const closed = once(serve.child, 'close');
  serve.child.kill('SIGTERM');
  while (
    await fetch(`${serve.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  );
  serve.child.kill('SIGTERM');
  assert.deepEqual(await closed, [143, null]);
});

test('K2 --make-key prints a key once, and its hash for the configuration', async () => {
  const { code, stdout } = await runHere(['serve', '--make-key', 'laptop', '--json']);
  const { name, key, hash } = JSON.parse(stdout);
  assert.deepEqual([code, name, hash], [0, 'laptop', hashOfKey(key)]);
  const { stdout: page } = await runHere(['serve', '--make-key', 'laptop']);
  assert.match(page, /^key: {2}palimpsest-key-[\w-]{43}$[\s\S]*^ {4}keys:\n {6}laptop: sha256:[0-9a-f]{64}$/m);
});

const refusals: readonly (readonly [args: readonly string[], message: RegExp])[] = [
  [['--host', '0.0.0.0'], /expected a key for a gateway that others can reach at 0\.0\.0\.0/],
  [['--port', '99999'], /expected --port to be a whole number from 0 to 65535/],
  [['--upstream', 'antropic=http://x'], /Did you mean anthropic\?/],
  [['--upstream', 'anthropic=ftp://x'], /--upstream anthropic: expected an address/],
  [['--upstream', 'anthropic=https://me:secret@x'], /without a password/],
  [['--auth-token', 'short'], /at least 20 characters/],
  [['--auth-token', 'env:NOT_SET'], /variable that is set, got "NOT_SET"/],
  [['--make-key', 'a b'], /name the user in letters/],
];
for (const [args, message] of refusals) {
  test(`K2 serve ${args.join(' ')} is refused with what was expected`, async () => {
    const { code, stderr } = await inFolder({}, (cwd) => runHere(['serve', ...args], { cwd }));
    assert.equal(code, 2);
    assert.match(stderr, message);
    assert.doesNotMatch(stderr, /secret/);
  });
}

test('K2 a port that is taken is told with its reason', async () => {
  await using upstream = await wireUpstream(() => undefined);
  const port = new URL(upstream.url).port;
  const { code, stderr } = await inFolder({}, (cwd) => runHere(['serve', '--port', port], { cwd }));
  assert.equal(code, 2);
  assert.match(stderr, /EADDRINUSE: choose another one with --port/);
});

test('K2 a key of the provider that is not there stops the start', () =>
  inFolder({ 'config.yaml': '' }, async (home) => {
    const env = { HOME: home, PALIMPSEST_GATEWAY_UPSTREAMS_ANTHROPIC_KEY_VARIABLE: 'MY_KEY' };
    const { code, stderr } = await runHere(['serve', '--port', '0'], { cwd: home, env });
    assert.equal(code, 2);
    assert.match(stderr, /variable MY_KEY to hold a key \(gateway\.upstreams\.anthropic\.key_variable\)/);
  }));

test('K2 the configuration of a project does not say where requests go', { timeout: 60_000 }, () =>
  inFolder(
    { 'palimpsest.yaml': 'gateway:\n  upstreams:\n    anthropic:\n      base_url: https://evil.example\n' },
    async (folder) => {
      let stop: (() => void) | undefined;
      const { terminal, out } = made({ cwd: folder });
      const started = Promise.withResolvers<void>();
      const onStop = (listener: () => void) => {
        stop = listener;
        started.resolve();
        return () => undefined;
      };
      const ended = runCli(['serve', '--port', '0', '--json'], { ...terminal, onStop });
      await started.promise;
      stop?.();
      assert.equal(await ended, 0);
      const { upstreams, notes } = JSON.parse(out());
      assert.equal(upstreams.anthropic, 'https://api.anthropic.com');
      assert.match(notes.join(), /gateway\.upstreams\.anthropic\.base_url in the project's configuration is ignored/);
    },
  ),
);
