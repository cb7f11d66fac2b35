/** `palimpsest status`: its options. */
import type { Command } from 'commander';
import type { StatusFlags } from '../run/status.ts';
import { addInputOptions, addModelOptions, type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function statusCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('status')
    .summary('show how full the window is, and when compression starts')
    .description('Show when compression starts and how large each part may be; with FILE, also how full its window is.')
    .argument('[file]', 'transcript, plain or gzip; "-" for standard input')
    .option('--example', 'use the recorded session that comes with Palimpsest')
    .addOption(jsonOption());
  addModelOptions(addInputOptions(command))
    .addHelpText(
      'after',
      examples([
        ['palimpsest status', 'the sizes for a window of 200k tokens'],
        ['palimpsest status session.jsonl', 'with the share of its window'],
        ['palimpsest status --context-length 32k', ''],
      ]),
    )
    .action(async (file: string | undefined) => {
      const { runStatus } = await import('../run/status.ts');
      finish(await runStatus(file, command.optsWithGlobals<StatusFlags>(), terminal));
    });
}
