/** `palimpsest simulate`: its options. */

import { cacheLayouts } from '@palimpsest/core/engine';
import { type Command, Option } from 'commander';
import type { SimulateFlags } from '../run/simulate.ts';
import { addInputOptions, type CommandOptions, contextLengthOption, examples, jsonOption } from './shared-options.ts';

export function simulateCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('simulate')
    .summary('show what a conversation would have cost under different policies')
    .description(
      'Replay a conversation call by call, with the cache rules and list prices of its model, and compare ' +
        'policies: when to compress, when to clear old tool results, or neither. Nothing is sent anywhere. Compressions ' +
        'are real, but made without a model.',
    )
    .argument('[paths...]', 'transcripts and folders of them, plain or gzip; "-" or nothing for standard input')
    .option('--policy <names>', 'policies to compare, separated by commas; default: all')
    .option(
      '--model <names>',
      'models whose prices and cache rules apply, separated by commas; default: the one in the transcript',
    )
    .addOption(contextLengthOption())
    .addOption(
      new Option('--ttl <time>', 'how long Anthropic caches text; default: model.cache_ttl').choices(['5m', '1h']),
    )
    .addOption(
      new Option('--layout <name>', 'where cache breakpoints go, for providers that need them; default: turns').choices(
        [...cacheLayouts],
      ),
    )
    .option('--summarizer <model>', 'model that would write the summaries; only its price counts')
    .option('--example', 'use the recorded session that comes with Palimpsest')
    .addOption(jsonOption());
  addInputOptions(command)
    .addHelpText(
      'after',
      examples([
        ['palimpsest simulate --example --context-length 16k', 'see it work'],
        ['palimpsest simulate session.jsonl', 'with its own model and window'],
        ['palimpsest simulate ~/.claude/projects --context-length 200k', 'all conversations of a tool together'],
        ['palimpsest simulate session.jsonl --model claude-opus-4-8,gpt-5.5', 'compare two providers'],
        ['palimpsest simulate session.jsonl --policy planned,compress-75 --ttl 1h', ''],
        ['palimpsest simulate session.jsonl --layout system_and_3', 'with breakpoints as other agents place them'],
      ]),
    )
    .action(async (paths: readonly string[]) => {
      const { runSimulate } = await import('../run/simulate.ts');
      finish(await runSimulate(paths, command.optsWithGlobals<SimulateFlags>(), terminal));
    });
}
