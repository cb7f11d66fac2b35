/** `palimpsest formats`: its options. */
import type { Command } from 'commander';
import type { CommandOptions } from '../program.ts';
import type { FormatsFlags } from '../run/formats.ts';
import { examples, jsonOption } from './shared-options.ts';

export function formatsCommand(program: Command, { terminal, finish }: CommandOptions): void {
  program
    .command('formats')
    .summary('list the transcript formats')
    .description('List the transcript formats, and which of them can be written.')
    .addOption(jsonOption())
    .addHelpText('after', examples([['palimpsest formats', '']]))
    .action(async (_own: object, self: Command) => {
      const { runFormats } = await import('../run/formats.ts');
      finish(await runFormats(self.optsWithGlobals<FormatsFlags>(), terminal));
    });
}
