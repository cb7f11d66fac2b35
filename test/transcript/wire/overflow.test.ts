/** The words of an overflow, as the clients of each dialect read them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overflowEvents, overflowFailure } from '../../../packages/core/src/transcript/wire/overflow.ts';
import { asObject } from '../../../packages/core/src/transcript/wire/values.ts';

const given = { tokens: 214_321, limit: 200_000, requestId: 'req_1' };

test('O2 Anthropic: Claude Code finds both numbers', () => {
  const { status, body } = overflowFailure('anthropic', given);
  assert.equal(status, 400);
  assert.deepEqual(body, {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 214321 tokens > 200000 maximum' },
    request_id: 'req_1',
  });
  assert.match(String(asObject(body.error).message), /^prompt is too long: \d+ tokens > \d+ maximum$/);
  assert.deepEqual(overflowEvents('anthropic', given), [{ name: 'error', data: body, isEnd: true }]);
});

test('O2 Chat: the code, and the numbers in the words of OpenAI', () => {
  const { status, body } = overflowFailure('openai-chat', given);
  assert.equal(status, 400);
  assert.deepEqual(body, {
    error: {
      message:
        "This model's maximum context length is 200000 tokens. However, your messages resulted in 214321 tokens. Please reduce the length of the messages.",
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  });
  assert.deepEqual(overflowEvents('openai-chat', given), [{ data: body, isEnd: true }]);
});

test('O2 Responses: the code, and a stream that ends with response.failed', () => {
  const { status, body } = overflowFailure('openai-responses', given);
  assert.deepEqual([status, asObject(body.error).code], [400, 'context_length_exceeded']);
  const last = overflowEvents('openai-responses', given).at(-1);
  assert.equal(last?.name, 'response.failed');
  const data = typeof last?.data === 'string' ? {} : (last?.data ?? {});
  const response = asObject(data.response);
  assert.deepEqual(
    [data.type, response.status, asObject(response.error).code],
    ['response.failed', 'failed', 'context_length_exceeded'],
  );
});

test('O2 Gemini: INVALID_ARGUMENT with its words', () => {
  const { status, body } = overflowFailure('gemini', given);
  assert.equal(status, 400);
  assert.deepEqual(body, {
    error: {
      code: 400,
      message: 'The input token count (214321) exceeds the maximum number of tokens allowed (200000).',
      status: 'INVALID_ARGUMENT',
    },
  });
  assert.deepEqual(overflowEvents('gemini', given), [{ data: body, isEnd: true }]);
});

test('O2 the numbers are whole, and the first is the larger one', () => {
  const message = (tokens: number, limit: number): unknown =>
    asObject(overflowFailure('anthropic', { tokens, limit }).body.error).message;
  assert.equal(message(200_000.2, 200_000.9), 'prompt is too long: 200001 tokens > 200000 maximum');
  assert.equal(message(10, 200_000), 'prompt is too long: 200001 tokens > 200000 maximum');
  for (const [tokens, limit] of [
    [Number.NaN, 1],
    [1, 0],
    [-1, 5],
    [Number.POSITIVE_INFINITY, 5],
  ] as const) {
    assert.throws(() => message(tokens, limit), { code: 'BAD_OPTION', message: /expected tokens and limit above 0/ });
  }
});
