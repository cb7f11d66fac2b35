/** Puts a summary right: wrong words corrected from the record or taken out, credentials masked, what is missing added. */

import type { SectionContent } from '../ledger/templates.ts';
import { openFence } from '../summary-lines.ts';
import type { ClaimLine } from './claim-line.ts';
import type { MissingFact, SummaryChange, WrongClaim } from './claims.ts';
import type { Context } from './context.ts';

export interface MendInput {
  /** As it came, and without credentials. */
  readonly summary: string;
  readonly clean: string;
  readonly wrong: readonly WrongClaim[];
  readonly missing: readonly MissingFact[];
}

export interface Mended {
  readonly text: string;
  readonly changes: readonly SummaryChange[];
}

/** The summary with every wrong claim put right, and a list of what was done. The same text when nothing was. */
export function mend(context: Context, { summary, clean, wrong, missing }: MendInput): Mended {
  const { lines } = context;
  if (wrong.length === 0 && missing.length === 0) return { text: summary, changes: [] };
  const claims = Map.groupBy(
    wrong.filter(({ type }) => type !== 'secret'),
    ({ line }) => line,
  );
  const changes: SummaryChange[] = [...maskedChanges(summary, clean, wrong)];
  const kept: { readonly line: ClaimLine; readonly text: string }[] = [];
  for (const line of lines) {
    const own = claims.get(line.number);
    const text = own ? mendLine(line, own, context) : line.text;
    if (own) changes.push(changeOf(line, own, text));
    if (text !== undefined) kept.push({ line, text });
  }
  const added = addMissing(withoutEmptySections(lines, kept), missing);
  changes.push(...missing.map(addedChange));
  return { text: added, changes: changes.sort((a, b) => (a.line || Number.MAX_VALUE) - (b.line || Number.MAX_VALUE)) };
}

const mark = /^\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?/;

/**
 * The line without its wrong claims; undefined when nothing of it is left. A sentence that claims something wrong goes as
 * a whole: words of it are exchanged only where the record then says the sentence word for word. The record's own lines
 * stand below, each by itself.
 */
function mendLine(line: ClaimLine, claims: readonly WrongClaim[], context: Context): string | undefined {
  const opening = mark.exec(line.text)?.[0] ?? '';
  const rows = [...new Set(claims.flatMap(({ row }) => row ?? []))].map((row) => opening + row);
  const rest = restOf(line, claims, context);
  const left = rest === undefined ? rows : [rest, ...rows];
  return left.length === 0 ? undefined : left.join('\n');
}

/** What is left of a line without the record's own. */
function restOf(line: ClaimLine, claims: readonly WrongClaim[], context: Context): string | undefined {
  const whole = corrected(line.text, claims, { line, context });
  if (whole !== undefined) return whole;
  if (line.type === 'code' || claims.some(({ type }) => type === 'instruction')) {
    return line.type === 'heading' ? line.text : undefined;
  }
  return withoutSentences(line, claims, context);
}

interface Place {
  readonly line: ClaimLine;
  readonly context: Context;
}

/** The text with the record's words in place of the wrong ones, where it then is the record's word for word. */
function corrected(text: string, claims: readonly WrongClaim[], { line, context }: Place): string | undefined {
  let right = text;
  for (const { text: wrong, correction } of claims) {
    const next = correction === undefined ? undefined : exchanged(right, wrong, correction);
    if (next === undefined) return undefined;
    right = next;
  }
  const content = right.replace(mark, '').trim();
  return context.isVerbatim({ ...line, text: right, content }) ? right : undefined;
}

/** The text with the first occurrence of a name, not inside a longer one, replaced. */
function exchanged(text: string, from: string, to: string): string | undefined {
  for (let at = text.indexOf(from); at >= 0 && from !== ''; at = text.indexOf(from, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + from.length] ?? ' '];
    const inside = /\w/.test(before) && /^\w/.test(from);
    if (inside || (/\w/.test(after) && /\w$/.test(from))) continue;
    return text.slice(0, at) + to + text.slice(at + from.length);
  }
  return undefined;
}

