import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  contextEngineDefaults,
  defineEngine,
  engineState,
  resolveEngine,
} from '../../packages/core/src/context/define-engine.ts';
import type { ContextEngine } from '../../packages/core/src/context/engine.ts';

interface PlainMessage {
  readonly role: string;
  readonly content: string;
}

const messages: readonly PlainMessage[] = Object.freeze([
  { role: 'user', content: 'one' },
  { role: 'assistant', content: 'two' },
]);

const halving = (name = 'halving'): ContextEngine<PlainMessage> =>
  defineEngine<PlainMessage>({
    name,
    compress: async (list) => (list.length > 1 ? list.slice(list.length / 2) : list),
  });

describe('an engine with defaults', () => {
  test('E1: the state starts at 0 and follows the reported usage', () => {
    const engine = halving();
    assert.deepEqual(
      [engine.lastPromptTokens, engine.lastCompletionTokens, engine.lastTotalTokens, engine.compressionCount],
      [0, 0, 0, 0],
    );
    engine.updateFromResponse({ promptTokens: 100, completionTokens: 20, totalTokens: 120 });
    assert.deepEqual([engine.lastPromptTokens, engine.lastCompletionTokens, engine.lastTotalTokens], [100, 20, 120]);
  });

  test('T3: the prompt is input and both caches, never output', () => {
    const engine = halving();
    engine.updateFromResponse({ inputTokens: 5, cacheReadTokens: 70, cacheWriteTokens: 25, outputTokens: 900 });
    assert.deepEqual([engine.lastPromptTokens, engine.lastTotalTokens], [100, 1_000]);
  });

  test('E1: a call without usage keeps what is known', () => {
    const engine = halving();
    engine.updateFromResponse({ promptTokens: 100, completionTokens: 20 });
    engine.updateFromResponse({});
    engine.updateFromResponse({ reasoningTokens: 7 });
    assert.deepEqual([engine.lastPromptTokens, engine.lastTotalTokens], [100, 120]);
  });

  test('E1: what is no number of tokens was not reported', () => {
    const engine = halving();
    engine.updateModel({ model: 'some-model', contextLength: 1_000 });
    engine.updateFromResponse({ promptTokens: 100, completionTokens: 20 });
    for (const wrong of [Number.NaN, -4, Number.POSITIVE_INFINITY])
      engine.updateFromResponse({ promptTokens: wrong, completionTokens: wrong, totalTokens: wrong });
    assert.deepEqual([engine.lastPromptTokens, engine.lastTotalTokens], [100, 120]);
    assert.equal(engine.status().usagePercent, 10);
    engine.updateFromResponse({ promptTokens: Number.NaN, inputTokens: 50, cacheReadTokens: 150 });
    assert.equal(engine.lastPromptTokens, 200);
  });

  test('E1: the base threshold is 0.75 of the window, head 3, tail 6', () => {
    const engine = halving();
    engine.updateModel({ model: 'some-model', contextLength: 100_000 });
    assert.deepEqual([engine.contextLength, engine.thresholdTokens], [100_000, 75_000]);
    assert.deepEqual(contextEngineDefaults, { threshold: 0.75, protectFirstN: 3, protectLastN: 6 });
    assert.equal(engine.shouldCompress(74_999), false);
    assert.equal(engine.shouldCompress(75_000), true);
  });

  test('E1: a given number beats the stored one, and without a model nothing is compressed', () => {
    const engine = halving();
    engine.updateFromResponse({ promptTokens: 90_000 });
    assert.equal(engine.shouldCompress(), false);
    engine.updateModel({ model: 'some-model', contextLength: 100_000 });
    assert.equal(engine.shouldCompress(), true);
    assert.equal(engine.shouldCompress(10), false);
  });

  test('E1: a prompt reported before a compression does not start another one', async () => {
    const engine = halving();
    engine.updateModel({ model: 'some-model', contextLength: 100_000 });
    engine.updateFromResponse({ promptTokens: 90_000 });
    await engine.compress(messages);
    assert.equal(engine.shouldCompress(), false);
    engine.updateFromResponse({ promptTokens: 80_000 });
    assert.equal(engine.shouldCompress(), true);
  });

  test('E5: a pass that changed something counts, the same list object does not', async () => {
    const engine = halving();
    const shorter = await engine.compress(messages);
    assert.equal(shorter.length, 1);
    assert.equal(await engine.compress(shorter), shorter);
    assert.equal(engine.compressionCount, 1);
    assert.equal(messages.length, 2);
  });

  test('E2: every hook works without being written', async () => {
    const engine = halving();
    assert.equal(engine.shouldCompressPreflight(messages), false);
    assert.equal(engine.hasContentToCompress(messages), true);
    assert.equal(engine.heldBack(), undefined);
    assert.deepEqual(engine.toolSchemas(), []);
    await engine.onSessionStart('s1', { reason: 'new' });
    await engine.onSessionEnd('s1', messages);
    const reply = JSON.parse(await engine.handleToolCall('lookup', {}, messages));
    assert.deepEqual(reply, { error: 'Unknown tool: the context engine "halving" has no tool "lookup".' });
  });

  test('E2: a reset zeroes the counters and keeps the model', async () => {
    const engine = halving();
    engine.updateModel({ model: 'some-model', contextLength: 100_000 });
    engine.updateFromResponse({ promptTokens: 90, completionTokens: 9 });
    await engine.compress(messages);
    engine.onSessionReset();
    assert.deepEqual(
      [engine.lastPromptTokens, engine.lastCompletionTokens, engine.lastTotalTokens, engine.compressionCount],
      [0, 0, 0, 0],
    );
    assert.equal(engine.thresholdTokens, 75_000);
  });

  test('E2: the status is capped at 100 % and 0 without a window', () => {
    const engine = halving();
    engine.updateFromResponse({ promptTokens: 150_000 });
    assert.equal(engine.status().usagePercent, 0);
    engine.updateModel({ model: 'some-model', contextLength: 100_000 });
    assert.deepEqual(engine.status(), {
      lastPromptTokens: 150_000,
      thresholdTokens: 75_000,
      contextLength: 100_000,
      usagePercent: 100,
      compressionCount: 0,
    });
  });

  test('E2: hooks that are written replace the defaults, and share the state', () => {
    const state = engineState({ contextLength: 10_000, thresholdTokens: 5_000 });
    const engine = defineEngine<PlainMessage>({
      name: 'own',
      state,
      compress: async (list) => list,
      shouldCompress: () => state.lastPromptTokens > 42,
    });
    engine.updateFromResponse({ promptTokens: 43 });
    assert.equal(engine.shouldCompress(), true);
    assert.equal(engine.contextLength, 10_000);
  });

  test('E1: an engine without a name or with a broken threshold is refused', () => {
    const compress = async (list: readonly PlainMessage[]): Promise<readonly PlainMessage[]> => list;
    assert.throws(() => defineEngine({ name: '', compress }), { code: 'BAD_OPTION', message: /with a name/ });
    assert.throws(() => defineEngine({ name: 'x', compress, threshold: 75 }), { message: /between 0 and 1, got 75/ });
    assert.throws(() => halving().updateModel({ model: 'm', contextLength: 0 }), { code: 'BAD_OPTION' });
  });
});

