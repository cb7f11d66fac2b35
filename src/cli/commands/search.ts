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
      'Search everything that was said in the conversations of the store. QUERY can have words, "phrases", AND, OR, NOT, ' +
        '-word and prefix*; any text is a valid query. Without QUERY, list the newest conversations.',
    )
    .argument('[query...]', 'what to search for; put -- before a word that begins with a dash')
    .option('--limit <n>', 'conversations to show, at most 50; default: 5')
    .option('--role <roles>', 'only messages of these roles: user, assistant, tool, system')
    .option('--source <names>', 'only from these sources, such as claude-code,codex')
    .option('--project <folder>', 'only in this folder and below')
    .option('--session <id|title>', 'only in this conversation')
    .option('--vectors', 'also find what was said in other words; needs `palimpsest vectors build`');
  addTimeOptions(command, 'said')
    .option('--summarizer <provider/name>', 'model that summarises what each conversation says about QUERY')
    .option('--base-url <url>', 'address of that model, where it speaks Chat Completions')
    .option('--no-summarizer', 'use no summarizer, whatever the configuration says')
    // How these were written once.
    .addOption(new Option('--model <provider/name>').hideHelp())
    .addOption(new Option('--no-model').hideHelp())
    .addOption(jsonOption());
  addStoreOption(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest search why did the deploy fail', 'any of the words, best first'],
        [`palimpsest search '"connection reset" AND deploy*'`, 'a phrase, and words that begin so'],
        ['palimpsest search E4711 --since 2w --role tool', 'what tools said in two weeks'],
        ['palimpsest search signing key --summarizer openai/gpt-5-mini', 'with a summary of each conversation'],
        ['palimpsest search', 'the newest conversations'],
      ]),
    )
    .action(async (words: string[]) => {
      const { runSearch } = await import('../run/search.ts');
      finish(await runSearch(words, command.optsWithGlobals<SearchFlags>(), terminal));
    });
}
