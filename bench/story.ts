/** Story: does the compressed text tell what was asked, what came of it, what was found out? Over the kit's measure. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { table } from '../scripts/reference/markdown.ts';
import { vectorLoader } from '../scripts/vectors.ts';
import { goldenAnswers, untold } from '../test/support/golden-answers.ts';
import { type Goal, goalHeadings, goalRow, mean, percent } from './figures.ts';
import { missingForKit, ownName, runKit, transcriptFiles, withModel } from './kit.ts';
import { type StoryRow, storyRows } from './kit-rows.ts';
import { longTraceDefaults, longTraceTable, measureLongTrace } from './long-trace/report.ts';
import { type BenchOptions, root } from './options.ts';
import type { Section } from './page.ts';
import { projectsIn } from './projects.ts';

const kinds = ['request', 'outcome', 'finding'] as const;
type Figure = (typeof kinds)[number] | 'prose' | 'names';

const headings: Readonly<Record<Figure, string>> = {
  request: 'requests',
  outcome: 'outcomes',
  finding: 'findings',
  prose: 'prose',
  names: 'names',
};

/** At least, and what we aim at, in percent; of bare names at most. */
type Wanted = Partial<Record<Figure, readonly [number, number]>>;

const wantedAtReal: Readonly<Record<string, Wanted>> = {
  [ownName]: { request: [96, 99], outcome: [77, 87], finding: [70, 82], prose: [58, 66], names: [6, 3] },
  [withModel.name]: { request: [95, 98], outcome: [72, 83], finding: [70, 80], prose: [60, 60], names: [5, 5] },
};
const wantedAtCuts: Readonly<Record<string, Wanted>> = {
  [ownName]: { request: [94, 94], outcome: [88, 88], finding: [76, 76] },
};

const about =
  'A statement is taken from what left the context: each request; the first two sentences of the last thing that the assistant ' +
  'said to it (outcome); a spread of what it said on the way (finding). It is told when a line or sentence of the compressed ' +
  'text is close to it (cosine of all-MiniLM-L6-v2 at least 0.6; sessions in English only). *prose* and *names*: tokens in ' +
  'lines that read as sentences, and in lines that are little but names. Shares in %, means over cases, [95 % interval].';

/** Why it cannot run here, for a person; undefined when it can. */
export function missingForStory(options: BenchOptions): string | undefined {
  const missing = missingForKit(options);
  if (missing !== undefined) return missing;
  if (!existsSync(join(options.kit, 'story.mjs'))) return 'the evaluation kit has no story.mjs: take a newer one';
  if (!existsSync(vectorLoader())) return 'the model for vectors is not there: run `npm run test:vectors` once';
  return undefined;
}

export async function storySection(options: BenchOptions): Promise<Section> {
  const files = await englishFiles(options.data);
  const embedder = ['--embedder', join(root, 'bench/adapters/embed.mjs')];
  const few = options.quick ? ['--limit', '3'] : [];
  const real = await runKit(options, 'story.mjs', {
    args: ['--real', ...embedder, ...few],
    compare: true,
    beside: [withModel.path],
    files,
  });
  const cuts = await runKit(options, 'story.mjs', {
    args: ['--budgets', '8000', ...embedder, ...few],
    compare: true,
    files,
  });
  const paragraphs = [
    about,
    `Where the real agent was compressed, at the size of its own summary; \`${withModel.name}\` gets that summary as if a model had just written it:`,
    ...reportOf(storyRows(real.json), wantedAtReal),
    real.printed,
    'At cuts of the same sessions:',
    ...reportOf(storyRows(cuts.json), wantedAtCuts),
    cuts.printed,
    'What must be found in the handoffs of six written days of work (`test/fixtures/golden`), at 3,000 tokens:',
    answersTable(),
    ...(await longTraceParagraphs()),
  ];
  return { name: 'story', title: 'What a handoff tells', paragraphs };
}

/** Sessions of coding agents whose people write English, the language of the model for vectors. */
export async function englishFiles(data: string): Promise<readonly string[]> {
  const projects = await projectsIn(data);
  return transcriptFiles(data).filter(
    (file) => file.includes('/claude-code/') && projects.get(basename(file).split('__')[0] ?? '')?.script === 'Latin',
  );
}

function reportOf(rows: readonly StoryRow[], wanted: Readonly<Record<string, Wanted>>): readonly string[] {
  const goals = Object.entries(wanted).flatMap(([adapter, byFigure]) => {
    const own = rows.filter((row) => row.adapter === adapter);
    return Object.entries(byFigure).map(([figure, [least, aim]]) => {
      // The keys are those of `Wanted`.
      const of = figure as Figure;
      return goalOf({ adapter, of, least, aim }, own);
    });
  });
  return [
    table(goalHeadings, goals.map(goalRow)),
    'All statements of all cases together, in % (number of statements):',
    pooledTable(rows),
  ];
}

/** Of bare names less is better: then the goals are those of all other tokens. */
function goalOf(
  { adapter, of, least, aim }: { adapter: string; of: Figure; least: number; aim: number },
  rows: readonly StoryRow[],
): Goal {
  const share = mean(rows.map((row) => figureOf(row, of)));
  const figure = share === undefined ? undefined : 100 * share;
  if (of !== 'names') return { what: `${headings[of]}, ${adapter}`, least, aim, figure };
  const rest = figure === undefined ? undefined : 100 - figure;
  return { what: `all but names, ${adapter}`, least: 100 - least, aim: 100 - aim, figure: rest };
}

function figureOf(row: StoryRow, of: Figure): number | undefined {
  if (of === 'prose' || of === 'names') return row[of];
  const [told, all] = row.kinds.get(of) ?? [0, 0];
  return all === 0 ? undefined : told / all;
}

function pooledTable(rows: readonly StoryRow[]): string {
  const groups = [...Map.groupBy(rows, ({ adapter }) => adapter)];
  const lines = groups.map(([adapter, group]) => [
    adapter,
    ...kinds.map((kind) => {
      const pairs = group.map((row) => row.kinds.get(kind) ?? [0, 0]);
      const [told, all] = [0, 1].map((at) => pairs.reduce((sum, pair) => sum + (pair[at] ?? 0), 0));
      return all ? `${percent((told ?? 0) / all)} (${all})` : '-';
    }),
  ]);
  return table(['adapter', ...kinds.map((kind) => headings[kind])], lines);
}

/** An invented conversation, and what is left of it. */
async function longTraceParagraphs(): Promise<readonly string[]> {
  const result = await measureLongTrace(longTraceDefaults);
  const about =
    `An invented conversation of ${result.requests} short requests and ${result.tokens} tokens (\`bench/long-trace.ts\`), in 65 of ` +
    'which the person says in passing what matters later. Found in their words right behind a compression: once at the end, ' +
    'and in loops with a window of 128K tokens, each handoff made from the one before. *requests* counts all but nods ("ok").';
  return [about, longTraceTable(result)];
}

function answersTable(): string {
  const lines = Object.entries(goldenAnswers()).map(([name, answers]) => {
    const handoff = readFileSync(join(root, `test/fixtures/golden/${name}.handoff.md`), 'utf8');
    const { missing, of } = untold(handoff, answers);
    return [name, `${of - missing.length} of ${of}`, missing.join('; ') || 'none'];
  });
  return table(['conversation', 'found', 'missing'], lines);
}
