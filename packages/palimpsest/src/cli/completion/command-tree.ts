/** The commands, options and arguments as a shell needs them, read from the program itself. */

import { formatNames } from '@palimpsest/core';
import { writableFormats } from '@palimpsest/core/formats';
import { filterRoles } from '@palimpsest/core/search';
import type { Argument, Command, Option } from 'commander';
import { builtInEngines } from '../../plugins/choose-engine.ts';
import { simulationPolicies } from '../../simulate/simulate.ts';

/** What can be typed in a place. */
export type Typed =
  | { readonly type: 'nothing' }
  | { readonly type: 'anything' }
  | { readonly type: 'file' }
  | { readonly type: 'folder' }
  | {
      readonly type: 'names';
      readonly names: readonly string[];
      /** True where several are divided by commas. */
      readonly isList: boolean;
    };

export interface CompletedOption {
  /** `-o` and `--output`, the long one last. */
  readonly names: readonly string[];
  readonly about: string;
  /** `nothing` for a switch, and for one that may stand without its value. */
  readonly value: Typed;
}

export interface CompletedCommand {
  /** The program and the names of the commands down to this one. */
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly options: readonly CompletedOption[];
  /** The last one may come again where `repeats` is set. */
  readonly places: readonly Typed[];
  readonly repeats: boolean;
  readonly inner: readonly CompletedCommand[];
}

/** The program with everything in it. */
export function commandTree(program: Command): CompletedCommand {
  const everywhere = [...program.options.filter(({ hidden }) => !hidden).map(optionOf), help];
  return treeOf(program, { everywhere, path: '' });
}

/** A command and all inside of it, one list. */
export const allCommands = (command: CompletedCommand): readonly CompletedCommand[] => [
  command,
  ...command.inner.flatMap(allCommands),
];

const help: CompletedOption = { names: ['-h', '--help'], about: 'show help', value: { type: 'nothing' } };

interface Place {
  readonly everywhere: readonly CompletedOption[];
  readonly path: string;
}

function treeOf(command: Command, { everywhere, path }: Place): CompletedCommand {
  const here = path === '' ? command.name() : `${path} ${command.name()}`;
  const isProgram = path === '';
  const own = isProgram ? [] : command.options.filter(({ hidden }) => !hidden).map(optionOf);
  const args = command.registeredArguments;
  return {
    path: here,
    name: command.name(),
    about: command.summary() || command.description(),
    options: [...own, ...everywhere],
    places: args.map((argument) => placeOf(argument, command)),
    repeats: args.at(-1)?.variadic ?? false,
    inner: command.commands.map((inner) => treeOf(inner, { everywhere, path: here })),
  };
}

function optionOf(option: Option): CompletedOption {
  const { short, long, description, required } = option;
  const names = [short, long].filter((name) => name !== undefined);
  return { names, about: description, value: required ? typedValue(option) : { type: 'nothing' } };
}

/** Lists that are closed although the parser of the option checks them itself. */
const closed: Readonly<Record<string, Typed>> = {
  '--from <format>': { type: 'names', names: formatNames, isList: false },
  '--to <format>': { type: 'names', names: writableFormats, isList: false },
  '--source <format>': { type: 'names', names: formatNames, isList: false },
  '--role <roles>': { type: 'names', names: filterRoles, isList: true },
  '--policy <names>': { type: 'names', names: simulationPolicies.map(({ name }) => name), isList: true },
  '--engine <name>': { type: 'names', names: builtInEngines, isList: false },
};

function typedValue({ flags, argChoices }: Option): Typed {
  if (argChoices) return { type: 'names', names: argChoices, isList: false };
  return closed[flags.replace(/^-\w, /, '')] ?? namedValue(/<([^>]*)>/.exec(flags)?.[1] ?? '');
}

function placeOf(argument: Argument, command: Command): Typed {
  if (argument.argChoices) return { type: 'names', names: argument.argChoices, isList: false };
  if (command.name() === 'help') {
    const names = command.parent?.commands.map((one) => one.name()) ?? [];
    return { type: 'names', names, isList: false };
  }
  return namedValue(argument.name());
}

const files: readonly string[] = ['file', 'path', 'paths', 'summary', 'transcript'];

function namedValue(name: string): Typed {
  if (files.includes(name)) return { type: 'file' };
  return { type: name === 'folder' ? 'folder' : 'anything' };
}
