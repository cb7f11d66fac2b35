/** Runs the real command line: as a process of its own, or in this one with made-up streams. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCli } from '../../packages/palimpsest/src/cli/cli.ts';
import type { Output, Terminal } from '../../packages/palimpsest/src/cli/terminal.ts';
import { compiledFolder } from './compiled-code.ts';

export const entry: string = fileURLToPath(new URL('../../packages/palimpsest/src/cli/main.ts', import.meta.url));

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string | Uint8Array;
}

/** An environment that says nothing about this machine; that the types are already stripped makes a start three times faster. */
export const quietEnv: Readonly<Record<string, string>> = {
  LANG: 'C.UTF-8',
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: compiledFolder,
};

/** The command line as a person runs it, with pipes for its streams. */
export function runProcess(args: readonly string[], { cwd, env = {}, input }: RunOptions = {}): Promise<Outcome> {
  const home = cwd ?? tmpdir();
  const child = spawn(process.execPath, [entry, ...args], { cwd: home, env: { ...quietEnv, HOME: home, ...env } });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  // A process that ends before it has read its input closes the pipe.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });
}

export interface TerminalOptions extends RunOptions {
  /** True when a person sits at standard output and standard error. */
  readonly isTerminal?: boolean;
  readonly columns?: number;
  readonly now?: () => number;
  readonly onInterrupt?: (listener: () => void) => () => void;
}

/** The same in this process, for what a pipe cannot show: a terminal, its width, its colours, the time that passes. */
export async function runHere(args: readonly string[], options: TerminalOptions = {}): Promise<Outcome> {
  const { terminal, out, err } = made(options);
  const code = await runCli(args, terminal);
  return { code, stdout: out(), stderr: err() };
}

/** Made-up streams, and what was written to them. */
export function made({
  isTerminal = false,
  columns,
  input,
  cwd = tmpdir(),
  env = {},
  now = () => 0,
  onInterrupt,
}: TerminalOptions): { readonly terminal: Terminal; readonly out: () => string; readonly err: () => string } {
  const out = collector(isTerminal, columns);
  const err = collector(isTerminal, columns);
  const terminal: Terminal = {
    stdin: stdinOf(input),
    stdout: out.output,
    stderr: err.output,
    env: { LANG: 'C.UTF-8', HOME: cwd, ...env },
    cwd,
    platform: 'linux',
    now,
    ...(onInterrupt ? { onInterrupt } : {}),
  };
  return { terminal, out: out.text, err: err.text };
}

function collector(isTTY: boolean, columns: number | undefined): { output: Output; text: () => string } {
  const chunks: Buffer[] = [];
  const output: Output = {
    isTTY,
    ...(columns === undefined ? {} : { columns }),
    writableNeedDrain: false,
    write: (text) => {
      chunks.push(Buffer.from(text));
      return true;
    },
    once: () => undefined,
  };
  return { output, text: () => Buffer.concat(chunks).toString() };
}

function stdinOf(input: string | Uint8Array | undefined): AsyncIterable<Uint8Array | string> & { isTTY: boolean } {
  async function* chunks(): AsyncGenerator<Uint8Array | string> {
    if (input !== undefined) yield input;
  }
  return { isTTY: input === undefined, [Symbol.asyncIterator]: chunks };
}

/** A folder with some files, gone after `use`. */
export async function inFolder<T>(
  files: Readonly<Record<string, string | Uint8Array>>,
  use: (folder: string) => Promise<T> | T,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-'));
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const silent = { writableNeedDrain: false, write: () => true, once: () => undefined };
export const deafTerminal: Terminal = {
  stdin: { async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {} },
  stdout: silent,
  stderr: silent,
  env: {},
  cwd: '/',
  platform: 'linux',
  now: () => 0,
};
