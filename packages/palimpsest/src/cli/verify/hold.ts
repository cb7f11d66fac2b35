/** Holds summaries against messages, with the lines of what was read. */
import { type Message, PalimpsestError, type Verification, verifySummary } from '@palimpsest/core';
import { indexesOf, refOf } from '@palimpsest/core/search';
import { linesAbove, type Summary } from './summary.ts';

/** A summary, what it was held against, and what came of it. */
export interface HeldSummary {
  readonly summary: Summary;
  /** Ref of the message that carries it; absent for one that was given. */
  readonly ref?: string;
  readonly messages: readonly Message[];
  /** Its lines are those of the summary as it was read. */
  readonly verification: Verification;
}

/** What a summary is held against. */
export interface Against {
  readonly messages: readonly Message[];
  readonly ref?: string;
}

export function hold(summary: Summary, { messages, ref }: Against): HeldSummary {
  const covered = coveredRefs(summary, messages.length);
  const verification = verifySummary(summary.body, messages, covered ? { covers: (one) => covered.has(one) } : {});
  const above = linesAbove(summary);
  const moved = <T extends { readonly line: number }>(entry: T): T =>
    entry.line === 0 ? entry : { ...entry, line: entry.line + above };
  return {
    summary,
    messages,
    ...(ref === undefined ? {} : { ref }),
    verification: {
      ...verification,
      wrong: verification.wrong.map(moved),
      changes: verification.changes.map(moved),
    },
  };
}

/** A line of a ledger's handoff for a request whose words stand after the block. */
const restated = /^(m\d{1,6}) user: word for word below$/gm;

/** What a block says that it stands for: it need not repeat what stays beside it. */
function coveredRefs({ covers, body }: Summary, count: number): ReadonlySet<string> | undefined {
  if (covers === undefined) return undefined;
  const beside = new Set([...body.matchAll(restated)].map(([, ref]) => ref));
  try {
    return new Set(
      indexesOf(covers, count)
        .map(refOf)
        .filter((ref) => !beside.has(ref)),
    );
  } catch (error) {
    // A block from elsewhere may say anything; then all messages count.
    if (PalimpsestError.isInstance(error)) return undefined;
    throw error;
  }
}
