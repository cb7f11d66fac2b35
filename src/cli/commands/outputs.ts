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
    .summary('list, read and search saved tool results')
    .description(
      'Read tool results that were too large for their conversation and were saved whole; the model reads them with ' +
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

const outputArgument = 'id of a saved output, or four digits or more of its beginning';

function listCommand(outputs: Command, { terminal, finish }: CommandOptions): void {
  const command = outputs
    .command('list')
    .summary('list saved results, newest first')
    .description('List the saved results of all conversations or of one, newest first.')
    .option('--session <id|title>', 'only those of this conversation, with all its sessions')
    .option('--limit <n>', 'how many; default: 20')
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
    .summary('read a saved result: all of it, some lines, or what stands around a match')
    .description(
      'Read a saved result: all of it, some of its lines, or what stands around a line or a match. Recognised ' +
        'credentials are masked and no line is moved by it; --raw gives every byte as it was saved.',
    )
    .argument('<id>', outputArgument)
    .option('--lines <a-b>', 'these lines, from 1: 120-180, 120- to the end, or 120 alone')
    .option('--chars <a-b>', 'with one line: these of its characters, for lines that are very long')
    .option('--around <n>', 'this line and those around it')
    .option('--match <text>', 'lines that hold every word of the text, and those around them')
    .option('--context <n>', 'lines on each side with --around and --match; default: 5')
    .option('--limit <n>', 'matches to show with --match; default: 20')
    .option('--raw', 'print it as saved: nothing masked, no line numbers')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest outputs read 15f19c5dfa1550b2 | less', 'all of it'],
        ['palimpsest outputs read 15f19c5d --lines 120-180', ''],
        ['palimpsest outputs read 15f19c5d --around 2714', 'a line that a search has shown'],
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
    .summary('find lines in saved results')
    .description(
      'Find the lines of saved results that hold every word of QUERY; words are found inside of longer words, in upper ' +
        'and lower case alike. Without ID all results are searched, the newest first.',
    )
    .argument('<query>', 'what to search for; put several words in quotation marks')
    .argument('[id]', outputArgument)
    .option('--session <id|title>', 'only results of this conversation, with all its sessions')
    .option('--limit <n>', 'matches to show; default: 20')
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest outputs search ECONNREFUSED', 'in all results'],
        ['palimpsest outputs search "missing symbol" 15f19c5d', 'in one'],
        ['palimpsest outputs search timeout --session "Oven timer drift" --json', ''],
      ]),
    )
    .action(async (query: string, id: string | undefined) => {
      const { runOutputsSearch } = await import('../run/outputs-search.ts');
      finish(await runOutputsSearch([query, id], command.optsWithGlobals<OutputsSearchFlags>(), terminal));
    });
}
