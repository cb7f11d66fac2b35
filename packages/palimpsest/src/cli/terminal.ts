/** Where a command reads and writes: the streams, the environment and the folder, passed in by the entry. */

import type { ConsoleOptions } from '../terminal/console.ts';
import { fitLines, type Screen, screenOf, styled } from '../terminal/screen.ts';
import { visible } from '../terminal/visible.ts';

export interface Input extends AsyncIterable<Uint8Array | string> {
  readonly isTTY?: boolean;
  /** The descriptor behind it, which tells what file the shell gave. */
  readonly fd?: number;
  /** Ends the reading, for a command that ends before its input does. */
  destroy?(): unknown;
}

export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly writableNeedDrain: boolean;
  write(text: string | Uint8Array): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

/** How the answer is wanted, by the options that every command has, or nearly every one. */
export interface GlobalFlags {
  /** False after `--no-color`. */
  readonly color?: boolean;
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** Where a command runs: what says which files and settings are meant. */
export type Surroundings = Pick<Terminal, 'env' | 'cwd' | 'platform'>;

/** What the process gives to a command, and how the answer is wanted. */
export interface Terminal extends GlobalFlags {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** As `process.platform` names it. */
  readonly platform: string;
  /** Milliseconds of a clock that only goes forward; decides when progress is shown. */
  readonly now: () => number;
  /** Hears the next Ctrl-C in place of the end of the process, until what it returns is called. */
  readonly onInterrupt?: (listener: () => void) => () => void;
  /** Hears the next Ctrl-C or SIGTERM in place of the end of the process, until what it returns is called. */
  readonly onStop?: (listener: () => void) => () => void;
  /** What a console needs, which reads keys and not lines. */
  readonly tty?: Pick<ConsoleOptions, 'input' | 'output' | 'host'>;
  /** Runs another command line as `runCli` does, for a command that offers others. */
  readonly runCommand?: (args: readonly string[], terminal: Terminal) => Promise<number>;
  /** Told when code of a plugin was run, which may leave something running that keeps the process from its end. */
  readonly onPluginRun?: () => void;
}

type Place = 'stdout' | 'stderr';

export const stdoutScreen = (terminal: Terminal): Screen => screenAt(terminal, 'stdout');
export const stderrScreen = (terminal: Terminal): Screen => screenAt(terminal, 'stderr');

export const screenAt = (terminal: Terminal, place: Place): Screen =>
  screenOf({ stream: terminal[place], env: terminal.env, colourWanted: terminal.color !== false });

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

/** A terminal must not be driven by what a transcript or a tool wrote; a pipe gets every character as it is. */
export const shownText = ({ stdout }: Terminal, text: string): string => (stdout.isTTY ? visible(text) : text);

/** True where it is known how wide the screen is. A pipe has none: there, a sentence is one line. */
export const hasScreen = ({ env, ...terminal }: Terminal, place: Place): boolean =>
  terminal[place].isTTY === true || terminal[place].columns !== undefined || Number(env.COLUMNS) > 0;

/** What a person reads: no line is wider than the screen. */
export function writeReport(terminal: Terminal, lines: readonly string[], place: Place = 'stdout'): Promise<void> {
  return writeLines(terminal[place], hasScreen(terminal, place) ? fitLines(lines, screenAt(terminal, place)) : lines);
}

/** One JSON document, as `--json` promises it. */
export const writeJson = ({ stdout }: Pick<Terminal, 'stdout'>, value: unknown): Promise<void> =>
  writePieces(stdout, [`${JSON.stringify(value, null, 2)}\n`]);

/** Remarks beside the result: on stderr, so that they never mix with what is piped, and not at all after `--quiet`. */
export async function writeNotes(terminal: Terminal, notes: readonly string[]): Promise<void> {
  if (terminal.quiet) return;
  const label = styled('note:', 'yellow', stderrScreen(terminal));
  // Several parts of a command may have read the same file.
  const lines = [...new Set(notes)].map((note) => `${label} ${visible(note)}`);
  // A terminal would break them within words; whoever reads a pipe wants one line a note.
  await writeLines(terminal.stderr, terminal.stderr.isTTY ? fitLines(lines, stderrScreen(terminal)) : lines);
}

export interface Result {
  /** The document of `--json` without the notes, which come last in it. */
  readonly json: () => object;
  /** Remarks for a person and in the document. */
  readonly notes: readonly string[];
  /** Remarks for a person alone, after the others. */
  readonly remarks?: readonly string[];
  /** What a person reads. */
  readonly lines?: (screen: Screen) => readonly string[];
  /** What was done, in one line that `--quiet` leaves out. */
  readonly done?: string;
}

/** One JSON document with `--json`, else the notes and then the report. */
export async function writeResult(terminal: Terminal, result: Result): Promise<void> {
  const { json, notes, remarks = [], lines, done } = result;
  if (terminal.json) return writeJson(terminal, { ...json(), notes });
  await writeNotes(terminal, [...notes, ...remarks]);
  const report = lines?.(stdoutScreen(terminal)) ?? [];
  await writeReport(terminal, done === undefined || terminal.quiet ? report : [...report, done]);
}

/** What went wrong, as every command says it. */
export const writeErrorLine = (terminal: Terminal, message: string): Promise<void> =>
  writeLines(terminal.stderr, [`${styled('palimpsest:', 'red', stderrScreen(terminal))} ${visible(message)}`]);
