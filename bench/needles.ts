/** Retention: does the compressed text hold what the agent went on to use? Over the needle measures of the kit. */
import { table } from '../scripts/reference/markdown.ts';
import { type Goal, goalHeadings, goalRow, mean, percent, withInterval } from './figures.ts';
import { type KitRun, ownName, runKit, withModel } from './kit.ts';
import {
  differences,
  type Measure,
  measures,
  type NeedleRow,
  namesRow,
  needleRows,
  type Summary,
  summaries,
} from './kit-rows.ts';
import { namesTable } from './names.ts';
import type { BenchOptions } from './options.ts';
import type { Section } from './page.ts';
import { type Project, projectsIn } from './projects.ts';

const headings: Readonly<Record<Measure, string>> = {
  strict: 'strict',
  lenient: 'lenient',
  inContext: 'in-context',
  farStrict: 'far strict',
};

/** At least, and what we aim at, in percent. */
type Wanted = Partial<Record<Measure, readonly [number, number]>>;

const wantedAtCuts: Readonly<Record<string, Wanted>> = {
  '8000': { strict: [83, 92], inContext: [60, 70], farStrict: [72, 88] },
  '16000': { strict: [91, 97], inContext: [72, 80], farStrict: [88, 96] },
};

const wantedAtReal: Readonly<Record<string, Wanted>> = {
  summary: { lenient: [62, 78], inContext: [34, 45], farStrict: [25, 45] },
};

/** What our handoff with a model's summary must keep beyond that summary alone, at the same size. */
const wantedOverSummary: Wanted = { lenient: [25, 38], inContext: [8, 18] };

const about =
  'A needle is a name that the real agent wrote from memory after the cut. *strict*: the exact string is in the compressed ' +
  'text. *lenient*: a path also counts by its end. *in-context*: it stands near the words that surround its use. *far ' +
  'strict*: strict, last said more than 20,000 tokens before the cut. Shares in %, [95 % interval], means over cases; tokens ' +
  "by gpt-tokenizer's o200k_base over the whole text. `ledger` reads with the scorer's own patterns: an upper bound of strict.";

/** At cuts of real sessions, for several budgets. */
export async function needlesSection(options: BenchOptions): Promise<Section> {
  const quick = options.quick ? ['--limit', '8', '--budgets', '8000,16000'] : [];
  const run = await runKit(options, 'needles.mjs', { args: quick, compare: true });
  const paragraphs = await reportOf(run, options, wantedAtCuts);
  return { name: 'needles', title: 'Needles at cuts of real sessions', paragraphs: [about, ...paragraphs] };
}

/** Where the real agent was compressed, at the size of its own summary. */
export async function realSection(options: BenchOptions): Promise<Section> {
  const quick = options.quick ? ['--limit', '4'] : [];
  const run = await runKit(options, 'needles.mjs', {
    args: ['--real', ...quick],
    compare: true,
    beside: [withModel.path],
  });
  const note =
    'The budget is the size of the summary that the real agent went on with; needles also include what had to come back ' +
    'from a tool first. The agent had read that summary and tends to repeat what it says, which favours `real summary`. ' +
    `\`${withModel.name}\` gets that summary as if a model had just written it: checked, corrected, and composed with the ledger.`;
  const paragraphs = await reportOf(run, options, wantedAtReal);
  return { name: 'real', title: 'Needles at real compressions', paragraphs: [note, ...paragraphs] };
}

async function reportOf(
  { json, names }: KitRun,
  { data }: BenchOptions,
  wanted: Readonly<Record<string, Wanted>>,
): Promise<readonly string[]> {
  const rows = needleRows(json);
  const totals = summaries(json);
  const paired = differences(json);
  const own = rows.filter(({ adapter }) => adapter === ownName);
  const projects = await projectsIn(data);
  return [
    `${new Set(own.map(({ session }) => session)).size} sessions, ${caseCounts(own)}.`,
    table(goalHeadings, [...goalsOf(totals, wanted), ...modelGoals(paired, totals)].map(goalRow)),
    mainTable(totals, rows),
    `Difference to ${paired[0]?.reference ?? ownName} on the same cases:`,
    differenceTable(paired),
    `${ownName} by project:`,
    groupTable('project', own, ({ project }) => projects.get(project)?.label ?? 'unknown'),
    `${ownName} by script of the people:`,
    groupTable('script', own, ({ project }) => scriptName(projects, project)),
    'Strict by kind of needle, all needles pooled (number of needles):',
    kindTable(rows),
    namesTable(
      names.map(namesRow),
      Object.keys(wanted).find((budget) => budget === 'summary'),
    ),
  ];
}

