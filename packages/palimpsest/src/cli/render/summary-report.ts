/** What became of a model's summary, for a person: who wrote it for what price, what it saw, and what was put right. */
import type { CompressionResult, MissingFact, SummaryChange, SummaryCoverage, SummaryReport } from '@palimpsest/core';
import { callPrice, priceText, tokensOf, totalPrice } from '../writer/summary-cost.ts';
import { changesOf, failuresOf, paidCalls, type SummaryChanges } from '../writer/summary-facts.ts';
import { type Screen, styled } from './screen.ts';
import { counted, oneLine, thousands, wrap } from './text.ts';
import { clip } from './width.ts';

/** The paragraph of the report; empty where no model was asked. */
export function summaryReport(result: CompressionResult, screen: Screen): readonly string[] {
  const { summary, failure } = result;
  const failures = failuresOf(result);
  if (!summary && !failure) return [];
  const lines = summary
    ? [
        `written by ${oneLine(summary.model)}${paidText(result)}`,
        coverageText(summary.coverage),
        verifiedText(changesOf(summary, result)),
        ...failures.map(({ message }) => `earlier: ${oneLine(message)}`),
      ]
    : [
        ...failures.map(({ message }) => oneLine(message)),
        `${consequence(result)}${paidCalls(result).length > 0 ? ` Calls that were answered${paidText(result)}.` : ''}`,
      ];
  const title = failure ? styled('no summary', 'yellow', screen) : styled('summary', 'bold', screen);
  return [title, ...lines.flatMap((line) => hanging(line, screen))];
}

/** What to do is part of each failure's message; here stands what it meant. */
function consequence(result: CompressionResult): string {
  if (result.status === 'compressed')
    return 'The handoff was written without a model, from extracted facts, and says so.';
  return 'The conversation was not changed. Fix this and try again, or compress without a model (--no-summarizer).';
}

function paidText(result: CompressionResult): string {
  const calls = paidCalls(result);
  const { read, written } = tokensOf(calls);
  const price = priceText(totalPrice(calls.map(callPrice)));
  return `: ${thousands(read)} tokens in and ${thousands(written)} out in ${counted(calls.length, 'call')}, ${price}`;
}

function coverageText(coverage: SummaryCoverage): string {
  const { messages, shortened, attachments, parts, window, facts } = coverage;
  const read =
    messages.read === messages.of
      ? `all ${thousands(messages.of)}`
      : `${thousands(messages.read)} of ${thousands(messages.of)}`;
  const leftOut = shortened.reduce((sum, record) => sum + record.leftOut, 0);
  const kinds = Map.groupBy(attachments, ({ what }) => what);
  const limits = [
    ...(shortened.length > 0
      ? [
          `${counted(shortened.length, 'record')} shortened by ${thousands(leftOut)} characters (${someRefs(shortened)})`,
        ]
      : []),
    ...[...kinds].map(([what, list]) => `${counted(list.length, attachmentNames[what])} shown only as a placeholder`),
    ...(parts.length > 1 ? [`in ${counted(parts.length, 'part')}`] : []),
    ...(facts === 'no room' ? ['without the facts of the ledger, which did not fit'] : []),
    ...(window.assumed ? [`its window is not known: ${thousands(window.tokens)} tokens assumed`] : []),
  ];
  return `read ${read} messages${limits.map((limit) => `; ${limit}`).join('')}`;
}

const attachmentNames = { image: 'image', file: 'file', base64: 'base64 text' } as const;
const mostRefs = 4;

function someRefs(list: readonly { readonly ref: string }[]): string {
  const refs = [...new Set(list.map(({ ref }) => ref))];
  return `${refs.slice(0, mostRefs).join(', ')}${refs.length > mostRefs ? ', …' : ''}`;
}

function verifiedText({ checked, removed, corrected, masked, added, leftOut }: SummaryChanges): string {
  const done = [
    [removed.length, 'removed'],
    [corrected.length, 'corrected'],
    [masked.length, 'masked'],
  ] as const;
  const changed = done.flatMap(([count, what]) => (count > 0 ? [`${counted(count, 'line')} ${what}`] : []));
  const lines = changed.length > 0 ? `${changed.join(', ')} (--explain lists them)` : 'all of them hold';
  const facts = added.length > 0 ? `; ${counted(added.length, 'missing fact')} added` : '';
  const short = leftOut.length > 0 ? `; ${counted(leftOut.length, 'missing fact')} not added: no room` : '';
  return `${counted(checked, 'claim')} checked against the record: ${lines}${facts}${short}`;
}

const hanging = (text: string, { columns }: Screen): readonly string[] =>
  wrap(text, columns - 4).map((line, at) => (at === 0 ? `  ${line}` : `    ${line}`));

/** Every change with its messages, and what the model did not see in full; for `--explain`. */
export function summaryExplanation(result: CompressionResult, screen: Screen): readonly string[] {
  const { summary } = result;
  if (!summary) return [];
  const { removed, corrected, masked, added, leftOut } = changesOf(summary, result);
  const changes = [...removed, ...corrected, ...masked].sort((a, b) => a.line - b.line);
  const lines = [
    ...changes.flatMap((change) => changeLines(change, screen)),
    ...added.map((fact) => missingLine('added', fact, screen)),
    ...leftOut.map((fact) => missingLine('no room', fact, screen)),
    ...unseenLines(summary, screen),
  ];
  return lines.length === 0 ? [] : [styled('changes to the summary', 'bold', screen), ...lines];
}

const width = 10;

function changeLines({ action, line, before, after, why, refs }: SummaryChange, screen: Screen): readonly string[] {
  const room = screen.columns - width - 2;
  const place = `line ${line}: `;
  const text = (words: string, room: number): string => clip(oneLine(words), room);
  const indent = ' '.repeat(width + 2);
  return [
    `  ${styled(action.padEnd(width), 'yellow', screen)}${place}${text(before, room - place.length)}`,
    ...(action === 'corrected' ? [`${indent}now: ${text(after, room - 5)}`] : []),
    ...wrap(`${oneLine(why)}${refs.length > 0 ? ` (${refs.join(', ')})` : ''}`, room).map(
      (row) => indent + styled(row, 'dim', screen),
    ),
  ];
}

function missingLine(action: string, { type, text, ref }: MissingFact, screen: Screen): string {
  const rest = clip(oneLine(text), screen.columns - width - type.length - ref.length - 8);
  return `  ${styled(action.padEnd(width), 'yellow', screen)}${type}: ${rest} (${ref})`;
}

function unseenLines({ coverage }: SummaryReport, screen: Screen): readonly string[] {
  const rows = [
    ...coverage.shortened.map(
      ({ ref, label, leftOut, characters }) =>
        `${ref} ${oneLine(label)}: ${thousands(leftOut)} of ${thousands(characters)} characters left out`,
    ),
    ...coverage.attachments.map(({ ref, what }) => `${ref}: ${attachmentNames[what]}, shown only as a placeholder`),
    ...coverage.skipped.filter(({ why }) => why !== 'earlier summary').map(({ ref, why }) => `${ref}: ${why}`),
  ];
  return rows.map(
    (row) => `  ${styled('not seen'.padEnd(width), 'dim', screen)}${clip(row, screen.columns - width - 2)}`,
  );
}
