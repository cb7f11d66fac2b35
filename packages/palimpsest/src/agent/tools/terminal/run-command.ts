/** One command as a process of its own, in a group of its own: whatever it starts ends with it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Timers } from '@palimpsest/core/settings';
import { createKeptOutput, type KeptOutput } from './kept-output.ts';

export interface CommandStart {
  /** A line for the shell. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timers: Timers;
  /** Handed what is written, as it comes. */
  readonly onOutput: (text: string) => void;
}

/** How a command ended. */
export type CommandEnd =
  | { readonly type: 'exit'; readonly code: number }
  | { readonly type: 'signal'; readonly signal: string }
  /** It never began. */
  | { readonly type: 'failed'; readonly reason: string };

export interface RunningCommand {
  readonly pid: number | undefined;
  readonly output: KeptOutput;
  /** Resolves when the command has ended, and all that it started. */
  readonly ended: Promise<CommandEnd>;
  /** Undefined while it runs. */
  end(): CommandEnd | undefined;
  /** Asks the whole group to end, and makes it end a moment later. */
  stop(): void;
}

/** How long a group may take to end when asked. */
const graceMs = 1_500;
/** How long the pipes of a command that has ended may stay open. */
const pipesMs = 250;

/** Bash where there is one: models write for it. */
const shell = (): readonly string[] =>
  existsSync('/bin/bash') || existsSync('/usr/bin/bash')
    ? ['bash', '--noprofile', '--norc', '-c', '--']
    : ['sh', '-c', '--'];

export function startCommand({ command, cwd, env, timers, onOutput }: CommandStart): RunningCommand {
  const output = createKeptOutput();
  const [program = 'sh', ...words] = shell();
  let child: ChildProcess;
  try {
    child = spawn(program, [...words, command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  } catch (error) {
    // Such as a NUL in the command.
    const end: CommandEnd = { type: 'failed', reason: messageOf(error) };
    return { pid: undefined, output, ended: Promise.resolve(end), end: () => end, stop: () => undefined };
  }
  listen(child, (text) => {
    output.add(text);
    onOutput(text);
  });
  let end: CommandEnd | undefined;
  const ended = ending(child, timers).then((found) => {
    end = found;
    return found;
  });
  let isStopped = false;
  const stop = (): void => {
    if (isStopped || end !== undefined) return;
    isStopped = true;
    signalGroup(child, 'SIGTERM');
    const off = timers.after(graceMs, () => signalGroup(child, 'SIGKILL'));
    void ended.then(off);
  };
  return { pid: child.pid, output, ended, end: () => end, stop };
}

/** Both streams as one text, in the order in which they come; a character is never cut in two. */
function listen(child: ChildProcess, hear: (text: string) => void): void {
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new TextDecoder();
    stream?.on('data', (chunk: Uint8Array) => hear(decoder.decode(chunk, { stream: true })));
    stream?.on('end', () => hear(decoder.decode()));
    stream?.on('error', () => undefined);
  }
}

function ending(child: ChildProcess, timers: Timers): Promise<CommandEnd> {
  return new Promise((resolve) => {
    let off = (): void => undefined;
    const finish = (end: CommandEnd): void => {
      off();
      forget(child);
      // What is left of the group would hold the pipes open, and run on unseen.
      signalGroup(child, 'SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(end);
    };
    remember(child);
    child.once('error', (error) => finish({ type: 'failed', reason: messageOf(error) }));
    const endOf = (code: number | null, signal: string | null): CommandEnd =>
      signal === null ? { type: 'exit', code: code ?? 0 } : { type: 'signal', signal };
    // Its last words may still be on their way.
    child.once('exit', (code, signal) => {
      off = timers.after(pipesMs, () => finish(endOf(code, signal)));
    });
    child.once('close', (code, signal) => finish(endOf(code, signal)));
  });
}

/** What still runs: it ends with this process, whatever ends that. */
const live = new Set<ChildProcess>();

const killLive = (): void => {
  for (const child of live) signalGroup(child, 'SIGKILL');
};

function remember(child: ChildProcess): void {
  if (live.size === 0) process.on('exit', killLive);
  live.add(child);
}

function forget(child: ChildProcess): void {
  live.delete(child);
  if (live.size === 0) process.off('exit', killLive);
}

function signalGroup({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
