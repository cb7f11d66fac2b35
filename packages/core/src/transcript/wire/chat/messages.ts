/**
 * Messages of the OpenAI Chat Completions API and of everything that speaks it, read and written: lists, request bodies,
 * lines of either, and arrays of finished conversations under `traj` (τ-bench). Each chat message becomes one message,
 * calls and results under their ids.
 */

import { defined } from '../../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Format } from '../../format.ts';
import type { FormatName, Message, Part, ReasoningPart, Role, ToolCallPart, ToolResultPart } from '../../message.ts';
import { messageText } from '../../text.ts';
import { listFormat, type ReadContext, readEach, type Verdict } from '../bodies.ts';
import { inputText, keeping, readContent, valueOrText, writeContent } from '../parts.ts';
import { systemNote, withClientToolsOnly } from '../turns.ts';
import { asName, asObject, asText, filled, hasAny, is, json, take } from '../values.ts';
import { isAttachment, partVerdict, readPart, writePart } from './content.ts';

const format = 'openai-chat';
const { extraOf, ownExtra, other, fieldsOf, hintsOf, isOwn } = keeping(format);

export const openAiChat: Format = listFormat({
  name: format,
  title: 'OpenAI Chat Completions: messages or request bodies, JSON or JSONL',
  keys: ['messages', 'traj', 'conversations', 'history'],
  item: verdict,
  plain: 0.5,
  read: fromOpenAiChat,
  write: ({ messages, format: from }) => ({ items: toOpenAiChat(messages, from) }),
});

const ownRoles: ReadonlySet<JsonValue> = new Set(['tool', 'developer', 'function']);
const ownKeys = ['tool_calls', 'function_call', 'refusal', 'reasoning_content', 'reasoning_details'];

function verdict(value: JsonValue): Verdict {
  if (!isJsonObject(value) || !is.text(value.role)) return 'foreign';
  const parts = is.list(value.content) ? value.content : [];
  const verdicts = parts.map(partVerdict);
  if (verdicts.includes('foreign')) return 'foreign';
  const isAiSdk = parts.some((part) => String(asObject(part).type).startsWith('tool-'));
  return (ownRoles.has(value.role) && !isAiSdk) || hasAny(value, ownKeys) || verdicts.includes('own') ? 'own' : 'plain';
}

// Reading.

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
export function fromOpenAiChat(list: readonly JsonValue[], context: ReadContext = {}): readonly Message[] {
  const openFunctions: ToolCallPart[] = [];
  return readEach(list, context, {
    expected: 'a chat message with a role',
    read: (value, index) => {
      if (!isJsonObject(value) || !is.text(value.role)) return undefined;
      const name = value.role;
      const role = roles.get(name);
      if (!role) {
        const message = `expected a role of OpenAI chat, found ${JSON.stringify(name.slice(0, 40))}: read as user`;
        context.report?.({ level: 'note', line: context.sources?.[index]?.line ?? 0, message });
      }
      // A role as the format names it needs no hint.
      const hint = role === name ? undefined : name;
      if (role === 'assistant') return readAssistant(value, index, { hint, openFunctions });
      return role === 'tool' ? readResult(value, hint, openFunctions) : readGiven(value, role, hint);
    },
  });
}

function readGiven({ role: _, content, ...fields }: JsonObject, role: Role | undefined, hint?: string): Message {
  const { parts, shape } = readContent(content, readPart, 'string');
  const { name, rest = {} } = take(fields, {}, { name: is.text }) ?? {};
  const extra = extraOf(rest, { content: shape, role: hint });
  // A role that nobody knows is no person's.
  return defined({ role: role ?? 'user', parts, origin: role ? undefined : 'host', name, ...extra });
}

type Fields = { [name: string]: JsonValue };

interface AssistantContext {
  readonly hint: string | undefined;
  readonly openFunctions: ToolCallPart[];
}

/** What becomes a part leaves the fields. */
function readAssistant(value: JsonObject, index: number, { hint, openFunctions }: AssistantContext): Message {
  const { role: _, ...rest } = value;
  const fields: Fields = rest;
  const parts: Part[] = readReasoning(fields);
  const { parts: said, shape } = readContent(fields.content, readPart, 'null');
  delete fields.content;
  parts.push(...said, ...readRefusal(fields), ...readAudio(fields), ...readCalls(fields));
  const legacy = readFunctionCall(fields, index);
  parts.push(...legacy);
  openFunctions.push(...legacy);
  const name = asText(fields.name);
  if (name !== undefined) delete fields.name;
  return defined({ role: 'assistant', parts, name, ...extraOf(fields, { content: shape, role: hint }) });
}

