/**
 * How often a name that was said once or a few times is among the first ten, with our search and with plain full-text
 * search of the same messages: recorded transcripts, a name alone and beside a common word.
 *
 *   node bench/rare-names.ts [--data DIR] [--names N]
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Message } from '@palimpsest/core';
import { table } from '../scripts/reference/markdown.ts';
import { percent } from './figures.ts';
import { readTranscriptFile } from './files.ts';
import { compareNames, type NameKind } from './search/rare-names.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(import.meta.dirname, '../../shared/data') },
    names: { type: 'string', default: '300' },
  },
});

const folder = join(values.data, 'transcripts');
if (existsSync(folder)) await print();
else console.log(`skipped: there are no transcripts in ${folder}; name a folder that has some with --data DIR`);

async function print(): Promise<void> {
  const conversations: (readonly Message[])[] = [];
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/\.(?:jsonl?|traj)(?:\.gz)?$/.test(file)) continue;
    for (const { messages } of await readTranscriptFile(join(folder, file)))
      conversations.push(messages.map(({ source: _, ...message }) => message));
  }
  const kinds: readonly NameKind[] = ['name', 'capital'];
  const lines: string[][] = [];
  for (const kind of kinds) {
    for (const found of await compareNames(conversations, { most: Number(values.names), kind })) {
      const { how, asked, ours, plain, wanted, oursOfAll, plainOfAll } = found;
      const share = (part: number, whole: number): string => percent(part / Math.max(1, whole));
      lines.push([
        kind,
        how,
        String(asked),
        share(ours, asked),
        share(plain, asked),
        share(oursOfAll, wanted),
        share(plainOfAll, wanted),
      ]);
    }
  }
  const headings = ['what', 'asked', 'questions', 'found@10', 'plain found@10', 'of all messages', 'plain of all'];
  console.log(table(headings, lines));
}
