/**
 * Messages of the OpenAI Chat Completions API and of everything that speaks it: lists, request bodies, lines of either,
 * and arrays of finished conversations under `traj` (τ-bench). Each chat message becomes one message, calls and results under
 * their ids.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Format } from '../../format.ts';
import type { Message, Part, ReasoningPart, Role, ToolCallPart, ToolResultPart } from '../../message.ts';
import { bodyText, gatheringReader, likelihood, notAMessage, transcriptOf, type Verdict } from '../lists.ts';
import { asText, extraOf, isList, ownExtra, type ReadContext, withSource } from '../values.ts';
import { readContent } from './content.ts';
import { toOpenAiChat } from './write.ts';

const format = 'openai-chat';

const roles: ReadonlyMap<string, Role> = new Map([
  ['system', 'system'],
  ['developer', 'system'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
  ['model', 'assistant'],
  ['human', 'user'],
]);

/** Roles as the format names them; any other is kept as a hint. */
const usualRoles: ReadonlySet<string> = new Set(['system', 'user', 'assistant', 'tool']);

/**
 * Reads a list of chat messages. What is not a message is reported and left out; everything else is kept, unknown
 * fields in `extra`. Calls of the old `function_call` kind, which have no id, get one from their place in the list.
 *
 * @example
 * import { fromOpenAiChat } from '@palimpsest/core';
 * const messages = fromOpenAiChat([
 *   { role: 'system', content: 'You move ledgers.' },
 *   { role: 'user', content: 'Move the ledgers.' },
 * ]);
 */
export function fromOpenAiChat(list: readonly JsonValue[], { sources, report }: ReadContext = {}): readonly Message[] {
  const messages: Message[] = [];
  const openFunctions: ToolCallPart[] = [];
  for (const [index, value] of list.entries()) {
    const source = sources?.[index];
    if (!isJsonObject(value) || typeof value.role !== 'string') {
      report?.(notAMessage(value, source, 'a chat message with a role'));
      continue;
    }
    if (!roles.has(value.role)) {
      const message = `expected a role of OpenAI chat, found ${JSON.stringify(value.role.slice(0, 40))}: read as user`;
      report?.({ level: 'note', line: source?.line ?? 0, message });
    }
    messages.push(withSource(readMessage(value, index, openFunctions), source));
  }
  return messages;
}

function readMessage(value: JsonObject, index: number, openFunctions: ToolCallPart[]): Message {
  const name = String(value.role);
  const role = roles.get(name) ?? 'user';
  const hint = usualRoles.has(name) ? undefined : name;
  if (role === 'assistant') return readAssistant(value, index, { hint, openFunctions });
  if (role === 'tool') return readResult(value, hint, openFunctions);
  const { role: _, content, name: author, ...rest } = value;
  const { parts, shape } = readContent(content, '');
  const known = asText(author);
  const fields = author !== undefined && known === undefined ? { ...rest, name: author } : rest;
  return {
    role,
    parts,
    // A role that nobody knows is no person's.
    ...(roles.has(name) ? {} : { origin: 'host' as const }),
    ...(known === undefined ? {} : { name: known }),
    ...extraOf(format, fields, { content: shape, role: hint }),
  };
}

interface AssistantContext {
  readonly hint: string | undefined;
  readonly openFunctions: ToolCallPart[];
}

function readAssistant(value: JsonObject, index: number, { hint, openFunctions }: AssistantContext): Message {
  const { role: _, ...rest } = value;
  const fields: { [name: string]: JsonValue } = rest;
  const parts: Part[] = readReasoning(fields);
  const { parts: content, shape } = readContent(fields.content, null);
  delete fields.content;
  parts.push(...content, ...readRefusal(fields), ...readAudio(fields), ...readCalls(fields));
  const legacy = readFunctionCall(fields, index);
  if (legacy) {
    parts.push(legacy);
    openFunctions.push(legacy);
  }
  const name = asText(fields.name);
  if (name !== undefined) delete fields.name;
  const extra = extraOf(format, fields, { content: shape, role: hint });
  return { role: 'assistant', parts, ...(name === undefined ? {} : { name }), ...extra };
}