/**
 * Reasoning stands under a name of the provider's choice: `reasoning_content` (DeepSeek), `reasoning` and
 * `reasoning_details` (OpenRouter). Where there are details, they carry the text, and `reasoning` repeats it.
 */
function readReasoning(fields: Fields): Part[] {
  const details = fields.reasoning_details;
  if (is.list(details) && details.length > 0) {
    delete fields.reasoning_details;
    return details.map(readDetail);
  }
  const field = ['reasoning_content', 'reasoning'].find((name) => asName(fields[name]) !== undefined);
  const text = asName(fields[field ?? '']);
  if (field === undefined || text === undefined) return [];
  delete fields[field];
  return [{ type: 'reasoning', text, ...ownExtra({}, { field }) }];
}

function readDetail(value: JsonValue): Part {
  const field = 'reasoning_details';
  const shape = { text: is.maybeText, summary: is.maybeText, signature: is.maybeText, data: is.maybeText };
  const known = isJsonObject(value) ? take(value, shape) : undefined;
  if (!known || (known.text !== undefined && known.summary !== undefined)) return other(value, { field });
  const { text, summary, signature, data: encrypted, rest } = known;
  const key = text !== undefined ? 'text' : summary !== undefined ? 'summary' : undefined;
  const extra = ownExtra(rest, { field, key });
  return { type: 'reasoning', text: text ?? summary ?? '', ...extra, ...defined({ signature, encrypted }) };
}

function readRefusal(fields: Fields): Part[] {
  const text = asName(fields.refusal);
  if (text === undefined) return [];
  delete fields.refusal;
  return [{ type: 'text', text, ...extraOf({}, { field: 'refusal' }) }];
}

/** Spoken answers: the audio itself in a response, only its id when it is sent back. */
function readAudio(fields: Fields): Part[] {
  const known = take(asObject(fields.audio), { id: is.text, data: is.maybeText, transcript: is.maybeText });
  if (!known) return [];
  delete fields.audio;
  const { id: fileId, data, transcript: text, rest: inner } = known;
  return [defined({ type: 'file', fileId, text, ...extraOf({}, { field: 'audio', data, inner }) })];
}

function readCalls(fields: Fields): Part[] {
  const calls = fields.tool_calls;
  if (!is.list(calls) || calls.length === 0) return [];
  delete fields.tool_calls;
  return calls.map((value) => readCall(value) ?? other(value, { field: 'tool_calls' }));
}

function readCall(value: JsonValue): Part | undefined {
  const { type, function: func, custom, ...given } = asObject(value);
  const isCustom = type === 'custom';
  const [inner, stray, member] = isCustom ? [custom, func, 'input'] : [func, custom, 'arguments'];
  const outer = take(given, { id: is.maybeText });
  const call = take(asObject(inner), { name: is.text }, { [member]: is.given });
  if (!outer || !call || stray !== undefined) return undefined;
  const input = asObject(inner)[member];
  const hints = {
    type: type === (isCustom ? 'custom' : 'function') ? undefined : (type ?? 'absent'),
    id: outer.id === undefined ? 'absent' : undefined,
    input: is.text(input) ? undefined : input === undefined ? 'absent' : 'value',
    inner: filled(call.rest),
  };
  return {
    type: 'toolCall',
    callId: outer.id ?? '',
    name: call.name,
    input: is.text(input) ? input : JSON.stringify(input === undefined ? {} : input),
    inputType: isCustom ? 'text' : 'json',
    ...extraOf(outer.rest, hints),
  };
}

function readFunctionCall(fields: Fields, index: number): ToolCallPart[] {
  const call = take(asObject(fields.function_call), { name: is.text, arguments: is.text });
  if (!call) return [];
  delete fields.function_call;
  const { name, arguments: input, rest } = call;
  const extra = extraOf(rest, { field: 'function_call' });
  return [{ type: 'toolCall', callId: `function_call_${index}`, name, input, inputType: 'json', ...extra }];
}

