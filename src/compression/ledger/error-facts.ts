/** Failures, and what made them go away: the same thing tried again, with the files changed in between. */
import type { Action, ErrorFact } from './facts.ts';

export interface ErrorFacts {
  /** Takes in the outcome of a call; `key` is equal for calls that try the same thing. */
  follow(key: string, action: Action): void;
  /** Takes in that a file was changed. */
  changed(path: string): void;
  facts(): readonly ErrorFact[];
}

interface OpenError {
  /** Every failure of the same thing since it last worked. */
  readonly at: number[];
  /** How many changes there had been before the first of them. */
  readonly changesBefore: number;
}

/** A fix names this many files, the ones changed last before it; it looks back over so many changes for them. */
const maxNamed = 20;
const maxLookedAt = 200;

/** No failures yet. */
export function createErrorFacts(): ErrorFacts {
  const errors: ErrorFact[] = [];
  const open = new Map<string, OpenError>();
  const changes: string[] = [];

  function follow(key: string, action: Action): void {
    const { ref, tool, target, ok, firstErrorLine } = action;
    const before = open.get(key);
    if (ok === false) {
      const at = before?.at ?? [];
      if (!before) open.set(key, { at, changesBefore: changes.length });
      at.push(errors.length);
      errors.push({ ref, tool, target, line: firstErrorLine ?? '' });
    } else if (before && ok) {
      const fixed = { ref, by: changedSince(before.changesBefore) };
      for (const at of before.at) {
        const error = errors[at];
        if (error) errors[at] = { ...error, fixed };
      }
      open.delete(key);
    }
  }

  function changedSince(from: number): readonly string[] {
    const named = new Set<string>();
    const stop = Math.max(from, changes.length - maxLookedAt);
    for (let i = changes.length - 1; i >= stop && named.size < maxNamed; i--) named.add(changes[i] ?? '');
    return [...named].reverse();
  }

  return { follow, changed: (path) => changes.push(path), facts: () => errors };
}
