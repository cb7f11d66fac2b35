// Runs the loop against the fake provider of `@palimpsest/core/testing`, over real HTTP. The provider asks for a tool sixty times.
import assert from 'node:assert/strict';
import { type FakeRequest, startFakeProvider } from '@palimpsest/core/testing';
import { work } from './loop.ts';

let steps = 0;
const script = ({
  messages,
}: FakeRequest): { text: string; toolCalls?: { name: string; input: { region: number } }[] } => {
  assert.ok(messages.length > 0);
  steps++;
  return steps > 60
    ? { text: 'All regions are moved.' }
    : { text: `Region ${steps}.`, toolCalls: [{ name: 'move', input: { region: steps } }] };
};
await using provider = await startFakeProvider({ script, contextLength: 16_000 });
const rows = (input: string): string => `moved ${input}\n${'one row of the ledger\n'.repeat(60)}`;
const request = 'Move the ledgers of all regions, one after the other.';
const left = await work(provider.baseUrl('openai-chat'), request, rows);

assert.equal(steps, 61);
assert.ok(
  provider.requests.every(({ status }) => status === 200),
  'expected every request to fit the window',
);
assert.ok(left.length < 122, `expected a shorter list, got ${left.length} messages`);
assert.equal(left.at(-1)?.content, 'All regions are moved.');
assert.ok(left.some(({ role, content }) => role === 'user' && JSON.stringify(content).includes(request)));