/** A result of a `tool` message names its call; one of a `function` message answers the last call of that function. */
function readResult(value: JsonObject, hint: string | undefined, openFunctions: ToolCallPart[]): Message {
  const { role: _, content: said, ...fields } = value;
  const { parts: content, shape } = readContent(said, readPart, 'string');
  const { tool_call_id: id, name, rest = {} } = take(fields, {}, { tool_call_id: is.text, name: is.text }) ?? {};
  const answered = hint === 'function' ? openFunctions.findLastIndex((call) => call.name === name) : -1;
  const [call] = answered < 0 ? [] : openFunctions.splice(answered, 1);
  const result = defined({ type: 'toolResult', callId: id ?? call?.callId ?? '', name, content });
  const hints = { content: shape, role: hint, id: value.tool_call_id === undefined ? 'absent' : undefined };
  return { role: 'tool', parts: [result], ...extraOf(rest, hints) };
}

// Writing, as a strict provider takes it.

/**
 * Chat messages of a list. Messages that came from this format (`from`, or their own `extra`) are written as they came;
 * of others, what chat cannot carry is put as near as it goes: results beside a text become messages before it, images
 * in results follow in a user message, system messages in the middle become notes of a user message, empty texts and
 * reasoning are left out. Missing results stay missing.
 *
 * @example
 * import { toOpenAiChat, type Message } from '@palimpsest/core';
 * const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'Move the ledgers.' }] }];
 * toOpenAiChat(messages); // [{ role: 'user', content: 'Move the ledgers.' }]
 */
export function toOpenAiChat(messages: readonly Message[], from: FormatName = format): readonly JsonObject[] {
  const written: JsonObject[] = [];
  // Attachments of foreign results wait until all results of their group are there: nothing may stand between those.
  let waiting: JsonValue[] = [];
  const flush = (): void => {
    if (waiting.length > 0) written.push({ role: 'user', content: waiting });
    waiting = [];
  };
  for (const message of messages) {
    // What a provider ran itself has no place of its own here, whoever made the message.
    for (const piece of withClientToolsOnly(message)) {
      const results = piece.parts.filter((part) => part.type === 'toolResult');
      for (const [index, result] of results.entries()) {
        written.push(writeResult(index === 0 ? piece : undefined, result, { from, own: isOwn(message, from) }));
        if (isOwn(message, from)) continue;
        const attached = result.content.filter(isAttachment);
        const text = `<tool-attachments call-id="${result.callId}"></tool-attachments>`;
        if (attached.length > 0) waiting.push({ type: 'text', text });
        waiting.push(...attached.flatMap((part) => writePart(part, from)));
      }
      if (results.length > 0 && results.length === piece.parts.length) continue;
      flush();
      const isStart = written.every(({ role }) => role === 'system' || role === 'developer');
      written.push(...writeSpoken(piece, from, { own: isOwn(message, from), isStart }));
    }
  }
  flush();
  return written;
}

interface Whose {
  readonly from: FormatName;
  readonly own: boolean;
}

/** `message` is the one that the result stands first in. */
function writeResult(message: Message | undefined, result: ToolResultPart, { from, own }: Whose): JsonObject {
  const { role, id, content: shape } = hintsOf(message);
  const texts = own ? result.content : result.content.filter((part) => !isAttachment(part));
  const content = writeContent(
    texts.flatMap((part) => writePart(part, from)),
    own ? shape : undefined,
    'string',
  );
  // Providers refuse an empty result.
  const nothing = texts.length < result.content.length ? '(see the attachment below)' : '(no output)';
  return json({
    role: is.text(role) ? role : 'tool',
    tool_call_id: role === 'function' || (id === 'absent' && result.callId === '') ? undefined : result.callId,
    name: own ? result.name : undefined,
    content: own || content !== '' ? content : nothing,
    ...fieldsOf(message),
  });
}

/** What remains of a message without its results: one message, or none when nothing is left of a foreign one. */
function writeSpoken(
  message: Message,
  from: FormatName,
  { own, isStart }: { readonly own: boolean; readonly isStart: boolean },
): readonly JsonObject[] {
  if (message.role === 'assistant') return writeAssistant(message, from, own);
  if (message.role === 'system' && !own) {
    const text = messageText(message);
    if (is.blank(text)) return [];
    return [isStart ? { role: 'system', content: text } : { role: 'user', content: systemNote(text) }];
  }
  const hints = hintsOf(message);
  const parts = message.parts.flatMap((part) => writePart(part, from));
  const content = writeContent(parts, hints.content, 'string');
  if (!own && (content === '' || content === undefined)) return [];
  const role = message.role === 'tool' ? 'user' : message.role;
  const name = own ? message.name : undefined;
  return [json({ role: is.text(hints.role) ? hints.role : role, content, name, ...fieldsOf(message) })];
}

