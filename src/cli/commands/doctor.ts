/** `palimpsest doctor`: its options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { DoctorFlags } from '../run/doctor.ts';
import { type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function doctorCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('doctor')
    .summary('check the store, and repair it')
    .description(
      'Check the store: its file, its pages, its rows, the search index, the views of sessions, and every message and ' +
        'saved output against the hash it was stored under. Nothing is changed without --repair, and no message ever. Of a ' +
        'store that was cut short or lost pages, --repair takes what can be read into a copy and lists what is missing.',
    )
    .option(
      '--repair',
      'rebuild what derives from the messages: indexes, views, counts, file permissions; or rescue a damaged store into a copy',
    )
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest doctor', ''],
        ['palimpsest doctor --repair', ''],
        ['palimpsest doctor --json', 'for programs'],
      ]),
    )
    .action(async () => {
      const { runDoctor } = await import('../run/doctor.ts');
      finish(await runDoctor(command.optsWithGlobals<DoctorFlags>(), terminal));
    });
}
