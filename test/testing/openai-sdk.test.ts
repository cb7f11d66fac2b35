/** The fake speaks to the official SDK of OpenAI as the real server does, over HTTP. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeProvider, misbehaviours, startFakeProvider } from '@palimpsest/core/testing';
import OpenAI from 'openai';
import { full, lastRequest, text } from './replies.ts';

const clientOf = (fake: FakeProvider, apiKey = 'key'): OpenAI =>
  new OpenAI({ apiKey, baseURL: fake.baseUrl('openai-chat'), maxRetries: 0 });
const ask = { model: 'gpt-5', messages: [{ role: 'user' as const, content: 'Hello' }] };

test('chat: an answer has its text, calls, reason and usage', async () => {
  await using fake = await startFakeProvider();
  fake.reply(full);
  const { data, response } = await clientOf(fake).chat.completions.create(ask).withResponse();
  const [choice] = data.choices;
  assert.equal(choice?.message.content, text);
  assert.equal(choice?.finish_reason, 'tool_calls');
  assert.deepEqual(
    choice?.message.tool_calls?.map((call) => call.type === 'function' && [call.id, call.function.arguments]),
    [
      ['call_000000000000000000001000', '{"command":"ls -la \\"src dir\\""}'],
      ['own_id', '{"path":"src/a.ts"}'],
    ],
  );
  assert.equal(data.usage?.prompt_tokens, 150);
  assert.equal(data.usage?.prompt_tokens_details?.cached_tokens, 40);
  assert.equal(data.usage?.completion_tokens_details?.reasoning_tokens, 12);
  assert.equal(data.usage?.total_tokens, 180);
  assert.match(response.headers.get('x-request-id') ?? '', /^req_0+1$/);
  assert.equal(response.headers.get('x-ratelimit-remaining-requests'), '9999');
});

test('chat: the SDK puts a stream together to the same answer', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ ...full, pieceChars: 5 });
  const stream = clientOf(fake).chat.completions.stream({ ...ask, stream_options: { include_usage: true } });
  const pieces: string[] = [];
  stream.on('content', (piece) => pieces.push(piece));
  const completion = await stream.finalChatCompletion();
  assert.equal(pieces.join(''), text);
  assert.ok(pieces.length > 8);
  assert.equal(completion.choices[0]?.message.content, text);
  assert.equal(completion.choices[0]?.message.tool_calls?.length, 2);
  assert.equal(completion.usage?.total_tokens, 180);
});

test('chat: usage comes in a stream only when it was asked for', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ text }, { text });
  const usages = async (stream_options: { include_usage: boolean } | undefined): Promise<readonly unknown[]> => {
    const stream = await clientOf(fake).chat.completions.create({
      ...ask,
      stream: true,
      ...(stream_options ? { stream_options } : {}),
    });
    return (await Array.fromAsync(stream)).map((event) => event.usage);
  };
  assert.deepEqual(new Set(await usages(undefined)), new Set([undefined]));
  const asked = await usages({ include_usage: true });
  assert.ok(asked.slice(0, -1).every((usage) => usage === null));
  assert.ok(asked.at(-1));
});

test('chat: a refusal stands in `refusal`, a filter and a limit in the reason', async () => {
  await using fake = await startFakeProvider();
  fake.reply(
    { text: 'No.', finish: 'refusal' },
    { text: 'Ha', finish: 'contentFilter' },
    { text: 'Ha', finish: 'length' },
  );
  const client = clientOf(fake);
  const refused = await client.chat.completions.create(ask);
  assert.equal(refused.choices[0]?.message.refusal, 'No.');
  assert.equal(refused.choices[0]?.message.content, null);
  assert.equal((await client.chat.completions.create(ask)).choices[0]?.finish_reason, 'content_filter');
  assert.equal((await client.chat.completions.create(ask)).choices[0]?.finish_reason, 'length');
});

test('responses: an answer has its text, reasoning, calls and usage', async () => {
  await using fake = await startFakeProvider();
  fake.reply(full);
  const response = await clientOf(fake).responses.create({ model: 'gpt-5', instructions: 'Be brief.', input: 'Hello' });
  assert.equal(response.output_text, text);
  assert.deepEqual(
    response.output.map(({ type }) => type),
    ['reasoning', 'message', 'function_call', 'function_call'],
  );
  assert.equal(response.usage?.input_tokens, 150);
  assert.equal(response.usage?.input_tokens_details.cached_tokens, 40);
  assert.equal(response.usage?.output_tokens_details.reasoning_tokens, 12);
  assert.equal(response.status, 'completed');
  assert.equal(response.instructions, 'Be brief.');
  assert.deepEqual(
    lastRequest(fake).messages.map(({ role }) => role),
    ['system', 'user'],
  );
});

test('responses: the SDK puts a stream together to the same answer, and its events are numbered through', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ ...full, pieceChars: 5 });
  const stream = clientOf(fake).responses.stream({ model: 'gpt-5', input: 'Hello' });
  const numbers: number[] = [];
  stream.on('event', (event) => numbers.push(event.sequence_number));
  const response = await stream.finalResponse();
  assert.equal(response.output_text, text);
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index),
  );
  assert.equal(response.output.length, 4);
});

test('responses: a limit and a refusal end as the API ends them', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ text: 'Ha', finish: 'length' }, { text: 'No.', finish: 'refusal' });
  const client = clientOf(fake);
  const cut = await client.responses.stream({ model: 'gpt-5', input: 'Hello' }).finalResponse();
  assert.equal(cut.status, 'incomplete');
  assert.equal(cut.incomplete_details?.reason, 'max_output_tokens');
  const refused = await client.responses.create({ model: 'gpt-5', input: 'Hello' });
  assert.deepEqual(refused.output[0]?.type === 'message' && refused.output[0].content, [
    { type: 'refusal', refusal: 'No.' },
  ]);
});

test('every status becomes the error class of the SDK', async () => {
  await using fake = await startFakeProvider({ apiKey: 'right' });
  const cases = [
    [400, OpenAI.BadRequestError],
    [403, OpenAI.PermissionDeniedError],
    [404, OpenAI.NotFoundError],
    [429, OpenAI.RateLimitError],
    [500, OpenAI.InternalServerError],
    [529, OpenAI.InternalServerError],
    [402, OpenAI.APIError],
  ] as const;
  for (const [status, type] of cases) {
    fake.reply({ error: { status } });
    await assert.rejects(clientOf(fake, 'right').chat.completions.create(ask), (error) => {
      assert.ok(error instanceof type, `${status} is ${String(error)}`);
      assert.equal(error.status, status);
      assert.ok(error.requestID);
      return true;
    });
  }
  await assert.rejects(clientOf(fake, 'wrong').chat.completions.create(ask), (error) => {
    assert.ok(error instanceof OpenAI.AuthenticationError);
    assert.equal(error.code, 'invalid_api_key');
    return true;
  });
});

test('a rate limit says when to come back, and the SDK comes back', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ error: { status: 429, headers: { 'retry-after-ms': '1' } } }, { text: 'Here I am.' });
  const client = clientOf(fake).withOptions({ maxRetries: 1 });
  const completion = await client.chat.completions.create(ask);
  assert.equal(completion.choices[0]?.message.content, 'Here I am.');
  assert.deepEqual(
    fake.requests.map(({ status }) => status),
    [429, 200],
  );
});

test('an error in mid-stream is thrown after the text that came before it', async () => {
  await using fake = await startFakeProvider();
  const broken = { text: 'Half an', error: { status: 500, message: 'The engine stopped.', inStream: true } } as const;
  fake.reply(broken, broken);
  const client = clientOf(fake);
  const said: string[] = [];
  await assert.rejects(
    async () => {
      for await (const event of await client.chat.completions.create({ ...ask, stream: true })) {
        said.push(event.choices[0]?.delta.content ?? '');
      }
    },
    (error) => error instanceof OpenAI.APIError && error.message.includes('The engine stopped.'),
  );
  assert.equal(said.join(''), 'Half an');
  const stream = await client.responses.create({ model: 'gpt-5', input: 'Hello', stream: true });
  await assert.rejects(Array.fromAsync(stream), OpenAI.APIError);
});

test('a prompt above the window is rejected in the words of each API', async () => {
  await using fake = await startFakeProvider({ contextLength: 20 });
  const client = clientOf(fake);
  const long = 'word '.repeat(100);
  const isOverflow = (error: unknown): boolean =>
    error instanceof OpenAI.BadRequestError && error.code === 'context_length_exceeded';
  await assert.rejects(
    client.chat.completions.create({ model: 'gpt-5', messages: [{ role: 'user', content: long }] }),
    isOverflow,
  );
  await assert.rejects(client.responses.create({ model: 'gpt-5', input: long }), isOverflow);
  assert.match(misbehaviours.contextLengthExceeded.reply('', lastRequest(fake)).error?.message ?? '', /context window/);
});

test('the list of models is read, and an unknown model is none of them', async () => {
  await using fake = await startFakeProvider({ models: ['one', 'vendor/two'] });
  const client = clientOf(fake);
  assert.deepEqual(
    (await Array.fromAsync(client.models.list())).map(({ id }) => id),
    ['one', 'vendor/two'],
  );
  assert.equal((await client.models.retrieve('vendor/two')).id, 'vendor/two');
  await assert.rejects(client.models.retrieve('three'), OpenAI.NotFoundError);
  await assert.rejects(client.chat.completions.create({ ...ask, model: 'three' }), OpenAI.NotFoundError);
});

test('the server sees that a client goes away in mid-stream', async () => {
  await using fake = await startFakeProvider({
    wait: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  });
  fake.reply({ text: text.repeat(10), pieceDelayMs: 1 });
  const stream = await clientOf(fake).chat.completions.create({ ...ask, stream: true });
  for await (const event of stream) if (event.choices[0]?.delta.content) break;
  const request = await fake.received(1);
  await request.ended;
  assert.equal(request.aborted, true);
});
