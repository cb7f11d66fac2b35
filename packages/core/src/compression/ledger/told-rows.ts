/** Writes out what of a model's summary stands in a handoff: chosen lines, or the whole of it with the ledger's rows. */

import { nothingToTell } from '../../language/headings.ts';
import { modelLine } from '../handoff-rows.ts';
import type { HandoffLine, Ref } from '../result.ts';
import { type SummaryLine, summaryLines } from '../summary-lines.ts';
import { joined, type ToldLine } from './told.ts';
import { styleOf } from './told-headings.ts';

/** A row of a handoff. */
export interface Row {
  /** Index of the message it stems from; -1 for a row of a summary. */
  readonly at: number;
  /** Absent where no message is known that bears it out. */
  readonly ref?: Ref;
  readonly text: string;
  /** True for the user's own words, quoted from the record. */
  readonly isUsers?: boolean;
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

const closing = (fence: ToldLine): string => marksOf(fence.line.text);
const marksOf = (text: string): string => /^(?:`{3,}|~{3,})/.exec(text)?.[0] ?? '```';

/** Models are asked to name the messages that a line rests on: `(m42)`, `(m40-m45)`. */
const cited = /\(m(\d{1,6})(?:\s*[-–,]\s*m\d{1,6})*\)/;

/** A row of what a model wrote; it cannot pass for one of the record. */
function rowOf(said: string): Row {
  const text = said.split('\n').map(modelLine).join('\n');
  const number = cited.exec(text)?.[1];
  return number === undefined ? { at: -1, text } : { at: -1, ref: `m${Number(number)}`, text };
}

/** Above a summary that has no heading of its own. */
const ownHeading = 'Summary';

/** A heading of the template with what the ledger has for it. */
export interface LedgerSection {
  readonly heading: string;
  readonly content: readonly Row[];
}

/**
 * The summary as it is, and the ledger's sections: under the same heading where the summary has it, the user's words
 * before what the summary says and the rest behind; without one, sections with the user's words above the summary and
 * the others below.
 */
export function wholeSummary(
  summary: string,
  sections: readonly LedgerSection[],
): { body: string; lines: readonly HandoffLine[] } {
  const told = summaryLines(summary);
  const places = sections.filter(({ content }) => content.length > 0).map((section) => placeIn(told, section));
  const page = startPage();
  for (const { section, start } of places) if (start < 0 && hasUsers(section)) page.writeSection(section);
  // What begins without a heading must not pass for the user's words above it.
  if (!page.isEmpty()) page.write('', { at: -1, text: told[0]?.type === 'heading' ? '' : `\n## ${ownHeading}` });
  for (const [at, line] of told.entries()) {
    const place = places.find(({ start, end }) => at > start && at < end && start >= 0);
    // "None" is no longer true where the ledger adds something.
    if (!place || !nothingToTell.test(line.content)) page.writeLine(line);
    for (const { section, start, last } of places) {
      if (at === start) page.write(section.heading, ...section.content.filter(({ isUsers }) => isUsers));
      if (at === last) page.write(section.heading, ...section.content.filter(({ isUsers }) => !isUsers));
    }
  }
  const fences = told.filter(({ type }) => type === 'fence');
  // A fence that the model left open must not swallow what follows.
  if (fences.length % 2 === 1) page.write('', { at: -1, text: marksOf(fences.at(-1)?.content ?? '') });
  const below = places.filter(({ section, start }) => start < 0 && !hasUsers(section));
  if (below.length > 0) page.write('', { at: -1, text: '' });
  for (const { section } of below) page.writeSection(section);
  return page.done();
}

const hasUsers = ({ content }: LedgerSection): boolean => content.some(({ isUsers }) => isUsers);

interface Page {
  readonly isEmpty: () => boolean;
  readonly write: (section: string, ...rows: readonly Row[]) => void;
  readonly writeSection: (section: LedgerSection) => void;
  /** A line of the summary; blank lines one at a time. */
  readonly writeLine: (line: SummaryLine) => void;
  readonly done: () => { body: string; lines: readonly HandoffLine[] };
}

function startPage(): Page {
  const texts: string[] = [];
  const lines: HandoffLine[] = [];
  const write: Page['write'] = (section, ...rows) => {
    for (const { ref, text } of rows) {
      texts.push(text);
      if (ref !== undefined) lines.push({ section, ref, text });
    }
  };
  return {
    isEmpty: () => texts.length === 0,
    write,
    writeSection: ({ heading, content }) => {
      texts.push(`## ${heading}`);
      write(heading, ...content);
    },
    writeLine: ({ type, text, heading }) => {
      if (type === 'blank' && texts.at(-1) === '') return;
      write(
        heading,
        type === 'heading' || type === 'blank' ? { at: -1, text: modelLine(text).trimEnd() } : rowOf(text),
      );
    },
    done: () => ({ body: texts.join('\n'), lines }),
  };
}

/** Where the summary has a section: its heading (-1 for nowhere), the line where the next one begins, its last words. */
interface Place {
  readonly section: LedgerSection;
  readonly start: number;
  readonly end: number;
  readonly last: number;
}

function placeIn(told: readonly SummaryLine[], section: LedgerSection): Place {
  const name = section.heading.toLowerCase();
  const start = told.findIndex(({ type, heading }) => type === 'heading' && heading.toLowerCase() === name);
  const opening = told[start];
  if (!opening) return { section, start: -1, end: -1, last: -1 };
  const style = styleOf(opening.text);
  const after = told.findIndex(({ type, text }, at) => at > start && type === 'heading' && styleOf(text) === style);
  const end = after < 0 ? told.length : after;
  return { section, start, end, last: told.findLastIndex(({ type }, at) => at < end && type !== 'blank') };
}
