/** What a model's summary cost and what became of it, in numbers: what the report shows and `--json` gives. */
import type {
  CompressionResult,
  MissingFact,
  SummaryAttempt,
  SummaryCallReport,
  SummaryChange,
  SummaryReport,
} from '@palimpsest/core';
import type { Price } from '@palimpsest/core/usage';
import { callPrice, totalPrice } from './summary-cost.ts';

/** What was put right in a summary, by what was done. */
export interface SummaryChanges {
  readonly checked: number;
  readonly removed: readonly SummaryChange[];
  readonly corrected: readonly SummaryChange[];
  readonly masked: readonly SummaryChange[];
  /** What the summary left out and the ledger wrote into the handoff. */
  readonly added: readonly MissingFact[];
  /** What it left out and the handoff has no room for. */
  readonly leftOut: readonly MissingFact[];
}

export function changesOf({ verification }: SummaryReport, result: CompressionResult): SummaryChanges {
  const { changes, checked, missing } = verification;
  const done = (action: SummaryChange['action']): readonly SummaryChange[] =>
    changes.filter((change) => change.action === action);
  const held = new Set(result.handoff?.lines.map(({ ref }) => ref));
  return {
    checked: Object.values(checked).reduce((sum, count) => sum + count, 0),
    removed: done('removed'),
    corrected: done('corrected'),
    masked: done('masked'),
    added: missing.filter(({ ref }) => held.has(ref)),
    leftOut: missing.filter(({ ref }) => !held.has(ref)),
  };
}

/** Every call that has to be paid, whether its answer was of use or not. */
export const paidCalls = ({ summary, failure }: CompressionResult): readonly SummaryCallReport[] =>
  summary?.calls ?? failure?.calls ?? [];

/** The models that failed, in the order in which they were asked. */
export function failuresOf({ summary, failure }: CompressionResult): readonly SummaryAttempt[] {
  if (failure) return [...(failure.before ?? []), failure];
  return summary?.failures ?? [];
}

/** The part of the JSON document about the model. */
export interface ModelDocument {
  readonly summary: (Omit<SummaryReport, 'calls'> & Paid) | null;
  readonly failure: (Omit<SummaryAttempt, 'calls'> & Paid) | null;
}

interface Paid {
  readonly calls: readonly (SummaryCallReport & { readonly price: Price })[];
  readonly price: Price;
}

export function modelDocument({ summary, failure }: CompressionResult): ModelDocument {
  return {
    summary: summary ? { ...summary, ...paid(summary.calls) } : null,
    failure: failure ? { ...failure, ...paid(failure.calls ?? []) } : null,
  };
}

function paid(calls: readonly SummaryCallReport[]): Paid {
  const priced = calls.map((call) => ({ ...call, price: callPrice(call) }));
  return { calls: priced, price: totalPrice(priced.map(({ price }) => price)) };
}
