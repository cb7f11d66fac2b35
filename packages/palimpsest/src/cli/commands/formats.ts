/** `palimpsest formats`: its options. */
import type { Command } from 'commander';
import type { FormatsFlags } from '../run/formats.ts';
import { type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function formatsCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program.command('formats');
  command
    .summary('list transcript formats')
    .description('List the transcript formats, and whether Palimpsest can write them.')
    .addOption(jsonOption())
    .addHelpText('after', examples([['palimpsest formats', '']]))
    .action(async () => {
      const { runFormats } = await import('../run/formats.ts');
      finish(await runFormats(command.optsWithGlobals<FormatsFlags>(), terminal));
    });
}