describe('the active engine', () => {
  const fallback = halving('compressor');
  const builtIn = [halving('lossless')];
  const plugin = halving('mine');

  test('E3: the plugin folder comes before the registry, and that before the built-in', async () => {
    const asked: string[] = [];
    const source = (label: string, engine?: ContextEngine<PlainMessage>) => ({
      label,
      find: async (name: string) => {
        asked.push(`${label} ${name}`);
        return engine?.name === name ? engine : undefined;
      },
    });
    const sources = [source('folder'), source('registry', plugin)];
    assert.deepEqual(await resolveEngine('mine', { sources, builtIn, fallback }), { engine: plugin, from: 'registry' });
    const found = await resolveEngine('lossless', { sources, builtIn, fallback });
    assert.deepEqual([found.engine.name, found.from, found.warning], ['lossless', 'built-in', undefined]);
    assert.deepEqual(asked, ['folder mine', 'registry mine', 'folder lossless', 'registry lossless']);
  });

  test('E3: an unknown name falls back with a warning that names the choices', async () => {
    const found = await resolveEngine('typo', { sources: [], builtIn, fallback });
    assert.equal(found.engine, fallback);
    assert.match(found.warning ?? '', /"typo" is not known; "compressor" is used.*compressor, lossless/);
  });

  test('E3: a plugin that fails to load does not stop the session', async () => {
    const broken = { label: 'plugins/context_engine', find: () => Promise.reject(new Error('syntax error')) };
    const found = await resolveEngine('mine', { sources: [broken], builtIn, fallback });
    assert.equal(found.engine, fallback);
    assert.match(
      found.warning ?? '',
      /could not be loaded \(plugins\/context_engine failed to load it: syntax error\)/,
    );
  });
});
