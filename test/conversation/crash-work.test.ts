/**
 * A process that dies at any call while a model writes summaries, hooks are asked, something works in the background, or a
 * person asks for a compression: the next one goes on, nothing is lost, and nothing is there twice.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ConversationHooks,
  type ConversationRuntime,
  type Message,
  type Summarizer,
  validate,
} from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import { anew, answer, type RunOptions, runtimeOver, sessionsOf, step, system, user } from './agent.ts';
import { dying, type Fault, type Mortal } from './faults.ts';
import { settled, type VirtualTime, withTimedStore } from './virtual-time.ts';
import { requireWhole } from './whole.ts';
import { writerName } from './writer.ts';

/** How a process of the test works. */
interface Plan {
  readonly background: boolean;
  readonly steps: number;
  /** Of the result of every step. */
  readonly lines: number;
  /** The step before which a person asks for a compression. */
  readonly compressAt?: number;
}

/** A lease of a process that was killed has lapsed. */
const lapseMs = 100_000;

function processOver(mortal: Mortal, { background }: Plan, time: VirtualTime): ConversationRuntime {
  const { store, guarded } = mortal;
  const write: Summarizer['write'] = async () => ({
    text: '## Active Task\nMove the ledgers.',
    finish: 'stop',
    usage: { inputTokens: 1_000, outputTokens: 40 },
  });
  const hooks: ConversationHooks = {
    onCompressionStart: guarded('onCompressionStart', () => ({ keep: 'Ask before region south.' })),
    onCompressionEnd: guarded('onCompressionEnd', () => undefined),
    onSessionStart: guarded('onSessionStart', () => undefined),
    onSessionContinue: guarded('onSessionContinue', () => undefined),
  };
  const options: RunOptions = {
    background,
    hooks,
    clock: time.clock,
    summarizer: { name: writerName, write: guarded('write', write) },
    recall: guarded('recall', () => 'Region south was moved on Monday.'),
  };
  return runtimeOver(store, options);
}

interface Client {
  readonly list: Message[];
  compressions: number;
  inBackground: number;
  /** Calls of the process before and behind the compression that was asked for. */
  asked: readonly [number, number] | undefined;
}

async function takeStep(
  runtime: ConversationRuntime,
  client: Client,
  { plan, time, at, calls }: { plan: Plan; time: VirtualTime; at: number; calls: () => number },
) {
  if (plan.compressAt === at && !client.asked) {
    const from = calls();
    const { status } = await runtime.compress({ messages: client.list });
    client.asked = [from, calls()];
    if (status === 'compressed') client.compressions++;
  }
  const prepared = await runtime.prepare({ messages: client.list });
  assert.deepEqual(validate(prepared.messages), []);
  if (prepared.compression) client.compressions++;
  if (prepared.compression?.inBackground) client.inBackground++;
  // What works in the background does so while the model answers.
  await time.pass(1);
  const [called, result] = step(at, plan.lines);
  try {
    await answer(runtime, prepared, called);
  } finally {
    client.list.push(...anew([called]), result);
    if (at === plan.steps - 1) client.list.push(user('Is it all done?'));
  }
}

async function run(store: Store, fault: Fault, { plan, time }: { plan: Plan; time: VirtualTime }) {
  const client: Client = {
    list: [system('You move ledgers.'), user('Move the ledgers of all regions.')],
    compressions: 0,
    inBackground: 0,
    asked: undefined,
  };
  const mortal = dying(store, fault);
  let runtime = processOver(mortal, plan, time);
  let isFirst = true;
  for (let at = 1; at <= plan.steps; ) {
    const before = client.list.length;
    try {
      await takeStep(runtime, client, { plan, time, at, calls: mortal.calls });
    } catch (error) {
      // What died in the midst of a model's call or a hook says so where it next turns to its store.
      if (!isFirst || mortal.died() === undefined) throw error;
    }
    await settled();
    if (isFirst && mortal.died() !== undefined) {
      isFirst = false;
      await time.pass(lapseMs);
      runtime = processOver(dying(store, { at: -1, when: 'before' }), plan, time);
    }
    if (client.list.length > before) at++;
  }
  await runtime.stop();
  const last = await runtimeOver(store).prepare({ messages: client.list });
  assert.deepEqual(validate(last.messages), []);
  return { calls: mortal.calls(), client, died: mortal.died() };
}

/** Every point of a run at which a process can die. */
const everyPoint = (plan: Plan, expected: (client: Client) => void): Promise<void> =>
  withTimedStore(async (whole, time) => {
    const { calls, client } = await run(whole, { at: -1, when: 'before' }, { plan, time });
    expected(client);
    await requireWhole(whole, client.list, 'no crash');
    // A process that dies behind a call leaves what one leaves that dies before the next one.
    // What goes before a compression that a person asks for is shown by the other plans.
    const [first, end] = client.asked ?? [0, calls - 1];
    const points = Array.from({ length: end - first + 1 }, (_, i): Fault => ({ at: first + i, when: 'before' }));
    for (const fault of [...points, { at: end, when: 'after' } as const]) {
      await withTimedStore(async (store, own) => {
        const happened = await run(store, fault, { plan, time: own });
        assert.ok(happened.died, `call ${fault.at} was made`);
        const label = `${happened.died} (${fault.at}, ${fault.when})`;
        await requireWhole(store, happened.client.list, label);
        // A line: no session was compressed twice.
        const relations = (await sessionsOf(store)).map(({ relation }) => relation);
        assert.deepEqual(new Set(relations.slice(1)), new Set(relations.length > 1 ? ['continuation'] : []), label);
        assert.equal((await store.leases.held()).length, 0, label);
      });
    }
  });

describe('F3 a process that is killed at any call', () => {
  test('F3 while a model writes in the foreground and hooks are asked', () =>
    everyPoint({ background: false, steps: 4, lines: 270 }, ({ compressions }) => assert.ok(compressions > 0)));

  test('F3 while something works in the background', () =>
    everyPoint({ background: true, steps: 6, lines: 160 }, ({ inBackground }) => assert.ok(inBackground > 0)));

  test('F3 while a person asks for a compression', () =>
    everyPoint({ background: false, steps: 4, lines: 270, compressAt: 3 }, ({ compressions, asked }) =>
      assert.ok(asked && compressions > 0),
    ));
});
