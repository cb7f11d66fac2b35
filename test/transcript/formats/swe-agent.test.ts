import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Transcript } from '../../../packages/core/src/transcript/message.ts';
import { readTranscripts } from '../../../packages/core/src/transcript/read.ts';
import { groupsOf } from '../../../packages/core/src/transcript/text.ts';

async function read(file: unknown): Promise<Transcript> {
  const { format, transcripts } = await readTranscripts(JSON.stringify(file, null, 2));
  assert.equal(format, 'swe-agent');
  assert.ok(transcripts[0]);
  return transcripts[0];
}

const agent = 'primary';

test('observations and demonstrations that stand as user messages are the host', async () => {
  const { messages, extra } = await read({
    environment: 'env',
    trajectory: [{ action: 'ls', observation: 'a.ts' }],
    history: [
      { role: 'system', content: 'S', agent },
      { role: 'user', content: 'a demonstration', agent, is_demo: true },
      { role: 'user', content: 'the task', agent },
      { role: 'assistant', content: 'I look.', thought: 'I look.', action: 'ls', agent },
      { role: 'user', content: 'a.ts', agent },
      { role: 'user', content: 'a reminder', agent, message_type: 'user' },
    ],
    info: { exit_status: 'submitted' },
  });
  assert.deepEqual(
    messages.map(({ role, origin }) => [role, origin]),
    [
      ['system', undefined],
      ['user', 'host'],
      ['user', 'person'],
      ['assistant', undefined],
      ['user', 'host'],
      ['user', 'person'],
    ],
  );
  assert.deepEqual(messages[3]?.extra?.fields, { thought: 'I look.', action: 'ls', agent });
  assert.deepEqual(extra?.fields.info, { exit_status: 'submitted' });
});

test('function calls and their observations form groups', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } };
  const { messages } = await read({
    trajectory: [],
    info: {},
    history: [
      { role: 'user', content: 'task', agent, message_type: 'observation' },
      { role: 'assistant', content: 'x', agent, message_type: 'action', tool_calls: [call] },
      {
        role: 'tool',
        content: [{ type: 'text', text: 'a.ts' }],
        agent,
        message_type: 'observation',
        tool_call_ids: ['c1'],
      },
    ],
  });
  assert.deepEqual(groupsOf(messages).at(-1), { start: 1, end: 3, open: [] });
});

test('a file without a history is read from its steps', async () => {
  const step = { action: 'ls', observation: 'a.ts', response: 'I look.', thought: 'I look.' };
  const file = { environment: 'env', trajectory: [step], history: [], info: {} };
  const { transcripts } = await readTranscripts(JSON.stringify(file), { format: 'swe-agent' });
  assert.deepEqual(
    transcripts[0]?.messages.map(({ role, origin }) => [role, origin]),
    [
      ['assistant', undefined],
      ['user', 'host'],
    ],
  );
});
