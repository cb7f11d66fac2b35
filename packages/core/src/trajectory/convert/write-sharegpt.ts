/** Messages as turns of ShareGPT: thoughts, calls and results as markup in the texts, or calls and results as turns of their own. */
import type { JsonObject } from '../../shared/json.ts';
import { isJsonObject, parseJson } from '../../shared/json.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { messageText, toolCalls, toolResults } from '../../transcript/text.ts';
import { withClientToolsOnly } from '../../transcript/wire/turns.ts';
import { responseMarkup } from '../markup.ts';
import { type ImageList, imageList } from './images.ts';
import { holdsJson } from './read-messages.ts';

/** Where calls stand: `<tool_call>` in the text of a turn, or turns of `function_call` and `observation`. */
export type CallLayout = 'markup' | 'turns';

/** Turns, and the places of the pictures that are marked in them. */
export interface ShareGptTurns {
  readonly turns: readonly JsonObject[];
  readonly images: readonly string[];
}

interface Writing {
  readonly layout: CallLayout;
  readonly images: ImageList;
  /** The names of the calls so far, by their ids. */
  readonly names: Map<string, string>;
}

/** Writes messages. `fieldsOf` gives what of a message stands beside its text. */
export function writeShareGpt(
  messages: readonly Message[],
  { layout, fieldsOf }: { readonly layout: CallLayout; readonly fieldsOf: (message: Message) => JsonObject },
): ShareGptTurns {
  const writing: Writing = { layout, images: imageList(), names: new Map() };
  const turns: JsonObject[] = [];
  // All results of a step stand in one turn; only a message of the model ends a step.
  let results: string[] = [];
  const endStep = (): void => {
    if (results.length > 0) turns.push({ from: 'tool', value: results.join('\n') });
    results = [];
  };
  for (const message of messages.flatMap(withClientToolsOnly)) {
    for (const part of toolResults(message)) {
      if (layout === 'turns') turns.push({ from: 'observation', value: writing.images.textOf(part.content) });
      else results.push(responseText(part, writing));
    }
    const said = turnsOf(message, writing);
    if (said.length > 0) endStep();
    const [first, ...more] = said;
    if (first) turns.push({ ...first, ...fieldsOf(message) }, ...more);
  }
  endStep();
  return { turns, images: writing.images.places };
}

function turnsOf(message: Message, writing: Writing): readonly JsonObject[] {
  if (message.role === 'assistant') return saidTurns(message, writing);
  const parts = message.parts.filter(isShown);
  if (parts.length === 0)
    return message.role === 'user' && message.parts.length === 0 ? [{ from: 'human', value: '' }] : [];
  const value = writing.images.textOf(parts);
  if (message.role === 'system') return [{ from: 'system', value }];
  return [{ from: isUnasked(value) ? 'tool' : 'human', value }];
}

/** A result whose call nobody knows, as the reader marks it. */
const isUnasked = (text: string): boolean =>
  /^<tool_response>/.test(text) && text.replace(responseMarkup, '').trim() === '';

type Shown = Exclude<Part, { type: 'toolCall' | 'toolResult' | 'reasoning' }>;

const isShown = (part: Part): part is Shown => !['toolCall', 'toolResult', 'reasoning'].includes(part.type);

function saidTurns(message: Message, { layout, names }: Writing): readonly JsonObject[] {
  const calls = toolCalls(message);
  for (const { callId, name } of calls) names.set(callId, name);
  const thoughts = message.parts.flatMap((part) => (part.type === 'reasoning' && part.text !== '' ? [part.text] : []));
  const text = messageText(message);
  const said = [...thoughts.map((thought) => `<think>\n${thought}\n</think>`), ...(text === '' ? [] : [text])];
  if (layout === 'markup' || calls.length === 0) {
    // Nothing can be learnt from a turn in which nothing is said.
    if (said.length === 0 && calls.length === 0) return [];
    const marked = calls.map((call) => `<tool_call>\n${callText(call)}\n</tool_call>`);
    return [{ from: 'gpt', value: [...said, ...marked].join('\n') }];
  }
  const asked = calls.length === 1 ? calls.map(callText).join('') : `[${calls.map(callText).join(', ')}]`;
  return [
    ...(said.length === 0 ? [] : [{ from: 'gpt', value: said.join('\n') }]),
    { from: 'function_call', value: asked },
  ];
}

/** With the arguments as they were written, and the spaces of the sets that are there. */
function callText({ name, input, inputType }: ToolCallPart): string {
  const value = inputType === 'json' ? parseJson(input) : undefined;
  const written = isJsonObject(value)
    ? input
    : inputType === 'json'
      ? JSON.stringify(input)
      : JSON.stringify({ input });
  return `{"name": ${JSON.stringify(name)}, "arguments": ${input.trim() === '' ? '{}' : written}}`;
}

/** Ids that readers make of the places of calls: to write them would say nothing. */
const madeId = /^(?:function_)?call_\d+(?:_\d+)?$/;

function responseText({ callId, name, content }: ToolResultPart, { images, names }: Writing): string {
  const text = images.textOf(content);
  const called = name ?? names.get(callId);
  const body =
    callId === '' || madeId.test(callId) || isWrapped(text)
      ? text
      : `{"tool_call_id": ${JSON.stringify(callId)}, ${called === undefined ? '' : `"name": ${JSON.stringify(called)}, `}"content": ${holdsJson(text) ? text : JSON.stringify(text)}}`;
  return `<tool_response>\n${body}\n</tool_response>`;
}

function isWrapped(text: string): boolean {
  const value = text.startsWith('{') ? parseJson(text) : undefined;
  return isJsonObject(value) && typeof value.tool_call_id === 'string' && value.content !== undefined;
}
