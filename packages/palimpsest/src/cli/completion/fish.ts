/** Completion for fish. */
import { allCommands, type CompletedCommand, type CompletedOption, type Typed } from './command-tree.ts';

export function fishCompletion(program: CompletedCommand): string {
  const commands = allCommands(program);
  const paths = commands.slice(1).map(({ path }) => quoted(path));
  const valued = commands.flatMap(({ path, options }) =>
    options.flatMap(({ names, value }) =>
      value.type === 'nothing' ? [] : names.map((name) => quoted(`${path} ${name}`)),
    ),
  );
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
            case ${paths.join(' ')}
                set at "$at $word"
            case ${valued.join(' ')}
                set skip 1
        end
    end
    test "$at" = "$argv[1]"
end

complete -c palimpsest -f
${commands.flatMap(commandLines).join('\n')}
`;
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function commandLines(command: CompletedCommand): readonly string[] {
  const start = `complete -c palimpsest -n ${quoted(`__palimpsest_at ${quoted(command.path)}`)}`;
  return [
    ...command.inner.map(({ name, about }) => `${start} -a ${name} -d ${quoted(about)}`),
    ...(command.inner.length > 0 ? [] : placeLines(command, start)),
    ...command.options.map((option) => `${start} ${optionText(option)}`),
  ];
}

/** fish does not count arguments: what one of them takes is offered for each. */
function placeLines({ places }: CompletedCommand, start: string): readonly string[] {
  return [...new Set(places.flatMap((place) => (place.type === 'anything' ? [] : [`${start} ${typing(place)}`])))];
}

function optionText({ names, about, value }: CompletedOption): string {
  const words = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const takes = value.type === 'nothing' ? '' : value.type === 'file' ? ' -r -F' : ` -x ${typing(value)}`;
  return `${words.join(' ')}${takes.trimEnd()} -d ${quoted(about)}`;
}

function typing(typed: Typed): string {
  switch (typed.type) {
    case 'file':
      return '-F';
    case 'folder':
      return "-a '(__fish_complete_directories)'";
    case 'names':
      return `-a ${quoted(typed.names.join(' '))}`;
    case 'anything':
    case 'nothing':
      return '';
  }
}
