import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { PalimpsestError } from '../../packages/core/src/shared/errors.ts';
import type { FormatName } from '../../packages/core/src/transcript/message.ts';
import { type ReadOptions, readTranscripts } from '../../packages/core/src/transcript/read.ts';

const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');
const plain = [
  { role: 'user', content: 'hello' },
  { role: 'assistant', content: 'hi' },
];

async function fails(source: string | Uint8Array, options: ReadOptions = {}): Promise<PalimpsestError> {
  try {
    await readTranscripts(source, options);
  } catch (error) {
    assert.ok(error instanceof PalimpsestError);
    return error;
  }
  throw new assert.AssertionError({ message: 'expected an error' });
}

describe('the format is found out by content', () => {
  const call = { id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } };
  const cases: readonly [string, FormatName, unknown][] = [
    ['plain messages', 'openai-chat', plain],
    ['a request', 'openai-chat', { model: 'm', messages: plain }],
    ['tool calls', 'openai-chat', [...plain, { role: 'assistant', content: null, tool_calls: [call] }]],
    ['finished conversations', 'openai-chat', [{ task_id: 1, traj: plain }]],
    ['a system prompt beside the messages', 'anthropic', { system: 'Be brief.', messages: plain }],
    ['a long one', 'anthropic', { messages: Array.from({ length: 80 }, () => plain[0]), system: 'Be brief.' }],
    [
      'content blocks',
      'anthropic',
      [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: {} }] }],
    ],
    ['an input list', 'openai-responses', { model: 'm', input: plain }],
    ['an input text', 'openai-responses', { model: 'm', input: 'hello' }],
    [
      'items',
      'openai-responses',
      [
        { type: 'reasoning', summary: [] },
        { role: 'user', content: 'x' },
      ],
    ],
    [
      'a response',
      'openai-responses',
      { object: 'response', output: [{ type: 'message', role: 'assistant', content: [] }] },
    ],
    [
      'model messages',
      'ai-sdk',
      [
        ...plain,
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'b', output: { type: 'text', value: 'c' } }],
        },
      ],
    ],
    ['speakers', 'sharegpt', { conversations: [{ from: 'human', value: 'x' }] }],
    ['roles under conversations', 'sharegpt', [{ id: '1', conversations: plain }]],
    [
      'agent entries',
      'swe-agent',
      { history: [{ role: 'user', content: 'x', agent: 'main' }], trajectory: [], info: {} },
    ],
  ];
  for (const [what, format, value] of cases) {
    test(`${what}: ${format}`, async () => {
      const { format: found, transcripts } = await readTranscripts(JSON.stringify(value, null, 1));
      assert.equal(found, format);
      assert.ok(transcripts.length === 1 && (transcripts[0]?.messages.length ?? 0) > 0);
    });
  }
});

test('lines of requests are a conversation each', async () => {
  const { transcripts } = await readTranscripts(lines({ messages: plain, n: 1 }, { messages: [plain[0]] }));
  assert.deepEqual(
    transcripts.map(({ messages }) => messages.length),
    [2, 1],
  );
  assert.deepEqual(transcripts[0]?.messages[1]?.source, [{ start: 0, end: 90, line: 1 }]);
});

test('bytes, text and a stream give the same', async () => {
  const text = lines(...plain);
  const bytes = new TextEncoder().encode(text);
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    for (const byte of bytes) yield Uint8Array.of(byte);
  };
  const expected = await readTranscripts(text);
  assert.deepEqual(await readTranscripts(bytes), expected);
  assert.deepEqual(await readTranscripts(stream()), expected);
});

test('progress counts bytes', async () => {
  const seen: number[] = [];
  await readTranscripts(lines(...plain), { onProgress: (bytes) => seen.push(bytes) });
  assert.deepEqual(seen, [new TextEncoder().encode(lines(...plain)).length]);
});

test('broken lines are findings and the rest is read', async () => {
  const { transcripts, findings } = await readTranscripts(`${lines(plain[0])}{"role":\n${lines(plain[1], { n: 1 })}`);
  assert.equal(transcripts[0]?.messages.length, 2);
  assert.deepEqual(
    findings.map(({ level, line }) => [level, line]),
    [
      ['skipped', 2],
      ['skipped', 4],
    ],
  );
});

describe('errors say what came and what to do', () => {
  test('an unknown content names its first keys and the formats', async () => {
    const error = await fails(lines({ alpha: 1, beta: 2 }), { name: 'notes.jsonl' });
    assert.equal(error.code, 'FORMAT_UNKNOWN');
    for (const piece of ['notes.jsonl', 'alpha, beta', 'openai-chat', 'sharegpt', '--from']) {
      assert.ok(error.message.includes(piece), `${piece} in: ${error.message}`);
    }
  });
  test('a file that is no text says what it is', async () => {
    assert.match((await fails('')).message, /empty file/);
    assert.match((await fails('<html></html>')).message, /HTML/);
    assert.match((await fails(Uint8Array.from([0x1f, 0x8b, 8]))).message, /gzip/);
    assert.match((await fails('[]')).message, /JSON document/);
  });
  test('a wrong format is an error when it finds no message', async () => {
    const error = await fails(lines({ alpha: 1 }), { format: 'anthropic', name: 'notes.jsonl' });
    assert.equal(error.code, 'TRANSCRIPT_BROKEN');
    assert.match(error.message, /expected messages of anthropic in notes\.jsonl/);
    assert.match(error.message, /line 1: .*found an object with the keys alpha/);
  });
});

test('any prefix of a file is read or refused, and never loses what came before', async () => {
  const files: readonly [FormatName, string][] = [
    ['openai-chat', lines(...plain, { role: 'tool', tool_call_id: 'a', content: 'ü' })],
    ['anthropic', JSON.stringify({ system: 'ä', messages: plain }, null, 2)],
    [
      'openai-responses',
      JSON.stringify({ input: [...plain, { type: 'function_call', call_id: 'a', name: 'b', arguments: '{}' }] }),
    ],
    ['sharegpt', JSON.stringify([{ id: 'a', conversations: [{ from: 'human', value: 'x' }] }])],
  ];
  for (const [format, text] of files) {
    const bytes = new TextEncoder().encode(text);
    let last = 0;
    for (let end = 0; end <= bytes.length; end++) {
      let count = 0;
      try {
        const { transcripts } = await readTranscripts(bytes.slice(0, end), { format });
        count = transcripts.reduce((sum, { messages }) => sum + messages.length, 0);
      } catch (error) {
        assert.ok(PalimpsestError.isInstance(error) && error.code === 'TRANSCRIPT_BROKEN');
      }
      assert.ok(count >= last);
      last = count;
    }
    assert.ok(last > 0);
  }
});

const real = new URL('../../../shared/data/transcripts/', import.meta.url);
const skip = existsSync(real) ? false : 'skipped: the evaluation transcripts are not on this machine';

test('every real transcript is recognised and read without a finding', { skip }, async () => {
  for (const folder of readdirSync(real)) {
    for (const file of readdirSync(new URL(`${folder}/`, real))) {
      const bytes = gunzipSync(readFileSync(new URL(`${folder}/${file}`, real)));
      const { format, transcripts, findings } = await readTranscripts(bytes, { name: file });
      assert.equal(format, file.endsWith('.traj.gz') ? 'swe-agent' : folder);
      assert.ok(
        transcripts.every(({ messages }) => messages.length > 0),
        file,
      );
      assert.deepEqual(findings, [], file);
    }
  }
});
