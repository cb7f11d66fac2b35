/** A compression that a person asks for: it is done whatever holds automatic ones back, and tells everything that went wrong. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConversationRuntime, type Message, type Summarizer, SummarizerError, validate } from '@palimpsest/core';
import { defineEngine } from '@palimpsest/core/engine';
import type { Store } from '@palimpsest/core/store';
import { appendInBatches } from '../../packages/core/src/store/message-store.ts';
import { listOf, reply, runtimeOver, sessionsOf, system, user, withStore, work } from './agent.ts';
import { settled, virtualTime } from './virtual-time.ts';
import { createWriter, writerName } from './writer.ts';

const opening = (): Message[] => [system('You move ledgers.'), user('Move the ledgers of all regions.')];

/** A conversation below its threshold that the runtime follows. */
async function followed(runtime: ConversationRuntime, steps = 10): Promise<{ list: Message[]; sessionId: string }> {
  const list = opening();
  const contexts = await work(runtime, list, { steps });
  return { list, sessionId: contexts.at(-1)?.sessionId ?? '' };
}

const failing = (kind: 'server_error' | 'auth' | 'network', name = writerName): Summarizer => ({
  name,
  write: () => Promise.reject(new SummarizerError(kind, `it says ${kind}`, { model: name })),
});

describe('a compression that a person asks for', () => {
  test('F5 is done below the threshold, and the next request goes on from it', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const { list, sessionId } = await followed(runtime);
      const report = await runtime.compress({ messages: list, focusTopic: 'region north-3' });
      assert.equal(report.status, 'compressed');
      assert.deepEqual(report.failures, []);
      assert.match(
        report.headline,
        /^Compressed from \d+ to \d+ messages, from about [\d,]+ to about [\d,]+ tokens\.$/,
      );
      assert.ok(report.after.tokens < report.before.tokens);
      assert.equal(report.compression?.from, sessionId);
      assert.equal((await store.sessions.get(sessionId))?.endReason, 'compression');
      const next = await runtime.prepare({ messages: [...list, reply('ok'), user('Go on.')] });
      assert.equal(next.sessionId, report.sessionId);
      assert.equal(next.compression, undefined);
      assert.deepEqual(validate(next.messages), []);
      assert.ok(next.messages.length < list.length);
    }));

  test('F5 works on a conversation of the store, by any of its sessions, and leaves its system prompt as it is', () =>
    withStore(async (store) => {
      const { list, sessionId } = await followed(runtimeOver(store), 30);
      const chain = await sessionsOf(store);
      assert.ok(chain.length > 1);
      const before = await runtimeOver(store).prepare({ messages: list });
      const report = await runtimeOver(store).compress({ sessionId: chain[0]?.id ?? '' });
      assert.equal(report.status, 'compressed');
      assert.notEqual(report.sessionId, sessionId);
      const after = await runtimeOver(store).prepare({ messages: [...list, reply('ok'), user('Go on.')] });
      assert.equal(after.sessionId, report.sessionId);
      assert.deepEqual(after.messages[0], before.messages[0]);
      assert.deepEqual(validate(after.messages), []);
    }));

  test('F5 reckons with the tools of the newest request, also where it names only the session', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const { list, sessionId } = await followed(runtime);
      const without = await runtimeOver(store).compress({ sessionId: sessionId });
      const tools = [{ name: 'look', description: 'Looks at one of the things that stand in the depot. '.repeat(40) }];
      const { size } = await runtime.prepare({ messages: [...list, reply('ok'), user('Go on.')], tools });
      const report = await runtime.compress({ sessionId });
      assert.equal(report.before.tokens, size.tokens);
      assert.ok(report.before.tokens > without.after.tokens + 300);
    }));

  test('F5 works on what was imported, which nobody has asked a model about', () =>
    withStore(async (store) => {
      const session = await store.sessions.create({ source: 'library' });
      await appendInBatches(store.messages, session.id, { messages: listOf(20) });
      await store.sessions.end(session.id, 'done');
      const report = await runtimeOver(store).compress({ sessionId: session.id });
      assert.equal(report.status, 'compressed');
      assert.equal((await store.sessions.get(report.sessionId))?.parentId, session.id);
    }));

  test('F2 does not care for waits and blocks, and leaves the turn its attempts', () =>
    withStore(async (store) => {
      let write: Summarizer = failing('server_error');
      const summarizer: Summarizer = { name: writerName, write: (call) => write.write(call) };
      const runtime = runtimeOver(store, { summarizer });
      const { list } = await followed(runtime, 30);
      // The model has failed: automatic compression waits.
      const held = await runtime.prepare({ messages: list });
      assert.equal(held.compression, undefined);
      write = {
        name: writerName,
        write: async () => ({ text: '## Active Task\nMove the ledgers.', finish: 'stop' }),
      };
      const report = await runtime.compress({ messages: list });
      assert.equal(report.status, 'compressed');
      assert.equal(report.compression?.result?.handoff?.writtenBy, 'model');
    }));

  test('F5 tells which models failed, and what was done instead', () =>
    withStore(async (store) => {
      const told = async (options: Parameters<typeof runtimeOver>[1], task: string) => {
        const runtime = runtimeOver(store, options);
        const list = [system('You move ledgers.'), user(task)];
        await work(runtime, list, { steps: 10 });
        return runtime.compress({ messages: list });
      };
      const working: Summarizer = {
        name: 'anthropic/claude-sonnet-4-5',
        write: async () => ({ text: '## Active Task\nMove the ledgers.', finish: 'stop' }),
      };
      const fallen = await told({ summarizer: { ...failing('server_error'), fallback: working } }, 'One.');
      assert.equal(fallen.status, 'compressed');
      assert.deepEqual(
        fallen.failures.map(({ consequence }) => consequence),
        ['anthropic/claude-sonnet-4-5 was asked instead.'],
      );
      const replaced = await told({ summarizer: failing('server_error') }, 'Two.');
      assert.equal(replaced.status, 'compressed');
      assert.match(
        replaced.failures[0]?.message ?? '',
        /claude-haiku-4-5 could not write the summary: it says server_error/,
      );
      assert.match(replaced.failures[0]?.consequence ?? '', /extracted facts only/);
      const kept = await told(
        { summarizer: { ...failing('auth'), fallback: failing('auth', 'openai/gpt-5') } },
        'Three.',
      );
      assert.equal(kept.status, 'unchanged');
      assert.deepEqual(
        kept.failures.map(({ consequence }) => consequence),
        ['openai/gpt-5 was asked instead.', 'The conversation was not changed. Try again when the model answers.'],
      );
    }));

  test('F5 says why nothing was done: nothing to do, a veto, somebody else at it', () =>
    withStore(async (store) => {
      const short = await runtimeOver(store).compress({ messages: [user('Hello.')] });
      assert.equal(short.status, 'unchanged');
      assert.match(short.headline, /^Nothing was changed: 1 messages/);
      assert.equal(short.failures.length, 1);
      const vetoing = runtimeOver(store, { hooks: { onCompressionStart: () => ({ veto: 'a deployment runs' }) } });
      const { list } = await followed(vetoing);
      const vetoed = await vetoing.compress({ messages: list });
      assert.match(vetoed.failures[0]?.message ?? '', /a deployment runs/);
      const { rootId } = (await store.sessions.get(vetoed.sessionId)) ?? { rootId: '' };
      await store.leases.acquire(`compress:${rootId}`, 'the other one', 60_000);
      const busy = await runtimeOver(store).compress({ messages: list });
      assert.match(busy.failures[0]?.message ?? '', /the other one until 20/);
      await assert.rejects(runtimeOver(store).compress({}), { code: 'BAD_OPTION' });
      await assert.rejects(runtimeOver(store).compress({ sessionId: 'nobody' }), { code: 'ID_UNKNOWN' });
    }));

  test('F5 gives up what is under way in the background, and does its own', () =>
    withStore(async (store) => {
      for (const when of ['running', 'ready'] as const) {
        const time = virtualTime();
        const writer = createWriter();
        const runtime = runtimeOver(store, {
          background: true,
          summarizer: writer.summarizer,
          clock: time.clock,
        });
        const list = [system('You move ledgers.'), user(`Move all ledgers, ${when}.`)];
        for (let at = 1; runtime.background().started === 0; at++) await work(runtime, list, { from: at, steps: 1 });
        await time.pass(1);
        if (when === 'ready') writer.answer();
        await settled();
        const asking = runtime.compress({ messages: list });
        await settled();
        writer.answer();
        const { status, compression } = await asking;
        assert.equal(status, 'compressed');
        assert.equal(compression?.inBackground, undefined);
        const { started, taken, discarded, open } = runtime.background();
        assert.deepEqual({ started, taken, discarded, open }, { started: 1, taken: 0, discarded: 1, open: 0 });
        assert.equal((await store.leases.held()).length, 0);
      }
    }));

  test('E1 has another engine do it', () =>
    withStore(async (store: Store) => {
      const engine = () =>
        defineEngine<Message>({ name: 'cutter', compress: async (list) => [list[0] ?? user(''), ...list.slice(-3)] });
      const runtime = runtimeOver(store, { engine });
      const list = [
        ...opening(),
        reply('One.'),
        user('Two?'),
        reply('Two.'),
        user('Three?'),
        reply('Three.'),
        user('Four?'),
      ];
      const report = await runtime.compress({ messages: list });
      assert.equal(report.status, 'compressed');
      assert.equal((await store.messages.view(report.sessionId)).length, 4);
    }));

  test('E1 covers what an earlier handoff of another engine stood for, and not that handoff', () =>
    withStore(async (store: Store) => {
      let handoffs = 0;
      const engine = () =>
        defineEngine<Message>({
          name: 'cutter',
          compress: async (list) => [list[0] ?? user(''), user(`Handoff ${++handoffs}.`), ...list.slice(-2)],
        });
      const runtime = runtimeOver(store, { engine });
      const list = opening();
      for (const at of ['One', 'Two', 'Three']) list.push(reply(`${at}.`), user(`After ${at}?`));
      const first = await runtime.compress({ messages: list });
      for (const at of ['Four', 'Five']) list.push(reply(`${at}.`), user(`After ${at}?`));
      const second = await runtime.compress({ messages: list });
      assert.deepEqual([first.status, second.status], ['compressed', 'compressed']);
      const covered = async (id: string): Promise<readonly string[]> =>
        store.messages.coveredBy((await store.messages.view(id))[1]?.id ?? '');
      const [before, after] = [await covered(first.sessionId), await covered(second.sessionId)];
      assert.deepEqual(after.slice(0, before.length), before);
      const said = await Promise.all(after.map(async (id) => (await store.messages.get(id))?.message));
      assert.deepEqual(said, list.slice(1, -2));
    }));
});
