/** `palimpsest outputs`: its commands and their options. */
import type { Command } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { OutputsListFlags } from '../run/outputs-list.ts';
import type { OutputsReadFlags } from '../run/outputs-read.ts';
import type { OutputsSearchFlags } from '../run/outputs-search.ts';
import { type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function outputsCommand(program: Command, options: CommandOptions): void {
  const outputs = program
    .command('outputs')
    .summary('list, read and search saved outputs: tool results that were too large')
    .description(
      'Read tool results that were too large for their conversation and were saved whole. The model reads them with ' +
        'read_output and search_output. ID is the id in the notice that replaced the result, or its beginning.',
    )
    .addHelpText(
      'after',
      examples([
        ['palimpsest outputs list', ''],
        ['palimpsest outputs read 15f19c5d --around 2714', ''],
        ['palimpsest outputs search "missing symbol"', ''],
      ]),
    );
  for (const define of [listCommand, readCommand, searchCommand]) define(outputs, options);
}

const outputArgument = 'id of a saved output, or at least its first four characters';

function listCommand(outputs: Command, { terminal, finish }: CommandOptions): void {
  const command = outputs
    .command('list')
    .summary('list saved outputs, newest first')
    .description('List the saved outputs of all conversations or of one, newest first.')
    .option('--session <id|title>', 'only this conversation, with all its sessions')
    .option('--limit <n>', 'most outputs to show; default: 20')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest outputs list', ''],
        ['palimpsest outputs list --session "Oven timer drift"', ''],
        ['palimpsest outputs list --limit 500 --json', ''],
      ]),
    )
    .action(async () => {
      const { runOutputsList } = await import('../run/outputs-list.ts');
      finish(await runOutputsList(command.optsWithGlobals<OutputsListFlags>(), terminal));
    });
}

function readCommand(outputs: Command, { terminal, finish }: CommandOptions): void {
  const command = outputs
    .command('read')
    .summary('read a saved output: all of it, some lines, or the lines around a match')
    .description(
      'Read a saved output: all of it, some of its lines, or the lines around a line or a match. Recognised ' +
        'credentials are masked, which never moves a line; --raw prints every byte as it was saved.',
    )
    .argument('<id>', outputArgument)
    .option('--lines <a-b>', 'show these lines, counted from 1: 120-180, 120- (to the end) or 120')
    .option('--chars <a-b>', 'with one line in --lines: show only these characters of it')
    .option('--around <n>', 'show this line and the lines around it')
    .option('--match <text>', 'show the lines with every word of the text, and the lines around them')
    .option('--context <n>', 'lines on each side, with --around and --match; default: 5')
    .option('--limit <n>', 'most matches to show, with --match; default: 20')
    .option('--raw', 'print it as it was saved: nothing masked, no line numbers')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest outputs read 15f19c5dfa1550b2 | less', 'all of it'],
        ['palimpsest outputs read 15f19c5d --lines 120-180', ''],
        ['palimpsest outputs read 15f19c5d --around 2714', 'the lines around one that a search showed'],
        ['palimpsest outputs read 15f19c5d --match "missing symbol"', ''],
        ['palimpsest outputs read 15f19c5d --raw > build.log', 'byte for byte'],
      ]),
    )
    .action(async (id: string) => {
      const { runOutputsRead } = await import('../run/outputs-read.ts');
      finish(await runOutputsRead(id, command.optsWithGlobals<OutputsReadFlags>(), terminal));
    });
}

function searchCommand(outputs: Command, { terminal, finish }: CommandOptions): void {
  const command = outputs
    .command('search')
    .summary('find lines in saved outputs')
    .description(
      'Find the lines of saved outputs with every word of QUERY. Words are also found inside longer words; upper and lower ' +
        'case do not matter. Without ID, all outputs are searched, newest first.',
    )
    .argument('<query>', 'words to search for; put several words in quotation marks')
    .argument('[id]', outputArgument)
    .option('--session <id|title>', 'only this conversation, with all its sessions')
    .option('--limit <n>', 'most matches to show; default: 20')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest outputs search ECONNREFUSED', 'search all outputs'],
        ['palimpsest outputs search "missing symbol" 15f19c5d', 'search one output'],
        ['palimpsest outputs search timeout --session "Oven timer drift" --json', ''],
      ]),
    )
    .action(async (query: string, id: string | undefined) => {
      const { runOutputsSearch } = await import('../run/outputs-search.ts');
      finish(await runOutputsSearch([query, id], command.optsWithGlobals<OutputsSearchFlags>(), terminal));
    });
}
