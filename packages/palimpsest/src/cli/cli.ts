/** Runs one command line to its end: parse, act, report what went wrong, give the exit code. */

import { PalimpsestError } from '@palimpsest/core';
import { CommanderError } from 'commander';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { styled } from './render/screen.ts';
import { visible } from './render/text.ts';
import { stderrScreen, type Terminal, writeJson, writeLines } from './terminal.ts';

/** `args` are the words after the program's name. Never throws: every failure is an exit code with its explanation. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = exitCodes.fine;
  const program = createProgram(terminal, (outcome) => {
    code = outcome;
  });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has already said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return await usageError(error, args, terminal);
    await reportError(error, args, terminal);
    return exitCodeOf(error);
  }
}

async function usageError(error: CommanderError, args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  if (error.exitCode === 0) return exitCodes.fine;
  if (args.includes('--json')) {
    const message = error.message.replace(/^error: /, '');
    await writeJson(terminal.stdout, { error: { code: 'BAD_OPTION', message } });
  }
  return exitCodes.usage;
}

/** To a person on stderr; to a program that asked for `--json` also as the one JSON document on stdout. */
async function reportError(error: unknown, args: readonly string[], terminal: Terminal): Promise<void> {
  const flags = { color: !args.includes('--no-color') };
  const label = styled('palimpsest:', 'red', stderrScreen(terminal, flags));
  const isOurs = PalimpsestError.isInstance(error);
  const message = error instanceof Error ? error.message : String(error);
  if (args.includes('--json')) {
    const known = isOurs ? { code: error.code, message, evidence: error.evidence } : { code: 'INTERNAL', message };
    await writeJson(terminal.stdout, { error: known });
  }
  const lines = isOurs ? [`${label} ${visible(message)}`] : internalLines(error, label);
  await writeLines(terminal.stderr, lines);
}

function internalLines(error: unknown, label: string): readonly string[] {
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return [
    `${label} an error in Palimpsest itself; nothing was changed. Please report it with the lines below.`,
    visible(trace),
  ];
}
