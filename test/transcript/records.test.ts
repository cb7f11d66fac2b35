import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { JsonValue } from '../../packages/core/src/shared/json.ts';
import type { SourceRecord } from '../../packages/core/src/transcript/format.ts';
import { type ReadProblem, readRecords } from '../../packages/core/src/transcript/records.ts';

type Found = SourceRecord | ReadProblem;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function* pieces(bytes: Uint8Array, cuts: readonly number[]): AsyncGenerator<Uint8Array> {
  let start = 0;
  for (const cut of [...cuts, bytes.length]) {
    // A copy: a source may use its buffer again for the next piece.
    yield bytes.slice(start, cut);
    start = Math.max(start, cut);
  }
}

async function read(source: string | Uint8Array, cuts: readonly number[] = []): Promise<readonly Found[]> {
  const bytes = typeof source === 'string' ? bytesOf(source) : source;
  return await Array.fromAsync(readRecords(pieces(bytes, cuts)));
}

const records = (found: readonly Found[]): readonly SourceRecord[] => found.filter((one) => one.type !== 'problem');
const problems = (found: readonly Found[]): readonly ReadProblem[] => found.filter((one) => one.type === 'problem');
const values = (found: readonly Found[], type: SourceRecord['type']): readonly JsonValue[] =>
  records(found).flatMap((one) => (one.type === type ? [one.value] : []));

function utf16(text: string, { little = true, bom = true } = {}): Uint8Array {
  const bytes = new Uint8Array((text.length + 1) * 2);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 0xfeff, little);
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i + 2, text.charCodeAt(i), little);
  return bom ? bytes : bytes.slice(2);
}

describe('lines', () => {
  test('each line is a record with its bytes and its number', async () => {
    const text = '{"a":"ä"}\r\n\n  {"b":2}  \n{"c":3}';
    const found = await read(text);
    assert.deepEqual(values(found, 'line'), [{ a: 'ä' }, { b: 2 }, { c: 3 }]);
    assert.deepEqual(
      records(found).map(({ span }) => [bytesOf(text).slice(span.start, span.end).length, span.line]),
      [
        [10, 1],
        [7, 3],
        [7, 4],
      ],
    );
  });
  test('a run of broken lines is one finding that names them', async () => {
    const found = await read('{"a":1}\nnot json\n{"b":\n{"c":3}\noops\n{"d":4}\n');
    assert.deepEqual(values(found, 'line'), [{ a: 1 }, { c: 3 }, { d: 4 }]);
    assert.deepEqual(
      problems(found).map(({ line, level }) => [line, level]),
      [
        [2, 'skipped'],
        [5, 'skipped'],
      ],
    );
    assert.match(problems(found)[0]?.message ?? '', /lines 2 to 3/);
  });
  test('a file that ends inside a line keeps the lines before it', async () => {
    const found = await read('{"a":1}\n{"b":2}\n{"c":"tru');
    assert.deepEqual(values(found, 'line'), [{ a: 1 }, { b: 2 }]);
    assert.match(problems(found)[0]?.message ?? '', /ends in the middle of line 3/);
  });
  test('a first line that was torn inside a string does not make the file a document', async () => {
    const found = await read('{"a":"tor\n{"b":2}\n{"c":3}\n');
    assert.deepEqual(values(found, 'line'), [{ b: 2 }, { c: 3 }]);
    assert.equal(problems(found)[0]?.line, 1);
  });
  test('a file that begins in the middle of a line is still lines', async () => {
    const found = await read('rest of a line"}\n{"b":2}\n');
    assert.deepEqual(values(found, 'line'), [{ b: 2 }]);
  });
  test('a message list inside a line stays in its line', async () => {
    const found = await read('{"messages":[{"role":"user"}]}\n{"messages":[]}\n');
    assert.deepEqual(values(found, 'line'), [{ messages: [{ role: 'user' }] }, { messages: [] }]);
  });
});

