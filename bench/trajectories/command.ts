/** The command `palimpsest trajectories compress` as a process of its own: how long it takes, and how much memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../options.ts';

/** Why the command cannot be measured, for a person; undefined when it can. */
export const missingCommand = (): string | undefined =>
  existsSync(join(root, 'packages/palimpsest/src/cli/commands/trajectories.ts'))
    ? undefined
    : 'the command `palimpsest trajectories` is not there yet';

export interface CompressArgs {
  /** The file of the command line, built or not. @default the sources */
  readonly main?: string;
  readonly input: string;
  readonly output: string;
  readonly workers: number;
  readonly targetTokens: number;
  /** Flags besides. @default none */
  readonly more?: readonly string[];
}

/** The words of a call, behind `node`. */
export const compressWords = ({
  main = join(root, 'packages/palimpsest/src/cli/main.ts'),
  input,
  output,
  workers,
  targetTokens,
  more = [],
}: CompressArgs): readonly string[] => [
  ...[main, 'trajectories', 'compress', input, '-o', output, '--workers', String(workers)],
  ...['--target-tokens', String(targetTokens), '--tokenizer', 'o200k_base', ...more],
];

export interface CommandRun {
  /** The exit code, or the signal that ended it. */
  readonly ended: number | string;
  readonly seconds: number;
  /** The most memory the process ever had, in MB; undefined where the system does not say. */
  readonly peakMb: number | undefined;
  readonly printed: string;
}

const lookEveryMs = 20;
const longestPrinted = 1_000_000;

/**
 * Runs a command to its end, in sight of `onLook`, which is called fifty times a second and may kill it.
 */
export async function runCommand(
  words: readonly string[],
  {
    command = process.execPath,
    onLook,
  }: { readonly command?: string; readonly onLook?: (child: ChildProcess) => void } = {},
): Promise<CommandRun> {
  const start = performance.now();
  const child = spawn(command, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  const hear = (text: string): void => {
    printed = (printed + text).slice(-longestPrinted);
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  let peakMb: number | undefined;
  const look = setInterval(() => {
    peakMb = peakOf(child.pid) ?? peakMb;
    onLook?.(child);
  }, lookEveryMs);
  try {
    const [code, signal] = await once(child, 'close');
    const ended = typeof code === 'number' ? code : String(signal);
    return { ended, seconds: (performance.now() - start) / 1_000, peakMb, printed };
  } finally {
    clearInterval(look);
  }
}

/** The high-water mark of a process, all of its threads together, as Linux keeps it. */
function peakOf(pid: number | undefined): number | undefined {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return kib === undefined ? undefined : (Number(kib) * 1_024) / 1e6;
  } catch {
    // It has just ended, or this is no Linux: the last look counts.
    return undefined;
  }
}

/** The run, where it ended well. Throws an error with what it printed last where it did not. */
export function succeeded(run: CommandRun, what: string): CommandRun {
  if (run.ended !== 0) throw new Error(`${what} ended with ${run.ended}, expected 0: ${run.printed.slice(-600)}`);
  return run;
}
