/**
 * Measures verification: faithful summaries are falsified line by line, in eleven ways and four languages, and the
 * verifier has to find what is false and let stand what is true.
 *
 *   node bench/verification.ts [--data DIR] [--seed N] [--quick] [--show CLASS] [--json OUT]
 */
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { verifySummary } from '../packages/core/src/compression/verify/verify.ts';
import { reportOf } from './verification/report.ts';
import { runMeasure } from './verification/run.ts';
import { sessionFiles } from './verification/sessions.ts';
import { shown, shownLists } from './verification/show.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(import.meta.dirname, '../../shared/data') },
    seed: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    show: { type: 'string', multiple: true, default: [] },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const unknown = values.show.find((list) => !shownLists.includes(list));
if (values.help) {
  console.log(`node bench/verification.ts [--data DIR] [--seed N] [--quick] [--show LIST] [--json OUT]
  LIST: ${shownLists.join(', ')}`);
} else if (unknown !== undefined) {
  console.error(`--show: expected one of ${shownLists.join(', ')}; got "${unknown}"`);
  process.exitCode = 2;
} else if (sessionFiles(values.data).length === 0) {
  console.log(`skipped: there are no transcripts in ${values.data}; name a folder that has some with --data DIR`);
} else await measure();

async function measure(): Promise<void> {
  const onFile = (file: string): void => console.error(basename(file));
  const { data, quick } = values;
  const results = await runMeasure({ data, quick, seed: Number(values.seed), verify: verifySummary, onFile });
  console.log(reportOf(results));
  for (const list of values.show) console.log(`\n## ${list}\n\n${shown(list, results).join('\n')}`);
  if (values.json === undefined) return;
  const bases = results.bases.map(({ base, alarms, lost, ms }) => ({
    name: base.name,
    kind: base.kind,
    language: base.language,
    lines: base.lines.length,
    ms,
    alarms: [...alarms],
    lost,
  }));
  writeFileSync(values.json, JSON.stringify({ ...results, bases }, undefined, 1));
}