describe('documents', () => {
  test('a bare list gives its elements and an empty envelope', async () => {
    const found = await read('[{"role":"user"}, 7, "x", null, {"role":"tool"}]');
    assert.deepEqual(values(found, 'element'), [{ role: 'user' }, 7, 'x', null, { role: 'tool' }]);
    assert.deepEqual(values(found, 'envelope'), [[]]);
  });
  test('a list inside an object gives its elements, and the object without them', async () => {
    const text =
      '{\n  "model": "m",\n  "messages": [\n    {"role": "user", "content": "a]}\\"["}\n  ],\n  "n": [1]\n}\n';
    const found = await read(text);
    assert.deepEqual(values(found, 'element'), [{ role: 'user', content: 'a]}"[' }]);
    assert.deepEqual(values(found, 'envelope'), [{ model: 'm', messages: [], n: [1] }]);
    const [element] = records(found);
    assert.deepEqual({ line: element?.span.line, list: element?.list }, { line: 4, list: 'messages' });
    assert.equal(text.slice(element?.span.start, element?.span.end), '{"role": "user", "content": "a]}\\"["}');
  });
  test('several conversations are numbered, and the envelope lists them', async () => {
    const found = await read('[{"id":1,"traj":[{"role":"user"}]},[{"role":"tool"}],{"id":2,"messages":[]}]');
    assert.deepEqual(
      records(found).map(({ type, conversation }) => [type, conversation]),
      [
        ['element', 0],
        ['element', 1],
        ['envelope', 0],
      ],
    );
    assert.deepEqual(values(found, 'envelope'), [[{ id: 1, traj: [] }, [], { id: 2, messages: [] }]]);
  });
  test('an output inside a function call is not a message list', async () => {
    const value = { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'x' }] };
    assert.deepEqual(values(await read(JSON.stringify([value])), 'element'), [value]);
  });
  test('two lists of one object belong to one conversation', async () => {
    const found = await read('{"id":"r","input":[{"role":"user"}],"object":"response","output":[{"type":"message"}]}');
    assert.deepEqual(
      records(found).map(({ list }) => list),
      ['input', 'output', undefined],
    );
  });
  test('documents behind each other are conversations', async () => {
    const found = await read('[{"role":"user"}]\n[{"role":"tool"}]\n{\n"messages":[{"role":"user"}]}');
    assert.deepEqual(
      records(found).map(({ conversation }) => conversation),
      [0, 1, 2, 0],
    );
  });
  test('an object without a message list is one record', async () => {
    assert.deepEqual(values(await read('{\n "role": "user"\n}'), 'line'), [{ role: 'user' }]);
  });
  test('text behind a document is reported', async () => {
    const found = await read('[{"role":"user"}]\nand so on');
    assert.equal(values(found, 'element').length, 1);
    assert.deepEqual(
      problems(found).map(({ line }) => line),
      [2],
    );
  });
  test('an element that is not JSON is left out and its line named', async () => {
    const found = await read('[\n{"role":"user"},\n{"role":user},\n{"role":"tool"}\n]');
    assert.deepEqual(values(found, 'element'), [{ role: 'user' }, { role: 'tool' }]);
    assert.equal(problems(found)[0]?.line, 3);
  });
  test('a document that was cut off keeps whole elements and whole fields', async () => {
    const text = '{"model":"m","messages":[{"a":1},{"b":2}],"tools":[{"n":1}],"usage":{"x":1},"metadata":{"y":2}}';
    const at = async (end: string): Promise<readonly Found[]> => read(text.slice(0, text.indexOf(end)));
    assert.deepEqual(values(await at('{"b"'), 'element'), [{ a: 1 }]);
    assert.deepEqual(values(await at(':2}],'), 'envelope'), [{ model: 'm', messages: [] }]);
    const late = await at(':1},"meta');
    assert.deepEqual(values(late, 'element'), [{ a: 1 }, { b: 2 }]);
    assert.deepEqual(values(late, 'envelope'), [{ model: 'm', messages: [], tools: [{ n: 1 }] }]);
    assert.match(problems(late)[0]?.message ?? '', /ends in the middle of a document/);
  });
});

