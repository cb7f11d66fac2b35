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
  /** By line, each once. */
  readonly names: readonly (readonly number[])[];
  /** What a line is worth beside its names, by line. */
  readonly owns: Uint8Array;
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
  const names = shown.map((line) => (line.length < leastLine ? none : once(rating.namesIn(line))));
  // A line can only tell of a failure where the text does.
  const mayFail = failure.test(text);
  const owns = Uint8Array.from(shown, (line) => (mayFail && line.length >= leastLine && failure.test(line) ? 1 : 0));
  const rates = Float64Array.from(shown, (line, at) => {
    let worth = owns[at] ?? 0;
    for (const name of names[at] ?? []) worth += rating.worthOf(name);
    return worth / (line.length + lineCost);
  });
  const best = [...lines.keys()].filter((at) => (rates[at] ?? 0) > 0);
  return { lines, names, owns, rates, rating, best: best.sort((a, b) => (rates[b] ?? 0) - (rates[a] ?? 0) || a - b) };
}

/** What a line costs beside its length: its end, and the mark of a gap. */
const lineCost = 20;

/** A shorter line says nothing. */
const leastLine = 3;

const none: readonly number[] = [];

/** A line names little: to look through what came before is quicker than a set. */
const once = (names: readonly number[]): readonly number[] =>
  names.length > manyNames ? [...new Set(names)] : names.filter((name, at) => names.indexOf(name) === at);
const manyNames = 16;

/** A very long line, such as JSON on one, at its blanks and commas. */
const piecesOf = (line: string): readonly string[] => line.match(/.{1,250}(?:[\s,;]|$)|.{1,250}/gsu) ?? [line];

/** How a text is shortened. */
export interface EvidenceOptions {
  /** UTF-16 units that may stay. */
  readonly room: number;
  /** Share of them for the start, and for the end, before all else. @default the first line that says something */
  readonly ends?: number;
}

/** What stays of a text, and the names that it shows. */
export interface Evidence {
  readonly text: string;
  readonly names: ReadonlySet<number>;
}

/** The lines of a text that are worth most for their length, in their order; each gap says how much is gone. */
export function evidenceOf(rated: RatedText, { room, ends = 0 }: EvidenceOptions): Evidence {
  const { lines, best, names, rates, rating, owns } = rated;
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
    let worth = owns[at] ?? 0;
    for (const name of names[at] ?? []) if (!shown.has(name)) worth += rating.worthOf(name);
    // What is shown already is worth no line of its own, as long as others say something new.
    const length = lines[at]?.length ?? 0;
    if (worth / (length + lineCost) < (rates[at] ?? 0) * freshEnough) repeating.push(at);
    else take(at);
  }
  for (const at of repeating) {
    if (left < leastLeft) break;
    take(at);
  }
  for (const at of shortGaps(lines, kept)) {
    kept.add(at);
    for (const name of names[at] ?? []) shown.add(name);
  }
  return { text: written(lines, kept), names: shown };
}

/** A gap of so many UTF-16 units takes hardly more than its mark, and lines that stand together are read more easily. */
const shortGap = 40;

/** Lines of short gaps between lines that stay. */
function shortGaps(lines: readonly string[], kept: ReadonlySet<number>): readonly number[] {
  const short: number[] = [];
  let gap: number[] = [];
  let size = 0;
  for (const [at, line] of lines.entries()) {
    if (!kept.has(at)) {
      gap.push(at);
      size += line.trim().length + 1;
      continue;
    }
    if (size <= shortGap) short.push(...gap);
    [gap, size] = [[], 0];
  }
  return short;
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
