/** What work costs against other work of the same process: no bound in milliseconds holds on every machine, or under load. */
import assert from 'node:assert/strict';

type Work = () => unknown;

/** Processor time of this process in milliseconds: other processes do not count. */
export async function processorTime(act: Work): Promise<number> {
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** What a rare pause of the engine takes, such as one to collect what is no longer needed. */
const pauseMs = 100;
/** Load and pauses spoil some tries, and never make dear work cheap: one that holds shows that the work is cheap. */
const tries = 3;

/** Compares until `large` takes at most what `most` makes of what `small` takes, without what both begin with. */
async function holdsOnce(
  works: readonly [small: Work, large: Work, beside: Work],
  most: (small: number) => number,
): Promise<void> {
  const seen: string[] = [];
  for (let at = 0; at < tries; at++) {
    const [small, large, beside] = works;
    const rest = await processorTime(beside);
    const one = Math.max(0, (await processorTime(small)) - rest);
    const all = Math.max(0, (await processorTime(large)) - rest);
    if (all <= most(one) + pauseMs) return;
    seen.push(`${all.toFixed(0)} ms against ${one.toFixed(0)} ms`);
  }
  assert.fail(`takes too long: ${seen.join('; ')}`);
}

/**
 * Fails where work on `times` as much takes far more than `times` as long; where it grows by the square, it takes that squared.
 * @param beside what both begin with, such as reading what is the same for both
 */
export function growsInProportion(
  { small, large, beside = () => undefined }: { readonly small: Work; readonly large: Work; readonly beside?: Work },
  times: number,
): Promise<void> {
  return holdsOnce([small, large, beside], (one) => times ** 1.6 * one);
}

/** Fails where work takes more than `times` as long as what it is measured by. */
export function takesAtMost(times: number, { of, work }: { readonly of: Work; readonly work: Work }): Promise<void> {
  return holdsOnce([of, work, () => undefined], (one) => times * one);
}

/** How often `run` asks a regular expression anything: the same on every machine. */
export function questions(run: () => void): number {
  let count = 0;
  const { exec } = RegExp.prototype;
  RegExp.prototype.exec = function counted(text: string): RegExpExecArray | null {
    count++;
    return exec.call(this, text);
  };
  try {
    run();
  } finally {
    RegExp.prototype.exec = exec;
  }
  return count;
}