describe('bytes', () => {
  test('a byte order mark is skipped and counted', async () => {
    const found = await read('\uFEFF{"a":1}\n{"b":2}\n');
    assert.deepEqual(values(found, 'line'), [{ a: 1 }, { b: 2 }]);
    assert.deepEqual(records(found)[0]?.span, { start: 3, end: 10, line: 1 });
  });
  test('UTF-16 is read in either order, with spans in bytes', async () => {
    const text = '{"a":"ä日🙂"}\n{"b":2}\n';
    for (const little of [true, false]) {
      const found = await read(utf16(text, { little }));
      assert.deepEqual(values(found, 'line'), [{ a: 'ä日🙂' }, { b: 2 }]);
      const second = records(found)[1]?.span;
      assert.deepEqual(second, { start: 2 + 2 * 13, end: 2 + 2 * 20, line: 2 });
      assert.deepEqual(values(await read(utf16(text, { little, bom: false })), 'line').length, 2);
    }
  });
  test('a byte too many in UTF-16 is reported', async () => {
    const bytes = Uint8Array.from([...utf16('{"a":1}\n'), 0x7b]);
    assert.match(problems(await read(bytes))[0]?.message ?? '', /one more byte/);
  });
  test('invalid UTF-8 is replaced and reported with its line', async () => {
    const bytes = Uint8Array.from([...bytesOf('{"a":1}\n{"b":"'), 0xff, 0xc3, ...bytesOf('"}\n')]);
    const found = await read(bytes);
    assert.deepEqual(values(found, 'line'), [{ a: 1 }, { b: '\uFFFD\uFFFD' }]);
    assert.deepEqual(
      problems(found).map(({ level, line }) => [level, line]),
      [['repaired', 2]],
    );
  });
  test('a real replacement character is no finding', async () => {
    assert.deepEqual(problems(await read('{"a":"\uFFFD"}\n{"b":1}')), []);
  });
  test('NUL bytes around JSON are left out and reported', async () => {
    const found = await read('{"a":1}\n\0\0\0\0{"b":2}\n\0\0\n{"c":3}\n');
    assert.deepEqual(values(found, 'line'), [{ a: 1 }, { b: 2 }, { c: 3 }]);
    assert.deepEqual(
      problems(found).map(({ level, line }) => [level, line]),
      [
        ['repaired', 2],
        ['skipped', 3],
      ],
    );
  });
  test('what is no transcript is refused in one sentence', async () => {
    const cases: readonly [string | Uint8Array, RegExp][] = [
      ['', /empty file/],
      [' \n\n ', /white space/],
      ['<!doctype html><p>{}', /HTML/],
      [Uint8Array.from([0x1f, 0x8b, 8, 0]), /gzip/],
      [Uint8Array.from([0x50, 0x4b, 3, 4, 0]), /zip/],
      [Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 1, 0, 0]), /binary/],
    ];
    for (const [source, reason] of cases) {
      const found = await read(source);
      assert.equal(found.length, 1);
      assert.match(problems(found)[0]?.message ?? '', reason);
    }
  });
  test('a long line in many pieces is read in linear time', async () => {
    const text = `{"a":"${'x'.repeat(3_000_000)}"}\n{"b":2}\n`;
    const cuts = Array.from({ length: 3000 }, (_, i) => (i + 1) * 1000);
    assert.equal(values(await read(text, cuts), 'line').length, 2);
  });
  test('a document of many strings in one long line is read in linear time, and before its end', async () => {
    const count = 60_000;
    const elements = Array.from(
      { length: count },
      (_, i) => `{"role":"user","content":"message ${i} ${'x'.repeat(60)}"}`,
    );
    const bytes = bytesOf(`{"model":"m","messages":[${elements.join()}]}`);
    const source = readRecords(pieces(bytes, [5 << 20]));
    assert.deepEqual((await source.next()).value?.type, 'element');
    assert.equal((await Array.fromAsync(source)).length, count);
  });
});

const samples: readonly string[] = [
  '{"a":"ä日🙂"}\r\n\n{"b":"\\"}{"}\n{"broken":\n{"c":[1,{"d":"]"}]}\n',
  '\uFEFF[\n  {"role": "user", "content": "ä日🙂 \\\\"},\n  {"role": "tool", "n": [[], {}]}, 1.5, "x", null\n]\n',
  '{"model":"m","messages":[{"role":"user","content":"}]\\\\\\""},{"a":1}],"n":{"x":[1]},"history":[{"b":2}]}',
  '[{"id":"ü","traj":[{"role":"user"},{"role":"tool"}],"z":0},[{"a":1}],{"messages":[]},{"role":"user"}]',
  '{\n"messages": [ {"a" : "日"} ]\n}\n{"x":1}\n[{"b":2}] tail',
];

test('any split of the bytes gives the same records', async () => {
  const encodings = [bytesOf, (text: string) => utf16(text), (text: string) => utf16(text, { little: false })];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.constantFrom(...encodings),
      fc.array(fc.nat(300), { maxLength: 12 }),
      async (text, encode, positions) => {
        const bytes = encode(text);
        const cuts = positions.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b);
        assert.deepEqual(await read(bytes, cuts), await read(bytes));
      },
    ),
    { numRuns: 300 },
  );
  for (const text of samples) {
    const bytes = bytesOf(text);
    const every = Array.from({ length: bytes.length }, (_, i) => i + 1);
    assert.deepEqual(await read(bytes, every), await read(bytes));
  }
});

test('the bytes of a span are the value of its record', async () => {
  for (const text of samples) {
    const bytes = bytesOf(text);
    for (const record of records(await read(bytes))) {
      if (record.type === 'envelope') continue;
      const piece = new TextDecoder().decode(bytes.slice(record.span.start, record.span.end));
      assert.deepEqual(JSON.parse(piece), record.value);
      const before = new TextDecoder().decode(bytes.slice(0, record.span.start));
      assert.equal(record.span.line, before.split('\n').length);
    }
  }
});

test('a longer prefix of a file never gives fewer records, and none makes the reader throw', async () => {
  for (const text of samples) {
    const bytes = bytesOf(text);
    const whole = records(await read(bytes)).filter(({ type }) => type !== 'envelope');
    let last = 0;
    for (let end = 0; end <= bytes.length; end++) {
      const found = records(await read(bytes.slice(0, end))).filter(({ type }) => type !== 'envelope');
      assert.ok(found.length >= last, `${found.length} records of ${end} bytes, ${last} before`);
      assert.deepEqual(
        found.map(({ span }) => span.start),
        whole.slice(0, found.length).map(({ span }) => span.start),
      );
      last = found.length;
    }
  }
});
