/** Completion for bash, 3.2 and later: one function, and no other package. */
import { allCommands, type CompletedCommand, type CompletedOption, type Typed } from './command-tree.ts';

export function bashCompletion(program: CompletedCommand): string {
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
${indented(6, [...commandCases(program), ...valueCases(commands)])}
      *' -'?*) ;;
      *) place=$((place + 1)) ;;
    esac
  done
  case "$at" in
${indented(4, commands.flatMap(commandLines))}
  esac
}

complete -F _palimpsest palimpsest
`;
}

const indented = (spaces: number, lines: readonly string[]): string =>
  lines.map((line) => ' '.repeat(spaces) + line).join('\n');

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function commandCases(program: CompletedCommand): readonly string[] {
  const paths = allCommands(program)
    .slice(1)
    .map(({ path }) => quoted(path));
  return [`${paths.join('|')})`, '  at="$at $word"', '  place=0', '  ;;'];
}

const withValue = ({ options }: CompletedCommand): readonly CompletedOption[] =>
  options.filter(({ value }) => value.type !== 'nothing');

function valueCases(commands: readonly CompletedCommand[]): readonly string[] {
  const words = commands.flatMap((command) =>
    withValue(command).flatMap(({ names }) => names.map((name) => quoted(`${command.path} ${name}`))),
  );
  return [`${words.join('|')}) skip=1 ;;`];
}

function commandLines(command: CompletedCommand): readonly string[] {
  const { path, options, inner, places, repeats } = command;
  const values = withValue(command).flatMap(({ names, value }) =>
    value.type === 'anything' ? [] : [`      ${names.join('|')}) ${typing(value)} ;;`],
  );
  const words = inner.length > 0 ? [names(inner.map(({ name }) => name))] : placeLines(places, repeats);
  return [
    `${quoted(path)})`,
    '  if [[ $skip ]]; then',
    ...(values.length > 0 ? ['    case "$prev" in', ...values, '    esac'] : ['    :']),
    '  elif [[ $cur == -* ]]; then',
    `    ${names(options.flatMap((option) => option.names))}`,
    '  else',
    ...words.map((line) => `    ${line}`),
    '  fi',
    '  ;;',
  ];
}

function placeLines(places: readonly Typed[], repeats: boolean): readonly string[] {
  const cases = places.flatMap((place, at) => {
    const isLast = at === places.length - 1;
    return place.type === 'anything' ? [] : [`  ${isLast && repeats ? '*' : at}) ${typing(place)} ;;`];
  });
  return cases.length > 0 ? ['case $place in', ...cases, 'esac'] : [':'];
}

function typing(typed: Typed): string {
  switch (typed.type) {
    case 'file':
      return '_palimpsest_files -f';
    case 'folder':
      return '_palimpsest_files -d';
    case 'names':
      return typed.isList ? `_palimpsest_list ${quoted(typed.names.join(' '))}` : names(typed.names);
    case 'anything':
    case 'nothing':
      return ':';
  }
}

const names = (all: readonly string[]): string => `_palimpsest_names ${quoted(all.join(' '))}`;
