/** `palimpsest import`: its options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { ImportFlags } from '../run/import.ts';
import { type CommandOptions, examples, formatName, jsonOption } from './shared-options.ts';

export function importCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('import')
    .summary('store the conversations of other tools')
    .description(
      'Store the conversations of transcripts. Importing again adds only what is new, so you can repeat it as often as ' +
        'you like. Files that cannot be read are reported and skipped.',
    )
    .argument('[path...]', 'transcripts, plain or gzip, and folders of them; "-" for standard input')
    .option('--discover', 'find your own sessions on this machine: Claude Code, Codex CLI, pi, GitHub Copilot CLI')
    .option('--source <format>', 'only conversations of this source, such as codex', formatName)
    .option('--from <format>', 'format of every PATH; default: detected from the content', formatName)
    .option('--project <folder>', 'folder that the agent worked in; default: the one in the transcript')
    .option('--title <title>', 'title of the conversation; only for a file with one conversation')
    .option('--dry-run', 'show what would be imported, and import nothing')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest import --discover', 'everything on this machine'],
        ['palimpsest import session.jsonl', ''],
        ['palimpsest import logs/ more.json.gz', ''],
        ['palimpsest import --discover --source codex --dry-run', ''],
      ]),
    )
    .action(async (paths: string[]) => {
      const { runImport } = await import('../run/import.ts');
      finish(await runImport(paths, command.optsWithGlobals<ImportFlags>(), terminal));
    });
}
