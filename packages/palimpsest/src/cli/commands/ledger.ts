/** `palimpsest ledger`: its options. */
import type { Command } from 'commander';
import type { LedgerFlags } from '../run/ledger.ts';
import {
  addInputOptions,
  type CommandOptions,
  examples,
  jsonOption,
  modelOption,
  templateOption,
} from './shared-options.ts';

export function ledgerCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('ledger')
    .summary('show the facts of a conversation')
    .description('Show the facts that are extracted from a conversation without a model, each with its message.')
    .argument('[file]', 'transcript, plain or gzip; "-" or nothing for standard input')
    .option('--budget <tokens>', 'print the handoff instead of the facts, with at most this many tokens')
    .option('--focus <text>', 'topic that the handoff keeps in full detail; facts about it come last in their section')
    .addOption(templateOption())
    .option('--all', 'show every fact; default: the newest of each section')
    .addOption(modelOption())
    .option('--example', 'use the recorded session that comes with Palimpsest')
    .addOption(jsonOption());
  addInputOptions(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest ledger session.jsonl', ''],
        ['palimpsest ledger session.jsonl --budget 3k', 'print the handoff'],
        ['palimpsest ledger session.jsonl --json', 'for programs'],
      ]),
    )
    .action(async (file: string | undefined) => {
      const { runLedger } = await import('../run/ledger.ts');
      finish(await runLedger(file, command.optsWithGlobals<LedgerFlags>(), terminal));
    });
}
