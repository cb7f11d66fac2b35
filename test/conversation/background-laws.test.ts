/**
 * Every order in which things can happen while a summary is written in the background: it is done or fails, messages come,
 * the client goes back, a person asks for a compression, the conversation ends, the process dies, another one joins in.
 * The clock stands unless it is told to go on.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type BackgroundReport,
  type ConversationRuntime,
  conversationTokens,
  type Message,
  type PreparedContext,
  validate,
} from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import fc from 'fast-check';
import { messageBody } from '../../packages/core/src/store/message-body.ts';
import { requireLaw } from '../support/law.ts';
import {
  anew,
  answer,
  reply,
  runtimeOver,
  smallWindow,
  step,
  stored,
  system,
  tokenizer,
  user,
  withStore,
} from './agent.ts';
import { dying, type Mortal } from './faults.ts';
import { settled, type VirtualTime, virtualTime } from './virtual-time.ts';
import { requireSound } from './whole.ts';
import { createWriter, type Writer } from './writer.ts';

type Happening =
  | { readonly type: 'work'; readonly lines: number; readonly by: 0 | 1 }
  | { readonly type: 'ask' }
  | { readonly type: 'rewind'; readonly share: number }
  | { readonly type: 'wait'; readonly ms: number }
  | { readonly type: 'done' }
  | { readonly type: 'fail' }
  | { readonly type: 'compress' }
  | { readonly type: 'end' }
  | { readonly type: 'stop' }
  | { readonly type: 'crash' };

const only = <T extends Happening['type']>(type: T, weight: number) => ({ weight, arbitrary: fc.constant({ type }) });

const happenings = fc.array(
  fc.oneof(
    {
      weight: 14,
      arbitrary: fc.record({
        type: fc.constant('work' as const),
        lines: fc.integer({ min: 10, max: 160 }),
        by: fc.oneof(
          { weight: 6, arbitrary: fc.constant(0 as const) },
          { weight: 1, arbitrary: fc.constant(1 as const) },
        ),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({ type: fc.constant('wait' as const), ms: fc.constantFrom(1, 1, 1, 40_000, 400_000) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant('rewind' as const),
        share: fc.double({ min: 0.3, max: 1, noNaN: true }),
      }),
    },
    only('ask', 2),
    only('done', 5),
    only('fail', 1),
    only('compress', 1),
    only('end', 1),
    only('stop', 1),
    only('crash', 1),
  ),
  { minLength: 20, maxLength: 60, size: 'max' },
);

/** A process, its model, and the way in which it dies. */
interface Process {
  readonly runtime: ConversationRuntime;
  readonly writer: Writer;
  readonly mortal: Mortal;
}

interface World {
  readonly store: Store;
  readonly time: VirtualTime;
  readonly processes: Process[];
  readonly list: Message[];
  readonly told: Set<string>;
  readonly seen: Seen;
}

/** What happened at all: without it the law says nothing. */
type Seen = Record<'taken' | 'discarded' | 'failed' | 'waited' | 'asked' | 'crashed', number>;

function start({ store, time }: Pick<World, 'store' | 'time'>): Process {
  const writer = createWriter();
  const mortal = dying(store, { at: -1, when: 'before' });
  const options = { background: true, summarizer: writer.summarizer, clock: time.clock };
  return { runtime: runtimeOver(mortal.store, options), writer, mortal };
}

/** What comes of it; a model that is waited for is let go on, and that it was waited for is told. */
async function outcomeOf<T>(
  work: Promise<T>,
  { processes, time }: Pick<World, 'processes' | 'time'>,
): Promise<{ value: T; waited: boolean }> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  await settled();
  const waited = !isOver;
  for (let tries = 0; !isOver && tries < 50; tries++) {
    // One process may wait for what another one is at.
    for (const { writer } of processes) writer.answer();
    // What had not begun begins; a lease is asked for again, and one of a process that died lapses.
    await time.pass(tries < 5 ? 1 : 1_000);
  }
  assert.ok(isOver, 'what is waited for comes');
  return { value: await over, waited };
}

const bodyOf = (message: Message): string => messageBody(message, 0).text;

/** What every context must be. */
function requireContext({ messages }: PreparedContext, list: readonly Message[]): void {
  assert.deepEqual(validate(messages), []);
  assert.ok(conversationTokens(messages, tokenizer) <= smallWindow);
  const request = list.findLast(({ role }) => role === 'user')?.parts[0];
  const said = messages.flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')));
  assert.ok(request?.type === 'text' && said.includes(request.text), 'the newest request is there, word for word');
}

