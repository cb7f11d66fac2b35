/**
 * Calls beside a conversation: titles, routers, checks who speaks next, suggestions, probes of a quota. They are told by their shape
 * where it tells them, and by their words where a client sends them as it sends a turn. Seen in Claude Code 2.1.330, opencode 1.18.33,
 * Qwen Code 0.24.4 and Gemini CLI 0.61.0. A conversation without tools, or one that is all in a form, is none.
 */
import type { Message } from '@palimpsest/core';
import { isJsonObject, type JsonValue } from '@palimpsest/core/settings';
import type { Body } from '@palimpsest/core/wire';

/** True for a call beside a conversation; `hasTools` where a conversation of its name has used tools. */
export function isSideCall(body: Body, said: readonly Message[], hasTools: boolean): boolean {
  if (saysSo(said)) return true;
  const isBare = body.tools.length === 0;
  if (isBare && said.length === 1 && body.maxTokens === 1) return true;
  if (isBare && hasTools && said.length <= mostBeside) return true;
  return (isBare ? wantsForm(body) : mustCallOne(body)) && !answersInForm(said, isBare);
}

/** Messages of a call without tools under a name that has used some. */
const mostBeside = 2;

/** How clients begin what they ask in the place of a person: the first text of a list of one message, or the last text of all. */
const alone = /^Generate a title for this conversation:\s*$/;
const behind = /^\[SUGGESTION MODE: /;

function saysSo(said: readonly Message[]): boolean {
  const newest = said.at(-1);
  if (newest?.role !== 'user') return false;
  const texts = textsOf(newest);
  const [first = ''] = texts;
  return (said.length <= mostBeside && alone.test(first)) || behind.test(texts.at(-1) ?? '');
}

const textsOf = ({ parts }: Message): readonly string[] =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));

const forms = ['response_format', 'output_format', 'output_config', 'text', 'generationConfig'] as const;

function wantsForm({ value }: Body): boolean {
  return forms.some((name) =>
    /json_schema|json_object|responseSchema|responseJsonSchema|application\/json/.test(
      JSON.stringify(value[name] ?? ''),
    ),
  );
}

/** One tool, and no choice: the form of an answer. */
function mustCallOne({ tools, value }: Body): boolean {
  if (tools.length !== 1) return false;
  const gemini = memberOf(memberOf(value.toolConfig, 'functionCallingConfig'), 'mode');
  const choice = value.tool_choice;
  const type = memberOf(choice, 'type');
  const isForced = choice === 'required' || type === 'tool' || type === 'function' || type === 'any';
  return isForced || gemini === 'ANY';
}

const memberOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** True where the newest answer was in a form already, so that the conversation itself is. */
function answersInForm(said: readonly Message[], isBare: boolean): boolean {
  const answer = said.findLast(({ role }) => role === 'assistant');
  if (!answer) return false;
  if (!isBare) return answer.parts.some(({ type }) => type === 'toolCall');
  try {
    return typeof JSON.parse(textsOf(answer).join('')) === 'object';
  } catch {
    return false;
  }
}
