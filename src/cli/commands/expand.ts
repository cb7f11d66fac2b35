/** `palimpsest expand`: its options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { ExpandFlags } from '../run/expand.ts';
import { addInputOptions, type CommandOptions, examples, jsonOption } from './shared-options.ts';

const ofFileOrStore =
  'which conversation of FILE, the longest by default; without FILE, one of the store: refs count all that was said in it';

export function expandCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('expand')
    .summary('bring back the original behind a stub or a line of a handoff')
    .description(
      'Bring back the original behind a stub or a line of a handoff. FILE is the conversation as it was before it was ' +
        'compressed; refs count its messages from m1.',
    )
    .argument('[file]', 'transcript, plain or gzip; "-" for standard input; left out with --example and --session')
    .argument('[refs...]', 'm42, m40-m45, m3,m7')
    .option('--raw', 'the exact bytes of its records in FILE')
    .option('--example', 'use the recorded session that ships with Palimpsest')
    .addOption(jsonOption());
  addStoreOption(addInputOptions(command, ofFileOrStore))
    .addHelpText(
      'after',
      examples([
        ['palimpsest expand session.jsonl m42', 'its text'],
        ['palimpsest expand session.jsonl m40-m45', 'several'],
        ['palimpsest expand session.jsonl m42 --raw > record.json', 'byte for byte'],
        ['palimpsest expand --session "Oven timer drift" m42', 'of a conversation in the store'],
        ['palimpsest expand --example m42', ''],
      ]),
    )
    .action(async (file: string | undefined, refs: string[]) => {
      const { runExpand } = await import('../run/expand.ts');
      finish(
        await runExpand(file === undefined ? [] : [file, ...refs], command.optsWithGlobals<ExpandFlags>(), terminal),
      );
    });
}
