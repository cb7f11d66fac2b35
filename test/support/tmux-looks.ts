/**
 * Looks at a terminal of tmux over one connection, in its control mode: a test looks thousands of times, and a process for
 * each look costs more than everything that it looks at.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';

export interface Looks {
  /** What a command of tmux prints; its words hold no line break. */
  ask(words: readonly string[]): Promise<string>;
  close(): void;
}

interface Question {
  readonly resolve: (printed: string) => void;
  readonly reject: (error: Error) => void;
}

/** A client that has no size of its own, and is told nothing but the answers to its questions. */
export function openLooks(socket: string, env: NodeJS.ProcessEnv): Looks {
  const words = ['-S', socket, '-C', 'attach-session', '-f', 'ignore-size,no-output'];
  const client = spawn('tmux', words, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting: Question[] = [];
  let end: string | undefined;
  let said: string[] = [];
  const take = (line: string): void => {
    if (end === undefined) {
      // The last number is 1 for what this client asked, and 0 for what it was started with.
      end = /^%begin (\d+ \d+ 1)$/.exec(line)?.[1];
      said = [];
    } else if (line === `%end ${end}` || line === `%error ${end}`) {
      end = undefined;
      const question = waiting.shift();
      if (line.startsWith('%end')) question?.resolve(said.map((one) => `${one}\n`).join(''));
      else question?.reject(new Error(`tmux: ${said.join(' ')}`));
    } else said.push(line);
  };
  let rest = '';
  client.stdout.setEncoding('utf8').on('data', (piece: string) => {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  const lost = (): void => {
    for (const { reject } of waiting.splice(0)) reject(new Error('tmux has ended its connection'));
  };
  client.on('error', lost).on('close', lost);
  client.stdin.on('error', lost);
  return { ask: (asked) => askOver(client, waiting, asked), close: () => client.stdin?.end() };
}

function askOver(client: ChildProcess, waiting: Question[], words: readonly string[]): Promise<string> {
  assert.ok(
    words.every((word) => !word.includes('\n')),
    'a line break ends a command',
  );
  return new Promise((resolve, reject) => {
    if (client.exitCode !== null || client.signalCode !== null) return reject(new Error('tmux is no longer there'));
    waiting.push({ resolve, reject });
    client.stdin?.write(`${words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')}\n`);
  });
}
