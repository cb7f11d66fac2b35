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
      open.push(piece.slice(start, at + 1));
      yield { number: number++, text: open.join('') };
      open = [];
      start = at + 1;
    }
    if (start < piece.length) open.push(piece.slice(start));
  }
  if (open.length > 0) yield { number, text: open.join('') };
}
