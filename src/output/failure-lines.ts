/** The lines of a text that speak of a failure, for whoever reads the outcome of a call from what stands for it. Pure. */
import { lineEvidence, plainLine } from '../compression/failure-lines.ts';
import type { Outcome } from '../compression/outcome.ts';

const maxLineChars = 400;

/**
 * The line that a person would look at first, and the first one that only a failed program writes: where the exit code is
 * that of another program, as behind a pipe, only the second kind counts. None for a call that did not fail.
 */
export function failureLines(text: string, { ok, firstErrorLine }: Outcome): readonly string[] {
  if (ok !== false) return [];
  const lines = [firstErrorLine, firstCertainLine(text)].filter((line) => line !== undefined);
  return [...new Set(lines)].map((line) => line.toWellFormed());
}

function firstCertainLine(text: string): string | undefined {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = plainLine(text.slice(start, end === -1 ? undefined : end));
    if (lineEvidence(line) === 'certain') return line.slice(0, maxLineChars).trimEnd();
    if (end === -1) return undefined;
    start = end + 1;
  }
  return undefined;
}
