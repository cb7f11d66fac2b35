/** Pins of a running conversation: set by a person, kept in the store, and in every context behind a compression. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Message, PalimpsestError, type PreparedContext } from '@palimpsest/core';
import { defineEngine } from '@palimpsest/core/engine';
import { compressSession, openStore, type Store } from '@palimpsest/core/store';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import {
  anew,
  answer,
  listOf,
  reply,
  runtimeOver,
  sessionsOf,
  system,
  tokenizer,
  user,
  withStore,
  work,
} from './agent.ts';
import { early, fillUp, tokensOf, world } from './background-world.ts';
import { openedFile } from './store-file.ts';
import { settled } from './virtual-time.ts';

const rule = 'Never touch the table `ledger`.\n  Not even to read it.';
const opening = (): Message[] => [system('You move ledgers.'), user('Good morning.')];

interface Followed {
  readonly list: Message[];
  readonly sessionId: string;
}

/** A conversation with the rule in it as m4, and some work. */
async function followed(runtime: ReturnType<typeof runtimeOver>, steps = 3): Promise<Followed> {
  const list = opening();
  await answer(runtime, await runtime.prepare({ messages: list }), reply('Good morning.'));
  list.push(reply('Good morning.'), user(rule));
  const contexts = await work(runtime, list, { steps });
  return { list, sessionId: contexts.at(-1)?.sessionId ?? '' };
}

const textOf = ({ messages }: Pick<PreparedContext, 'messages'>): string => messages.map(messageText).join('\n');
const times = (text: string, part: string): number => text.split(part).length - 1;
const pinnedRule = `### m4 user, pinned:\n | Never touch the table \`ledger\`.\n |   Not even to read it.`;

/** Says more, until what was said first has been compressed. */
async function goOn(runtime: ReturnType<typeof runtimeOver>, list: Message[], from: number): Promise<PreparedContext> {
  list.push(reply(`That was ${from}.`), user('Now the other regions.'));
  const contexts = await work(runtime, list, { from, steps: 30 });
  assert.ok(contexts.some(({ compression }) => compression));
  return contexts.at(-1) ?? assert.fail();
}

