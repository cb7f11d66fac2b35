/** The rows that the ledger would write of a conversation: what a summary retypes when it was shown a handoff. */
import type { LedgerFacts } from '../ledger/facts.ts';
import type { OutlineLine } from '../ledger/names.ts';
import { outlineOf, stepHeader } from '../ledger/outline.ts';
import { failureRow } from '../ledger/state-rows.ts';
import { refAt } from '../record.ts';
import type { Ref } from '../ref.ts';
import { headerWithPath } from '../step-file.ts';

export interface RecordRows {
  /** All rows that facts give, as an outline without any limit. */
  readonly outline: readonly OutlineLine[];
  /** The rows of a message, its header included, by its index. */
  of(message: number): readonly string[];
  /** The row of the calls of a message, as a line of its own: `m12 Bash npm test failed (exit 1)`, or with its error. */
  step(ref: Ref): string | undefined;
}

export function createRecordRows(facts: LedgerFacts): RecordRows {
  const outline = outlineOf({ facts, covers: () => true, budget: Number.MAX_SAFE_INTEGER, count: () => 1 });
  const rows = Map.groupBy(outline, ({ ref }) => ref);
  const actions = Map.groupBy(facts.actions, ({ ref }) => ref);
  const step = (ref: Ref): string | undefined => {
    const calls = actions.get(ref);
    return calls && stepHeader(ref, calls).replace(/:$/, '');
  };
  /** The same as a handoff writes them with the path of their file. */
  const withFile = (ref: Ref): readonly string[] => {
    const calls = actions.get(ref) ?? [];
    const row = headerWithPath(stepHeader(ref, calls), calls[0]?.target ?? '');
    return row === undefined ? [] : [row, row.replace(/:$/, '')];
  };
  const failures = new Map(facts.errors.filter(({ line }) => line).map((error) => [error.ref, error]));
  /** `m12 Bash npm test failed: 2 of 14 tests`: in the words of a summary the error stands behind its call, on the same line. */
  const failure = (ref: Ref): string | undefined => {
    const error = failures.get(ref);
    return error && !error.fixed ? failureRow(error).replace(/:\n < /, ': ') : undefined;
  };
  return {
    outline,
    step: (ref) => failure(ref) ?? step(ref),
    of: (message) => {
      const ref = refAt(message);
      const header = step(ref);
      const own = header === undefined ? [] : [`${header}:`, header, ...withFile(ref)];
      return [...own, ...(rows.get(ref) ?? []).flatMap(({ text }) => text.split('\n'))];
    },
  };
}
