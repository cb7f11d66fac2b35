/** Writes weeks of notes with a known truth: `node bench/memory-weeks/generate.ts --weeks 500 --seed 1 > weeks.jsonl`. */
import { writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeWeek, type Week } from './week.ts';

/** Weeks 1 to `count` of a seed. */
export function generateWeeks(seed: number, count: number): Week[] {
  return Array.from({ length: count }, (_, index) => makeWeek(seed, index + 1));
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { seed: { type: 'string', default: '1' }, weeks: { type: 'string', default: '500' } },
  });
  for (const week of generateWeeks(Number(values.seed), Number(values.weeks)))
    writeSync(1, `${JSON.stringify(week)}\n`);
}
