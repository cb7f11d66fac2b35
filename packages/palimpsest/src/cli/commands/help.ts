/** `palimpsest help`: the same as `--help`, for commands inside commands too. */

import { nearest } from '@palimpsest/core/settings';
import type { Command } from 'commander';

export function helpCommand(program: Command): void {
  program
    .command('help')
    .argument('[command...]')
    .description('show help for a command')
    .action((names: readonly string[]) => {
      let found = program;
      for (const name of names) found = inner(found, name);
      found.outputHelp();
    });
}

function inner(command: Command, name: string): Command {
  const found = command.commands.find((one) => one.name() === name);
  if (found) return found;
  const near = nearest(
    name,
    command.commands.map((one) => one.name()),
  );
  const hint = near === undefined ? '' : `\n(Did you mean ${near}?)`;
  return command.error(`error: unknown command '${name}'${hint}`, { code: 'commander.unknownCommand' });
}
