/** Builders: a conversation as the ledger gets it, and what it makes of it. */
import type { LedgerFacts } from '../../../packages/core/src/compression/ledger/facts.ts';
import { outlineOf } from '../../../packages/core/src/compression/ledger/outline.ts';
import type { SectionContent } from '../../../packages/core/src/compression/ledger/templates.ts';
import { Tracker } from '../../../packages/core/src/compression/ledger/tracker.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';

export const person = (text: string): Message => ({ role: 'user', origin: 'person', parts: [{ type: 'text', text }] });
export const agent = (text: string): Message => ({ role: 'assistant', parts: [{ type: 'text', text }] });

export interface Ran {
  readonly name: string;
  /** Arguments; a string is free-form input. */
  readonly input: unknown;
  /** Text of the result; without it, none came. */
  readonly result?: string;
  readonly isError?: boolean;
}

let calls = 0;

/** A call and its result. */
export function ran({ name, input, result, isError }: Ran): readonly Message[] {
  const callId = `call_${++calls}`;
  const isText = typeof input === 'string';
  const text = isText ? input : JSON.stringify(input);
  const call: Message = {
    role: 'assistant',
    parts: [{ type: 'toolCall', callId, name, input: text, inputType: isText ? 'text' : 'json' }],
  };
  if (result === undefined) return [call];
  const content = [{ type: 'text', text: result } as const];
  return [
    call,
    { role: 'tool', parts: [{ type: 'toolResult', callId, content, ...(isError === undefined ? {} : { isError }) }] },
  ];
}

/** A command of a shell tool that exits with `exitCode`. */
export const shell = (command: string, exitCode = 0, output = ''): readonly Message[] =>
  ran({ name: 'Bash', input: { command }, result: `Exit code ${exitCode}\n${output}`, isError: exitCode !== 0 });

/** The facts of a conversation. */
export function factsOf(...messages: readonly (Message | readonly Message[])[]): LedgerFacts {
  const tracker = new Tracker();
  for (const [at, message] of messages.flat().entries()) tracker.add(message, `m${at + 1}`);
  return tracker.facts();
}

/** Files by path with their latest state. */
export const fileStates = (facts: LedgerFacts): Record<string, string> =>
  Object.fromEntries(facts.files.map(({ path, state }) => [path, state]));

/** What was said, one after the other. */
export type Said = readonly (Message | readonly Message[])[];

/** Rows of some contents that a handoff of 4,000 tokens tells. */
export const rows = (messages: Said, ...contents: SectionContent[]): readonly string[] =>
  outlineOf({ facts: factsOf(...messages), covers: () => true, budget: 4_000, count: (text) => text.length / 4 })
    .filter(({ content }) => contents.includes(content))
    .map(({ text }) => text);

/** A change of a file. */
export const edit = (path: string, before: string, after: string): readonly Message[] =>
  ran({
    name: 'Edit',
    input: { file_path: path, old_string: before, new_string: after },
    result: 'updated',
    isError: false,
  });
/** A file that is written whole. */
export const write = (path: string, content: string): readonly Message[] =>
  ran({ name: 'Write', input: { file_path: path, content }, result: 'created', isError: false });

/** A step with words beside its call. */
export const saying = (text: string, [call, ...results]: readonly Message[]): readonly Message[] =>
  call ? [{ ...call, parts: [{ type: 'text', text }, ...call.parts] }, ...results] : [];
