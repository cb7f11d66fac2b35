import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { knownWindows } from '../../../packages/core/src/provider/errors/recovery.ts';
import { openStore } from '../../../packages/core/src/store/open-store.ts';
import { newFolder } from '../../support/store-files.ts';

const model = 'acme/mill-1';

/** The two things that are asked of a store, without one. */
function smallValues(): {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string | undefined): Promise<void>;
} {
  const values = new Map<string, string>();
  return {
    get: async (key) => values.get(key),
    set: async (key, value) => {
      if (value === undefined) values.delete(key);
      else values.set(key, value);
    },
  };
}

test('O3 what a provider stated is there after a restart, what was guessed is not', async (t) => {
  const path = join(await newFolder(t), 'store.db');
  {
    await using store = await openStore({ path });
    const windows = knownWindows(store.meta);
    assert.equal(await windows.learn(model, { tokens: 131_072, source: 'stated', current: 256_000 }), true);
    assert.equal(await windows.learn(model, { tokens: 100_000, source: 'guessed', current: 131_072 }), true);
    assert.equal(await windows.learn('acme/other', { tokens: 64_000, source: 'guessed' }), true);
    assert.deepEqual([await windows.get(model), await windows.get('acme/other')], [100_000, 64_000]);
  }
  await using store = await openStore({ path });
  const windows = knownWindows(store.meta);
  assert.deepEqual([await windows.get(model), await windows.get('acme/other')], [131_072, undefined]);
  await windows.forget(model);
  assert.equal(await windows.get(model), undefined);
});

test('O3 only a lower window is taken, and only what can be one', async () => {
  const windows = knownWindows(smallValues());
  const learn = (tokens: number, current?: number): Promise<boolean> =>
    windows.learn(model, { tokens, source: 'stated', ...(current === undefined ? {} : { current }) });
  const strangers = [1_023, 10_000_001, 0, -1, Number.NaN, Number.POSITIVE_INFINITY, 4_096.5];
  for (const tokens of strangers) assert.equal(await learn(tokens), false, String(tokens));
  assert.equal(await learn(200_000, 128_000), false);
  assert.equal(await learn(128_000, 128_000), false);
  assert.equal(await windows.get(model), undefined);
  assert.equal(await learn(1_024, 128_000), true);
  assert.equal(await learn(2_048, 128_000), false);
  assert.equal(await windows.get(model), 1_024);
});

test('O3 a value that somebody else wrote there is no window', async () => {
  const values = smallValues();
  for (const strange of ['', 'many', '12', '99999999999', '{}', '4096.5']) {
    await values.set(`context_length:${model}`, strange);
    assert.equal(await knownWindows(values).get(model), undefined, strange);
  }
});

test('O3 of all windows that were named the lowest is known, in whatever order they came', async () => {
  const named = fc.record({
    tokens: fc.integer({ min: 0, max: 12_000_000 }),
    source: fc.constantFrom('stated' as const, 'guessed' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(named, { maxLength: 8 }), async (all) => {
      const windows = knownWindows(smallValues());
      for (const window of all) await windows.learn(model, window);
      const possible = all.map(({ tokens }) => tokens).filter((tokens) => tokens >= 1_024 && tokens <= 10_000_000);
      assert.equal(await windows.get(model), possible.length === 0 ? undefined : Math.min(...possible));
    }),
  );
});
