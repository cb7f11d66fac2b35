/** Figures as tables show them. */
import { availableParallelism, totalmem } from 'node:os';
import type { Interval } from './kit-rows.ts';

/** What was measured beside what is wanted, in percent. */
export interface Goal {
  readonly what: string;
  /** At least this, and what we aim at. */
  readonly least: number;
  readonly aim: number;
  /** Undefined when it was not measured. */
  readonly figure: number | undefined;
}

export const goalHeadings = ['what', 'at least', 'aim', 'measured', ''] as const;

export const goalRow = ({ what, least, aim, figure }: Goal): readonly string[] => [
  what,
  String(least),
  String(aim),
  figure === undefined ? '-' : figure.toFixed(1),
  figure === undefined ? 'not measured' : figure >= aim ? 'aim reached' : figure >= least ? 'reached' : 'MISSED',
];

export const percent = (share: number | null | undefined): string =>
  share === null || share === undefined || Number.isNaN(share) ? '-' : (100 * share).toFixed(1);

export const withInterval = (value: Interval | null): string =>
  value ? `${percent(value.mean)} [${percent(value.low)}, ${percent(value.high)}]` : '-';

/** Mean of what is there; undefined when nothing is. */
export function mean(values: readonly (number | null | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The machine, as far as it matters for a time. */
export const machine = (): string =>
  `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, Node ${process.versions.node}`;
