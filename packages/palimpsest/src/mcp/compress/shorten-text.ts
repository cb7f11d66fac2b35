/** A long text in lines that fit: its start, its end, and between them the lines that matter most. Pure. */

export interface ShortenOptions {
  readonly maxTokens: number;
  readonly count: (text: string) => number;
  /** True for a line that should stay where there is room. */
  readonly matters: (line: string) => boolean;
}

/** Of the room, what the start gets, and the lines that matter; the end gets the rest. */
const shares = { start: 0.35, middle: 0.35 } as const;
/** Tokens of a mark that says how much was left out. */
const markTokens = 12;
/** A line is kept whole up to so many characters a token of room: one that is longer than the room has to be cut. */
const pieceShare = 0.25;

interface Line {
  readonly text: string;
  readonly tokens: number;
  /** True for the rest of a line that was too long for one piece. */
  readonly goesOn: boolean;
}

/** The text itself where it fits. Linear in its length, but for what `count` takes. */
export function shortenText(text: string, { maxTokens, count, matters }: ShortenOptions): string {
  if (count(text) <= maxTokens) return text;
  const longest = Math.floor(maxTokens * pieceShare);
  const lines = text.split(/\r?\n/).flatMap((line) => piecesOf(line, longest, count));
  const places = lines.map((_, at) => at);
  const start = fill(lines, places, { room: maxTokens * shares.start });
  const telling = places.filter((at) => !start.has(at) && matters(lines[at]?.text ?? ''));
  const middle = fill(lines, telling, { room: maxTokens * shares.middle, each: markTokens, passesOver: true });
  const left = places.filter((at) => !start.has(at) && !middle.has(at)).reverse();
  const spent = tokensOf(lines, start) + tokensOf(lines, middle) + markTokens * (middle.size + 1);
  const end = fill(lines, left, { room: maxTokens - spent });
  return withMarks(lines, new Set([...start, ...middle, ...end]));
}

function piecesOf(line: string, longest: number, count: ShortenOptions['count']): readonly Line[] {
  if (line.length <= longest) return [{ text: line, tokens: count(line) + 1, goesOn: false }];
  const pieces = Array.from({ length: Math.ceil(line.length / longest) }, (_, at) =>
    line.slice(at * longest, (at + 1) * longest).toWellFormed(),
  );
  return pieces.map((text, at) => ({ text, tokens: count(text) + 1, goesOn: at > 0 }));
}

const tokensOf = (lines: readonly Line[], places: ReadonlySet<number>): number =>
  [...places].reduce((sum, at) => sum + (lines[at]?.tokens ?? 0), 0);

interface Room {
  /** In tokens. */
  readonly room: number;
  /** What each line takes beside its own. @default 0 */
  readonly each?: number;
  /** True tries the next ones where one does not fit. @default false */
  readonly passesOver?: boolean;
}

/** The first of the places whose lines fit together. */
function fill(
  lines: readonly Line[],
  places: readonly number[],
  { room, each = 0, passesOver = false }: Room,
): ReadonlySet<number> {
  const kept = new Set<number>();
  let left = room;
  for (const at of places) {
    const needed = (lines[at]?.tokens ?? 0) + each;
    if (needed <= left) {
      kept.add(at);
      left -= needed;
    } else if (!passesOver) break;
  }
  return kept;
}

function withMarks(lines: readonly Line[], kept: ReadonlySet<number>): string {
  const shown: string[] = [];
  let gone = 0;
  for (const [at, { text, goesOn }] of lines.entries()) {
    if (!kept.has(at)) {
      gone += text.length + 1;
      continue;
    }
    if (gone > 0) shown.push(mark(gone), text);
    else if (goesOn && shown.length > 0) shown.push(`${shown.pop()}${text}`);
    else shown.push(text);
    gone = 0;
  }
  if (gone > 0) shown.push(mark(gone));
  return shown.join('\n');
}

const mark = (characters: number): string => `[… ${characters} characters left out …]`;
