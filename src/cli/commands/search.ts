/** `palimpsest search`: its options. */
import { type Command, Option } from 'commander';
import { addStoreOption } from '../open-store.ts';
import type { SearchFlags } from '../run/search.ts';
import { addTimeOptions } from '../when.ts';
import { type CommandOptions, examples, jsonOption } from './shared-options.ts';

export function searchCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('search')
    .summary('find again what was said in any conversation')
    .description(
      'Find again what was said in any conversation of the store. QUERY may have words, "phrases", AND, OR, NOT, -word ' +
        'and beginning*; every text is a query. Without one, the newest conversations are listed.',
    )
    .argument('[query...]', 'what to look for; after -- also a word that begins with a dash')
    .option('--limit <n>', 'conversations to show, at most 50; 5 by default')
    .option('--role <roles>', 'what these said, such as user,assistant; also tool and system')
    .option('--source <names>', 'conversations of these sources, such as claude-code,codex')
    .option('--project <folder>', 'conversations of this folder, or one below it')
    .option('--session <id|title>', 'one conversation')
    .option('--vectors', 'also what was said in other words; `palimpsest vectors build` comes first');
  addTimeOptions(command, 'said')
    .option('--summarizer <provider/name>', 'model that sums up what each conversation holds on the query')
    .option('--base-url <url>', 'address of that model, where it speaks Chat Completions')
    .option('--no-summarizer', 'no summaries, whatever the configuration says')
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
