/**
 * How much of what a curator has to take away it takes, and how much of what it takes is right, on generated weeks of notes.
 * Prints Markdown.
 *
 *   node bench/memory-curator.ts [--seed 1] [--weeks 500] [--show COUNT] [--language en]
 */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { planCuration } from '../packages/core/src/memory/curator/plan.ts';
import { charsOf, defaultMemoryLimits } from '../packages/core/src/memory/files/entries.ts';
import type { MemoryEntry, MemorySource } from '../packages/core/src/store/memory-store.ts';
import { fakeMemoryStore } from '../test/support/fake-memory-store.ts';
import { root } from './options.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    weeks: { type: 'string', default: '500' },
    show: { type: 'string', default: '0' },
    language: { type: 'string' },
    from: { type: 'string', default: '0' },
  },
});

interface Note {
  readonly id: string;
  readonly at: string;
  readonly text: string;
  readonly source: MemorySource;
  readonly scope: string;
}

interface Week {
  readonly week: number;
  readonly language: string;
  readonly now: string;
  readonly person: string;
  readonly notes: readonly Note[];
  readonly truth: {
    readonly live: readonly string[];
    readonly duplicates: readonly (readonly string[])[];
    readonly contradictions: readonly { readonly retired: string; readonly by: string }[];
    readonly stale: readonly string[];
  };
}

/** A note as an entry: nothing of the truth goes into it. */
function entryOf({ id, at, text, source, scope }: Note): MemoryEntry {
  const [, project] = /^project:(.+)$/.exec(scope) ?? [];
  const time = Date.parse(at);
  return {
    id,
    target: scope === 'person' ? 'user' : 'memory',
    kind: 'fact',
    text,
    ...(project === undefined ? {} : { project }),
    source,
    messages: [`message-of-${id}`],
    replaces: [],
    status: 'live',
    createdAt: time,
    updatedAt: time,
    statedAt: time,
  };
}

interface Score {
  right: number;
  wrong: number;
  wanted: number;
}

const scores = new Map<string, Score>();
const scoreOf = (name: string): Score => {
  const score = scores.get(name) ?? { right: 0, wrong: 0, wanted: 0 };
  scores.set(name, score);
  return score;
};
const shown: string[] = [];

function judge({ week, language, now, person, notes, truth }: Week): void {
  const acts = planCuration(notes.map(entryOf), { now: Date.parse(now), person });
  const reasons = new Map(
    acts.flatMap(({ what, reason, changes }) =>
      changes.flatMap((change) =>
        change.type === 'set' && change.values.status === 'retired' ? [[change.id, `${what}: ${reason}`] as const] : [],
      ),
    ),
  );
  const gone = new Set(reasons.keys());
  const textOf = (id: string): string => {
    const note = notes.find((one) => one.id === id);
    return `${note?.source} ${note?.scope} “${note?.text}”`;
  };
  const count = (name: string, wanted: readonly string[], most = wanted.length): void => {
    const right = Math.min(most, wanted.filter((id) => gone.has(id)).length);
    for (const score of [scoreOf('all'), scoreOf(name), scoreOf(`language ${language}`)]) {
      score.wanted += most;
      score.right += right;
    }
    if (right < most)
      shown.push(
        `missed, week ${week}, ${name}: ${wanted
          .filter((id) => !gone.has(id))
          .map(textOf)
          .join(' | ')}`,
      );
  };
  const contradictions = new Set(truth.contradictions.map(({ retired }) => retired));
  for (const { retired, by } of truth.contradictions) {
    const before = shown.length;
    count('contradictions', [retired]);
    if (shown.length > before) shown[shown.length - 1] += `  ← ${textOf(by)}`;
  }
  for (const id of truth.stale) count('stale', [id]);
  for (const group of truth.duplicates) count('duplicates', group, group.length - 1);
  const allowed = new Set([...contradictions, ...truth.stale]);
  const extra = truth.duplicates.flatMap((group) => (group.every((id) => gone.has(id)) ? group.slice(0, 1) : []));
  const inGroups = new Set(truth.duplicates.flat());
  const wrong = [...gone].filter((id) => !allowed.has(id) && !inGroups.has(id)).concat(extra);
  for (const id of wrong) {
    const kind = reasons.get(id)?.split(':')[0] ?? '';
    for (const score of [scoreOf('all'), scoreOf(`language ${language}`), scoreOf(`act ${kind}`)]) score.wrong++;
    shown.push(`wrong, week ${week}: ${textOf(id)}, because ${reasons.get(id)}`);
  }
}

/** Carries a plan out within the limits of the files, looks at the room, and takes every act back. */
async function tryOut({ now, person, notes }: Week): Promise<{ exceeded: number; acts: number; restored: boolean }> {
  const before = notes.map(entryOf);
  const store = fakeMemoryStore(before, () => Date.parse(now));
  const plan = planCuration(before, { now: Date.parse(now), person, limits: defaultMemoryLimits });
  const done = [];
  for (const draft of plan) done.push(await store.act(draft));
  const live = await store.list();
  const scopes = Map.groupBy(live, ({ project, target }) => project ?? `target ${target}`).values();
  const exceeded = [...scopes].filter(
    ([first, ...more]) =>
      first && charsOf([first, ...more].map(({ text }) => text)) > defaultMemoryLimits[first.target],
  ).length;
  for (const { id } of done) await store.undo(id, { actor: 'person', reason: 'to see whether it can be' });
  const restored = JSON.stringify(await store.list()) === JSON.stringify(before);
  return { exceeded, acts: done.length, restored };
}

const output = execFileSync(
  process.execPath,
  [join(root, 'bench/memory-weeks/generate.ts'), '--seed', values.seed, '--weeks', values.weeks],
  { encoding: 'utf8', maxBuffer: 1 << 28 },
);
const weeks = output
  .split('\n')
  .filter(Boolean)
  .map((line): Week => JSON.parse(line))
  .filter(({ week, language }) => week > Number(values.from) && (values.language ?? language) === language);
const start = performance.now();
for (const week of weeks) judge(week);
const ms = performance.now() - start;

console.log(
  `${weeks.length} weeks, ${weeks.reduce((sum, { notes }) => sum + notes.length, 0)} notes, ${(ms / Math.max(1, weeks.length)).toFixed(1)} ms a week\n`,
);
console.log('| | to take away | taken rightly | taken wrongly | precision | recall |\n|---|---|---|---|---|---|');
const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);
for (const [name, { right, wrong, wanted }] of [...scores].sort())
  console.log(
    `| ${name} | ${wanted} | ${right} | ${wrong} | ${percent(right, right + wrong)} | ${percent(right, wanted)} |`,
  );
const trials = await Promise.all(weeks.map(tryOut));
const exceeded = trials.reduce((sum, trial) => sum + trial.exceeded, 0);
const acts = trials.reduce((sum, trial) => sum + trial.acts, 0);
const restored = trials.filter((trial) => trial.restored).length;
console.log(
  `\n${acts} acts within the limits of the files; files beyond their limit: ${exceeded}; weeks restored by undo: ${restored} of ${weeks.length}\n`,
);
for (const line of shown.slice(0, Number(values.show))) console.log(`- ${line}`);
