/** `palimpsest serve` as a person runs it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entry, quietEnv } from '../../support/command-line.ts';

/** A gateway in a process of its own, and what it has said so far. */
export interface Running extends AsyncDisposable {
  readonly child: ChildProcess;
  readonly url: string;
  readonly out: () => string;
}

/** Starts `palimpsest serve`; `before` is what it is run by. Its process is killed at the end. */
export async function serving(
  args: readonly string[],
  {
    env = {},
    before = [],
  }: { readonly env?: Readonly<Record<string, string>>; readonly before?: readonly string[] } = {},
): Promise<Running> {
  const [command = '', ...words] = [...before, process.execPath, entry, 'serve', '--port', '0', ...args];
  // Of its own: the store of a person lies there where no other is named.
  const home = mkdtempSync(join(tmpdir(), 'palimpsest-serve-'));
  const child = spawn(command, words, {
    cwd: home,
    env: { ...quietEnv, HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const url = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
        const found = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
        if (found !== undefined && /gemini\s+→|"gemini"/.test(text)) resolve(found);
      });
    child.once('close', () => reject(new Error(`it ended: ${text}`)));
  });
  const ended = once(child, 'close');
  return {
    child,
    url: await url,
    out: () => text,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(home, { recursive: true });
    },
  };
}
