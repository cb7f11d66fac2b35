/**
 * The numbered list of finished actions across updates of a summary (S4): what an earlier summary tells keeps its outcome, nothing
 * stands there twice, and the numbers go on without gaps.
 */
import { type SummaryLine, summaryLines } from './summary-lines.ts';
import { statusClaims } from './verify/words/statuses.ts';

interface Entry {
  /** Index of its line. */
  readonly at: number;
  readonly number: number;
  /** What stands before and behind the number. */
  readonly indent: string;
  readonly mark: string;
  readonly content: string;
}

const numberedLine = /^( ?)(\d{1,4})([.)]\s+)(?=\S)/;

function entriesOf(lines: readonly SummaryLine[]): readonly Entry[] {
  return lines.flatMap(({ text, type, about }, at): readonly Entry[] => {
    const found = type === 'text' && about === 'actions' ? numberedLine.exec(text) : null;
    if (!found) return [];
    const [all, indent = '', number = '', mark = ''] = found;
    return [{ at, indent, number: Number(number), mark, content: text.slice(all.length) }];
  });
}

/**
 * An update in which an action whose records the earlier summary has told already ends as it did there: failed does not become
 * done, nor done failed, unless a new record says so.
 */
export function withEarlierOutcomes(summary: string, previous: string | undefined): string {
  if (previous === undefined) return summary;
  const earlier = new Map(entriesOf(summaryLines(previous)).map((entry) => [eventOf(entry.content), entry.content]));
  const lines = summaryLines(summary);
  const texts = lines.map(({ text }) => text);
  for (const { at, indent, number, mark, content } of entriesOf(lines)) {
    const event = eventOf(content);
    const told = event === '' ? undefined : earlier.get(event);
    if (told !== undefined && isFlipped(content, told)) texts[at] = `${indent}${number}${mark}${told}`;
  }
  return texts.join('\n');
}

/** The records that a line cites, with the code that it names; empty for one that cites none. */
function eventOf(content: string): string {
  const refs = content.match(/\bm\d{1,6}\b/g);
  if (!refs) return '';
  const names = content.match(/`[^`]+`/g) ?? [];
  return [...new Set([...refs, ...names])].sort().join(' ');
}

function isFlipped(a: string, b: string): boolean {
  const [ends, told] = [endingOf(a), endingOf(b)];
  return ends !== undefined && told !== undefined && ends !== told;
}

/** Whether a line says that it went well; undefined where it says nothing, or both. */
function endingOf(content: string): boolean | undefined {
  const all = statusClaims(content).filter(({ hedged }) => !hedged);
  // "Ran" says that it was done, what follows says how it went.
  const endings = all.filter(({ status }) => status !== 'done');
  const claims = endings.length > 0 ? endings : all;
  const [first] = claims;
  return first && claims.every(({ positive }) => positive === first.positive) ? first.positive : undefined;
}

/** The summary with its finished actions numbered through, each once; they go on where those of the earlier one end. */
export function numberedThrough(summary: string, previous: string | undefined): string {
  const lines = summaryLines(summary);
  const entries = entriesOf(lines);
  if (entries.length === 0) return summary;
  const earlier = previous === undefined ? [] : entriesOf(summaryLines(previous));
  let next = firstNumber(entries, earlier);
  const seen = new Set<string>();
  const texts: (string | undefined)[] = lines.map(({ text }) => text);
  for (const { at, indent, mark, content } of entries) {
    const words = wordsOf(content);
    texts[at] = seen.has(words) ? undefined : `${indent}${next++}${mark}${content}`;
    seen.add(words);
  }
  return texts.filter((text) => text !== undefined).join('\n');
}

/** As many before the first one that the earlier summary has too; behind all of them where it has none. */
function firstNumber(entries: readonly Entry[], earlier: readonly Entry[]): number {
  const numbers = new Map(earlier.map(({ content, number }) => [wordsOf(content), number]));
  for (const [at, { content }] of entries.entries()) {
    const known = numbers.get(wordsOf(content));
    if (known !== undefined) return Math.max(1, known - at);
  }
  const last = Math.max(0, ...earlier.map(({ number }) => number));
  const isRetold =
    entries[0] !== undefined && earlier.some(({ content }) => isSameEvent(content, entries[0]?.content ?? ''));
  return isRetold ? 1 : last + 1;
}

const isSameEvent = (a: string, b: string): boolean => eventOf(a) !== '' && eventOf(a) === eventOf(b);

const wordsOf = (content: string): string =>
  content
    .toLowerCase()
    .match(/[\p{L}\p{N}_./-]+/gu)
    ?.join(' ') ?? '';
