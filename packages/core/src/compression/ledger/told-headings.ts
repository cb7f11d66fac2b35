/** What the headings of a summary say of the lines below them, one heading inside another. */

import { messageHeadings, solvedHeadings } from '../../language/headings.ts';
import { contentOfHeading, type SummaryLine } from '../summary-lines.ts';
import type { SectionContent } from './templates.ts';

/** A heading that the next lines stand under. */
export interface Heading {
  readonly style: string;
  /** `quotes` are the user's messages one after the other; `elsewhere` is what no section of ours is about. */
  readonly about: SectionContent | 'quotes' | 'elsewhere' | undefined;
}

/** A heading of a style that is open already stands beside it, any other one below. */
export function enter(headings: Heading[], { text, heading }: SummaryLine): void {
  const style = styleOf(text);
  const same = headings.findIndex((open) => open.style === style || isDeeper(open.style, style));
  if (same >= 0) headings.length = same;
  if (!/^\s*<\//.test(text)) headings.push({ style, about: subjectOf(heading) });
}

/** True for `Three files changed:` under a heading: it opens a list, and says nothing of what the section is about. */
export function opensList(headings: readonly Heading[], { type, text, heading }: SummaryLine): boolean {
  const style = styleOf(text);
  const above = headings.at(-1)?.style ?? style;
  return type === 'heading' && (style === 'colon' || style === 'bold') && above !== style && !subjectOf(heading);
}

/** Headings of one style stand beside each other. */
export function styleOf(text: string): string {
  const hashes = /^\s*(#{1,6})\s/.exec(text)?.[1];
  if (hashes) return hashes;
  if (/^\s*<\/?/.test(text)) return 'tag';
  if (/^\s*(?:\*\*)?\d{1,2}[.)]/.test(text)) return 'number';
  return /^\s*\*\*/.test(text) ? 'bold' : 'colon';
}

/** `###` below `##`. */
const isDeeper = (style: string, than: string): boolean =>
  style.startsWith('#') && than.startsWith('#') && style.length > than.length;

function subjectOf(heading: string): Heading['about'] {
  const about = contentOfHeading(heading);
  // The outline quotes the user's words from the record; all of them together are no open requests.
  if (about === 'asks' && messageHeadings.test(heading)) return 'quotes';
  // What is solved blocks nothing.
  if (about === 'blocked' && solvedHeadings.test(heading)) return 'elsewhere';
  return about;
}

/** What the lines under these headings are about: the innermost that tells counts. */
export function aboutOf(headings: readonly Heading[]): SectionContent | 'quotes' | undefined {
  const found = headings.findLast(({ about }) => about !== undefined)?.about;
  return found === 'elsewhere' ? undefined : found;
}
