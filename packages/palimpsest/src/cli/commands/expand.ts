/** `palimpsest expand`: its options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { ExpandFlags } from '../run/expand.ts';
import { addInputOptions, type CommandOptions, examples, jsonOption } from './shared-options.ts';

const ofFileOrStore =
  'conversation in FILE; default: the longest; without FILE, a conversation in the store, where refs count all its messages';

export function expandCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('expand')
    .summary('show the original of a stub or of a line in a handoff')
    .description(
      'Show the original of a stub or of a line in a handoff. FILE is the conversation before compression; refs ' +
        'number its messages from m1.',
    )
    .argument('[file]', 'transcript, plain or gzip; "-" for standard input; omit it with --example and --session')
    .argument('[refs...]', 'm42, m40-m45, m3,m7')
    .option('--raw', 'print the exact bytes of the records in FILE')
    .option('--example', 'use the recorded session that comes with Palimpsest')
    .addOption(jsonOption());
  addStoreOption(addInputOptions(command, ofFileOrStore))
    .addHelpText(
      'after',
      examples([
        ['palimpsest expand session.jsonl m42', 'print a message'],
        ['palimpsest expand session.jsonl m40-m45', 'several'],
        ['palimpsest expand session.jsonl m42 --raw > record.json', 'byte for byte'],
        ['palimpsest expand --session "Oven timer drift" m42', 'print a message of a conversation in the store'],
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
