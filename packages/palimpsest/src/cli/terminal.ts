/** Where a command reads and writes: the streams, the environment and the folder, passed in by the entry. */

import { type Screen, screenOf, styled } from './render/screen.ts';
import { visible } from './render/text.ts';
import { fitLines } from './render/width.ts';

export interface Input extends AsyncIterable<Uint8Array | string> {
  readonly isTTY?: boolean;
  /** The descriptor behind it, which tells what file the shell gave. */
  readonly fd?: number;
}

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly writableNeedDrain: boolean;
  write(text: string | Uint8Array): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

/** What the process gives to a command. */
export interface Terminal {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** As `process.platform` names it. */
  readonly platform: string;
  /** Milliseconds of a clock that only goes forward; decides when progress is shown. */
  readonly now: () => number;
  /**
   * Hears the next Ctrl-C in place of the end of the process, until what it returns is called.
   * @default nobody can interrupt
   */
  readonly onInterrupt?: (listener: () => void) => () => void;
  /** Told when code of a plugin was run, which may leave something running that keeps the process from its end. */
  readonly onPluginRun?: () => void;
}

/** Options that every command has, or nearly every one. */
export interface GlobalFlags {
  /** False after `--no-color`. */
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

export const stdoutScreen = (terminal: Terminal, flags: GlobalFlags): Screen => screen(terminal, flags, 'stdout');
export const stderrScreen = (terminal: Terminal, flags: GlobalFlags): Screen => screen(terminal, flags, 'stderr');

function screen(terminal: Terminal, flags: GlobalFlags, name: 'stdout' | 'stderr'): Screen {
  return screenOf({ stream: terminal[name], env: terminal.env, colourWanted: flags.color !== false });
}

/** Writes pieces as fast as the reader takes them. */
export async function writePieces(output: Output, pieces: Iterable<string | Uint8Array>): Promise<void> {
  for (const piece of pieces) {
    // Waiting after each full buffer keeps a large transcript from piling up in memory.
    if (!output.write(piece) && output.writableNeedDrain) {
      await new Promise<void>((resolve) => output.once('drain', resolve));
    }
  }
}

export const writeLines = (output: Output, lines: readonly string[]): Promise<void> =>
  writePieces(output, lines.length > 0 ? [`${lines.join('\n')}\n`] : []);

/** True where it is known how wide the screen is. A pipe has none: there, a sentence is one line. */
export const hasScreen = ({ env, ...terminal }: Terminal, place: 'stdout' | 'stderr'): boolean =>
  terminal[place].isTTY === true || terminal[place].columns !== undefined || Number(env.COLUMNS) > 0;

/** What a person reads: no line is wider than the screen. */
export function writeReport(
  terminal: Terminal,
  lines: readonly string[],
  { place = 'stdout', ...flags }: GlobalFlags & { readonly place?: 'stdout' | 'stderr' },
): Promise<void> {
  const fitted = hasScreen(terminal, place) ? fitLines(lines, screen(terminal, flags, place)) : lines;
  return writeLines(terminal[place], fitted);
}

/** One JSON document, as `--json` promises it. */
export const writeJson = (output: Output, value: unknown): Promise<void> =>
  writePieces(output, [`${JSON.stringify(value, null, 2)}\n`]);

/** Remarks beside the result: on stderr, so that they never mix with what is piped, and not at all after `--quiet`. */
export async function writeNotes(terminal: Terminal, notes: readonly string[], flags: GlobalFlags): Promise<void> {
  if (flags.quiet) return;
  const label = styled('note:', 'yellow', stderrScreen(terminal, flags));
  // Several parts of a command may have read the same file.
  const lines = [...new Set(notes)].map((note) => `${label} ${visible(note)}`);
  // A terminal would break them within words; whoever reads a pipe wants one line a note.
  await writeLines(terminal.stderr, terminal.stderr.isTTY ? fitLines(lines, stderrScreen(terminal, flags)) : lines);
}

/** What a command has to say. */
export interface Result {
  /** The document of `--json` without the notes, which come last in it. */
  readonly json: () => object;
  /** Remarks for a person and in the document. */
  readonly notes: readonly string[];
  /** Remarks for a person alone, after the others. */
  readonly remarks?: readonly string[];
  /** What a person reads; none for a result that is nothing. */
  readonly lines: (screen: Screen) => readonly string[];
}

/** One JSON document with `--json`, else the notes and then the report. */
export async function writeResult(
  { json, notes, remarks = [], lines }: Result,
  flags: GlobalFlags,
  terminal: Terminal,
): Promise<void> {
  if (flags.json) return writeJson(terminal.stdout, { ...json(), notes });
  await writeNotes(terminal, [...notes, ...remarks], flags);
  await writeReport(terminal, lines(stdoutScreen(terminal, flags)), flags);
}

/** What went wrong, as every command says it. */
export const writeErrorLine = (terminal: Terminal, message: string, flags: GlobalFlags): Promise<void> =>
  writeLines(terminal.stderr, [`${styled('palimpsest:', 'red', stderrScreen(terminal, flags))} ${visible(message)}`]);