type Fields = { [name: string]: JsonValue };

/**
 * Reasoning stands under a name of the provider's choice: `reasoning_content` (DeepSeek), `reasoning` and
 * `reasoning_details` (OpenRouter). Where there are details, they carry the text, and `reasoning` repeats it.
 */
function readReasoning(fields: Fields): Part[] {
  const details = fields.reasoning_details;
  if (isList(details) && details.length > 0) {
    delete fields.reasoning_details;
    return details.map(readDetail);
  }
  for (const field of ['reasoning_content', 'reasoning']) {
    const text = fields[field];
    if (typeof text === 'string' && text !== '') {
      delete fields[field];
      return [{ type: 'reasoning', text, ...ownExtra(format, {}, { field }) }];
    }
  }
  return [];
}

function readDetail(value: JsonValue): Part {
  const hints = { field: 'reasoning_details' };
  if (!isJsonObject(value)) return { type: 'other', value, ...ownExtra(format, {}, hints) };
  const { text, summary, signature, data, ...fields } = value;
  const readable = asText(text) ?? asText(summary);
  const isKnown = [text, summary, signature, data].every((each) => each === undefined || typeof each === 'string');
  if (!isKnown || (text !== undefined && summary !== undefined)) {
    return { type: 'other', value, ...ownExtra(format, {}, hints) };
  }
  const key = text !== undefined ? 'text' : summary !== undefined ? 'summary' : undefined;
  const part: ReasoningPart = {
    type: 'reasoning',
    text: readable ?? '',
    ...ownExtra(format, fields, { ...hints, key }),
  };
  return {
    ...part,
    ...(typeof signature === 'string' ? { signature } : {}),
    ...(typeof data === 'string' ? { encrypted: data } : {}),
  };
}

function readRefusal(fields: Fields): Part[] {
  const { refusal } = fields;
  if (typeof refusal !== 'string' || refusal === '') return [];
  delete fields.refusal;
  return [{ type: 'text', text: refusal, ...extraOf(format, {}, { field: 'refusal' }) }];
}

/** Spoken answers: the audio itself in a response, only its id when it is sent back. */
function readAudio(fields: Fields): Part[] {
  const { audio } = fields;
  if (!isJsonObject(audio) || typeof audio.id !== 'string') return [];
  const { id, data, transcript, ...inner } = audio;
  const isText = (value: JsonValue | undefined): boolean => value === undefined || typeof value === 'string';
  if (!isText(data) || !isText(transcript)) return [];
  delete fields.audio;
  const hints = { field: 'audio', data: data ?? undefined, inner };
  const text = asText(transcript);
  return [{ type: 'file', fileId: id, ...(text === undefined ? {} : { text }), ...extraOf(format, {}, hints) }];
}

function readCalls(fields: Fields): Part[] {
  const calls = fields.tool_calls;
  if (!isList(calls) || calls.length === 0) return [];
  delete fields.tool_calls;
  return calls.map(readCall);
}

function readCall(value: JsonValue): Part {
  const other = (): Part => ({ type: 'other', value, ...ownExtra(format, {}, { field: 'tool_calls' }) });
  if (!isJsonObject(value)) return other();
  const { id, type, function: func, custom, ...fields } = value;
  const isCustom = type === 'custom';
  const inner = isCustom ? custom : func;
  if (!isJsonObject(inner) || typeof inner.name !== 'string' || (isCustom ? func : custom) !== undefined)
    return other();
  if (id !== undefined && typeof id !== 'string') return other();
  const { name, [isCustom ? 'input' : 'arguments']: input, ...rest } = inner;
  const hints = {
    type: type === (isCustom ? 'custom' : 'function') ? undefined : (type ?? 'absent'),
    id: id === undefined ? 'absent' : undefined,
    input: typeof input === 'string' ? undefined : input === undefined ? 'absent' : 'value',
    inner: Object.keys(rest).length > 0 ? rest : undefined,
  };
  return {
    type: 'toolCall',
    callId: id ?? '',
    name,
    input: typeof input === 'string' ? input : JSON.stringify(input === undefined ? {} : input),
    inputType: isCustom ? 'text' : 'json',
    ...extraOf(format, fields, hints),
  };
}

