/** The life of the worker: it ends, it is silent, it is started again, it is stopped; and requests go on. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Middle, Received } from '../../../packages/palimpsest/src/gateway/middle.ts';
import { Far } from '../../../packages/palimpsest/src/gateway/worker/far.ts';
import type { News, Order } from '../../../packages/palimpsest/src/gateway/worker/messages.ts';
import {
  type FarWorker,
  openWorkerMiddle,
  type WorkerMiddle,
} from '../../../packages/palimpsest/src/gateway/worker/worker-middle.ts';
import { traced } from '../../tracing/spans.ts';
import { gatewayBefore, handTimers, type TestGateway } from '../support/gateway.ts';
import { answerOf, exchange, postOf, type WireUpstream, wireUpstream } from '../support/wire.ts';

/** A worker that lives and dies as the test says. */
class HandWorker extends EventEmitter implements FarWorker<string> {
  readonly orders: Order[] = [];
  isSilent = false;
  readonly #far = new Far(other, (reply) => this.#say(reply));

  postMessage(order: Order): void {
    this.orders.push(order);
    if (this.isSilent) return;
    if (order.type === 'stop') this.#say({ type: 'stopped' });
    else this.#far.hear(order);
  }

  open(): void {
    this.#say({ type: 'opened', about: 'kept' });
  }

  /** Hears what was said while it was silent. */
  wake(): void {
    this.isSilent = false;
    for (const order of this.orders.splice(0)) this.postMessage(order);
  }

  say(news: News<string>): void {
    this.#say(news);
  }

  die(error?: Error): void {
    if (error) this.emit('error', error);
    this.emit('exit');
  }

  async terminate(): Promise<void> {
    this.emit('exit');
  }

  #say(news: News<string>): void {
    queueMicrotask(() => this.emit('message', news));
  }
}

const other: Middle = { prepare: async () => ({ body: Buffer.from('other'), settle: () => undefined }) };

const received: Received = {
  ...{ dialect: 'anthropic', act: 'answer', method: 'POST', path: '/v1/messages', headers: [], user: undefined },
  body: Buffer.from('came'),
  signal: new AbortController().signal,
};

interface Life extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly middle: WorkerMiddle<string>;
  readonly upstream: WireUpstream;
  /** All that were started. */
  readonly workers: readonly HandWorker[];
  readonly newest: () => HandWorker;
  readonly notes: readonly string[];
  readonly timers: ReturnType<typeof handTimers>;
  /** Whether no worker can be started. */
  readonly refuses: (isSo: boolean) => void;
  /** What the upstream gets for a request. */
  readonly sent: () => Promise<string>;
}

async function living(): Promise<Life> {
  const workers: HandWorker[] = [];
  const notes: string[] = [];
  const timers = handTimers();
  const newest = (): HandWorker => {
    const worker = workers.at(-1);
    assert.ok(worker);
    return worker;
  };
  let isRefused = false;
  const start = (): HandWorker => {
    if (isRefused) throw new Error('no more threads');
    workers.push(new HandWorker());
    return newest();
  };
  const opening = openWorkerMiddle<string>({ start, timers, note: (line) => notes.push(line) });
  newest().open();
  const middle = await opening;
  const upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{"ok":1}')));
  const gateway = await gatewayBefore(upstream.url, {}, { middle });
  return {
    ...{ gateway, middle, upstream, workers, newest, notes, timers },
    refuses: (isSo) => {
      isRefused = isSo;
    },
    sent: async () => {
      const { status } = await exchange(gateway.url, postOf('/v1/messages', 'came'));
      assert.equal(status, 200);
      return upstream.requests.at(-1)?.body.toString() ?? '';
    },
    [Symbol.asyncDispose]: async () => {
      await gateway.end();
      await upstream[Symbol.asyncDispose]();
    },
  };
}

const page = async ({ gateway }: Life, path: string): Promise<string> => (await fetch(`${gateway.url}${path}`)).text();

