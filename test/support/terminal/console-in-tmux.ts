/** The program of `program.ts` in a real terminal: what it notes, and in which state it leaves the terminal. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openTmux, type Tmux } from '../tmux.ts';

export interface TmuxConsole {
  readonly tmux: Tmux;
  /** Types a text, and waits until the screen shows it. */
  type(text: string): Promise<void>;
  /** Waits until the scrollback and the screen are as wanted. @throws with the last screen when that takes too long */
  until(isThere: (screen: string) => boolean): Promise<string>;
  /** What the program noted, a value a line. */
  noted(): readonly Noted[];
  untilNoted(type: string): Promise<Noted>;
  /** The settings of the terminal before the program and after it; the latter once it has ended. */
  settings(): { readonly before: string; readonly after: string };
}

export interface Noted {
  readonly type: string;
  readonly text?: string;
  readonly pid?: number;
}

const program = fileURLToPath(new URL('program.ts', import.meta.url));
const patience = { timeoutMs: 60_000 };

/** Starts it, ready to be typed to. It ends with the test. */
export async function consoleInTmux(t: TestContext, columns = 80, rows = 24): Promise<TmuxConsole> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-terminal-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string): string => join(folder, name);
  const text = (name: string): string => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : '');
  const script = `stty -a > '${file('before')}'; '${process.execPath}' '${program}' '${file('log')}'; stty -a > '${file('after')}'`;
  const tmux = await openTmux({ command: ['sh', '-c', script], cwd: folder, columns, rows });
  t.after(() => tmux.close());
  const noted = (): readonly Noted[] =>
    text('log')
      .split('\n')
      .filter(Boolean)
      .map((line): Noted => JSON.parse(line));
  const until: TmuxConsole['until'] = async (isThere) => {
    let all = '';
    const look = async (): Promise<boolean> => {
      all = await tmux.scrollback();
      return isThere(all);
    };
    await tmux.until('the screen that was waited for', look, patience);
    return all;
  };
  const untilNoted: TmuxConsole['untilNoted'] = async (type) => {
    const found = (): Noted | undefined => noted().find((one) => one.type === type);
    await tmux.until(`the note ${type}`, () => found() !== undefined, patience);
    return found() ?? { type };
  };
  await untilNoted('ready');
  await until((shown) => shown.includes('❯'));
  return {
    tmux,
    async type(typed) {
      await tmux.type(typed);
      await until((shown) => shown.includes(typed));
      // Enter that follows at once would belong to a burst.
      await delay(50);
    },
    until,
    noted,
    untilNoted,
    settings: () => ({ before: text('before'), after: text('after') }),
  };
}
