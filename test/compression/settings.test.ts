import assert from 'node:assert/strict';
import test from 'node:test';
import { planBoundaries } from '../../packages/core/src/compression/boundaries.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';

const tokenizer = {
  name: 'characters by four',
  exact: false,
  count: (text: string): number => Math.ceil(text.length / 4),
};
const tokensOf = (message: Message): number => tokenizer.count(JSON.stringify(message.parts));

function step(id: number, output: string): readonly Message[] {
  const callId = `c${id}`;
  return [
    {
      role: 'assistant',
      parts: [{ type: 'toolCall', callId, name: 'bash', input: `{"command":"run ${id}"}`, inputType: 'json' }],
    },
    { role: 'tool', parts: [{ type: 'toolResult', callId, content: [{ type: 'text', text: output }] }] },
  ];
}

const asked: Message = { role: 'user', parts: [{ type: 'text', text: 'Run everything.' }] };
const numbers = [...Array(40).keys()];

test('B2: the tail may overshoot its budget as far as the settings say', () => {
  const list = [asked, ...numbers.flatMap((n) => step(n, 'x'.repeat(900))), ...step(99, 'x'.repeat(5_000))];
  const startAt = (ceilingRatio: number): number => {
    const cut = planBoundaries(list, { tokensOf, tailTokens: 2_000, protectLastN: 60, ceilingRatio, force: true });
    return cut.type === 'cut' ? cut.tailStart : -1;
  };
  assert.ok(startAt(1.1) > startAt(2), `${startAt(1.1)} ${startAt(2)}`);
  assert.ok(startAt(2) > startAt(4), `${startAt(2)} ${startAt(4)}`);
});
