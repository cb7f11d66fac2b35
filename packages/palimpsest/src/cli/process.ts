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
  const signals = watchSignals(exit);
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
    ...signals,
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

/** What lets a command hear the next signal in place of the end of the process. */
interface SignalDoors {
  readonly onInterrupt: (listener: () => void) => () => void;
  readonly onTerminate: (listener: () => void) => () => void;
}

function watchSignals(exit: Exit): SignalDoors {
  return {
    onInterrupt: watchSignal('SIGINT', () => exit(exitCodes.interrupted)),
    // 128 + SIGTERM, as shells count it.
    onTerminate: watchSignal('SIGTERM', () => exit(143)),
  };
}

function watchSignal(signal: 'SIGINT' | 'SIGTERM', end: () => void): (listener: () => void) => () => void {
  const listening = new Set<() => void>();
  process.on(signal, () => {
    const listeners = [...listening];
    // A second signal does not wait for what the first one asked for.
    listening.clear();
    for (const listener of listeners) listener();
    if (listeners.length > 0) return;
    removeUnfinished();
    end();
  });
  return (listener) => {
    listening.add(listener);
    return () => void listening.delete(listener);
  };
}
