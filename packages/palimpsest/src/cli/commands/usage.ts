/** `palimpsest usage`: its options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { UsageFlags } from '../run/usage.ts';
import { type CommandOptions, contextLengthOption, examples, jsonOption } from './shared-options.ts';

export function usageCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('usage')
    .summary('show what a conversation used and cost')
    .description(
      'Show what a conversation used and cost, over all its sessions and sub-agents: tokens by kind, list price, what the ' +
        'cache saved, and how full its context is. Unknown prices are marked.',
    )
    .argument('[session]', 'id, beginning of an id, or title; default: the last active conversation')
    .addOption(contextLengthOption())
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest usage', 'the last active conversation'],
        ['palimpsest usage "Oven timer drift"', ''],
        ['palimpsest usage 0193a2b4-c5d6 --json', ''],
      ]),
    )
    .action(async (wanted: string | undefined) => {
      const { runUsage } = await import('../run/usage.ts');
      finish(await runUsage(wanted, command.optsWithGlobals<UsageFlags>(), terminal));
    });
}
