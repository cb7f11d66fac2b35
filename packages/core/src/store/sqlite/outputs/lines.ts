/** The lines of a text that comes in pieces. */

/** A line with the line break that ends it, from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** Lines as they are completed, so that only one piece is in memory at once. `firstLine` is that of the first piece. */
export function* linesOf(pieces: Iterable<string>, firstLine = 1): Generator<Line> {
  let number = firstLine;
  let open: string[] = [];
  for (const piece of pieces) {
    let start = 0;
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', start)) {
      const end = piece.slice(start, at + 1);
      yield { number: number++, text: open.length === 0 ? end : open.join('') + end };
      if (open.length > 0) open = [];
      start = at + 1;
    }
    if (start < piece.length) open.push(piece.slice(start));
  }
  if (open.length > 0) yield { number, text: open.join('') };
}

/** Which lines of a text are wanted; its first piece begins in line `firstLine`. */
export interface WantedLines {
  readonly from: number;
  readonly to: number;
  readonly firstLine: number;
}

/** The text of some lines; undefined where the pieces end before them. */
export function linesIn(pieces: Iterable<string>, { from, to, firstLine }: WantedLines): string | undefined {
  const parts: string[] = [];
  // The line that the next character belongs to.
  let line = firstLine;
  let hasMore = false;
  for (const piece of pieces) {
    let start = line >= from ? 0 : -1;
    let end = -1;
    for (let at = piece.indexOf('\n'); at >= 0 && end < 0; at = piece.indexOf('\n', at + 1)) {
      line++;
      if (line === from) start = at + 1;
      if (line > to) end = at + 1;
    }
    if (start >= 0) parts.push(piece.slice(start, end < 0 ? undefined : end));
    if (end >= 0) return parts.join('');
    hasMore = !piece.endsWith('\n');
  }
  // The last line may end without a line break.
  return line === to && hasMore ? parts.join('') : undefined;
}
