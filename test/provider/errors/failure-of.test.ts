/** Failures as HTTP has them: a status, headers and the bytes of a body. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type DialectName, startFakeProvider } from '@palimpsest/core/testing';
import { failureOf } from '../../../packages/core/src/provider/errors/failure-of.ts';
import { dialectNamed } from '../../../packages/core/src/transcript/wire/dialects.ts';
import { readFailure } from '../../../packages/core/src/transcript/wire/read-failure.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const names: readonly DialectName[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];

describe('O1: answers that failed', () => {
  for (const dialect of names) {
    test(`O1 ${dialect}: the status, the headers and the body are all heard`, async () => {
      await using fake = await startFakeProvider();
      fake.reply({ error: { status: 429, message: 'Rate limit reached', headers: { 'retry-after': '7' } } });
      const path = dialect === 'gemini' ? '/v1beta/models/m:generateContent' : dialectNamed(dialect).path;
      const asked = { messages: [{ role: 'user', content: 'Go' }], input: 'Go', model: 'm', max_tokens: 9 };
      const contents = [{ role: 'user', parts: [{ text: 'Go' }] }];
      const response = await fetch(fake.url + path, {
        method: 'POST',
        headers: { 'anthropic-version': '2023-06-01' },
        body: JSON.stringify(dialect === 'gemini' ? { contents } : asked),
      });
      const body = new Uint8Array(await response.arrayBuffer());
      const { status, headers } = response;
      for (const given of [headers, Object.fromEntries(headers)]) {
        const failure = failureOf({ dialect, status, headers: given, body });
        assert.equal(failure.reason, 'rate_limit');
        assert.equal(failure.retryAfterSeconds, 7);
        assert.equal(failure.said, 'Rate limit reached');
      }
    });

    test(`O1 ${dialect}: a prompt that is too long is told by the body alone`, () => {
      const { status, body } = dialectNamed(dialect).failure(dialectNamed(dialect).overflow(300_000, 200_000), 'req_1');
      const failure = failureOf({ dialect, status, headers: {}, body: bytesOf(JSON.stringify(body)) });
      assert.equal(failure.reason, 'context_overflow');
      // Responses names no sizes.
      assert.equal(failure.limits.contextLength, dialect === 'openai-responses' ? undefined : 200_000);
    });
  }

  test('O1: the error of a stream with a bad status is found in its events', () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    const body = bytesOf(`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`);
    assert.deepEqual(readFailure('anthropic', body), error);
    assert.equal(failureOf({ dialect: 'anthropic', status: 529, headers: {}, body }).reason, 'overloaded');
  });

  test('O1: a list with an error, a web page and nothing at all are read as what they are', () => {
    const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' };
    assert.deepEqual(readFailure('gemini', bytesOf(JSON.stringify([{ error }]))), { error });
    const page = '<html><title>502 Bad Gateway</title></html>';
    assert.deepEqual(readFailure('openai-chat', bytesOf(page)), { body: page });
    assert.equal(
      failureOf({ dialect: 'openai-chat', status: 502, headers: {}, body: bytesOf(page) }).said,
      '502 Bad Gateway',
    );
    assert.deepEqual(readFailure('openai-chat', bytesOf('')), {});
    assert.equal(failureOf({ dialect: 'openai-chat', status: 503, headers: {}, body: bytesOf('') }).status, 503);
  });

  test('O1: of a body that sends a large request back the start is read', () => {
    const body = bytesOf(`{"error":{"message":"Bad role"},"request":"${'x'.repeat(3_000_000)}"}`);
    assert.ok(String(readFailure('openai-chat', body).body).length <= 1024 * 1024);
    assert.equal(failureOf({ dialect: 'openai-chat', status: 400, headers: {}, body }).status, 400);
  });
});
