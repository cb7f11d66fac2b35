import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheLine } from '../../packages/palimpsest/src/models/cache-line.ts';
import { resolveModel } from '../../packages/palimpsest/src/models/resolve-model.ts';

const env = {
  ANTHROPIC_API_KEY: 'k',
  OPENAI_API_KEY: 'k',
  OPENROUTER_API_KEY: 'k',
  MISTRAL_API_KEY: 'k',
  DEEPSEEK_API_KEY: 'k',
};

const lineFor = (model: string, cacheTtl: '5m' | '1h' = '5m', off = false): string =>
  cacheLine(resolveModel({ model, env }), { cacheTtl, off });

test('C2 one line says whether the prompt cache is on, for how long and by whom, or why not', () => {
  assert.deepEqual(
    [
      lineFor('anthropic/claude-sonnet-5-5'),
      lineFor('openrouter/anthropic/claude-sonnet-5.5', '1h'),
      lineFor('anthropic/claude-sonnet-5-5', '5m', true),
      lineFor('openai/gpt-5.6'),
      lineFor('deepseek/deepseek-v4-pro'),
      lineFor('amazon-bedrock/claude-sonnet-4-5'),
      lineFor('mistral/devstral-2512'),
      lineFor('ollama/qwen3'),
    ],
    [
      'Prompt cache: on, 5 minutes, Claude over Anthropic',
      'Prompt cache: on, 1 hour, Claude over OpenRouter',
      'Prompt cache: off, because no breakpoints are set (cache: off)',
      'Prompt cache: automatic, about 30 minutes, openai needs no breakpoints',
      'Prompt cache: automatic, about 2 hours, deepseek needs no breakpoints',
      'Prompt cache: off, because Claude over amazon-bedrock takes no breakpoints of ours (only over Anthropic and OpenRouter)',
      'Prompt cache: off, because nothing is known of how mistral caches devstral-2512',
      'Prompt cache: left to ollama, which charges nothing',
    ],
  );
});
