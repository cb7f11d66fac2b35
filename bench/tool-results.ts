/**
 * Measures what it takes to save large tool results, to read a page of them and to search them, in processor time.
 * Prints Markdown.
 *
 *   node bench/tool-results.ts            1, 10 and 50 million characters
 *   node bench/tool-results.ts --quick    1 and 10 million
 */
import { parseArgs } from 'node:util';
import { createOutputBudget, spilledOutput } from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';
import { table } from '../scripts/reference/markdown.ts';
import { median } from './figures.ts';
import { stopwatch } from './stopwatch.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const sizes = values.quick ? [1e6, 1e7] : [1e6, 1e7, 5e7];
const runs = 3;

const line = (i: number): string => `2026-01-01T00:00:00 worker-${i % 17} request ${i} took ${i % 97} ms\n`;
const linesOf = (characters: number): string =>
  Array.from({ length: Math.ceil(characters / line(1).length) }, (_, i) => line(i)).join('');

/** Texts of a size, by the form in which tools give them back. */
const forms: Readonly<Record<string, (characters: number) => string>> = {
  lines: linesOf,
  'one line': (characters) => linesOf(characters).replaceAll('\n', ' '),
  'one character': (characters) => 'a'.repeat(characters),
  'MCP envelope': (characters) => JSON.stringify({ content: [{ type: 'text', text: linesOf(characters) }] }),
};

async function measured(form: string, characters: number): Promise<readonly string[]> {
  const times: Record<'admit' | 'read' | 'search', number[]> = { admit: [], read: [], search: [] };
  const text = forms[form]?.(characters) ?? '';
  for (let run = 0; run < runs; run++) {
    await using store = await openStore({ path: ':memory:' });
    const budget = createOutputBudget({ outputs: store.outputs, contextLength: 200_000 });
    const [read, search] = budget.tools;
    if (!read || !search) throw new Error('The budget has no tools.');
    const admit = await timed(() => budget.admit({ toolName: 'bash', callId: 'call', content: text }));
    const id = spilledOutput(admit.value.content);
    const saved = id === undefined ? undefined : await store.outputs.get(id);
    const last = saved && saved.lines > 1 ? { from: saved.lines - 100 } : { char: characters - 10_000 };
    times.admit.push(admit.ms);
    times.read.push((await timed(() => read.run({ id, ...last }))).ms);
    times.search.push((await timed(() => search.run({ id, query: 'nowhere' }))).ms);
  }
  const perMillion = (ms: readonly number[]): string => (median(ms) / (characters / 1e6)).toFixed(1);
  const whole = (ms: readonly number[]): string => median(ms).toFixed(0);
  return [
    form,
    `${characters / 1e6}`,
    whole(times.admit),
    perMillion(times.admit),
    whole(times.read),
    whole(times.search),
  ];
}

/** The thread's own time: what else the machine does takes no part in it. */
async function timed<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const lap = stopwatch();
  const value = await work();
  return { value, ms: lap().threadMs };
}

const rows: (readonly string[])[] = [];
for (const form of Object.keys(forms)) for (const characters of sizes) rows.push(await measured(form, characters));
console.log(
  table(['result', 'million characters', 'save, ms', 'per million, ms', 'read its last page, ms', 'search, ms'], rows),
);