const sentenceEnd = /(?<=[.!?])\s+(?=[\p{Lu}\p{Lo}`"“*])|(?<=[。！？])|(?<=;)\s+/u;

/** The line without the sentences that hold a wrong claim; undefined when none is left. */
function withoutSentences(line: ClaimLine, claims: readonly WrongClaim[], context: Context): string | undefined {
  const opening = mark.exec(line.text)?.[0] ?? '';
  const sentences = line.text.slice(opening.length).split(sentenceEnd);
  const left = sentences.flatMap((sentence) => {
    const own = claims.filter(({ text }) => sentence.includes(text));
    return own.length === 0 ? sentence : (corrected(sentence, own, { line, context }) ?? []);
  });
  const isFound = claims.every(({ text }) => sentences.some((sentence) => sentence.includes(text)));
  if (!isFound || left.every((sentence) => !/[\p{L}\p{N}]/u.test(sentence))) return undefined;
  return (opening + left.join(/[。！？]/.test(line.text) ? '' : ' ')).replace(/;$/, '');
}

function changeOf(line: ClaimLine, claims: readonly WrongClaim[], after: string | undefined): SummaryChange {
  return {
    action: after === undefined ? 'removed' : 'corrected',
    line: line.number,
    before: line.text,
    after: after ?? '',
    why: [...new Set(claims.map(({ why }) => why))].join('; '),
    refs: [...new Set(claims.flatMap(({ refs }) => refs))],
  };
}

function maskedChanges(summary: string, clean: string, wrong: readonly WrongClaim[]): readonly SummaryChange[] {
  const [before, after] = [summary.split('\n'), clean.split('\n')];
  const same = before.length === after.length;
  const numbers = new Set(wrong.filter(({ type }) => type === 'secret').map(({ line }) => line));
  return [...numbers].map((line) => ({
    action: 'masked' as const,
    line,
    // The report repeats no credential.
    before: same ? (after[line - 1] ?? '') : '',
    after: same ? (after[line - 1] ?? '') : '',
    why: 'no credential belongs into a summary',
    refs: [],
  }));
}

const addedChange = ({ text, ref, type }: MissingFact): SummaryChange => ({
  action: 'added',
  line: 0,
  before: '',
  after: text,
  why: `the summary left out this ${type}`,
  refs: [ref],
});

interface Kept {
  readonly line: ClaimLine;
  readonly text: string;
}

/** Headings whose lines have all been taken out go too; headings that were empty before stay. */
function withoutEmptySections(lines: readonly ClaimLine[], kept: readonly Kept[]): readonly Kept[] {
  const says = ({ type }: ClaimLine): boolean => type !== 'blank' && type !== 'heading';
  const had = sectionsWith(lines.filter(says), lines);
  const has = sectionsWith(kept.map(({ line }) => line).filter(says), lines);
  return kept.filter(({ line }) => line.type !== 'heading' || !had.has(line) || has.has(line));
}

/** The headings that stand above one of the lines. */
function sectionsWith(wanted: readonly ClaimLine[], all: readonly ClaimLine[]): ReadonlySet<ClaimLine> {
  const found = new Set<ClaimLine>();
  const looked = new Set(wanted);
  let headings: ClaimLine[] = [];
  let isOpen = false;
  for (const line of all) {
    if (line.type === 'heading') {
      // A heading straight under another one: both have what follows.
      if (isOpen) headings.push(line);
      else headings = [line];
      isOpen = true;
    } else if (line.type !== 'blank') {
      isOpen = false;
      // Each heading is noted once, however many lines stand below it.
      if (looked.has(line)) for (const heading of headings.splice(0)) found.add(heading);
    }
  }
  return found;
}

const headings: Readonly<Record<MissingFact['type'], readonly [SectionContent, string]>> = {
  task: ['task', '## Active Task'],
  constraint: ['constraints', '## Constraints & Preferences'],
  request: ['asks', '## Pending User Asks'],
  failure: ['blocked', '## Blocked'],
  'side effect': ['state', '## Active State'],
};

/** What is missing goes to the end of the section that is about it, else under a heading of its own. */
function addMissing(kept: readonly Kept[], missing: readonly MissingFact[]): string {
  const rows = kept.map(({ line, text }) => ({ about: line.about, text, type: line.type }));
  for (const [type, facts] of Map.groupBy(missing, (fact) => fact.type)) {
    const [about, heading] = headings[type];
    const last = rows.findLastIndex((row) => row.about === about && row.type !== 'blank' && row.type !== 'code');
    const texts = facts.map(({ text }) => ({ about, text: `- ${text.replace(/\n/g, '\n  ')}`, type: 'text' as const }));
    if (last >= 0) {
      rows.splice(last + 1, 0, ...texts);
      continue;
    }
    const fence = openFence(rows.map(({ text }) => text).join('\n'));
    if (fence !== undefined) rows.push({ about, text: fence, type: 'fence' });
    rows.push({ about, text: '', type: 'blank' }, { about, text: heading, type: 'heading' }, ...texts);
  }
  return rows.map(({ text }) => text).join('\n');
}
