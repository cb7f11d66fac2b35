/** How far an import has come, for a person at a terminal: a bar, files, messages, megabytes, and how fast. */
import { glyph } from '../render/screen.ts';
import { thousands } from '../render/text.ts';
import { clip } from '../render/width.ts';
import { type GlobalFlags, stderrScreen, type Terminal } from '../terminal.ts';
import type { ImportProgress } from './import-files.ts';

/** The whole of what is imported. */
export interface ImportSize {
  readonly files: number;
  readonly bytes: number;
}

const everyMs = 100;
const eraseLine = '\r\u001b[2K';
const barWidth = 20;

/** Draws into one line of stderr; nothing where stderr is no terminal, or after `--quiet`. */
export function importProgress(
  terminal: Terminal,
  size: ImportSize,
  flags: GlobalFlags,
): { show(progress: ImportProgress): void; end(): void } {
  const isShown = (terminal.stderr.isTTY ?? false) && !flags.quiet;
  const screen = stderrScreen(terminal, flags);
  const start = terminal.now();
  let next = start + everyMs;
  let isDrawn = false;
  return {
    show(progress) {
      const now = terminal.now();
      if (!isShown || now < next) return;
      next = now + everyMs;
      isDrawn = true;
      const full = Math.round(barWidth * Math.min(1, size.bytes > 0 ? progress.bytes / size.bytes : 1));
      const bar = glyph(screen, '█', '#').repeat(full) + glyph(screen, '░', '.').repeat(barWidth - full);
      terminal.stderr.write(
        eraseLine + clip(`${bar} ${progressText(progress, size, now - start)}`, screen.columns - 1),
      );
    },
    end() {
      if (isDrawn) terminal.stderr.write(eraseLine);
      isDrawn = false;
    },
  };
}

export function progressText({ files, messages, bytes }: ImportProgress, size: ImportSize, elapsedMs: number): string {
  const rate = elapsedMs > 0 ? (messages / elapsedMs) * 1000 : 0;
  const read = `${(bytes / 1e6).toFixed(1)} of ${(size.bytes / 1e6).toFixed(1)} MB`;
  return `${thousands(files)} of ${thousands(size.files)} files, ${read}, ${thousands(messages)} messages, ${thousands(rate)}/s`;
}
