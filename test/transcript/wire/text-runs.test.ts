/** Long runs of similar events, and what may stand between them: however the bytes are cut, they say the same. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DialectName } from '@palimpsest/core/testing';
import fc from 'fast-check';
import { createAnswerReader } from '../../../packages/core/src/transcript/wire/answer-reader.ts';
import { bytesOf, readBytes, readPieces } from './answer-bytes.ts';

/** An event as it is written, around a text that is escaped already. */
type Write = (raw: string, at: number) => string;
interface Talk {
  readonly opening: readonly string[];
  readonly closing: readonly string[];
  readonly kinds: Readonly<Record<string, Write>>;
  /** What may come in the middle of a run, one `name = event` a line. */
  readonly between: string;
}

const block = (delta: string, index = 0) => `{"type":"content_block_delta","index":${index},"delta":${delta}}`;
const started = (index: number, content: string): string =>
  `{"type":"content_block_start","index":${index},"content_block":${content}}`;
const noFinish = '"logprobs":null,"finish_reason":null';
const chunk = (delta: string, around = noFinish, index = 0): string =>
  `{"id":"c1","model":"mill-1","choices":[{"index":${index},"delta":${delta},${around}}]}`;
const call = (fields: string): string => chunk(`{"tool_calls":[{${fields}}]}`);
const item0 = '"item_id":"msg_1","output_index":0,"content_index":0';
const spoken =
  (name: string, where: string): Write =>
  (raw, at) =>
    `{"type":"response.${name}.delta","sequence_number":${at},${where},"delta":"${raw}","obfuscation":"x${at}"}`;
const item = (act: string, at: number, fields: string) =>
  `{"type":"response.output_item.${act}","output_index":${at},"item":{${fields}}}`;
const oddNumbers = ['"1"', 'null', '1.5', '{"a":[1]}', '-0', '1e3', '9007199254740993'];
const parts = (list: string, around = ''): string =>
  `{"candidates":[{"content":{"parts":[${list}],"role":"model"},"index":0${around}}],"modelVersion":"gemini-x"}`;