describe('K2: a worker that ends', () => {
  test('leaves requests as they came: they are counted, a line and /readyz tell, and another one is started', async () => {
    await using life = await living();
    assert.equal(await life.sent(), 'other');
    life.newest().die(Object.assign(new Error('heap'), { code: 'ERR_WORKER_OUT_OF_MEMORY' }));
    assert.equal(await life.sent(), 'came');
    assert.match(await page(life, '/metrics'), /middle_errors_total 1/);
    assert.match(await page(life, '/readyz'), /^ready\nrequests go as they came: .*ran out of memory/);
    assert.match(life.notes.join('\n'), /^the worker .* ended: it ran out of memory\. It is started again in 1 s/);
    life.timers.fire(1_000);
    assert.equal(life.workers.length, 2);
    assert.equal(await life.sent(), 'came');
    life.newest().open();
    await life.timers.started(1_000);
    assert.equal(await life.sent(), 'other');
    assert.equal(await page(life, '/readyz'), 'ready\n');
    assert.equal(life.notes.at(-1), 'Conversations are kept again.');
  });

  test('while a request waits for it: that one goes as it came', async () => {
    await using life = await living();
    life.newest().isSilent = true;
    const sent = life.sent();
    while (!(await page(life, '/metrics')).includes('gateway_open 1'));
    life.newest().die(new Error('a defect'));
    assert.equal(await sent, 'came');
  });

  test('again and again is started after pauses that grow, up to a minute', async () => {
    await using life = await living();
    const pauses: string[] = [];
    for (let at = 0; at < 8; at++) {
      life.newest().die();
      const [, seconds = ''] = /again in (\d+) s/.exec(life.notes.at(-1) ?? '') ?? [];
      pauses.push(seconds);
      life.timers.fire(Number(seconds) * 1_000);
    }
    assert.deepEqual(pauses, ['1', '2', '4', '8', '16', '32', '60', '60']);
    assert.equal(life.workers.length, 9);
    // What has gone well for a minute begins with the first pause.
    life.newest().open();
    await Promise.resolve();
    for (let beat = 0; beat < 60; beat++) {
      life.timers.fire(1_000);
      await Promise.resolve();
    }
    life.newest().die();
    assert.match(life.notes.at(-1) ?? '', /again in 1 s/);
  });

  test('and cannot be started again is tried again', async () => {
    await using life = await living();
    life.refuses(true);
    life.newest().die();
    life.timers.fire(1_000);
    assert.match(life.notes.at(-1) ?? '', /no more threads\. It is started again in 2 s/);
    life.refuses(false);
    life.timers.fire(2_000);
    assert.equal(life.workers.length, 2);
  });

  test('before it has opened anything is an error of the start, with its code', async () => {
    const worker = new HandWorker();
    const opening = openWorkerMiddle<string>({ start: () => worker, timers: handTimers(), note: () => undefined });
    worker.say({
      type: 'unopened',
      error: { code: 'STORE_NEWER', message: 'expected a store of this version', evidence: { path: 'a.db' } },
    });
    await assert.rejects(opening, { code: 'STORE_NEWER', evidence: { path: 'a.db' } });
    worker.die();
  });
});

describe('K2: a worker that is silent', () => {
  /** So many seconds of nothing. */
  const silence = (life: Life, seconds: number): void => {
    for (let beat = 0; beat < seconds; beat++) life.timers.fire(1_000);
  };

  test('is waited for 20 s; then what waits goes as it came, and what follows does not wait, until it is back', async () => {
    await using life = await living();
    life.newest().isSilent = true;
    const waits = life.sent();
    while (!(await page(life, '/metrics')).includes('gateway_open 1'));
    silence(life, 20);
    assert.equal(life.middle.trouble(), undefined);
    silence(life, 1);
    assert.equal(await waits, 'came');
    assert.equal(await life.sent(), 'came');
    assert.match(life.middle.trouble() ?? '', /silent for 20 s/);
    life.newest().wake();
    for (let turn = 0; turn < 1_000 && life.middle.trouble() !== undefined; turn++) await setImmediate();
    assert.equal(await life.sent(), 'other');
    assert.equal(life.workers.length, 1);
  });

  test('is ended after five minutes, and another one is started', async () => {
    await using life = await living();
    life.newest().isSilent = true;
    silence(life, 300);
    assert.match(life.notes.at(-1) ?? '', /silent for 300 s\. It is started again in 1 s/);
    silence(life, 1);
    assert.equal(life.workers.length, 2);
  });
});

describe('K2: a worker that is stopped', () => {
  test('has kept what it was told before, and is not started again', async () => {
    await using life = await living();
    await life.sent();
    await life.middle.stop();
    assert.equal(life.newest().orders.at(-1)?.type, 'stop');
    assert.equal(life.workers.length, 1);
    assert.deepEqual(life.notes, []);
  });

  test('has heard of what was sent and not read', async () => {
    await using life = await living();
    const named = { ...received, body: Buffer.from('{"model":"m"}') };
    life.newest().isSilent = true;
    const first = life.middle.prepare(named);
    const next = { body: undefined, isHeard: false, told: { action: 'whole', model: 'm' } } as const;
    life.newest().say({ type: 'prepared', id: 1, next: { ...next, wholeBelow: { of: 'model', bytes: 200 } } });
    await first;
    await life.middle.prepare(named);
    const stopped = life.middle.stop();
    assert.deepEqual(
      life.newest().orders.map(({ type }) => type),
      ['prepare', 'prepare', 'stop'],
    );
    life.newest().say({ type: 'stopped' });
    await stopped;
  });

  test('is not waited for without limit', async () => {
    await using life = await living();
    life.newest().isSilent = true;
    const stopped = life.middle.stop();
    await life.timers.started(30_000);
    life.timers.fire(30_000);
    await stopped;
    assert.match(life.notes.at(-1) ?? '', /did not end within 30 s/);
  });

  test('lets go whoever waits for what an answer cost that it never told', async () => {
    using _ = traced();
    await using life = await living();
    const prepared = await life.middle.prepare(received);
    const settlement = prepared.settle?.({ type: 'answer', status: 200, headers: [], triesLeft: 0 });
    life.newest().isSilent = true;
    const cost = settlement?.watch?.end('whole');
    assert.ok(cost);
    assert.equal(await Promise.race([cost, setImmediate('waits')]), 'waits');
    const stopped = life.middle.stop();
    life.newest().say({ type: 'stopped' });
    await stopped;
    assert.equal(await Promise.race([cost, setImmediate('waits')]), undefined);
  });

  test('while it waits for its next start is not started', async () => {
    await using life = await living();
    life.newest().die();
    await life.middle.stop();
    life.timers.fire(1_000);
    assert.equal(life.workers.length, 1);
  });
});
