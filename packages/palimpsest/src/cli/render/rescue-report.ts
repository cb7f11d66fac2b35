/** What a person reads after what was left of a damaged store was taken into a copy. */
import type { LostMessage, RescueReport } from '@palimpsest/core/store';
import { counted, oneLine, shellWord, thousands } from './text.ts';

/** Longer lists are no help; `--json` has them whole. */
const mostListed = 20;

export function rescueReport(
  report: RescueReport,
  { store, reason }: { readonly store: string; readonly reason: string },
): readonly string[] {
  const { path, messages, sessions, outputs, calls } = report;
  const what = [
    counted(messages, 'message'),
    counted(sessions, 'session'),
    counted(outputs, 'saved output'),
    counted(calls, 'counted call'),
  ];
  return [
    oneLine(reason),
    `${oneLine(store)} was not changed; everything that can be read was copied to ${oneLine(path)}: ${what.join(', ')}`,
    ...missingLines(report),
    `palimpsest restore ${shellWord(path)} --force replaces the store with the copy, and keeps the damaged store under another name`,
  ];
}

function missingLines({ lost }: RescueReport): readonly string[] {
  const { pages, rows, messages, sessions, outputs, calls, places } = lost;
  const counts: readonly (readonly [number, string])[] = [
    [messages.length, 'message'],
    [sessions.length, 'session'],
    [outputs.length, 'saved output'],
    [calls, 'counted call'],
    [places, 'place in views'],
  ];
  const missing = counts.flatMap(([count, name]) => (count > 0 ? [many(count, name)] : []));
  if (pages + rows === 0 && missing.length === 0) return ['no message is missing'];
  const where = [many(pages, 'page of the file'), ...(rows > 0 ? [many(rows, 'row')] : [])].join(' and ');
  const what = missing.length > 0 ? missing.join(', ') : 'no messages';
  return [
    `${where} could not be read; missing, as far as the rest shows: ${what}`,
    ...listed(messages.map(messageLine)),
    ...listed(sessions.map((id) => `session ${id}: its title and other metadata`)),
    ...listed(outputs.map((id) => `saved output ${id}`)),
  ];
}

const many = (count: number, name: string): string =>
  `${thousands(count)} ${count === 1 ? name : name.replace(/^\w+(?= of| in|$)|\w+$/, (word) => `${word}s`)}`;

const messageLine = ({ id, sessionId, position }: LostMessage): string => {
  const place = position === undefined ? '' : `, place ${position + 1}`;
  return `message ${id ?? 'with an unknown id'}${sessionId === undefined ? '' : ` of session ${sessionId}${place}`}`;
};

const listed = (lines: readonly string[]): readonly string[] => [
  ...lines.slice(0, mostListed).map((line) => `  ${oneLine(line)}`),
  ...(lines.length > mostListed ? [`  … and ${lines.length - mostListed} more: --json lists all`] : []),
];