const talks: Readonly<Record<DialectName, Talk>> = {
  anthropic: {
    opening: [
      '{"type":"message_start","message":{"role":"assistant","content":[],"model":"claude-x","usage":{"input_tokens":2}}}',
      started(0, '{"type":"text","text":""}'),
      started(1, '{"type":"thinking","thinking":"","signature":""}'),
      started(2, '{"type":"tool_use","id":"t1","name":"bash","input":{}}'),
    ],
    closing: ['{"type":"message_delta","delta":{"stop_reason":"end_turn"}}', '{"type":"message_stop"}'],
    kinds: {
      text: (raw) => block(`{"type":"text_delta","text":"${raw}"}`),
      thinking: (raw) => block(`{"type":"thinking_delta","thinking":"${raw}"}`, 1),
      signature: (raw) => block(`{"type":"signature_delta","signature":"${raw}"}`, 1),
      input: (raw) => block(`{"type":"input_json_delta","partial_json":"${raw}"}`, 2),
      'unknown delta': (raw) => block(`{"type":"hologram_delta","colour":"${raw}"}`),
      citation: (raw, at) => block(`{"type":"citations_delta","citation":{"cited_text":"${raw}","at":${at}}}`),
      'blocks in turns': (raw, at) => block(`{"type":"text_delta","text":"${raw}"}`, (at % 2) * 4),
    },
    between: `ping = {"type":"ping"}
      an error = {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}
      usage = {"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":3}}
      a finish = {"type":"message_delta","delta":{"stop_reason":"max_tokens"},"usage":{"output_tokens":4}}
      the end = {"type":"message_stop"}
      the end of the block = {"type":"content_block_stop","index":0}
      the same block anew = ${started(0, '{"type":"text","text":"Again "}')}
      another kind of block in its place = ${started(0, '{"type":"tool_use","id":"t2","name":"ls","input":{}}')}
      another message = {"type":"message_start","message":{"role":"assistant","content":[],"model":"claude-y"}}
      another index = ${block('{"type":"text_delta","text":"other"}', 5)}
      a delta of nothing = ${block('null')}`,
  },
  'openai-chat': {
    opening: [chunk('{"role":"assistant","content":""}'), call('"index":0,"id":"a","function":{"name":"bash"}')],
    closing: [chunk('{}', '"finish_reason":"stop"'), '{"choices":[],"usage":{"prompt_tokens":7}}', '[DONE]'],
    kinds: {
      content: (raw) => chunk(`{"content":"${raw}"}`),
      'content with its role': (raw) => chunk(`{"role":"assistant","content":"${raw}","refusal":null}`),
      'content with its odds': (raw, at) =>
        chunk(`{"content":"${raw}"}`, `"logprobs":{"content":[{"token":"${raw}","logprob":-0.${at}}]}`),
      reasoning: (raw) => chunk(`{"reasoning":"${raw}"}`),
      'reasoning and content': (raw) => chunk(`{"reasoning_content":"${raw}","content":"${raw}"}`),
      details: (raw) => chunk(`{"reasoning_details":[{"type":"reasoning.text","text":"${raw}","index":0}]}`),
      refusal: (raw) => chunk(`{"content":null,"refusal":"${raw}"}`),
      'call by index': (raw) => call(`"index":0,"function":{"arguments":"${raw}"}`),
      'call by id': (raw) => call(`"index":0,"id":"a","type":"function","function":{"arguments":"${raw}"}`),
      'call without index': (raw) => call(`"function":{"arguments":"${raw}"}`),
      'calls in turns': (raw, at) => call(`"index":${at % 2},"id":"${at % 2}","function":{"arguments":"${raw}"}`),
      'custom input': (raw) => call(`"index":1,"custom":{"input":"${raw}"}`),
      'list of content': (raw) => chunk(`{"content":[{"type":"text","text":"${raw}"}]}`),
      usage: (raw, at) => chunk(`{"content":"${raw}"}`, `"z":1}],"usage":{"total_tokens":${at}},"y":[{"x":1`),
      'choices in turns': (raw, at) => chunk(`{"content":"${raw}"}`, noFinish, at % 2),
    },
    between: `done = [DONE]
      an error = {"error":{"code":502,"message":"Bad gateway"}}
      an error beside the choice = ${chunk('{"content":"x"}', '"finish_reason":"error"}],"error":{"code":1},"y":[{"x":1')}
      usage = {"choices":[],"usage":{"prompt_tokens":3}}
      a finish = ${chunk('{}', '"finish_reason":"length"')}
      a finish with text = ${chunk('{"content":"x"}', '"logprobs":null,"finish_reason":"stop"')}
      another model = ${chunk('{"content":"x"}').replace('mill-1', 'mill-2')}
      a second choice = ${chunk('{"content":"x"}', noFinish, 1)}
      content of nothing = ${chunk('{"content":null}')}
      another call = ${call('"index":1,"id":"b","function":{"name":"ls","arguments":"{}"}')}
      another id at the same index = ${call('"index":0,"id":"z","function":{"name":"rm","arguments":""}')}
      two choices = {"choices":[{"index":0,"delta":{"content":"x"}},{"index":0,"delta":{"content":"y"}}]}`,
  },
  'openai-responses': {
    opening: [
      '{"type":"response.created","response":{"model":"gpt-x","output":[]}}',
      item('added', 0, '"id":"msg_1","type":"message","role":"assistant","content":[]'),
      item('added', 1, '"id":"fc_1","type":"function_call","call_id":"c1","name":"bash","arguments":""'),
      item('added', 2, '"id":"rs_1","type":"reasoning","summary":[]'),
      item('added', 3, '"id":"ctc_1","type":"custom_tool_call","call_id":"c2","name":"patch","input":""'),
    ],
    closing: ['{"type":"response.completed","response":{"status":"completed","output":[],"usage":{"input_tokens":1}}}'],
    kinds: {
      text: spoken('output_text', item0),
      'text with its odds': (raw, at) =>
        spoken('output_text', `${item0},"logprobs":[{"token":"${raw}","logprob":-${at}e-1}]`)(raw, at),
      'text without a number': (raw) => `{"type":"response.output_text.delta",${item0},"delta":"${raw}"}`,
      'text whose number varies': (raw, at) =>
        spoken('output_text', item0)(raw, 77).replace('77', oddNumbers[at % 7] ?? ''),
      'text without its item': spoken('output_text', '"content_index":0'),
      'parts in turns': (raw, at) => spoken('output_text', item0.replace(/0$/, `${at % 2}`))(raw, at),
      summary: spoken('reasoning_summary_text', '"output_index":2,"summary_index":0'),
      reasoning: spoken('reasoning_text', '"item_id":"rs_1","content_index":0'),
      arguments: spoken('function_call_arguments', '"item_id":"fc_1","output_index":1'),
      input: spoken('custom_tool_call_input', '"output_index":3'),
      'an unknown item': spoken('mcp_call_arguments', '"item_id":"mcp_9","output_index":9'),
    },
    between: `an error = {"type":"error","code":"rate_limit_exceeded","message":"Slow down"}
      a failure = {"type":"response.failed","response":{"status":"failed","error":{"code":"x"},"output":[]}}
      the end = {"type":"response.completed","response":{"status":"completed","output":[]}}
      the end with an item = {"type":"response.completed","response":{"output":[{"type":"function_call","name":"a"}]}}
      the text done = {"type":"response.output_text.done",${item0},"text":"Other"}
      the part done = {"type":"response.content_part.done",${item0},"part":{"type":"output_text","text":"Other"}}
      the part anew = {"type":"response.content_part.added",${item0},"part":{"type":"output_text","text":""}}
      a refusal in its place = {"type":"response.content_part.added",${item0},"part":{"type":"refusal","refusal":""}}
      an annotation = {"type":"response.output_text.annotation.added",${item0},"annotation":{"url":"u"}}
      the item done = ${item('done', 0, '"id":"msg_1","type":"message","content":[{"type":"output_text","text":"Done"}]')}
      the call done = ${item('done', 1, '"id":"fc_1","type":"function_call","name":"bash","arguments":"{}"')}
      another item in its place = ${item('added', 0, '"id":"fc_2","type":"function_call","name":"ls","arguments":""')}
      another part = ${spoken('output_text', '"output_index":0,"content_index":1')('x', 1)}
      another id = ${spoken('output_text', '"item_id":"msg_2","output_index":0,"content_index":0')('x', 1)}
      a delta of nothing = {"type":"response.output_text.delta",${item0},"delta":null}
      progress = {"type":"response.in_progress","response":{"model":"gpt-y","status":"in_progress"}}`,
  },
  gemini: {
    opening: [parts('{"text":""}')],
    closing: ['{"candidates":[{"content":{"parts":[]},"finishReason":"STOP"}],"usageMetadata":{"totalTokenCount":5}}'],
    kinds: {
      text: (raw) => parts(`{"text":"${raw}"}`),
      thought: (raw) => parts(`{"text":"${raw}","thought":true}`),
      'thoughts in turns': (raw, at) => parts(`{"text":"${raw}","thought":${at % 3 === 0}}`),
      signature: (raw) => parts(`{"text":"a","thoughtSignature":"${raw}"}`),
      call: (raw, at) => parts(`{"functionCall":{"name":"bash","args":{"a":"${raw}","b":${at}}}}`),
      'two parts': (raw) => parts(`{"text":"${raw}"},{"text":"${raw}"}`),
      usage: (raw, at) => parts(`{"text":"${raw}"}`, `}],"usageMetadata":{"totalTokenCount":${at}},"y":[{"x":1`),
      wrapped: (raw) => `{"response":${parts(`{"text":"${raw}"}`)},"traceId":"t"}`,
    },
    between: `an error = {"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}
      usage = {"usageMetadata":{"promptTokenCount":9}}
      a finish = ${parts('{"text":"x"}', ',"finishReason":"MAX_TOKENS"')}
      no content = {"candidates":[{"index":0}]}
      a second candidate = ${parts('{"text":"x"}').replace('"index":0', '"index":1')}
      an image = ${parts('{"inlineData":{"mimeType":"image/png","data":"AAAA"}}')}
      another model = ${parts('{"text":"x"}').replace('gemini-x', 'gemini-y')}`,
  },
};

