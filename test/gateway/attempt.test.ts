/** A try by itself: what goes wrong while its answer is written costs that answer, and nobody else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Attempt, type Exchange } from '../../packages/palimpsest/src/gateway/attempt.ts';
import type { Received } from '../../packages/palimpsest/src/gateway/middle.ts';
import type { Hearer } from '../../packages/palimpsest/src/gateway/upstream.ts';
import { handTimers } from './support/gateway.ts';

const received: Received = {
  ...{ dialect: 'anthropic', act: 'answer', method: 'POST', path: '/v1/messages', headers: [], user: undefined },
  body: Buffer.from('{}'),
  signal: new AbortController().signal,
};

test('K2 an answer that cannot be written ends broken, upstream and at its client', async () => {
  const seen: string[] = [];
  const note = (what: string) => (): void => void seen.push(what);
  let hearer: Hearer | undefined;
  const exchange: Exchange = {
    received,
    client: {
      hasBegun: () => true,
      begin: () => true,
      write: () => {
        throw new RangeError('Array buffer allocation failed');
      },
      onRoom: note('onRoom'),
      end: note('end'),
      breakOff: note('breakOff'),
    },
    middle: { prepare: async ({ body }) => ({ body }) },
    upstreams: {
      send: (_, heard) => {
        hearer = heard;
        return { abort: note('abort'), pause: note('pause'), resume: () => undefined };
      },
      close: async () => undefined,
    },
    metrics: {
      bytes: () => undefined,
      firstByte: () => undefined,
      middleFailed: note('failed'),
      upstreamFailed: note('upstream'),
    },
    tell: () => undefined,
    requestFor: ({ body }) => ({ method: 'POST', origin: 'http://127.0.0.1', path: '/', headers: [], body }),
    fail: note('fail'),
    now: () => 0,
    timers: handTimers(),
  };
  const prepared = {
    body: received.body,
    settle: () => ({ watch: { read: note('read'), end: (how: string) => void seen.push(how) } }),
  };
  const tried = new Attempt({ exchange, prepared, triesLeft: 0, startedAt: 0 }).run();
  hearer?.head({ status: 200, statusText: 'OK', headers: [] });
  hearer?.bytes(Buffer.from('data: one\n\n'));
  hearer?.bytes(Buffer.from('data: two\n\n'));
  assert.deepEqual(await tried, { type: 'over', how: 'broken', usage: undefined });
  assert.deepEqual(seen, ['failed', 'abort', 'breakOff', 'broken']);
});
