/** What is said after a compression that a person asked for: what changed, and everything that went wrong (F5). */
import type { CompressReport } from '@palimpsest/core';

/** The headline, and two lines for each failure: what happened, and what it led to. */
export function compressFeedback(report: CompressReport): readonly string[] {
  const failures = report.failures.flatMap(({ message, consequence }) => [message, consequence]);
  return [report.headline, ...failures];
}
