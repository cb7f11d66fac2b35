#!/usr/bin/env node
/** The entry of the command line: gives the process to `runCli` and takes the exit code from it. */
import { runCli } from './cli.ts';
import { exitCodes } from './exit-codes.ts';
import { systemCode } from './input.ts';
import { removeUnfinished } from './output-file.ts';

const { argv, env, platform, stderr, stdin, stdout } = process;

for (const stream of [stdout, stderr]) {
  stream.on('error', (error) => {
    // The reader of a pipe has seen enough (`| head`): that is no error, and there is nobody left to tell.
    process.exit(systemCode(error) === 'EPIPE' ? exitCodes.fine : exitCodes.internal);
  });
}

const interruptListeners = new Set<() => void>();

process.on('SIGINT', () => {
  const listeners = [...interruptListeners];
  // A second Ctrl-C does not wait for what the first one asked for.
  interruptListeners.clear();
  for (const listener of listeners) listener();
  if (listeners.length > 0) return;
  removeUnfinished();
  process.exit(exitCodes.interrupted);
});

process.once('SIGTERM', () => {
  removeUnfinished();
  // 128 + SIGTERM, as shells count it.
  process.exit(143);
});

// Not `process.exit`: what was written to a pipe has to reach it first.
process.exitCode = await runCli(argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  cwd: process.cwd(),
  platform,
  now: () => performance.now(),
  onInterrupt: (listener) => {
    interruptListeners.add(listener);
    return () => void interruptListeners.delete(listener);
  },
});
