/** Tells a person at a terminal that a large file is being read. */
import { percent, thousands } from './render/text.ts';
import { clip } from './render/width.ts';
import { type GlobalFlags, stderrScreen, type Terminal } from './terminal.ts';

export interface Progress {
  advance(bytes: number, size: number | undefined): void;
  /** Removes the line. */
  end(): void;
}

/** Whoever waits for less than this needs no progress. */
const quietMs = 500;
const everyMs = 100;
const eraseLine = '\r\u001b[2K';

/** A line on stderr that is rewritten in place; nothing when stderr is no terminal, or after `--quiet`. */
export function progressLine(terminal: Terminal, label: string, flags: GlobalFlags): Progress {
  const isShown = (terminal.stderr.isTTY ?? false) && !flags.quiet;
  let next = terminal.now() + quietMs;
  let isDrawn = false;
  return {
    advance(bytes, size) {
      if (!isShown || terminal.now() < next) return;
      next = terminal.now() + everyMs;
      isDrawn = true;
      const done = size ? `${Math.floor((100 * bytes) / size)} % of ${megabytes(size)}` : megabytes(bytes);
      const line = clip(`reading ${label}: ${done}`, stderrScreen(terminal, flags).columns - 1);
      terminal.stderr.write(`${eraseLine}${line}`);
    },
    end() {
      if (isDrawn) terminal.stderr.write(eraseLine);
      isDrawn = false;
    },
  };
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** The same for work that is counted in steps, such as a check of every message. */
export function progressCount(
  terminal: Terminal,
  what: string,
  flags: GlobalFlags,
): { readonly advance: (done: number, all: number) => void; readonly end: () => void } {
  const isShown = (terminal.stderr.isTTY ?? false) && !flags.quiet;
  let next = terminal.now() + quietMs;
  let isDrawn = false;
  return {
    advance(done, all) {
      if (!isShown || terminal.now() < next) return;
      next = terminal.now() + everyMs;
      isDrawn = true;
      terminal.stderr.write(`${eraseLine}${what}: ${percent(done, all)} of ${thousands(all)}`);
    },
    end() {
      if (isDrawn) terminal.stderr.write(eraseLine);
    },
  };
}

const everySecondMs = 1_000;

/** The same for work that says nothing of itself: how long it has taken. Gives back what removes the line. */
export function progressWait(terminal: Terminal, what: string, flags: GlobalFlags): () => void {
  if (!terminal.stderr.isTTY || flags.quiet) return () => undefined;
  const start = terminal.now();
  let isDrawn = false;
  const draw = (): void => {
    isDrawn = true;
    const line = `${what}: ${thousands((terminal.now() - start) / 1_000)} s (Ctrl-C stops it)`;
    terminal.stderr.write(`${eraseLine}${clip(line, stderrScreen(terminal, flags).columns - 1)}`);
  };
  const timer = setInterval(draw, everySecondMs);
  return () => {
    clearInterval(timer);
    if (isDrawn) terminal.stderr.write(eraseLine);
  };
}
