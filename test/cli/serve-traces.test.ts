/** `palimpsest serve` with the variables of OpenTelemetry: spans reach a collector, and what is missing is told. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startFakeProvider } from '@palimpsest/core/testing';
import { startTraces } from '../../packages/palimpsest/src/cli/run/serve-traces.ts';
import { agentOf } from '../gateway/conversations/agents.ts';
import { fileOf, readsFiles } from '../gateway/conversations/support.ts';
import { entry, inFolder, quietEnv } from '../support/command-line.ts';
import { traced } from '../tracing/spans.ts';

/** A span as OTLP has it in JSON. */
interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

interface Collector extends AsyncDisposable {
  readonly url: string;
  /** Paths that were posted to, and what came. */
  readonly posts: readonly { readonly path: string; readonly body: string }[];
  readonly spans: () => readonly SentSpan[];
}

/** Takes OTLP over HTTP, as JSON. */
async function collector(): Promise<Collector> {
  const posts: { path: string; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      posts.push({ path: request.url ?? '', body });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    posts,
    // The shape of ExportTraceServiceRequest.
    spans: () =>
      posts.flatMap(({ body }) =>
        (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] }).resourceSpans.flatMap(
          ({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test(
  'U3 serve sends its spans to the collector that the environment names, and nothing that was said',
  {
    timeout: 120_000,
  },
  () =>
    inFolder({}, async (home) => {
      await using sink = await collector();
      const provider = await startFakeProvider({ script: readsFiles(30) });
      const args = ['serve', '--port', '0', '--upstream', `anthropic=${provider.url}`, '--context-length', '12000'];
      const child = spawn(process.execPath, [entry, ...args, '--auth-token', 'a-token-that-nobody-sees'], {
        cwd: home,
        env: {
          ...quietEnv,
          HOME: home,
          OTEL_EXPORTER_OTLP_ENDPOINT: sink.url,
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
          OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test%20bench',
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let text = '';
      const url = await new Promise<string>((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr])
          stream.setEncoding('utf8').on('data', (piece: string) => {
            text += piece;
            const [, found] = /listening on (http:\S+)/.exec(text) ?? [];
            if (found !== undefined && text.includes('gemini ')) resolve(found);
          });
        child.once('close', () => reject(new Error(`it ended: ${text}`)));
      });
      assert.ok(text.includes(`Spans are sent to ${new URL(sink.url).host} (OTEL_EXPORTER_OTLP_ENDPOINT).`), text);
      const agent = agentOf('anthropic', url, 'Please read every file in data/.');
      const headers = { 'x-palimpsest-key': 'a-token-that-nobody-sees' };
      for (let step = 1; step <= 14; step++) assert.equal((await agent.step(fileOf(step), { headers })).status, 200);
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      assert.deepEqual(await closed, [0, null]);
      await provider.close();
      const spans = sink.spans();
      const count = (name: string): number => spans.filter((one) => one.name === name).length;
      assert.deepEqual([count('POST /v1/messages'), count('chat some-model')], [14, 14]);
      assert.ok(count('compress') >= 1);
      assert.ok(sink.posts.every(({ path }) => path === '/v1/traces'));
      const sent = sink.posts.map(({ body }) => body).join('');
      assert.ok(sent.includes('"palimpsest"') && sent.includes('test bench'));
      assert.doesNotMatch(sent, /nobody-sees|read every file|part-1\.csv/);
      assert.match(text, /note: conversation \S{13} was compressed from about [\d,]+ to about [\d,]+ tokens/);
      assert.doesNotMatch(text, /nobody-sees|read every file|part-1\.csv/);
    }),
);

const asking = { OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:secret@collector.example/path?key=secret' };

test('U3 a missing package is named with the command that installs it, and stops nothing', async () => {
  const missing = Object.assign(new Error("Cannot find package '@opentelemetry/sdk-node'"), {
    code: 'ERR_MODULE_NOT_FOUND',
  });
  const { notes, stop } = await startTraces({ env: asking }, () => Promise.reject(missing));
  assert.deepEqual(notes, [
    'OTEL_EXPORTER_OTLP_ENDPOINT is set, but no spans are sent. The package @opentelemetry/sdk-node is not installed: npm install @opentelemetry/sdk-node@0.301.0 beside palimpsest.',
  ]);
  await stop();
});

test('U3 nothing is loaded where no variable asks for it, or one says no', async () => {
  const never = () => assert.fail('a package was loaded');
  for (const env of [
    {},
    { OTEL_SERVICE_NAME: 'mine' },
    { ...asking, OTEL_SDK_DISABLED: 'true' },
    { ...asking, OTEL_TRACES_EXPORTER: 'none' },
  ])
    assert.deepEqual((await startTraces({ env }, never)).notes, []);
});

test('U3 an SDK that was there before is used, and no second one is started', async () => {
  using _otel = traced();
  const { notes } = await startTraces({ env: asking }, () => assert.fail('a package was loaded'));
  assert.deepEqual(notes, ['Spans go to the OpenTelemetry SDK that this process began with.']);
});

test('U3 the place that spans are sent to is told without path and password', async () => {
  const shutdown = () => Promise.reject(new Error('the collector is gone'));
  class NodeSDK {
    start(): void {}
    shutdown = shutdown;
  }
  const { notes, stop } = await startTraces({ env: asking }, async () => ({ NodeSDK }));
  assert.deepEqual(notes, ['Spans are sent to collector.example (OTEL_EXPORTER_OTLP_ENDPOINT).']);
  await stop();
});
