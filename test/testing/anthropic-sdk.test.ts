/** The fake speaks to the official SDK of Anthropic as the real server does, over HTTP. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import { full, text } from './replies.ts';

const clientOf = (fake: FakeProvider, apiKey = 'key'): Anthropic =>
  new Anthropic({ apiKey, baseURL: fake.url, maxRetries: 0 });
const ask = { model: 'claude-x', max_tokens: 1_000, messages: [{ role: 'user' as const, content: 'Hello' }] };

const content = [
  { type: 'thinking', thinking: full.reasoning, signature: 'RmFrZVNpZ25hdHVyZQ00000000000001' },
  { type: 'text', text },
  { type: 'tool_use', id: 'toolu_000000000000000000001000', name: 'bash', input: { command: 'ls -la "src dir"' } },
  { type: 'tool_use', id: 'own_id', name: 'read', input: { path: 'src/a.ts' } },
];

test('an answer has its thinking with a signature, text, calls and usage', async () => {
  await using fake = await startFakeProvider();
  fake.reply(full);
  const { data, response } = await clientOf(fake).messages.create(ask).withResponse();
  assert.deepEqual(data.content, content);
  assert.equal(data.stop_reason, 'tool_use');
  assert.equal(data.usage.input_tokens, 100);
  assert.equal(data.usage.cache_read_input_tokens, 40);
  assert.equal(data.usage.cache_creation_input_tokens, 10);
  assert.equal(data.usage.output_tokens, 30);
  assert.equal(data.usage.output_tokens_details?.thinking_tokens, 12);
  assert.match(response.headers.get('request-id') ?? '', /^req_0+1$/);
  assert.equal(response.headers.get('anthropic-ratelimit-requests-reset'), '2026-01-01T00:01:00Z');
});

test('the SDK puts a stream together to the same answer', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ ...full, pieceChars: 5 });
  const message = await clientOf(fake).messages.stream(ask).finalMessage();
  assert.deepEqual(message.content, content);
  assert.equal(message.usage.output_tokens, 30);
  assert.equal(message.usage.cache_read_input_tokens, 40);
});

test('a stream has the events of the real one, in their order', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ text: 'Hi', reasoning: 'Well' });
  const response = await fetch(`${fake.url}/v1/messages`, {
    method: 'POST',
    headers: { 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
    body: JSON.stringify({ ...ask, stream: true }),
  });
  const body = await response.text();
  assert.deepEqual(
    [...body.matchAll(/^event: (.*)$/gm)].map(([, name]) => name),
    [
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ],
  );
  for (const [, name, data = ''] of body.matchAll(/^event: (.*)\ndata: (.*)$/gm)) {
    assert.equal((JSON.parse(data) as { type: string }).type, name);
  }
});

test('a refusal and a limit are stop reasons', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ text: 'No.', finish: 'refusal' }, { text: 'Ha', finish: 'length' });
  const refused = await clientOf(fake).messages.create(ask);
  assert.equal(refused.stop_reason, 'refusal');
  assert.equal(refused.stop_details?.type, 'refusal');
  assert.equal((await clientOf(fake).messages.stream(ask).finalMessage()).stop_reason, 'max_tokens');
});

test('an answer ends where max_tokens ends it, in thinking as in text', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ text: 'word '.repeat(200) }, { reasoning: 'word '.repeat(200), text: 'Never said.' });
  const client = clientOf(fake);
  const cut = await client.messages.create({ ...ask, max_tokens: 10 });
  assert.equal(cut.stop_reason, 'max_tokens');
  assert.ok(cut.usage.output_tokens <= 10 && cut.usage.output_tokens >= 8, `got ${cut.usage.output_tokens}`);
  const thought = await client.messages.create({ ...ask, max_tokens: 10 });
  assert.deepEqual(
    thought.content.map(({ type }) => type),
    ['thinking'],
  );
});

test('every status becomes the error class of the SDK', async () => {
  await using fake = await startFakeProvider({ apiKey: 'right' });
  const cases = [
    [400, Anthropic.BadRequestError, 'invalid_request_error'],
    [402, Anthropic.APIError, 'billing_error'],
    [403, Anthropic.PermissionDeniedError, 'permission_error'],
    [404, Anthropic.NotFoundError, 'not_found_error'],
    [413, Anthropic.APIError, 'request_too_large'],
    [429, Anthropic.RateLimitError, 'rate_limit_error'],
    [500, Anthropic.InternalServerError, 'api_error'],
    [529, Anthropic.APIError, 'overloaded_error'],
  ] as const;
  for (const [status, type, name] of cases) {
    fake.reply({ error: { status } });
    await assert.rejects(clientOf(fake, 'right').messages.create(ask), (error) => {
      assert.ok(error instanceof type, `${status} is ${String(error)}`);
      assert.equal(error.status, status);
      assert.equal(error.type, name);
      assert.ok(error.requestID);
      return true;
    });
  }
  await assert.rejects(clientOf(fake, 'wrong').messages.create(ask), Anthropic.AuthenticationError);
});

test('an overload in mid-stream is thrown with its type', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ text: 'Half', error: { status: 529, inStream: true } });
  await assert.rejects(
    clientOf(fake).messages.stream(ask).finalMessage(),
    (error) => error instanceof Anthropic.APIError && error.type === 'overloaded_error',
  );
});

test('a token in Authorization is as good as a key, and the version of the API is asked for', async () => {
  await using fake = await startFakeProvider({ apiKey: 'right' });
  fake.reply({ text: 'Hi' });
  const client = new Anthropic({ apiKey: null, authToken: 'right', baseURL: fake.url, maxRetries: 0 });
  assert.equal((await client.messages.create(ask)).stop_reason, 'end_turn');
  const response = await fetch(`${fake.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': 'right' },
    body: '{}',
  });
  assert.equal(response.status, 400);
  assert.match(await response.text(), /anthropic-version: header is required/);
});

test('a prompt above the window is rejected with both numbers', async () => {
  await using fake = await startFakeProvider({ contextLength: 20 });
  const messages = [{ role: 'user' as const, content: 'word '.repeat(100) }];
  await assert.rejects(
    clientOf(fake).messages.create({ ...ask, messages }),
    /prompt is too long: \d+ tokens > 20 maximum/,
  );
});

test('the list of models is read', async () => {
  await using fake = await startFakeProvider({ models: ['claude-x'] });
  assert.deepEqual(
    (await Array.fromAsync(clientOf(fake).models.list())).map(({ id }) => id),
    ['claude-x'],
  );
});

test('the server sees that a client gives up waiting', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ hang: true });
  const controller = new AbortController();
  const answer = clientOf(fake).messages.create(ask, { signal: controller.signal });
  const request = await fake.received(1);
  controller.abort();
  await assert.rejects(answer, Anthropic.APIUserAbortError);
  await request.ended;
  assert.equal(request.aborted, true);
  assert.equal(request.status, undefined);
});
