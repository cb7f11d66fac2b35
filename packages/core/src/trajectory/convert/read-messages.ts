/**
 * The turns of a record as messages of the project, nothing trimmed that a writer could give back: calls, thoughts and results
 * that stand as markup in the texts become what they are, with the arguments as they were written.
 */
import { isJsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import { membersOf } from '../../shared/json-spans.ts';
import { fromShareGpt, shareGptSpeaker } from '../../transcript/logs/sharegpt.ts';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../transcript/message.ts';
import { messageText, resultText, toolCalls, toolResults } from '../../transcript/text.ts';
import { fromAnthropic } from '../../transcript/wire/anthropic/messages.ts';
import { fromOpenAiChat } from '../../transcript/wire/chat/messages.ts';
import { responseMarkup, thoughtMarkup } from '../markup.ts';
import type { Trajectory, Turn } from '../turn.ts';
import { withImages } from './images.ts';

/** The messages of a record, at least one for each turn that says something. */
export function messagesOf(trajectory: Trajectory): readonly Message[] {
  const { turns, record } = trajectory;
  const read = withMarkupRead(plainMessages(trajectory), turns);
  const messages = withCallsJoined(read, (at) => isCallTurn(turns[at]));
  return trajectory.format === 'sharegpt' && isJsonObject(record) ? withImages(messages, record) : messages;
}

function isCallTurn(turn: Turn | undefined): boolean {
  const from = isJsonObject(turn?.value) ? (turn.value.from ?? turn.value.role) : undefined;
  return typeof from === 'string' && shareGptSpeaker(from) === 'call';
}

/** Some sets have a turn with words and one with calls for what a model said at once; `mayJoin` says of which that is so. */
export function withCallsJoined(
  messages: readonly Message[],
  mayJoin: (at: number) => boolean = () => true,
): readonly Message[] {
  const joined: Message[] = [];
  for (const [at, message] of messages.entries()) {
    const last = joined.at(-1);
    const { role, parts } = message;
    const isMore = role === 'assistant' && parts.length > 0 && parts.every(({ type }) => type === 'toolCall');
    if (isMore && mayJoin(at) && last?.role === 'assistant' && toolCalls(last).length === 0) {
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...parts] };
    } else joined.push(message);
  }
  return joined;
}

/** One message for each turn, as the reader of the format gives it. */
function plainMessages({ format, turns }: Trajectory): readonly Message[] {
  const systemOf = (turn: Turn): Message => ({ role: 'system', parts: [{ type: 'text', text: turn.text }] });
  const inList = turns.filter(({ field }) => field === undefined).map(({ value }) => value);
  const beside = turns.filter(({ field }) => field !== undefined).map(systemOf);
  const read = { sharegpt: fromShareGpt, 'openai-chat': fromOpenAiChat, anthropic: fromAnthropic }[format];
  return [...beside, ...read(inList)];
}

/** What is open while the turns are read: calls that wait for a result, and the ids that results give them. */
interface Reading {
  waiting: ToolCallPart[];
  readonly ids: Map<string, string>;
  readonly taken: Set<string>;
}

function withMarkupRead(messages: readonly Message[], turns: readonly Turn[]): readonly Message[] {
  const taken = messages.flatMap((message) => toolCalls(message).map(({ callId }) => callId));
  const reading: Reading = { waiting: [], ids: new Map(), taken: new Set(taken) };
  const read = messages.map((message, at) => {
    const speaker = turns[at]?.speaker;
    if (speaker === 'gpt') return readSaid(message, at, reading);
    if (speaker === 'tool') return readResults(message, turns[at]?.text ?? '', reading);
    reading.waiting = [];
    return message;
  });
  return reading.ids.size === 0 ? read : read.map((message) => withIds(message, reading.ids));
}

function withIds(message: Message, ids: ReadonlyMap<string, string>): Message {
  if (!message.parts.some((part) => part.type === 'toolCall' && ids.has(part.callId))) return message;
  const parts = message.parts.map((part) =>
    part.type === 'toolCall' ? { ...part, callId: ids.get(part.callId) ?? part.callId } : part,
  );
  return { ...message, parts };
}

// What a model said.

/** Results behind calls that the format itself knows find them by themselves. */
function readSaid(message: Message, at: number, reading: Reading): Message {
  reading.waiting = [];
  const isText = message.parts.every(({ type }) => type === 'text' || type === 'reasoning');
  const text = messageText(message);
  if (!isText || !text.includes('<')) return message;
  const found = markupIn(text, at);
  if (!found) return message;
  reading.waiting = found.filter((part) => part.type === 'toolCall');
  for (const { callId } of reading.waiting) reading.taken.add(callId);
  return { ...message, parts: [...message.parts.filter(({ type }) => type === 'reasoning'), ...found] };
}

/** Unlike what is read for a summary, a call that was cut off is none. */
const thoughtOrCall = new RegExp(`${thoughtMarkup.source}|<(tool_call|function_call)>([\\s\\S]*?)<\\/\\3>`, 'gi');

/** Thoughts, text and calls of a turn; undefined where it is text alone. A call that is no JSON stays text. */
function markupIn(text: string, at: number): readonly Part[] | undefined {
  const thoughts: Part[] = [];
  const calls: ToolCallPart[] = [];
  // What stands in the arguments of a call is none of its thoughts, and a call in a thought is none.
  const rest = text.replace(thoughtOrCall, (whole: string, _thought, said: string | undefined, _call, body = '') => {
    if (said !== undefined) {
      if (said.trim() !== '') thoughts.push({ type: 'reasoning', text: inner(said) });
      return '';
    }
    const call = callIn(body.trim(), `call_${at}_${calls.length}`);
    if (!call) return whole;
    calls.push(call);
    return '';
  });
  if (rest === text) return undefined;
  const said = rest.replace(/^[\r\n]+|[\r\n]+$/g, '');
  return [...thoughts, ...(said === '' ? [] : [{ type: 'text', text: said } as const]), ...calls];
}

