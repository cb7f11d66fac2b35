/** `palimpsest completion`: the script that completes the command line in a shell, for each shell one. */

import { formatNames } from '@palimpsest/core';
import { writableFormats } from '@palimpsest/core/formats';
import { filterRoles } from '@palimpsest/core/search';
import type { Argument, Command, Option } from 'commander';
import { builtInEngines } from '../plugins/choose-engine.ts';
import { simulationPolicies } from '../simulate/simulate.ts';
import type { Call } from './commands/build.ts';
import { writePieces } from './terminal.ts';

const scripts: Readonly<Record<string, (program: CompletedCommand) => string>> = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
};

export async function runCompletion({ words: [shell = ''], program, terminal }: Call<object>): Promise<void> {
  await writePieces(terminal.stdout, [scripts[shell]?.(commandTree(program)) ?? '']);
}

/** How a shell is told what can be typed in a place. */
type Typing = Readonly<Record<Exclude<Typed['type'], 'names'>, string>> & {
  readonly names: (names: readonly string[], isList: boolean) => string;
};

const typed = (place: Typed, words: Typing): string =>
  place.type === 'names' ? words.names(place.names, place.isList) : words[place.type];

/** Every command but the program itself. */
const innerPaths = (commands: readonly CompletedCommand[]): readonly string[] =>
  commands.slice(1).map(({ path }) => path);

/** The options of all commands that take a value, each after the path of its command. */
const valuedOptions = (commands: readonly CompletedCommand[]): readonly string[] =>
  commands.flatMap((command) =>
    withValue(command).flatMap(({ names }) => names.map((name) => `${command.path} ${name}`)),
  );

const withValue = ({ options }: CompletedCommand): readonly CompletedOption[] =>
  options.filter(({ value }) => value.type !== 'nothing');