function readFunctionCall(fields: Fields, index: number): ToolCallPart | undefined {
  const call = fields.function_call;
  if (!isJsonObject(call) || typeof call.name !== 'string' || typeof call.arguments !== 'string') return undefined;
  delete fields.function_call;
  const { name, arguments: input, ...inner } = call;
  const extra = extraOf(format, inner, { field: 'function_call' });
  return { type: 'toolCall', callId: `function_call_${index}`, name, input, inputType: 'json', ...extra };
}

/** A result of a `tool` message names its call; one of a `function` message answers the last call of that function. */
function readResult(value: JsonObject, hint: string | undefined, openFunctions: ToolCallPart[]): Message {
  const { role: _, tool_call_id: id, name: tool, content, ...fields } = value;
  const { parts, shape } = readContent(content, '');
  const name = asText(tool);
  const answered = hint === 'function' ? openFunctions.findLastIndex((call) => call.name === name) : -1;
  const [call] = answered < 0 ? [] : openFunctions.splice(answered, 1);
  const result: ToolResultPart = {
    type: 'toolResult',
    callId: asText(id) ?? call?.callId ?? '',
    ...(name === undefined ? {} : { name }),
    content: parts,
  };
  const odd = {
    ...(id !== undefined && typeof id !== 'string' ? { tool_call_id: id } : {}),
    ...(tool !== undefined && name === undefined ? { name: tool } : {}),
  };
  const hints = { content: shape, role: hint, id: id === undefined ? 'absent' : undefined };
  return { role: 'tool', parts: [result], ...extraOf(format, { ...fields, ...odd }, hints) };
}

const places = { keys: ['messages', 'traj', 'conversations', 'history'] };
const shape = { format: 'openai-chat', list: 'messages' } as const;

export const openAiChat: Format = {
  name: 'openai-chat',
  title: 'OpenAI Chat Completions: messages or request bodies, JSON or JSONL',
  detect: (records) => likelihood(records, { places, item: verdict, envelope: () => 'plain', plain: 0.5 }),
  reader: (report) =>
    gatheringReader(places, (gathered) => {
      const values = gathered.items.map(({ value }) => value);
      const sources = gathered.items.map(({ source }) => source);
      return transcriptOf(shape, gathered, fromOpenAiChat(values, { sources, report }));
    }),
  write: (transcript) => bodyText(shape, transcript, { items: toOpenAiChat(transcript.messages, transcript.format) }),
};

const ownRoles: ReadonlySet<JsonValue> = new Set(['tool', 'developer', 'function']);
const ownKeys: readonly string[] = ['tool_calls', 'function_call', 'refusal', 'reasoning_content', 'reasoning_details'];

function verdict(value: JsonValue): Verdict {
  if (!isJsonObject(value) || typeof value.role !== 'string') return 'foreign';
  const content = isList(value.content) ? value.content.map(partVerdict) : [];
  if (content.includes('foreign')) return 'foreign';
  const isOwnRole = ownRoles.has(value.role) && !(isList(value.content) && value.content.some(isAiSdkPart));
  return isOwnRole || ownKeys.some((key) => key in value) || content.includes('own') ? 'own' : 'plain';
}

const isAiSdkPart = (part: JsonValue): boolean => isJsonObject(part) && String(part.type).startsWith('tool-');

function partVerdict(part: JsonValue): Verdict {
  if (!isJsonObject(part)) return 'foreign';
  if (part.type === 'text') return hasProviderOptions(part) ? 'foreign' : 'plain';
  if (part.type === 'image_url' || part.type === 'input_audio' || part.type === 'refusal') return 'own';
  return part.type === 'file' && isJsonObject(part.file) ? 'own' : 'foreign';
}

const hasProviderOptions = (part: JsonObject): boolean => 'providerOptions' in part;
