/** `palimpsest config show`: its options. */
import type { Command } from 'commander';
import type { ConfigFlags } from '../run/config.ts';
import { type CommandOptions, contextLengthOption, examples, jsonOption } from './shared-options.ts';

export function configCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const config = program
    .command('config')
    .summary('show the configuration')
    .description('Show the configuration.')
    .addHelpText('after', examples([['palimpsest config show', '']]));
  const show = config
    .command('show')
    .summary('show every setting with its value and its origin')
    .description(
      'Show every setting with its value and its origin, and the sizes that result. ' +
        'Settings come from palimpsest.yaml (.yml, .json) in this folder, then config.yaml in your configuration folder, ' +
        'and from PALIMPSEST_ variables, which take precedence.',
    )
    .option('--changed', 'show only settings that differ from their defaults')
    .option('--model <name>', 'model whose window and threshold apply; default: any')
    .addOption(contextLengthOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      examples([
        ['palimpsest config show', ''],
        ['palimpsest config show --context-length 1M', 'the sizes for that window'],
        ['PALIMPSEST_COMPRESSION_THRESHOLD=0.7 palimpsest config show --changed', ''],
      ]),
    )
    .action(async () => {
      const { runConfigShow } = await import('../run/config.ts');
      finish(await runConfigShow(show.optsWithGlobals<ConfigFlags>(), terminal));
    });
}
