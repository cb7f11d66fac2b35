import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { APICallError, JSONParseError, LoadAPIKeyError } from '@ai-sdk/provider';
import fc from 'fast-check';
import type { FailureKind } from '../../packages/core/src/compression/policy/state.ts';
import { type CallPhase, failureOf, summaryFailure } from '../../packages/core/src/provider/ai-sdk-summarizer.ts';
import { contentHash } from '../../packages/core/src/shared/hash.ts';

/** One failure as a provider sends it, and what it means. */
interface FailureCase {
  readonly from: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly kind: FailureKind;
  /** Set where the prompt is too long; the window where the text names it. */
  readonly overflow?: true | number;
}

const fixture = new URL('fixtures/failures.json', import.meta.url);
// The file is ours, one such row a line.
const failureCases = JSON.parse(readFileSync(fixture, 'utf8')) as readonly FailureCase[];

/** The error as the packages of the AI SDK throw it. */
function apiError({ status, body, headers = {} }: Pick<FailureCase, 'status' | 'body' | 'headers'>): APICallError {
  const responseBody = typeof body === 'string' ? body : JSON.stringify(body);
  return new APICallError({
    message: `HTTP ${status}`,
    url: 'https://api.example/v1/chat/completions?key=in-the-url',
    requestBodyValues: { messages: [{ role: 'user', content: 'the whole prompt, insufficient_quota' }] },
    statusCode: status,
    responseHeaders: { ...headers },
    responseBody,
    ...(typeof body === 'string' ? {} : { data: body }),
  });
}

const socketError = (code: string, message: string): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(message), { code }) });

describe('what a failure means', () => {
  for (const [i, expected] of failureCases.entries()) {
    const { from, status, kind, overflow } = expected;
    test(`F2: ${from} ${status} is ${kind}${overflow ? ', too long' : ''} (row ${i})`, () => {
      const failure = failureOf(apiError(expected), 'request');
      assert.deepEqual([failure.kind, failure.overflow], [kind, overflow !== undefined]);
      assert.equal(failure.contextLength, typeof overflow === 'number' ? overflow : undefined);
      assert.equal(failure.status, status);
    });
  }

  const ofThrown: readonly (readonly [string, CallPhase, unknown, FailureKind])[] = [
    ['a refused connection', 'request', socketError('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:11434'), 'network'],
    ['an unknown host', 'request', socketError('ENOTFOUND', 'getaddrinfo ENOTFOUND api.example'), 'network'],
    ['a certificate', 'request', socketError('SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate'), 'network'],
    ['a connection that breaks before the answer', 'request', socketError('ECONNRESET', 'read ECONNRESET'), 'network'],
    ['a connection that breaks in the answer', 'stream', socketError('ECONNRESET', 'read ECONNRESET'), 'bad_output'],
    [
      'undici in mid-stream',
      'stream',
      new TypeError('terminated', { cause: new Error('other side closed') }),
      'bad_output',
    ],
    ['both addresses of a host', 'request', new AggregateError([socketError('ECONNREFUSED', 'x')], ''), 'network'],
    ['a slow connection', 'request', socketError('UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error'), 'timeout'],
    ['a slow body', 'stream', socketError('UND_ERR_BODY_TIMEOUT', 'Body Timeout Error'), 'timeout'],
    ['a timeout of the platform', 'request', new DOMException('The operation timed out', 'TimeoutError'), 'timeout'],
    ['a missing key', 'request', new LoadAPIKeyError({ message: 'API key is missing.' }), 'no_provider'],
    ['broken JSON', 'stream', new JSONParseError({ text: '{"a', cause: new SyntaxError('x') }), 'bad_output'],
    ['an error event', 'stream', { type: 'overloaded_error', message: 'Overloaded' }, 'server_error'],
    ['an error event with a status', 'stream', { code: 429, message: 'slow', metadata: {} }, 'rate_limit'],
    ['a text', 'stream', 'something went wrong', 'other'],
    ['nothing', 'request', undefined, 'other'],
  ];
  for (const [what, phase, thrown, kind] of ofThrown) {
    test(`F2: ${what} is ${kind}`, () => assert.equal(failureOf(thrown, phase).kind, kind));
  }

  test('the facts are found through causes, and a circle of causes ends', () => {
    const inner = apiError({
      status: 429,
      body: { error: { message: 'slow' } },
      headers: { 'retry-after-ms': '1500' },
    });
    const outer = new Error('a', { cause: new Error('b', { cause: new Error('c', { cause: inner }) }) });
    assert.deepEqual(
      [failureOf(outer, 'request').kind, failureOf(outer, 'request').retryAfterSeconds],
      ['rate_limit', 2],
    );
    const circle: Error & { cause?: unknown } = new Error('round');
    circle.cause = { error: circle };
    assert.equal(failureOf(circle, 'request').kind, 'other');
  });

  test('a window is only believed where it can be one', () => {
    const body = { error: { message: "This model's maximum context length is 12 tokens." } };
    const failure = failureOf(apiError({ status: 400, body }), 'request');
    assert.deepEqual([failure.overflow, failure.contextLength], [true, undefined]);
  });

  test('anything can be thrown', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom<CallPhase>('request', 'stream'), (thrown, phase) => {
        assert.ok(failureOf(thrown, phase).kind.length > 0);
      }),
    );
  });
});

describe('the error for a failed call', () => {
  const model = { name: 'acme/mill-1', keyVariable: 'ACME_API_KEY' };

  test('says who failed, how, what the provider said, and what to do', () => {
    const body = { error: { message: 'Incorrect API key.', code: 'invalid_api_key' } };
    const error = summaryFailure(apiError({ status: 401, body }), { model, phase: 'request' });
    assert.equal(
      error.message,
      'acme/mill-1 refused the key (401): "Incorrect API key". Check ACME_API_KEY and its permissions.',
    );
    assert.deepEqual(error.evidence, {
      kind: 'auth',
      model: 'acme/mill-1',
      status: 401,
      code: 'invalid_api_key',
      retryable: false,
    });
  });

  test('says that the prompt does not fit, as evidence too', () => {
    const body = { error: { message: 'prompt is too long: 213456 tokens > 200000 maximum' } };
    const { kind, message, evidence } = summaryFailure(apiError({ status: 400, body }), { model, phase: 'request' });
    assert.match(message, /does not fit its window of 200000 tokens/);
    assert.deepEqual([kind, evidence.overflow, evidence.contextLength], ['other', true, 200_000]);
  });

  test('says how long the provider asks to wait', () => {
    const thrown = apiError({ status: 429, body: {}, headers: { 'retry-after': '7' } });
    assert.match(summaryFailure(thrown, { model, phase: 'request' }).message, /asks to wait 7 s/);
  });

  test('S6: holds neither the request nor a key nor a whole body', () => {
    const key = ['sk', 'proj', contentHash('a key of ours'), contentHash('and more of it')].join('-');
    const body = { error: { message: `Bad key ${key}. ${'long '.repeat(500)}`, code: 'invalid_api_key' } };
    const error = summaryFailure(apiError({ status: 401, body }), { model, phase: 'request' });
    const all = [error.message, JSON.stringify(error), JSON.stringify(error.evidence), String(error.cause)].join(' ');
    for (const secret of [key, 'the whole prompt', 'in-the-url']) assert.ok(!all.includes(secret), secret);
    assert.ok(error.message.length < 500);
  });
});
