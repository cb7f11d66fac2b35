/**
 * Measures usage: counting calls, and summing them up over a year.
 *
 *   node bench/usage.ts [--calls N] [--quick]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore, type Store, type UsageEntry } from '@palimpsest/core/store';
import { insights } from '@palimpsest/core/usage';

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '1000000' },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const yearMs = 365 * 86_400_000;
const monthMs = 30 * 86_400_000;
const sessionCount = 1_000;
const batch = 5_000;
const times = 5;

if (values.help) console.log('node bench/usage.ts [--calls N] [--quick]');
else await measure(values.quick ? 50_000 : Number(values.calls));

async function measure(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-usage-'));
  try {
    const path = join(folder, 'store.db');
    await using store = await openStore({ path });
    const until = Date.now();
    const adding = await timed(() => fill(store, count, until));
    const rows = [
      ['counting them', `${(adding / 1_000).toFixed(1)} s`, `${((adding / count) * 1_000).toFixed(0)} µs a call`],
      ['size of the file', `${(statSync(path).size / 2 ** 20).toFixed(0)} MiB`, ''],
      ['`insights` over the year', ...(await median(() => insights(store, { since: until - yearMs, until })))],
      ['`insights` over 30 days', ...(await median(() => insights(store, { since: until - monthMs, until })))],
      ['totals of everything', ...(await median(() => store.usage.totals()))],
    ];
    const about = `${count.toLocaleString('en')} calls in one year: ${sessionCount} sessions, 5 models, 10 folders.`;
    const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
    console.log([about, '', '| | clock | processor time |', '|---|---:|---:|', ...lines].join('\n'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Calls at even distances; each session has some hundreds in a row, as real ones do. */
async function fill(store: Store, count: number, until: number): Promise<void> {
  const ids: string[] = [];
  for (let n = 0; n < sessionCount; n++) {
    const project = `project-${n % 10}`;
    ids.push((await store.sessions.create({ source: ['codex', 'claude-code', 'library'][n % 3] ?? '', project })).id);
  }
  for (let start = 0; start < count; start += batch) {
    const entries = Array.from({ length: Math.min(batch, count - start) }, (_, place): UsageEntry => {
      const n = start + place;
      const session = Math.floor((n / count) * sessionCount);
      return {
        sessionId: ids[session] ?? '',
        task: n % 50 === 0 ? 'summary' : 'turn',
        reportId: `bench:${n}`,
        model: `anthropic/model-${(session + Math.floor(n / 100)) % 5}`,
        at: until - yearMs + Math.floor((n / count) * yearMs),
        inputTokens: 100,
        outputTokens: 900,
        cacheReadTokens: 80_000,
        cacheWriteTokens: 2_000,
        reasoningTokens: 300,
        costUsd: 0.05,
        savedUsd: 0.3,
      };
    });
    await store.usage.add(entries);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Wall clock and processor time: on a shared machine the second one tells more. */
async function median(work: () => Promise<unknown>): Promise<readonly [string, string]> {
  await work();
  const walls: number[] = [];
  const cpus: number[] = [];
  for (let n = 0; n < times; n++) {
    const before = process.cpuUsage();
    walls.push(await timed(work));
    const { user, system } = process.cpuUsage(before);
    cpus.push((user + system) / 1_000);
  }
  const middle = (all: number[]): string => `${Math.round(all.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0)} ms`;
  return [middle(walls), middle(cpus)];
}
