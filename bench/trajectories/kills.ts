/**
 * Kills `palimpsest trajectories compress` again and again over a large file with broken lines, fills its disk, and lets it go
 * on: the output must be that of a run that nothing happened to. Prints Markdown; see `npm run bench -- trajectories-kills`.
 *
 *   node bench/trajectories/kills.ts                   100,000 records, 6 kills
 *   node bench/trajectories/kills.ts --records 5000 --kills 3 --workers 2
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { table } from '../../scripts/reference/markdown.ts';
import { diceOf } from '../invented-texts.ts';
import { type BrokenCorpus, lostLines, reportedLines, writeBrokenCorpus } from './broken-lines.ts';
import { type CommandRun, compressWords, missingCommand, runCommand } from './command.ts';
import { openSmallDisk, type SmallDisk } from './small-disk.ts';

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '100000' },
    kills: { type: 'string', default: '6' },
    workers: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
  },
});
const seed = Number(values.seed);
const workers = Number(values.workers);
/** Small, so that about two of three of the small records have to be compressed. */
const targetTokens = 500;
const brokenEvery = 100;
const outputName = 'out.jsonl';

interface Undisturbed {
  readonly run: CommandRun;
  readonly hash: string;
  readonly bytes: number;
  readonly reported: readonly number[];
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

const wordsOf = (input: string, folder: string, more: readonly string[] = []): readonly string[] =>
  compressWords({
    ...{ input, output: join(folder, outputName), workers, targetTokens },
    more: ['--errors', join(folder, 'broken.jsonl'), ...more],
  });

async function runUndisturbed(input: string, folder: string): Promise<Undisturbed> {
  mkdirSync(folder);
  const run = await runCommand(wordsOf(input, folder));
  const output = join(folder, outputName);
  if (!existsSync(output)) throw new Error(`the undisturbed run left no output, and said: ${run.printed.slice(-600)}`);
  const reported = reportedLines(folder, new Set([outputName]));
  return { run, hash: await hashOf(output), bytes: statSync(output).size, reported };
}

interface Disturbed {
  readonly kills: number;
  /** Kills that came after something of the output was written. */
  readonly midWork: number;
  /** What the run on the full disk ended with and said. */
  readonly full: CommandRun;
  readonly last: CommandRun;
  readonly hash: string | undefined;
  readonly reported: readonly number[];
  readonly lost: readonly number[];
}

interface Case {
  readonly input: string;
  readonly corpus: BrokenCorpus;
  readonly undisturbed: Undisturbed;
  readonly disk: SmallDisk;
}

/** Kills, then a full disk, then room again; each run goes on from the one before. */
async function runDisturbed({ input, corpus, undisturbed, disk }: Case): Promise<Disturbed> {
  const dice = diceOf(seed);
  const resume = wordsOf(input, disk.folder, ['--resume']);
  const wanted = Number(values.kills);
  let [kills, midWork] = [0, 0];
  disk.resize(4 * undisturbed.bytes);
  for (let round = 0; round < wanted; round++) {
    // Within the time that the whole takes, divided, so that no round gets to the end.
    const afterMs = (1_000 * undisturbed.run.seconds * (0.3 + dice(100) / 100)) / (wanted + 1);
    const start = performance.now();
    const run = await runCommand(round === 0 ? wordsOf(input, disk.folder) : resume, {
      onLook: (child) => {
        if (performance.now() - start >= afterMs) child.kill('SIGKILL');
      },
    });
    if (run.ended !== 'SIGKILL') break;
    kills++;
    if (bytesIn(disk.folder) > 0) midWork++;
  }
  // A little more than is there: it gets on, and then the disk is full.
  disk.resize(Math.max(64 * 1_024, bytesIn(disk.folder) + Math.floor(undisturbed.bytes / 20)));
  const limited = disk.limited(resume);
  const full = await runCommand(limited.words, { command: limited.command });
  disk.resize(4 * undisturbed.bytes);
  const last = await runCommand(resume);
  const output = join(disk.folder, outputName);
  const isThere = existsSync(output);
  return {
    ...{ kills, midWork, full, last },
    hash: isThere ? await hashOf(output) : undefined,
    reported: reportedLines(disk.folder, new Set([outputName])),
    lost: isThere ? await lostLines(input, output, corpus.broken) : corpus.broken,
  };
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);

const missingOf = (broken: readonly number[], reported: readonly number[]): number => {
  const known = new Set(reported);
  return broken.filter((number) => !known.has(number)).length;
};

function report({ corpus, undisturbed, disk }: Case, found: Disturbed): boolean {
  const { broken, records } = corpus;
  const endedBy = `${found.full.ended}${/ENOSPC|EFBIG|no space|disk/i.test(found.full.printed) ? ', and said why' : ', and did not say why'}`;
  const invented = found.reported.filter((number) => !broken.includes(number)).length;
  const checks: readonly (readonly [string, string, boolean])[] = [
    [
      'output is that of an undisturbed run',
      found.hash === undisturbed.hash ? 'yes' : 'no',
      found.hash === undisturbed.hash,
    ],
    [
      'broken lines that are reported',
      `${broken.length - missingOf(broken, found.reported)} of ${broken.length}`,
      missingOf(broken, found.reported) === 0,
    ],
    [
      'the same, undisturbed',
      `${broken.length - missingOf(broken, undisturbed.reported)} of ${broken.length}`,
      missingOf(broken, undisturbed.reported) === 0,
    ],
    ['good lines that are reported', String(invented), invented === 0],
    ['broken lines that are not in the output as they were', String(found.lost.length), found.lost.length === 0],
    ['kills in the middle of the work', `${found.midWork} of ${found.kills}`, found.midWork > 0],
    ['the run on the full disk ended with', endedBy, found.full.ended !== 0 && endedBy.endsWith('said why')],
    ['the last run ended with', String(found.last.ended), typeof found.last.ended === 'number'],
  ];
  console.log(
    `${records} records of 1 to 6 KB, target ${targetTokens} tokens, ${workers} workers; undisturbed ${undisturbed.run.seconds.toFixed(0)} s, ` +
      `${(undisturbed.bytes / 1e6).toFixed(0)} MB of output. Killed with SIGKILL, then ${disk.how}, then room again; each but the first with \`--resume\`.\n`,
  );
  console.log(
    table(
      ['what', 'found', ''],
      checks.map(([what, value, isRight]) => [what, value, isRight ? 'right' : 'WRONG']),
    ),
  );
  return checks.every(([, , isRight]) => isRight);
}

async function main(): Promise<void> {
  const missing = missingCommand();
  if (missing !== undefined) {
    console.log(`Not measured: ${missing}.`);
    process.exitCode = 1;
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-kills-'));
  let disk: SmallDisk | undefined;
  try {
    const input = join(folder, 'input.jsonl');
    const corpus = await writeBrokenCorpus({ path: input, records: Number(values.records), every: brokenEvery, seed });
    const undisturbed = await runUndisturbed(input, join(folder, 'undisturbed'));
    disk = openSmallDisk(join(folder, 'disturbed'), 4 * undisturbed.bytes);
    const one = { input, corpus, undisturbed, disk };
    if (!report(one, await runDisturbed(one))) process.exitCode = 1;
  } finally {
    disk?.close();
    rmSync(folder, { recursive: true });
  }
}

main().catch((error: unknown) => {
  console.error(`trajectories kills: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
});
