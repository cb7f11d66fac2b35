/** `palimpsest verify`: its options. */
import type { Command } from 'commander';
import type { VerifyFlags } from '../run/verify.ts';
import { addConversationOptions, type CommandOptions, examples, forceOption, jsonOption } from './shared-options.ts';

export function verifyCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('verify')
    .summary('check a summary against its conversation')
    .description(
      'Check a summary from any source against its conversation, without a model: which claims the conversation does not ' +
        'support, which it contradicts, and which rules and open requests of the user are missing. With TRANSCRIPT alone, ' +
        'check the summaries in it, each against the messages before it.',
    )
    .argument('[summary]', 'summary as text or Markdown, or a compressed conversation; "-" for standard input')
    .argument('[transcript]', 'transcript, plain or gzip; "-" or nothing for standard input')
    .usage('[options] [SUMMARY] TRANSCRIPT')
    .option('--fix', 'print the summary with wrong claims corrected or removed and missing facts added')
    .option(
      '-o, --output <file>',
      'file for the corrected summary, with --fix; the report always goes to standard error',
    )
    .addOption(forceOption())
    .option('--at <n|ref>', 'check against the messages before the n-th summary, or before message m42')
    .option('--example', 'use the recorded session that comes with Palimpsest as TRANSCRIPT')
    .addOption(jsonOption());
  addConversationOptions(command, 'TRANSCRIPT')
    .addHelpText(
      'after',
      examples([
        ['palimpsest verify notes.md session.jsonl', 'check a summary'],
        ['palimpsest verify notes.md session.jsonl --fix > true.md', 'print it corrected'],
        ['palimpsest verify session.jsonl', "check the summaries in a coding agent's log"],
        ['palimpsest verify short.json session.jsonl', 'check the handoff in a compressed conversation'],
      ]),
    )
    .action(async (first: string | undefined, second: string | undefined) => {
      const { runVerify } = await import('../run/verify.ts');
      const words = [first, second].filter((word) => word !== undefined);
      finish(await runVerify(words, command.optsWithGlobals<VerifyFlags>(), terminal));
    });
}
