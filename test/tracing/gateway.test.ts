/** What a collector sees of the gateway: a span a request, below it what was done, and no word of what was said. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { startFakeProvider } from '@palimpsest/core/testing';
import type { Told } from '../../packages/palimpsest/src/gateway/middle.ts';
import { agentOf } from '../gateway/conversations/agents.ts';
import { fileOf, keptGateway, readsFiles } from '../gateway/conversations/support.ts';
import { across } from '../gateway/support/across.ts';
import { gatewayBefore, nobody } from '../gateway/support/gateway.ts';
import { idOf, parentOf, type Traced, textOf, traced } from './spans.ts';

const task = 'Please read every file in data/.';
const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Waits until so many spans of a name have ended: a gateway may still write when its client has the answer. */
async function ended(otel: Traced, name: string, count: number): Promise<ReturnType<Traced['named']>> {
  for (let tries = 0; otel.named(name).length < count; tries++) {
    assert.ok(tries < 10_000, `${otel.named(name).length} of ${count} spans of ${name}`);
    await new Promise(setImmediate);
  }
  return otel.named(name);
}

describe('U3 the gateway', () => {
  test('has a span for a request, which continues the trace of the client, and sends the headers as they came', async () => {
    using otel = traced();
    await using kept = await keptGateway({ script: { text: 'Read.' } }, { isInside: true });
    const agent = agentOf('anthropic', kept.url, task);
    await agent.step('', { headers: { traceparent } });
    const [span] = await ended(otel, 'POST /v1/messages', 1);
    const [call] = await ended(otel, 'chat', 1);
    assert.ok(span && call);
    assert.equal(span.kind, SpanKind.SERVER);
    assert.equal(parentOf(span), 'b7ad6b7169203331');
    const { name, version } = span.instrumentationScope;
    assert.deepEqual({ name, version }, manifest());
    const session = call.attributes['palimpsest.session.id'];
    assert.deepEqual(span.attributes, {
      'http.request.method': 'POST',
      'http.route': '/v1/messages',
      'url.scheme': 'http',
      'http.response.status_code': 200,
      'palimpsest.gateway.dialect': 'anthropic',
      'palimpsest.gateway.act': 'answer',
      'palimpsest.gateway.action': 'whole',
      'palimpsest.gateway.tries': 1,
      'palimpsest.gateway.end': 'whole',
      'palimpsest.session.id': session,
      'gen_ai.conversation.id': session,
    });
    assert.equal(parentOf(call), idOf(span));
    assert.equal(call.attributes['gen_ai.provider.name'], 'anthropic');
    assert.equal(typeof call.attributes['gen_ai.usage.output_tokens'], 'number');
    assert.equal(kept.provider.requests[0]?.headers.traceparent, traceparent);
    assert.doesNotMatch(textOf(otel.spans()), /read every file|Read\./);
  });

  test('has the compression below the request that it was made for, and marks the calls that follow', async () => {
    using otel = traced();
    await using kept = await keptGateway({ script: readsFiles(30) }, { contextLength: 12_000, isInside: true });
    const agent = agentOf('openai-chat', kept.url, task);
    for (let step = 1; step <= 16; step++) await agent.step(fileOf(step));
    const requests = await ended(otel, 'POST', 16);
    const [compression] = otel.named('compress');
    const shortened = requests.find(({ attributes }) => attributes['palimpsest.gateway.action'] === 'compressed');
    assert.ok(compression && shortened);
    assert.equal(parentOf(compression), idOf(shortened));
    const calls = (await ended(otel, 'chat', 16)).filter(({ attributes: of }) => of['gen_ai.conversation.compacted']);
    assert.ok(calls.length > 0 && calls.length < 16);
  });

  test('counts the tries of an overflow that it recovers from, as one request', async () => {
    using otel = traced();
    await using kept = await keptGateway({ contextLength: 12_000, script: readsFiles(30) });
    const agent = agentOf('anthropic', kept.url, task);
    for (let step = 1; step <= 20; step++) assert.equal((await agent.step(fileOf(step))).status, 200);
    const requests = await ended(otel, 'POST', 20);
    const recovered = requests.filter(({ attributes }) => attributes['palimpsest.gateway.recovered'] === true);
    assert.ok(recovered.length >= 1);
    assert.ok(recovered.every(({ attributes }) => Number(attributes['palimpsest.gateway.tries']) >= 2));
  });

  test('fails a span with the name of what went wrong: an upstream that is not there, but not a wrong path', async () => {
    using otel = traced();
    await using gateway = await gatewayBefore(nobody);
    const body = JSON.stringify({ model: 'secret-model', messages: [] });
    const lost = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', body });
    assert.equal(lost.status, 502);
    assert.equal((await fetch(`${gateway.url}/v1/nothing?key=secret`, { method: 'POST', body })).status, 404);
    await fetch(`${gateway.url}/healthz`);
    const [failed, wrong, ...others] = await ended(otel, 'POST', 2);
    assert.ok(failed && wrong && others.length === 0);
    assert.equal(failed.attributes['error.type'], 'upstream-unreachable');
    assert.equal(failed.status.code, SpanStatusCode.ERROR);
    assert.deepEqual([wrong.name, wrong.status.code], ['POST', SpanStatusCode.UNSET]);
    assert.equal(wrong.attributes['palimpsest.gateway.refusal'], 'unknown-path');
    assert.doesNotMatch(textOf(otel.spans()), /secret/);
  });

  test('makes the spans of what a middle on the other side of the worker did from what it tells', async () => {
    using otel = traced();
    await using provider = await openProvider();
    const told: Told = {
      action: 'compressed',
      model: 'claude-sonnet-4-5',
      sessionId: 's2',
      conversationId: 's1',
      isCompacted: true,
      compression: { tokensBefore: 900, tokensAfter: 300, writer: 'ledger', startedAt: 1_000, endedAt: 1_250 },
    };
    const end = async () => ({ inputTokens: 290, outputTokens: 5 });
    const middle = {
      prepare: async ({ body }: { readonly body: Uint8Array }) => ({
        body,
        told,
        settle: () => ({ watch: { read: () => undefined, end } }),
      }),
    };
    using far = across(middle);
    await using gateway = await gatewayBefore(provider.url, {}, { middle: far.near });
    await agentOf('anthropic', gateway.url, task).step('');
    const [request] = await ended(otel, 'POST', 1);
    const [call] = await ended(otel, 'chat', 1);
    const [compression] = otel.named('compress');
    assert.ok(request && call && compression);
    assert.deepEqual([parentOf(call), parentOf(compression)], [idOf(request), idOf(request)]);
    assert.deepEqual(
      [compression.startTime, compression.duration],
      [
        [1, 0],
        [0, 250_000_000],
      ],
    );
    assert.equal(compression.attributes['palimpsest.compression.tokens_before'], 900);
    assert.deepEqual(call.attributes, {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude-sonnet-4-5',
      'gen_ai.conversation.id': 's1',
      'gen_ai.conversation.compacted': true,
      'gen_ai.usage.input_tokens': 290,
      'gen_ai.usage.output_tokens': 5,
      'palimpsest.session.id': 's2',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(provider.url).port),
    });
  });
});

/** As it is published. */
function manifest(): { readonly name: string; readonly version: string } {
  const path = join(import.meta.dirname, '..', '..', 'packages', 'palimpsest', 'package.json');
  const { name, version } = JSON.parse(readFileSync(path, 'utf8')); // our own manifest
  return { name, version };
}

async function openProvider(): Promise<{ readonly url: string } & AsyncDisposable> {
  const provider = await startFakeProvider({ script: { text: 'Read.' } });
  return { url: provider.url, [Symbol.asyncDispose]: () => provider.close() };
}
