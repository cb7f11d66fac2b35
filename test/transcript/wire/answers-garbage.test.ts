/** Streams as the standard allows them, bytes that are no answer, and answers that are too large. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DialectName } from '@palimpsest/core/testing';
import fc from 'fast-check';
import type { JsonObject } from '../../../packages/core/src/shared/json.ts';
import { createAnswerReader } from '../../../packages/core/src/transcript/wire/answer-reader.ts';
import { createEventParser, type ServerEvent } from '../../../packages/core/src/transcript/wire/sse.ts';
import { bytesOf, readBytes, readPieces, streamOf } from './answer-bytes.ts';

const names: readonly DialectName[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];

function eventsIn(pieces: readonly string[]): readonly ServerEvent[] {
  const events: ServerEvent[] = [];
  const parser = createEventParser((event) => void events.push(event));
  for (const piece of pieces) parser.read(piece);
  parser.end();
  return events;
}

describe('server-sent events', () => {
  const written = [
    ': a comment',
    'event: first',
    'data: one',
    'data:two',
    'data:  three',
    'data',
    'id: 7',
    'retry: 10',
    'nonsense',
    'dataset: no',
    '',
    'event: without data',
    '',
    '',
    'data: {"a":1}',
    '',
    'event: last',
    'data: end',
  ];
  const expected = [
    { name: 'first', data: 'one\ntwo\n three\n' },
    { name: '', data: '{"a":1}' },
    { name: 'last', data: 'end' },
  ];
  for (const [what, end] of Object.entries({ LF: '\n', CR: '\r', CRLF: '\r\n' })) {
    test(`K2: lines that end with ${what} are events, wherever they are cut`, () => {
      const text = written.join(end);
      assert.deepEqual(eventsIn([text]), expected);
      assert.deepEqual(eventsIn([...text]), expected);
      for (let at = 0; at <= text.length; at++)
        assert.deepEqual(eventsIn([text.slice(0, at), text.slice(at)]), expected);
    });
  }

  test('K2: a stream with a mark of byte order and mixed ends of lines is read', () => {
    const data = (content: string): string => JSON.stringify({ choices: [{ delta: { content } }] });
    const text = `\ufeffdata:${data('a')}\r\n\r\ndata: ${data('b')}\r\rdata: ${data('ü')}\n\ndata: [DONE]\n\n`;
    const { reply, isWhole } = readBytes('openai-chat', bytesOf(text));
    assert.deepEqual(reply?.parts, [{ type: 'text', text: 'abü' }]);
    assert.equal(isWhole, true);
  });

  test('K2: an object over several lines of data is one event', () => {
    const [first, second] = ['{"choices":[{"delta":{"content":"Hi"},', '"finish_reason":"stop"}]}'];
    assert.equal(readBytes('openai-chat', bytesOf(`data: ${first}\ndata: ${second}\n\n`)).isWhole, true);
  });
});

describe('what is no answer', () => {
  const garbage: Readonly<Record<string, Uint8Array>> = {
    nothing: bytesOf(''),
    blanks: bytesOf(' \n\n'),
    'a web page': bytesOf('<!doctype html><html><title>502 Bad Gateway</title></html>'),
    'bytes of gzip': Uint8Array.of(0x1f, 0x8b, 8, 0, 0xff, 0xfe, 0, 10, 10),
    'broken JSON': bytesOf('{"choices":[{"message":'),
    'a number': bytesOf('12'),
    'a list of numbers': bytesOf('[1,2,[3]]'),
    'an empty object': bytesOf('{}'),
    'events that are no objects': bytesOf('data: 1\n\ndata: null\n\ndata: "x"\n\ndata: {\n\n'),
  };
  for (const [what, bytes] of Object.entries(garbage)) {
    test(`K2: ${what} has no reply and is not whole`, () => {
      for (const dialect of names) {
        for (const isStream of [true, false]) {
          const { isWhole, reply, ...rest } = readBytes(dialect, bytes, { isStream });
          assert.deepEqual([isWhole, reply], [false, undefined], dialect);
          assert.deepEqual(rest, {}, dialect);
        }
      }
    });
  }

  test('K2: values nested deeper than any answer are given up', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const input = JSON.stringify(deep);
    const events = [
      `{"choices":[{"delta":{"content":${deep}}}]}`,
      `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"b","input":${deep}}}`,
      `{"type":"response.completed","response":{"status":"completed","output":[{"type":"x","y":${deep}}]}}`,
      `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a","args":{"b":${deep}}}}]}}]}`,
      `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"b","input":{}}}\n\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":${input}}}`,
    ];
    for (const dialect of names) {
      for (const event of events) assert.equal(readBytes(dialect, bytesOf(`data: ${event}\n\n`)).isWhole, false);
    }
    const body = bytesOf(`{"content":[{"type":"hologram","shape":${deep}}],"stop_reason":"end_turn"}`);
    assert.deepEqual(readBytes('anthropic', body), { isWhole: false, isTooLarge: true });
  });
});

describe('answers that are too large', () => {
  const tooLarge = { isWhole: false, isTooLarge: true };
  const long = 'x'.repeat(2_000);

  test('K2: an answer of more than its bound is given up, and says so', () => {
    const chunk = { choices: [{ index: 0, delta: { content: long }, finish_reason: 'stop' }], usage: { a: 1 } };
    const stream = bytesOf(streamOf(...Array.from({ length: 10 }, () => chunk)));
    assert.deepEqual(readBytes('openai-chat', stream, { maxChars: 10_000 }), tooLarge);
    assert.equal(readBytes('openai-chat', stream, { maxChars: 40_000 }).isWhole, true);
    const body = bytesOf(JSON.stringify({ content: [{ type: 'text', text: long }] }));
    assert.deepEqual(readBytes('anthropic', body, { maxChars: 1_000 }), tooLarge);
  });

  test('K2: one event without an end is given up', () => {
    const pieces = Array.from({ length: 100 }, () => bytesOf(`data: ${long}`));
    for (const dialect of names) assert.deepEqual(readPieces(dialect, pieces, { maxChars: 100_000 }), tooLarge);
  });

  test('K2: one event of empty lines without an end is given up', () => {
    const pieces = Array.from({ length: 60 }, () => bytesOf('data:\n'.repeat(1_000)));
    for (const dialect of names) assert.deepEqual(readPieces(dialect, pieces, { maxChars: 50_000 }), tooLarge);
  });

  test('K2: an answer of more blocks, items or calls than any has is given up', () => {
    const places = Array.from({ length: 10_050 }, (_, at) => at);
    const streams: readonly (readonly [DialectName, (at: number) => JsonObject])[] = [
      ['openai-chat', (at) => ({ choices: [{ delta: { tool_calls: [{ id: `call_${at}` }] } }] })],
      ['anthropic', (at) => ({ type: 'content_block_start', index: at, content_block: { type: 'text', text: '' } })],
      ['openai-responses', (at) => ({ type: 'response.output_item.added', item: { type: 'x', id: `x_${at}` } })],
    ];
    for (const [dialect, event] of streams) {
      assert.deepEqual(readBytes(dialect, bytesOf(streamOf(...places.map(event)))), tooLarge, dialect);
    }
  });

  test('K2: what surrounds the text of a stream is not counted', () => {
    const around = { id: long, choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }] };
    const stream = bytesOf(streamOf(...Array.from({ length: 100 }, () => around)));
    assert.equal(readBytes('openai-chat', stream, { maxChars: 10_000 }).isWhole, true);
  });
});

// Streams that are broken in the ways in which streams break.

/** Members that the dialects know, so that most events get somewhere. */
const members = fc.constantFrom(
  ...'type index delta choices content parts text role tool_calls function id name arguments message error usage'.split(
    ' ',
  ),
  ...'content_block partial_json response output item output_index item_id content_index part summary_index'.split(' '),
  ...'candidates functionCall thinking signature reasoning_details reasoning custom input audio images data'.split(' '),
  ...'finish_reason finishReason status citation annotation summary __proto__ constructor thought args'.split(' '),
);
const words = fc.constantFrom(
  ...'text thinking tool_use text_delta input_json_delta citations_delta content_block_start message_start'.split(' '),
  ...'content_block_delta message_delta message_stop error response.completed response.output_item.added'.split(' '),
  ...'response.output_item.done response.output_text.delta response.content_part.added function_call message'.split(
    ' ',
  ),
  ...'response.function_call_arguments.delta reasoning response.output_text.annotation.added {"a": toString'.split(' '),
);
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 6 },
    words,
    fc.constantFrom<unknown>(null, true, -1, 0, 1, 1e9, 0.5, '', [], {}),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.array(fc.tuple(members, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
}));

