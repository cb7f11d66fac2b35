/**
 * Measures the command `palimpsest trajectories compress` on invented corpora: megabytes a second with one worker and with
 * two, and the memory that a large input takes. Prints Markdown; see `npm run bench -- trajectories-speed`.
 *
 *   node bench/trajectories/speed.ts                  200 MB of each kind, 10 GB for the memory
 *   node bench/trajectories/speed.ts --megabytes 50 --gigabytes 0
 *   node bench/trajectories/speed.ts --folder DIR     where the files go (default: the folder for temporary files)
 */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { table } from '../../scripts/reference/markdown.ts';
import { type Goal, median } from '../figures.ts';
import { commandPath, installedPackages } from '../installed.ts';
import { type CommandRun, compressWords, missingCommand, runCommand, succeeded } from './command.ts';
import { type CorpusName, type WrittenCorpus, writeCorpus } from './corpora.ts';

const targetTokens = 15_250;
const seed = 20_260_501;
const runs = 3;
const megabyte = 1e6;

interface Measured {
  readonly corpus: CorpusName;
  readonly written: WrittenCorpus;
  readonly workers: number;
  /** Of all runs. */
  readonly megabytesPerSecond: readonly number[];
  readonly peakMb: number | undefined;
}

/** What the machine gives to two of them: whole commands at once, each with one worker, over one after the other. */
async function measureTwice({ main, folder, bytes }: Place): Promise<number> {
  const input = join(folder, 'twice.jsonl');
  await writeCorpus({ path: input, name: 'long', bytes, seed });
  const once = async (name: string): Promise<number> => {
    const output = join(folder, `${name}.out.jsonl`);
    const words = compressWords({ main, input, output, workers: 1, targetTokens });
    const { seconds } = succeeded(await runCommand(words), 'the command beside another one');
    rmSync(output, { force: true });
    return seconds;
  };
  const ratios: number[] = [];
  for (let run = 0; run < runs; run++) {
    const alone = await once('alone');
    ratios.push((2 * alone) / Math.max(...(await Promise.all([once('left'), once('right')]))));
  }
  rmSync(input);
  return median(ratios);
}

interface Place {
  /** The command line, built. */
  readonly main: string;
  readonly folder: string;
  readonly bytes: number;
}

/** One corpus with one worker and with two; the same file, so that both have the same to do. */
async function measure(corpus: CorpusName, { main, folder, bytes }: Place): Promise<readonly Measured[]> {
  const input = join(folder, `${corpus}.jsonl`);
  const written = await writeCorpus({ path: input, name: corpus, bytes, seed });
  const measured: Measured[] = [];
  for (const workers of [1, 2]) {
    const all: CommandRun[] = [];
    for (let run = 0; run < runs; run++) {
      const output = join(folder, `${corpus}-${workers}-${run}.out.jsonl`);
      const words = compressWords({ main, input, output, workers, targetTokens });
      all.push(succeeded(await runCommand(words), `the command over ${corpus} with ${workers} workers`));
      rmSync(output, { force: true });
    }
    measured.push({
      ...{ corpus, written, workers, peakMb: peakOf(all) },
      megabytesPerSecond: all.map(({ seconds }) => written.bytes / megabyte / seconds),
    });
  }
  rmSync(input);
  return measured;
}

