/** What a program with OpenTelemetry sees of the library: a span a call, compression, recall and search, and nothing that was said. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { compress, type Message, type Summarizer } from '@palimpsest/core';
import { expandSession, search } from '@palimpsest/core/search';
import { compressSession } from '@palimpsest/core/store';
import { coreScope } from '../../packages/core/src/tracing/tracer.ts';
import { answer, listOf, reply, runtimeOver, tokenizer, user, withStore, work } from '../conversation/agent.ts';
import { add, byPerson, openBench } from '../memory/entries/bench.ts';
import { idOf, parentOf, textOf, traced } from './spans.ts';

const contextLength = 8_000;

describe('U3 a conversation', () => {
  test('has a span for each call, by the conventions, with what the provider reported', () =>
    withStore(async (store) => {
      using otel = traced();
      const runtime = runtimeOver(store);
      const prepared = await runtime.prepare({ messages: [user('Move the ledgers.')], maxTokens: 512 });
      const usage = {
        input_tokens: 30,
        cache_read_input_tokens: 60,
        cache_creation_input_tokens: 10,
        output_tokens: 7,
      };
      assert.deepEqual(otel.spans(), [], 'the call is under way');
      await runtime.settle(prepared, { type: 'answered', reply: reply('Done.'), usage });
      const [span, ...others] = otel.spans();
      assert.ok(span && others.length === 0);
      assert.equal(span.name, 'chat claude-sonnet-4-5');
      assert.equal(span.kind, SpanKind.CLIENT);
      assert.equal(span.instrumentationScope.name, '@palimpsest/core');
      assert.deepEqual(span.attributes, {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'anthropic',
        'gen_ai.request.model': 'claude-sonnet-4-5',
        'gen_ai.request.max_tokens': 512,
        'gen_ai.conversation.id': prepared.conversationId,
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.output_tokens': 7,
        'gen_ai.usage.cache_read.input_tokens': 60,
        'gen_ai.usage.cache_write.input_tokens': 10,
        'palimpsest.session.id': prepared.sessionId,
        'palimpsest.context.tokens': prepared.size.tokens,
        'palimpsest.call.outcome': 'answered',
        'palimpsest.call.tries': 1,
      });
    }));

  test('has a span for a compression inside of that of the program, and calls after it are marked as compacted', () =>
    withStore(async (store) => {
      using otel = traced();
      const runtime = runtimeOver(store, { contextLength });
      const tracer = trace.getTracer('agent');
      const contexts = await tracer.startActiveSpan('agent', async (span) => {
        const made = await work(runtime, listOf(0), { steps: 24 });
        span.end();
        return made;
      });
      const at = contexts.findIndex(({ compression }) => compression !== undefined);
      const { compression, conversationId } = contexts[at] ?? assert.fail('nothing was compressed');
      const [span] = otel.named('compress');
      const [agent] = otel.named('agent');
      assert.ok(span && agent && compression?.result);
      assert.equal(parentOf(span), idOf(agent));
      assert.deepEqual(span.attributes, {
        'gen_ai.operation.name': 'compress',
        'gen_ai.conversation.id': conversationId,
        'palimpsest.session.id': compression.from,
        'palimpsest.compression.cause': 'threshold',
        'palimpsest.compression.outcome': 'compressed',
        'palimpsest.compression.tokens_before': compression.result.before.total,
        'palimpsest.compression.tokens_after': compression.result.after.total,
        'palimpsest.compression.writer': 'ledger',
      });
      const calls = otel.named('chat');
      const marks = calls.map(({ attributes }) => attributes['gen_ai.conversation.compacted']);
      assert.deepEqual(
        marks,
        contexts.map((_, i) => (i < at ? undefined : true)),
      );
      assert.ok(calls.every(({ attributes }) => attributes['gen_ai.conversation.id'] === conversationId));
    }));

  test('says who wrote a summary, in the span of the compression that its calls are inside of', () =>
    withStore(async (store) => {
      using otel = traced();
      const summarizer: Summarizer = {
        name: 'google/gemini-3-flash',
        write: async () => ({
          text: '## Active Task\nThe user asks to move the ledgers of all regions.\n\n## Progress\nRegions are moved one by one.',
          finish: 'stop',
          usage: { inputTokens: 4_000, outputTokens: 60 },
        }),
      };
      const runtime = runtimeOver(store, { contextLength, summarizer });
      await runtime.prepare({ messages: listOf(30) });
      const [compression] = otel.named('compress');
      const [call] = otel.named('chat gemini-3-flash');
      assert.ok(compression && call);
      assert.equal(parentOf(call), idOf(compression));
      assert.equal(call.attributes['gen_ai.provider.name'], 'gcp.gemini');
      assert.equal(call.attributes['gen_ai.usage.input_tokens'], 4_000);
      assert.deepEqual(call.attributes['gen_ai.response.finish_reasons'], ['stop']);
      assert.equal(call.attributes['palimpsest.call.purpose'], 'summary');
      assert.equal(compression.attributes['palimpsest.compression.model'], 'google/gemini-3-flash');
    }));

  test('has one span for a call and its tries, which fails with the reason that is given up for', () =>
    withStore(async (store) => {
      using otel = traced();
      const runtime = runtimeOver(store, { contextLength: 40_000 });
      const first = await runtime.prepare({ messages: listOf(8) });
      const tooLong = Object.assign(new Error('prompt is too long: 9000 tokens > 5000 maximum'), { status: 400 });
      const next = await runtime.settle(first, { type: 'failed', error: tooLong });
      assert.equal(next.type, 'retry');
      assert.equal(otel.named('chat').length, 0, 'the call goes on');
      const denied = Object.assign(new Error('invalid x-api-key'), { status: 401 });
      if (next.type === 'retry') await runtime.settle(next.prepared, { type: 'failed', error: denied });
      const [call, ...others] = otel.named('chat');
      assert.ok(call && others.length === 0);
      assert.equal(call.attributes['palimpsest.call.tries'], 2);
      assert.equal(call.attributes['error.type'], 'auth');
      assert.equal(call.status.code, SpanStatusCode.ERROR);
      const [forced] = otel.named('compress');
      assert.equal(forced?.attributes['palimpsest.compression.cause'], 'window');
    }));

  test('adds what it knows to the span of an SDK that traces the call itself, and makes no second one', () =>
    withStore(async (store) => {
      using otel = traced();
      const runtime = runtimeOver(store);
      const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'claude-sonnet-4-5' };
      await trace.getTracer('sdk').startActiveSpan('chat claude-sonnet-4-5', { attributes }, async (span) => {
        const prepared = await runtime.prepare({ messages: [user('Hello.')] });
        await answer(runtime, prepared, reply('Hello.'));
        span.end();
      });
      const [call, ...others] = otel.spans();
      assert.ok(call && others.length === 0);
      assert.equal(call.instrumentationScope.name, 'sdk');
      assert.ok(call.attributes['gen_ai.conversation.id']);
      assert.equal(call.attributes['palimpsest.call.outcome'], 'answered');
      assert.equal(call.attributes['gen_ai.usage.input_tokens'], undefined, 'its own to tell');
    }));

  test('an aborted call ends its span, and is no failure', () =>
    withStore(async (store) => {
      using otel = traced();
      const runtime = runtimeOver(store);
      const prepared = await runtime.prepare({ messages: [user('Hello.')] });
      await runtime.settle(prepared, { type: 'aborted' });
      const [call] = otel.spans();
      assert.equal(call?.attributes['palimpsest.call.outcome'], 'aborted');
      assert.equal(call?.status.code, SpanStatusCode.UNSET);
    }));
});

describe('U3 what is found again', () => {
  test('has a span for each recall, search and expand, and none of them holds what was looked for or found', async (t) => {
    using otel = traced();
    const { store, memory } = await openBench(t);
    const runtime = runtimeOver(store, { memory });
    const list: Message[] = [user('Hello.')];
    const first = await runtime.prepare({ messages: list });
    await answer(runtime, first, reply('Hello.'));
    await add(memory, 'The lathe of Quillfeather Lane is oiled on Fridays.', byPerson);
    list.push(reply('Hello.'), user('When is the lathe of Quillfeather Lane oiled?'));
    const second = await runtime.prepare({ messages: list });
    const recalls = otel.named('search_memory').map(({ attributes }) => attributes);
    assert.deepEqual(
      recalls.map((one) => [one['palimpsest.recall.outcome'], one['gen_ai.memory.record.count']]),
      [
        ['nothing found', 0],
        ['recalled', 1],
      ],
    );
    assert.equal(recalls[1]?.['gen_ai.conversation.id'], second.conversationId);
    await search(store, 'Quillfeather lathe', { limit: 5 });
    const found = otel.named('retrieval').at(-1);
    assert.deepEqual(found?.attributes, {
      'gen_ai.operation.name': 'retrieval',
      'gen_ai.retrieval.top_k': 5,
      'palimpsest.retrieval.hits': 1,
    });
    await expandSession(store, second.sessionId, 'm1-m2');
    const [expanded] = otel.named('expand');
    assert.equal(expanded?.attributes['palimpsest.expand.messages'], 2);
    await assert.rejects(expandSession(store, second.sessionId, 'm99'));
    const failed = otel.named('expand').at(-1);
    assert.equal(failed?.attributes['error.type'], 'ID_UNKNOWN');
    assert.doesNotMatch(textOf(otel.spans()), /lathe|Quillfeather|Hello|m99/);
  });
});

describe('U3 a compression outside of a running conversation', () => {
  test('of a list and of a stored conversation has one span each', () =>
    withStore(async (store) => {
      using otel = traced();
      const runtime = runtimeOver(store, { contextLength: 200_000 });
      const { sessionId, conversationId } = await runtime.prepare({ messages: listOf(20) });
      await compressSession(store, sessionId, { tokenizer, contextLength, owner: 'test' });
      const options = { tokenizer, contextLength, targetTokens: 2_000 };
      await compress(listOf(20), options);
      await compress(listOf(1), { ...options, targetTokens: 4_000 });
      assert.deepEqual(
        otel
          .named('compress')
          .map(({ attributes: of }) => [
            of['palimpsest.compression.cause'],
            of['gen_ai.conversation.id'],
            of['palimpsest.compression.outcome'],
          ]),
        [
          ['asked', conversationId, 'compressed'],
          [undefined, undefined, 'compressed'],
          [undefined, undefined, 'unchanged'],
        ],
      );
    }));
});

describe('U3 the library', () => {
  test('makes no span, and asks for none, where nobody has registered a provider', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store, { contextLength });
      await work(runtime, listOf(0), { steps: 24 });
      using otel = traced();
      assert.deepEqual(otel.spans(), []);
    }));

  test('needs no package for it: nothing in the source imports one', () => {
    const { dependencies = {}, peerDependenciesMeta } = manifest();
    assert.deepEqual(dependencies, {});
    assert.deepEqual(peerDependenciesMeta['@opentelemetry/api'], { optional: true });
    const source = readFileSync(join(root, 'packages/core/src/tracing/tracer.ts'), 'utf8');
    assert.doesNotMatch(source, /import\(|from '@opentelemetry/);
  });

  test('names itself and its version as it is published', () => {
    const { name, version } = manifest();
    assert.deepEqual(coreScope, { name, version });
  });
});

const root = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: object;
  readonly peerDependenciesMeta: Readonly<Record<string, unknown>>;
}

// Our own manifest.
const manifest = (): Manifest => JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8')) as Manifest;