/** Events of our own making, in which anything may stand in any place. */
const shaped: readonly ((inner: unknown) => unknown)[] = [
  (inner) => ({ choices: [{ index: 0, delta: inner }] }),
  (inner) => ({ choices: [{ index: 0, delta: { tool_calls: [inner, { index: 0, function: inner }] } }] }),
  (inner) => ({ choices: [{ index: 0, delta: { reasoning_details: [inner], content: inner, audio: inner } }] }),
  (inner) => ({ type: 'content_block_start', index: 0, content_block: inner }),
  (inner) => ({ type: 'content_block_delta', index: 0, delta: inner }),
  (inner) => ({ type: 'message_start', message: inner }),
  (inner) => ({ type: 'response.output_item.added', output_index: 0, item: inner }),
  (inner) => ({ type: 'response.output_item.done', item: inner }),
  (inner) => ({ type: 'response.output_text.delta', delta: 'a', content_index: inner }),
  (inner) => ({ type: 'response.completed', response: inner }),
  (inner) => ({
    type: 'response.completed',
    response: { output: [inner, { type: 'message', role: 'assistant', content: inner }] },
  }),
  (inner) => ({ candidates: [{ content: { parts: [inner, { functionCall: inner }] } }] }),
  (inner) => ({ candidates: [{ content: inner }] }),
  (inner) => inner,
];
const event = fc
  .tuple(fc.constantFrom(...shaped), value.value)
  .map(([around, inner]) => JSON.stringify(around(inner)) as string);
