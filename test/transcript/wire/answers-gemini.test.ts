/** Streams and bodies of the Gemini API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '../../../packages/core/src/shared/json.ts';
import type { ReadAnswer } from '../../../packages/core/src/transcript/wire/answer-reader.ts';
import { fromGemini } from '../../../packages/core/src/transcript/wire/gemini/messages.ts';
import { bytesOf, only, readBytes, readJson, readStream } from './answer-bytes.ts';

const response = (parts: readonly JsonValue[], fields: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...fields }],
  modelVersion: 'gemini-x',
});
const usageMetadata = { promptTokenCount: 9, candidatesTokenCount: 4, thoughtsTokenCount: 2, totalTokenCount: 15 };
const last = { ...response([{ text: '' }], { finishReason: 'STOP' }), usageMetadata };
const read = (...responses: readonly JsonObject[]): ReadAnswer => readStream('gemini', ...responses);
const sentBack = (...parts: readonly JsonValue[]) => only(fromGemini([{ role: 'model', parts }]));

const stream = [
  response([{ text: 'First ', thought: true }]),
  { ...response([{ text: 'look.', thought: true }]), usageMetadata: { promptTokenCount: 9 } },
  response([{ text: 'I ' }]),
  response([{ text: 'read.' }]),
  response([{ functionCall: { name: 'bash', args: { command: 'ls' } }, thoughtSignature: 'c2ln' }]),
  response([{ functionCall: { name: 'read', args: {} } }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }]),
  last,
];
const whole = sentBack(
  { text: 'First look.', thought: true },
  { text: 'I read.' },
  { functionCall: { name: 'bash', args: { command: 'ls' } }, thoughtSignature: 'c2ln' },
  { functionCall: { name: 'read', args: {} } },
  { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
);
const answer = { reply: whole, usage: usageMetadata, model: 'gemini-x', finish: 'STOP', isWhole: true };

test('K2: texts, thoughts, calls and images of a stream are one content', () => {
  assert.deepEqual(read(...stream), answer);
  assert.deepEqual(read(...stream.map((one) => ({ response: one, traceId: 'x' }))), answer);
});

test('K2: an array in place of a stream says the same, and as far as it goes where it is cut off', () => {
  assert.deepEqual(readJson('gemini', stream), answer);
  const text = JSON.stringify(stream, null, 2);
  const cut = readBytes('gemini', bytesOf(text.slice(0, text.indexOf('read.') - 9)));
  assert.deepEqual(cut.reply, sentBack({ text: 'First look.', thought: true }, { text: 'I ' }));
  assert.equal(cut.isWhole, false);
});

test('K2: a part with a signature stays apart from the texts around it', () => {
  const signed = { text: 'b', thoughtSignature: 'c2ln' };
  const proof = { text: '', thoughtSignature: 'bmV3' };
  const { reply } = read(
    response([{ text: 'a' }]),
    response([signed]),
    response([{ text: 'c' }]),
    response([proof]),
    last,
  );
  assert.deepEqual(reply, sentBack({ text: 'a' }, signed, { text: 'c' }, proof));
});

test('K2: calls without ids are named by the place that the answer will have', () => {
  const called = { role: 'model', parts: [{ text: 'I read.' }, { functionCall: { name: 'bash', args: {} } }] };
  const list = ['Go', 'Wait', 'Go on'].map((text, at) => ({
    role: at % 2 === 0 ? 'user' : 'model',
    parts: [{ text }],
  }));
  const { reply } = readJson('gemini', response(called.parts), { at: list.length });
  assert.deepEqual(reply, fromGemini([...list, called]).at(-1));
  assert.equal(reply?.parts[1]?.type === 'toolCall' && reply.parts[1].callId, 'call_3_1');
});

test('K2: a blocked prompt and an error have no reply', () => {
  const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata };
  assert.deepEqual(readJson('gemini', blocked), { usage: usageMetadata, finish: 'SAFETY', isWhole: true });
  const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' };
  assert.deepEqual(readJson('gemini', [{ error }]), { error, isWhole: false });
  const broken = read(response([{ text: 'Hi' }]), { error });
  assert.deepEqual([broken.error, broken.isWhole, broken.reply], [error, false, sentBack({ text: 'Hi' })]);
});

test('K2: a body is its first candidate as it is', () => {
  const parts = [{ text: 'Hi', thoughtSignature: 'c2ln' }, { executableCode: { language: 'PYTHON', code: '1' } }];
  const { reply, isWhole } = readJson('gemini', response(parts, { finishReason: 'MAX_TOKENS' }));
  assert.deepEqual(reply, sentBack(...parts));
  assert.equal(isWhole, true);
});
