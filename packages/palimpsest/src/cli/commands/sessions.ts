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
  forceOption,
  formatName,
  jsonOption,
  templateOption,
} from './shared-options.ts';

export function sessionsCommand(program: Command, options: CommandOptions): void {
  const sessions = program
    .command('sessions')
    .summary('list, show, name, compress, export and delete conversations')
    .description('Work with the conversations in the store. SESSION is an id, the beginning of an id, or a title.')
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

const sessionArgument = ['<session>', 'id, beginning of an id, or title'] as const;

function listCommand(sessions: Command, { terminal, finish }: CommandOptions): void {
  const command = sessions
    .command('list')
    .summary('list conversations, most recently active first')
    .description(
      'List the conversations in the store, most recently active first. A compressed conversation is one row.',
    )
    .option('--limit <n>', 'most conversations to show; default: 20')
    .option('--source <name>', 'only conversations of this source, such as codex or cli')
    .option('--project <folder>', 'only conversations in this folder and below')
    .option('--sides', 'include sub-agents and branches');
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
    .summary('show one conversation: times, counts, usage, sessions, messages')
    .description('Show one conversation: its source, times, counts, usage, sessions, and the first and last request.')
    .argument(...sessionArgument)
    .option('--messages', 'show the messages that the model sees now, with credentials masked')
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
    .description('Print or set the title of a conversation. Titles are unique: a title in use gets a number.')
    .argument(...sessionArgument)
    .argument('[title]', 'the new title, at most 100 characters')
    .option('--clear', 'remove the title')
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
    .summary('continue a conversation in a smaller session')
    .description(
      'Compress a conversation in the store: its newest session ends, and a new session with the smaller context continues ' +
        'it. Both are kept. If anything fails, the conversation is unchanged.',
    )
    .argument(...sessionArgument)
    .option('--target <tokens>', 'target size in tokens, such as 20k; default: the configured budgets')
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
    .summary('write a conversation as a transcript in any format')
    .description(
      'Write a whole conversation as a transcript, including everything that was compressed. An imported conversation ' +
        'comes back as it was read. Credentials are not masked.',
    )
    .argument(...sessionArgument)
    .option('--to <format>', 'output format; default: that of its source (see palimpsest formats)', formatName)
    .option('-o, --output <file>', 'file for the transcript; "-" or nothing for standard output')
    .addOption(forceOption())
    .option('--view', 'write only what the model sees now');
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
    command
      .option('--yes', 'delete without asking')
      .option('--dry-run', 'show what would be deleted, and delete nothing')
      .addOption(jsonOption()),
  );

function deleteCommand(sessions: Command, { terminal, finish }: CommandOptions): void {
  const command = sessions
    .command('delete')
    .summary('delete conversations permanently')
    .description(
      'Delete conversations permanently: all their sessions, those of their sub-agents, and every message that no other ' +
        'session contains. Asks first on a terminal; elsewhere --yes is required.',
    )
    .argument('<session...>', 'ids, beginnings of ids, or titles');
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
    .summary('delete conversations that were last active before a time')
    .description(
      'Delete every conversation that was last active before a time, permanently. Asks first on a terminal; elsewhere --yes is required.',
    )
    .option('--before <time>', 'last active before: 2026-01-31, 90d, 6mo, 1y')
    .option('--source <name>', 'only conversations of this source, such as codex or cli');
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
