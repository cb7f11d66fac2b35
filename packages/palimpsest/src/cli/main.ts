#!/usr/bin/env node
/** The entry of the command line: gives the process to `runCli` and takes the exit code from it. */
import { nodeProblem, runCli } from './cli.ts';
import { exitCodes } from './exit-codes.ts';
import { systemCode } from './input.ts';
import { removeUnfinished } from './output-file.ts';

const { argv, env, platform, stderr, stdin, stdout } = process;
// As it is now: while a plugin runs, `process.exit` is not to be had.
const exit = process.exit.bind(process);

for (const stream of [stdout, stderr]) {
  stream.on('error', (error) => {
    removeUnfinished();
    // The reader of a pipe has seen enough (`| head`): that is no error, and there is nobody left to tell.
    if (systemCode(error) === 'EPIPE') exit(exitCodes.fine);
    if (stream === stdout) stderr.write(`palimpsest: standard output cannot be written: ${error.message}\n`);
    exit(exitCodes.input);
  });
}

const problem = nodeProblem(process.versions.node);
if (problem !== undefined) {
  stderr.write(`palimpsest: ${problem}\n`);
  exit(exitCodes.usage);
}

const interruptListeners = new Set<() => void>();

process.on('SIGINT', () => {
  const listeners = [...interruptListeners];
  // A second Ctrl-C does not wait for what the first one asked for.
  interruptListeners.clear();
  for (const listener of listeners) listener();
  if (listeners.length > 0) return;
  removeUnfinished();
  exit(exitCodes.interrupted);
});

process.once('SIGTERM', () => {
  removeUnfinished();
  // 128 + SIGTERM, as shells count it.
  exit(143);
});

let hasRunPlugins = false;
// Not `exit`: what was written to a pipe has to reach it first.
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
  onPluginRun: () => {
    hasRunPlugins = true;
  },
});

if (hasRunPlugins) {
  for (const stream of [stdout, stderr]) await new Promise<void>((resolve) => stream.write('', () => resolve()));
  exit();
}
