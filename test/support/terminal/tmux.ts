/** A real pseudo-terminal: tmux on a server of its own, which a test types into and reads the screen of. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Why tests in a real terminal are left out; false where they are not. */
export const withoutTmux: string | false =
  spawnSync('tmux', ['-V']).status === 0 && spawnSync('stty', ['--version']).status === 0
    ? false
    : 'needs tmux and stty, which are not installed';

export interface RealTerminal {
  /** Sends keys as tmux names them, one key press after the other. */
  readonly keys: (...names: readonly string[]) => void;
  /** Types a text, and waits until the screen shows it. */
  readonly type: (text: string) => Promise<void>;
  /** Pastes a text; marked as pasted where the program asks for that, if `isMarked`. */
  readonly paste: (text: string, isMarked: boolean) => void;
  readonly resize: (columns: number, rows: number) => void;
  /** What the terminal holds, scrollback first, without the empty lines below. */
  readonly screen: () => string;
  /** Waits until the screen is as wanted. @throws with the last screen when that takes too long */
  readonly until: (isThere: (screen: string) => boolean) => Promise<string>;
  /** What the program noted, a value a line. */
  readonly noted: () => readonly Noted[];
  readonly untilNoted: (type: string) => Promise<Noted>;
  /** The settings of the terminal before the program and after it; the latter once it has ended. */
  readonly settings: () => { readonly before: string; readonly after: string | undefined };
  readonly untilEnd: () => Promise<void>;
}

export interface Noted {
  readonly type: string;
  readonly text?: string;
  readonly pid?: number;
}

const program = fileURLToPath(new URL('program.ts', import.meta.url));
const longestMs = 60_000;

/** The program of `program.ts` in a terminal, ready to be typed to. It ends with the test. */
export async function realTerminal(t: TestContext, columns = 80, rows = 24): Promise<RealTerminal> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-terminal-'));
  const socket = join(folder, 'tmux');
  const tmux = (...args: readonly string[]): string =>
    execFileSync('tmux', ['-S', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  const [log, before, after] = ['log', 'before', 'after'].map((name) => join(folder, name));
  const script = `stty -a > '${before}'; '${process.execPath}' '${program}' '${log}'; stty -a > '${after}.new'; mv '${after}.new' '${after}'; exec cat`;
  const size = ['-x', String(columns), '-y', String(rows)];
  tmux('new-session', '-d', ...size, '-e', 'LANG=C.UTF-8', 'sh', '-c', script);
  t.after(() => {
    spawnSync('tmux', ['-S', socket, 'kill-server']);
    rmSync(folder, { recursive: true, force: true });
  });

  const text = (path = ''): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  const screen = (): string => tmux('capture-pane', '-p', '-S', '-200').trimEnd();
  const noted = (): readonly Noted[] =>
    text(log)
      .split('\n')
      .filter(Boolean)
      .map((line): Noted => JSON.parse(line));

  async function until<Value>(read: () => Value | undefined, what: string): Promise<Value> {
    const end = Date.now() + longestMs;
    for (;;) {
      const value = read();
      if (value !== undefined) return value;
      if (Date.now() > end) throw new Error(`${what} did not come; the screen is\n${screen()}`);
      await delay(20);
    }
  }
  const untilScreen = (isThere: (shown: string) => boolean): Promise<string> =>
    until(() => [screen()].find(isThere), 'the screen that was waited for');

  await until(() => noted().find(({ type }) => type === 'ready'), 'the program');
  await untilScreen((shown) => shown.includes('❯'));
  return {
    keys: (...names) => tmux('send-keys', ...names),
    type: async (typed) => {
      tmux('send-keys', '-l', typed);
      await untilScreen((shown) => shown.includes(typed));
      // Enter that follows at once would belong to a burst.
      await delay(50);
    },
    paste: (pasted, isMarked) => {
      tmux('set-buffer', pasted);
      tmux('paste-buffer', ...(isMarked ? ['-p'] : []));
    },
    resize: (width, height) => void tmux('resize-window', '-x', String(width), '-y', String(height)),
    screen,
    until: untilScreen,
    noted,
    untilNoted: (type) => until(() => noted().find((one) => one.type === type), type),
    settings: () => ({ before: text(before), after: after && existsSync(after) ? text(after) : undefined }),
    untilEnd: async () => {
      await until(() => (after && existsSync(after) ? true : undefined), 'the end');
    },
  };
}
