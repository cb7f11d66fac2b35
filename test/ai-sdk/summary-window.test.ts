/** A model that writes summaries and whose window nobody has named, over real HTTP. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summarize } from '@palimpsest/core/ai-sdk';
import { startFakeProvider } from '@palimpsest/core/testing';
import { listOf, runtimeOver, withStore } from '../conversation/agent.ts';
import { providers } from './providers.ts';

for (const provider of providers) {
  test(`S6 F2 over ${provider.name} a summary that does not fit the window is asked for again in parts`, () =>
    withStore(async (store) => {
      await using fake = await startFakeProvider({ contextLength: 9_000 });
      const { name: _, ...summarizer } = summarize(provider.model(fake));
      const runtime = runtimeOver(store, { contextLength: 32_000, summarizer: { ...summarizer, name: 'aux/one' } });
      const { compression, notices } = await runtime.prepare({ messages: listOf(80) });
      const result = compression?.result;
      assert.equal(result?.handoff?.writtenBy, 'model', result?.failure?.message);
      assert.ok((result?.summary?.coverage.parts.length ?? 0) > 1);
      assert.equal(fake.requests[0]?.status, 400);
      assert.deepEqual(
        notices.map(({ type }) => type),
        ['compressed'],
      );
    }));
}
