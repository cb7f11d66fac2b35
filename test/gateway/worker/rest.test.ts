/** Requests that were sent before they are read rest for a moment: how long, and what never overtakes them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Timers } from '@palimpsest/core/settings';
import type { Middle, Prepared, Received } from '../../../packages/palimpsest/src/gateway/middle.ts';
import { Far } from '../../../packages/palimpsest/src/gateway/worker/far.ts';
import type { Order } from '../../../packages/palimpsest/src/gateway/worker/messages.ts';
import { Near } from '../../../packages/palimpsest/src/gateway/worker/near.ts';

const headers = [['content-type', 'application/json']] as const;

const receivedOf = (text: string): Omit<Received, 'signal'> => ({
  ...{ dialect: 'anthropic', act: 'answer', method: 'POST', path: '/v1/messages', headers, user: undefined },
  body: Buffer.from(JSON.stringify({ model: 'm', messages: [text] })),
});

/** What the worker says of a request that goes as it came. */
const whole = { body: undefined, isHeard: true, told: { action: 'whole', model: 'm' } } as const;

interface Resting {
  readonly near: Near;
  /** What was said to the worker, as `type id`. */
  readonly said: string[];
  /** Lets the time go by for which requests rest; says how long that is. */
  readonly wait: () => number | undefined;
  /** From now on, this cannot be said. */
  readonly refuse: (order: string) => void;
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
  const refused = new Set<string>();
  const say = (order: Order): void => {
    const name = 'id' in order ? `${order.type} ${order.id}` : order.type;
    if (refused.has(name)) throw new RangeError('no memory');
    said.push(name);
  };
  const near = new Near(say, timers, { mostBodies, mostUnread: 10_000 });
  const send: Resting['send'] = (text, signal = new AbortController().signal) =>
    near.prepare({ ...receivedOf(text), signal });
  const first = send('first');
  near.hear({ type: 'prepared', id: 1, next: { ...whole, wholeBelow: { of: 'model', bytes: 200 } } });
  await first;
  said.length = 0;
  return {
    near,
    said,
    send,
    refuse: (order) => void refused.add(order),
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
  test('is read up to 5 ms later, with all that came meanwhile, in their order', async () => {
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

  test('is read at once where a stream begins with an error', async () => {
    const { said, send } = await resting();
    const a = await send('a');
    const headersOfStream = [['content-type', 'text/event-stream']] as const;
    const judge = a.settle?.({ ...answered, headers: headersOfStream })?.judge;
    void judge?.again(Buffer.from('event: error\ndata: {"type":"error","error":{"type":"x","message":"y"}}\n\n'), true);
    assert.deepEqual(said, ['prepare 2']);
  });

  test('is read where its client leaves, before its answer and in the middle of it', async () => {
    const { said, send } = await resting();
    const [early, late] = [new AbortController(), new AbortController()];
    const a = await send('a', early.signal);
    early.abort();
    await assert.rejects(Promise.resolve(a.read), /the client left/);
    assert.deepEqual(said.splice(0), ['prepare 2', 'left 2']);
    const b = await send('b', late.signal);
    const watch = b.settle?.(answered)?.watch;
    late.abort();
    assert.deepEqual(said, ['prepare 3']);
    void watch?.end('left');
    assert.deepEqual(said, ['prepare 3', 'heard 3']);
  });

  test('is kept where its client leaves before it is read', async () => {
    const released = Promise.withResolvers<void>();
    const ends: string[] = [];
    const middle: Middle = {
      prepare: async ({ body, signal }) => {
        await released.promise;
        const { messages } = JSON.parse(Buffer.from(body).toString());
        ends.push(`${messages}: ${signal.aborted}`);
        return { body, settle: ({ type }) => void ends.push(`${messages}: ${type}`) };
      },
    };
    const far = new Far(middle, () => undefined);
    far.hear({ type: 'prepare', id: 1, received: { ...receivedOf('a'), isSent: true } });
    far.hear({ type: 'prepare', id: 2, received: receivedOf('b') });
    for (const id of [1, 2]) far.hear({ type: 'left', id });
    released.resolve();
    await far.finish();
    assert.deepEqual(ends, ['a: false', 'b: true', 'a: failure', 'b: failure']);
  });

  test('of which the worker says that its model has to be asked about: that is heard of one whose client left too', async () => {
    const { near, said, send } = await resting();
    const client = new AbortController();
    await send('a', client.signal);
    client.abort();
    near.hear({ type: 'prepared', id: 2, next: { ...whole, wholeBelow: { of: 'model', bytes: 0 } } });
    void send('b');
    assert.deepEqual(said, ['prepare 2', 'left 2', 'prepare 3']);
  });

  test('is one of eight at most: the worker begins with a burst while more of it comes', async () => {
    const { said, send, wait } = await resting();
    for (let request = 0; request < 9; request++) await send(`${request}`);
    assert.equal(said.length, 8);
    assert.equal(wait(), 5);
    assert.equal(said.length, 9);
    assert.equal(wait(), undefined);
  });

  test('for which there is no memory goes as it came, and holds up nobody', async () => {
    const { said, send, wait, refuse } = await resting(200);
    const a = await send('a'.repeat(60));
    await send('b');
    refuse('prepare 2');
    wait();
    await assert.rejects(Promise.resolve(a.read), /no memory/);
    assert.deepEqual(said, ['prepare 3']);
    // Its room is free.
    assert.equal((await send('c'.repeat(60))).responseHeaders?.[0]?.[1], 'sent');
  });

  test('counts as unread until the worker has read it, also where its client left', async () => {
    const { near, said, send } = await resting();
    for (let request = 0; request < 256; request++) {
      const client = new AbortController();
      await send('a', client.signal);
      client.abort();
    }
    const sent: string[] = [];
    void send('b').then(() => sent.push('b'));
    await new Promise(setImmediate);
    assert.deepEqual([sent, said.at(-1)], [[], 'prepare 258']);
    near.hear({ type: 'prepared', id: 2, next: whole });
    assert.equal((await send('c')).responseHeaders?.[0]?.[1], 'sent');
  });

  test('that is given up before its answer begins is counted once, and its answer is not copied', async () => {
    const { near, said, send } = await resting();
    const a = await send('a');
    near.giveUp('it ended');
    await assert.rejects(Promise.resolve(a.read), /it ended/);
    const watch = a.settle?.(answered)?.watch;
    near.goOn('anew');
    watch?.read(Buffer.from('{"ok":1}'));
    void watch?.end('whole');
    assert.deepEqual(said, []);
  });

  test('is not read by a worker that is in trouble, and leaves nobody waiting and no room taken', async () => {
    const { near, said, send, wait } = await resting(250);
    const a = await send('a'.repeat(100));
    const watch = a.settle?.(answered)?.watch;
    near.giveUp('it ended');
    await assert.rejects(Promise.resolve(a.read), /it ended/);
    assert.equal(wait(), undefined);
    assert.deepEqual(said, []);
    near.goOn('again');
    // It is counted once: what follows of its answer is not read by anybody.
    watch?.read(Buffer.from('{"ok":1}'));
    void watch?.end('whole');
    assert.deepEqual(said, []);
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
