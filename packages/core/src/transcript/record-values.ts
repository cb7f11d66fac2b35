/** From a stretch of text to its JSON value: what both kinds of file do, with the repairs that lose nothing. */
import { type JsonValue, parseJson } from '../shared/json.ts';
import type { ByteWindow, Stretch } from './byte-window.ts';
import type { ReadFinding } from './format.ts';

/** Something to tell about the file, in the stream of its records. */
export interface ReadProblem extends ReadFinding {
  readonly type: 'problem';
}

export const problem = (level: ReadFinding['level'], line: number, message: string): ReadProblem => ({
  type: 'problem',
  level,
  line,
  message,
});

export const brokenBytes = 'expected valid text, found invalid bytes: they are read as U+FFFD';

/** The value of a stretch, undefined when it is not JSON; `report` hears of every repair. */
export function readValue(
  window: ByteWindow,
  stretch: Stretch,
  report: (found: ReadProblem) => void,
): JsonValue | undefined {
  const text = window.text(stretch.start, stretch.end);
  const value = parseJson(text);
  if (value === undefined) return withoutNul(text, stretch, report);
  if (text.includes('\uFFFD') && !window.isClean(stretch.start, stretch.end)) {
    report(problem('repaired', stretch.line, brokenBytes));
  }
  return value;
}

/** A machine that went down in mid-write leaves runs of NUL bytes, which JSON allows nowhere. */
function withoutNul(text: string, stretch: Stretch, report: (found: ReadProblem) => void): JsonValue | undefined {
  if (!text.includes('\0')) return undefined;
  const value = parseJson(text.replaceAll('\0', ''));
  if (value === undefined) return undefined;
  report(problem('repaired', stretch.line, 'expected JSON, found NUL bytes between or inside it: they are skipped'));
  return value;
}
