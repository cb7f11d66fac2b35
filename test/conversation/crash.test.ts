/** A process that dies at any call of its store: the next one goes on, nothing is lost and nothing is there twice. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConversationRuntime, type Message, validate } from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import { anew, answer, reply, runtimeOver, step, system, user } from './agent.ts';
import { Crash, dying, type Fault } from './faults.ts';
import { type VirtualTime, withTimedStore } from './virtual-time.ts';
import { requireWhole } from './whole.ts';

const lines = 160;
const steps = 6;

/** The client: six steps of work with a compression in it, a question, and its answer. */
interface Client {
  readonly list: Message[];
  /** What it has been told that the runtime has, because a call came back. */
  compressions: number;
}

/** One step: a context, an answer, and the result of the tool. Taken up again where the process died. */
async function takeStep(runtime: ConversationRuntime, client: Client, at: number): Promise<void> {
  const prepared = await runtime.prepare({ messages: client.list });
  assert.deepEqual(validate(prepared.messages), []);
  if (prepared.compression) client.compressions++;
  const [called, result] = step(at, lines);
  const said = at <= steps ? called : reply('All regions are moved.');
  try {
    await answer(runtime, prepared, said);
  } finally {
    // The answer was streamed to the client, whatever became of the process behind it.
    client.list.push(...anew([said]));
    if (at <= steps) client.list.push(result);
    if (at === steps) client.list.push(user('Is it all done?'));
  }
}

async function run(
  store: Store,
  fault: Fault,
  time: VirtualTime,
): Promise<{ calls: number; client: Client; crashed: string | undefined }> {
  const client: Client = {
    list: [system('You move ledgers.'), user('Move the ledgers of all regions.')],
    compressions: 0,
  };
  const mortal = dying(store, fault);
  const { clock } = time;
  let runtime = runtimeOver(mortal.store, { clock });
  let crashed: string | undefined;
  for (let at = 1; at <= steps + 1; ) {
    const before = client.list.length;
    try {
      // A lease that nobody gave back is waited for, until it has lapsed.
      await time.passUntil(takeStep(runtime, client, at));
    } catch (error) {
      if (!(error instanceof Crash) || crashed !== undefined) throw error;
      crashed = error.message;
      // A process that lives on takes what it knows for what it may be.
      if (!fault.passes) runtime = runtimeOver(store, { clock });
    }
    if (client.list.length > before) at++;
  }
  // What came last is known as well, by whoever comes next.
  const last = await time.passUntil(runtimeOver(store, { clock }).prepare({ messages: client.list }));
  assert.deepEqual(validate(last.messages), []);
  return { calls: mortal.calls(), client, crashed };
}

describe('a crash', () => {
  const everyCall = (passes: boolean): Promise<void> =>
    withTimedStore(async (whole, ours) => {
      const { calls, client } = await run(whole, { at: -1, when: 'before' }, ours);
      assert.ok(client.compressions > 0, 'the scenario has a compression');
      await requireWhole(whole, client.list, 'no crash');
      for (let at = 0; at < calls; at++) {
        // A process that dies behind a call leaves what one leaves that dies before the next one.
        for (const when of passes || at === calls - 1 ? (['before', 'after'] as const) : (['before'] as const)) {
          await withTimedStore(async (store, time) => {
            const happened = await run(store, { at, when, passes }, time);
            assert.ok(happened.crashed, `call ${at} was made`);
            await requireWhole(store, happened.client.list, `${happened.crashed} (${at}, ${when})`);
          });
        }
      }
    });

  test('F3 at any call of the store leaves a conversation that the next process goes on with, whole and once', () =>
    everyCall(false));

  test('F1 a call of the store that fails once leaves a conversation that the same process goes on with', () =>
    everyCall(true));
});
