/** Training conversations at 8K, 16K and 32K tokens: what ours and the reference keep of them, over the measures of the kit. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonValue } from '../../packages/core/src/shared/json.ts';
import { table } from '../../scripts/reference/markdown.ts';
import { type Goal, goalHeadings, goalRow, mean, percent, withInterval } from '../figures.ts';
import { runKit } from '../kit.ts';
import { type NeedleRow, needleRows, type StoryRow, type Summary, storyRows, summaries } from '../kit-rows.ts';
import { type BenchOptions, root } from '../options.ts';
import type { Section } from '../page.ts';
import { englishFiles } from '../story.ts';
import { type FactsRow, factsRow } from './facts.ts';
import { baselineName, cutName, missingOwn, ownName, ownWay, referenceWay } from './ways.ts';
import { measureWhole } from './whole.ts';

const budgets = [8_000, 16_000, 32_000] as const;

/** Needles kept, in percent of the baseline's: at least, and what we aim at. */
const wantedOfBaseline: Readonly<Record<number, readonly [number, number]>> = {
  8000: [140, 170],
  16000: [125, 140],
  32000: [108, 115],
};

/** Of a result's tokens in turns of the input, in percent. */
const wantedOriginal = [60, 75] as const;

const about =
  'Each conversation becomes a ShareGPT record (calls as `<tool_call>` in the gpt turn, their results together in one tool ' +
  'turn) and is compressed to 8,000, 16,000 and 32,000 tokens of o200k_base, without a model. `reference` is the known tool, ' +
  'written from its description (`bench/trajectories/reference.ts`): one region, from the front; where it would ask a model, it ' +
  'writes its fixed text, which is what it does when no model answers. The ratios are to that one. `reference+extract` puts what ' +
  'it would send to the model in place of the summary, clipped to the 1,500 tokens that the model may write.';

const aboutOver =
  'The reference never takes a protected turn (the first system, human, gpt and tool turn, the last four), so its result may ' +
  'be larger than the budget; the kit scores it as it is, and compares unequal sizes. `reference, cut` is the same at equal ' +
  'sizes: a result over the budget loses its beginning, the cut that costs the fewest needles. *within*: only cases where ' +
  'the baseline stayed within the budget.';

const aboutTraining =
  '*under*: records whose turns have at most the target. *original*: of all tokens of the results those in turns that are ' +
  'turns of the input to the last character, in their order (found by comparing them); *with system*: the text of a system ' +
  'turn with a notice behind it counted as well. *labels*: of the original tokens those in gpt turns, which bear the labels. ' +
  '*labels kept*: of all tokens in gpt turns of the inputs. *valid*: roles alternate and results stand behind their calls, ' +
  'of the records whose input was so.';

export async function trajectoriesSection(options: BenchOptions): Promise<Section> {
  const missing = missingOwn();
  const needles = await measureNeedles(options, missing === undefined);
  const whole = await measureWhole({
    ...options,
    budgets,
    ways: [...(missing === undefined ? [await ownWay()] : []), referenceWay('fallback'), referenceWay('extract')],
  });
  const story = await measureStory(options, missing === undefined);
  const goals = [
    ...needleGoals(needles.totals),
    ...storyGoals(story),
    ...trainingGoals(needles.facts, 'at cuts'),
    ...trainingGoals(whole, 'whole'),
  ];
  const paragraphs = [
    about,
    ...(missing === undefined ? [table(goalHeadings, goals.map(goalRow))] : [`**Not measured**: ${missing}.`]),
    'Needles at cuts of real sessions, in %, and in % of the baseline:',
    needleTable(needles.totals, needles.rows),
    aboutOver,
    'The results at these cuts as training data:',
    factsTable(needles.facts),
    aboutTraining,
    `The same over ${new Set(whole.map(({ session }) => session)).size} whole conversations:`,
    factsTable(whole),
    'What the results tell, at cuts of English sessions, all statements together in % (number of statements):',
    storyTable(story),
  ];
  return { name: 'trajectories', title: 'Trajectories: what is kept', paragraphs };
}

const adapter = (name: string): string => join(root, 'bench/adapters', `${name}.mjs`);
const adaptersOf = (hasOwn: boolean): readonly string[] =>
  [
    ...(hasOwn ? ['trajectories'] : []),
    'trajectories-reference',
    'trajectories-reference-cut',
    'trajectories-extract',
  ].map(adapter);

interface Needles {
  readonly rows: readonly NeedleRow[];
  readonly totals: readonly Summary[];
  readonly facts: readonly FactsRow[];
}

