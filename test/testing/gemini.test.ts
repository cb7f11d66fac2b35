/** The fake as Google's server: answers, streams, failures, keys and models of the Gemini API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import { isJsonObject, type JsonObject, type JsonValue } from '../../packages/core/src/shared/json.ts';
import { fromGemini } from '../../packages/core/src/transcript/wire/gemini/messages.ts';
import { asObject } from '../../packages/core/src/transcript/wire/values.ts';
import { lastRequest, text } from './replies.ts';

const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];
const whole = '/v1beta/models/gemini-3-pro:generateContent';
const streamed = '/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse';

interface Posted {
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

const post = (
  fake: FakeProvider,
  path: string,
  { body = { contents }, headers = {} }: Posted = {},
): Promise<Response> => fetch(fake.url + path, { method: 'POST', headers, body: JSON.stringify(body) });

// What the fake sends is JSON.
const jsonOf = async (response: Response): Promise<JsonObject> => (await response.json()) as JsonObject;

const full = {
  text,
  reasoning: 'First I look.',
  toolCalls: [
    { name: 'bash', input: { command: 'ls' } },
    { name: 'read', input: { path: 'a.ts' }, id: 'own_id' },
  ],
  usage: { inputTokens: 100, cacheReadTokens: 40, outputTokens: 30, reasoningTokens: 12 },
};
const signature = 'RmFrZVNpZ25hdHVyZQ00000000000001';
const calls = [
  { functionCall: { id: 'call_00001000', name: 'bash', args: { command: 'ls' } }, thoughtSignature: signature },
  { functionCall: { id: 'own_id', name: 'read', args: { path: 'a.ts' } } },
];
const usage = {
  promptTokenCount: 140,
  cachedContentTokenCount: 40,
  candidatesTokenCount: 18,
  thoughtsTokenCount: 12,
  totalTokenCount: 170,
};

test('a whole answer holds thoughts, text and calls, of which the first is signed', async () => {
  await using fake = await startFakeProvider();
  fake.reply(full);
  assert.deepEqual(await jsonOf(await post(fake, whole)), {
    candidates: [
      {
        content: { role: 'model', parts: [{ text: 'First I look.', thought: true }, { text }, ...calls] },
        finishReason: 'STOP',
        index: 0,
      },
    ],
    usageMetadata: usage,
    modelVersion: 'gemini-3-pro',
    responseId: '0000000000000000000001',
  });
  const { dialect, model, stream } = lastRequest(fake);
  assert.deepEqual({ dialect, model, stream }, { dialect: 'gemini', model: 'gemini-3-pro', stream: false });
});

async function responsesOf(response: Response): Promise<readonly JsonObject[]> {
  const lines = [...(await response.text()).matchAll(/^data: (.*)$/gm)];
  return lines.map(([, data = '']) => JSON.parse(data) as JsonObject); // An event of the fake is an object.
}

const partsOf = ({ candidates }: JsonObject): readonly JsonObject[] => {
  const [candidate] = Array.isArray(candidates) ? (candidates as readonly JsonValue[]) : []; // JSON.
  const { parts } = asObject(asObject(candidate).content);
  return Array.isArray(parts) ? parts.filter(isJsonObject) : [];
};

test('a stream says the same in pieces: texts cut, calls whole, the reason and the usage last', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ ...full, pieceChars: 8 });
  const responses = await responsesOf(await post(fake, streamed));
  const parts = responses.flatMap(partsOf);
  const said = (isThought: boolean): string =>
    parts.flatMap((part) => ((part.thought === true) === isThought ? [String(part.text ?? '')] : [])).join('');
  assert.equal(said(true), 'First I look.');
  assert.equal(said(false), text);
  assert.deepEqual(
    parts.filter(({ functionCall }) => functionCall),
    calls,
  );
  assert.deepEqual(
    responses.map(({ candidates }) => JSON.stringify(candidates).includes('"finishReason":"STOP"')),
    responses.map((_, index) => index === responses.length - 1),
  );
  assert.deepEqual(responses.at(-1)?.usageMetadata, usage);
  assert.equal(lastRequest(fake).stream, true);
});

test('a text without calls is signed, behind it when it is streamed', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ text: 'Hi.' }, { text: 'Hi.' });
  const answer = await jsonOf(await post(fake, whole));
  assert.deepEqual(partsOf(answer), [{ text: 'Hi.', thoughtSignature: signature }]);
  const last = (await responsesOf(await post(fake, streamed))).at(-1);
  assert.deepEqual(last && partsOf(last), [{ text: '', thoughtSignature: signature.replace(/1$/, '2') }]);
});

test('an answer goes back as it came, and without its signature it is refused', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ toolCalls: [{ name: 'bash', input: {} }] }, { text: 'Done.' });
  const [part = {}] = partsOf(await jsonOf(await post(fake, whole)));
  const result = { role: 'user', parts: [{ functionResponse: { name: 'bash', response: { output: '' } } }] };
  const again = (called: JsonObject): Promise<Response> =>
    post(fake, whole, { body: { contents: [...contents, { role: 'model', parts: [called] }, result] } });
  const { thoughtSignature: _, ...unsigned } = part;
  const refused = await again(unsigned);
  assert.equal(refused.status, 400);
  const { error } = await jsonOf(refused);
  assert.deepEqual([asObject(error).code, asObject(error).status], [400, 'INVALID_ARGUMENT']);
  assert.match(String(asObject(error).message), /missing a thought_signature/);
  assert.equal((await again(part)).status, 200);
  assert.deepEqual(lastRequest(fake).messages.slice(0, 1), fromGemini(contents));
});

test('an answer that is cut keeps no call whose arguments are cut', async () => {
  await using fake = await startFakeProvider();
  fake.reply({ text: 'Hi.', toolCalls: [{ name: 'write', input: { text: 'word '.repeat(100) } }] });
  const body = { contents, generationConfig: { maxOutputTokens: 20 } };
  const answer = await jsonOf(await post(fake, whole, { body }));
  assert.match(JSON.stringify(answer), /"finishReason":"MAX_TOKENS"/);
  assert.deepEqual(
    partsOf(answer).map(({ text: said }) => said),
    ['Hi.'],
  );
});

test('failures have a code, a message and a status, also in mid-stream', async () => {
  await using fake = await startFakeProvider({ contextLength: 50 });
  fake.reply({ error: { status: 429 } }, { text: 'Hi.', error: { status: 503, inStream: true } });
  const limited = await jsonOf(await post(fake, whole));
  assert.equal(asObject(limited.error).status, 'RESOURCE_EXHAUSTED');
  const broken = (await responsesOf(await post(fake, streamed))).at(-1);
  assert.deepEqual(broken, {
    error: { code: 503, message: 'The model is overloaded. Please try again later.', status: 'UNAVAILABLE' },
  });
  const long = { contents: [{ role: 'user', parts: [{ text: 'word '.repeat(500) }] }] };
  const { error } = await jsonOf(await post(fake, whole, { body: long }));
  assert.match(
    String(asObject(error).message),
    /input token count \(\d+\) exceeds the maximum number of tokens allowed \(50\)/,
  );
});

test('a key is taken from the header or the query, and is never kept', async () => {
  await using fake = await startFakeProvider({ apiKey: 'hush' });
  const statuses = [
    (await post(fake, whole)).status,
    (await post(fake, whole, { headers: { 'x-goog-api-key': 'wrong' } })).status,
    (await post(fake, whole, { headers: { 'x-goog-api-key': 'hush' } })).status,
    (await post(fake, `${whole}?key=hush`)).status,
    (await post(fake, `${streamed}&key=hush`)).status,
  ];
  assert.deepEqual(statuses, [403, 400, 200, 200, 200]);
  assert.equal(JSON.stringify(fake.requests).includes('hush'), false);
});

test('models are listed, and one that does not exist is not found', async () => {
  await using fake = await startFakeProvider({ models: ['gemini-3-pro'] });
  const { models } = await jsonOf(await fetch(`${fake.baseUrl('gemini')}/models`));
  assert.deepEqual(Array.isArray(models) && models.map((model) => asObject(model).name), ['models/gemini-3-pro']);
  assert.equal((await fetch(`${fake.baseUrl('gemini')}/models/gemini-3-pro`)).status, 200);
  const missing = await post(fake, '/v1beta/models/gemini-9:generateContent');
  assert.equal(missing.status, 404);
  assert.match(await missing.text(), /models\/gemini-9 is not found for API version v1beta/);
  assert.equal((await post(fake, '/v1beta/models/gemini-3-pro:countTokens')).status, 404);
  const bare = await post(fake, '/v1beta/models/gemini-3-pro:streamGenerateContent');
  assert.equal(bare.status, 400);
  assert.match(await bare.text(), /alt=sse/);
});
