/**
 * A model's summary as lines to choose from, beside the lines of the record. What a line needs in order to be understood
 * comes with it: a point of a list the points above it, a line of code its fence, a row of a table the head of the table.
 */

import { nothingToTell } from '../../language/headings.ts';
import { type SummaryLine, summaryLines } from '../summary-lines.ts';
import type { Corpus, LineStats } from './corpus.ts';
import type { SectionContent } from './templates.ts';
import { aboutOf, enter, type Heading, opensList } from './told-headings.ts';

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

/** The lines of a summary that say something, in order. Linear in the length of the summary. */
export function toldLines(summary: string, corpus: Pick<Corpus, 'lineAbout'>): readonly ToldLine[] {
  const lines = summaryLines(summary);
  const found: ToldLine[] = [];
  const headings: Heading[] = [];
  let open: Open[] = [];
  let fence: Open | undefined;
  for (const [at, line] of lines.entries()) {
    const isLead = opensList(headings, line);
    if (line.type === 'heading' && !isLead) {
      enter(headings, line);
      open = [];
    }
    if ((line.type === 'heading' && !isLead) || line.type === 'blank') continue;
    if (line.type === 'fence' && fence) {
      fence = undefined;
      continue;
    }
    const about = aboutOf(headings);
    if (about === 'quotes' || !says(line)) continue;
    const indent = indentOf(line, { fence, next: lines[at + 1] });
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
    const leads = open.map(({ told }) => told);
    const made = toldFrom(line, { corpus, about, leads, text: shownText(line, { next: lines[at + 1], fence }) });
    const [first] = made;
    if (!first) continue;
    found.push(...made);
    for (const { told } of open) told.under.push(...made);
    const entry: Open = { told: first, indent, column: line.indent };
    if (leadsOn(line, lines[at + 1])) open.push(entry);
    if (line.type === 'fence') fence = entry;
  }
  return found;
}

/** A line that lines further in may belong to. */
interface Open {
  readonly told: Growing;
  /** How far in it stands, with a share for what it is: a list belongs to the sentence above it at the same indent. */
  readonly indent: number;
  readonly column: number;
}

/** A line while those under it are still being read. */
interface Growing extends ToldLine {
  readonly under: ToldLine[];
}

const listMark = /^\s*(?:[-*+•‣–]|\d{1,3}[.)]|\[[ xX~-]\])\s+/;
const tableRow = /^\s*\|/;
const tableRule = /^\s*\|?[\s:|-]*-[\s:|-]*\|[\s:|-]*$/;

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

const meaningful = /[\p{L}\p{N}]/u;

const says = ({ type, content, text }: SummaryLine): boolean =>
  type === 'fence' || (meaningful.test(content) && !nothingToTell.test(content) && !tableRule.test(text));

/** What a line stands beside: the next one, and the fence that is open. */
interface Beside {
  readonly next: SummaryLine | undefined;
  readonly fence: Open | undefined;
}

/** The line without its indent; code keeps what it has more than its fence, the head of a table the rule below it. */
function shownText(line: SummaryLine, { next, fence }: Beside): string {
  if (line.type === 'code') return line.text.slice(Math.min(line.indent, fence?.column ?? 0)).trimEnd();
  const text = line.text.trim();
  return next && isTableHead(line, next) ? `${text}\n${next.text.trim()}` : text;
}

type Source = Pick<ToldLine, 'about' | 'leads'> & { readonly corpus: Pick<Corpus, 'lineAbout'>; readonly text: string };

function toldFrom({ type, number }: SummaryLine, { corpus, about, leads, text }: Source): readonly Growing[] {
  const kind = type === 'code' || type === 'fence' ? type : 'text';
  const texts = kind === 'text' ? sentencesOf(text) : [text];
  return texts.map((said, piece) => {
    return { line: corpus.lineAbout(said), type: kind, number, piece, about, leads, under: [] };
  });
}

/** Shorter lines stay whole, and no piece is shorter than this. */
const wholeChars = 220;
const leastChars = 80;
const sentenceBreak = /(?<=[.!?;]["')\]]?)\s+(?=\S)|(?<=[。！？；])/u;

function sentencesOf(text: string): readonly string[] {
  if (text.length <= wholeChars) return [text];
  const pieces: string[] = [];
  for (const sentence of text.split(sentenceBreak)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length < leastChars) pieces[pieces.length - 1] = joined(last, sentence);
    else pieces.push(sentence);
  }
  return pieces;
}

/** Two pieces of a line as one; scripts that write without spaces get none. */
export const joined = (one: string, other: string): string =>
  /[。！？；]$/.test(one) ? one + other : `${one} ${other}`;
