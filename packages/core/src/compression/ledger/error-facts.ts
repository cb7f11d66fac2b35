/** Failures, and what made them go away: the same thing tried again, with the files changed in between. */
import type { Action, ErrorFact } from './facts.ts';

export interface ErrorFacts {
  /**
   * Takes in the outcome of a call. Each key names something that it tried; a failure is taken for one of the last, a
   * success is one of them all.
   */
  follow(keys: readonly string[], action: Action): void;
  /** Takes in that a file was changed. */
  changed(path: string): void;
  facts(): readonly ErrorFact[];
}

interface OpenError {
  /** Every failure of the same thing since it last worked. */
  readonly at: number[];
  /** Set when no exit code told of the failure: then no exit code will tell of the success either. */
  readonly isTold: boolean;
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

  function follow(keys: readonly string[], action: Action): void {
    if (action.ok === false) fail(keys.at(-1) ?? '', action);
    else for (const key of keys) succeed(key, action);
  }

  function fail(key: string, { ref, tool, target, exitCode, firstErrorLine }: Action): void {
    const before = open.get(key);
    const at = before?.at ?? [];
    if (!before) open.set(key, { at, isTold: exitCode === undefined, changesBefore: changes.length });
    at.push(errors.length);
    errors.push({ ref, tool, target, line: firstErrorLine ?? '' });
  }

  function succeed(key: string, action: Action): void {
    const before = open.get(key);
    if (!before || !(action.ok || isQuiet(before, action))) return;
    const fixed = { ref: action.ref, by: changedSince(before.changesBefore) };
    for (const at of before.at) {
      const error = errors[at];
      if (error) errors[at] = { ...error, fixed };
    }
    open.delete(key);
  }

  /** A command that complained before and now runs without a complaint. */
  function isQuiet({ isTold }: OpenError, { type, exitCode }: Action): boolean {
    return isTold && type === 'run' && exitCode === undefined;
  }

  function changedSince(from: number): readonly string[] {
    const named = new Set<string>();
    const stop = Math.max(from, changes.length - maxLookedAt);
    for (let i = changes.length - 1; i >= stop && named.size < maxNamed; i--) named.add(changes[i] ?? '');
    return [...named].reverse();
  }

  return { follow, changed: (path) => changes.push(path), facts: () => errors };
}
