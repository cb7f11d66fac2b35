/** One run of the measure: every file in turn, its faithful summaries, their false copies, and what the verifier says. */
import { checkDropped, type DroppedAsk } from './dropped.ts';
import { factsOf, rewordedBase } from './faithful.ts';
import { type Base, languages } from './lines.ts';
import { type MutatedCopy, mutatedCopy } from './mutations.ts';
import type { SessionRecord } from './record.ts';
import { type CheckedBase, checkBase, checkCopy, type Verdict, type Verify } from './score.ts';
import { diceFor, handoffBase, realBases, recordsOf, sessionFiles } from './sessions.ts';

export interface RunOptions {
  readonly data: string;
  readonly seed: number;
  /** Every third file, fewer cuts and copies. */
  readonly quick: boolean;
  readonly verify: Verify;
  readonly onFile?: (file: string) => void;
}

export interface Results {
  readonly seed: number;
  readonly files: number;
  readonly bases: readonly (CheckedBase & { readonly megabytes: number })[];
  readonly verdicts: readonly Verdict[];
  readonly dropped: readonly DroppedAsk[];
  /** True lines called wrong only where false lines stood around them. */
  readonly collateral: number;
  readonly copyMs: readonly number[];
}

const budgets = [2000, 4000, 8000] as const;

/** Measures over all files of the data folder; the same options give the same lines. */
export async function runMeasure(options: RunOptions): Promise<Results> {
  const files = sessionFiles(options.data).filter((_, at) => !options.quick || at % 3 === 0);
  const results: Results[] = [];
  for (const file of files) {
    options.onFile?.(file);
    const pairs = await basesOf(file, options);
    for (const { base, record } of pairs) results.push(measured(base, record, options));
  }
  return {
    seed: options.seed,
    files: files.length,
    bases: results.flatMap(({ bases }) => bases),
    verdicts: results.flatMap(({ verdicts }) => verdicts),
    dropped: results.flatMap(({ dropped }) => dropped),
    collateral: results.reduce((sum, { collateral }) => sum + collateral, 0),
    copyMs: results.flatMap(({ copyMs }) => copyMs),
  };
}

type Pair = { readonly base: Base; readonly record: SessionRecord };

async function basesOf(file: string, { seed, quick }: RunOptions): Promise<readonly Pair[]> {
  const records = (await recordsOf(file, seed)).slice(quick ? -1 : 0);
  const dice = diceFor(file, seed);
  const made = records.flatMap((record, at): readonly Pair[] => {
    const facts = factsOf(record);
    const first = dice(languages.length);
    // Up to the end in every language; up to the middle in one, so that a run stays short.
    const isWhole = at === records.length - 1;
    const spoken = languages.filter((_, one) => (!quick && isWhole) || one === first);
    const reworded = spoken.map((language) => rewordedBase({ record, facts, language, dice }));
    const budget = budgets[(first + at) % budgets.length] ?? budgets[0];
    return [...reworded, handoffBase(record, budget)].map((base) => ({ base, record }));
  });
  return [...made, ...(await realBases(file))];
}

function measured(base: Base, record: SessionRecord, { verify, seed, quick }: RunOptions): Results {
  const checked = checkBase(base, verify);
  const copies = quick ? [false] : [false, true];
  const dice = diceFor(base.name, seed);
  const made = copies.map(
    (wantsHard): MutatedCopy => mutatedCopy(base, { record, dice, wantsHard, untouched: checked.alarms }),
  );
  const found = made.map((copy) => checkCopy(copy, checked, verify));
  return {
    seed,
    files: 1,
    bases: [{ ...checked, megabytes: record.all.length / 2 ** 20 }],
    verdicts: found.flatMap(({ verdicts }) => verdicts),
    dropped: base.kind === 'reworded' && dice(2) === 0 ? checkDropped(checked, record, verify) : [],
    collateral: found.reduce((sum, { collateral }) => sum + collateral, 0),
    copyMs: found.map(({ ms }) => ms),
  };
}
