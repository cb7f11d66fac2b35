/** Conversations in OpenAI's form as the ShareGPT turns of training sets, and what is wrong with the order of turns. */
import type { JsonObject } from '@palimpsest/core/engine';

/** A turn of a ShareGPT record. */
export interface Turn {
  /** `system`, `human`, `gpt` or `tool`. */
  readonly from: string;
  readonly value: string;
}

/** A message in the form of OpenAI, as far as it is read here. */
export interface ListedMessage {
  readonly role: string;
  readonly content?: string | null;
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
}

/**
 * The turns of a list of messages, as training sets of agents have them: calls as `<tool_call>` markup in the value of the
 * gpt turn, the results of one turn together in one tool turn, each as `<tool_response>` with its text as it is. Messages of
 * one role in a row become one turn, so that roles alternate; a later system message is a human turn.
 */
export function turnsOf(messages: readonly ListedMessage[]): readonly Turn[] {
  const turns: Turn[] = [];
  for (const message of messages) {
    const value = textOfMessage(message);
    if (value === '') continue;
    const from = roleOf(message, turns.length === 0 || turns.at(-1)?.from === 'system');
    const last = turns.at(-1);
    if (last?.from !== from) turns.push({ from, value });
    else turns[turns.length - 1] = { from, value: `${last.value}${from === 'tool' ? '\n' : '\n\n'}${value}` };
  }
  return turns;
}

const roles: Readonly<Record<string, string>> = { user: 'human', assistant: 'gpt', tool: 'tool' };

const roleOf = ({ role }: ListedMessage, isOpening: boolean): string =>
  role === 'system' ? (isOpening ? 'system' : 'human') : (roles[role] ?? 'human');

function textOfMessage({ role, content, tool_calls: calls = [] }: ListedMessage): string {
  const text = content ?? '';
  if (role === 'tool') return `<tool_response>\n${text}\n</tool_response>`;
  const marked = calls.map(({ function: { name, arguments: input } }) => {
    return `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${input}}\n</tool_call>`;
  });
  return [...(text === '' ? [] : [text]), ...marked].join('\n');
}

/** One line of a ShareGPT file, without the line break. */
export const lineOf = (turns: readonly Turn[], id?: string): string =>
  JSON.stringify({ ...(id === undefined ? {} : { id }), conversations: turns });

/** The turns of a line of a ShareGPT file. Throws an error where it holds none. */
export function turnsIn(line: string): readonly Turn[] {
  // Checked right behind.
  const { conversations } = JSON.parse(line) as JsonObject;
  if (!Array.isArray(conversations)) throw new Error(`expected a list "conversations", got ${line.slice(0, 60)}`);
  return conversations.map(({ from, value }) => ({ from: String(from), value: String(value ?? '') }));
}

/** Everything that a model would see of turns, as one text; the roles are left out, since they are no text of a turn. */
export const textOf = (turns: readonly Turn[]): string => turns.map(({ value }) => value).join('\n');

export interface Fault {
  readonly at: number;
  readonly fault: 'role twice' | 'result without its call' | 'call without its result';
}

const hasCall = ({ value }: Turn): boolean => /^<tool_call>$/m.test(value);

/** Where roles do not alternate, or calls and their results are apart. A call at the very end may wait. */
export function faultsOf(turns: readonly Turn[]): readonly Fault[] {
  return turns.flatMap((turn, at): readonly Fault[] => {
    const [before, next] = [turns[at - 1], turns[at + 1]];
    const faults: Fault['fault'][] = [];
    if (before?.from === turn.from) faults.push('role twice');
    if (turn.from === 'tool' && !(before?.from === 'gpt' && hasCall(before))) faults.push('result without its call');
    if (turn.from === 'gpt' && hasCall(turn) && next && next.from !== 'tool') faults.push('call without its result');
    return faults.map((fault) => ({ at, fault }));
  });
}