describe('a pinned message', () => {
  test('A7 stands word for word in every context behind a compression, in this process and the next ones', () =>
    withStore(async (store) => {
      const one = runtimeOver(store);
      const { list, sessionId } = await followed(one);
      const report = await one.pin({ sessionId, ref: 'm4' });
      assert.equal(report.status, 'pinned');
      assert.deepEqual(report.pin?.text, rule);
      for (let round = 1; round <= 3; round++) {
        // Another process each time.
        const last = await goOn(runtimeOver(store), list, round * 100);
        assert.equal(times(textOf(last), pinnedRule), 1);
        assert.equal(times(textOf(last), 'Not even to read it.'), 1);
      }
      const chain = await sessionsOf(store);
      assert.ok(chain.length > 3);
      for (const { id } of chain)
        assert.deepEqual(
          (await one.pins({ sessionId: id })).pins.map(({ ref }) => ref),
          ['m4'],
        );
      await one.unpin({ sessionId, ref: 'm4' });
      const last = await goOn(runtimeOver(store), list, 900);
      assert.equal(times(textOf(last), ', pinned:'), 0);
    }));

  test('A7 changes no request before the next compression', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const { list, sessionId } = await followed(runtime);
      const before = anew((await runtime.prepare({ messages: list })).messages);
      await runtime.pin({ sessionId });
      assert.deepEqual(anew((await runtime.prepare({ messages: list })).messages), before);
      const last = await goOn(runtime, list, 100);
      const at = anew((await runtime.prepare({ messages: list })).messages);
      // Pinned when it has been compressed away: nothing changes either.
      await runtime.pin({ sessionId: last.sessionId, ref: 'm3' });
      assert.deepEqual(anew((await runtime.prepare({ messages: list })).messages), at);
    }));

  test('A7 is the newest message of the person where nobody says which', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const { sessionId } = await followed(runtime);
      const { pin, message } = await runtime.pin({ sessionId });
      assert.deepEqual([pin?.ref, pin?.speaker, pin?.text], ['m4', 'person', rule]);
      assert.match(message, /^m4 is pinned; \d+ of 680 tokens are used\.$/);
      assert.equal((await runtime.pin({ sessionId, messageId: pin?.messageId ?? '' })).status, 'already');
    }));

  test('A7 is refused over the budget, with what is used and by which pins', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store, { config: { pinRatio: 0.01 } });
      const { sessionId } = await followed(runtime);
      assert.equal((await runtime.pin({ sessionId, ref: 'm2' })).status, 'pinned');
      const { status, message, pins } = await runtime.pin({ sessionId, ref: 'm4' });
      assert.equal(status, 'refused');
      assert.match(
        message,
        /^m4 was not pinned: it needs \d+, pins may have 68 tokens together, and \d+ are used by m2 \(\d+\)\. Unpin some, or raise pinRatio\.$/,
      );
      assert.deepEqual(
        pins.map(({ ref }) => ref),
        ['m2'],
      );
      await runtime.unpin({ sessionId, ref: 'm2' });
      assert.equal((await runtime.pin({ sessionId, ref: 'm4' })).status, 'pinned');
    }));

  test('A7 is never what a tool, the system or nobody said', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const { sessionId } = await followed(runtime);
      for (const ref of ['m1', 'm6']) {
        const { status, message } = await runtime.pin({ sessionId, ref });
        assert.equal(status, 'refused');
        assert.match(message, new RegExp(`^${ref} was not pinned: it is `));
      }
      assert.deepEqual((await runtime.pins({ sessionId })).pins, []);
    }));

  test('A7 what is not there, or in another conversation, is an error that says so', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const { sessionId } = await followed(runtime);
      const other = await runtime.prepare({ messages: [user('Something else.')] });
      const [foreign = ''] = await store.messages.viewIds(other.sessionId);
      const codes = async (request: object): Promise<string> => {
        const failed = await runtime.pin({ sessionId, ...request }).catch((error: unknown) => error);
        return PalimpsestError.isInstance(failed) ? failed.code : 'no error';
      };
      assert.equal(await codes({ ref: 'm99' }), 'ID_UNKNOWN');
      assert.equal(await codes({ ref: 'the rule' }), 'BAD_OPTION');
      assert.equal(await codes({ ref: 'm2-m4' }), 'BAD_OPTION');
      assert.equal(await codes({ messageId: foreign }), 'ID_UNKNOWN');
      assert.equal(await codes({ messageId: 'no-such' }), 'ID_UNKNOWN');
      assert.equal(await codes({ sessionId: 'no-such', ref: 'm1' }), 'ID_UNKNOWN');
      assert.equal(await codes({ reff: 'm4' }), 'BAD_OPTION');
      await assert.rejects(runtime.unpin({ sessionId }), { code: 'BAD_OPTION' });
      assert.equal((await runtime.unpin({ sessionId, ref: 'm4' })).message, 'm4 is not pinned: nothing is.');
    }));

  test('A7 is kept by a compression that was prepared before it was pinned', () =>
    withStore(async (store) => {
      const one = world(store);
      await fillUp(one);
      assert.ok(tokensOf(one.list) > early);
      await one.time.pass(1);
      one.writer.answer();
      await settled();
      const { pin } = await one.runtime.pin({ sessionId: (await store.sessions.list())[0]?.tip.id ?? '' });
      const next = await one.runtime.prepare({ messages: one.list });
      assert.equal(next.compression?.inBackground, undefined);
      assert.equal(one.runtime.background().discarded, 1);
      assert.ok(pin && textOf(next).includes(pin.text));
    }));

  test('A7 stays with a stored conversation that a command compresses, and with another engine', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const { list, sessionId } = await followed(runtime, 12);
      await runtime.pin({ sessionId, ref: 'm4' });
      await answer(runtime, await runtime.prepare({ messages: list }), reply('Done.'));
      list.push(reply('Done.'), user('Go on.'));
      await runtime.prepare({ messages: list });
      for (const round of [1, 2]) {
        const { result } = await compressSession(store, sessionId, { tokenizer, contextLength: 8_000, owner: 'test' });
        assert.equal(result.status, 'compressed');
        // First it is one of the messages that are kept at the start.
        assert.deepEqual(result.handoff?.pinned, round === 1 ? undefined : ['m4']);
        assert.equal(times(result.messages.map(messageText).join('\n'), 'Not even to read it.'), 1);
        list.push(reply('Done.'), user('Go on.'));
        await work(runtimeOver(store), list, { from: 50 * round, steps: 8 });
      }
      const engine = () =>
        defineEngine<Message>({
          name: 'forgetful',
          shouldCompress: () => true,
          compress: async (messages) => [...messages.slice(0, 1), ...messages.slice(-1)],
        });
      const other = runtimeOver(store, { engine });
      const next = await other.prepare({ messages: [...list, reply('ok'), user('And now?')] });
      assert.ok(next.compression);
      assert.equal(times(textOf(next), pinnedRule), 1);
    }));

  test('A7 is shared with a branch that says it too, and not with one that went off before it', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const { list, sessionId } = await followed(runtime);
      await runtime.pin({ sessionId, ref: 'm4' });
      await runtime.pin({ sessionId, ref: 'm2' });
      const after = await runtime.prepare({ messages: [...list.slice(0, 6), user('Another way.')] });
      const before = await runtime.prepare({ messages: [...list.slice(0, 3), user('Quite another way.')] });
      const refs = async (id: string): Promise<readonly string[]> =>
        (await runtime.pins({ sessionId: id })).pins.map(({ ref }) => ref);
      assert.deepEqual(await refs(after.sessionId), ['m4', 'm2']);
      assert.deepEqual(await refs(before.sessionId), ['m2']);
      await runtime.unpin({ sessionId: after.sessionId, ref: 'm4' });
      assert.deepEqual(await refs(sessionId), ['m4', 'm2']);
    }));

  test('A7 T1 fits a window of 4K and one of a million tokens', async () => {
    for (const contextLength of [4_000, 1_000_000]) {
      await withStore(async (store) => {
        const runtime = runtimeOver(store, { contextLength });
        const { list, sessionId } = await followed(runtime);
        await runtime.pin({ sessionId, ref: 'm4' });
        list.push(reply('Done.'), user('Now the other regions.'));
        await work(runtime, list, { from: 50, steps: contextLength === 4_000 ? 12 : 40 });
        const report = await runtime.compress({ messages: [...list, reply('Done.'), user('Go on.')] });
        assert.equal(report.status, 'compressed');
        const next = await runtime.prepare({
          messages: [...list, reply('Done.'), user('Go on.'), reply('ok'), user('?')],
        });
        assert.equal(times(textOf(next), 'Not even to read it.'), 1);
        assert.ok(next.size.tokens <= contextLength);
      });
    }
  });
});

