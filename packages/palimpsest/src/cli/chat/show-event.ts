/** What a person sees of an event, as lines: the calls of tools, what came of them, and what they should know. */

import { reasonOf } from '@palimpsest/core/engine';
import type { AgentEvent } from '../../agent/events.ts';
import { clip, type Screen, styled } from '../../terminal/screen.ts';
import { counted, oneLine, thousands } from '../render/text.ts';

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

/** A line for a call, and a line for its result; none for other events. */
export function toolLines(event: AgentEvent, screen: Screen): readonly string[] {
  const indent = event.agent === undefined ? '' : '  ';
  if (event.type === 'tool_call') {
    const name = styled(event.name, 'bold', screen);
    return [clip(`${indent}● ${name} ${callLabel(event.input)}`.trimEnd(), screen.columns)];
  }
  if (event.type === 'tool_result') {
    const line = `${indent}  └ ${resultLabel(event)}`;
    return [styled(clip(line, screen.columns), event.isError ? 'red' : 'dim', screen)];
  }
  return [];
}

type Result = Extract<AgentEvent, { type: 'tool_result' }>;

/** The first line of a result, and how much more there is. */
function resultLabel({ text }: Result): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [first = '(empty)'] = lines;
  const more = lines.length > 1 ? ` (${counted(lines.length, 'line')})` : '';
  return `${oneLine(first)}${more}`;
}

/** What is worth a line of its own: warnings, and a compression. */
export function noticeLine(event: AgentEvent, screen: Screen): readonly string[] {
  if (event.type === 'notice') {
    const { level, message } = event.notice;
    const why = 'error' in event.notice && event.notice.type === 'bypassed' ? ` ${reasonOf(event.notice.error)}` : '';
    return level === 'log' ? [] : [styled(`! ${oneLine(`${message}${why}`)}`, 'yellow', screen)];
  }
  if (event.type === 'compressed') {
    const { tokensBefore, tokensAfter } = event.report;
    const line = `compressed from about ${thousands(tokensBefore)} to about ${thousands(tokensAfter)} tokens`;
    return [styled(`· ${line}`, 'dim', screen)];
  }
  return [];
}
