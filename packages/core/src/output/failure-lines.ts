/** The lines of a text that speak of a failure, for whoever reads the outcome of a call from what stands for it. Pure. */
import { lineEvidence, plainLine } from '../compression/failure-lines.ts';
import type { Outcome } from '../compression/outcome.ts';

const maxLineChars = 400;

/**
 * The line that a person would look at first, the first one that names an error, and the first one that only a failed
 * program writes: where the exit code is that of another program, as behind a pipe, only the last kind counts. None for a
 * call that did not fail.
 */
export function failureLines(text: string, { ok, firstErrorLine }: Outcome): readonly string[] {
  if (ok !== false) return [];
  const { telling, named, certain, isHarmless } = scan(text, firstErrorLine);
  const first = isHarmless && telling !== undefined ? telling : firstErrorLine;
  const isNamed = first !== undefined && (namedError.test(first) || lineEvidence(first) === 'certain');
  const lines = [first, isNamed ? undefined : named, certain].filter((line) => line !== undefined);
  return [...new Set(lines.map((line) => line.toWellFormed()))];
}

interface Scanned {
  /** The first line that speaks of a failure in any way, that names an error, and that is sure of a failure. */
  telling?: string;
  named?: string;
  certain?: string;
  /** The line that was chosen without the whole text says nothing, and stands above one that tells. */
  isHarmless: boolean;
}

/** An error that is named at the start or behind something else, such as a time or the name of a program. */
const namedError =
  /(?:^|[\s[(>|])(?:[A-Za-z.]{0,60}(?:Error|Exception)|ERROR|FATAL|error|fatal)(?:\[\w{1,40}\]|\(\w{1,40}\))?:\s*\S/;

function scan(text: string, chosen: string | undefined): Scanned {
  const scanned: Scanned = { isHarmless: false };
  const start = chosen?.replace(/…$/, '');
  for (const line of linesOf(text)) {
    const evidence = lineEvidence(line);
    const isNamed = namedError.test(line);
    if (isNamed) scanned.named ??= line;
    if (evidence !== undefined || isNamed) scanned.telling ??= line;
    else if (start && scanned.telling === undefined) scanned.isHarmless ||= isSameStart(oneSpaced(line), start);
    if (evidence !== 'certain') continue;
    scanned.certain = line;
    break;
  }
  return scanned;
}

/** Either may be cut. */
const isSameStart = (line: string, start: string): boolean =>
  line !== '' && (line.startsWith(start) || start.startsWith(line));

const oneSpaced = (line: string): string => line.replace(/\s+/g, ' ').trim();

/** As a terminal shows them: a progress bar is written over itself. */
function* linesOf(text: string): Generator<string> {
  const ends = /[\r\n]/g;
  for (let start = 0; start < text.length; start = ends.lastIndex) {
    const end = ends.exec(text)?.index;
    yield plainLine(text.slice(start, end)).slice(0, maxLineChars).trimEnd();
    if (end === undefined) return;
  }
}
