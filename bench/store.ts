/**
 * Measures a store with many messages: filling it, its size, appending one more, listing, searching; and what plain
 * full-text search of the same database, and an index in memory, take for the first of the same texts.
 *
 *   node bench/store.ts [--messages N] [--large] [--quick] [--keep DIR]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { SearchOptions } from '@palimpsest/core/search';
import { openStore, type Store } from '@palimpsest/core/store';
import { search } from '../packages/core/src/recall/search/search.ts';
import { type Filling, fill, questionsFor, questionTypes } from './store/filled.ts';
import { miniSearch, type Other, plainFullText } from './store/plain-full-text.ts';

const { values } = parseArgs({
  options: {
    messages: { type: 'string', default: '100000' },
    large: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const largeCount = 1_000_000;
const quickCount = 10_000;
/** Other ways are slower to fill, or do not hold more: they are measured on this many. */
const othersCount = 20_000;
const each = 40;
const appends = 300;

if (values.help) {
  console.log(
    'node bench/store.ts [--messages N] [--large] [--quick]\n  --large: 1,000,000 messages, about ten minutes',
  );
} else await measure(values.large ? largeCount : values.quick ? quickCount : Number(values.messages));

async function measure(count: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-store-'));
  try {
    const path = join(folder, 'store.db');
    const store = await openStore({ path });
    const filling = await fill(store, count, (done) => {
      if (done % 20_000 === 0) console.error(`${done} messages`);
    });
    await store.close();
    const bytes = statSync(path).size;
    const again = await openStore({ path });
    console.log(sizes(filling, bytes));
    console.log(`\n${others(join(folder, 'plain.db'), Math.min(count, othersCount), filling)}`);
    console.log(`\n${await listing(again)}`);
    console.log(`${await appending(again, filling)}\n`);
    console.log(await searching(again, filling));
    console.log(`\n${await filtering(again, filling)}`);
    await again.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function sizes({ messages, textBytes, tokens, seconds }: Filling, bytes: number): string {
  return [
    `${messages} messages, ${(tokens / 1e6).toFixed(1)}M tokens (estimated), ${(textBytes / 1e6).toFixed(0)} MB of text:`,
    `${(messages / seconds).toFixed(0)} messages a second, ${(bytes / textBytes).toFixed(2)} bytes on disk per byte of text.`,
  ].join('\n');
}

/** What is not ours finds words alone, without names, neighbours, conversations or times. */
function others(path: string, count: number, { samples }: Filling): string {
  const questions = questionsFor(samples, each);
  const row = (name: string, { messages, rate, ratio, times }: Other): string =>
    `| ${[name, messages, rate.toFixed(0), ratio?.toFixed(2) ?? 'in memory', ...figures(times)].join(' | ')} |`;
  return [
    '| for comparison | messages | a second | bytes on disk per byte of text | median ms | 95 % ms | longest ms |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    row('FTS5 porter + trigram', plainFullText(path, count, questions)),
    row('MiniSearch', miniSearch(count, questions)),
  ].join('\n');
}

async function listing(store: Store): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < 50; i++) {
    const start = performance.now();
    await store.sessions.list({ limit: 20, offset: i * 3 });
    times.push(performance.now() - start);
  }
  return `List of 20 conversations: ${spread(times)}.`;
}

async function appending(store: Store, { sessions, samples }: Filling): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < appends; i++) {
    const sample = samples[i % samples.length];
    if (!sample) continue;
    const message = { ...sample, time: new Date(i).toISOString() };
    const start = performance.now();
    await store.messages.append(sessions[(i * 31) % sessions.length] ?? '', [message]);
    times.push(performance.now() - start);
  }
  return `Append of one message: ${spread(times)}.`;
}

async function searching(store: Store, { samples }: Filling): Promise<string> {
  const questions = questionsFor(samples, each);
  const times = new Map<string, number[]>(questionTypes.map((type) => [type, []]));
  let [found, longest] = [0, { ms: 0, query: '' }];
  for (const { type, query } of questions) {
    const start = performance.now();
    const { hits } = await search(store, query, { limit: 20 });
    const ms = performance.now() - start;
    times.get(type)?.push(ms);
    if (hits.length > 0) found++;
    if (ms > longest.ms) longest = { ms, query };
  }
  const rows = questionTypes.map((type) => [type, ...figures(times.get(type) ?? [])]);
  const all = ['all', ...figures([...times.values()].flat())];
  return [
    `${questions.length} searches, ${found} with hits; longest ${longest.ms.toFixed(1)} ms for ${JSON.stringify(longest.query)}.`,
    '',
    '| search for | median ms | 95 % ms | longest ms |',
    '| --- | --- | --- | --- |',
    ...[...rows, all].map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');
}

/** Filters that let few, some and nearly all messages through. */
function filters(count: number): readonly (readonly [string, SearchOptions])[] {
  const start = Date.UTC(2024, 0, 1);
  const week = { since: start, until: start + 7 * 24 * 3_600_000 };
  return [
    ['one project of 40', { project: '/projects/3' }],
    ['a project that has none', { project: '/nowhere' }],
    ['one source, that of all', { sources: ['library'] }],
    ['what the user said', { roles: ['user'] }],
    ['system prompts', { roles: ['system'] }],
    ['the first week', week],
    ['a year without messages', { since: start + count * 1e9 }],
    ['what tools gave, in one project', { roles: ['tool'], project: '/projects/7' }],
  ];
}

async function filtering(store: Store, { samples, messages }: Filling): Promise<string> {
  const questions = questionsFor(samples, each).filter(({ type }) => type === 'some words' || type === 'sentence');
  const rows: string[] = [];
  for (const [name, options] of filters(messages)) {
    const times: number[] = [];
    for (const { query } of questions) {
      const start = performance.now();
      await search(store, query, { limit: 20, ...options });
      times.push(performance.now() - start);
    }
    rows.push(`| ${[name, ...figures(times)].join(' | ')} |`);
  }
  return ['| search within | median ms | 95 % ms | longest ms |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function figures(times: readonly number[]): readonly string[] {
  const sorted = times.toSorted((a, b) => a - b);
  return [at(sorted, 0.5), at(sorted, 0.95), at(sorted, 1)].map((ms) => ms.toFixed(2));
}

function spread(times: readonly number[]): string {
  const [median, most, longest] = figures(times);
  return `median ${median} ms, 95 % ${most} ms, longest ${longest} ms`;
}
