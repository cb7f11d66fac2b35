/** Options that several commands have, in the same words. */

import { type FormatName, formatNames } from '@palimpsest/core';
import { templates } from '@palimpsest/core/engine';
import { nearest } from '@palimpsest/core/settings';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** What a command's definition gets: where to act, and whom to tell the exit code. */
export interface CommandOptions {
  readonly terminal: Terminal;
  readonly finish: (code: ExitCode) => void;
}

/** What to read: FILE itself is an argument, because its place differs. */
export function addInputOptions(command: Command, session: string = fromFile('FILE')): Command {
  return addConversationOptions(command, 'FILE', session).option(
    '--since-last-compression',
    'only what the model still saw after the last compression in the log',
  );
}

/** Which conversation of a file, and how the file is read; `file` is the word of the command for it. */
export function addConversationOptions(command: Command, file: string, session: string = fromFile(file)): Command {
  return (
    command
      .option('--from <format>', `format of ${file}; default: detected from the content`, formatName)
      .option('--session <n|id|title>', session)
      // How it was written once.
      .addOption(new Option('--conversation <n|id|title>').hideHelp())
  );
}

const fromFile = (file: string): string => `conversation in ${file}; default: the longest`;

/** The name of a format. Not `choices`, which would fill every help text with the ten names. */
export function formatName(word: string): FormatName {
  const found = formatNames.find((name) => name === word);
  if (found) return found;
  const near = nearest(word, formatNames);
  throw new InvalidArgumentError(near ? `Did you mean ${near}?` : 'palimpsest formats lists the formats.');
}

/** The model of the conversation, in the same words everywhere; `from` is what names it. */
export const modelOption = (from = 'FILE'): Option =>
  new Option('--model <name>', `model of the conversation, whose tokens are counted; default: the one in ${from}`);

export const contextLengthOption = (): Option =>
  new Option('--context-length <tokens>', 'context window in tokens, such as 200k; default: that of the model');

/** How full the window is: the model and its window. */
export const addModelOptions = (command: Command, from?: string): Command =>
  command.addOption(modelOption(from)).addOption(contextLengthOption());

export const templateOption = (): Option =>
  new Option('--template <name>', 'headings of the handoff; default: compression.template').choices(
    Object.keys(templates),
  );

export const engineOption = (): Option =>
  new Option('--engine <name>', 'context engine to compress with; default: context.engine');

export const jsonOption = (): Option => new Option('--json', 'print one JSON document instead of text');

/** Beside an option that names a file to write. */
export const forceOption = (): Option =>
  new Option('--force', 'replace the output file if it exists; inputs and stores are never replaced');

/** The examples below the help of a command; where a line would be too long, what each does stands above it. */
export function examples(lines: readonly (readonly [string, string])[]): string {
  const width = Math.max(...lines.map(([line]) => line.length));
  const fits = lines.every(([, what]) => width + what.length + 6 <= usualColumns);
  const shown = fits
    ? lines.map(([line, what]) => `  $ ${line.padEnd(width)}  ${what}`.trimEnd())
    : lines.flatMap(([line, what]) => [...(what === '' ? [] : [`  # ${what}`]), `  $ ${line}`]);
  return ['', 'Examples:', ...shown].join('\n');
}

/** Help is read on any screen; its examples are made for this one. */
const usualColumns = 80;
