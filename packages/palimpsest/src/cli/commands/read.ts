/** `palimpsest read`: its options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { ReadFlags } from '../run/search-read.ts';
import { type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function readCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('read')
    .summary('read a message or a conversation in the store')
    .description(
      'Read a message by the id that search shows, or the start and end of a conversation. ' +
        'Recognised credentials are masked; --raw prints every byte as stored.',
    )
    .argument('<id>', 'id of a message, or id or title of a conversation; the beginning of an id is enough')
    .option('--around <n>', 'also show this many messages before and after it, at most 200')
    .option('--raw', 'print the stored JSON, one line per message; its SHA-256 begins with the id of the message')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest read 4f2d806bfafaaca4', 'print a message'],
        ['palimpsest read 4f2d806bfafaaca4 --around 5', 'with five messages before and after it'],
        ['palimpsest read 4f2d806bfafaaca4 --raw > message.json', 'byte for byte'],
        ['palimpsest read 0193a2b4-c5d6', 'a conversation'],
      ]),
    )
    .action(async (id: string) => {
      const { runRead } = await import('../run/search-read.ts');
      finish(await runRead(id, command.optsWithGlobals<ReadFlags>(), terminal));
    });
}
