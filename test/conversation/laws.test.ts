/** Random clients: edits, rewinds, retries, other system prompts, several conversations at once, restarts at any point. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConversationRuntime, type Message, validate } from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import fc from 'fast-check';
import { messageBody } from '../../packages/core/src/store/message-body.ts';
import { requireLaw } from '../support/law.ts';
import { anew, answer, reply, runtimeOver, step, stored, system, user, withStore } from './agent.ts';

/** What a client does next. */
type Move =
  | { readonly type: 'ask'; readonly topic: number }
  | { readonly type: 'work'; readonly lines: number }
  | { readonly type: 'rewind'; readonly share: number }
  | { readonly type: 'edit'; readonly share: number }
  | { readonly type: 'retry' }
  | { readonly type: 'silence' }
  /** Its system prompt becomes another one, and a person asks for a compression. */
  | { readonly type: 'prompt' }
  | { readonly type: 'compress' };

interface Happening {
  readonly client: number;
  readonly move: Move;
  readonly restart: boolean;
  readonly fresh: boolean;
}

const moves = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant('ask' as const), topic: fc.nat(3) }) },
  { weight: 8, arbitrary: fc.record({ type: fc.constant('work' as const), lines: fc.integer({ min: 1, max: 300 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('rewind' as const),
      share: fc.double({ min: 0.01, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constant('edit' as const), share: fc.double({ min: 0.01, max: 1, noNaN: true }) }),
  },
  { weight: 2, arbitrary: fc.constant({ type: 'retry' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'silence' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'prompt' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'compress' as const }) },
);

const happenings = fc.array(
  fc.record({
    client: fc.nat(1),
    move: moves,
    restart: fc.boolean(),
    fresh: fc.boolean(),
  }),
  { minLength: 1, maxLength: 40, size: 'max' },
);

/** One world: a store, and clients that talk to it. */
interface World {
  readonly store: Store;
  runtime: ConversationRuntime;
  readonly lists: Message[][];
  /** Everything that was ever sent to the runtime, or came back. */
  readonly told: Set<string>;
  compressions: number;
}

const worldOver = (store: Store): World => ({
  store,
  runtime: runtimeOver(store),
  told: new Set(),
  compressions: 0,
  lists: [0, 1].map((client) => [system(`You are agent ${client}.`), user(`Task ${client}: move the ledgers.`)]),
});

/** The context that the move leads to. The same in every world, whatever its past. */
async function happen(world: World, { client, move, fresh }: Happening, at: number): Promise<readonly Message[]> {
  const list = world.lists[client] ?? [];
  change(list, move, at);
  const sent = fresh ? anew(list) : list;
  if (move.type === 'compress') await world.runtime.compress({ messages: sent });
  const prepared = await world.runtime.prepare({ messages: sent });
  if (prepared.compression) world.compressions++;
  for (const message of sent.slice(1)) world.told.add(bodyOf(message));
  if (move.type === 'silence') {
    await world.runtime.settle(prepared, { type: 'aborted' });
    return prepared.messages;
  }
  const [called, result] = step(at, move.type === 'work' ? move.lines : 3);
  const said = move.type === 'work' ? called : reply(`Answer ${at}.`);
  await answer(world.runtime, prepared, said);
  world.told.add(bodyOf(said));
  // A retry is what a client does that has not seen the answer.
  if (move.type !== 'retry') list.push(...(fresh ? anew([said]) : [said]), ...(move.type === 'work' ? [result] : []));
  return prepared.messages;
}

function change(list: Message[], move: Move, at: number): void {
  switch (move.type) {
    case 'ask':
      list.push(user(`Topic ${move.topic}, please.`));
      return;
    case 'rewind':
      list.length = endOf(list, move.share);
      list.push(user(`Once more from here, ${at}.`));
      return;
    case 'edit': {
      const end = endOf(list, move.share);
      const edited = list[end - 1];
      if (edited && edited.role === 'user') list[end - 1] = user(`Edited at ${at}.`);
      return;
    }
    case 'prompt':
      list[0] = system(`You are an agent since ${at}.`);
      return;
    case 'compress':
    case 'work':
    case 'retry':
    case 'silence':
      return;
  }
}

/** Where a list may end: behind a message of a person, at least the first one. */
function endOf(list: readonly Message[], share: number): number {
  const wanted = Math.ceil(list.length * share);
  const end = list.slice(0, wanted).findLastIndex(({ role }) => role === 'user');
  return Math.max(2, end + 1);
}

const bodyOf = (message: Message): string => messageBody(message, 0).text;
const bodies = (messages: readonly Message[]): readonly string[] => messages.map(bodyOf);

describe('any client, any restart', () => {
  test('F3 a process that is started anew sends what one would send that had been there all along', async () => {
    let compressions = 0;
    const holds = async (all: readonly Happening[], one: Store, other: Store): Promise<void> => {
      const lasting = worldOver(one);
      const restarted = worldOver(other);
      for (const [at, happening] of all.entries()) {
        if (happening.restart) restarted.runtime = runtimeOver(restarted.store);
        const expected = await happen(lasting, happening, at);
        const came = await happen(restarted, happening, at);
        assert.deepEqual(bodies(came), bodies(expected));
      }
      compressions += restarted.compressions;
    };
    await requireLaw(
      fc.asyncProperty(happenings, (all) => withStore((one) => withStore((other) => holds(all, one, other)))),
      { numRuns: 30, missing: () => (compressions > 10 ? '' : 'more than ten compressions') },
    );
  });

  test('L1 every message that a client ever sent or got is in the store once, and every context is valid', () =>
    fc.assert(
      fc.asyncProperty(happenings, (all) =>
        withStore(async (store) => {
          const world = worldOver(store);
          for (const [at, happening] of all.entries()) {
            if (happening.restart) world.runtime = runtimeOver(store);
            assert.deepEqual(validate(await happen(world, happening, at)), []);
          }
          const texts = new Map<string, number>();
          const ids = await stored(store);
          assert.equal(ids.length, await store.messages.count());
          for (const id of ids) {
            const body = bodyOf((await store.messages.get(id))?.message ?? user('lost'));
            texts.set(body, (texts.get(body) ?? 0) + 1);
          }
          for (const body of world.told) assert.equal(texts.get(body), 1, body.slice(0, 200));
        }),
      ),
      { numRuns: 30 },
    ));
});