function peakOf(all: readonly CommandRun[]): number | undefined {
  const known = all.map(({ peakMb }) => peakMb).filter((peak) => peak !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

interface LargeRun {
  readonly written: WrittenCorpus;
  readonly run: CommandRun;
}

/** A file that no memory holds, once, with two workers. */
async function measureLarge({ main, folder, bytes }: Place): Promise<LargeRun> {
  const [input, output] = [join(folder, 'large.jsonl'), join(folder, 'large.out.jsonl')];
  const written = await writeCorpus({ path: input, name: 'rare', bytes, seed });
  const run = succeeded(
    await runCommand(compressWords({ main, input, output, workers: 2, targetTokens })),
    'the command over the large file',
  );
  rmSync(input);
  rmSync(output, { force: true });
  return { written, run };
}

const rowOf = ({ corpus, written, workers, megabytesPerSecond: rates, peakMb }: Measured): readonly string[] => [
  ...[corpus, String(workers), String(written.records), (written.bytes / megabyte).toFixed(0)],
  ...[median(rates).toFixed(1), `${Math.min(...rates).toFixed(1)} to ${Math.max(...rates).toFixed(1)}`],
  peakMb === undefined ? '-' : peakMb.toFixed(0),
];

const rateOf = (all: readonly Measured[], corpus: CorpusName, workers: number): number =>
  median(all.find((one) => one.corpus === corpus && one.workers === workers)?.megabytesPerSecond ?? []);

interface NamedGoal extends Omit<Goal, 'least' | 'aim'> {
  /** Undefined where the figure must be below `aim`. */
  readonly least: number | undefined;
  readonly aim: number;
}

function goalsOf(all: readonly Measured[], large: LargeRun | undefined): readonly NamedGoal[] {
  const scaling = rateOf(all, 'long', 2) / rateOf(all, 'long', 1);
  return [
    {
      what: 'MB/s where every turn is counted and most records are compressed, 2 workers',
      least: 10,
      aim: 20,
      figure: rateOf(all, 'long', 2),
    },
    {
      what: 'MB/s where every turn is counted and every record fits, 2 workers',
      least: 10,
      aim: 20,
      figure: rateOf(all, 'fitting', 2),
    },
    {
      what: 'MB/s over records provably under the target, 2 workers',
      least: 60,
      aim: 60,
      figure: rateOf(all, 'short', 2),
    },
    { what: 'speed of 2 workers over that of 1', least: 1.8, aim: 1.8, figure: scaling },
    { what: 'peak memory over the large file, MB (below)', least: undefined, aim: 500, figure: large?.run.peakMb },
  ];
}

function goalRow({ what, least, aim, figure }: NamedGoal): readonly string[] {
  if (figure === undefined) return [what, String(least ?? '-'), String(aim), '-', 'not measured'];
  const isReached = least === undefined ? figure < aim : figure >= aim;
  const word = isReached ? 'aim reached' : least !== undefined && figure >= least ? 'reached' : 'MISSED';
  return [what, String(least ?? '-'), String(aim), figure.toFixed(figure < 10 ? 2 : 1), word];
}

/** Throws an error that says how much is missing where the disk is too small for a file and its output. */
function checkRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder);
  const wanted = 2.2 * bytes;
  if (bavail * bsize < wanted)
    throw new Error(
      `expected ${Math.ceil(wanted / 1e9)} GB of room in ${folder}, got ${Math.floor((bavail * bsize) / 1e9)} GB: take less with --gigabytes, or another --folder`,
    );
}

async function measureAll(): Promise<void> {
  const { values } = parseArgs({
    options: {
      megabytes: { type: 'string', default: '200' },
      gigabytes: { type: 'string', default: '10' },
      folder: { type: 'string', default: tmpdir() },
    },
  });
  const missing = missingCommand();
  if (missing !== undefined) {
    console.log(`Not measured: ${missing}.`);
    process.exitCode = 1;
    return;
  }
  const [load = 0] = loadavg();
  const [bytes, largeBytes] = [Number(values.megabytes) * megabyte, Number(values.gigabytes) * 1e9];
  checkRoom(values.folder, Math.max(bytes, largeBytes));
  const folder = mkdtempSync(join(values.folder, 'palimpsest-trajectories-'));
  const installed = await installedPackages();
  const main = join(installed, commandPath);
  try {
    const all: Measured[] = [];
    for (const corpus of ['long', 'mixed', 'fitting', 'short'] as const)
      all.push(...(await measure(corpus, { main, folder, bytes })));
    const twice = await measureTwice({ main, folder, bytes });
    const large = largeBytes > 0 ? await measureLarge({ main, folder, bytes: largeBytes }) : undefined;
    console.log(table(['what', 'at least', 'aim', 'measured', ''], goalsOf(all, large).map(goalRow)));
    console.log(
      `\nThe whole command as it is built, from its start to its end, median of ${runs}; target ${targetTokens} tokens of o200k_base, no model. ` +
        '`long`: agents at work, 10,000 to 150,000 tokens each; `fitting`: 15,500 to 30,000 bytes; `short`: conversations whose bytes prove them to be under the ' +
        `target; \`mixed\`: nine short ones to each long one. Two commands with one worker each, at once, were ${twice.toFixed(2)} times as fast as one after the other. Other work had ${load.toFixed(1)} cores when it began.\n`,
    );
    console.log(table(['corpus', 'workers', 'records', 'MB', 'MB/s', 'of all runs', 'peak MB'], all.map(rowOf)));
    if (large) {
      const { written, run } = large;
      console.log(
        `\n${(written.bytes / 1e9).toFixed(1)} GB of \`rare\` (199 short ones to each long one), ${written.records} records, 2 workers: ${run.seconds.toFixed(0)} s, ` +
          `${(written.bytes / megabyte / run.seconds).toFixed(1)} MB/s, peak memory ${run.peakMb?.toFixed(0) ?? '-'} MB. ` +
          'Different texts are invented for 256 MB; the rest repeats them.',
      );
    }
  } finally {
    for (const made of [folder, installed]) rmSync(made, { recursive: true });
  }
}

measureAll().catch((error: unknown) => {
  console.error(`trajectories speed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
});
