/**
 * Measures importing: real sessions of every tool and long conversations into a new store, again into the same one, and
 * the same texts into plain full-text search. Prints Markdown.
 *
 *   node bench/import.ts [--data DIR] [--profile]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readTranscripts, type Transcript } from '@palimpsest/core';
import { importTranscripts, openStore, type Store } from '@palimpsest/core/store';
import { readableText } from '../packages/core/src/transcript/text.ts';
import { table } from '../scripts/reference/markdown.ts';
import { type Corpus, corporaIn } from './import/corpora.ts';
import { plainImport } from './import/plain.ts';
import { root } from './options.ts';
import { hotSpots } from './profile.ts';
import { stopwatch, sumOf, type Time } from './stopwatch.ts';

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: join(root, '../shared/data') },
    profile: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

/** Before anything is measured, so that the code is warm. */
const warmups = 2;

interface Measured {
  readonly name: string;
  readonly messages: number;
  /** Bytes of the files, and of what can be read in the messages. */
  readonly bytes: number;
  readonly textBytes: number;
  readonly read: Time;
  readonly write: Time;
  readonly again: Time;
  readonly stored: number;
  readonly plain: Time;
  readonly plainBytes: number;
}

async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-import-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Imported {
  readonly read: Time;
  readonly write: Time;
  readonly transcripts: readonly Transcript[];
}

async function importAll(store: Store, { files }: Corpus): Promise<Imported> {
  const reads: Time[] = [];
  const writes: Time[] = [];
  const transcripts: Transcript[] = [];
  const lap = stopwatch();
  for (const file of files) {
    const read = await readTranscripts(file);
    reads.push(lap());
    await importTranscripts(store, read.transcripts);
    writes.push(lap());
    transcripts.push(...read.transcripts);
  }
  return { read: sumOf(reads), write: sumOf(writes), transcripts };
}

async function measure(corpus: Corpus): Promise<Measured> {
  return inFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const store = await openStore({ path });
    const first = await importAll(store, corpus);
    const lap = stopwatch();
    // The last process to close a store brings everything into the one file.
    await store.close();
    const write = sumOf([first.write, lap()]);
    const stored = statSync(path).size;
    const reopened = await openStore({ path });
    const second = await importAll(reopened, corpus);
    await reopened.close();
    const texts = first.transcripts.map(({ messages }) => messages.map(readableText));
    const plain = plainImport(join(folder, 'plain.db'), texts);
    return {
      name: corpus.name,
      messages: first.transcripts.reduce((sum, { messages }) => sum + messages.length, 0),
      bytes: corpus.files.reduce((sum, file) => sum + file.length, 0),
      textBytes: texts.flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0),
      read: first.read,
      write,
      again: sumOf([second.read, second.write]),
      stored,
      plain: plain.time,
      plainBytes: plain.bytes,
    };
  });
}

const rate = (messages: number, { wallMs, threadMs }: Time): string =>
  `${Math.round((messages / wallMs) * 1000)} (${Math.round((messages / threadMs) * 1000)})`;

function row(one: Measured): readonly string[] {
  const { name, messages, bytes, textBytes, read, write, again, stored, plain, plainBytes } = one;
  return [
    name,
    String(messages),
    (bytes / 1e6).toFixed(1),
    (textBytes / 1e6).toFixed(1),
    rate(messages, read),
    rate(messages, write),
    rate(messages, sumOf([read, write])),
    rate(messages, again),
    (stored / textBytes).toFixed(2),
    (stored / bytes).toFixed(2),
    rate(messages, plain),
    (plainBytes / textBytes).toFixed(2),
  ];
}

const headings = [
  '',
  'messages',
  'MB of files',
  'MB of text',
  'read',
  'kept and indexed',
  'both',
  'again, unchanged',
  'store per byte of text',
  'store per byte of file',
  'porter + trigram',
  'its bytes per byte of text',
];

function total(all: readonly Measured[]): Measured {
  const sum = (of: (one: Measured) => number): number => all.reduce((value, one) => value + of(one), 0);
  const time = (of: (one: Measured) => Time): Time => sumOf(all.map(of));
  return {
    name: 'all',
    messages: sum((one) => one.messages),
    bytes: sum((one) => one.bytes),
    textBytes: sum((one) => one.textBytes),
    stored: sum((one) => one.stored),
    plainBytes: sum((one) => one.plainBytes),
    read: time((one) => one.read),
    write: time((one) => one.write),
    again: time((one) => one.again),
    plain: time((one) => one.plain),
  };
}

async function printSpots(corpora: readonly Corpus[]): Promise<void> {
  const spots = await hotSpots(async () => {
    for (const corpus of corpora) {
      await using store = await openStore({ path: ':memory:' });
      await importAll(store, corpus);
    }
  });
  const shown = spots.filter(({ self, total: all }) => self >= 0.01 || all >= 0.05);
  const share = (value: number): string => (100 * value).toFixed(1);
  const rows = shown.map((one) => [one.where, share(one.self), share(one.total)]);
  console.log(`Shares of the samples in %\n\n${table(['function', 'self', 'with callees'], rows)}`);
}

async function main(): Promise<void> {
  const corpora = corporaIn(values.data);
  const [first] = corpora;
  if (!first) {
    console.error(
      `There is nothing to import in ${values.data}: name a folder with transcripts/ or longconv/ by --data DIR.`,
    );
    process.exitCode = 1;
    return;
  }
  for (let i = 0; i < warmups; i++) await measure(first);
  if (values.profile) {
    await printSpots(corpora);
    return;
  }
  const measured: Measured[] = [];
  for (const corpus of corpora) measured.push(await measure(corpus));
  console.log(
    'Messages a second; in brackets per second of the thread alone, which other work on the machine does not change.\n',
  );
  console.log(table(headings, [...measured, total(measured)].map(row)));
}

if (values.help) console.log('node bench/import.ts [--data DIR] [--profile]');
else await main();
