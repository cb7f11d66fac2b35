/** A dry run that lasts: what is said stands in memory, and no more of it than so much. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore, type Store } from '@palimpsest/core/store';
import { type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import { openDryRun } from '../../../packages/palimpsest/src/gateway/conversations/dry-run.ts';
import type { ConversationsMiddle } from '../../../packages/palimpsest/src/gateway/conversations/open-conversations.ts';
import { gatewayBefore, type TestGateway } from '../support/gateway.ts';
import { agentOf } from './agents.ts';
import { fileOf, readsFiles } from './support.ts';

const task = 'Please read every file in data/.';

interface Dry extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly provider: FakeProvider;
  readonly middle: ConversationsMiddle;
  readonly notes: readonly string[];
  /** All that were opened, the newest last. */
  readonly stores: readonly Store[];
}

async function dryRun(mostBytes: number): Promise<Dry> {
  const [notes, stores]: [string[], Store[]] = [[], []];
  const provider = await startFakeProvider({ script: readsFiles(99) });
  const middle = await openDryRun({
    mostBytes,
    contextLength: 8_000,
    note: (line) => notes.push(line),
    openStore: async () => {
      const store = await openStore({ path: ':memory:' });
      stores.push(store);
      return store;
    },
  });
  const gateway = await gatewayBefore(provider.url, {}, { middle });
  return {
    ...{ gateway, provider, middle, notes, stores },
    [Symbol.asyncDispose]: async () => {
      await gateway.end();
      await middle.stop();
      await provider.close();
    },
  };
}

const isOpen = (store: Store): Promise<boolean> =>
  store.messages.count().then(
    () => true,
    () => false,
  );

describe('K2 a dry run', () => {
  test('holds what was said in two stores at most, and conversations go on as they were', async () => {
    await using dry = await dryRun(60_000);
    const agents = (['anthropic', 'openai-chat'] as const).map((dialect) => agentOf(dialect, dry.gateway.url, task));
    const would: (string | null)[] = [];
    for (let step = 1; step <= 16; step++)
      for (const agent of agents) {
        const { status, headers } = await agent.step(fileOf(step));
        assert.equal(status, 200);
        would.push(headers.get('x-palimpsest-dry-run'));
        const open = await Promise.all(dry.stores.slice(0, -2).map(isOpen));
        assert.ok(!open.includes(true), 'a third one is open');
      }
    assert.ok(dry.stores.length >= 3, `${dry.stores.length} stores`);
    assert.ok(!would.includes(null));
    assert.ok(would.filter((action) => action === 'compressed').length >= dry.stores.length, would.join(' '));
    // Every request went out as it came.
    assert.equal(dry.provider.requests.length, would.length);
    const page = await (await fetch(`${dry.gateway.url}/metrics`)).text();
    const sums = [...page.matchAll(/actions_total\{.*action="would".*\} (\d+)/g)].map(([, count]) => Number(count));
    assert.equal(
      sums.reduce((sum, count) => sum + count, 0),
      would.length,
    );
    assert.deepEqual(dry.notes, ['A dry run holds 1 MB of what is said: over that, conversations begin anew.']);
    await dry.gateway.end();
    await dry.middle.stop();
    assert.deepEqual(
      await Promise.all(dry.stores.map(isOpen)),
      dry.stores.map(() => false),
    );
  });

  test('counts a conversation once, however often its client sends it, and begins nothing anew for it', async () => {
    await using dry = await dryRun(60_000);
    const agent = agentOf('anthropic', dry.gateway.url, `${task} ${fileOf(1).repeat(6)}`);
    for (let step = 0; step < 8; step++) await agent.step('It is empty.');
    const { body } = await agent.step('');
    for (let again = 0; again < 8; again++) await fetch(`${dry.gateway.url}/v1/messages`, { method: 'POST', body });
    assert.equal(dry.stores.length, 1);
    assert.deepEqual(dry.notes, []);
  });

  test('counts what is said in requests that go out as they came and name no conversation', async () => {
    await using dry = await dryRun(60_000);
    for (let at = 0; at < 4; at++) {
      const messages = [{ role: 'user', content: `${at} ${'a word and another '.repeat(3_000)}` }];
      const body = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 10, messages });
      const { headers } = await fetch(`${dry.gateway.url}/v1/messages`, { method: 'POST', body });
      assert.equal(headers.get('x-palimpsest-session'), null);
    }
    assert.equal(dry.stores.length, 3);
  });
});
