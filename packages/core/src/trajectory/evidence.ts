/**
 * Shortens a long text to the lines that the work went on with: those whose names were used afterwards, those that tell of
 * a failure, the first and the last. A turn that rests on them keeps what it rests on.
 */

/** What a line is rated by. */
export interface LineRating {
  /** Names that the line shows. */
  namesIn(line: string): readonly number[];
  /** What it is worth to show a name. */
  worthOf(name: number): number;
}

/** A text by its lines, rated once, shortened as often as needed. */
export interface RatedText {
  readonly lines: readonly string[];
  readonly names: readonly (readonly number[])[];
  /** What a line is worth for its length, by line. */
  readonly rates: Float64Array;
  /** Lines that are worth something, the best first. */
  readonly best: readonly number[];
  readonly rating: LineRating;
}

/** Of a line longer than this, in UTF-16 units, the start is shown. */
const longestLine = 300;

const failure =
  /\b(?:error|fail(?:ed|ure)?|exception|panic|fatal|denied|not found|traceback)\b|exit code|错误|エラー|오류/i;

/** Rates the lines of a text. */
export function rateText(text: string, rating: LineRating): RatedText {
  const lines = text.split('\n').flatMap((line) => (line.length > longestLine * 2 ? piecesOf(line) : [line]));
  const shown = lines.map((line) => (line.length > longestLine ? line.slice(0, longestLine) : line));
  const names = shown.map((line) => (line.length < 3 ? [] : rating.namesIn(line)));
  const rates = Float64Array.from(shown, (line, at) => {
    const own = new Set(names[at]);
    return worthOf(line, own.size === 0 ? [] : own, rating) / (line.length + lineCost);
  });
  const best = [...lines.keys()].filter((at) => (rates[at] ?? 0) > 0);
  return { lines, names, rates, rating, best: best.sort((a, b) => (rates[b] ?? 0) - (rates[a] ?? 0) || a - b) };
}

/** What a line costs beside its length: its end, and the mark of a gap. */
const lineCost = 20;

function worthOf(line: string, names: Iterable<number>, rating: LineRating): number {
  let worth = line.length >= 3 && failure.test(line) ? 1 : 0;
  for (const name of names) worth += rating.worthOf(name);
  return worth;
}

/** A very long line, such as JSON on one, at its blanks and commas. */
const piecesOf = (line: string): readonly string[] => line.match(/.{1,250}(?:[\s,;]|$)|.{1,250}/gsu) ?? [line];

/** How a text is shortened. */
export interface EvidenceOptions {
  /** UTF-16 units that may stay. */
  readonly room: number;
  /** Share of them for the start, and for the end, before all else. @default the first line that says something */
  readonly ends?: number;
}

/** The lines of a text that are worth most for their length, in their order; each gap says how much is gone. */
export function evidenceOf(rated: RatedText, { room, ends = 0 }: EvidenceOptions): string {
  const { lines, best, names, rates, rating } = rated;
  const kept = new Set<number>();
  const shown = new Set<number>();
  let left = room - gapLength;
  const take = (at: number): boolean => {
    const size = Math.min(lines[at]?.length ?? 0, longestLine) + 1;
    if (size > left) return false;
    if (!kept.has(at)) left -= size;
    kept.add(at);
    for (const name of names[at] ?? []) shown.add(name);
    return true;
  };
  // However little room there is, what matters most stays.
  const top = best[0];
  if (top !== undefined) {
    left = Math.max(left, Math.min((lines[top]?.length ?? 0) + 1, leastRoom));
    take(top);
  }
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first >= 0) take(first);
  const forStart = left - room * ends;
  for (let at = first + 1; ends > 0 && left > forStart && at < lines.length && take(at); at++);
  const forEnd = left - room * ends;
  for (let at = lines.length - 1; ends > 0 && left > forEnd && at > first && take(at); at--);
  const repeating: number[] = [];
  for (const at of best) {
    if (left < leastLeft) break;
    const line = lines[at] ?? '';
    const fresh = new Set(names[at]).difference(shown);
    // What is shown already is worth no line of its own, as long as others say something new.
    if (worthOf(line, fresh, rating) / (line.length + lineCost) < (rates[at] ?? 0) * freshEnough) repeating.push(at);
    else take(at);
  }
  for (const at of repeating) {
    if (left < leastLeft) break;
    take(at);
  }
  return written(lines, kept);
}

const freshEnough = 0.5;
const leastLeft = 16;
const leastRoom = 120;
const gapLength = 30;

function written(lines: readonly string[], kept: ReadonlySet<number>): string {
  const shown: string[] = [];
  let gone = 0;
  const close = (): void => {
    if (gone > 0) shown.push(`[… ${gone} ${gone === 1 ? 'line' : 'lines'} cut out …]`);
    gone = 0;
  };
  for (const [at, line] of lines.entries()) {
    // What says nothing is not missed.
    if (!kept.has(at)) gone += line.trim() === '' ? 0 : 1;
    else {
      close();
      shown.push(line.length > longestLine ? `${line.slice(0, longestLine)}[… cut …]` : line);
    }
  }
  close();
  return shown.join('\n');
}
