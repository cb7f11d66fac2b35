/** What a person sees and can do while something takes its time: one line that moves, and Ctrl-C. */
import { PalimpsestError } from '@palimpsest/core';
import { clip } from '../terminal/screen.ts';
import { megabytes, percent, thousands } from './render/text.ts';
import { stderrScreen, type Terminal } from './terminal.ts';

/** A line on stderr that is rewritten in place; nothing where stderr is no terminal, or after `--quiet`. */
export interface MovingLine {
  readonly draw: (text: string) => void;
  /** Draws it unless that was done a moment ago; the text may tell how long it has taken so far, in milliseconds. */
  readonly show: (text: (elapsedMs: number) => string) => void;
  readonly erase: () => void;
}

const usualQuietMs = 500;
const everyMs = 100;
const eraseLine = '\r\u001b[2K';

export function movingLine(terminal: Terminal, quietMs: number = usualQuietMs): MovingLine {
  const { stderr, now } = terminal;
  const isShown = (stderr.isTTY ?? false) && !terminal.quiet;
  const start = now();
  let next = start + quietMs;
  let isDrawn = false;
  const draw = (text: string, time: number = now()): void => {
    if (!isShown) return;
    next = time + everyMs;
    isDrawn = true;
    stderr.write(`${eraseLine}${clip(text, stderrScreen(terminal).columns - 1)}`);
  };
  return {
    draw: (text) => draw(text),
    show: (text) => {
      const time = now();
      if (isShown && time >= next) draw(text(time - start), time);
    },
    erase: () => {
      if (isDrawn) stderr.write(eraseLine);
      isDrawn = false;
    },
  };
}

export const readText = (label: string, bytes: number, size: number | undefined): string =>
  `reading ${label}: ${size ? `${Math.floor((100 * bytes) / size)} % of ${megabytes(size)}` : megabytes(bytes)}`;

/** Runs work that is counted in steps, such as a check of every message, and shows how far it has come. */
export async function withProgress<T>(
  terminal: Terminal,
  what: string,
  work: (advance: (done: number, all: number) => void) => Promise<T>,
): Promise<T> {
  const line = movingLine(terminal);
  try {
    return await work((done, all) => line.show(() => `${what}: ${percent(done, all)} of ${thousands(all)}`));
  } finally {
    line.erase();
  }
}

/** Runs work that says nothing of itself, and shows how long it has taken. */
export async function withClock<T>(terminal: Terminal, what: string, work: () => Promise<T>): Promise<T> {
  const line = movingLine(terminal);
  const start = terminal.now();
  const draw = (): void => line.draw(`${what}: ${thousands((terminal.now() - start) / 1_000)} s (Ctrl-C stops it)`);
  const timer = setInterval(draw, 1_000);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    line.erase();
  }
}

/** Runs something that can be aborted; after a Ctrl-C its signal is, and the error `INTERRUPTED` with `message` is the reason. */
export async function interruptible<T>(
  terminal: Terminal,
  run: (signal: AbortSignal) => Promise<T>,
  message = 'interrupted: the call to the model was stopped, and nothing was changed',
): Promise<T> {
  const controller = new AbortController();
  const forget = terminal.onInterrupt?.(() => controller.abort(new PalimpsestError('INTERRUPTED', message)));
  try {
    return await run(controller.signal);
  } finally {
    forget?.();
  }
}
