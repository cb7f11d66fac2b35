/** `palimpsest inspect`: its options. */
import type { Command } from 'commander';
import type { InspectFlags } from '../run/inspect.ts';
import { addInputOptions, addModelOptions, type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function inspectCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('inspect')
    .summary('show what is in a transcript and where its tokens go')
    .description('Show what is in a transcript: conversations, messages, tokens by role and tool, and problems.')
    .argument('[file]', 'transcript, plain or gzip; "-" or nothing for standard input')
    .option('--strict', 'exit with 1 if some provider would reject the messages, or if lines were skipped')
    .option('--example', 'use the recorded session that comes with Palimpsest')
    .addOption(jsonOption());
  addModelOptions(addInputOptions(command))
    .addHelpText(
      'after',
      examples([
        ['palimpsest inspect session.jsonl', ''],
        ['palimpsest inspect session.jsonl --context-length 200k', 'show how much of that window it fills'],
        ['palimpsest inspect chats.json --session 3 --json', 'for programs'],
      ]),
    )
    .action(async (file: string | undefined) => {
      const { runInspect } = await import('../run/inspect.ts');
      finish(await runInspect(file, command.optsWithGlobals<InspectFlags>(), terminal));
    });
}
