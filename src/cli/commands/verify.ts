/** `palimpsest verify`: its options. */
import type { Command } from 'commander';
import type { VerifyFlags } from '../run/verify.ts';
import { addConversationOptions, type CommandOptions, examples, forceOption, jsonOption } from './shared-options.ts';

export function verifyCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('verify')
    .summary('hold a summary against the conversation that it stands for')
    .description(
      'Hold a summary of any origin against the conversation that it stands for, without a model: which of its claims ' +
        'nobody made, which say the opposite of what happened, which rules and open requests of the user it leaves out. ' +
        'With TRANSCRIPT alone, the summaries that it carries are held against what stands before each of them.',
    )
    .argument('[summary]', 'text or Markdown, or a compressed conversation; "-" for standard input')
    .argument('[transcript]', 'conversation, plain or gzip; "-" or nothing for standard input')
    .usage('[options] [SUMMARY] TRANSCRIPT')
    .option('--fix', 'print the summary with wrong claims corrected or taken out and missing facts added')
    .option('-o, --output <file>', 'with --fix, write it to a file; the report goes to standard error either way')
    .addOption(forceOption())
    .option('--at <n|ref>', 'the summary stands for what was said before the n-th summary, or before message m42')
    .option('--example', 'use the recorded session that ships with Palimpsest as TRANSCRIPT')
    .addOption(jsonOption());
  addConversationOptions(command, 'TRANSCRIPT')
    .addHelpText(
      'after',
      examples([
        ['palimpsest verify notes.md session.jsonl', 'is it true?'],
        ['palimpsest verify notes.md session.jsonl --fix > true.md', 'make it so'],
        ['palimpsest verify session.jsonl', "the compactions in a coding agent's log"],
        ['palimpsest verify short.json session.jsonl', 'the handoff in a compressed conversation'],
      ]),
    )
    .action(async (first: string | undefined, second: string | undefined) => {
      const { runVerify } = await import('../run/verify.ts');
      const words = [first, second].filter((word) => word !== undefined);
      finish(await runVerify(words, command.optsWithGlobals<VerifyFlags>(), terminal));
    });
}