const lines = fc
  .array(fc.tuple(event, fc.constantFrom('\n\n', '\r\n\r\n', '\n', '\r\r', '', ' \n\n')), { maxLength: 12 })
  .map((events) => events.map(([data, end]) => `data: ${data}${end}`).join(''));
const anything = fc.oneof(
  lines.map(bytesOf),
  fc.array(event, { maxLength: 6 }).map((events) => bytesOf(`[${events.join(',')}`)),
  event.map(bytesOf),
  fc.uint8Array({ maxLength: 300 }),
);

describe('broken answers', () => {
  for (const dialect of names) {
    test(`K2: 1,250 broken answers of ${dialect} throw nothing and read the same in two pieces`, () => {
      const law = fc.property(anything, fc.double({ min: 0, max: 1, noNaN: true }), (bytes, share) => {
        const at = Math.floor(bytes.length * share);
        const whole = readBytes(dialect, bytes);
        assert.deepEqual(readPieces(dialect, [bytes.subarray(0, at), bytes.subarray(at)]), whole);
        assert.equal(typeof whole.isWhole, 'boolean');
        assert.ok(whole.reply === undefined || whole.reply.role === 'assistant');
      });
      fc.assert(law, { numRuns: 1_250 });
    });
  }

  test('K2: an answer of twenty thousand events with lists that do not end is read whole', () => {
    const part: JsonObject = {
      delta: { content: [{ type: 'text', text: 'a' }, { type: 'x' }], reasoning_details: [{ type: 'y' }] },
    };
    const stream = bytesOf(streamOf(...Array.from({ length: 20_000 }, () => ({ choices: [part] }))));
    const reader = createAnswerReader('openai-chat');
    reader.read(stream);
    assert.equal(reader.end().reply?.parts.length, 60_000);
  });
});
