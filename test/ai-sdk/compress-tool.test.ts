/** The tool `compress` as a model of the SDK calls it, over real HTTP. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Notice, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { type FakeRequest, promptText, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, type Tool } from 'ai';
import { anthropic, compatible } from './providers.ts';
import { recorder } from './recorder.ts';

const anything = jsonSchema<Readonly<Record<string, unknown>>>({ type: 'object' });
let looks = 0;
const look: Tool<Readonly<Record<string, unknown>>, string> = {
  inputSchema: anything,
  execute: () => `row ${++looks} holds ${looks * 17} crates\n`.repeat(60),
};

/** Looks so many times, then asks for a compression twice in a row, then looks on. */
function worker(before: number): (request: FakeRequest) => Reply {
  let step = 0;
  return () => {
    step++;
    if (step === before + 1) return { toolCalls: [{ name: 'compress', input: { focus: 'crates of row 3' } }] };
    if (step === before + 2) return { toolCalls: [{ name: 'compress', input: { focus: 'crates' } }] };
    return step < before + 5 ? { toolCalls: [{ name: 'look', input: { at: step } }] } : { text: 'Done.' };
  };
}

for (const provider of [anthropic, compatible]) {
  describe(`the tool compress over ${provider.name}`, () => {
    test('T8 compresses before the next step of the same turn, and refuses in words', async () => {
      await using fake = await startFakeProvider({ contextLength: 32_000, script: worker(12) });
      const notices: Notice[] = [];
      await using model = withPalimpsest(provider.model(fake), {
        contextLength: 32_000,
        cache: 'off',
        onNotice: (notice) => notices.push(notice),
      });
      const { text, steps } = await generateText({
        model,
        maxRetries: 0,
        stopWhen: isStepCount(20),
        prompt: 'Count the crates. Rule: never open one.',
        tools: { look, ...tools(model, {}, { compress: true }) },
      });
      assert.equal(text, 'Done.');
      const answers = steps.flatMap(({ toolResults }) =>
        toolResults.filter(({ toolName }) => toolName === 'compress').map(({ output }) => String(output)),
      );
      assert.match(answers[0] ?? '', /^The conversation is compressed before your next step/);
      assert.match(answers[1] ?? '', /^(?:Not compressed|Nothing to compress)/);
      assert.equal(notices.filter(({ message }) => message.includes('because its model asked for it')).length, 1);
      const [asked = assert.fail(), next = assert.fail()] = fake.requests.slice(12, 14);
      assert.ok(JSON.stringify(next.messages).length < JSON.stringify(asked.messages).length);
      const after = promptText(next);
      assert.ok(after.includes('Count the crates. Rule: never open one.'));
      assert.ok(after.includes('<handoff covers='));
    });
  });
}

test('T8 is offered where the program wishes it, and gives way to a tool of its own', () => {
  const notices: Notice[] = [];
  const model = withPalimpsest(recorder().model, { onNotice: (notice) => notices.push(notice) });
  assert.equal('compress' in tools(model), false);
  assert.equal('compress' in tools(model, {}, { compress: true }), true);
  assert.equal('compress' in tools(model, { compress: look }, { compress: true }), false);
  assert.match(notices[0]?.message ?? '', /^Your program has a tool "compress"; ours is not offered\.$/);
  assert.throws(() => tools(model, {}, JSON.parse('{"compres":true}')), { code: 'BAD_OPTION' });
});
