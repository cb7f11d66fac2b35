/** A command is a row of a table; this makes the commander command of it. */
import { Argument, type Command, Option } from 'commander';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { given } from '../option-values.ts';
import type { GlobalFlags, Terminal } from '../terminal.ts';
import { type OptionDetails, type OptionRow, type SharedOption, sharedOptions } from './options.ts';

/** Everything that is known of a command; what it does is loaded when it runs, so that `--help` stays quick. */
export interface CommandRow {
  readonly name: string;
  /** One line in the list of commands. */
  readonly summary: string;
  /** What the help begins with. @default the summary */
  readonly about?: string;
  /** In place of the usage line that the arguments give. */
  readonly usage?: string;
  readonly arguments?: readonly ArgumentRow[];
  /** In the order of the help; a shared one by its name. */
  readonly options?: readonly (OptionRow | SharedOption)[];
  readonly examples?: readonly Example[];
  /** Absent for a group of commands; gives the exit code where it is not `fine`. */
  readonly run?: (call: Call) => Promise<void> | Promise<ExitCode>;
  /** The commands inside a group. */
  readonly commands?: readonly CommandRow[];
  /** True for the command of a group that runs where none is named. */
  readonly isDefault?: boolean;
}

/** `<file>` is required, `[file]` is not, `[file...]` may come again. */
export type ArgumentRow = readonly [name: string, about: string, details?: Pick<OptionDetails, 'choices'>];

/** A line to type, and what it does where the line does not say it. */
export type Example = readonly [line: string, what?: string];

/** One call of a command; a row passes it on whatever its flags are. */
export interface Call<Flags = never> {
  /** The arguments in their order, those that may come again one by one. */
  readonly words: readonly string[];
  /** The options as they were typed, with those of the program. */
  readonly flags: Flags;
  readonly terminal: Terminal;
  readonly program: Command;
}

/** What a command gets from the program: where to act, and whom to tell the exit code. */
export interface CommandOptions {
  readonly terminal: Terminal;
  readonly finish: (code: ExitCode) => void;
}

/** Adds the commands of the rows to a program. */
export function addCommands(program: Command, rows: readonly CommandRow[], options: CommandOptions): void {
  for (const row of rows) addCommand(program, row, { ...options, program });
}

function addCommand(parent: Command, row: CommandRow, options: CommandOptions & Pick<Call, 'program'>): void {
  const { run, commands = [], isDefault = false } = row;
  const command = parent.command(row.name, { isDefault }).summary(row.summary);
  command.description(row.about ?? row.summary);
  if (row.usage !== undefined) command.usage(row.usage);
  for (const argument of row.arguments ?? []) command.addArgument(argumentOf(argument));
  for (const option of row.options ?? [])
    command.addOption(optionOf(typeof option === 'string' ? sharedOptions[option] : option));
  if (row.examples) command.addHelpText('after', examplesText(row.examples));
  for (const inner of commands) addCommand(command, inner, options);
  if (commands.length > 0) command.helpCommand('help [command]', 'show help for a command');
  if (!run) return;
  const { terminal, program, finish } = options;
  command.action(async () => {
    const words: readonly string[] = command.processedArgs.flat().filter((word) => word !== undefined);
    const { color, quiet, json } = command.optsWithGlobals<GlobalFlags>();
    const here = { ...terminal, ...given({ color, quiet, json }) };
    finish((await run({ words, flags: command.optsWithGlobals(), terminal: here, program })) ?? exitCodes.fine);
  });
}

function argumentOf([name, about, { choices } = {}]: ArgumentRow): Argument {
  const argument = new Argument(name, about);
  return choices ? argument.choices(choices) : argument;
}

function optionOf([flags, about, { choices, parse, isHidden } = {}]: OptionRow): Option {
  const option = new Option(flags, about).hideHelp(isHidden ?? false);
  if (parse) option.argParser(parse);
  return choices ? option.choices(choices) : option;
}

/** Help is read on any screen; its examples are made for this one. */
const usualColumns = 80;

/** The examples below the help of a command; where a line would be too long, what each does stands above it. */
export function examplesText(examples: readonly Example[]): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  const fits = examples.every(([, what = '']) => width + what.length + 6 <= usualColumns);
  const shown = fits
    ? examples.map(([line, what = '']) => `  $ ${line.padEnd(width)}  ${what}`.trimEnd())
    : examples.flatMap(([line, what = '']) => [...(what === '' ? [] : [`  # ${what}`]), `  $ ${line}`]);
  return ['', 'Examples:', ...shown].join('\n');
}
