/** Both sides of the worker in one process, over a channel of Node that copies what is said: all that a real one does but its life. */
import { MessageChannel } from 'node:worker_threads';
import { platformTimers } from '@palimpsest/core/settings';
import type { Middle } from '../../../packages/palimpsest/src/gateway/middle.ts';
import { Far } from '../../../packages/palimpsest/src/gateway/worker/far.ts';
import type { Order, Reply } from '../../../packages/palimpsest/src/gateway/worker/messages.ts';
import { Near, type NearLimits } from '../../../packages/palimpsest/src/gateway/worker/near.ts';

export interface Across extends Disposable {
  readonly near: Near;
  /** What was said to the far side, by type. */
  readonly said: readonly Order['type'][];
  /** Settles when the far side has heard all that was said before. */
  readonly heard: () => Promise<void>;
}

export interface AcrossOptions {
  readonly limits?: NearLimits;
  /** While it says so, the far side hears nothing. @default never */
  readonly isHeld?: () => boolean;
}

/** The near side of a middle. */
export function across(middle: Middle, { limits, isHeld = () => false }: AcrossOptions = {}): Across {
  const { port1, port2 } = new MessageChannel();
  const pongs: (() => void)[] = [];
  const said: Order['type'][] = [];
  const held: Order[] = [];
  const near = new Near(
    (order, handed = []) => {
      said.push(order.type);
      port1.postMessage(order, [...handed]);
    },
    platformTimers,
    limits,
  );
  const far = new Far(middle, (reply, handed = []) => port2.postMessage(reply, [...handed]));
  port1.on('message', (reply: Reply) => {
    if (reply.type === 'pong') pongs.shift()?.();
    else near.hear(reply);
  });
  port2.on('message', (order: Order) => {
    if (order.type === 'stop') return;
    held.push(order);
    while (!isHeld()) {
      const next = held.shift();
      if (!next || next.type === 'stop') return;
      far.hear(next);
    }
  });
  return {
    near,
    said,
    heard: () =>
      new Promise((resolve) => {
        near.handOver();
        pongs.push(resolve);
        port1.postMessage({ type: 'ping' } satisfies Order);
      }),
    [Symbol.dispose]: () => port1.close(),
  };
}
