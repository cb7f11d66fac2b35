/** The rule in a runtime: when it compresses in place of the engine. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '@palimpsest/core';
import { type RewriteOptions, rewriteOptionsFor } from '@palimpsest/core/engine';
import { resolveCompressionConfig } from '@palimpsest/core/settings';
import { openStore, type Store } from '@palimpsest/core/store';
import {
  createRewritePlanner,
  type RewriteMoment,
} from '../../../packages/core/src/context/prompt-cache/rewrite-planner.ts';
import { type RunOptions, runtimeOver, smallWindow, system, user, withStore, work } from '../../conversation/agent.ts';
import { openedFile } from '../../conversation/store-file.ts';

const model = 'claude-sonnet-4-5';
const config = resolveCompressionConfig();
const usual = rewriteOptionsFor({ model, contextLength: smallWindow, config });
const minute = 60_000;

/**
 * Works in a small window, a step every ten seconds, and pauses once; the contexts that were compressed, by their step.
 * With a path, every step is made by a runtime of its own, over a store that is opened for it.
 */
async function compressedSteps(
  options: RewriteOptions | Pick<RunOptions, 'config' | 'planner'>,
  { steps, pauseAt = 0, pauseMs = 0, path, keptAt }: Pace,
) {
  const list: Message[] = [system('You move ledgers.'), user('Move the ledgers of all regions.')];
  const compressed: { readonly step: number; readonly before: number }[] = [];
  let now = 1_795_305_600_000;
  const decides = 'readPrice' in options ? { planner: createRewritePlanner(options) } : options;
  const run = async (opened: Store, from: number, to: number): Promise<void> => {
    // A handoff names the store; one in memory has no name, and so a few tokens less.
    const store = { ...opened, name: 'ledgers.db' };
    const runtime = runtimeOver(store, { clock: { now: () => now }, ...decides });
    for (let step = from; step <= to; step++) {
      now += step === pauseAt ? pauseMs : 10_000;
      const [context] = await work(runtime, list, { from: step, steps: 1, lines: 20 });
      if (context?.compression) compressed.push({ step, before: context.compression.tokensBefore });
    }
  };
  if (path === undefined) await withStore((store) => run(store, 1, steps));
  else
    for (let step = 1; step <= steps; step++) {
      const store = await openStore({ path });
      if (step === keptAt?.step) await changeState(store, keptAt.change);
      await run(store, step, step);
      await store.close();
    }
  return compressed;
}

/** What is kept of the only conversation, as an earlier version or another planner would have left it. */
async function changeState(store: Store, change: (state: Record<string, unknown>) => void): Promise<void> {
  const [conversation] = await store.sessions.list();
  const key = `conversation:${conversation?.root.id}`;
  const state = JSON.parse((await store.meta.get(key)) ?? 'null');
  change(state);
  await store.meta.set(key, JSON.stringify(state));
}

interface Pace {
  readonly steps: number;
  readonly pauseAt?: number;
  readonly pauseMs?: number;
  readonly path?: string;
  readonly keptAt?: { readonly step: number; readonly change: (state: Record<string, unknown>) => void };
}

describe('a planner for conversations', () => {
  test('C4 compresses once carrying on has cost more, and at the threshold at the latest', async () => {
    assert.ok(usual);
    const threshold = usual.latestTokens;
    const late = await compressedSteps({ ...usual, lossTokens: 1e9 }, { steps: 60 });
    const early = await compressedSteps({ ...usual, lossTokens: 0, guarded: false }, { steps: 60 });
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
    const planned = await compressedSteps({ config: { planned: true } }, { steps: 40 });
    // It goes further down each time, and so it is seldom needed.
    assert.ok(planned.length > 0 && planned.length < usually.length);
  });

  test('C4 is told what the configured tail would have left, and after a restart too', async (t) => {
    const told = async (run: (seen: number[]) => Promise<unknown>): Promise<readonly number[]> => {
      const seen: number[] = [];
      await run(seen);
      return seen;
    };
    const seeing = (wished: boolean, seen: number[]) => ({
      config: { planned: wished },
      planner: ({ usualExtraTokens, engine }: { usualExtraTokens: number; engine: 'compress' | 'wait' }) => {
        seen.push(usualExtraTokens);
        return engine;
      },
    });
    const pace = { steps: 30 };
    const wished = await told((seen) => compressedSteps(seeing(true, seen), pace));
    assert.equal(wished[0], 0);
    assert.ok((wished.at(-1) ?? 0) > 100, String(wished));
    await openedFile(t, async (path) => {
      assert.deepEqual(await told((seen) => compressedSteps(seeing(true, seen), { ...pace, path })), wished);
    });
    const without = await told((seen) => compressedSteps(seeing(false, seen), pace));
    assert.ok(without.every((tokens) => tokens === 0));
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

  test('C4 decides after every restart as without one: what it knows is kept with the conversation', async (t) => {
    assert.ok(usual);
    // It compresses by price alone, once what was carried has added up, and after a pause.
    const options = { ...usual, lossTokens: 1_000, guarded: false };
    const pace = { steps: 40, pauseAt: 33, pauseMs: 6 * minute };
    const without = await compressedSteps(options, pace);
    assert.ok(without.length > 1 && without.every(({ before }) => before < usual.latestTokens));
    assert.equal(without.at(-1)?.step, 33);
    await openedFile(t, async (path) => {
      assert.deepEqual(await compressedSteps(options, { ...pace, path }), without);
    });
    const guarded = { ...usual, lossTokens: 0 };
    await openedFile(t, async (path) => {
      assert.deepEqual(await compressedSteps(guarded, { ...pace, path }), await compressedSteps(guarded, pace));
    });
  });

  test('C4 goes on over a conversation that an earlier version kept, or whose plan cannot be read', async (t) => {
    assert.ok(usual);
    const options = { ...usual, lossTokens: 1_000, guarded: false };
    for (const kept of [undefined, { plan: { carried: 'much' }, later: 1 }]) {
      const anew = (state: Record<string, unknown>): void => {
        assert.ok('plan' in state && 'lastCall' in state);
        Reflect.deleteProperty(state, 'lastCall');
        if (kept === undefined) Reflect.deleteProperty(state, 'plan');
        else state.plan = kept;
      };
      await openedFile(t, async (path) => {
        const compressed = await compressedSteps(options, { steps: 30, path, keptAt: { step: 10, change: anew } });
        // The count starts anew, and nothing else.
        assert.ok(compressed.length > 0);
      });
    }
  });

  test('C4 knows the next time only what it gave back', () => {
    assert.ok(usual);
    const planner = createRewritePlanner({ ...usual, expectedTokens: 1_000, lossTokens: 2_000, guarded: false });
    const calls = (): number => {
      let plan: RewriteMoment['plan'] = null;
      for (let call = 1; call < 1_000; call++) {
        const decision = planner({ ...moment, plan, sinceLastCallMs: call === 1 ? undefined : 10_000 });
        assert.ok(typeof decision === 'object');
        if (decision.action === 'compress') return call;
        plan = JSON.parse(JSON.stringify(decision.plan));
      }
      return 0;
    };
    const first = calls();
    assert.ok(first > 1);
    assert.equal(calls(), first);
  });
});

const moment: RewriteMoment = {
  compressionCount: 0,
  usualExtraTokens: 0,
  tokens: 2_000,
  fixedTokens: 100,
  thresholdTokens: 6_000,
  sinceLastCallMs: undefined,
  engine: 'wait',
  plan: null,
};
