/** `palimpsest sessions`: its commands and their options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { SessionsCompressFlags } from '../run/sessions-compress.ts';
import type { SessionsDeleteFlags, SessionsPruneFlags } from '../run/sessions-delete.ts';
import type { SessionsExportFlags } from '../run/sessions-export.ts';
import type { SessionsListFlags } from '../run/sessions-list.ts';
import type { SessionsShowFlags } from '../run/sessions-show.ts';
import type { SessionsTitleFlags } from '../run/sessions-title.ts';
import { addTimeOptions } from '../when.ts';
import type { Typed } from '../writer/writer-for.ts';
import { addWriterOptions } from './compress.ts';
import {
  type CommandOptions,
  engineOption,
  examples,
  formatName,
  jsonOption,
  templateOption,
} from './shared-options.ts';

export function sessionsCommand(program: Command, options: CommandOptions): void {
  const sessions = program
    .command('sessions')
    .summary('list, show, name, export and delete what is kept')
    .description('The conversations in the store. SESSION is an id, the beginning of one, or a title.')
    .addHelpText(
      'after',
      examples([
        ['palimpsest sessions list --since 7d', ''],
        ['palimpsest sessions show "Oven timer drift"', ''],
        ['palimpsest sessions export "Oven timer drift" -o oven.jsonl', 'everything that was said'],
      ]),
    );
  const commands = [
    listCommand,
    showCommand,
    titleCommand,
    compressSessionCommand,
    exportCommand,
    deleteCommand,
    pruneCommand,
  ];
  for (const define of commands) {
    define(sessions, options);
  }
}

const sessionArgument = ['<session>', 'id of a session, its beginning, or a title'] as const;

function listCommand(sessions: Command, { terminal, finish }: CommandOptions): void {
  const command = sessions
    .command('list')
    .summary('the conversations, the last active first')
    .description(
      'The conversations in the store, the last active first; a conversation that was compressed is one row.',
    )
    .option('--limit <n>', 'how many; 20 by default')
    .option('--source <name>', 'only those of a tool or a door, such as codex or cli')
    .option('--project <folder>', 'only those in the folder and below')
    .option('--sides', 'conversations of sub-agents and branches off the main one too');
  addStoreOption(addTimeOptions(command, 'active').addOption(jsonOption()))
    .addHelpText(
      'after',
      examples([
        ['palimpsest sessions list', ''],
        ['palimpsest sessions list --since 7d --project .', ''],
        ['palimpsest sessions list --source claude-code --limit 100 --json', ''],
      ]),
    )
    .action(async () => {
      const { runSessionsList } = await import('../run/sessions-list.ts');
      finish(await runSessionsList(command.optsWithGlobals<SessionsListFlags>(), terminal));
    });
}

function showCommand(sessions: Command, { terminal, finish }: CommandOptions): void {
  const command = sessions
    .command('show')
    .summary('one conversation: times, counts, usage, its sessions, what was said')
    .description(
      'One conversation: where it came from, times, counts, usage, its sessions, the first and last request.',
    )
    .argument(...sessionArgument)
    .option('--messages', 'what was said, as its model sees it now, without credentials')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest sessions show "Oven timer drift"', ''],
        ['palimpsest sessions show 0193a2b4-c5d6 --messages | less', ''],
      ]),
    )
    .action(async (wanted: string) => {
      const { runSessionsShow } = await import('../run/sessions-show.ts');
      finish(await runSessionsShow(wanted, command.optsWithGlobals<SessionsShowFlags>(), terminal));
    });
}

function titleCommand(sessions: Command, { terminal, finish }: CommandOptions): void {
  const command = sessions
    .command('title')
    .summary('print or set the title of a conversation')
    .description('Print the title of a conversation, or set it. Titles are unique: one in use gets a number.')
    .argument(...sessionArgument)
    .argument('[title]', 'the new title, at most 100 characters')
    .option('--clear', 'take the title away')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest sessions title 0193a2b4-c5d6', ''],
        ['palimpsest sessions title 0193a2b4-c5d6 "Oven timer drift"', ''],
      ]),
    )
    .action(async (wanted: string, title: string | undefined) => {
      const { runSessionsTitle } = await import('../run/sessions-title.ts');
      finish(await runSessionsTitle([wanted, title], command.optsWithGlobals<SessionsTitleFlags>(), terminal));
    });
}

function compressSessionCommand(sessions: Command, { terminal, finish }: CommandOptions): void {
  const command = sessions
    .command('compress')
    .summary('go on with a conversation in a smaller session')
    .description(
      'Compress a conversation in the store: its newest session ends, and one with the smaller list continues it. Both ' +
        'stay; whatever goes wrong, the conversation is as it was.',
    )
    .argument(...sessionArgument)
    .option('--target <tokens>', 'fit the list to so many tokens; by default the configured budgets decide')
    .option('--focus <text>', 'topic that the handoff keeps in full detail')
    .addOption(templateOption())
    .addOption(engineOption())
    .addOption(jsonOption());
  addStoreOption(addWriterOptions(command, 'the session'))
    .addHelpText(
      'after',
      examples([
        ['palimpsest sessions compress "Oven timer drift"', ''],
        ['palimpsest sessions compress 0193a2b4-c5d6 --summarizer openai/gpt-5-mini', ''],
        ['palimpsest sessions compress 0193a2b4-c5d6 --engine newest', ''],
      ]),
    )
    .action(async (wanted: string) => {
      const { runSessionsCompress } = await import('../run/sessions-compress.ts');
      finish(await runSessionsCompress(wanted, command.optsWithGlobals<Typed<SessionsCompressFlags>>(), terminal));
    });
}

function exportCommand(sessions: Command, { terminal, finish }: CommandOptions): void {
  const command = sessions
    .command('export')
    .summary('write a conversation as a transcript of any format')
    .description(
      'Write a whole conversation as a transcript, from its first message on, whatever was compressed since. What was ' +
        'imported comes back as it was read. Credentials in it are not redacted.',
    )
    .argument(...sessionArgument)
    .option('--to <format>', 'format to write; its own by default (palimpsest formats lists them)', formatName)
    .option('-o, --output <file>', 'file to write; "-" or nothing for standard output')
    .option('--view', 'only what its model sees now');
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest sessions export "Oven timer drift" -o oven.jsonl', ''],
        ['palimpsest sessions export 0193a2b4-c5d6 --to openai-chat', ''],
        ['palimpsest sessions export 0193a2b4-c5d6 --view | palimpsest inspect', ''],
      ]),
    )
    .action(async (wanted: string) => {
      const { runSessionsExport } = await import('../run/sessions-export.ts');
      finish(await runSessionsExport(wanted, command.optsWithGlobals<SessionsExportFlags>(), terminal));
    });
}

const addDeleteOptions = (command: Command): Command =>
  addStoreOption(
    command.option('--yes', 'do not ask').option('--dry-run', 'only say what would go').addOption(jsonOption()),
  );

function deleteCommand(sessions: Command, { terminal, finish }: CommandOptions): void {
  const command = sessions
    .command('delete')
    .summary('delete conversations for good')
    .description(
      'Delete conversations for good, with all their sessions, those of their sub-agents, and every message that no other ' +
        'session shows. Asks first on a terminal; elsewhere --yes is needed.',
    )
    .argument('<session...>', 'ids of sessions, their beginnings, or titles');
  addDeleteOptions(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest sessions delete 0193a2b4-c5d6', ''],
        ['palimpsest sessions delete 0193a2b4-c5d6 --dry-run', ''],
      ]),
    )
    .action(async (wanted: string[]) => {
      const { runSessionsDelete } = await import('../run/sessions-delete.ts');
      finish(await runSessionsDelete(wanted, command.optsWithGlobals<SessionsDeleteFlags>(), terminal));
    });
}

function pruneCommand(sessions: Command, { terminal, finish }: CommandOptions): void {
  const command = sessions
    .command('prune')
    .summary('delete every conversation that was last active before a time')
    .description('Delete every conversation that was last active before a time, for good. Asks as delete does.')
    .option('--before <time>', 'last active before: 2026-01-31, 90d, 6mo, 1y')
    .option('--source <name>', 'only those of a tool or a door, such as codex or cli');
  addDeleteOptions(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest sessions prune --before 1y --dry-run', ''],
        ['palimpsest sessions prune --before 2026-01-01 --source codex --yes', ''],
      ]),
    )
    .action(async () => {
      const { runSessionsPrune } = await import('../run/sessions-delete.ts');
      finish(await runSessionsPrune(command.optsWithGlobals<SessionsPruneFlags>(), terminal));
    });
}
