/** Ends a command where the code of a plugin never lets go of the processor: no time limit could. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { exitCodes } from '../exit-codes.ts';
import { visible } from '../render/text.ts';
import type { Watch } from './watchdog-worker.ts';

const beatMs = 100;

/** What is watched. */
export interface Watched {
  /** Name of the engine. */
  readonly name: string;
  readonly limitMs: number;
  /** True where standard output is to have a document in any case. */
  readonly json: boolean;
}

/**
 * Watches until it is disposed of; the code is to be run when the promise is fulfilled. Meanwhile Ctrl-C ends the process
 * also where the code does not let go of the processor.
 */
export async function watchPlugin({ name, limitMs, json }: Watched): Promise<Disposable> {
  const beat = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const seconds = Math.round(limitMs / 1_000);
  const message = `The context engine "${name}" blocked the process for ${seconds} seconds, so the command was stopped. Nothing was changed: check the engine (palimpsest plugins check), or use another (palimpsest plugins use compressor).`;
  const document = { error: { code: 'BAD_PLUGIN', message, evidence: { name } } };
  const lastWords = {
    stderr: `palimpsest: ${visible(message)}\n`,
    stdout: json ? `${JSON.stringify(document, null, 2)}\n` : '',
  };
  const worker = new Worker(new URL(import.meta.resolve('#watchdog-worker')), {
    workerData: { beat, limitMs, lastWords, exitCode: exitCodes.input } satisfies Watch,
  });
  await once(worker, 'online');
  worker.unref();
  const listeners = process.listeners('SIGINT');
  const listen = (): void => {
    if (process.listenerCount('SIGINT') === 0) for (const listener of listeners) process.on('SIGINT', listener);
  };
  const timer = setInterval(() => {
    listen();
    Atomics.add(beat, 0, 1);
    Atomics.notify(beat, 0);
  }, beatMs);
  return {
    [Symbol.dispose]: () => {
      clearInterval(timer);
      listen();
      void worker.terminate();
    },
  };
}
