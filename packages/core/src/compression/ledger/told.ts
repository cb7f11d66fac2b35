/**
 * A model's summary as lines to choose from, beside the lines of the record. What a line needs in order to be understood
 * comes with it: a point of a list the points above it, a line of code its fence, a row of a table the head of the table.
 */
import { messageHeadings, nothingToTell, solvedHeadings } from '../../language/headings.ts';
import { contentOfHeading, type SummaryLine, summaryLines } from '../summary-lines.ts';
import type { Corpus, LineStats } from './corpus.ts';
import type { SectionContent } from './templates.ts';

/** A line of the summary, or a sentence of a long one. */
export interface ToldLine {
  /** What it says, and which terms of the conversation are in it. */
  readonly line: LineStats;
  readonly type: 'text' | 'code' | 'fence';
  /** Line of the summary, from 1, and which of its sentences this begins with, from 0. */
  readonly number: number;
  readonly piece: number;
  /** What the headings above it are about; undefined where their words do not tell. */
  readonly about: SectionContent | undefined;
  /** Lines that it needs above it, the outermost first. */
  readonly leads: readonly ToldLine[];
  /** Lines that need it above them. */
  readonly under: readonly ToldLine[];
}

/** A line while those under it are still being read. */
interface Growing extends ToldLine {
  readonly under: ToldLine[];
}

/** A line that lines further in may belong to. */
interface Open {
  readonly told: Growing;
  /** How far in it stands, with a share for what it is: a list belongs to the sentence above it at the same indent. */
  readonly indent: number;
  readonly column: number;
}

/** The lines of a summary that say something, in order. Linear in the length of the summary. */
export function toldLines(summary: string, corpus: Pick<Corpus, 'lineAbout'>): readonly ToldLine[] {
  const lines = summaryLines(summary);
  const found: ToldLine[] = [];
  const headings: Heading[] = [];
  let open: Open[] = [];
  let fence: Open | undefined;
  for (const [at, line] of lines.entries()) {
    if (line.type === 'heading' && !opensList(headings, line)) {
      enter(headings, line);
      open = [];
      continue;
    }
    if (line.type === 'fence' && fence) {
      fence = undefined;
      continue;
    }
    const about = aboutOf(headings);
    if (about === 'quotes' || !says(line)) continue;
    const next = lines[at + 1];
    const indent = indentOf(line, { fence, next });
    while ((open.at(-1)?.indent ?? -2) >= indent) open.pop();
    const leads = open.map(({ told }) => told);
    const type = line.type === 'code' || line.type === 'fence' ? line.type : 'text';
    const text = shownText(line, { fence, next });
    const made = (type === 'text' ? sentencesOf(text) : [text]).map((said, piece): Growing => {
      return { line: corpus.lineAbout(said), type, number: line.number, piece, about, leads, under: [] };
    });
    const [told] = made;
    if (!told) continue;
    found.push(...made);
    for (const { told: lead } of open) lead.under.push(...made);
    const entry: Open = { told, indent, column: line.indent };
    if (leadsOn(line, next)) open.push(entry);
    if (type === 'fence') fence = entry;
  }
  return found;
}

const listMark = /^\s*(?:[-*+•‣–]|\d{1,3}[.)]|\[[ xX~-]\])\s+/;
const tableRow = /^\s*\|/;
const tableRule = /^\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$/;

/** What a line stands beside: the next one, and the fence that is open. */
interface Beside {
  readonly next: SummaryLine | undefined;
  readonly fence: Open | undefined;
}

function indentOf(line: SummaryLine, { fence, next }: Beside): number {
  if (line.type === 'code') return (fence?.indent ?? 0) + 0.1;
  if (line.type === 'fence') return line.indent + 0.75;
  // A line in bold leads everything up to the next heading, however far in that stands.
  if (line.type === 'heading' && /^\s*\*\*/.test(line.text)) return -1;
  if (tableRow.test(line.text)) return line.indent + (isTableHead(line, next) ? 0.4 : 0.5);
  return line.indent + (listMark.test(line.text) ? 0.5 : 0);
}

const isTableHead = (line: SummaryLine, next: SummaryLine | undefined): boolean =>
  tableRow.test(line.text) && next !== undefined && tableRule.test(next.text);

