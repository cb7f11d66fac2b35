/** The draft in rows of the screen, and the cursor in them. */
import { graphemes } from '@palimpsest/core/settings';
import { cellsOf, headOf, widthOf } from '../screen.ts';
import { wrapRanges } from '../wrap.ts';
import type { Draft } from './draft.ts';
import { shownDraft } from './pasted.ts';

export interface EditorRow {
  readonly text: string;
  /** Indexes of the shown text: where the row begins, and where the cursor may stand last. */
  readonly start: number;
  readonly end: number;
}

export interface EditorLayout {
  readonly rows: readonly EditorRow[];
  /** Where the cursor is: the row, and the cells before it. */
  readonly row: number;
  readonly column: number;
}

/** @param columns cells for text in a row; the cursor may stand one after them */
export function layoutOf(
  { text, pasted, cursor }: Pick<Draft, 'text' | 'pasted' | 'cursor'>,
  columns: number,
): EditorLayout {
  const draft = shownDraft(text, pasted);
  const place = draft.places(cursor);
  const rows: EditorRow[] = [];
  let start = 0;
  for (const line of draft.shown.split('\n')) {
    rows.push(...rowsOfLine(line, start, columns));
    start += line.length + 1;
  }
  // At a break between two rows the cursor stands at the start of the second.
  const row = Math.max(
    0,
    rows.findLastIndex((one) => one.start <= place),
  );
  const before = draft.shown.slice(rows[row]?.start ?? 0, place);
  return { rows, row, column: Math.min(widthOf(before), columns) };
}

/** The spaces at a break belong to the row before it, where they are not shown beyond its end. */
function rowsOfLine(line: string, start: number, columns: number): readonly EditorRow[] {
  const wrapped = wrapRanges(line, columns);
  // Spaces at the start that fill a row have it for themselves.
  const ranges = (wrapped[0]?.start ?? 0) > 0 ? [{ start: 0, end: 0 }, ...wrapped] : wrapped;
  return ranges.map((range, at) => {
    const from = at === 0 ? 0 : range.start;
    const next = ranges[at + 1];
    const text = headOf(line.slice(from, next?.start ?? line.length), columns);
    return { text, start: start + from, end: start + (next ? next.start - 1 : line.length) };
  });
}

/** The index of the draft in a row, as near as possible to a column. */
export function indexIn({ text, pasted }: Pick<Draft, 'text' | 'pasted'>, row: EditorRow, column: number): number {
  const draft = shownDraft(text, pasted);
  let width = 0;
  let place = row.start;
  for (const character of graphemes(draft.shown.slice(row.start, row.end))) {
    const cells = cellsOf(character);
    if (width + cells > column) break;
    width += cells;
    place += character.length;
  }
  return draft.indexAt(place);
}
