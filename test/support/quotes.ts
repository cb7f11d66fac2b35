/** Whether a row of a handoff that quotes a person says what that person said. */
import { oneLine } from '../../packages/core/src/compression/handoff-rows.ts';

/** On one line, as rows are. What was said is asked about again for every row of every handoff. */
function flat(text: string): string {
  const known = flattened.get(text);
  if (known !== undefined) return known;
  const line = oneLine(text.replace(/\s+/g, ' ')).replace(/\s+/g, ' ').trim();
  if (flattened.size >= mostKnown) flattened.clear();
  flattened.set(text, line);
  return line;
}

const flattened = new Map<string, string>();
const mostKnown = 2_000;

const length = / \(\d+ characters in all\)$/;

/**
 * True for the words as they were said, on one line; for a part of them; and for several in their order with marks between
 * them.
 */
export function isQuoteOf(quote: string, said: string): boolean {
  const whole = flat(said);
  const shown = flat(quote);
  const words = shown.replace(length, '').replace(/…$/, '').trim();
  const pieces = words.split(/(?:^| )…(?: |$)/);
  let from = 0;
  return pieces.every((piece) => {
    const at = whole.indexOf(piece.trim(), from);
    from = at + piece.trim().length;
    return at >= 0;
  });
}