/** Providers take text from an assistant and nothing else. */
function writeAssistant(message: Message, from: FormatName, own: boolean): readonly JsonObject[] {
  const hints = hintsOf(message);
  const named = (part: Part): JsonValue | undefined => (own ? hintsOf(part).field : undefined);
  const spoken = message.parts.filter((part) => named(part) === undefined && (own || part.type === 'text'));
  const parts = spoken.flatMap((part) => writePart(part, from));
  const content = writeContent(parts, hints.content, 'null');
  const calls = message.parts.flatMap((part): readonly JsonValue[] => {
    if (part.type === 'other') return named(part) === 'tool_calls' ? [part.value] : [];
    return part.type === 'toolCall' && named(part) === undefined ? [writeCall(part, isOwn(part, from))] : [];
  });
  if (!own && calls.length === 0 && (content === null || content === undefined)) return [];
  return [
    json({
      role: is.text(hints.role) ? hints.role : 'assistant',
      content,
      name: own ? message.name : undefined,
      ...(own ? writeFields(message, named) : {}),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    }),
  ];
}

/** The fields of an assistant message beside content and calls. */
function writeFields(message: Message, named: (part: Part) => JsonValue | undefined): JsonObject {
  const fields: Fields = { ...fieldsOf(message) };
  const details: JsonValue[] = [];
  for (const part of message.parts) {
    const field = named(part);
    if (part.type === 'reasoning') {
      if (field === 'reasoning_details') details.push(writeDetail(part));
      else if (part.extra?.format === format || !part.extra) fields[String(field ?? 'reasoning_content')] = part.text;
    } else if (field === 'reasoning_details' && part.type === 'other') details.push(part.value);
    else if (field === 'refusal' && part.type === 'text') fields.refusal = part.text;
    else if (field === 'audio' && part.type === 'file') {
      const { data, inner } = hintsOf(part);
      fields.audio = json({ id: part.fileId, data, transcript: part.text, ...asObject(inner) });
    } else if (field === 'function_call' && part.type === 'toolCall') {
      fields.function_call = { name: part.name, arguments: part.input, ...fieldsOf(part) };
    }
  }
  if (details.length > 0) fields.reasoning_details = details;
  // The repetition of a reasoning that is no longer there would be all that is left of it.
  else if (!message.parts.some((part) => part.type === 'reasoning') && fields.reasoning) delete fields.reasoning;
  return fields;
}

function writeDetail(part: ReasoningPart): JsonObject {
  const { key } = hintsOf(part);
  const text = key === 'summary' || (key !== 'text' && part.text === '') ? undefined : part.text;
  const summary = key === 'summary' ? part.text : undefined;
  return { ...fieldsOf(part), ...json({ summary, text, signature: part.signature, data: part.encrypted }) };
}

/** A call as the format writes it. Free-form input of other formats becomes arguments, which must be an object. */
function writeCall(part: ToolCallPart, own: boolean): JsonObject {
  const { name, input } = part;
  const hints = hintsOf(part);
  const inner = asObject(hints.inner);
  const fields = fieldsOf(part);
  const id = hints.id === 'absent' && part.callId === '' ? undefined : part.callId;
  if (own && part.inputType === 'text')
    return json({ id, type: 'custom', custom: { name, input, ...inner }, ...fields });
  const type = hints.type === 'absent' ? undefined : (hints.type ?? 'function');
  const given = own ? ownArguments(part, hints.input) : inputText(input, part.inputType);
  return json({ id, type, function: json({ name, arguments: given, ...inner }), ...fields });
}

/** Arguments as they came: a string, broken or not; some writers put the object itself there, or nothing. */
function ownArguments({ input }: ToolCallPart, shape: JsonValue | undefined): JsonValue | undefined {
  if (shape === 'absent' && input === '{}') return undefined;
  return shape === 'value' ? valueOrText(input) : input;
}