/** Texts as they stand between the quotes of a JSON string; some of them are none. */
const texts: readonly string[] = [
  ...['', '\n\ndata:', '\ndata: ', '\r\n', '\r', '\nevent: ping\ndata: ', '\u0000', '\u001f', '\t', '\ufeff'],
  ...['\ud83d\ude42', 'e\u0301\u{1f468}\u200d\u{1f469}\u2028\u0085', '","__proto__":{"text":"x","type":"y"},"z":"'],
  ...String.raw`word¦\"¦\\¦a\\\"¦\\\\¦end\¦\n\t\r\b\f\/¦\u0041\u000a\u0022\u005c\u0000¦\ud83d¦\ude00¦\x¦\u12¦\u12g4¦\'
    a"b¦"¦""¦text_delta¦\"},\"index\":1¦"},"index":1,"x":{"y":"¦","text":"twice","delta":"twice","content":"twice
    ","type":"ping¦"}}¦"}]}}¦\n\ndata: {}\n\n¦[DONE]¦__proto__¦{\"a\":¦null¦$&$1%s`.split(/¦|\n +/),
];

/** The end of an event, and what may stand around its data. */
const frames: Readonly<Record<string, (data: string, name: string) => string>> = {
  plain: (data, name) => `${name && `event: ${name}\n`}data: ${data}\n\n`,
  CRLF: (data, name) => `${name && `event: ${name}\r\n`}data: ${data}\r\n\r\n`,
  CR: (data, name) => `${name && `event: ${name}\r`}data: ${data}\r\r`,
  'mixed ends': (data, name) => `event:${name}\rdata: ${data}\r\n\r`,
  'no name': (data) => `data: ${data}\n\n`,
  'no blank': (data, name) => `event:${name}\ndata:${data}\n\n`,
  'more blanks': (data, name) => `event:  ${name}\ndata:   ${data} \n\n\n\n`,
  'a wrong name': (data) => `event: ping\ndata: ${data}\n\n`,
  'the name of an error': (data) => `event: error\ndata: ${data}\n\n`,
  'the name after it': (data, name) => `data: ${data}\nevent: ${name}\n\n`,
  comments: (data, name) => `: one\nevent: ${name}\n:two\ndata: ${data}\n: three\n\n: four\n\n`,
  'ids and times': (data, name) => `id: 1\nevent: ${name}\nretry: 5\ndata: ${data}\nid\n\n`,
  'empty data after it': (data, name) => `event: ${name}\ndata: ${data}\ndata:\n\n`,
  'two lines': (data, name) => `event: ${name}\ndata: ${data.replace(',', ',\ndata: ')}\n\n`,
  'a line cut in a word': (data) => `data: ${data.replace(/(\w)(\w)/, '$1\ndata: $2')}\n\n`,
  'the same line again': (data) => `data: ${data}\ndata: ${data}\n\n`,
  'no empty line': (data) => `data: ${data}\n`,
  'a blank in the empty line': (data) => `data: ${data}\n \n`,
  'other fields': (data) => `Data: ${data}\ndata : ${data}\ndatas: ${data}\n data: ${data}\n\n`,
  'two events at once': (data) => `data: ${data}${data}\n\n`,
  'an object without a field': (data) => `${data}\n\n`,
  'blanks in it': (data) => `data: ${data.replace(/[{:,]/g, '$& ')}\n\n`,
  'members in reverse': (data) => `data: ${data.replace(/^\{("type":"[^"]+"),(.*)\}$/, '{$2,$1}')}\n\n`,
  'marks of byte order': (data) => `\ufeffdata: ${data}\n\ndata: \ufeff${data}\n\n`,
};
const framed = (data: string, frame = 'plain'): string =>
  frames[frame]?.(data, /^\{"type":"([\w.]+)"/.exec(data)?.[1] ?? '') ?? '';
const streamOf = (events: readonly string[]): string => events.map((data) => framed(data)).join('');

const tokens = /"(?:[^"\\]|\\.)*"|[^"\s[\]{},:]+|[\s\S]/g;
const swaps = `0 00 01 -0 -1 0.0 1e0 1E+2 1e400 12345678901234567890 .5 +1 2 null true "" "x" "text" "\\u0074ext" {} []
  [0] {"text":"x"} , : } ] { // \u0001`.split(/[ \n]+/);
