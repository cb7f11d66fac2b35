/** Edits and rewinds behind a compression: what both ways share is shown as it was, and everything can be brought back. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ConversationRuntime,
  type Message,
  type PreparedContext,
  type Summarizer,
  validate,
} from '@palimpsest/core';
import { expandSession } from '@palimpsest/core/search';
import { exportSession, type Store } from '@palimpsest/core/store';
import { anew, answer, listOf, reply, runtimeOver, sessionsOf, user, withStore, work } from './agent.ts';
import { Crash, dying } from './faults.ts';
import { requireSound } from './whole.ts';

interface Worked {
  readonly runtime: ConversationRuntime;
  /** What its client has sent, the newest request at its end. */
  readonly list: Message[];
  readonly context: PreparedContext;
  /** How often a model was asked for a summary. */
  readonly summaries: () => number;
}

/** A conversation that was compressed, and had a few steps since. */
async function worked(store: Store, steps = 40): Promise<Worked> {
  let calls = 0;
  const summarizer: Summarizer = {
    name: 'some/model',
    contextLength: 100_000,
    write: () => {
      calls++;
      return Promise.resolve({ text: '## Active Task\nMove the ledgers of all regions.', finish: 'stop' });
    },
  };
  const runtime = runtimeOver(store, { summarizer });
  const list = listOf(0);
  await work(runtime, list, { steps });
  list.push(user('Which region is next?'));
  const context = await runtime.prepare({ messages: list });
  await answer(runtime, context, reply('Region north-15.'));
  return { runtime, list, context, summaries: () => calls };
}

const relationOf = async (store: Store, id: string): Promise<string | undefined> =>
  (await sessionsOf(store)).find((session) => session.id === id)?.relation;

const edited = (list: readonly Message[], text: string): Message[] => [...list.slice(0, -1), user(text)];

describe('a client that goes another way behind a compression', () => {
  test('C3 is shown the same beginning, and no model is asked for another summary', () =>
    withStore(async (store) => {
      const { runtime, list, context, summaries } = await worked(store);
      const before = summaries();
      assert.ok(before > 0 && !context.isWhole);
      const other = await runtime.prepare({ messages: edited(list, 'Which region was first?') });
      assert.notEqual(other.sessionId, context.sessionId);
      assert.deepEqual(other.messages.slice(0, -1), context.messages.slice(0, -1));
      assert.deepEqual(other.messages.at(-1), user('Which region was first?'));
      assert.deepEqual(
        other.notices.map(({ type }) => type),
        ['branched'],
      );
      assert.equal(other.compression, undefined);
      assert.equal(summaries(), before);
    }));

  test('L1 is a branch that goes on by itself, after a restart too, and the other way stays as it was', () =>
    withStore(async (store) => {
      const { runtime, list, context } = await worked(store);
      const other = edited(list, 'Which region was first?');
      const first = await runtime.prepare({ messages: other });
      await answer(runtime, first, reply('North-1.'));
      const further = [...other, reply('North-1.'), user('And the second?')];
      const next = await runtimeOver(store).prepare({ messages: anew(further) });
      assert.equal(next.sessionId, first.sessionId);
      assert.deepEqual(next.messages.slice(0, first.messages.length), first.messages);
      const back = await runtime.prepare({ messages: [...list, reply('Region north-15.'), user('Go on.')] });
      assert.equal(back.sessionId, context.sessionId);
      const chain = await store.sessions.chain(first.sessionId);
      assert.deepEqual(
        chain.map(({ relation }) => relation),
        ['branch', 'continuation'],
      );
    }));

  test('L1 an answer that is asked for anew is asked with the same context', () =>
    withStore(async (store) => {
      const { runtime, list, context } = await worked(store);
      const again = await runtime.prepare({ messages: anew(list) });
      assert.deepEqual(again.messages, context.messages);
      assert.equal(await relationOf(store, again.sessionId), 'continuation');
    }));

  test('P1 everything that was said before comes back in the branch under the numbers that its handoff names', () =>
    withStore(async (store) => {
      const { runtime, list } = await worked(store);
      const other = edited(list, 'Which region was first?');
      const { sessionId } = await runtime.prepare({ messages: other });
      for (const [at, message] of other.entries()) {
        const found = await expandSession(store, sessionId, `m${at + 1}`);
        assert.deepEqual(
          found.map((one) => one.message.parts),
          [message.parts],
        );
      }
    }));

  test('L1 whoever goes back behind what is shown begins with their own list', () =>
    withStore(async (store) => {
      const { runtime, list } = await worked(store);
      const other = [...list.slice(0, 8), user('Stop here: what is moved?')];
      const { sessionId, messages } = await runtime.prepare({ messages: other });
      assert.deepEqual(messages, other);
      assert.equal(await relationOf(store, sessionId), 'branch');
    }));

  test('A3 wherever it parts, the context is valid and has the new request at its end', () =>
    withStore(async (store) => {
      const { runtime, list } = await worked(store, 32);
      for (let size = list.length - 1; size > 2; size -= size > 50 ? 1 : 7) {
        const messages = [...list.slice(0, size), user(`Otherwise, from ${size}.`)];
        const prepared = await runtime.prepare({ messages });
        assert.deepEqual(validate(prepared.messages), []);
        assert.ok(JSON.stringify(prepared.messages.at(-1)).includes(`Otherwise, from ${size}.`));
        const again = await runtimeOver(store).prepare({
          messages: [...anew(messages), reply('Yes.'), user('Go on.')],
        });
        assert.equal(again.sessionId, prepared.sessionId);
      }
    }));

  test('F3 at any call of the store a crash leaves a branch that the next process goes on with, whole and once', () =>
    withStore(async (ours) => {
      const { list, context } = await worked(ours);
      const other = edited(list, 'Which region was first?');
      let expected: readonly Message[] = [];
      // The first round dies nowhere, and says how many calls there are.
      for (let at = -1, calls = 0; at < calls; at++) {
        await withStore(async (store) => {
          const { runtime } = await worked(store);
          await runtime.stop();
          const mortal = dying(store, { at, when: 'before' });
          const prepared = await runtimeOver(mortal.store).prepare({ messages: other }).catch(requireCrash);
          if (at < 0) calls = mortal.calls();
          const next = runtimeOver(store);
          const again = await next.prepare({ messages: anew(other) });
          assert.deepEqual(validate(again.messages), []);
          if (at < 0) expected = again.messages;
          else assert.equal(prepared, undefined);
          // Between its two sessions it has the client's own list, and is compressed as any other.
          assert.deepEqual(again.messages.at(-1), other.at(-1), `${mortal.died()}`);
          await answer(next, again, reply('North-1.'));
          await requireSound(store, `${mortal.died()}`);
          assert.equal((await store.sessions.list()).length, 2, `${mortal.died()}`);
          const { messages } = await exportSession(store, again.sessionId);
          const said = [...other, reply('North-1.')];
          assert.deepEqual(
            messages.map(({ parts }) => parts),
            said.map(({ parts }) => parts),
          );
          const back = await next.prepare({ messages: list });
          assert.deepEqual(back.messages, context.messages);
        });
      }
      assert.ok(expected.length > 0 && expected.length < other.length);
    }));
});

function requireCrash(error: unknown): undefined {
  if (!(error instanceof Crash)) throw error;
}
