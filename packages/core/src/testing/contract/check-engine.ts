/** Holds an engine against its contract, promise by promise. */

import { reasonOf } from '../../compression/guard/guarded.ts';
import { inTime } from '../../compression/guard/in-time.ts';
import type { ContextEngine } from '../../context/engine.ts';
import { checkKnownOptions } from '../../shared/options/known-options.ts';
import { platformTimers, type Timers } from '../../shared/timers.ts';
import type { Message } from '../../transcript/message.ts';
import { type ContractRule, contractRules } from './rules.ts';

/** What became of a promise. */
export interface ContractFinding {
  readonly id: string;
  /** The promise, as a sentence. */
  readonly promise: string;
  /** `should` is advice: a session goes on without it. */
  readonly level: 'must' | 'should';
  readonly holds: boolean;
  /** What was wrong; set where it does not hold. */
  readonly problem?: string;
}

/** How an engine is checked. */
export interface CheckEngineOptions {
  /** How long the check of one promise may take, in milliseconds. @default 30_000 */
  readonly timeoutMs?: number;
  /** Told of every promise as soon as it was checked. */
  readonly onFinding?: (finding: ContractFinding) => void;
}

/**
 * Checks every promise of the engine contract on conversations of its own, each with a new engine. `make` gives a new
 * engine for each call. Never throws: what `make` or the engine throws is a finding. An engine that never lets go of the
 * processor cannot be interrupted here; `palimpsest plugins check` does that.
 */
export async function checkEngine(
  make: () => ContextEngine<Message>,
  options: CheckEngineOptions = {},
): Promise<readonly ContractFinding[]> {
  return checkOn(platformTimers, make, options);
}

/** The same on other timers. */
export async function checkOn(
  timers: Timers,
  make: () => ContextEngine<Message>,
  options: CheckEngineOptions = {},
): Promise<readonly ContractFinding[]> {
  checkKnownOptions('checkEngine', options, { timeoutMs: true, onFinding: true });
  const { timeoutMs = 30_000, onFinding } = options;
  const findings: ContractFinding[] = [];
  for (const rule of contractRules) {
    const finding = await checked(rule, () => inTime({ timers, timeoutMs }, () => rule.check(make(), make)));
    onFinding?.(finding);
    findings.push(finding);
  }
  return findings;
}

async function checked(
  { id, promise, level }: ContractRule,
  problemOf: () => Promise<string | undefined>,
): Promise<ContractFinding> {
  const known = { id, promise, level };
  try {
    const problem = await problemOf();
    return problem === undefined ? { ...known, holds: true } : { ...known, holds: false, problem };
  } catch (error) {
    return { ...known, holds: false, problem: reasonOf(error) };
  }
}
