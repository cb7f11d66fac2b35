/** A request that is called off while anything of it is under way: it ends so, and the conversation goes on whole. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConversationRuntime, type Message, validate } from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import { openBench } from '../memory/entries/bench.ts';
import {
  anew,
  answer,
  type RunOptions,
  reply,
  runtimeOver,
  sessionsOf,
  step,
  system,
  user,
  withStore,
} from './agent.ts';
import { dying, type Mortal } from './faults.ts';
import { virtualTime } from './virtual-time.ts';
import { requireWhole } from './whole.ts';
import { writerName } from './writer.ts';

const reason = new Error('a person pressed Esc');

/** A runtime whose store, model, hooks and recall stand under the guard. */
function guardedRuntime({ store, guarded }: Mortal, background: boolean, time = virtualTime()): ConversationRuntime {
  const written = async () => ({ text: '## Active Task\nMove the ledgers.', finish: 'stop' as const });
  const options: RunOptions = {
    background,
    clock: time.clock,
    summarizer: { name: writerName, write: guarded('write', written) },
    recall: guarded('recall', () => 'Region south was moved on Monday.'),
    hooks: {
      onCompressionStart: guarded('onCompressionStart', () => ({ keep: 'Ask before region south.' })),
      onCompressionEnd: guarded('onCompressionEnd', () => undefined),
      onSessionStart: guarded('onSessionStart', () => undefined),
      onSessionContinue: guarded('onSessionContinue', () => undefined),
    },
  };
  return runtimeOver(store, options);
}

interface Run {
  /** Calls before the step that compresses, and in all. */
  readonly calls: readonly [number, number];
  readonly calledOff: boolean;
  readonly compressions: number;
}

/** Steps of work, and the lines of each result: the last but one fills the context. */
interface Plan {
  readonly background: boolean;
  readonly steps: number;
  readonly lines: number;
}

/** Steps of work in one process, with the request called off at one of its calls; its client then sends it again. */
async function run(store: Store, { background, steps, lines }: Plan, at: number): Promise<Run> {
  let abort = new AbortController();
  const mortal = dying(store, { at, when: 'before', instead: () => abort.abort(reason) });
  const time = virtualTime();
  const runtime = guardedRuntime(mortal, background, time);
  const list: Message[] = [system('You move ledgers.'), user('Move the ledgers of all regions.')];
  const seen = { calledOff: false, compressions: 0, before: 0 };
  for (let number = 1; number <= steps; number++) {
    abort = new AbortController();
    if (seen.compressions === 0) seen.before = mortal.calls();
    const first = runtime.prepare({ messages: list, signal: abort.signal }).catch((error: unknown) => {
      assert.equal(error, reason);
      seen.calledOff = true;
    });
    const prepared = (await first) ?? (await runtime.prepare({ messages: anew(list) }));
    assert.deepEqual(validate(prepared.messages), []);
    if (prepared.compression) seen.compressions++;
    const [called, result] = step(number, lines);
    await time.pass(1);
    await answer(runtime, prepared, called);
    list.push(called, result);
  }
  await runtime.stop();
  const label = `called off at call ${at}`;
  await requireWhole(store, list.slice(0, -1), label);
  const relations = (await sessionsOf(store)).map(({ relation }) => relation).slice(1);
  assert.ok(relations.length > 0 && relations.every((relation) => relation === 'continuation'), label);
  assert.deepEqual(await store.leases.held(), [], label);
  const next = await runtimeOver(store).prepare({ messages: list });
  assert.deepEqual(validate(next.messages), [], label);
  return { ...seen, calls: [seen.before, mortal.calls()] };
}

const plans: Readonly<Record<string, Plan>> = {
  'while it begins, and while it compresses': { background: false, steps: 6, lines: 190 },
  'while a summary is prepared in the background and taken': { background: true, steps: 6, lines: 160 },
};

describe('a request that is called off', () => {
  for (const [where, plan] of Object.entries(plans)) {
    test(`F3 at any call, ${where}: ends with the reason, and the next one goes on`, () =>
      withStore(async (whole) => {
        const { calls, compressions } = await run(whole, plan, -1);
        assert.ok(compressions > 0, 'the scenario has a compression');
        let calledOff = 0;
        const [before, all] = calls;
        for (let at = plan.background ? before : 0; at < all; at++) {
          await withStore(async (store) => {
            if ((await run(store, plan, at)).calledOff) calledOff++;
          });
        }
        assert.ok(calledOff > 5, `${calledOff} of ${all} were called off`);
      }));
  }

  test('E6 while a branch begins: the next one finds it begun, and the hook for its start is called', async (t) => {
    const { store, memory } = await openBench(t);
    const before = runtimeOver(store);
    await answer(before, await before.prepare({ messages: [user('Hello.')] }), reply('Hi.'));
    const started: string[] = [];
    const calledOff = new AbortController();
    const abort = (): Promise<never> => {
      calledOff.abort(reason);
      return Promise.reject(reason);
    };
    const runtime = runtimeOver(store, {
      memory: { ...memory, snapshot: () => (calledOff.signal.aborted ? memory.snapshot() : abort()) },
      hooks: { onSessionStart: ({ sessionId }) => void started.push(sessionId) },
    });
    const messages = [user('Hello.'), reply('Hi.'), user('One.')];
    await before.prepare({ messages });
    const other = [...messages.slice(0, 2), user('Two.')];
    await assert.rejects(runtime.prepare({ messages: other, signal: calledOff.signal }), reason);
    const { sessionId } = await runtime.prepare({ messages: other });
    assert.ok(started.includes(sessionId), `${sessionId} is none of ${started.join()}`);
    assert.equal((await sessionsOf(store)).length, 2);
  });
});
