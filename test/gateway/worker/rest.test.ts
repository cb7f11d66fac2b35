/** Requests that were sent before they are read rest for a moment: what they wait for, and what never overtakes them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Timers } from '@palimpsest/core/settings';
import type { Prepared, Received } from '../../../packages/palimpsest/src/gateway/middle.ts';
import type { Order } from '../../../packages/palimpsest/src/gateway/worker/messages.ts';
import { Near } from '../../../packages/palimpsest/src/gateway/worker/near.ts';

const headers = [['content-type', 'application/json']] as const;

interface Resting {
  readonly near: Near;
  /** What was said to the worker, as `type id`. */
  readonly said: string[];
  /** Lets the time go by for which requests rest; says how long that is. */
  readonly wait: () => number | undefined;
  /** Asks for a request that is sure to go as it came, or for one that is not. */
  readonly send: (text: string, signal?: AbortSignal) => Promise<Prepared>;
}

/** A near side that was told to let small bodies go, before a worker which only listens. Its first request has the number 1. */
async function resting(mostBodies = 10_000): Promise<Resting> {
  const said: string[] = [];
  const clocks: { readonly ms: number; readonly fire: () => void }[] = [];
  const timers: Timers = {
    after: (ms, fire) => {
      const clock = { ms, fire };
      clocks.push(clock);
      return () => {
        if (clocks.includes(clock)) clocks.splice(clocks.indexOf(clock), 1);
      };
    },
  };
  const near = new Near(
    (order: Order) => void said.push('id' in order ? `${order.type} ${order.id}` : order.type),
    timers,
    {
      mostBodies,
      mostUnread: 10_000,
    },
  );
  const send: Resting['send'] = (text, signal = new AbortController().signal) => {
    const body = Buffer.from(JSON.stringify({ model: 'm', messages: [text] }));
    const received: Received = {
      ...{ dialect: 'anthropic', act: 'answer', method: 'POST', path: '/v1/messages' },
      ...{ headers, body, user: undefined, signal },
    };
    return near.prepare(received);
  };
  const first = send('first');
  near.hear({
    type: 'prepared',
    id: 1,
    next: {
      body: undefined,
      isHeard: true,
      wholeBelow: { of: 'model', bytes: 200 },
      told: { action: 'whole', model: 'm' },
    },
  });
  await first;
  said.length = 0;
  return {
    near,
    said,
    send,
    wait: () => {
      const [clock] = clocks.splice(0, 1);
      clock?.fire();
      return clock?.ms;
    },
  };
}

const long = 'x'.repeat(300);
const answered = { type: 'answer', status: 200, headers, triesLeft: 3 } as const;

describe('K2: a request that was sent before it is read', () => {
  test('is read 5 ms later, with all that came meanwhile, in their order', async () => {
    const { said, send, wait } = await resting();
    for (const text of ['a', 'b', 'c']) assert.equal((await send(text)).responseHeaders?.[0]?.[1], 'sent');
    assert.deepEqual(said, []);
    assert.equal(wait(), 5);
    assert.deepEqual(said, ['prepare 2', 'prepare 3', 'prepare 4']);
    assert.equal(wait(), undefined);
    await send('d');
    assert.equal(wait(), 5);
    assert.deepEqual(said.slice(3), ['prepare 5']);
  });

  test('is read before one that has to be read first', async () => {
    const { said, send, wait } = await resting();
    await send('a');
    void send(long);
    assert.deepEqual(said, ['prepare 2', 'prepare 3']);
    assert.equal(wait(), undefined);
  });

  test('is read before anything is said of an answer, its own or another', async () => {
    const { said, send } = await resting();
    const [a] = [await send('a'), await send('b')];
    const watch = a.settle?.(answered)?.watch;
    watch?.read(Buffer.from('{"ok":1}'));
    assert.deepEqual(said, []);
    void watch?.end('whole');
    assert.deepEqual(said, ['prepare 2', 'prepare 3', 'heard 2']);
  });

  test('is read at once where it is refused, and then judged', async () => {
    const { near, said, send } = await resting();
    const a = await send('a');
    const again = a.settle?.({ ...answered, status: 400 })?.judge?.again(Buffer.from('too long'), true);
    assert.deepEqual(said, ['prepare 2']);
    near.hear({ type: 'prepared', id: 2, next: { body: undefined, isHeard: true } });
    await new Promise(setImmediate);
    assert.deepEqual(said, ['prepare 2', 'judge 2']);
    near.hear({ type: 'prepared', id: 2, next: undefined });
    await again;
  });

  test('is read where its client leaves', async () => {
    const { said, send } = await resting();
    const client = new AbortController();
    await send('a', client.signal);
    client.abort();
    assert.deepEqual(said, ['prepare 2', 'left 2']);
  });

  test('is not read by a worker that is in trouble, and leaves nobody waiting and no room taken', async () => {
    const { near, said, send, wait } = await resting(250);
    const a = await send('a'.repeat(100));
    near.giveUp('it ended');
    await assert.rejects(Promise.resolve(a.read), /it ended/);
    assert.equal(wait(), undefined);
    assert.deepEqual(said, []);
    near.goOn('again');
    await send('b'.repeat(100));
    near.handOver();
    assert.deepEqual(said, ['prepare 3']);
  });

  test('has its place in the worker meanwhile: one for which there is no room waits', async () => {
    const { near, said, send, wait } = await resting(250);
    await send('a'.repeat(100));
    let isSent = false;
    void send('b'.repeat(100)).then(() => {
      isSent = true;
    });
    await new Promise(setImmediate);
    assert.deepEqual([isSent, said], [false, ['prepare 2']]);
    assert.equal(wait(), undefined);
    near.hear({ type: 'prepared', id: 2, next: { body: undefined, isHeard: true } });
    assert.deepEqual(said, ['prepare 2', 'prepare 3']);
  });
});
