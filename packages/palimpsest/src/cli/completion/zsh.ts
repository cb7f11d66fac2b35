/** Completion for zsh, by `_arguments`: every option with what it does. */
import { allCommands, type CompletedCommand, type CompletedOption, type Typed } from './command-tree.ts';

export function zshCompletion(program: CompletedCommand): string {
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

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

function optionSpec({ names, about, value }: CompletedOption): string {
  const isSwitch = value.type === 'nothing';
  const words = names.map((name) => (isSwitch ? name : name.startsWith('--') ? `${name}=` : `${name}+`));
  const excluded = names.length > 1 ? quoted(`(${names.join(' ')})`) : '';
  const spelled = words.length > 1 ? `{${words.join(',')}}` : words.join('');
  const what = quoted(`[${about.replaceAll(/[[\]\\]/g, '\\$&')}]${isSwitch ? '' : `:value:${action(value)}`}`);
  return `${excluded}${spelled}${what}`;
}

function placeSpecs({ inner, places, repeats }: CompletedCommand): readonly string[] {
  if (inner.length > 0) return [quoted('1:command:->command'), quoted('*::argument:->inner')];
  return places.map((place, at) => {
    const isLast = at === places.length - 1;
    return quoted(`${isLast && repeats ? '*' : at + 1}:argument:${action(place)}`);
  });
}

function action(typed: Typed): string {
  switch (typed.type) {
    case 'file':
      return '_files';
    case 'folder':
      return '_files -/';
    case 'names':
      return typed.isList ? `_values -s , name ${typed.names.join(' ')}` : `(${typed.names.join(' ')})`;
    case 'anything':
    case 'nothing':
      return ' ';
  }
}
