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
      'Check the store: its file, pages, rows and search index, the views of sessions, and every message and ' +
        'saved output against its hash. Without --repair nothing is changed; messages are never changed. If the store was ' +
        'cut short or lost pages, --repair copies everything that can still be read to a new file and lists what is missing.',
    )
    .option(
      '--repair',
      'rebuild indexes, views, counts and file permissions; if messages are damaged, copy what can be read to a new file',
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
