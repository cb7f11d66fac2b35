/** Holds summaries against the verifier: what it finds of what was falsified, and what it takes for false that is true. */

import type { Message } from '@palimpsest/core';
import type { ClaimType, Verification, WrongClaim } from '../../packages/core/src/compression/verify/claims.ts';
import { type Base, type BaseKind, type Language, textOf } from './lines.ts';
import type { MutatedCopy, Mutation, MutationClass } from './mutations.ts';

export type Verify = (summary: string, messages: readonly Message[]) => Verification;

/** A faithful summary and what the verifier said of it. */
export interface CheckedBase {
  readonly base: Base;
  readonly verification: Verification;
  readonly ms: number;
  /** Lines, from 0, that it calls wrong. */
  readonly alarms: ReadonlySet<number>;
  /** True lines that are not in its corrected text any more. */
  readonly lost: readonly string[];
}

export function checkBase(base: Base, verify: Verify): CheckedBase {
  const text = textOf(base.lines);
  const start = performance.now();
  const verification = verify(text, base.messages);
  const ms = performance.now() - start;
  const left = new Set(verification.text.split('\n').map(plain));
  const stated = base.lines.filter((line) => !line.isHeading);
  return {
    base,
    verification,
    ms,
    alarms: new Set(verification.wrong.map(({ line }) => line - 1)),
    lost: stated.filter((line) => !left.has(plain(line.text))).map((line) => line.text),
  };
}

/** Lines may be indented or numbered anew without being changed. */
const plain = (line: string): string => line.trim().replace(/^(?:[-*]|\d+\.) /, '');

/** What became of one false line. */
export interface Verdict {
  readonly mutation: Mutation;
  readonly base: string;
  readonly kind: BaseKind;
  readonly language: Language;
  readonly isDetected: boolean;
  /** Detected, and by a claim about the very words or of the very type. */
  readonly isToThePoint: boolean;
  /** In the corrected text: the true line again, the false words gone, or still there. */
  readonly correction: 'restored' | 'gone' | 'left';
  readonly claims: readonly WrongClaim[];
}

export interface CheckedCopy {
  readonly verdicts: readonly Verdict[];
  /** True lines of the copy called wrong, which they were not before. */
  readonly collateral: number;
  readonly ms: number;
}

export function checkCopy(copy: MutatedCopy, checked: CheckedBase, verify: Verify): CheckedCopy {
  const start = performance.now();
  const verification = verify(copy.text, copy.base.messages);
  const ms = performance.now() - start;
  const byLine = Map.groupBy(verification.wrong, ({ line }) => line);
  const mutated = new Set(copy.mutations.map(({ line }) => line));
  const lines = copy.text.split('\n');
  const known = new Set(checked.verification.wrong.map(({ line }) => checked.base.lines[line - 1]?.text));
  const collateral = [...byLine.keys()].filter((line) => !mutated.has(line) && !known.has(lines[line - 1]));
  const { name, kind, language } = copy.base;
  const verdicts = copy.mutations.map((mutation): Verdict => {
    const claims = byLine.get(mutation.line) ?? [];
    const correction = correctionOf(mutation, verification.text);
    // A line that was put in also counts when the corrected text is rid of it.
    const isDetected = claims.length > 0 || (mutation.before === undefined && correction === 'gone');
    return {
      mutation,
      base: name,
      kind,
      language,
      isDetected,
      correction,
      claims,
      isToThePoint: isDetected && (claims.length === 0 || claims.some((claim) => isAbout(claim, mutation))),
    };
  });
  return { verdicts, collateral: collateral.length, ms };
}

const claimTypesOf: Readonly<Record<MutationClass, readonly ClaimType[]>> = {
  'invented request': ['request', 'quote'],
  'altered quote': ['quote', 'request'],
  'flipped result': ['status'],
  'changed path': ['path', 'url'],
  'changed number': ['number', 'id', 'version', 'status'],
  'changed version': ['version', 'number'],
  'changed id or URL': ['id', 'url', 'number'],
  'changed identifier': ['identifier', 'path', 'id'],
  instruction: ['instruction'],
  secret: ['secret'],
  'wrong attribution': ['quote', 'request'],
};

const isAbout = ({ type, text }: WrongClaim, mutation: Mutation): boolean =>
  claimTypesOf[mutation.class].includes(type) || text.includes(mutation.now);

function correctionOf({ before, after, now }: Mutation, text: string): Verdict['correction'] {
  const lines = text.split('\n').map(plain);
  if (before !== undefined && lines.includes(plain(before))) return 'restored';
  // Of a flipped line it is enough that the line does not stand there; the others must not leave their words behind.
  const isLeft = before === undefined ? text.includes(now) : lines.includes(plain(after));
  return isLeft ? 'left' : 'gone';
}
