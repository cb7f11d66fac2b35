/**
 * What a model has written for a run that is not over: a line for each call beside the output. A run that goes on after a crash
 * knows from it what was spent, and asks for nothing again that was answered before.
 */
import { createHash } from 'node:crypto';
import { isObject, parseJson } from '@palimpsest/core/settings';
import { type GrowingFile, linesOf, openGrowing } from '../write/partial-output.ts';
import { addTotals, type ModelTotals, noTotals } from './spending.ts';

/** A summary that was paid for. */
export interface PaidAnswer {
  readonly text: string;
  /** Calls that it took. */
  readonly calls: number;
}

/** What a line tells: what was used since the line before, and what came of it. */
interface PaidLine {
  readonly used: Partial<ModelTotals>;
  readonly key?: string;
  readonly answer?: PaidAnswer;
}

/** Answers and totals of a run, and of the earlier one that it goes on with. */
export interface PaidAnswers {
  readonly totals: () => ModelTotals;
  readonly answerTo: (key: string) => PaidAnswer | undefined;
  /** Counts what was used; settles when it is written. */
  readonly add: (
    used: Partial<ModelTotals>,
    answered?: { readonly key: string; readonly answer: PaidAnswer },
  ) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What an answer is found by: the turns, and how long the summary is to be. The model is the same for a whole run. */
export const keyOf = (text: string, targetTokens: number): string =>
  createHash('sha256').update(`${targetTokens}\n${text}`).digest('base64url').slice(0, 22);

/** Bytes of answers that are kept at hand: more than the records can have that are under way, or done and not on the disk. */
const mostChars = 32 * 1_048_576;

/** Answers on the disk; without a path, of this run alone. An earlier run's are read where it is gone on with. */
export async function openPaidAnswers(path: string | undefined, isResumed: boolean): Promise<PaidAnswers> {
  const known = new Map<string, PaidAnswer>();
  let [totals, chars, bytes] = [noTotals, 0, 0];
  const take = ({ used, key, answer }: PaidLine): void => {
    totals = addTotals(totals, used);
    if (key === undefined || answer === undefined) return;
    known.set(key, answer);
    chars += answer.text.length;
    for (const [oldest, { text }] of known) {
      if (chars <= mostChars) break;
      known.delete(oldest);
      chars -= text.length;
    }
  };
  for await (const line of path !== undefined && isResumed ? linesOf(path) : []) {
    const read = lineOf(line);
    // The last line may be cut off; nothing behind it is trusted.
    if (!read) break;
    take(read);
    bytes += Buffer.byteLength(line) + 1;
  }
  const file = path === undefined ? undefined : await openGrowing(path, bytes);
  const write = inOrder(file);
  return {
    totals: () => totals,
    answerTo: (key) => known.get(key),
    add: (used, answered) => {
      const line: PaidLine = { used, ...answered };
      take(line);
      return write(`${JSON.stringify(line)}\n`);
    },
    close: async () => {
      await write('').catch(() => undefined);
      await file?.close();
    },
  };
}

/** Appends one after the other: a file has one end. */
function inOrder(file: GrowingFile | undefined): (text: string) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (text) => {
    last = last.then(() => file?.append(Buffer.from(text)));
    return last;
  };
}

function lineOf(text: string): PaidLine | undefined {
  const value = parseJson(text);
  // Only we write it, and a line is read whole or not at all.
  return isObject(value) && isObject(value.used) ? (value as unknown as PaidLine) : undefined;
}