const members =
  `"x":1 "text":"dup" "type":"ping" "delta":{} "index":1 "content":"dup" "error":{"a":1} "id":"z" "usage":{"a":1}
  "__proto__":{"text":"x"} "finish_reason":"stop" "obfuscation":null "sequence_number":{}`.split(/[ \n]+/);
const changes = swaps.length + members.length + 5;
/** An event with one token in another form, or with one member more. */
function changed(json: string, place: number, how: number): string {
  const all: string[] = json.match(tokens) ?? [];
  const at = place % all.length;
  const token = all[at] ?? '';
  const escaped = token.replace(/[a-z]/, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
  const forms = [...swaps, '', ' ', token + token, ` ${token}\t`, escaped];
  const more = members.map((member) => (token === '}' ? `,${member}}` : `${token}${member},`));
  all[at] = [...forms, ...more][how % changes] ?? '';
  return all.join('');
}

/** The same events with other blanks in each of them, so that no two are alike. */
function respelled(bytes: Uint8Array): Uint8Array {
  const all = Buffer.from(bytes)
    .toString('latin1')
    .split(/(?<=[\r\n])/);
  const blanks = (at: number): string => at.toString(2).replace(/./g, (bit) => (bit === '0' ? ' ' : '\t'));
  const spelled = all.map((line, at) => line.replace(/^data: ?\{/, `$&${blanks(at)}`));
  return Buffer.from(spelled.join(''), 'latin1');
}

/** Pieces of these lengths, one after the other and again, all in the same place. */
function* pieces(bytes: Uint8Array, lengths: readonly number[]): Generator<Uint8Array> {
  const place = new Uint8Array(Math.max(...lengths));
  for (let from = 0, at = 0; from < bytes.length; at++) {
    const piece = bytes.subarray(from, from + (lengths[at % lengths.length] ?? 1));
    place.set(piece);
    yield place.subarray(0, piece.length);
    from += piece.length;
  }
}

/** The law: in one piece, byte by byte and in other pieces, and whatever its blanks are, a stream says the same. */
function assertSame(dialect: DialectName, written: string | Uint8Array, lengths = [61, 0, 233, 5]): void {
  const bytes = typeof written === 'string' ? bytesOf(written) : written;
  const whole = readBytes(dialect, bytes);
  const same = (how: string, read: unknown): void => assert.deepEqual({ how, read }, { how, read: whole });
  same('byte by byte', readPieces(dialect, pieces(bytes, [1])));
  same('in pieces', readPieces(dialect, pieces(bytes, lengths)));
  same('with other blanks', readBytes(dialect, respelled(bytes)));
}

const run = (write: Write, count: number, from = 0): readonly string[] =>
  Array.from({ length: count }, (_, at) => write(`w${from + at} `, from + at));

for (const dialect of ['anthropic', 'openai-chat', 'openai-responses', 'gemini'] as const) {
  const { opening, closing, ...talk } = talks[dialect];
  const kinds = Object.entries(talk.kinds);
  const between = talk.between.split(/\n\s*/).map((line) => line.split(/ = (.*)/, 2) as [string, string]);
  const [[, plain] = ['', String]] = kinds;
  const around = (...events: readonly string[]): string => streamOf(opening) + events.join('') + streamOf(closing);

  describe(`runs of ${dialect}`, () => {
    test('K2: a plain run is the text of its deltas', () => {
      const words = Array.from({ length: 300 }, (_, at) => `w${at} ü🙂\\"\n`);
      const stream = around(streamOf(words.map((word, at) => plain(JSON.stringify(word).slice(1, -1), at))));
      const { reply, isWhole } = readBytes(dialect, bytesOf(stream));
      const said = reply?.parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      assert.deepEqual([said, isWhole], [words.join(''), true]);
      assertSame(dialect, stream);
    });

    for (const [kind, write] of kinds) {
      test(`K2: texts with quotes, escapes and looks of an event: ${kind}`, () => {
        for (let from = 0; from < texts.length; from += 6) {
          const odd = texts.slice(from, from + 6).flatMap((text) => [text, 'a', text, text, 'b']);
          assertSame(dialect, around(streamOf([...run(write, 3), ...odd.map(write)])));
        }
      });
    }

    for (const [what, event] of between) {
      test(`K2: in the middle of a run: ${what}`, () => {
        for (const [, write] of kinds) {
          const one = run(write, 3);
          assertSame(dialect, around(streamOf([...one, event, ...one, event, event, ...run(write, 1), event, ...one])));
        }
      });
    }

    test('K2: runs of two kinds in turns', () => {
      for (const [, one] of kinds) {
        const mixed = kinds.flatMap(([, other]) => [run(one, 3), run(other, 2), run(one, 1), run(other, 1)].flat());
        assertSame(dialect, around(streamOf(mixed)));
      }
    });

    test('K2: events with one token changed or one member more', () => {
      for (let place = 0; place < (plain('a', 5).match(tokens)?.length ?? 0); place++) {
        const hows = Array.from({ length: changes }, (_, how) => changed(plain(`w${how}`, 5), place, how));
        assertSame(dialect, around(streamOf(hows.flatMap((odd, at) => [odd, ...run(plain, 1, at), odd]))));
      }
    });

    for (const frame of Object.keys(frames)) {
      test(`K2: lines as the standard allows and forbids them: ${frame}`, () => {
        for (const [, write] of kinds.slice(0, 4)) {
          const data = run(write, 3);
          const odd = data.map((one) => framed(one, frame));
          assertSame(dialect, around(streamOf(data), odd[1] ?? '', streamOf(data), ...odd, ...odd));
        }
      });
    }

    const first = streamOf(run(plain, 3)).replace(/event.*\n/g, '');
    for (const start of ['\ufeff', '\n', '\ufeff\n', '{', ':', '\ufeff\ufeff', ' ', '\ufeff ', '\t']) {
      test(`K2: before the first line: ${JSON.stringify(start)}`, () => {
        assertSame(dialect, start + first);
      });
    }

    test('K2: bytes that are no UTF-8', () => {
      const [before = '', after = ''] = streamOf([...run(plain, 3), plain('@', 3), plain('a', 4)]).split('@');
      for (const hex of 'ff c3 c328 e282 f09f eda080 c0af efbbbf 00 80 f09f9982'.split(' ')) {
        const bad = Buffer.from(hex, 'hex');
        assertSame(dialect, Buffer.concat([bytesOf(before), bad, bytesOf(after + before), bad, bad, bytesOf(after)]));
      }
    });

    test('K2: events that end early', () => {
      const last = framed(plain('last\\n\\u00fc', 3));
      for (let end = 0; end < last.length; end += 2) {
        const cut = streamOf(run(plain, 2)) + last.slice(0, end);
        assertSame(dialect, cut);
        assertSame(dialect, `${cut}\n\n${streamOf(run(plain, 2))}`);
      }
    });

    test('K2: a long run and a long text', () => {
      const long = `\\"${'xü\\u0041'.repeat(3_000)}`;
      assertSame(dialect, around(streamOf([...run(plain, 300), plain(long, 1), ...run(plain, 9), plain(long, 2)])));
    });

    test('K2: two readers at once know nothing of each other', () => {
      const bytes = kinds.slice(0, 2).map(([, write]) => bytesOf(around(streamOf(run(write, 20)))));
      const readers = bytes.map(() => createAnswerReader(dialect));
      for (let from = 0; from < 10_000; from += 97) {
        readers.forEach((reader, at) => void reader.read(bytes[at]?.subarray(from, from + 97) ?? bytesOf('')));
      }
      const whole = bytes.map((one) => readBytes(dialect, one));
      readers.forEach((reader, at) => void assert.deepEqual(reader.end(), whole[at]));
    });

    // An event that comes in pieces counts while it is not whole, so that only whole ones are compared.
    test('K2: an answer is too large at the same length, event by event', () => {
      const stream = around(streamOf(run((raw, at) => plain(raw.repeat(9), at), 30)));
      for (let maxChars = 300; maxChars < 3_000; maxChars += 37) {
        const read = readPieces(dialect, stream.split(/(?<=\n\n)/).map(bytesOf), { maxChars });
        assert.deepEqual({ maxChars, read }, { maxChars, read: readBytes(dialect, bytesOf(stream), { maxChars }) });
      }
    });

    test('K2: 100 streams of runs with small changes', () => {
      const far = fc.nat(1_000_000);
      const binary = fc.string({ unit: 'binary' }).map((text) => JSON.stringify(text).slice(1, -1));
      const stretch = fc.record({
        kind: fc.constantFrom(...kinds),
        count: fc.constantFrom(1, 2, 3, 4, 5, 7, 9, 12, 15, 20),
        text: fc.oneof(fc.constantFrom(...texts), binary),
        odds: fc.array(fc.record({ at: far, place: far, how: far, twice: fc.boolean() }), { maxLength: 3 }),
        frame: fc.constantFrom('plain', 'plain', 'plain', 'plain', ...Object.keys(frames)),
        last: fc.option(fc.constantFrom(...between)),
      });
      const stream = fc.array(stretch, { minLength: 1, maxLength: 4 }).map((stretches) =>
        stretches.flatMap(({ kind: [, write], count, text, odds, frame, last }) => {
          const events = Array.from({ length: count }, (_, at) => write(at % 4 === 3 ? text : `w${at}`, at));
          for (const { at, place, how, twice } of odds) {
            const odd = changed(events[at % count] ?? '', place, how);
            events.splice(at % count, 1, odd, ...(twice ? [odd] : []));
          }
          return [...events.map((data) => framed(data, frame)), framed(last?.[1] ?? write('z', 1))];
        }),
      );
      const lengths = fc.tuple(fc.array(fc.nat(400), { maxLength: 8 }), fc.integer({ min: 1, max: 400 }));
      const law = fc.property(stream, lengths, fc.boolean(), (events, [some, length], isOpen) => {
        const few = events.slice(0, 60);
        assertSame(dialect, isOpen ? streamOf(opening) + few.join('') : around(...few), [...some, length]);
      });
      fc.assert(law, { numRuns: 100 });
    });
  });
}
