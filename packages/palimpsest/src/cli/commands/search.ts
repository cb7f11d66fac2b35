/** `palimpsest search`: its options. */
import { type Command, Option } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { SearchFlags } from '../run/search.ts';
import { addTimeOptions } from '../when.ts';
import { type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function searchCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('search')
    .summary('search everything that was said')
    .description(
      'Search everything that was said in the conversations of the store. QUERY can contain words, "phrases", AND, OR, NOT, ' +
        '-word and prefix*; any text is a valid query. Without QUERY, list the newest conversations.',
    )
    .argument('[query...]', 'words to search for; put -- before a word that begins with a dash')
    .option('--limit <n>', 'most conversations to show, at most 50; default: 5')
    .option('--role <roles>', 'only messages of these roles: user, assistant, tool, system')
    .option('--source <names>', 'only conversations of these sources, such as claude-code,codex')
    .option('--project <folder>', 'only conversations in this folder and below')
    .option('--session <id|title>', 'only this conversation, with all its sessions')
    .option('--vectors', 'also find what was said in other words; needs `palimpsest vectors build`');
  addTimeOptions(command, 'said')
    .option('--summarizer <provider/name>', 'model that writes a summary of what each conversation says about QUERY')
    .option('--base-url <url>', 'base URL of the summarizer; it must speak Chat Completions')
    .option('--no-summarizer', 'use no summarizer, even if one is configured')
    // How these were written once.
    .addOption(new Option('--model <provider/name>').hideHelp())
    .addOption(new Option('--no-model').hideHelp())
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest search why did the deploy fail', 'conversations with any of the words, best first'],
        [`palimpsest search '"connection reset" AND deploy*'`, 'a phrase, and words with a prefix'],
        ['palimpsest search E4711 --since 2w --role tool', 'tool results of the last two weeks'],
        ['palimpsest search signing key --summarizer openai/gpt-5-mini', 'with a summary of each conversation'],
        ['palimpsest search', 'list the newest conversations'],
      ]),
    )
    .action(async (words: string[]) => {
      const { runSearch } = await import('../run/search.ts');
      finish(await runSearch(words, command.optsWithGlobals<SearchFlags>(), terminal));
    });
}
