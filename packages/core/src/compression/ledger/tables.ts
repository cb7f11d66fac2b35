/**
 * Tables in what an assistant says. A row tells nothing without the head of its table, and the words that lead to a
 * table nothing without its rows: they stand with them or not at all.
 */
import type { Speaker } from '../handoff-rows.ts';
import { leadsIn } from './cues.ts';

/** A line that may stand in a table. */
export interface Said {
  readonly text: string;
  readonly speaker: Speaker;
  /** Its telling words. */
  told: readonly number[];
  /** Its number among the lines of its message. */
  lastLine: number;
  table: Table | undefined;
}

/** Where a row stands. */
export interface Table {
  readonly head: Said;
  /** What leads to it, right above. */
  readonly lead: Said | undefined;
  /** Number of its last row among the lines of the message. */
  readonly last: number;
}

export const isTableRow = (text: string): boolean => /^\|.*\|$/.test(text);

/** Stands below a table without all of its rows. */
export const leftOutRows = '| … |';

/** True for a line that stands with the rows of its table alone. */
export const isTableHead = (line: Said): boolean => line.table?.head === line;

/** Tells the rows among the lines of a message in which table they stand. */
export function markTables(lines: readonly Said[]): void {
  let rows: Said[] = [];
  let above: Said | undefined;
  for (const line of [...lines, undefined]) {
    if (line && isRow(line)) {
      rows.push(line);
      continue;
    }
    markTable(rows, above);
    rows = [];
    above = line;
  }
}

function markTable(rows: readonly Said[], above: Said | undefined): void {
  const [head, ...more] = rows;
  if (!head || more.length === 0) return;
  const lead = above?.speaker === 'assistant' && opensTable(above.text) ? above : undefined;
  const table: Table = { head, lead, last: rows.at(-1)?.lastLine ?? 0 };
  for (const row of rows) row.table = table;
  if (lead) lead.told = [];
}

const heading = /^#{1,6}\s+/;
const opensTable = (text: string): boolean => leadsIn(text) || heading.test(text);

const isRow = ({ speaker, text }: Said): boolean => speaker === 'assistant' && isTableRow(text);

/** Lines of one message, in order, with the heads of their tables, and a mark below those whose rows are not all there. */
export function withTables(lines: readonly Said[]): readonly Said[] {
  const said: Said[] = [];
  let shown = 0;
  for (const [at, line] of lines.entries()) {
    const { table, lastLine } = line;
    const isFirst = lines[at - 1]?.table !== table;
    const isLast = lines[at + 1]?.table !== table;
    if (isFirst) shown = 0;
    // One row is told by its head; what leads to more says what they are.
    if (table?.lead && isFirst && !isLast && !lines.includes(table.lead))
      said.push({ ...table.lead, text: table.lead.text.replace(heading, '') });
    if (table && isFirst) said.push(table.head);
    shown++;
    said.push(line);
    if (table && isLast && shown < table.last - table.head.lastLine)
      said.push({ ...line, text: leftOutRows, lastLine: lastLine + 1 });
  }
  return said;
}
