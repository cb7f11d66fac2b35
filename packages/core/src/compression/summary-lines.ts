/**
 * A summary as its lines: which are headings, what each heading is about, what is code. Read the way models write:
 * Markdown headings, bold lines, numbered sections such as `3. Files and Code Sections:`, bullets and fences.
 */
import { subjectHeadings } from '../language/headings.ts';
import type { SectionContent } from './ledger/templates.ts';

/** One line of a summary. */
export interface SummaryLine {
  /** From 1. */
  readonly number: number;
  /** The line as it stands. */
  readonly text: string;
  /** Without indentation, list and heading marks, and emphasis around the whole. */
  readonly content: string;
  readonly type: 'heading' | 'text' | 'quoted' | 'code' | 'fence' | 'blank';
  /** Columns before the first mark. */
  readonly indent: number;
  /** The nearest heading above, as it reads; empty above the first one. */
  readonly heading: string;
  /** What that heading is about, where its words tell. */
  readonly about: SectionContent | undefined;
}

/** What a text may have at most to be a summary: more than a model writes that may use 12,000 tokens. Longer ones are refused unread. */
export const summaryLimits: { readonly characters: number; readonly lines: number } = {
  characters: 60_000,
  lines: 1_500,
};

/** What of a text is more than any summary has, such as `412000 characters`; undefined for one that can be read. */
export function excessOf(text: string): string | undefined {
  if (text.length > summaryLimits.characters) return `${text.length} characters`;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines > summaryLimits.lines ? `${lines} lines` : undefined;
}

/** The limits in words. */
export const mostOfSummary: string = `${summaryLimits.characters} characters and ${summaryLimits.lines} lines`;

/** Every line of a summary, in order; joined by line breaks, their texts are the summary. Linear. */
export function summaryLines(summary: string): readonly SummaryLine[] {
  const lines: SummaryLine[] = [];
  let fence: string | undefined;
  let heading = '';
  let about: SectionContent | undefined;
  for (const [at, text] of summary.split('\n').entries()) {
    const mark = fenceMark.exec(text)?.[1];
    const closes = fence && mark?.startsWith(fence.slice(0, 3));
    const type = fence === undefined || closes ? typeOf(text, mark) : 'code';
    if (closes) fence = undefined;
    else if (mark !== undefined && fence === undefined) fence = mark;
    const content = type === 'code' ? text.trim() : plain(text, type);
    if (type === 'heading') {
      heading = content.replace(/[:：]$/, '').trim();
      about = contentOfHeading(heading);
    }
    lines.push({ number: at + 1, text, content, type, indent: indentOf(text), heading, about });
  }
  return lines;
}

/** The mark of a fence that a text leaves open: whatever comes behind it would be code. */
export function openFence(text: string): string | undefined {
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = fenceMark.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence.slice(0, 3))) fence = undefined;
  }
  return fence;
}

const fenceMark = /^\s{0,12}(`{3,}|~{3,})/;
const hashHeading = /^\s{0,3}#{1,6}\s+\S/;
/** `**Goal**`, `**Goal:**`, `**3. Files**`: a whole line in bold. */
const boldHeading = /^\s{0,3}\*\*[^*\n]{2,80}\*\*[:：]?\s*$/;
/** `3. Files and Code Sections:` at the margin, and `Repository:`. */
const colonHeading = /^(?:\d{1,2}[.)]\s+)?[\p{Lu}\p{Lo}][^.!?。！？\n]{1,60}[:：]\s*$/u;
const tagHeading = /^\s{0,3}<\/?[a-z][\w-]{2,40}>\s*$/i;

function typeOf(text: string, fence: string | undefined): SummaryLine['type'] {
  if (fence !== undefined) return 'fence';
  if (text.trim() === '') return 'blank';
  if (hashHeading.test(text) || boldHeading.test(text) || colonHeading.test(text) || tagHeading.test(text))
    return 'heading';
  return /^\s*>/.test(text) ? 'quoted' : 'text';
}

const indentOf = (text: string): number => text.length - text.trimStart().length;

const listMark = /^(?:[-*+•‣–]|\d{1,3}[.)]|\[[ xX~-]\]|[-*+] \[[ xX~-]\])\s+/;

function plain(text: string, type: SummaryLine['type']): string {
  let content = text.trim();
  if (type === 'quoted') content = content.replace(/^(?:>\s?)+/, '');
  if (type === 'heading') {
    content = content
      .replace(/^#{1,6}\s+/, '')
      .replace(/^<\/?([\w-]+)>$/, '$1')
      .replaceAll('**', '')
      .replace(/^\d{1,2}[.)]\s+/, '');
    return content.trim();
  }
  if (/^ < /.test(text)) return content.slice(2).trim();
  for (let round = 0; round < 2 && listMark.test(content); round++) content = content.replace(listMark, '');
  return content;
}

/** What a heading is about; undefined where its words do not tell. */
export function contentOfHeading(heading: string): SectionContent | undefined {
  return subjectHeadings.find(([words]) => words.test(heading))?.[1];
}
