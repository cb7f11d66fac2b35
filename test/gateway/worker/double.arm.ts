/** A worker for tests, which does what the body of a request says. */
import { parentPort } from 'node:worker_threads';
import type { Received } from '../../../packages/palimpsest/src/gateway/middle.ts';
import { Far } from '../../../packages/palimpsest/src/gateway/worker/far.ts';
import type { Order } from '../../../packages/palimpsest/src/gateway/worker/messages.ts';

const acts: Readonly<Record<string, () => void>> = {
  'fill the memory': () => {
    for (const all: object[] = []; ; ) all.push(new Array(10_000).fill({}));
  },
  throw: () => {
    setImmediate(() => {
      throw new Error('a defect');
    });
  },
};

const port = parentPort;
const far = new Far(
  {
    prepare: async ({ body }: Received) => {
      acts[Buffer.from(body).toString()]?.();
      return new Promise((resolve) => setImmediate(() => setImmediate(() => resolve({ body: Buffer.from('other') }))));
    },
  },
  (reply, handed = []) => port?.postMessage(reply, [...handed]),
);
port?.on('message', (order: Order) => {
  if (order.type === 'stop') port.postMessage({ type: 'stopped' });
  else far.hear(order);
});
port?.postMessage({ type: 'opened', about: 'the double' });
