/** Conversations in a line each. */
import { judgeWrite, type WriteVerdict } from '@palimpsest/core/memory';
import type { Message, Part } from '../../../packages/core/src/transcript/message.ts';

export const person = (text: string): readonly Message[] => [{ role: 'user', parts: [{ type: 'text', text }] }];
export const host = (text: string): readonly Message[] => [
  { role: 'user', origin: 'host', parts: [{ type: 'text', text }] },
];
export const assistant = (text: string): readonly Message[] => [{ role: 'assistant', parts: [{ type: 'text', text }] }];
export const withPart = (text: string, part: Part): readonly Message[] => [
  { role: 'user', parts: [{ type: 'text', text }, part] },
];

let calls = 0;

/** A call of a tool with its result. */
export function tool(name: string, input: unknown, result: string): readonly Message[] {
  const callId = `call-${++calls}`;
  return [
    { role: 'assistant', parts: [{ type: 'toolCall', callId, name, input: JSON.stringify(input), inputType: 'json' }] },
    { role: 'tool', parts: [{ type: 'toolResult', callId, content: [{ type: 'text', text: result }] }] },
  ];
}

export const shell = (command: string, result: string): readonly Message[] => tool('bash', { command }, result);
export const page = (result: string): readonly Message[] =>
  tool('web_fetch', { url: 'https://site.example/a' }, result);

/** What the gate says of an entry after a conversation. */
export const judge = (text: string, ...said: readonly (readonly Message[])[]): WriteVerdict =>
  judgeWrite({ text, messages: said.flat() });

/** The same as `source, decision`. */
export function verdict(text: string, ...said: readonly (readonly Message[])[]): string {
  const { source, decision } = judge(text, ...said);
  return `${source}, ${decision}`;
}