const scriptName = (projects: ReadonlyMap<string, Project>, project: string): string =>
  projects.get(project)?.script ?? 'unknown';

function caseCounts(own: readonly NeedleRow[]): string {
  const counts = [...Map.groupBy(own, ({ budget }) => budget)];
  return counts.map(([budget, rows]) => `${rows.length} cases at ${budget}`).join(', ');
}

function goalsOf(totals: readonly Summary[], wanted: Readonly<Record<string, Wanted>>): readonly Goal[] {
  return Object.entries(wanted).flatMap(([budget, byMeasure]) => {
    const found = totals.find((one) => one.adapter === ownName && one.budget === budget);
    return measures.flatMap((measure): readonly Goal[] => {
      const [least, aim] = byMeasure[measure] ?? [];
      if (least === undefined || aim === undefined) return [];
      const share = found?.[measure]?.mean;
      const figure = share === undefined ? undefined : 100 * share;
      return [{ what: `${headings[measure]} at ${budget}`, least, aim, figure }];
    });
  });
}

/** With a model: more than its summary alone, and more than the ledger alone. */
function modelGoals(paired: readonly Summary[], totals: readonly Summary[]): readonly Goal[] {
  const over = paired.find(({ adapter, reference }) => adapter === withModel.name && reference === 'real summary');
  if (!over) return [];
  const meanOf = (name: string, measure: Measure): number =>
    100 * (totals.find(({ adapter }) => adapter === name)?.[measure]?.mean ?? Number.NaN);
  return measures.flatMap((measure): readonly Goal[] => {
    const [least, aim] = wantedOverSummary[measure] ?? [];
    if (least === undefined || aim === undefined) return [];
    const figure = over[measure]?.mean;
    const alone = meanOf(withModel.name, measure) - meanOf(ownName, measure);
    return [
      {
        what: `${headings[measure]} with a model, over the real summary`,
        least,
        aim,
        figure: figure === undefined ? undefined : 100 * figure,
      },
      { what: `${headings[measure]} with a model, over the ledger alone`, least: 0, aim: 0, figure: alone },
    ];
  });
}

function mainTable(totals: readonly Summary[], rows: readonly NeedleRow[]): string {
  const lines = totals.map((total) => {
    const own = rows.filter(({ adapter, budget }) => adapter === total.adapter && budget === total.budget);
    const ms = mean(own.map((row) => row.ms));
    const over = own.filter((row) => row.over > 0);
    return [
      total.budget,
      total.adapter,
      ...measures.map((measure) => withInterval(total[measure])),
      String(Math.round(mean(own.map(({ tokens }) => tokens)) ?? 0)),
      over.length === 0 ? 'none' : `${over.length}, worst +${Math.max(...over.map((row) => row.over))}`,
      ms === undefined ? '-' : ms.toFixed(0),
    ];
  });
  const columns = [...measures.map((measure) => headings[measure]), 'tokens', 'over budget', 'mean ms'];
  return table(['budget', 'adapter', ...columns], lines);
}

const differenceTable = (found: readonly Summary[]): string =>
  table(
    ['budget', 'adapter', ...measures.map((measure) => headings[measure])],
    found.map((one) => [one.budget, one.adapter, ...measures.map((measure) => withInterval(one[measure]))]),
  );

function groupTable(title: string, rows: readonly NeedleRow[], nameOf: (row: NeedleRow) => string): string {
  const groups = [...Map.groupBy(rows, (row) => `${row.budget}\n${nameOf(row)}`).values()];
  const lines = groups.flatMap((group) => {
    const [first] = group;
    const shares = measures.map((measure) => percent(mean(group.map((row) => row[measure]))));
    return first ? [[first.budget, nameOf(first), String(group.length), ...shares]] : [];
  });
  return table(['budget', title, 'cases', ...measures.map((measure) => headings[measure])], lines);
}

function kindTable(rows: readonly NeedleRow[]): string {
  const kinds = [...new Set(rows.flatMap((row) => [...row.kinds.keys()]))];
  const groups = [...Map.groupBy(rows, (row) => `${row.budget}\n${row.adapter}`).values()];
  const lines = groups.map((group) => [
    group[0]?.budget ?? '',
    group[0]?.adapter ?? '',
    ...kinds.map((kind) => kindCell(group.map((row) => row.kinds.get(kind) ?? [0, 0]))),
  ]);
  return table(['budget', 'adapter', ...kinds], lines);
}

function kindCell(pairs: readonly (readonly [number, number])[]): string {
  const kept = pairs.reduce((sum, [one]) => sum + one, 0);
  const of = pairs.reduce((sum, [, one]) => sum + one, 0);
  return of === 0 ? '-' : `${percent(kept / of)} (${of})`;
}
