/** `palimpsest status`: whether a model gets cache breakpoints. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inFolder, runHere } from '../support/command-line.ts';

describe('palimpsest status: the prompt cache', () => {
  for (const [model, line] of [
    ['claude-opus-4-5', /breakpoints on for claude-opus-4-5 over the Anthropic API; cached for 5 minutes/],
    ['openrouter/anthropic/claude-sonnet-4.5', /breakpoints on for \S+ over OpenRouter; cached for 5 minutes/],
    ['bedrock/anthropic.claude-sonnet-4', /no breakpoints for bedrock\/\S+;/],
    ['openai/gpt-5', /no breakpoints for openai\/gpt-5; only Claude over the Anthropic API or OpenRouter/],
  ] as const) {
    test(`C2 says of ${model} whether breakpoints are on`, async () => {
      assert.match((await runHere(['status', '--model', model])).stdout, line);
    });
  }

  test('C2 says for how long they hold, as model.cache_ttl has it, for programs too', () =>
    inFolder({ 'palimpsest.yaml': 'model:\n  cache_ttl: 1h\n' }, async (cwd) => {
      const { stdout } = await runHere(['status', '--model', 'claude-opus-4-5'], { cwd });
      assert.match(stdout, /cached for 1 hour \(model\.cache_ttl\)/);
      const json = async (model: string): Promise<unknown> =>
        Reflect.get(JSON.parse((await runHere(['status', '--model', model, '--json'], { cwd })).stdout), 'promptCache');
      const on = { model: 'claude-opus-4-5', breakpoints: true, target: 'anthropic', ttl: '1h' };
      assert.deepEqual(await json('claude-opus-4-5'), on);
      assert.deepEqual(await json('gpt-5'), { model: 'gpt-5', breakpoints: false, target: null, ttl: null });
    }));

  test('C2 the model that a file names counts, and without a model nothing is said', () =>
    inFolder(
      {
        'a.json': JSON.stringify({ model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'hello' }] }),
        'b.json': JSON.stringify([{ role: 'user', content: 'hello' }]),
      },
      async (cwd) => {
        assert.match((await runHere(['status', 'a.json'], { cwd })).stdout, /breakpoints on for claude-sonnet-4-5/);
        assert.ok(!(await runHere(['status', 'b.json'], { cwd })).stdout.includes('prompt cache'));
      },
    ));
});
