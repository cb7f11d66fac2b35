/** The tools in the loop of the SDK, over real HTTP, with approvals and a conversation that saves what is too large. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadEncoding } from '@palimpsest/core';
import { tools as recallTools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { type FakeRequest, type Reply, type ReplyCall, startFakeProvider } from '@palimpsest/core/testing';
import { asSchema, generateText, isStepCount } from 'ai';
import { readableText } from '../../../packages/core/src/transcript/text.ts';
import { createAgentTools } from '../../../packages/palimpsest/src/agent/tools/create-agent-tools.ts';
import { anthropic, compatible } from '../../ai-sdk/providers.ts';
import { asked, temporaryProject } from '../approval/project.ts';
import { workshop } from './workshop.ts';

/** A model that makes these calls, one a step, and keeps the answers. */
function caller(calls: ((answer: string) => ReplyCall)[], answers: string[]): (request: FakeRequest) => Reply {
  return ({ messages }) => {
    const answer = readableText(messages.at(-1) ?? { role: 'user', parts: [] });
    answers.push(answer);
    const call = calls.shift();
    return call ? { toolCalls: [call(answer)] } : { text: 'Done.' };
  };
}

describe('the tools of the agent', () => {
  for (const provider of [anthropic, compatible]) {
    it(`R1 work in a loop over ${provider.name}: read, run, change, refused, and a large output read again`, async () => {
      using place = temporaryProject();
      writeFileSync(join(place.project.folder, 'count.sh'), 'seq 1 40000\n');
      const { approve, questions } = asked(place, {
        answer: ({ request, rules }) =>
          request.command === 'rm README.md'
            ? { type: 'no', reason: 'keep the README' }
            : { type: 'yes', ...(rules[0] && { rule: rules[0].rule }) },
      });
      const agent = createAgentTools({ project: place.project, approve, env: { PATH: process.env.PATH } });
      let saved = '';
      const edits = [{ old: 'total = 1', new: 'total = 2' }];
      const answers: string[] = [];
      const script = caller(
        [
          () => ({ name: 'read_file', input: { path: 'src/cart.ts' } }),
          () => ({ name: 'patch', input: { path: 'src/cart.ts', edits } }),
          () => ({ name: 'terminal', input: { command: 'sh count.sh' } }),
          (notice) => {
            saved = /output ([0-9a-f]{16})/.exec(notice)?.[1] ?? '';
            return { name: 'read_output', input: { id: saved, from: 31_415, limit: 1 } };
          },
          () => ({ name: 'terminal', input: { command: 'git diff --stat; cat src/cart.ts' } }),
          () => ({ name: 'terminal', input: { command: 'rm README.md' } }),
        ],
        answers,
      );
      await using fake = await startFakeProvider({ contextLength: 64_000, script });
      const model = withPalimpsest(provider.model(fake), { contextLength: 64_000 });
      const { text } = await generateText({
        model,
        maxRetries: 0,
        stopWhen: isStepCount(9),
        prompt: 'Make the total two.',
        tools: { ...agent.tools, ...recallTools(model) },
      });
      await agent.close();
      assert.equal(text, 'Done.');
      assert.match(answers[1] ?? '', /1\texport const total = 1;/);
      assert.match(answers[2] ?? '', /Changed src\/cart\.ts in 1 place/);
      assert.match(answers[4] ?? '', /31415/);
      assert.match(answers[6] ?? '', /The user refused and said: keep the README/);
      assert.equal(readFileSync(join(place.project.folder, 'src/cart.ts'), 'utf8'), 'export const total = 2;\n');
      assert.deepEqual(
        questions.map(({ request }) => request.command ?? request.kind),
        ['write', 'sh count.sh', 'rm README.md'],
      );
    });
  }

  it('weigh at most 600 tokens together', async () => {
    await using place = workshop();
    const encoding = await loadEncoding('o200k_base');
    const weights = await Promise.all(
      Object.entries(place.agent.tools).map(async ([name, { description, inputSchema }]) => {
        const parameters = await asSchema(inputSchema).jsonSchema;
        return [name, encoding.count(JSON.stringify({ name, description, parameters }))] as const;
      }),
    );
    assert.deepEqual(
      weights.map(([name]) => name),
      ['terminal', 'read_file', 'write_file', 'patch', 'search_files'],
    );
    const all = weights.reduce((sum, [, weight]) => sum + weight, 0);
    assert.ok(all <= 600, JSON.stringify(weights));
  });
});
