/**
 * Shortens what a tool said to the lines that the work went on with: those whose names the model used afterwards, those
 * that tell of a failure, the first and the last. A turn that rests on them keeps what it rests on.
 */

/** What is kept of a long answer. */
export interface EvidenceOptions {
  /** UTF-16 units that may stay. */
  readonly room: number;
  /** What a line is worth. */
  readonly worth: (line: string) => number;
}

/** A line longer than this is shown by its start. */
const longestLine = 300;

const failure =
  /\b(?:error|fail(?:ed|ure)?|exception|panic|fatal|denied|not found|traceback)\b|exit code|[^\x20-\x7e]错误|エラー|오류/i;

/** The lines of a text that are worth most for their length, in their order; each gap says how much is gone. */
export function evidenceOf(text: string, { room, worth }: EvidenceOptions): string {
  const lines = text.split('\n');
  const kept = new Set<number>();
  let left = room - gapLength;
  const take = (at: number): void => {
    const size = Math.min(lines[at]?.length ?? 0, longestLine) + 1;
    if (kept.has(at) || size > left) return;
    kept.add(at);
    left -= size;
  };
  const filled = lines.findIndex((line) => line.trim() !== '');
  if (filled >= 0) take(filled);
  const rated = lines.map((line, at) => ({ at, rate: rateOf(line, worth(line)) })).filter(({ rate }) => rate > 0);
  for (const { at } of rated.toSorted((a, b) => b.rate - a.rate || a.at - b.at)) {
    if (left < 16) break;
    take(at);
  }
  return written(lines, kept);
}

const rateOf = (line: string, worth: number): number =>
  ((worth + (failure.test(line.slice(0, 400)) ? 1 : 0)) / (Math.min(line.length, longestLine) + 20)) * 100;

const gapLength = 30;

function written(lines: readonly string[], kept: ReadonlySet<number>): string {
  const shown: string[] = [];
  let gone = 0;
  const close = (): void => {
    if (gone > 0) shown.push(`[… ${gone} ${gone === 1 ? 'line' : 'lines'} cut out …]`);
    gone = 0;
  };
  for (const [at, line] of lines.entries()) {
    if (!kept.has(at)) gone++;
    else {
      close();
      shown.push(line.length > longestLine ? `${line.slice(0, longestLine)}[… cut …]` : line);
    }
  }
  close();
  return shown.join('\n');
}
