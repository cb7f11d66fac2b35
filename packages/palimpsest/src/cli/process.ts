/** Gives the process to `runCli` and takes the exit code from it. */
import { runCli } from './cli.ts';
import { exitCodes } from './exit-codes.ts';
import { systemCode } from './system-code.ts';
import { removeUnfinished } from './unfinished-files.ts';

const { stderr, stdin, stdout } = process;

/** Runs the command line that the process was started with. Ends with its exit code, also where plugins leave something running. */
export async function runProcess(): Promise<void> {
  // As it is now: while a plugin runs, `process.exit` is not to be had.
  const exit = process.exit.bind(process);
  watchStreams(exit);
  const { onInterrupt, onStop } = watchSignals(exit);
  let hasRunPlugins = false;
  // Not `exit`: what was written to a pipe has to reach it first.
  process.exitCode = await runCli(process.argv.slice(2), {
    stdin,
    stdout,
    stderr,
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    now: () => performance.now(),
    tty: { input: stdin, output: stdout, host: process },
    onInterrupt,
    onStop,
    onPluginRun: () => {
      hasRunPlugins = true;
    },
  });
  if (!hasRunPlugins) return;
  for (const stream of [stdout, stderr]) await new Promise<void>((resolve) => stream.write('', () => resolve()));
  exit();
}

type Exit = typeof process.exit;

function watchStreams(exit: Exit): void {
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error) => {
      removeUnfinished();
      // The reader of a pipe has seen enough (`| head`): that is no error, and there is nobody left to tell.
      if (systemCode(error) === 'EPIPE') exit(exitCodes.fine);
      if (stream === stdout) stderr.write(`palimpsest: standard output cannot be written: ${error.message}\n`);
      exit(exitCodes.input);
    });
  }
}

type Listen = (listener: () => void) => () => void;

/** Gives what lets a command hear the next Ctrl-C, or that and the next SIGTERM, in place of the end of the process. */
function watchSignals(exit: Exit): { readonly onInterrupt: Listen; readonly onStop: Listen } {
  const interrupts = new Set<() => void>();
  const stops = new Set<() => void>();
  /** True when somebody heard it. A second signal does not wait for what the first one asked for. */
  const tell = (...sets: readonly Set<() => void>[]): boolean => {
    const listeners = sets.flatMap((set) => [...set]);
    for (const set of sets) set.clear();
    for (const listener of listeners) listener();
    return listeners.length > 0;
  };
  const end = (code: number): void => {
    removeUnfinished();
    exit(code);
  };
  process.on('SIGINT', () => {
    if (!tell(interrupts, stops)) end(exitCodes.interrupted);
  });
  process.on('SIGTERM', () => {
    // 128 + SIGTERM, as shells count it.
    if (!tell(stops)) end(143);
  });
  return { onInterrupt: listenTo(interrupts), onStop: listenTo(stops) };
}

const listenTo =
  (listeners: Set<() => void>): Listen =>
  (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
