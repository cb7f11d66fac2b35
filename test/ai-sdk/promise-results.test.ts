/** The limits of tool results by their numbers, as a program on the AI SDK meets them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type WithPalimpsestOptions, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { generateText, type ModelMessage } from 'ai';
import { recorder } from './recorder.ts';

interface Result {
  readonly tool: string;
  readonly chars: number;
}

/** What a model is shown for results of so many characters, in one answer. */
async function shownFor(results: readonly Result[], options: WithPalimpsestOptions): Promise<readonly string[]> {
  const { model, calls } = recorder();
  const parts = results.map(({ tool: toolName, chars }, at) => ({
    toolCallId: `call-${at}-${toolName}-${chars}`,
    toolName,
    output: { type: 'text', value: 'y'.repeat(chars) } as const,
  }));
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Run them.' },
    {
      role: 'assistant',
      content: parts.map(({ toolCallId, toolName }) => ({ type: 'tool-call', toolCallId, toolName, input: {} })),
    },
    { role: 'tool', content: parts.map((part) => ({ type: 'tool-result', ...part })) },
  ];
  await generateText({ model: withPalimpsest(model, options), maxRetries: 0, messages });
  const tools = calls[0]?.prompt.flatMap((message) => (message.role === 'tool' ? message.content : [])) ?? [];
  return tools.map((part) =>
    part.type === 'tool-result' && part.output.type === 'text' ? part.output.value : assert.fail(part.type),
  );
}

const large = { contextLength: 1_000_000 };
const isNotice = (text: string | undefined): boolean => text?.startsWith('[spilled: ') === true;

describe('tool results in a large window', () => {
  const limits: readonly (readonly [tool: string, most: number])[] = [
    ['other', 100_000],
    ['mcp_server_tool', 50_000],
    ['mcp__server__tool', 50_000],
  ];
  for (const [tool, most] of limits) {
    test(`R1 one of ${tool} may have ${most} characters, and not one more`, async () => {
      assert.equal((await shownFor([{ tool, chars: most }], large))[0]?.length, most);
      const [notice] = await shownFor([{ tool, chars: most + 1 }], large);
      assert.ok(isNotice(notice));
      assert.match(notice ?? '', /first 1,500 characters of/);
    });
  }

  test('R1 one of read_file has no limit of its own', async () => {
    assert.equal((await shownFor([{ tool: 'read_file', chars: 199_000 }], large))[0]?.length, 199_000);
  });

  test('R1 those of an answer have 200,000 characters together: the largest is saved, the others stay', async () => {
    const three = [
      { tool: 'one', chars: 70_000 },
      { tool: 'two', chars: 90_000 },
      { tool: 'three', chars: 40_000 },
    ];
    assert.deepEqual(
      (await shownFor(three, large)).map(({ length }) => length),
      [70_000, 90_000, 40_000],
    );
    const [first, second, third] = await shownFor(three.with(2, { tool: 'three', chars: 40_001 }), large);
    assert.deepEqual([first?.length, isNotice(second), third?.length], [70_000, true, 40_001]);
  });
});

test('R1 a window of 32,000 tokens leaves a result 19,200 characters, and one of 4,000 tokens 8,000', async () => {
  for (const [contextLength, most] of [
    [32_000, 19_200],
    [4_000, 8_000],
  ] as const) {
    const options = { contextLength };
    assert.equal((await shownFor([{ tool: 'other', chars: most }], options))[0]?.length, most);
    assert.ok(isNotice((await shownFor([{ tool: 'other', chars: most + 1 }], options))[0]));
  }
});
