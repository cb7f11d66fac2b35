/** Nothing stands twice in a handoff: what facts tell again, and sentences that differ in their marks alone. */
import { wordsOfRow } from '../handoff-rows.ts';
import type { LineStats } from './corpus.ts';
import { type OutlineLine, withBlanks } from './names.ts';

/** The text without emphasis, the sign of a point, and the mark where it was cut. */
export const bareText = (text: string): string =>
  withBlanks(
    text
      .replaceAll('**', '')
      .replace(/^\s*(?:[-*•]|\d{1,3}[.)])\s+/, '')
      .replace(/…$/, ''),
  ).trim();

/** Shorter ones are said often, and mean something else each time. */
const leastChars = 12;

/** A row by what it says, without the ref and the name of who says it. */
const saidIn = ({ text }: OutlineLine): string => bareText(wordsOfRow(text));

/**
 * The rows of facts without those that say again what another one says: a rule that was laid down twice stands where it was
 * first, and a decision in the request or in the outcome that tells of it.
 */
export function toldOnce(outline: readonly OutlineLine[], outcomes: readonly LineStats[]): readonly OutlineLine[] {
  const said = outcomes.map(({ text }) => bareText(text)).filter((text) => text.length >= leastChars);
  const files = new Set(
    outline.filter(({ content }) => isOfFiles.has(content)).map(({ text }) => alone(text).split(': ', 1)[0]),
  );
  // What a check printed stands under the check.
  const told = new Set<string>(
    outline.flatMap(({ content, text }) =>
      content === 'progress' || content === 'checks' ? text.split('\n').slice(1) : [],
    ),
  );
  return outline.flatMap((row): readonly OutlineLine[] => {
    const text = saidIn(row);
    // A turn of one call, which changed one file.
    if (row.content === 'actions' && files.has(text)) return [];
    if (row.isRule || row.content === 'decisions') {
      if (told.has(text)) return [];
      told.add(text);
    }
    if (row.content === 'decisions') {
      const isAsked = outline.some(
        (other) => other.ref === row.ref && other.content !== 'decisions' && bareText(other.text).includes(text),
      );
      return isAsked || said.some((one) => text.includes(one) || one.includes(text)) ? [] : [row];
    }
    if (row.content !== 'files' && row.content !== 'blocked') return [row];
    const [, below] = row.text.split('\n');
    const isTold = below === undefined || told.has(below) || said.includes(bareText(below));
    if (below !== undefined) told.add(below);
    if (!isTold) return [row];
    const head = alone(row.text);
    if (told.has(head)) return [];
    told.add(head);
    return [{ ...row, text: head }];
  });
}

/** Rows of these tell what was done to files. */
const isOfFiles: ReadonlySet<OutlineLine['content']> = new Set(['files', 'progress']);

/** What was done to a file, or failed, without what stands below it. */
const alone = (text: string): string => (text.split('\n', 1)[0] ?? '').replace(/:$/, '');
