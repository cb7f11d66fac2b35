import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fromShareGpt, toShareGpt } from '../../../packages/core/src/transcript/logs/sharegpt.ts';
import { readTranscripts } from '../../../packages/core/src/transcript/read.ts';
import { writeTranscript } from '../../../packages/core/src/transcript/registry.ts';
import { groupsOf } from '../../../packages/core/src/transcript/text.ts';
import { withoutExtra } from '../../support/without-extra.ts';

test('speakers become roles, whatever a data set calls them', () => {
  const speakers = ['system', 'human', 'gpt', 'user', 'bing', 'ChatGPT'];
  assert.deepEqual(
    fromShareGpt(speakers.map((from) => ({ from, value: 'x' }))).map(({ role }) => role),
    ['system', 'user', 'assistant', 'user', 'assistant', 'assistant'],
  );
});

test('function calls and observations form groups in order', () => {
  const list = [
    { from: 'human', value: 'x' },
    { from: 'function_call', value: '[{"name":"f","arguments":{"n":1}},{"name":"g","arguments":{}}]' },
    { from: 'observation', value: 'one' },
    { from: 'observation', value: 'two' },
    { from: 'gpt', value: 'done' },
  ];
  const messages = fromShareGpt(list);
  assert.deepEqual(
    groupsOf(messages).map(({ start, end, open }) => [start, end, open.length]),
    [
      [0, 1, 0],
      [1, 4, 0],
      [4, 5, 0],
    ],
  );
  assert.deepEqual(withoutExtra(messages.slice(1, 3)), [
    {
      role: 'assistant',
      parts: [
        { type: 'toolCall', callId: 'call_1_0', name: 'f', input: '{"n":1}', inputType: 'json' },
        { type: 'toolCall', callId: 'call_1_1', name: 'g', input: '{}', inputType: 'json' },
      ],
    },
    {
      role: 'tool',
      parts: [{ type: 'toolResult', callId: 'call_1_0', name: 'f', content: [{ type: 'text', text: 'one' }] }],
    },
  ]);
  assert.deepEqual(toShareGpt(messages), list);
});

test('an observation without a call and an unknown speaker are the host, and the second is reported', () => {
  const notes: number[] = [];
  const sources = [1, 2].map((line) => ({ start: 0, end: 0, line }));
  const list = [
    { from: 'tool', value: 'x' },
    { from: 'Narrator', value: 'y' },
  ];
  const messages = fromShareGpt(list, { sources, report: ({ line }) => notes.push(line) });
  assert.deepEqual(
    messages.map(({ role, origin }) => [role, origin]),
    [
      ['user', 'host'],
      ['user', 'host'],
    ],
  );
  assert.deepEqual(notes, [2]);
  assert.deepEqual(toShareGpt(messages), list);
});

test('a call that is no JSON is kept as text and reported', () => {
  const levels: string[] = [];
  const list = [{ from: 'function_call', value: 'f(1)' }];
  const messages = fromShareGpt(list, { report: ({ level }) => levels.push(level) });
  assert.deepEqual(levels, ['repaired']);
  assert.deepEqual(toShareGpt(messages), list);
});

test('each conversation of a file keeps its id, system prompt and tools', async () => {
  const file = [
    {
      id: 'one',
      system: 'Be brief.',
      tools: '[{"name":"f"}]',
      conversations: [{ from: 'human', value: 'x', weight: 0 }],
    },
    { id: 'two', conversations: [{ role: 'user', content: 'y' }] },
  ];
  const { transcripts } = await readTranscripts(JSON.stringify(file));
  assert.deepEqual(
    transcripts.map(({ id, messages }) => [id, messages.map(({ role }) => role)]),
    [
      ['one', ['system', 'user']],
      ['two', ['user']],
    ],
  );
  assert.deepEqual(
    transcripts.map((one) => JSON.parse([...writeTranscript(one, 'sharegpt')].join(''))),
    file,
  );
});
