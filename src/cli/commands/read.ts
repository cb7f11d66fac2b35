/** `palimpsest read`: its options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { ReadFlags } from '../run/search-read.ts';
import { type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function readCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('read')
    .summary('read a message or a conversation of the store')
    .description(
      'Read a message by the id that search shows, with what was said around it, or the start and end of a conversation. ' +
        'Recognised credentials are masked; --raw prints every byte as stored.',
    )
    .argument('<id>', 'a message by its id, a conversation by its id or title; the beginning of an id is enough')
    .option('--around <n>', 'show this many messages on each side, at most 200')
    .option('--raw', 'print the stored JSON, one line per message; the SHA-256 of a message begins with its id')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest read 4f2d806bfafaaca4', 'its text'],
        ['palimpsest read 4f2d806bfafaaca4 --around 5', 'and what was said before and after'],
        ['palimpsest read 4f2d806bfafaaca4 --raw > message.json', 'byte for byte'],
        ['palimpsest read 0193a2b4-c5d6', 'a conversation'],
      ]),
    )
    .action(async (id: string) => {
      const { runRead } = await import('../run/search-read.ts');
      finish(await runRead(id, command.optsWithGlobals<ReadFlags>(), terminal));
    });
}
