/** Runs one command in a process of its own: bounded in time and in what it may say. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { HookCommand } from '../config/hooks.ts';

/** What a command is given. */
export interface CommandInput {
  readonly command: HookCommand['command'];
  /** Written to its standard input. */
  readonly input: string;
  readonly timeoutMs: number;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Once it fires, nobody waits for the command any more. @default it never does */
  readonly signal?: AbortSignal | undefined;
}

/** How a command ended. */
export type CommandOutcome =
  | { readonly type: 'done'; readonly stdout: string }
  | { readonly type: 'late' }
  | { readonly type: 'aborted' }
  | { readonly type: 'too_much' }
  /** `said` is the end of what it wrote to standard error. */
  | { readonly type: 'failed'; readonly why: string; readonly said: string };

/** So many bytes of an answer are read; more is none. */
const mostAnswerBytes = 64 * 1024;
const mostErrorBytes = 4 * 1024;
/** How long the pipes of a command that has ended may stay open. */
const graceMs = 250;

/** Never throws; the command and all processes that it started are gone when it has not ended in time, or was aborted. */
export function runCommand(what: CommandInput): Promise<CommandOutcome> {
  const { signal } = what;
  if (signal?.aborted) return Promise.resolve({ type: 'aborted' });
  return new Promise((resolve) => {
    let child: ChildProcess;
    try {
      child = started(what);
    } catch (error) {
      // Such as a NUL in the command.
      resolve(failed(error, ''));
      return;
    }
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    let [outBytes, errBytes] = [0, 0];
    const kill = (): void => killGroup(child);
    let grace: NodeJS.Timeout | undefined;
    const end = (outcome: CommandOutcome): void => {
      clearTimeout(timer);
      clearTimeout(grace);
      signal?.removeEventListener('abort', abort);
      process.off('exit', kill);
      // What the command has left behind may still hold the pipes open.
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(outcome);
    };
    const endGroup = (outcome: CommandOutcome): void => {
      kill();
      end(outcome);
    };
    const abort = (): void => endGroup({ type: 'aborted' });
    signal?.addEventListener('abort', abort, { once: true });
    const timer = setTimeout(() => endGroup({ type: 'late' }), what.timeoutMs);
    process.once('exit', kill);
    child.stdout?.on('data', (piece: Buffer) => {
      out.push(piece);
      outBytes += piece.length;
      if (outBytes > mostAnswerBytes) endGroup({ type: 'too_much' });
    });
    child.stderr?.on('data', (piece: Buffer) => {
      err.push(piece);
      errBytes += piece.length;
      while (errBytes - (err[0]?.length ?? 0) > mostErrorBytes) errBytes -= err.shift()?.length ?? 0;
    });
    // A command that does not read its input closes the pipe.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(what.input);
    const said = (): string => Buffer.concat(err).subarray(-mostErrorBytes).toString().trim();
    const ended = (code: number | null, signal: string | null): void => {
      if (code === 0) end({ type: 'done', stdout: Buffer.concat(out).toString() });
      else end({ type: 'failed', why: code === null ? `stopped by ${signal}` : `exit code ${code}`, said: said() });
    };
    child.on('error', (error) => end(failed(error, said())));
    // One that leaves a process behind has ended all the same; its own words may still be on their way.
    child.on('exit', (code, signal) => {
      grace = setTimeout(() => ended(code, signal), graceMs);
    });
    child.on('close', ended);
  });
}

/** In a group of its own, so that what it starts can be ended with it; Windows has no such groups. */
function started({ command, cwd, env }: CommandInput): ChildProcess {
  const options = { cwd, env: { ...env }, stdio: 'pipe', detached: process.platform !== 'win32' } as const;
  if (typeof command === 'string') return spawn(command, { ...options, shell: true, windowsHide: true });
  const [program = '', ...args] = command;
  return spawn(program, args, { ...options, windowsHide: true });
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group has ended by itself.
  }
}

const failed = (error: unknown, said: string): CommandOutcome => ({
  type: 'failed',
  why: error instanceof Error ? error.message : String(error),
  said,
});
