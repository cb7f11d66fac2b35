/** Writes out what of a model's summary stands in a handoff: chosen lines, or the whole of it with the ledger's rows. */
import type { HandoffLine, Ref } from '../result.ts';
import { type SummaryLine, summaryLines } from '../summary-lines.ts';
import { joined, nothing, type ToldLine } from './told.ts';
import { styleOf } from './told-headings.ts';

/** A row of a handoff. */
export interface Row {
  /** Index of the message it stems from; -1 for a row of a summary. */
  readonly at: number;
  /** Absent where no message is known that bears it out. */
  readonly ref?: Ref;
  readonly text: string;
}

/** Chosen lines of one section in their own order, with the indents and fences that they need. */
export function toldRows(told: readonly ToldLine[]): readonly Row[] {
  const lines = told.toSorted((a, b) => a.number - b.number || a.piece - b.piece);
  const rows: Row[] = [];
  let fence: ToldLine | undefined;
  for (const [at, line] of lines.entries()) {
    if (fence && !line.leads.includes(fence)) {
      rows.push(rowOf(`${indentOf(fence)}${closing(fence)}`));
      fence = undefined;
    }
    if (line.type === 'fence') fence = line;
    // Code that was left out must not look as if it had never been there.
    if (line.type === 'code' && fence && lines[at - 1]?.number !== line.number - 1)
      rows.push(rowOf(`${indentOf(line)}…`));
    const before = lines[at - 1];
    const last = rows.at(-1);
    if (before?.number === line.number && last) {
      const gap = before.piece === line.piece - 1 ? '' : '… ';
      rows[rows.length - 1] = rowOf(joined(last.text, gap + line.line.text));
    } else rows.push(rowOf(indented(line)));
  }
  if (fence) rows.push(rowOf(`${indentOf(fence)}${closing(fence)}`));
  return rows;
}

/** Lines of code stand as deep as their fence. */
const indentOf = ({ leads }: ToldLine): string => '  '.repeat(leads.filter(({ type }) => type === 'text').length);

const indented = (line: ToldLine): string => {
  const indent = indentOf(line);
  return `${indent}${line.piece > 0 ? '… ' : ''}${line.line.text.replaceAll('\n', `\n${indent}`)}`;
};

const closing = (fence: ToldLine): string => /^(?:`+|~+)/.exec(fence.line.text)?.[0] ?? '```';

/** Models are asked to name the messages that a line rests on: `(m42)`, `(m40-m45)`. */
const cited = /\(m(\d{1,6})(?:\s*[-–,]\s*m\d{1,6})*\)/;

function rowOf(text: string): Row {
  const number = cited.exec(text)?.[1];
  return number === undefined ? { at: -1, text } : { at: -1, ref: `m${Number(number)}`, text };
}

/** Above a summary that has no heading of its own. */
const ownHeading = 'Summary';

interface Section {
  readonly heading: string;
  readonly content: readonly Row[];
  readonly isUsers: boolean;
}

/**
 * The summary as it is, and the ledger's sections: under the same heading where the summary has it, the user's words
 * before what the summary says and the rest behind; without one, the user's words above the summary and the rest below.
 */
export function wholeSummary(
  summary: string,
  sections: readonly Section[],
): { body: string; lines: readonly HandoffLine[] } {
  const told = summaryLines(summary);
  const filled = sections.filter(({ content }) => content.length > 0);
  const texts: string[] = [];
  const lines: HandoffLine[] = [];
  const write = (section: string, rows: readonly Row[]): void => {
    for (const { ref, text } of rows) {
      texts.push(text);
      if (ref !== undefined) lines.push({ section, ref, text });
    }
  };
  const writeAll = (all: readonly Section[]): void => {
    for (const { heading, content } of all) {
      texts.push(`## ${heading}`);
      write(heading, content);
    }
  };
  const places = new Map(filled.flatMap((section) => placeIn(told, section)));
  const homeless = filled.filter((section) => ![...places.values()].some((place) => place.section === section));
  writeAll(homeless.filter(({ isUsers }) => isUsers));
  // What begins without a heading must not pass for the user's words above it.
  if (texts.length > 0) texts.push(...(told[0]?.type === 'heading' ? [''] : ['', `## ${ownHeading}`]));
  for (const [at, line] of told.entries()) {
    const inside = [...places.values()].find(({ start, end }) => at > start && at < end);
    if (!(inside && nothing.test(line.content)) && !(line.type === 'blank' && texts.at(-1) === '')) {
      if (line.type === 'heading' || line.type === 'blank') texts.push(line.text.trimEnd());
      else write(line.heading, [rowOf(line.text)]);
    }
    for (const { section, start, last } of places.values()) {
      if (at === (section.isUsers ? start : last)) write(section.heading, section.content);
    }
  }
  const below = homeless.filter(({ isUsers }) => !isUsers);
  if (below.length > 0) texts.push('');
  writeAll(below);
  return { body: texts.join('\n'), lines };
}

/** Where the summary has a section: its heading, the line after it that no longer belongs to it, and its last words. */
interface Place {
  readonly section: Section;
  readonly start: number;
  readonly end: number;
  readonly last: number;
}

function placeIn(told: readonly SummaryLine[], section: Section): readonly (readonly [string, Place])[] {
  const name = section.heading.toLowerCase();
  const start = told.findIndex(({ type, heading }) => type === 'heading' && heading.toLowerCase() === name);
  const opening = told[start];
  if (!opening) return [];
  const style = styleOf(opening.text);
  const after = told.findIndex(({ type, text }, at) => at > start && type === 'heading' && styleOf(text) === style);
  const end = after < 0 ? told.length : after;
  const last = told.findLastIndex(({ type }, at) => at < end && type !== 'blank');
  return [[section.heading, { section, start, end, last }]];
}
