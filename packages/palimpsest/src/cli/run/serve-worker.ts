/** The worker of `palimpsest serve`: keeps conversations, so that no stream waits while one is read or compressed. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { ErrorData, News, Order } from '../../gateway/worker/messages.ts';
import { keepCompiledCode } from '../compiled-code.ts';
import type { AboutKept, ServeOrder } from './serve-conversations.ts';

// Only `openKept` starts this file, with such an order.
if (parentPort) void serve(parentPort, workerData as ServeOrder);

async function serve(port: MessagePort, { flags, surroundings }: ServeOrder): Promise<void> {
  const say = (news: News<AboutKept>, handed: readonly ArrayBuffer[] = []): void => port.postMessage(news, [...handed]);
  keepCompiledCode(process.env, process.platform);
  try {
    const [{ Far }, { openKeeping }] = await Promise.all([
      import('../../gateway/worker/far.ts'),
      import('./serve-keep.ts'),
    ]);
    const note = (line: string): void => say({ type: 'note', line });
    const { middle, about, close } = await openKeeping(flags, { surroundings, note });
    const far = new Far(middle, say);
    const stop = async (): Promise<void> => {
      await far.finish();
      await close();
      say({ type: 'stopped' });
    };
    port.on('message', (order: Order) => {
      if (order.type === 'stop') void stop();
      else far.hear(order);
    });
    say({ type: 'opened', about });
  } catch (error) {
    say({ type: 'unopened', error: dataOf(error) });
    port.close();
  }
}

/** The errors that are expected here have a code and short evidence; of all others a person sees where they were thrown. */
function dataOf(error: unknown): ErrorData {
  if (!(error instanceof Error)) return { code: undefined, message: String(error), evidence: {} };
  const { code, evidence } = error as Error & { readonly code?: unknown; readonly evidence?: ErrorData['evidence'] };
  const isOurs = typeof code === 'string' && evidence !== undefined;
  return isOurs
    ? { code, message: error.message, evidence }
    : { code: undefined, message: error.stack ?? error.message, evidence: {} };
}
