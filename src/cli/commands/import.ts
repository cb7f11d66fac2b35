/** `palimpsest import`: its options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { ImportFlags } from '../run/import.ts';
import { type CommandOptions, examples, formatName, jsonOption } from './shared-options.ts';

export function importCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('import')
    .summary('keep conversations of other tools, and find them again')
    .description(
      'Keep the conversations of transcripts in the store. Importing again adds only what is new, so it can be done as ' +
        'often as you like; a file that cannot be read is reported and skipped.',
    )
    .argument('[path...]', 'transcripts, plain or gzip, and folders of them; "-" for standard input')
    .option('--discover', 'your own sessions on this machine: Claude Code, Codex CLI, pi, GitHub Copilot CLI')
    .option('--source <format>', 'only conversations of this tool, such as codex', formatName)
    .option('--from <format>', 'format of every PATH; told from its content by default', formatName)
    .option('--project <folder>', 'the folder the agent worked in; what the transcript says by default')
    .option('--title <title>', 'what to call the conversation; only for a file with one')
    .option('--dry-run', 'only say what would be imported')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest import --discover', 'everything that is on this machine'],
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