async function measureNeedles(options: BenchOptions, hasOwn: boolean): Promise<Needles> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-trajectories-'));
  const file = join(folder, 'facts.jsonl');
  try {
    const few = options.quick ? ['--limit', '4'] : [];
    const { json } = await runKit(options, 'needles.mjs', {
      args: ['--budgets', budgets.join(','), ...few],
      compare: false,
      instead: adaptersOf(hasOwn),
      env: { BENCH_TRAJECTORIES: file },
    });
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    // JSON.parse returns what JSON can carry and nothing else.
    const facts = lines.map((line) => factsRow(JSON.parse(line) as JsonValue));
    return { rows: needleRows(json), totals: summaries(json), facts };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measureStory(options: BenchOptions, hasOwn: boolean): Promise<readonly StoryRow[]> {
  const few = options.quick ? ['--limit', '6'] : [];
  const { json } = await runKit(options, 'story.mjs', {
    args: ['--budgets', budgets.join(','), '--embedder', adapter('embed'), ...few],
    compare: false,
    instead: adaptersOf(hasOwn),
    files: await englishFiles(options.data),
  });
  return storyRows(json);
}

type Kept = 'strict' | 'inContext';

const ofBaseline = (own: number | undefined, baseline: number | undefined): number | undefined =>
  own === undefined || baseline === undefined || baseline === 0 ? undefined : (100 * own) / baseline;

/** Whom a ratio is taken to. */
const baselines = [cutName, baselineName] as const;
type Baseline = (typeof baselines)[number];

interface Compared {
  readonly name: string;
  readonly budget: string;
  readonly kept: Kept;
  readonly to: Baseline;
}

/** What an adapter kept at a budget, in percent of what a baseline did. */
function ratio(totals: readonly Summary[], { name, budget, kept, to }: Compared): number | undefined {
  const meanOf = (who: string): number | undefined =>
    totals.find((one) => one.adapter === who && one.budget === budget)?.[kept]?.mean;
  return ofBaseline(meanOf(name), meanOf(to));
}

const needleGoals = (totals: readonly Summary[]): readonly Goal[] =>
  baselines.flatMap((to) =>
    budgets.flatMap((budget) =>
      (['strict', 'inContext'] as const).map((kept) => {
        const [least, aim] = wantedOfBaseline[budget] ?? [100, 100];
        const what = `${kept === 'strict' ? 'strict' : 'in-context'} at ${budget}, in % of \`${to}\``;
        return { what, least, aim, figure: ratio(totals, { name: ownName, budget: String(budget), kept, to }) };
      }),
    ),
  );

/** Mean of a measure over the cases where the baseline stayed within the budget. */
function withinBudget(rows: readonly NeedleRow[], { name, kept }: { name: string; kept: Kept }): number | undefined {
  const of = (who: string): readonly NeedleRow[] => rows.filter((row) => row.adapter === who);
  // The kit writes the rows of one case together, so the same place is the same case.
  const within = of(baselineName).map(({ over }) => over === 0);
  return mean(of(name).map((row, at) => (within[at] ? row[kept] : null)));
}

function needleTable(totals: readonly Summary[], rows: readonly NeedleRow[]): string {
  const cells = totals.map((total) => {
    const { budget, adapter: name } = total;
    const same = rows.filter((row) => row.budget === budget);
    const own = same.filter((row) => row.adapter === name);
    const over = own.filter((row) => row.over > 0);
    const within = (kept: Kept): string => percent(withinBudget(same, { name, kept }));
    const all = (kept: Kept): readonly string[] => [
      withInterval(total[kept]),
      baselines.map((to) => shownRatio(ratio(totals, { name, budget, kept, to }))).join(' / '),
    ];
    return [
      ...[budget, name, String(own.length), ...all('strict'), ...all('inContext'), withInterval(total.farStrict)],
      ...[within('strict'), within('inContext'), String(Math.round(mean(own.map(({ tokens }) => tokens)) ?? 0))],
      over.length === 0 ? 'none' : `${over.length}, worst +${Math.max(...over.map((row) => row.over))}`,
    ];
  });
  const columns = [
    ...['strict', 'of cut / as it is', 'in-context', 'of cut / as it is', 'far strict'],
    ...['strict within', 'in-context within', 'tokens', 'over budget'],
  ];
  return table(['budget', 'adapter', 'cases', ...columns], cells);
}

const shownRatio = (value: number | undefined): string => (value === undefined ? '-' : value.toFixed(0));

const total = (rows: readonly FactsRow[], of: (row: FactsRow) => number): number =>
  rows.reduce((sum, row) => sum + of(row), 0);

const originalShare = (rows: readonly FactsRow[]): number =>
  total(rows, ({ originalTokens }) => originalTokens) / total(rows, ({ tokens }) => tokens);

/** Records that had to be compressed; the others say nothing about who left them alone. */
const isOver = ({ inputTokens, budget }: FactsRow): boolean => inputTokens > budget;

const trainingGoals = (rows: readonly FactsRow[], where: string): readonly Goal[] =>
  budgets.flatMap((budget) => {
    const own = rows.filter((row) => row.adapter === ownName && row.budget === budget && isOver(row));
    const [least, aim] = wantedOriginal;
    const under = mean(own.map(({ isUnder }) => (isUnder ? 1 : 0)));
    const original = own.length === 0 ? undefined : 100 * originalShare(own);
    return [
      {
        what: `${where}: under ${budget}`,
        least: 100,
        aim: 100,
        figure: under === undefined ? undefined : 100 * under,
      },
      { what: `${where}: original turns at ${budget}`, least, aim, figure: original },
    ];
  });

function factsTable(rows: readonly FactsRow[]): string {
  const groups = [...Map.groupBy(rows.filter(isOver), (row) => `${row.budget}\n${row.adapter}`).values()];
  const cells = groups
    .toSorted((a, b) => (a[0]?.budget ?? 0) - (b[0]?.budget ?? 0))
    .map((group) => {
      const clean = group.filter(({ inputFaults }) => inputFaults === 0);
      const tokens = total(group, (row) => row.tokens);
      const originals = total(group, (row) => row.originalTokens);
      const labels = total(group, (row) => row.labelTokens);
      return [
        ...[String(group[0]?.budget), group[0]?.adapter ?? '', String(group.length)],
        percent(mean(group.map(({ isUnder }) => (isUnder ? 1 : 0)))),
        percent(originals / tokens),
        percent(total(group, (row) => row.originalTokensWithSystem) / tokens),
        percent(labels / originals),
        percent(labels / total(group, (row) => row.inputLabelTokens)),
        `${percent(mean(clean.map(({ faults }) => (faults === 0 ? 1 : 0))))} (${clean.length})`,
        String(Math.round(tokens / group.length)),
      ];
    });
  const columns = ['under', 'original', 'with system', 'labels', 'labels kept', 'valid', 'tokens'];
  return table(['target', 'adapter', 'records over it', ...columns], cells);
}

const kinds = ['request', 'outcome', 'finding'] as const;

function told(rows: readonly StoryRow[], of: readonly string[]): readonly [number, number] {
  const pairs = rows.flatMap((row) => of.map((kind) => row.kinds.get(kind) ?? [0, 0]));
  return [pairs.reduce((sum, [one]) => sum + one, 0), pairs.reduce((sum, [, one]) => sum + one, 0)];
}

const toldShare = (rows: readonly StoryRow[], of: readonly string[]): number | undefined => {
  const [some, all] = told(rows, of);
  return all === 0 ? undefined : some / all;
};

const storyGoals = (rows: readonly StoryRow[]): readonly Goal[] =>
  baselines.flatMap((to) =>
    budgets.map((budget) => {
      const of = (name: string): number | undefined =>
        toldShare(
          rows.filter((row) => row.adapter === name && row.budget === String(budget)),
          kinds,
        );
      const figure = ofBaseline(of(ownName), of(to));
      return { what: `story at ${budget}, in % of \`${to}\``, least: 100, aim: 100, figure };
    }),
  );

function storyTable(rows: readonly StoryRow[]): string {
  const groups = [...Map.groupBy(rows, (row) => `${row.budget}\n${row.adapter}`).values()];
  const cells = groups
    .toSorted((a, b) => Number(a[0]?.budget) - Number(b[0]?.budget))
    .map((group) => {
      const share = (of: readonly string[]): string => {
        const [some, all] = told(group, of);
        return all === 0 ? '-' : `${percent(some / all)} (${all})`;
      };
      const tokens = Math.round(mean(group.map((row) => row.tokens)) ?? 0);
      const shares = [share(kinds), ...kinds.map((kind) => share([kind]))];
      return [group[0]?.budget ?? '', group[0]?.adapter ?? '', String(group.length), ...shares, String(tokens)];
    });
  return table(['budget', 'adapter', 'cases', 'all', 'requests', 'outcomes', 'findings', 'tokens'], cells);
}