/** A row of a table stands beside the next row, a sentence beside the next sentence unless it opens a list. */
function leadsOn(line: SummaryLine, next: SummaryLine | undefined): boolean {
  if (line.type === 'code') return false;
  if (line.type === 'fence' || line.type === 'heading' || listMark.test(line.text)) return true;
  return tableRow.test(line.text) ? isTableHead(line, next) : /[:：]$/.test(line.content);
}

const says = ({ type, content, text }: SummaryLine): boolean =>
  type === 'fence' || (/[\p{L}\p{N}]/u.test(content) && !nothingToTell.test(content) && !tableRule.test(text));

/** The line without its indent; code keeps what it has more than its fence, the head of a table the rule below it. */
function shownText(line: SummaryLine, { next, fence }: Beside): string {
  if (line.type === 'code') return line.text.slice(Math.min(line.indent, fence?.column ?? 0)).trimEnd();
  const text = line.text.trim();
  return next && isTableHead(line, next) ? `${text}\n${next.text.trim()}` : text;
}

/** Shorter lines stay whole, and no piece is shorter than this. */
const wholeChars = 220;
const leastChars = 80;
const sentenceBreak = /(?<=[.!?;]["')\]]?)\s+(?=\S)|(?<=[。！？；])/u;

function sentencesOf(text: string): readonly string[] {
  if (text.length <= wholeChars) return [text];
  const pieces: string[] = [];
  for (const sentence of text.split(sentenceBreak)) {
    const last = (pieces.at(-1)?.length ?? leastChars) < leastChars ? pieces.pop() : undefined;
    pieces.push(last === undefined ? sentence : joined(last, sentence));
  }
  return pieces;
}

/** Two pieces of a line as one; scripts that write without spaces get none. */
export const joined = (one: string, other: string): string =>
  /[。！？；]$/.test(one) ? one + other : `${one} ${other}`;

// What the headings of a summary say of the lines below them, one heading inside another.

/** A heading that the next lines stand under. */
export interface Heading {
  readonly style: string;
  readonly title: string;
  /** `quotes` are the user's messages one after the other; `elsewhere` is what no section of ours is about. */
  readonly about: SectionContent | 'quotes' | 'elsewhere' | undefined;
}

/** A heading of a style that is open already stands beside it, any other one below; `###` stands below `##`. */
export function enter(headings: Heading[], { text, heading }: SummaryLine): void {
  const style = styleOf(text);
  const isBeside = (open: Heading): boolean =>
    open.style === style || (style.startsWith('#') && open.style.startsWith(style));
  const same = headings.findIndex(isBeside);
  if (same >= 0) headings.length = same;
  if (!/^\s*<\//.test(text)) headings.push({ style, title: heading, about: subjectOf(heading) });
}

/** True for `Three files changed:` under a heading: it opens a list, and says nothing of what the section is about. */
export function opensList(headings: readonly Heading[], { text, heading }: SummaryLine): boolean {
  const style = styleOf(text);
  const above = headings.at(-1)?.style ?? style;
  return (style === 'colon' || style === 'bold') && above !== style && !subjectOf(heading);
}

/** Headings of one style stand beside each other. */
export function styleOf(text: string): string {
  const hashes = /^\s*(#{1,6})\s/.exec(text)?.[1];
  if (hashes) return hashes;
  if (/^\s*<\/?/.test(text)) return 'tag';
  if (/^\s*(?:\*\*)?\d{1,2}[.)]/.test(text)) return 'number';
  return /^\s*\*\*/.test(text) ? 'bold' : 'colon';
}

function subjectOf(heading: string): Heading['about'] {
  const about = contentOfHeading(heading);
  // The outline quotes the user's words from the record; all of them together are no open requests.
  if (about === 'asks' && messageHeadings.test(heading)) return 'quotes';
  // What is solved blocks nothing.
  return about === 'blocked' && solvedHeadings.test(heading) ? 'elsewhere' : about;
}

/** What the lines under these headings are about: the innermost that tells counts. */
function aboutOf(headings: readonly Heading[]): SectionContent | 'quotes' | undefined {
  const found = headings.findLast(({ about }) => about !== undefined)?.about;
  return found === 'elsewhere' ? undefined : found;
}