describe('a pin in the store', () => {
  test('A7 two processes pin at once, and neither gets more room than there is', (t) =>
    openedFile(t, async (path) => {
      await using first = await openStore({ path });
      await using second = await openStore({ path });
      const [one, two] = [first, second].map((store: Store) => runtimeOver(store, { config: { pinRatio: 0.02 } }));
      const { list, sessionId } = await followed(one ?? assert.fail());
      assert.ok(one && two && list.length > 0);
      const all = await Promise.all(
        ['m2', 'm3', 'm4', 'm5'].map((ref, at) => (at % 2 ? one : two).pin({ sessionId, ref })),
      );
      const { usedTokens, mostTokens, pins } = await two.pins({ sessionId });
      assert.ok(usedTokens <= mostTokens);
      assert.equal(all.filter(({ status }) => status === 'pinned').length, pins.length);
      assert.ok(pins.length >= 1 && pins.length < 4);
    }));

  test('A7 F3 outlives a process that is killed right behind it', (t) =>
    openedFile(t, async (path) => {
      {
        await using store = await openStore({ path });
        await followed(runtimeOver(store));
      }
      const killed = spawnSync(process.execPath, [join(import.meta.dirname, 'workers/pinner.ts'), path]);
      assert.equal(killed.signal, 'SIGKILL');
      await using store = await openStore({ path });
      const runtime = runtimeOver(store);
      const [{ tip } = assert.fail()] = await store.sessions.list();
      assert.deepEqual(
        (await runtime.pins({ sessionId: tip.id })).pins.map(({ ref }) => ref),
        ['m4'],
      );
      const list = [...opening(), reply('Good morning.'), user(rule), ...listOf(3).slice(2)];
      assert.equal(times(textOf(await goOn(runtime, list, 100)), pinnedRule), 1);
    }));
});
