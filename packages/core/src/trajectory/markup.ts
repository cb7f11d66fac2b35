/**
 * Calls and thoughts that a training set writes as markup into the text of its turns, read as what they are, so that a
 * summary tells what was done. Only what is read for a summary goes through here; the turns themselves stay as written.
 *
 *     <think>…</think>Let me look.<tool_call>{"name": "terminal", "arguments": {…}}</tool_call>
 *     <tool_response>{"output": "…", "exit_code": 0}</tool_response>
 */
import { isJsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import type { Message, Part, ToolCallPart } from '../transcript/message.ts';
import { toolCalls } from '../transcript/text.ts';
import type { Turn } from './turn.ts';

export const thoughtMarkup: RegExp = /<(think|thinking|scratchpad)>([\s\S]*?)<\/\1>/gi;
const thoughtOrCall = new RegExp(`${thoughtMarkup.source}|<(tool_call|function_call)>([\\s\\S]*?)(?:<\\/\\3>|$)`, 'gi');
export const responseMarkup: RegExp =
  /<(tool_response|tool_result|function_response|observation)>([\s\S]*?)(?:<\/\1>|$)/gi;

/** The messages of turns, one each, with the calls and thoughts that stand in their texts. */
export function withMarkup(messages: readonly Message[], turns: readonly Turn[]): readonly Message[] {
  const open: ToolCallPart[] = [];
  return messages.map((message, at) => {
    const speaker = turns[at]?.speaker;
    if (speaker === 'gpt') {
      // Calls that the format itself knows have found their results already.
      const read = isPlainText(message) ? { ...message, parts: partsOf(message, at) } : message;
      open.splice(0, open.length, ...(read === message ? [] : toolCalls(read)));
      return read;
    }
    if (speaker !== 'tool' || message.role === 'tool' || open.length === 0) return message;
    return { role: 'tool', parts: resultsOf(turns[at]?.text ?? '', open) };
  });
}

const isPlainText = ({ parts }: Message): boolean => parts.every(({ type }) => type === 'text');

const textIn = ({ parts }: Message): string => parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');

function partsOf(message: Message, at: number): readonly Part[] {
  const text = textIn(message);
  if (!text.includes('<')) return message.parts;
  const thoughts: Part[] = [];
  const bodies: string[] = [];
  // What stands in the arguments of a call is none of its thoughts, and a call in a thought is none.
  const marked = text.replace(thoughtOrCall, (_whole, _thought, said: string | undefined, _call, body = '') => {
    if (said === undefined) bodies.push(body);
    else thoughts.push({ type: 'reasoning', text: said.trim() });
    return '';
  });
  const calls = bodies.flatMap((body, number) => callOf(body, `call_${at}_${number}`));
  if (thoughts.length === 0 && calls.length === 0) return message.parts;
  const rest = marked.trim();
  return [...thoughts, ...(rest === '' ? [] : [{ type: 'text', text: rest } as const]), ...calls];
}

function callOf(body: string, callId: string): readonly ToolCallPart[] {
  const value = parseJson(body.trim());
  if (!isJsonObject(value) || typeof value.name !== 'string') return [];
  const input: JsonValue = value.arguments ?? value.parameters ?? {};
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return [{ type: 'toolCall', callId, name: value.name, input: text, inputType: 'json' }];
}

/** Each answer in a turn goes with the oldest open call; what is no answer in markup is one answer. */
function resultsOf(text: string, open: ToolCallPart[]): readonly Part[] {
  const bodies = [...text.matchAll(responseMarkup)].map(([, , body = '']) => body.trim());
  return (bodies.length === 0 ? [text] : bodies).map((body): Part => {
    const answered = open.shift();
    const about = { callId: answered?.callId ?? '', ...(answered ? { name: answered.name } : {}) };
    return { type: 'toolResult', ...about, content: [{ type: 'text', text: resultText(body) }] };
  });
}

/** Some sets wrap what a tool said as `{"name", "content"}`. */
function resultText(body: string): string {
  const value = body.startsWith('{') ? parseJson(body) : undefined;
  if (!isJsonObject(value) || value.content === undefined) return body;
  return typeof value.content === 'string' ? value.content : JSON.stringify(value.content);
}

/** What shortens a text of which it is told how. */
type ClipText = (shorten: (text: string) => string) => string;

/** Shortens a text, with the markup around it left whole. It is read once, however often it is shortened. */
export function clipMarkup(text: string): ClipText {
  const pieces: ClipText[] = [];
  let end = 0;
  for (const found of text.matchAll(responseMarkup)) {
    const [whole, name = '', body = ''] = found;
    const before = text.slice(end, found.index);
    const isClosed = whole.endsWith(`</${name}>`);
    const clip: ClipText = isClosed ? clipBody(body) : (shorten) => shorten(body);
    pieces.push((shorten) => `${before}<${name}>${clip(shorten)}${isClosed ? `</${name}>` : ''}`);
    end = found.index + whole.length;
  }
  if (pieces.length === 0) return clipBody(text);
  const rest = text.slice(end);
  return (shorten) => pieces.map((clip) => clip(shorten)).join('') + rest;
}

/** What a tool said as JSON stays JSON: the texts in it are shortened. */
function clipBody(body: string): ClipText {
  const bare = body.trim();
  const value = bare.startsWith('{') ? parseJson(bare) : undefined;
  if (!isJsonObject(value)) return (shorten) => shorten(body);
  const start = body.indexOf(bare);
  return (shorten) => {
    let isShorter = false;
    const clip = (one: JsonValue, depth: number): JsonValue => {
      if (typeof one === 'string') {
        const short = shorten(one);
        isShorter ||= short !== one;
        return short;
      }
      if (!isJsonObject(one) || depth > 3) return one;
      return Object.fromEntries(Object.entries(one).map(([name, member]) => [name, clip(member, depth + 1)]));
    };
    const clipped = clip(value, 0);
    if (!isShorter) return shorten(body);
    return body.slice(0, start) + JSON.stringify(clipped) + body.slice(start + bare.length);
  };
}
