/** What a person sees of an event, as lines: the calls of tools, what came of them, and what they should know. Pure. */
import { reasonOf } from '@palimpsest/core/engine';
import type { AgentEvent, TurnEnd } from '../../agent/events.ts';
import { compressionLines, toldEnd } from '../../models/compression-lines.ts';
import type { Line } from '../../terminal/spans.ts';
import { counted, linesOf, oneLine } from '../render/text.ts';

/** The argument that says most about a call, by the names that tools give it. */
const telling = [
  'command',
  'path',
  'pattern',
  'query',
  'task',
  'topic',
  'focus',
  'text',
  'name',
  'id',
  'refs',
] as const;

/** A call in a few words: `npm test`, `src/oven.ts`. */
export function callLabel(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  for (const name of telling) {
    const value: unknown = Reflect.get(input, name);
    if (typeof value === 'string' && value.trim() !== '') return oneLine(value);
  }
  const text = JSON.stringify(input);
  return text === '{}' ? '' : oneLine(text);
}

/** Characters of a line for a call or a result: about a row of a wide screen. */
const longest = 100;

/** Of the call that a result belongs to, where that does not stand above it. */
const longestName = 40;

/**
 * A line for a call, and one for its result; none for other events. What a sub-agent does stands further in. `call` is what the
 * result is of, where that has to be said.
 */
export function toolLine(event: AgentEvent, call?: string): readonly Line[] {
  const indent = event.agent === undefined ? '' : '  ';
  if (event.type === 'tool_call') {
    const label = cut(callLabel(event.input), longest);
    return [[`${indent}● `, { text: event.name, style: 'bold' }, ` ${label}`]];
  }
  if (event.type !== 'tool_result') return [];
  const of = call === undefined ? '' : `${cut(call, longestName)}: `;
  const text = `${indent}  └ ${of}${resultLabel(event.text)}`;
  return [[{ text, style: event.isError ? 'red' : 'dim' }]];
}

/** The first line of a result, and how much more there is. */
function resultLabel(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = '(empty)'] = lines;
  const more = lines.length > 1 ? ` (${counted(lines.length, 'line')})` : '';
  return `${cut(oneLine(first), longest)}${more}`;
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** What is worth lines of its own: warnings, and a compression in two. */
export function noticeLines(event: AgentEvent): readonly Line[] {
  if (event.type === 'compressed')
    return compressionLines(toldEnd(event.report)).map((text) => [{ text: `· ${text}`, style: 'cyan' }]);
  if (event.type !== 'notice') return [];
  const { notice } = event;
  // The two lines of the compression say it better.
  if (notice.level === 'log' || notice.type === 'compressed' || notice.type === 'gave_up') return [];
  const why = notice.type === 'bypassed' && 'error' in notice ? ` ${reasonOf(notice.error)}` : '';
  return [[{ text: `! ${oneLine(`${notice.message}${why}`)}`, style: 'yellow' }]];
}

/** Characters of a provider's message: some send a page. */
const mostOfError = 600;

/** What went wrong, line by line: a line end in the middle of a line would show as a sign. */
export const errorLines = (text: string): readonly Line[] =>
  text.split('\n').map((line) => [{ text: line, style: 'red' }]);

/** How a turn ended, where that is not by itself. */
export function endLines(end: TurnEnd): readonly Line[] {
  switch (end.reason) {
    case 'done':
      return [];
    case 'interrupted':
      return [[{ text: 'Stopped. What was said and done until then is kept.', style: 'yellow' }]];
    case 'failed': {
      const advice = linesOf(end.advice, '/retry sends the request again.').join(' ');
      return [...errorLines(oneLine(end.message).slice(0, mostOfError)), [{ text: oneLine(advice), style: 'yellow' }]];
    }
    default:
      return [[{ text: end.message, style: 'yellow' }]];
  }
}
