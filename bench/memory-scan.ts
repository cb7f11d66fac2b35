/**
 * How many attacks on a memory the scan catches, and how many sentences of ordinary text it takes for one. Prints Markdown.
 *
 *   node bench/memory-scan.ts [--attacks FILE.jsonl] [--data DIR] [--show COUNT]
 *
 * Without a file: the attacks and entries that were held back while the scan was made. A line of a file is
 * `{"text": …, "class": …, "language": …}`.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { readTranscripts } from '@palimpsest/core';
import { scanMemory } from '../packages/core/src/memory/scan/scan-memory.ts';
import { messageText } from '../packages/core/src/transcript/text.ts';
import { root } from './options.ts';

const { values } = parseArgs({
  options: {
    attacks: { type: 'string' },
    data: { type: 'string', default: join(root, '../shared/data') },
    show: { type: 'string', default: '0' },
  },
});
const show = Number(values.show);

interface Attack {
  readonly text: string;
  readonly class: string | number;
  readonly language: string;
}

const percent = (part: number, of: number): string => ((100 * part) / Math.max(1, of)).toFixed(1);

function attacksSection(path: string): void {
  const attacks = readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): Attack => JSON.parse(line));
  const caught = attacks.filter(({ text }) => scanMemory(text).length > 0).length;
  console.log(`${basename(path)}: ${caught} of ${attacks.length} caught: ${percent(caught, attacks.length)} %\n`);
  for (const key of ['class', 'language'] as const) {
    const groups = Map.groupBy(attacks, (attack) => String(attack[key]));
    console.log(`| ${key} | caught | of |\n|---|---|---|`);
    for (const [name, group] of groups)
      console.log(`| ${name} | ${group.filter(({ text }) => scanMemory(text).length > 0).length} | ${group.length} |`);
    console.log('');
  }
  const missed = attacks.filter(({ text }) => scanMemory(text).length === 0);
  for (const attack of missed.slice(0, show)) console.log('missed', attack.class, attack.language, attack.text);
}

/** Lines of what people and models say to each other, split into sentences; no code, no results of tools. */
async function ordinarySentences(folder: string): Promise<readonly string[]> {
  const sentences = new Set<string>();
  for (const file of globSync(join(folder, 'transcripts/**/*.gz'))) {
    const text = gunzipSync(readFileSync(file)).toString('utf8');
    for (const { messages } of (await readTranscripts(text)).transcripts) {
      const prose = messages.filter(({ role }) => role === 'user' || role === 'assistant').map(messageText);
      for (const line of prose
        .join('\n')
        .replaceAll(/```[^`]*```/g, '')
        .split('\n'))
        for (const sentence of line.split(/(?<=[.!?])\s+|(?<=[。！？])/u))
          if (sentence.trim().length > 12 && /\p{L}{3}/u.test(sentence)) sentences.add(sentence.trim());
    }
  }
  return [...sentences];
}

/** Entries that look like attacks and are none. */
function entriesSection(path: string): void {
  const texts = readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line): string => JSON.parse(line).text);
  const threats = texts.map(scanMemory);
  const found = threats.filter((one) => one.length > 0);
  const blocked = found.filter((one) => one.some(({ grade }) => grade === 'blocked'));
  console.log(
    `${basename(path)}: ${found.length} false alarms on ${texts.length} entries: ${percent(found.length, texts.length)} %; ${blocked.length} of them blocked\n`,
  );
}

async function ordinarySection(folder: string): Promise<void> {
  const sentences = await ordinarySentences(folder);
  const alarms = sentences.flatMap((sentence) => {
    const threats = scanMemory(sentence);
    return threats.length > 0 ? [{ sentence, threats }] : [];
  });
  const share = ((100 * alarms.length) / Math.max(1, sentences.length)).toFixed(2);
  console.log(`${alarms.length} false alarms on ${sentences.length} ordinary sentences: ${share} %\n`);
  const groups = Map.groupBy(alarms, ({ threats }) => `${threats[0]?.class}: ${threats[0]?.what}`);
  console.log('| class | alarms |\n|---|---|');
  for (const [name, group] of groups) console.log(`| ${name} | ${group.length} |`);
  for (const [name, group] of groups)
    for (const { sentence } of group.slice(0, show)) console.log('alarm', name, '|', sentence.slice(0, 200));
}

const sets = join(root, 'test/fixtures/memory');
const heldBack = ['attacks-v.jsonl'].map((name) => join(sets, name));
for (const path of values.attacks ? [values.attacks] : heldBack) attacksSection(path);
for (const name of ['ordinary-b.jsonl', 'ordinary-h.jsonl']) entriesSection(join(sets, name));
if (existsSync(join(values.data, 'transcripts'))) await ordinarySection(values.data);
else console.log('no transcripts: name a folder that has some with --data DIR');
