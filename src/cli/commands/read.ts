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
      'Read a message of the store by the id that a search shows, with what was said around it, or a conversation from ' +
        'both its ends. Recognised credentials are masked; --raw gives every byte as it is kept.',
    )
    .argument('<id>', 'a message by its id, a conversation by its id or title; the beginning of an id is enough')
    .option('--around <n>', 'a message with so many on each side of it, at most 200')
    .option('--raw', 'JSON as it is kept, a line a message; of one message its SHA-256 begins with its id')
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
