/** `palimpsest backup` and `palimpsest restore`: their options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { BackupFlags, RestoreFlags } from '../run/backup.ts';
import { type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function backupCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('backup')
    .summary('copy the store to one file')
    .description(
      'Copy the whole store to one new file. Other processes can keep writing; the copy is a consistent snapshot.',
    )
    .argument('<file>', 'file to create')
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
    .summary('restore the store from a backup')
    .description(
      'Restore the store from a backup. The backup is checked first and never changed. A store with content is only ' +
        'replaced with --force; it is then kept under another name.',
    )
    .argument('<file>', 'backup to restore')
    .option('--force', 'replace a store that has content; the old one is kept under another name')
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
