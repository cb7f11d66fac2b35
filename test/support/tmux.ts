/**
 * A program in a real pseudo-terminal: a tmux server of its own, that nothing of a person's settings reaches. `close` ends it by
 * its id; no test looks for servers by name.
 */
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Looks, openLooks } from './tmux-looks.ts';

/** Why tests in a terminal are left out; undefined where they can run. */
export const noTmux: string | undefined = reasonWithoutTmux();

function reasonWithoutTmux(): string | undefined {
  const found = spawnSync('tmux', ['-V'], { encoding: 'utf8' });
  if (found.status !== 0) return 'tmux is not installed (apt-get install tmux)';
  const version = Number(/\d+\.\d+/.exec(found.stdout)?.[0] ?? 0);
  return version >= 3.3 ? undefined : `tmux is older than 3.3: ${found.stdout.trim()}`;
}

/** Between two looks at the screen. */
const lookMs = 30;
const usualTimeoutMs = 20_000;

/** What is run, and where. */
export interface TmuxOptions extends TmuxProgram {
  readonly columns: number;
  readonly rows: number;
}

/** A program with its arguments. */
export interface TmuxProgram {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment beside `TERM`, the locale and `HOME`, which is an empty folder where it is not named. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A key by the name that tmux has for it, such as `Enter`, `Escape`, `M-Enter`, `C-c`, `Tab`, `M-Up`. */
export type Key = string;

/** How long something may take to appear: never waited out, but where it does not come at all. */
export interface Patience {
  /** @default 20000 */
  readonly timeoutMs?: number;
}

/** A terminal with one program in it. */
export interface Tmux extends AsyncDisposable {
  /** The program's own id. */
  pid(): Promise<number>;
  /** Text as a person types it; no key is read into it. */
  type(text: string): Promise<void>;
  key(...keys: readonly Key[]): Promise<void>;
  /** Bytes as a terminal of another make would send them. */
  bytes(bytes: Uint8Array): Promise<void>;
  /** A paste: bracketed where the program asked for that, unless `isMarked` is false; with the line ends that terminals give. */
  paste(text: string, options?: { readonly isMarked?: boolean }): Promise<void>;
  /** What is visible, one line a row; without the spaces at line ends and without empty rows at the end. */
  screen(): Promise<string>;
  /** Everything since the start and what is visible, one line a row. */
  scrollback(): Promise<string>;
  /** The lines in it that the program wrote wider than the terminal, which broke them into rows. */
  brokenLines(): Promise<readonly string[]>;
  /** Waits until the screen shows it. Fails with the last screen. */
  shows(wanted: string | RegExp, patience?: Patience): Promise<string>;
  /** Waits until something holds for the screen; `what` says in a failure what was waited for. */
  until(what: string, holds: (screen: string) => boolean | Promise<boolean>, patience?: Patience): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** Writes every byte of the program to a file from here on, as it comes. */
  record(path: string): Promise<void>;
  /** Sends a signal to the program, not to what it has started, and waits for the program's end. */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Waits until the program has ended, and gives its exit code; undefined where a signal ended it. */
  ended(patience?: Patience): Promise<number | undefined>;
  /** Runs another program in the same terminal, once the one before has ended. */
  run(program: TmuxProgram): Promise<void>;
  close(): Promise<void>;
}

/** Opens a terminal. @throws where tmux refuses, with what it says */
export async function openTmux(options: TmuxOptions): Promise<Tmux> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-tmux-'));
  const server = await startServer(folder);
  const program = life(server, folder);
  const close = async (): Promise<void> => {
    // The server, as its parent, hears of its end; what a terminal that vanishes does to a program is for other tests.
    await program.kill('SIGKILL').catch(() => undefined);
    await server.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  try {
    const { columns, rows, cwd } = options;
    const size = ['-x', String(columns), '-y', String(rows)];
    await server.tmux(['new-session', '-d', ...size, '-c', cwd, ...inEnvironment(options, folder)]);
    server.look();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...hands(server.tmux),
    ...eyes(server.tmux),
    ...program,
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Command = (args: readonly string[], input?: string) => Promise<string>;

interface Server {
  readonly tmux: Command;
  /** From here on there is a terminal to look at. */
  look(): void;
  /** Has it look after programs that have ended: version 3.3 now and then misses the signal that says so. */
  remind(): void;
  close(): Promise<void>;
}

/** The status line would take a row; the sizes of windows are left alone, since naming them ends a server of version 3.3. */
const settings = `set -s exit-empty off
set -s escape-time 0
set -s extended-keys on
set -g status off
set -g history-limit 50000
set -g default-terminal tmux-256color
set -g remain-on-exit on
set -g remain-on-exit-format ''
`;

/** What only looks. */
const lookCommands: ReadonlySet<string> = new Set(['capture-pane', 'display-message']);

/** A server that is a child of this process, and so is gone with its id when it is ended. */
async function startServer(folder: string): Promise<Server> {
  const socket = join(folder, 'socket');
  writeFileSync(join(folder, 'settings'), settings);
  const env = { PATH: process.env.PATH ?? '', HOME: folder, LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' };
  const server = spawn('tmux', ['-D', '-S', socket, '-f', join(folder, 'settings')], { env, stdio: 'ignore' });
  const hasEnded = once(server, 'exit');
  // A test that dies leaves no server behind.
  const endWithUs = (): void => void server.kill('SIGKILL');
  process.once('exit', endWithUs);
  let looks: Looks | undefined;
  const tmux: Command = (args, input) => {
    if (looks && lookCommands.has(args[0] ?? '')) return looks.ask(args);
    return new Promise((resolve, reject) => {
      const limits = { env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const;
      const child = execFile('tmux', ['-S', socket, ...args], limits, (error, stdout, stderr) =>
        error ? reject(new Error(`tmux ${args[0]}: ${stderr.trim() || error.message}`)) : resolve(stdout),
      );
      child.stdin?.end(input);
    });
  };
  const look = (): void => {
    looks = openLooks(socket, env);
  };
  const close = async (): Promise<void> => {
    looks?.close();
    server.kill('SIGTERM');
    const timer = setTimeout(() => server.kill('SIGKILL'), 5_000);
    await hasEnded;
    clearTimeout(timer);
    process.off('exit', endWithUs);
  };
  for (const end = performance.now() + usualTimeoutMs; ; await delay(lookMs)) {
    try {
      await tmux(['display-message', '-p', '#{version}']);
      return { tmux, look, close, remind: () => void server.kill('SIGCHLD') };
    } catch (error) {
      if (performance.now() < end && server.exitCode === null) continue;
      await close();
      throw error;
    }
  }
}

/** The program through `env`, which lets nothing of the server's own environment in; `exec` makes its id the pane's. */
function inEnvironment({ command, env = {} }: TmuxProgram, home: string): readonly string[] {
  const usual = { HOME: home, LC_ALL: 'C.UTF-8', LANG: 'C.UTF-8', TERM: 'tmux-256color', PATH: process.env.PATH ?? '' };
  const pairs = Object.entries({ ...usual, ...env }).map(([name, value]) => `${name}=${value}`);
  return [`exec ${['env', '-i', ...pairs, ...command].map(quoted).join(' ')}`];
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

type Hands = Pick<Tmux, 'type' | 'key' | 'bytes' | 'paste' | 'resize' | 'record'>;

function hands(tmux: Command): Hands {
  return {
    async type(text) {
      // tmux ends a command at a semicolon that ends an argument.
      if (text !== '') await tmux(['send-keys', '-l', '--', text.replace(/;$/, '\\;')]);
    },
    async key(...keys) {
      await tmux(['send-keys', ...keys]);
    },
    async bytes(bytes) {
      await tmux(['send-keys', '-H', ...[...bytes].map((byte) => byte.toString(16))]);
    },
    async paste(text, { isMarked = true } = {}) {
      await tmux(['load-buffer', '-b', 'pasted', '-'], text);
      await tmux(['paste-buffer', ...(isMarked ? ['-p'] : []), '-d', '-b', 'pasted']);
    },
    async resize(columns, rows) {
      await tmux(['resize-window', '-x', String(columns), '-y', String(rows)]);
    },
    async record(path) {
      await tmux(['pipe-pane', `exec cat > ${quoted(path)}`]);
    },
  };
}

type Eyes = Pick<Tmux, 'screen' | 'scrollback' | 'brokenLines' | 'shows' | 'until'>;

const captured = ['capture-pane', '-p', '-S', '-'] as const;

function eyes(tmux: Command): Eyes {
  const screen = async (): Promise<string> => trimmed(await tmux(['capture-pane', '-p']));
  const scrollback = async (): Promise<string> => trimmed(await tmux(captured));
  const until: Tmux['until'] = async (what, holds, { timeoutMs = usualTimeoutMs } = {}) => {
    const end = performance.now() + timeoutMs;
    for (;;) {
      const seen = await screen();
      if (await holds(seen)) return seen;
      if (performance.now() > end)
        assert.fail(`Waited ${timeoutMs} ms for ${what}. The screen shows:\n${framed(seen)}`);
      await delay(lookMs);
    }
  };
  return {
    screen,
    scrollback,
    async brokenLines() {
      for (;;) {
        const before = await scrollback();
        const lines = trimmed(await tmux([...captured, '-J'])).split('\n');
        const rows = before.split('\n');
        // Between two looks a line may change, and then it is in one of them alone.
        if ((await scrollback()) === before) return lines.filter((line) => !rows.includes(line));
      }
    },
    until,
    shows: (wanted, patience) =>
      until(
        typeof wanted === 'string' ? JSON.stringify(wanted) : String(wanted),
        (seen) => (typeof wanted === 'string' ? seen.includes(wanted) : wanted.test(seen)),
        patience,
      ),
  };
}

const trimmed = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();

const framed = (screen: string): string =>
  screen
    .split('\n')
    .map((line) => `| ${line}`)
    .join('\n');

type Life = Pick<Tmux, 'pid' | 'kill' | 'ended' | 'run'>;

function life({ tmux, remind }: Server, home: string): Life {
  const pid = async (): Promise<number> => Number(await tmux(['display-message', '-p', '#{pane_pid}']));
  const ended: Life['ended'] = async ({ timeoutMs = usualTimeoutMs } = {}) => {
    const end = performance.now() + timeoutMs;
    for (;;) {
      // The terminal closes a moment before it is known how the program ended.
      const state = await tmux(['display-message', '-p', '#{pane_dead_status}/#{pane_dead_signal}']);
      const [code = '', signal = ''] = state.trim().split('/');
      if (code !== '' || signal !== '') return code === '' ? undefined : Number(code);
      remind();
      assert.ok(performance.now() <= end, `Waited ${timeoutMs} ms for the end of the program.`);
      await delay(lookMs);
    }
  };
  return {
    pid,
    ended,
    async kill(signal) {
      const id = await pid();
      assert.ok(id > 1, `expected the id of a program, got ${id}`);
      process.kill(id, signal);
      await ended();
    },
    async run(program) {
      await ended();
      await tmux(['respawn-pane', '-c', program.cwd, ...inEnvironment(program, home)]);
    },
  };
}
