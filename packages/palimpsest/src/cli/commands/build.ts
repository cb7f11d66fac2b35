/** A command is a row of a table; this makes the commander command of it. Options that several commands have are told once. */

import { type FormatName, formatNames, nearest, templateNames, whenForms } from '@palimpsest/core/settings';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { agentVariable, isOfAgent } from '../../config/of-an-agent.ts';
import { exitCodes } from '../exit-codes.ts';
import { badOption, given } from '../option-values.ts';
import type { GlobalFlags, Terminal } from '../terminal.ts';

/** Everything that is known of a command; what it does is loaded when it runs, so that `--help` stays quick. */
export interface CommandRow {
  readonly name: string;
  readonly summary: string;
  /** What the help begins with. @default the summary */
  readonly about?: string;
  /** In place of the usage line that the arguments give. */
  readonly usage?: string;
  readonly arguments?: readonly ArgumentRow[];
  /** In the order of the help; a shared one by its name. */
  readonly options?: readonly (OptionRow | SharedOption)[];
  readonly examples?: readonly Example[];
  /** True for what only the person decides: a command of an agent may not do it, whatever its options say. */
  readonly isPersons?: boolean;
  /** Absent for a group of commands; gives the exit code where it is not `fine`: one of `exitCodes`, or that of a program it ran. */
  readonly run?: (call: Call) => Promise<void> | Promise<number>;
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
  readonly finish: (code: number) => void;
}

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
  if (commands.some((inner) => inner.isDefault && !inner.arguments)) refuseUnknown(command);
  if (commands.length > 0) command.helpCommand('help [command]', 'show help for a command');
  if (!run) return;
  const { terminal, program, finish } = options;
  command.action(async () => {
    if (row.isPersons && isOfAgent(terminal.env)) throw agentsCall(row.name);
    const words: readonly string[] = command.processedArgs.flat().filter((word) => word !== undefined);
    const { color, quiet, json } = command.optsWithGlobals<GlobalFlags>();
    const here = { ...terminal, ...given({ color, quiet, json }) };
    finish((await run({ words, flags: command.optsWithGlobals(), terminal: here, program })) ?? exitCodes.fine);
  });
}

const agentsCall = (name: string): Error =>
  badOption(
    `${name} is for the person alone, and an agent runs this: ${agentVariable} is set. Tell the person what to type in a terminal of their own`,
  );

/** Commander hands a word that is no command of the group to its default one, which would call it an argument too many. */
function refuseUnknown(group: Command): void {
  group.hook('preSubcommand', () => {
    const [word = ''] = group.args;
    const names = group.commands.map((command) => command.name());
    if (word === '' || word.startsWith('-') || names.includes(word)) return;
    const near = nearest(word, names);
    const help = near ? `Did you mean ${near}?` : `Commands: ${names.join(', ')}`;
    group.error(`error: unknown command '${word}'\n(${help})`, { code: 'commander.unknownCommand' });
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

// Options that several commands have, in the same words everywhere, and the lists of words that an option takes.

/** An option: how it is typed, what the help says of it, and what else there is to know. */
export type OptionRow = readonly [flags: string, about: string, details?: OptionDetails];

export interface OptionDetails {
  readonly choices?: readonly string[];
  /** What a word means; `before` is what the words before it came to, where an option may come again. */
  readonly parse?: (word: string, before?: unknown) => unknown;
  /** True for how something was written once: it still works, and no help shows it. */
  readonly isHidden?: boolean;
}

/** What a row of the table names in place of saying it again. */
export type SharedOption =
  | `--${'json' | 'store' | 'example' | 'since-last-compression' | 'context-length' | 'target' | 'focus' | 'template'}`
  | `--${'engine' | 'base-url' | 'no-summarizer' | 'no-model' | 'force' | 'session' | 'source' | 'project'}`;

export const sharedOptions: Readonly<Record<SharedOption, OptionRow>> = {
  '--json': ['--json', 'print one JSON document instead of text'],
  '--store': ['--store <file>', 'store file; default: store.path of your configuration'],
  '--example': ['--example', 'use the recorded session that comes with Palimpsest'],
  '--since-last-compression': [
    '--since-last-compression',
    'only what the model still saw after the last compression in the log',
  ],
  '--context-length': [
    '--context-length <tokens>',
    'context window in tokens, such as 200k; default: that of the model',
  ],
  '--target': ['--target <tokens>', 'target size in tokens, such as 20k; default: the configured budgets'],
  '--focus': ['--focus <text>', 'topic that the handoff keeps in full detail'],
  '--template': [
    '--template <name>',
    'headings of the handoff; default: compression.summary.template',
    { choices: templateNames },
  ],
  '--engine': ['--engine <name>', 'context engine to compress with; default: context.engine'],
  '--base-url': ['--base-url <url>', 'base URL of the summarizer; it must speak Chat Completions'],
  '--no-summarizer': ['--no-summarizer', 'use no summarizer, even if one is configured'],
  // How that was written once.
  '--no-model': ['--no-model', '', { isHidden: true }],
  // Beside an option that names a file to write.
  '--force': ['--force', 'replace the output file if it exists; inputs and stores are never replaced'],
  // In the commands that read the store.
  '--session': ['--session <id|title>', 'only this conversation, with all its sessions'],
  '--source': ['--source <name>', 'only conversations of this source, such as codex or cli'],
  '--project': ['--project <folder>', 'only conversations in this folder and below'],
};

/** Which conversation of a file, and how the file is read; `file` is the word of the command for it. */
export const conversationOptions = (
  file: string,
  session = `conversation in ${file}; default: the longest`,
): readonly OptionRow[] => [
  ['--from <format>', `format of ${file}; default: detected from the content`, { parse: formatName }],
  ['--session <n|id|title>', session],
  // How it was written once.
  ['--conversation <n|id|title>', '', { isHidden: true }],
];

export const inputOptions: readonly (OptionRow | SharedOption)[] = [
  ...conversationOptions('FILE'),
  '--since-last-compression',
];

/** The model of the conversation; `from` is what names it. */
export const modelOption = (from = 'FILE'): OptionRow => [
  '--model <name>',
  `model of the conversation, whose tokens are counted; default: the one in ${from}`,
];

/** Whose tokens are counted, and who writes the summary; `from` is what names the model of the conversation. */
export const writerOptions = (from: string): readonly (OptionRow | SharedOption)[] => [
  modelOption(from),
  '--context-length',
  ['--summarizer <provider/name>', 'model that writes the summary'],
  '--base-url',
  ['--summarizer-context-length <tokens>', 'context window of the summarizer in tokens, if it is not known'],
  '--no-summarizer',
  '--no-model',
];

/** `what` is what the time of a result is, such as `said`. */
export const timeOptions = (what: string): readonly OptionRow[] => [
  ['--since <time>', `${what} at or after: ${whenForms}`],
  ['--until <time>', `${what} before; a day, a month or a year is included as a whole`],
];

/** The name of a format. Not `choices`, which would fill every help text with the ten names. */
export function formatName(word: string): FormatName {
  const found = formatNames.find((name) => name === word);
  if (found) return found;
  const near = nearest(word, formatNames);
  throw new InvalidArgumentError(near ? `Did you mean ${near}?` : 'palimpsest formats lists the formats.');
}

export const insightGroups = ['model', 'source', 'project', 'task', 'day', 'tool'] as const;

export type InsightGroup = (typeof insightGroups)[number];

export const shells = ['bash', 'zsh', 'fish'] as const;
