/** `palimpsest backup` and `palimpsest restore`: their options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { BackupFlags, RestoreFlags } from '../run/backup.ts';
import { type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function backupCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('backup')
    .summary('copy the store into one file, while others write to it')
    .description('Copy the whole store into one new file. Others may go on writing; the copy holds one moment.')
    .argument('<file>', 'the new file')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText('after', examples([['palimpsest backup ~/backups/palimpsest-2026-01-31.db', '']]))
    .action(async (file: string) => {
      const { runBackup } = await import('../run/backup.ts');
      finish(await runBackup(file, command.optsWithGlobals<BackupFlags>(), terminal));
    });
}

export function restoreCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('restore')
    .summary('make the store of a backup')
    .description(
      'Make the store of a backup. The backup is checked first and stays as it is. A store that has content is only ' +
        'replaced with --force, and is kept beside the new one.',
    )
    .argument('<file>', 'a file that backup wrote')
    .option('--force', 'take the place of a store that has content; it is kept under another name')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest restore ~/backups/palimpsest-2026-01-31.db', ''],
        ['palimpsest restore palimpsest-2026-01-31.db --store elsewhere.db', ''],
      ]),
    )
    .action(async (file: string) => {
      const { runRestore } = await import('../run/backup.ts');
      finish(await runRestore(file, command.optsWithGlobals<RestoreFlags>(), terminal));
    });
}
