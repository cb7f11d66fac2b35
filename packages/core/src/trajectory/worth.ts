/**
 * What a turn is worth to a model that learns from the rest: turns that bear labels, words of the person, and names that the
 * work goes on with: those that were used again and again, and those that were used last.
 */
import { createNameBook } from './names.ts';
import type { Turn } from './turn.ts';

/** What counts how much; measured by `npm run bench -- trajectories`. */
export const worthWeights: any = {
  /** How fast a name loses worth with the share of the trajectory that lies behind its last use. */
  fading: 3,
  /** A name that only tools said counts so much. */
  unused: 0.15,
  /** By a character of the model's own text, and of the person's. */
  label: 0.004,
  human: 0.006,
  ...JSON.parse((globalThis as any).process?.env?.WORTH ?? '{}'),
};

/** The names of a trajectory and what each is worth. */
export interface Names {
  /** By turn: its names. */
  readonly byTurn: readonly (readonly number[])[];
  readonly weights: Float64Array;
  /** By name: the last turn of the model, or of the person, that uses it; -1 for none. */
  readonly lastUse: Int32Array;
  namesIn(text: string): readonly number[];
}

/** Reads all turns once. */
export function namesOf(turns: readonly Turn[]): Names {
  const book = createNameBook();
  const byTurn = turns.map(({ text }) => book.in(text));
  const lastUse = new Int32Array(book.size).fill(-1);
  const uses = new Uint16Array(book.size);
  const last = new Int32Array(book.size);
  for (const [at, names] of byTurn.entries()) {
    const isUse = turns[at]?.speaker === 'gpt' || turns[at]?.speaker === 'human';
    for (const name of names) {
      last[name] = at;
      if (!isUse) continue;
      lastUse[name] = at;
      uses[name] = (uses[name] ?? 0) + 1;
    }
  }
  const weights = Float64Array.from(last, (at, name) => {
    const recency = Math.exp(-worthWeights.fading * (1 - (at + 1) / turns.length));
    const used = uses[name] ?? 0;
    return recency * (used === 0 ? worthWeights.unused : Math.log2(1 + used));
  });
  return { byTurn, weights, lastUse, namesIn: (text) => book.in(text) };
}

/** What a turn is worth beside its names. */
export function ownWorth({ speaker, text }: Turn): number {
  if (speaker === 'gpt') return worthWeights.label * text.length;
  return speaker === 'human' ? worthWeights.human * text.length : 0;
}
