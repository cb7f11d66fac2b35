/**
 * The modes of the terminal: set when the console opens, and put back whatever ends the process. A terminal left in raw mode
 * is useless to its owner.
 */
import type { Timers } from '@palimpsest/core/settings';

export interface ConsoleInput {
  readonly isTTY?: boolean;
  setRawMode?(on: boolean): unknown;
  on(event: 'data', listener: (bytes: Uint8Array | string) => void): unknown;
  on(event: 'end' | 'error', listener: () => void): unknown;
  off(event: 'data', listener: (bytes: Uint8Array | string) => void): unknown;
  off(event: 'end' | 'error', listener: () => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

export interface ConsoleOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly writableNeedDrain?: boolean;
  write(text: string): boolean;
  on(event: 'resize' | 'drain' | 'error', listener: () => void): unknown;
  off(event: 'resize' | 'drain', listener: () => void): unknown;
}

/** What the console needs of the process around it: `process` itself, or something in its place. */
export interface Host {
  readonly pid: number;
  on(event: string, listener: () => void): unknown;
  off(event: string, listener: () => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
}

interface TtyOptions {
  readonly input: ConsoleInput;
  readonly output: ConsoleOutput;
  readonly host: Host;
  readonly after: Timers['after'];
  /** Before the terminal is given back: false when the process goes on and comes back later. */
  readonly onLeave: (isEnd: boolean) => void;
  /** The terminal is ours again. */
  readonly onReturn: () => void;
}

export interface Tty {
  /** Stops the process as Ctrl-Z does in a shell; goes on as soon as the shell lets it. */
  readonly suspend: () => void;
  /** Puts every mode back. Doing it twice does no harm. */
  readonly restore: () => void;
}

/**
 * Pastes in brackets; the keyboard protocol of kitty, level 1, and modifyOtherKeys of xterm, so that Shift+Enter is a key of
 * its own. The question at the end is answered by terminals that speak the former.
 */
const enter = '\x1b[?2004h\x1b[>1u\x1b[>4;1m\x1b[?u';
/** All of it in reverse, and what a frame may have left half done: the update, the line breaks, the cursor. */
const leave = '\x1b[?2026l\x1b[?7h\x1b[>4m\x1b[<u\x1b[?2004l\x1b[?25h';

/** A shell that does not stop its processes lets this one go on at once. */
const stopWaitMs = 100;

const fatalSignals = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const;

export function holdTty({ input, output, host, after, onLeave, onReturn }: TtyOptions): Tty {
  const modes = modesOf(input, output);
  let isOver = false;
  /** True for a moment after the return: shells tell a process more than once to go on. */
  let isBack = false;

  const end = (): void => modes.giveBack(() => onLeave(true));
  const listeners: (readonly [event: string, listener: () => void])[] = [
    ['exit', end],
    // Before the trace of the error is written.
    ['uncaughtExceptionMonitor', end],
    ['SIGTSTP', suspend],
    ['SIGCONT', comeBack],
    ...fatalSignals.map((signal) => [signal, () => endBy(signal)] as const),
  ];

  const restore = (): void => {
    isOver = true;
    end();
    for (const [event, listener] of listeners) host.off(event, listener);
  };

  /** With our listener gone, the signal does what it does to every process; others who listen decide for themselves. */
  function endBy(signal: string): void {
    restore();
    if (host.listenerCount(signal) === 0) host.kill(host.pid, signal);
  }

  function suspend(): void {
    if (!modes.isHeld()) return;
    modes.giveBack(() => onLeave(false));
    host.off('SIGTSTP', suspend);
    // The whole group, as the terminal would: whoever started this process waits for it.
    host.kill(0, 'SIGTSTP');
    after(stopWaitMs, () => {
      if (isOver) return;
      host.on('SIGTSTP', suspend);
      // Nobody stopped the process; or this timer is faster than the signal that let it go on.
      if (!modes.isHeld()) comeBack();
    });
  }

  function comeBack(): void {
    if (isOver || isBack) return;
    isBack = true;
    after(stopWaitMs, () => {
      isBack = false;
    });
    modes.take();
    onReturn();
  }

  for (const [event, listener] of listeners) host.on(event, listener);
  modes.take();
  return { suspend, restore };
}

interface Modes {
  readonly isHeld: () => boolean;
  /** Sets them, even if they are thought to be set: after a stop from outside they may be what a shell made of them. */
  readonly take: () => void;
  /** Puts them back, if they were set; before that, a last word to the screen. */
  readonly giveBack: (before: () => void) => void;
}

function modesOf(input: ConsoleInput, output: ConsoleOutput): Modes {
  let isHeld = false;
  return {
    isHeld: () => isHeld,
    take: () => {
      // To set what is set already does nothing, or does it twice.
      if (isHeld) {
        output.write(leave);
        input.setRawMode?.(false);
      }
      isHeld = true;
      input.setRawMode?.(true);
      output.write(enter);
    },
    giveBack: (before) => {
      if (!isHeld) return;
      isHeld = false;
      before();
      output.write(leave);
      input.setRawMode?.(false);
    },
  };
}
