/** Keeps what the code of plugins does to the process within bounds while a command runs it. */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { badPlugin, reasonOf } from '@palimpsest/core/engine';
import { exitCodes } from '../exit-codes.ts';
import { visible } from '../render/text.ts';
import { type Terminal, writeNotes } from '../terminal.ts';
import type { Watch } from './watchdog-worker.ts';

/** A command that may run code of plugins; to be disposed of when it is done with them, as often as one likes. */
export interface Containment extends Disposable {
  /**
   * What the work gives. What the code prints meanwhile goes to standard error. Throws what the work throws, and
   * `BAD_PLUGIN` that names the engine where its code fails outside of every call. From then on, until it is disposed of,
   * nothing but the command itself ends the process: an exit fails, a failure is told. Code that does not let go of the
   * processor for longer than `limitMs` ends the command.
   */
  run<T>({ name, limitMs }: ContainedCode, work: () => Promise<T>): Promise<T>;
}

interface ContainedCode {
  /** Of the engine. */
  readonly name: string;
  /** How long the work itself waits for it, in milliseconds; undefined where its code is most likely ours. */
  readonly limitMs: number | undefined;
}

/** What the work needs beside to find out that it has waited long enough. */
const marginMs = 2_000;

export function containPlugins(terminal: Terminal): Containment {
  let fail: ((error: unknown) => void) | undefined;
  let release: (() => void) | undefined;
  const escaped = (error: unknown): void => {
    if (fail) fail(error);
    else void writeNotes({ ...terminal, quiet: false }, [`A plugin failed outside any call (${reasonOf(error)}).`]);
  };
  return {
    async run({ name, limitMs }, work) {
      // A worker of its own is only started where there is something to watch.
      using _watch = limitMs === undefined ? undefined : await watchPlugin(name, limitMs + marginMs, terminal);
      release ??= holdProcess(escaped);
      const { promise: failed, reject } = Promise.withResolvers<never>();
      fail = (error) =>
        reject(badPlugin(`The context engine "${name}" failed outside any call (${reasonOf(error)})`, error));
      const restore = printAside();
      try {
        return await Promise.race([work(), failed]);
      } finally {
        restore();
        fail = undefined;
      }
    },
    [Symbol.dispose]: () => {
      release?.();
      release = undefined;
    },
  };
}

/** Gives back what lets go of it. */
function holdProcess(escaped: (error: unknown) => void): () => void {
  const { exit } = process;
  process.exit = (code) => {
    throw new Error(`it called process.exit(${code ?? ''})`);
  };
  process.on('uncaughtException', escaped).on('unhandledRejection', escaped);
  return () => {
    process.exit = exit;
    process.off('uncaughtException', escaped).off('unhandledRejection', escaped);
  };
}

/** What a plugin prints is not what the command prints. Gives back what ends it. */
function printAside(): () => void {
  const { stdout, stderr } = process;
  const { write } = stdout;
  stdout.write = stderr.write.bind(stderr);
  return () => {
    stdout.write = write;
  };
}

// Ends a command where the code of a plugin never lets go of the processor: no time limit could.

const beatMs = 100;

/**
 * Watches until it is disposed of; the code is to be run when the promise is fulfilled. Meanwhile Ctrl-C ends the process
 * also where the code does not let go of the processor.
 */
async function watchPlugin(name: string, limitMs: number, { json }: Terminal): Promise<Disposable> {
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
