/** Tools that the provider runs once a person has said that they may. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPalimpsest } from '../../src/ai-sdk/index.ts';
import { steps } from './prompts.ts';
import { type Prompt, recorder } from './recorder.ts';

const asked: Prompt = [
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'May I?' },
      {
        ...{ type: 'tool-call', toolCallId: 'mcp_0123456789abcdef', toolName: 'mcp.delete', input: { path: '/x' } },
        ...{ providerExecuted: true, providerOptions: { openai: { approvalRequestId: 'mcpr_1' } } },
      },
    ],
  },
  { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'mcpr_1', approved: true }] },
];

const after: Prompt = [
  { role: 'assistant', content: [{ type: 'text', text: 'It is deleted.' }] },
  { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
];

for (const [when, rest] of [
  ['at the end', []],
  ['in the middle', after],
] as const) {
  test(`A3 what a person has allowed keeps its call through a compression, ${when} of the context`, async () => {
    const { model, calls } = recorder();
    const wrapped = withPalimpsest(model, { contextLength: 8_000 });
    const prompt: Prompt = [
      { role: 'user', content: [{ type: 'text', text: 'Look at all of it.' }] },
      ...steps(14),
      ...asked,
      ...rest,
    ];
    await wrapped.doGenerate({ prompt });
    const sent = calls[0]?.prompt ?? [];
    assert.ok(sent.length < prompt.length);
    assert.deepEqual(sent.slice(-asked.length - rest.length), [...asked, ...rest]);
  });
}
