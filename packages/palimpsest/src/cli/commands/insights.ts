/** `palimpsest insights`: its options. */
import { type Command, Option } from 'commander';
import { addStoreOption } from '../open-store.ts';
import { type InsightsFlags, insightGroups } from '../run/insights-flags.ts';
import { addTimeOptions } from '../when.ts';
import { type CommandOptions, examples, forceOption, jsonOption } from './shared-options.ts';

export function insightsCommand(program: Command, { terminal, finish }: CommandOptions): void {
  const command = program
    .command('insights')
    .summary('show what all conversations used and cost over time')
    .description(
      'Show what all conversations used and cost over time, by default in the last 30 days: list price, what the cache ' +
        'saved, models, tools, sources, days, the largest conversations. --html writes a page with charts that needs no ' +
        'network. A time in days, weeks, months or years starts at midnight.',
    )
    .addOption(
      new Option('--by <group>', 'show every row of one table; --html puts it first, --json adds it as `rows`').choices(
        insightGroups,
      ),
    )
    .option('--html [file]', 'write an HTML page; default: palimpsest-insights.html; "-" for standard output')
    .addOption(forceOption())
    .addOption(jsonOption());
  addStoreOption(addTimeOptions(command, 'calls made'))
    .addHelpText(
      'after',
      examples([
        ['palimpsest insights', ''],
        ['palimpsest insights --since 1y --by project', ''],
        ['palimpsest insights --by tool --json', ''],
        ['palimpsest insights --since 2026-01 --until 2026-03 --html spring.html', ''],
      ]),
    )
    .action(async () => {
      const { runInsights } = await import('../run/insights.ts');
      finish(await runInsights(command.optsWithGlobals<InsightsFlags>(), terminal));
    });
}