async function work(world: World, { lines, by }: { lines: number; by: 0 | 1 }, at: number): Promise<void> {
  const { list, seen } = world;
  const one = world.processes[by] ?? start(world);
  world.processes[by] = one;
  const sent = by === 1 ? anew(list) : list;
  const fits = conversationTokens(list, tokenizer) <= smallWindow;
  const { value: prepared, waited } = await outcomeOf(one.runtime.prepare({ messages: sent }), world);
  requireContext(prepared, list);
  if (waited) seen.waited++;
  // Nobody waits for a model while everything fits as it is.
  assert.ok(!(waited && fits));
  const [called, result] = step(at, lines);
  await answer(one.runtime, prepared, called);
  for (const message of [...list.slice(1), called]) world.told.add(bodyOf(message));
  list.push(called, result);
}

async function happen(world: World, happening: Happening, at: number): Promise<void> {
  const { list, time, seen, processes } = world;
  const [one] = processes;
  if (!one) return;
  switch (happening.type) {
    case 'work':
      return work(world, happening, at);
    case 'ask':
      list.push(reply(`Done with ${at}.`), user(`Go on with ${at}.`));
      return;
    case 'rewind': {
      const end = list.slice(0, Math.ceil(list.length * happening.share)).findLastIndex(({ role }) => role === 'user');
      list.length = Math.max(2, end + 1);
      list.push(user(`Once more from here, ${at}.`));
      return;
    }
    case 'wait':
      return time.pass(happening.ms);
    case 'done':
      for (const { writer } of processes) writer.answer();
      return settled();
    case 'fail':
      for (const { writer } of processes) writer.fail();
      return settled();
    case 'compress': {
      const { value } = await outcomeOf(one.runtime.compress({ messages: list }), world);
      for (const message of list.slice(1)) world.told.add(bodyOf(message));
      if (value.status === 'compressed') seen.asked++;
      return;
    }
    case 'end': {
      const [row] = await world.store.sessions.list({ limit: 1 });
      if (row) await one.runtime.end(row.tip.id);
      return;
    }
    case 'stop':
      return one.runtime.stop();
    case 'crash':
      one.mortal.kill();
      seen.crashed++;
      takeIn(seen, one.runtime.background());
      processes[0] = start(world);
      return;
  }
}

function takeIn(seen: Seen, { taken, discarded, failed }: BackgroundReport): void {
  seen.taken += taken;
  seen.discarded += discarded;
  seen.failed += failed;
}

async function live(
  all: readonly Happening[],
  seen: Seen,
  { store, time }: { store: Store; time: VirtualTime },
): Promise<void> {
  const list = [system('You move ledgers.'), user('Move the ledgers of all regions.')];
  const world: World = { store, time, processes: [], list, told: new Set(), seen };
  world.processes.push(start(world));
  for (const [at, happening] of all.entries()) await happen(world, happening, at);
  for (const { runtime } of world.processes) {
    await runtime.stop();
    const report = runtime.background();
    assert.equal(report.open, 0);
    assert.equal(report.started, report.taken + report.discarded + report.failed);
    takeIn(seen, report);
  }
  await time.pass(100_000);
  assert.equal((await store.leases.held()).length, 0);
  await requireSound(store, 'at the end');
  const texts = new Map<string, number>();
  for (const id of await stored(store)) {
    const body = bodyOf((await store.messages.get(id))?.message ?? user('lost'));
    texts.set(body, (texts.get(body) ?? 0) + 1);
  }
  for (const body of world.told) assert.equal(texts.get(body), 1, body.slice(0, 200));
}

test('F3 whatever happens while a summary is written in the background, nothing is lost, twice, invalid or waited for in vain', async () => {
  const seen: Seen = { taken: 0, discarded: 0, failed: 0, waited: 0, asked: 0, crashed: 0 };
  await requireLaw(
    fc.asyncProperty(happenings, (all) => {
      const time = virtualTime();
      return withStore((store) => live(all, seen, { store, time }), { clock: time.now });
    }),
    {
      numRuns: 40,
      missing: () =>
        Object.entries(seen)
          .flatMap(([what, times]) => (times > 0 ? [] : [what]))
          .join(', '),
    },
  );
});