/** What stands between two marks that have lines of their own. */
const inner = (body: string): string => body.replace(/^\r?\n|\r?\n$/g, '');

/** `{"name", "arguments"}`; the arguments stay as they were written, numbers and order included. */
function callIn(body: string, callId: string): ToolCallPart | undefined {
  const value = parseJson(body);
  if (!isJsonObject(value) || typeof value.name !== 'string') return undefined;
  const member = membersOf(body).findLast(({ name }) => name === 'arguments' || name === 'parameters');
  const given = member && value[member.name];
  const written = member ? body.slice(member.start, member.end) : '{}';
  const input = typeof given === 'string' ? given : written;
  return { type: 'toolCall', callId, name: value.name, input, inputType: 'json' };
}

// What tools said.

/** A turn of a tool: the results of the calls that wait. Where none does, nobody knows what was asked, and it stays a text. */
function readResults(message: Message, text: string, reading: Reading): Message {
  const known = toolResults(message);
  const isKnown = known.length > 0 && known.every(({ callId }) => callId !== '' && reading.taken.has(callId));
  if (isKnown) return { ...message, parts: message.parts.map((part) => (isBare(part) ? unwrapped(part) : part)) };
  const bodies = [...text.matchAll(responseMarkup)].map(([, , body = '']) => inner(body));
  const isMarked = bodies.length > 0;
  const beside = isMarked ? text.replace(responseMarkup, '').trim() : '';
  const waiting = reading.waiting;
  if (waiting.length === 0 || bodies.length > waiting.length) return unasked(message, text, isMarked);
  const results = (isMarked ? bodies : [text]).map((body) => resultOf(body, reading));
  const { extra: _, ...rest } = message;
  return {
    ...rest,
    role: 'tool',
    parts: [...results, ...(beside === '' ? [] : [{ type: 'text', text: beside } as const])],
  };
}

/** A result without a call keeps the mark that a tool said it: it must not become the words of a person. */
function unasked({ extra: _, ...message }: Message, text: string, isMarked: boolean): Message {
  const marked = isMarked ? text : `<tool_response>\n${text}\n</tool_response>`;
  return { ...message, role: 'user', origin: 'host', parts: [{ type: 'text', text: marked }] };
}

const isBare = (part: Part): part is ToolResultPart =>
  part.type === 'toolResult' && part.content.length === 1 && part.content[0]?.type === 'text';

/** The result of a call that the format knows may stand in markup, too. */
function unwrapped(part: ToolResultPart): ToolResultPart {
  const [, , body] = [...resultText(part).matchAll(responseMarkup)][0] ?? [];
  if (body === undefined || resultText(part).replace(responseMarkup, '').trim() !== '') return part;
  const { text } = wrapperIn(inner(body));
  return { ...part, content: [{ type: 'text', text }] };
}

function resultOf(body: string, reading: Reading): ToolResultPart {
  const wrapper = wrapperIn(body);
  const { waiting, ids, taken } = reading;
  const named = waiting.findIndex(({ name }) => name === wrapper.name);
  const [call] = waiting.splice(Math.max(0, named), 1);
  const made = call?.callId ?? '';
  const isNew = wrapper.id !== undefined && !taken.has(wrapper.id);
  if (isNew && wrapper.id !== undefined) {
    ids.set(made, wrapper.id);
    taken.add(wrapper.id);
  }
  const callId = ids.get(made) ?? made;
  const name = call?.name ?? wrapper.name;
  return {
    type: 'toolResult',
    callId,
    ...(name === undefined ? {} : { name }),
    content: [{ type: 'text', text: wrapper.text }],
  };
}

interface Wrapper {
  readonly text: string;
  readonly id?: string;
  readonly name?: string;
}

/** Some sets wrap what a tool said as `{"tool_call_id", "name", "content"}`. A text that would come back as JSON stays wrapped. */
function wrapperIn(body: string): Wrapper {
  const value = /^\s*\{/.test(body) ? parseJson(body) : undefined;
  if (!isJsonObject(value) || value.content === undefined) return { text: body };
  const known = Object.keys(value).every((name) => ['tool_call_id', 'name', 'content'].includes(name));
  if (!known || !isNamed(value.name) || !isNamed(value.tool_call_id)) return { text: body };
  const about = {
    ...(typeof value.tool_call_id === 'string' ? { id: value.tool_call_id } : {}),
    ...(typeof value.name === 'string' ? { name: value.name } : {}),
  };
  const content = contentIn(body, value.content);
  return { ...about, text: about.id === undefined || content === undefined ? body : content };
}

const isNamed = (value: JsonValue | undefined): boolean => value === undefined || typeof value === 'string';

function contentIn(body: string, content: JsonValue): string | undefined {
  if (typeof content === 'string') return holdsJson(content) ? undefined : content;
  const member = membersOf(body).findLast(({ name }) => name === 'content');
  return member && typeof content === 'object' && content !== null ? body.slice(member.start, member.end) : undefined;
}

/** True for the text of a JSON object or list. */
export const holdsJson = (text: string): boolean => /^\s*[[{]/.test(text) && parseJson(text) !== undefined;
