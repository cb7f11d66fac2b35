/** The numbers by which a failure that says nothing is taken for a prompt that is too long, from both sides. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { classifyFailure, type FailureReason, type FailureSession } from '@palimpsest/core';

/** What a provider answers, as the AI SDK throws it. */
const refusal = (message: string, status = 400): Error =>
  Object.assign(new Error(message), { statusCode: status, responseBody: JSON.stringify({ error: { message } }) });

/** A connection that closed without a word, as `fetch` throws it. */
const closed = (): Error =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }) });

type Row = readonly [window: number, promptTokens: number, messages: number, expected: FailureReason];

function requireReasons(error: () => Error, rows: readonly Row[], more: Partial<FailureSession> = {}): void {
  for (const [contextLength, promptTokens, messages, expected] of rows) {
    const { reason } = classifyFailure(error(), { contextLength, promptTokens, messages, ...more });
    assert.equal(reason, expected, `${promptTokens} tokens, ${messages} messages, window ${contextLength}`);
  }
}

describe('a failure that says nothing', () => {
  test('O2 a bare 400 means too long over 40 % of the window, or over 80,000 tokens or 80 messages in one of 256,000', () => {
    const rows: readonly Row[] = [
      [100_000, 40_001, 10, 'context_overflow'],
      [100_000, 40_000, 10, 'format_error'],
      [256_000, 80_001, 10, 'context_overflow'],
      [256_000, 80_000, 10, 'format_error'],
      [256_000, 500, 81, 'context_overflow'],
      [256_000, 500, 80, 'format_error'],
      [256_001, 102_000, 900, 'format_error'],
      [1_000_000, 400_001, 10, 'context_overflow'],
    ];
    for (const said of ['Bad Request', 'error', '']) requireReasons(() => refusal(said), rows);
    // 30 characters would explain something.
    requireReasons(() => refusal('x'.repeat(29)), rows);
    const explained = rows.map(([window, tokens, messages]): Row => [window, tokens, messages, 'format_error']);
    requireReasons(() => refusal('x'.repeat(30)), explained);
  });

  test('O2 a closed connection does over 60 % of the window, or over 120,000 tokens or 200 messages in one of 256,000', () => {
    const rows: readonly Row[] = [
      [100_000, 60_001, 10, 'context_overflow'],
      [100_000, 60_000, 10, 'network'],
      [256_000, 120_001, 10, 'context_overflow'],
      [256_000, 120_000, 10, 'network'],
      [256_000, 500, 201, 'context_overflow'],
      [256_000, 500, 200, 'network'],
      [256_001, 150_000, 900, 'network'],
    ];
    requireReasons(closed, rows);
    const never = rows.map(([window, tokens, messages]): Row => [window, tokens, messages, 'network']);
    requireReasons(closed, never, { reasoning: true });
    for (const [contextLength, promptTokens] of rows) {
      const answering = classifyFailure(closed(), { contextLength, promptTokens, answering: true });
      assert.equal(answering.reason, 'broken_answer');
    }
  });

  test('O1 a broken TLS handshake never means too long', () => {
    const cause = Object.assign(new Error('ssl alert bad record mac'), { code: 'EPROTO' });
    const session = { contextLength: 100_000, promptTokens: 99_000, messages: 900 };
    assert.equal(classifyFailure(new TypeError('fetch failed', { cause }), session).reason, 'timeout');
  });

  test('O2 the known words of a malformed body never mean too long, however large the session', () => {
    const session = { contextLength: 100_000, promptTokens: 99_000, messages: 900 };
    const bodies = [
      { error: { message: 'messages: text content blocks must be non-empty content' } },
      { error: { message: 'No user query found in messages.' } },
      { errorCode: 'INVALID_REQUEST_BODY' },
      { errorCode: 'INVALID_REQUEST_BODY', message: 'Bad body' },
    ];
    for (const body of bodies) {
      const error = Object.assign(new Error('Bad Request'), { statusCode: 400, responseBody: JSON.stringify(body) });
      assert.equal(classifyFailure(error, session).reason, 'format_error', JSON.stringify(body));
    }
  });
});

describe('where a failure keeps its words', () => {
  test('O1 status and body are found below seven wrappers', () => {
    let error = refusal('prompt is too long: 250000 tokens > 200000 maximum');
    for (let depth = 0; depth < 7; depth++) error = new Error(`wrapped ${depth}`, { cause: error });
    const { reason, status, limits } = classifyFailure(error);
    assert.deepEqual(
      [reason, status, limits],
      ['context_overflow', 400, { contextLength: 200_000, requestedTokens: 250_000 }],
    );
  });

  test('O1 too long behind a 5xx is too long', () => {
    for (const status of [500, 502, 503]) {
      const { reason } = classifyFailure(refusal('the request exceeds the available context size', status));
      assert.equal(reason, 'context_overflow', String(status));
    }
  });

  test('O2 a window is believed from 1,024 to 10,000,000 tokens', () => {
    const windowIn = (tokens: number): number | undefined =>
      classifyFailure(refusal(`This model's maximum context length is ${tokens} tokens.`)).limits.contextLength;
    assert.deepEqual(
      [1_023, 1_024, 10_000_000, 10_000_001].map((tokens) => windowIn(tokens)),
      [undefined, 1_024, 10_000_000, undefined],
    );
  });
});
