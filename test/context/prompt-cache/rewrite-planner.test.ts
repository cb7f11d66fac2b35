/** The rule in a runtime: when it compresses in place of the engine. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ConversationOptions,
  createRewritePlanner,
  type Message,
  type RewriteMoment,
  type RewriteOptions,
  resolveCompressionConfig,
  rewriteOptionsFor,
} from '../../../src/index.ts';
import { runtimeOver, smallWindow, system, user, withStore, work } from '../../conversation/agent.ts';

const model = 'claude-sonnet-4-5';
const config = resolveCompressionConfig();
const usual = rewriteOptionsFor({ model, contextLength: smallWindow, config });
const minute = 60_000;

/** Works in a small window, a step every ten seconds, and pauses once; the contexts that were compressed, by their step. */
async function compressedSteps(
  options: RewriteOptions | ConversationOptions['config'],
  { steps, pauseAt = 0, pauseMs = 0 }: Pace,
) {
  const list: Message[] = [system('You move ledgers.'), user('Move the ledgers of all regions.')];
  const compressed: { readonly step: number; readonly before: number }[] = [];
  await withStore(async (store) => {
    let now = 1_795_305_600_000;
    const decides =
      options && 'readPrice' in options ? { planner: createRewritePlanner(options) } : { config: options ?? {} };
    const runtime = runtimeOver(store, { now: () => now, ...decides });
    for (let step = 1; step <= steps; step++) {
      now += step === pauseAt ? pauseMs : 10_000;
      const [context] = await work(runtime, list, { from: step, steps: 1, lines: 20 });
      if (context?.compression) compressed.push({ step, before: context.compression.tokensBefore });
    }
  });
  return compressed;
}

interface Pace {
  readonly steps: number;
  readonly pauseAt?: number;
  readonly pauseMs?: number;
}

describe('a planner for conversations', () => {
  test('C4 compresses once carrying on has cost more, and at the threshold at the latest', async () => {
    assert.ok(usual);
    const threshold = usual.latestTokens;
    const late = await compressedSteps({ ...usual, lossTokens: 1e9 }, { steps: 60 });
    const early = await compressedSteps({ ...usual, lossTokens: 0 }, { steps: 60 });
    assert.ok(late.length > 0 && late.every(({ before }) => before >= threshold));
    assert.ok((early[0]?.before ?? threshold) < threshold);
    assert.ok((early[0]?.step ?? 60) < (late[0]?.step ?? 0));
  });

  test('C4 compresses after a pause that the cache did not outlive, and not after a shorter one', async () => {
    assert.ok(usual);
    const options = { ...usual, lossTokens: 2_000 };
    const pace = { steps: 20, pauseAt: 20 };
    const short = await compressedSteps(options, { ...pace, pauseMs: 4 * minute });
    const long = await compressedSteps(options, { ...pace, pauseMs: 6 * minute });
    assert.deepEqual(long.at(-1)?.step, 20);
    assert.deepEqual(short, long.slice(0, -1));
  });

  test('C4 a configuration that wishes it goes by the prices of the model', async () => {
    assert.ok(usual);
    const usually = await compressedSteps({}, { steps: 40 });
    const planned = await compressedSteps({ planned: true }, { steps: 40 });
    // It goes further down each time, and so it is seldom needed.
    assert.ok(planned.length > 0 && planned.length < usually.length);
  });

  test('C4 leaves it to the engine where no prices are known', () => {
    const unknown = rewriteOptionsFor({ model: 'my-model', contextLength: smallWindow, config });
    assert.equal(unknown, undefined);
    const planner = createRewritePlanner(unknown);
    assert.deepEqual(
      [planner({ ...moment, engine: 'compress' }), planner({ ...moment, engine: 'wait' })],
      ['compress', 'wait'],
    );
  });

  test('C4 remembers each conversation for itself', () => {
    assert.ok(usual);
    const planner = createRewritePlanner({ ...usual, expectedTokens: 1_000, lossTokens: 2_000 });
    const calls = (rootId: string): number => {
      for (let call = 1; ; call++)
        if (planner({ ...moment, rootId, sinceLastCallMs: call === 1 ? 0 : 10_000 }) === 'compress') return call;
    };
    const first = calls('a');
    assert.ok(first > 1);
    assert.equal(calls('b'), first);
  });
});

const moment: RewriteMoment = {
  ...{ rootId: 'a', compressionCount: 0, tokens: 2_000, fixedTokens: 100, thresholdTokens: 6_000 },
  sinceLastCallMs: undefined,
  engine: 'wait',
};
