/**
 * Measures recall into the turn: how often its text holds the labelled evidence of a question, how often it stays empty for
 * questions about conversations that the store has not, both over the confidence that is asked for; and what recall costs of a
 * prompt cache.
 *
 *   node bench/memory-recall.ts [--data DIR] [--kit DIR] [--set locomo|beam|madial] [--only-loop]
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tokenizerFor } from '@palimpsest/core';
import { turnRecallDefaults } from '../packages/core/src/recall/turn/options.ts';
import { goalHeadings, goalRow, median, percent } from './figures.ts';
import { type Asked, askAll, type Recalled } from './memory-recall/asked.ts';
import { playLoop } from './memory-recall/loop.ts';
import { labelledSets } from './search/sets.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(root, '../shared/data') },
    kit: { type: 'string', default: join(root, '../shared/eval') },
    set: { type: 'string', default: 'locomo' },
    'only-loop': { type: 'boolean', default: false },
  },
});

const names: Readonly<Record<string, string>> = { locomo: 'LoCoMo', beam: 'BEAM 100K', madial: 'MADial zh' };
/** Of LoCoMo what a single place answers; of the other sets everything with evidence. */
const single = ['single-hop', 'temporal'];
const thresholds = [0, 0.3, 0.4, 0.44, 0.48, 0.5, 0.52, 0.56, 0.6, 0.7];

const row = (cells: readonly (string | number)[]): void => console.log(`| ${cells.join(' | ')} |`);

function heading(titles: readonly string[]): void {
  row(titles);
  row(titles.map(() => '---'));
}

type StoreName = 'own' | 'all' | 'others';

const isRecalled = ({ confidence }: Recalled, least: number): boolean => confidence > 0 && confidence >= least;
const shareOf = <T>(list: readonly T[], holds: (one: T) => boolean): number => list.filter(holds).length / list.length;
const holding = (asked: readonly Asked[], name: StoreName, least: number): number =>
  shareOf(asked, (one) => isRecalled(one[name], least) && one[name].holds);
const empty = (asked: readonly Asked[], least: number): number =>
  shareOf(asked, ({ others }) => !isRecalled(others, least));

function report(name: string, asked: readonly Asked[]): void {
  const isSingle = ({ category }: Asked): boolean => name !== names.locomo || single.includes(category);
  const answerable = asked.filter((one) => one.hasEvidence && isSingle(one));
  console.log(
    `\n### ${name}: ${answerable.length} questions with evidence, ${asked.length} asked of a store without it\n`,
  );
  heading([
    'confidence',
    'evidence, own store',
    'evidence, all in one store',
    'empty, store of the others',
    'empty, these questions',
  ]);
  for (const least of thresholds)
    row([
      least,
      percent(holding(answerable, 'own', least)),
      percent(holding(answerable, 'all', least)),
      percent(empty(asked, least)),
      percent(empty(answerable, least)),
    ]);
  const times = answerable.map(({ all }) => all.ms).toSorted((a, b) => a - b);
  const late = times[Math.floor(times.length * 0.95)] ?? 0;
  const tokens = answerable.filter(({ all }) => isRecalled(all, chosen)).map(({ all }) => all.tokens);
  console.log(
    `\n- ${median(times).toFixed(0)} ms on the median, ${late.toFixed(0)} ms at 95 %; ${median(tokens)} tokens on the median\n`,
  );
  if (name === names.locomo) goals(asked, answerable);
  leaveOneOut(asked, answerable);
}

const chosen = turnRecallDefaults.confidence;

function goals(asked: readonly Asked[], answerable: readonly Asked[]): void {
  heading(goalHeadings);
  const figure = (share: number): number => 100 * share;
  row(goalRow({ what: 'holds the evidence', least: 65, aim: 78, figure: figure(holding(answerable, 'own', chosen)) }));
  row(goalRow({ what: 'empty for others', least: 90, aim: 90, figure: figure(empty(asked, chosen)) }));
}

/** The least threshold at which nine of ten are empty on all but one conversation, and what it gives on that one. */
function leaveOneOut(asked: readonly Asked[], answerable: readonly Asked[]): void {
  console.log('\nThe threshold chosen without a conversation, and what it gives there:\n');
  heading(['conversation', 'threshold', 'evidence', 'empty']);
  const steps = Array.from({ length: 101 }, (_, at) => at / 100);
  for (const corpus of new Set(asked.map((one) => one.corpus))) {
    const rest = asked.filter((one) => one.corpus !== corpus);
    const least = steps.find((step) => empty(rest, step) >= 0.9) ?? 1;
    const of = (list: readonly Asked[]): readonly Asked[] => list.filter((one) => one.corpus === corpus);
    row([corpus, least, percent(holding(of(answerable), 'own', least)), percent(empty(of(asked), least))]);
  }
}

async function loops(): Promise<void> {
  console.log('\n### A loop of 200 steps over HTTP: share of the prompts that a prompt cache has\n');
  heading(['turns', 'off', 'on', 'points lost', 'turns with the answer recalled', 'changed before the newest request']);
  for (const turns of [1, 4, 20]) {
    const off = await playLoop({ steps: 200, turns }, false);
    const on = await playLoop({ steps: 200, turns }, true);
    const lost = (100 * (off.hitRate - on.hitRate)).toFixed(2);
    row([turns, percent(off.hitRate), percent(on.hitRate), lost, `${on.recalled} of ${turns}`, on.changedBefore]);
  }
}

if (!values['only-loop']) {
  const name = names[values.set] ?? values.set;
  const set = (await labelledSets(values)).find((one) => one.name === name);
  if (set) report(name, await askAll(set, await tokenizerFor('gpt-5')));
  else console.log('skipped: the labelled set or its kit is not there; name them with --data and --kit');
}
await loops();
