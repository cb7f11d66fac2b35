/** Keeps what the code of plugins does to the process within bounds while a command runs it. */
import { badPlugin, reasonOf } from '@palimpsest/core/engine';
import { type Terminal, writeNotes } from '../terminal.ts';
import { watchPlugin } from './watchdog.ts';

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

/** Whose code is run. */
export interface ContainedCode {
  /** Name of the engine. */
  readonly name: string;
  /** How long the work itself waits for it, in milliseconds; undefined where its code is most likely ours. */
  readonly limitMs: number | undefined;
}

/** What the work needs beside to find out that it has waited long enough. */
const marginMs = 2_000;

/** `json` is whether the command promises a document. */
export function containPlugins(terminal: Terminal, { json = false }: { readonly json?: boolean } = {}): Containment {
  let fail: ((error: unknown) => void) | undefined;
  let release: (() => void) | undefined;
  const escaped = (error: unknown): void => {
    if (fail) fail(error);
    else void writeNotes(terminal, [`A plugin failed outside any call (${reasonOf(error)}).`], {});
  };
  return {
    async run({ name, limitMs }, work) {
      // A worker of its own is only started where there is something to watch.
      using _watch = limitMs === undefined ? undefined : await watchPlugin({ name, limitMs: limitMs + marginMs, json });
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
