/** Planted sentences: what survives by role and kind, over several seeds. */
import { table } from '../scripts/reference/markdown.ts';
import { type Goal, goalHeadings, goalRow, mean, percent } from './figures.ts';
import { ownName, runKit } from './kit.ts';
import { namesRow, type PlantedRow, plantedRows } from './kit-rows.ts';
import { namesTable } from './names.ts';
import type { BenchOptions } from './options.ts';
import type { Section } from './page.ts';

const seeds = ['1', '2', '3'];

const about =
  'Fifteen sentences a round (a message of the user, a sentence of the assistant, a line inside a tool output; at depths of ' +
  '10 to 90 %) are planted into 60,000 tokens of real sessions. *key*: the exact value survives; *meaning*: 60 % of the ' +
  "sentence's words stand near it. A seed changes names, values and places, not the wording: there are six sentences, and " +
  'those of decisions and errors use the common words for such things (decided, because, error). What the assistant or a tool ' +
  'says in other words survives less often than these figures say. The baselines are run for the first seed.';

interface Wish {
  readonly what: string;
  readonly of: (row: PlantedRow) => boolean;
  readonly by: 'key' | 'meaning';
  readonly least: number;
  readonly aim: number;
}

const isInstruction = ({ kind, role }: PlantedRow): boolean => kind === 'instruction' && role === 'user';
/** Facts inside tool output: everything planted there but error lines, which have a goal of their own. */
const isToolFact = ({ kind, role }: PlantedRow): boolean => role === 'tool' && kind !== 'error';

const wishes: readonly Wish[] = [
  { what: 'user instructions, key', of: isInstruction, by: 'key', least: 100, aim: 100 },
  { what: 'user instructions, meaning', of: isInstruction, by: 'meaning', least: 100, aim: 100 },
  { what: 'decisions, meaning', of: ({ kind }) => kind === 'decision', by: 'meaning', least: 70, aim: 95 },
  { what: 'error lines, meaning', of: ({ kind }) => kind === 'error', by: 'meaning', least: 80, aim: 95 },
  { what: 'facts inside tool output, meaning', of: isToolFact, by: 'meaning', least: 25, aim: 50 },
];

export async function plantedSection(options: BenchOptions): Promise<Section> {
  const paragraphs: string[] = [about];
  for (const seed of options.quick ? seeds.slice(0, 1) : seeds) {
    const args = ['--seed', seed, ...(options.quick ? ['--rounds', '1'] : [])];
    const { json, names } = await runKit(options, 'planted.mjs', { args, compare: seed === seeds[0] });
    paragraphs.push(...reportOf(seed, plantedRows(json)));
    if (seed === seeds[0]) paragraphs.push(namesTable(names.map(namesRow)));
  }
  return { name: 'planted', title: 'Planted sentences', paragraphs };
}

function reportOf(seed: string, rows: readonly PlantedRow[]): readonly string[] {
  const own = rows.filter(({ adapter }) => adapter === ownName);
  const sessions = new Set(own.map(({ session }) => session)).size;
  const budgets = [...Map.groupBy(own, ({ budget }) => budget)];
  const goals = budgets.flatMap(([budget, group]) => wishes.map((wish) => goalOf(wish, budget, group)));
  const sentences = `${budgets[0]?.[1].length ?? 0} sentences in ${sessions} sessions`;
  return [
    `Seed ${seed}, ${sentences} at each budget:`,
    table(goalHeadings, goals.map(goalRow)),
    `Seed ${seed}, key / meaning in %:`,
    adapterTable(rows),
    `Seed ${seed}, key / meaning in %, ${ownName} by role and kind:`,
    kindTable(own),
  ];
}

function goalOf({ what, of, by, least, aim }: Wish, budget: string, rows: readonly PlantedRow[]): Goal {
  const share = mean(rows.filter(of).map((row) => Number(row[by])));
  return { what: `${what}, at ${budget}`, least, aim, figure: share === undefined ? undefined : 100 * share };
}

/** One line a budget and adapter. */
function adapterTable(rows: readonly PlantedRow[]): string {
  const roles = [...new Set(rows.map(({ role }) => role))];
  const groups = [...Map.groupBy(rows, ({ budget, adapter }) => `${budget}\n${adapter}`).values()];
  const lines = groups.map((group) => [
    group[0]?.budget ?? '',
    group[0]?.adapter ?? '',
    bothShares(group),
    ...roles.map((role) => bothShares(group.filter((row) => row.role === role))),
    String(Math.round(mean(group.map(({ tokens }) => tokens)) ?? 0)),
    `+${Math.max(...group.map(({ over }) => over))}`,
  ]);
  return table(['budget', 'adapter', 'all', ...roles, 'tokens', 'worst overshoot'], lines);
}

function kindTable(own: readonly PlantedRow[]): string {
  const nameOf = ({ role, kind }: PlantedRow): string => `${role}: ${kind}`;
  const budgets = [...Map.groupBy(own, ({ budget }) => budget)];
  const names = [...new Set(own.map(nameOf))].toSorted((a, b) => (a < b ? -1 : 1));
  const lines = names.map((name) => [
    name,
    ...budgets.map(([, rows]) => bothShares(rows.filter((row) => nameOf(row) === name))),
  ]);
  return table(['planted', ...budgets.map(([budget]) => budget)], lines);
}

const bothShares = (rows: readonly PlantedRow[]): string =>
  `${percent(mean(rows.map(({ key }) => Number(key))))} / ${percent(mean(rows.map(({ meaning }) => Number(meaning))))}`;