/** A word in single quotation marks for bash and zsh. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

// bash, 3.2 and later: one function, and no other package.

function bashCompletion(program: CompletedCommand): string {
  const commands = allCommands(program);
  return `# bash completion for palimpsest. To load it: source <(palimpsest completion bash)

_palimpsest_add() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done
}

_palimpsest_files() {
  _palimpsest_add < <(compgen "$1" -- "$cur")
  compopt -o filenames 2>/dev/null
}

_palimpsest_names() {
  _palimpsest_add < <(compgen -W "$1" -- "$cur")
}

_palimpsest_list() {
  local last="\${cur##*,}"
  _palimpsest_add < <(compgen -P "\${cur%"$last"}" -W "$1" -- "$last")
}

_palimpsest() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local at=palimpsest word='' skip='' place=0 i
  COMPREPLY=()
  # bash makes three words of --name=value.
  if [[ $cur == '=' ]]; then cur=''; elif [[ $prev == '=' ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    if [[ $skip ]]; then
      [[ $word == '=' ]] || skip=''
      continue
    fi
    case "$at $word" in
${indented(6, [
  `${innerPaths(commands).map(quoted).join('|')})`,
  '  at="$at $word"',
  '  place=0',
  '  ;;',
  `${valuedOptions(commands).map(quoted).join('|')}) skip=1 ;;`,
])}
      *' -'?*) ;;
      *) place=$((place + 1)) ;;
    esac
  done
  case "$at" in
${indented(4, commands.flatMap(bashLines))}
  esac
}

complete -F _palimpsest palimpsest
`;
}

const indented = (spaces: number, lines: readonly string[]): string =>
  lines.map((line) => ' '.repeat(spaces) + line).join('\n');

function bashLines(command: CompletedCommand): readonly string[] {
  const { path, options, inner, places, repeats } = command;
  const values = withValue(command).flatMap(({ names, value }) =>
    value.type === 'anything' ? [] : [`      ${names.join('|')}) ${typed(value, inBash)} ;;`],
  );
  const words = inner.length > 0 ? [bashNames(inner.map(({ name }) => name))] : bashPlaces(places, repeats);
  return [
    `${quoted(path)})`,
    '  if [[ $skip ]]; then',
    ...(values.length > 0 ? ['    case "$prev" in', ...values, '    esac'] : ['    :']),
    '  elif [[ $cur == -* ]]; then',
    `    ${bashNames(options.flatMap((option) => option.names))}`,
    '  else',
    ...words.map((line) => `    ${line}`),
    '  fi',
    '  ;;',
  ];
}

function bashPlaces(places: readonly Typed[], repeats: boolean): readonly string[] {
  const cases = places.flatMap((place, at) => {
    const isLast = at === places.length - 1;
    return place.type === 'anything' ? [] : [`  ${isLast && repeats ? '*' : at}) ${typed(place, inBash)} ;;`];
  });
  return cases.length > 0 ? ['case $place in', ...cases, 'esac'] : [':'];
}

const bashNames = (names: readonly string[]): string => `_palimpsest_names ${quoted(names.join(' '))}`;

const inBash: Typing = {
  file: '_palimpsest_files -f',
  folder: '_palimpsest_files -d',
  names: (names, isList) => (isList ? `_palimpsest_list ${quoted(names.join(' '))}` : bashNames(names)),
  anything: ':',
  nothing: ':',
};

// zsh, by `_arguments`: every option with what it does.

function zshCompletion(program: CompletedCommand): string {
  const functions = allCommands(program).map(functionFor).join('\n\n');
  return `#compdef palimpsest
# zsh completion for palimpsest. To load it: source <(palimpsest completion zsh), after compinit.

${functions}

if [[ $funcstack[1] == _palimpsest ]]; then
  _palimpsest "$@"
else
  compdef _palimpsest palimpsest
fi
`;
}

const functionName = ({ path }: CompletedCommand): string => `_${path.replaceAll(/\W/g, '_')}`;

function functionFor(command: CompletedCommand): string {
  const specs = [...command.options.map(optionSpec), ...placeSpecs(command)].map((spec) => `    ${spec}`).join(' \\\n');
  const { inner } = command;
  if (inner.length === 0) return `${functionName(command)}() {\n  _arguments -s -S \\\n${specs}\n}`;
  const about = inner.map((one) => `    ${quoted(`${one.name}:${one.about}`)}`).join('\n');
  const cases = inner.map((one) => `      ${one.name}) ${functionName(one)} ;;`).join('\n');
  return `${functionName(command)}() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands=(
${about}
  )
  _arguments -s -S -C \\
${specs}
  case $state in
    command) _describe command commands ;;
    inner) case $words[1] in
${cases}
    esac ;;
  esac
}`;
}

function optionSpec({ names, about, value }: CompletedOption): string {
  const isSwitch = value.type === 'nothing';
  const words = names.map((name) => (isSwitch ? name : name.startsWith('--') ? `${name}=` : `${name}+`));
  const excluded = names.length > 1 ? quoted(`(${names.join(' ')})`) : '';
  const spelled = words.length > 1 ? `{${words.join(',')}}` : words.join('');
  const what = quoted(`[${about.replaceAll(/[[\]\\]/g, '\\$&')}]${isSwitch ? '' : `:value:${typed(value, inZsh)}`}`);
  return `${excluded}${spelled}${what}`;
}

function placeSpecs({ inner, places, repeats }: CompletedCommand): readonly string[] {
  if (inner.length > 0) return [quoted('1:command:->command'), quoted('*::argument:->inner')];
  return places.map((place, at) => {
    const isLast = at === places.length - 1;
    return quoted(`${isLast && repeats ? '*' : at + 1}:argument:${typed(place, inZsh)}`);
  });
}

const inZsh: Typing = {
  file: '_files',
  folder: '_files -/',
  names: (names, isList) => (isList ? `_values -s , name ${names.join(' ')}` : `(${names.join(' ')})`),
  anything: ' ',
  nothing: ' ',
};

// fish.

function fishCompletion(program: CompletedCommand): string {
  const commands = allCommands(program);
  return `# fish completion for palimpsest. To load it: palimpsest completion fish | source

# True in the command that the words before the cursor name; values of options are not looked at.
function __palimpsest_at
    set -l at palimpsest
    set -l skip 0
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        if test $skip = 1
            set skip 0
            continue
        end
        switch "$at $word"
            case ${innerPaths(commands).map(inQuotes).join(' ')}
                set at "$at $word"
            case ${valuedOptions(commands).map(inQuotes).join(' ')}
                set skip 1
        end
    end
    test "$at" = "$argv[1]"
end

complete -c palimpsest -f
${commands.flatMap(fishLines).join('\n')}
`;
}

const inQuotes = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fishLines(command: CompletedCommand): readonly string[] {
  const start = `complete -c palimpsest -n ${inQuotes(`__palimpsest_at ${inQuotes(command.path)}`)}`;
  return [
    ...command.inner.map(({ name, about }) => `${start} -a ${name} -d ${inQuotes(about)}`),
    ...(command.inner.length > 0 ? [] : fishPlaces(command, start)),
    ...command.options.map((option) => `${start} ${optionText(option)}`),
  ];
}

/** fish does not count arguments: what one of them takes is offered for each. */
function fishPlaces({ places }: CompletedCommand, start: string): readonly string[] {
  return [
    ...new Set(places.flatMap((place) => (place.type === 'anything' ? [] : [`${start} ${typed(place, inFish)}`]))),
  ];
}

function optionText({ names, about, value }: CompletedOption): string {
  const words = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const takes = value.type === 'nothing' ? '' : value.type === 'file' ? ' -r -F' : ` -x ${typed(value, inFish)}`;
  return `${words.join(' ')}${takes.trimEnd()} -d ${inQuotes(about)}`;
}

const inFish: Typing = {
  file: '-F',
  folder: "-a '(__fish_complete_directories)'",
  names: (names) => `-a ${inQuotes(names.join(' '))}`,
  anything: '',
  nothing: '',
};

// The commands, options and arguments as a shell needs them, read from the program itself.

export type Typed =
  | { readonly type: 'nothing' }
  | { readonly type: 'anything' }
  | { readonly type: 'file' }
  | { readonly type: 'folder' }
  | {
      readonly type: 'names';
      readonly names: readonly string[];
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

export function commandTree(program: Command): CompletedCommand {
  const everywhere = [...program.options.filter(({ hidden }) => !hidden).map(optionOf), help];
  return treeOf(program, { everywhere, path: '' });
}

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
