/** The cells of the lines of tables, where they stand in the text. */
import type { Span } from './rule.ts';

const mostColumns = 60;

/** The cells of a line between separators, without blanks around them. */
export function cellsBetween(text: string, { start, end }: Span, separator: RegExp): readonly Span[] {
  const line = text.slice(start, end);
  const indent = /^\s*/.exec(line)?.[0].length ?? 0;
  const cells: Span[] = [];
  let from = indent;
  const add = (to: number): void => {
    const cell = line.slice(from, to);
    const lead = /^\s*/.exec(cell)?.[0].length ?? 0;
    cells.push({ start: start + from + lead, end: start + from + Math.max(lead, cell.trimEnd().length) });
  };
  for (const { 0: sign, index } of line.slice(0, line.trimEnd().length).matchAll(separator)) {
    if (index < from || cells.length >= mostColumns) continue;
    add(index);
    from = index + sign.length;
  }
  add(line.length);
  return cells;
}

/** The cells of a line, without the quotes around them; none where a quote does not end. */
export function delimitedCells(text: string, { start, end }: Span, delimiter: string): readonly Span[] {
  const line = text.slice(start, end);
  const cells = cellsOfLine(line, delimiter);
  return cells.map((cell) => ({ start: cell.start + start, end: cell.end + start }));
}

function cellsOfLine(text: string, delimiter: string): readonly Span[] {
  const end = text.length;
  const cells: Span[] = [];
  for (let at = 0; at <= end && cells.length < mostColumns; ) {
    if (text[at] === '"') {
      let close = text.indexOf('"', at + 1);
      while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
      if (close === -1) return [];
      if (close + 1 < end && text[close + 1] !== delimiter) return [];
      cells.push({ start: at + 1, end: close });
      at = close + 2;
      continue;
    }
    if (text[at] === ' ' && at < end) {
      at++;
      continue;
    }
    const next = text.indexOf(delimiter, at);
    const cellEnd = next === -1 ? end : next;
    cells.push({ start: at, end: at + text.slice(at, cellEnd).trimEnd().length });
    at = cellEnd + 1;
  }
  return cells;
}

/** The cells of a line without blanks and marks around them. */
export function markdownCells(text: string, start: number, end: number): readonly Span[] {
  const [before, ...cells] = text.slice(start, end).split(/(?<!\\)\|/, mostColumns);
  if (before === undefined || cells.length === 0 || before.trim() !== '') return [];
  if (cells.at(-1)?.trim() === '') cells.pop();
  let from = start + before.length + 1;
  return cells.map((cell) => {
    const bare = cell.replace(/[\s`*]+$/, '');
    const lead = /^[\s`*]*/.exec(bare)?.[0].length ?? 0;
    const span = { start: from + lead, end: from + bare.length };
    from += cell.length + 1;
    return span;
  });
}
