/** Ends a command where the code of a plugin never lets go of the processor: no time limit and no Ctrl-C could. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Watch } from './watchdog-worker.ts';

const beatMs = 100;

/** Watches until it is disposed of; the code is to be run when the promise is fulfilled. */
export async function watchPlugin(name: string, limitMs: number): Promise<Disposable> {
  const beat = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const seconds = Math.round(limitMs / 1_000);
  const lastWords = `palimpsest: The context engine "${name}" did not let go of the processor for ${seconds} seconds, so the command was ended. Nothing was changed: check it (palimpsest plugins check), or use another one (palimpsest plugins use compressor).\n`;
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const worker = new Worker(new URL(`./watchdog-worker.${ending}`, import.meta.url), {
    workerData: { beat, limitMs, lastWords } satisfies Watch,
  });
  await once(worker, 'online');
  worker.unref();
  const timer = setInterval(() => {
    Atomics.add(beat, 0, 1);
    Atomics.notify(beat, 0);
  }, beatMs);
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      void worker.terminate();
    },
  };
}
