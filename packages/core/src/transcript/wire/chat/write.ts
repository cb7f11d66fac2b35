/** Messages into OpenAI chat messages, as a strict provider takes them. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { FormatName, Message, Part, ToolCallPart, ToolResultPart } from '../../message.ts';
import { messageText } from '../../text.ts';
import {
  fieldsOf,
  hintsOf,
  inputText,
  isBlank,
  originFormat,
  systemNote,
  valueOrText,
  withClientToolsOnly,
} from '../values.ts';
import { writeContent, writePart } from './content.ts';

const format = 'openai-chat';

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
    const isOwn = originFormat(message, from) === format;
    // What a provider ran itself has no place of its own here, whoever made the message.
    for (const piece of withClientToolsOnly(message)) {
      const results = piece.parts.filter((part) => part.type === 'toolResult');
      for (const [index, result] of results.entries()) {
        written.push(resultMessage(piece, result, { from, isOwn, isFirst: index === 0 }));
        if (!isOwn) waiting.push(...attachments(result, from));
      }
      if (results.length > 0 && results.length === piece.parts.length) continue;
      flush();
      written.push(...spokenMessages(piece, from, { isOwn, isStart: written.every(isSystem) }));
    }
  }
  flush();
  return written;
}

const isSystem = (message: JsonObject): boolean => message.role === 'system' || message.role === 'developer';

interface ResultContext {
  readonly from: FormatName;
  readonly isOwn: boolean;
  readonly isFirst: boolean;
}

function resultMessage(message: Message, result: ToolResultPart, { from, isOwn, isFirst }: ResultContext): JsonObject {
  const hints = isFirst ? hintsOf(message.extra, format) : {};
  const fields = isFirst ? fieldsOf(message.extra, format) : {};
  const isLegacy = hints.role === 'function';
  const content = isOwn
    ? writeContent(result.content, from, { shape: hints.content, usual: '' })
    : foreignResult(result, from);
  const hasId = !isLegacy && !(hints.id === 'absent' && result.callId === '');
  return {
    role: typeof hints.role === 'string' ? hints.role : 'tool',
    ...(hasId ? { tool_call_id: result.callId } : {}),
    ...(result.name !== undefined && isOwn ? { name: result.name } : {}),
    ...(content === undefined ? {} : { content }),
    ...fields,
  };
}

/** Texts of a foreign result; providers refuse an empty one. */
function foreignResult(result: ToolResultPart, from: FormatName): JsonValue {
  const texts = result.content.filter((part) => part.type !== 'image' && !(part.type === 'file' && part.data));
  const content = writeContent(texts, from, { shape: undefined, usual: '' });
  if (content !== '' && content !== undefined) return content;
  return texts.length < result.content.length ? '(see the attachment below)' : '(no output)';
}

function attachments(result: ToolResultPart, from: FormatName): readonly JsonValue[] {
  const parts = result.content.filter((part) => part.type === 'image' || (part.type === 'file' && part.data));
  if (parts.length === 0) return [];
  const text = `<tool-attachments call-id="${result.callId}"></tool-attachments>`;
  return [{ type: 'text', text }, ...parts.flatMap((part) => writePart(part, from))];
}

interface SpokenContext {
  readonly isOwn: boolean;
  readonly isStart: boolean;
}

/** What remains of a message without its results: one message, or none when nothing is left of a foreign one. */
function spokenMessages(message: Message, from: FormatName, { isOwn, isStart }: SpokenContext): readonly JsonObject[] {
  if (message.role === 'assistant') return assistantMessage(message, from, isOwn);
  if (message.role === 'system' && !isOwn) {
    const text = messageText(message);
    if (isBlank(text)) return [];
    return [isStart ? { role: 'system', content: text } : { role: 'user', content: systemNote(text) }];
  }
  const parts = message.parts.filter((part) => part.type !== 'toolResult');
  const hints = hintsOf(message.extra, format);
  const content = writeContent(parts, from, { shape: hints.content, usual: '' });
  if (!isOwn && (content === '' || content === undefined)) return [];
  const role = message.role === 'tool' ? 'user' : message.role;
  return [
    {
      role: typeof hints.role === 'string' ? hints.role : role,
      ...(content === undefined ? {} : { content }),
      ...(message.name !== undefined && isOwn ? { name: message.name } : {}),
      ...fieldsOf(message.extra, format),
    },
  ];
}

function assistantMessage(message: Message, from: FormatName, isOwn: boolean): readonly JsonObject[] {
  const hints = hintsOf(message.extra, format);
  const named = (part: Part): JsonValue | undefined => (isOwn ? hintsOf(part.extra, format).field : undefined);
  const spoken = message.parts.filter((part) => named(part) === undefined && canSpeak(part, isOwn));
  const content = writeContent(spoken, from, { shape: hints.content, usual: null });
  const calls = message.parts.flatMap((part): readonly JsonValue[] => {
    if (part.type === 'other') return named(part) === 'tool_calls' ? [part.value] : [];
    return part.type === 'toolCall' && named(part) === undefined ? [writeCall(part, from)] : [];
  });
  if (!isOwn && calls.length === 0 && (content === null || content === undefined)) return [];
  const fields = isOwn ? ownFields(message, named) : {};
  return [
    {
      role: typeof hints.role === 'string' ? hints.role : 'assistant',
      ...(content === undefined ? {} : { content }),
      ...(message.name !== undefined && isOwn ? { name: message.name } : {}),
      ...fields,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    },
  ];
}

/** Providers take text from an assistant and nothing else. */
const canSpeak = (part: Part, isOwn: boolean): boolean =>
  part.type === 'text' || (isOwn && (part.type === 'image' || part.type === 'file' || part.type === 'other'));

/** The fields of an assistant message beside content and calls. */
function ownFields(message: Message, named: (part: Part) => JsonValue | undefined): JsonObject {
  const fields: { [name: string]: JsonValue } = { ...fieldsOf(message.extra, format) };
  const details: JsonValue[] = [];
  for (const part of message.parts) {
    const field = named(part);
    if (part.type === 'reasoning') {
      if (field === 'reasoning_details') details.push(writeDetail(part));
      else if (part.extra?.format === format || !part.extra) fields[String(field ?? 'reasoning_content')] = part.text;
    } else if (field === 'reasoning_details' && part.type === 'other') details.push(part.value);
    else if (field === 'refusal' && part.type === 'text') fields.refusal = part.text;
    else if (field === 'audio' && part.type === 'file') fields.audio = writeAudio(part);
    else if (field === 'function_call' && part.type === 'toolCall') {
      fields.function_call = { name: part.name, arguments: part.input, ...fieldsOf(part.extra, format) };
    }
  }
  if (details.length > 0) fields.reasoning_details = details;
  // The repetition of a reasoning that is no longer there would be all that is left of it.
  else if (!message.parts.some((part) => part.type === 'reasoning') && fields.reasoning) delete fields.reasoning;
  return fields;
}

function writeDetail(part: Extract<Part, { type: 'reasoning' }>): JsonObject {
  const { key } = hintsOf(part.extra, format);
  return {
    ...fieldsOf(part.extra, format),
    ...(key === 'summary' ? { summary: part.text } : key === 'text' || part.text !== '' ? { text: part.text } : {}),
    ...(part.signature === undefined ? {} : { signature: part.signature }),
    ...(part.encrypted === undefined ? {} : { data: part.encrypted }),
  };
}

function writeAudio(part: Extract<Part, { type: 'file' }>): JsonObject {
  const { data, inner } = hintsOf(part.extra, format);
  return {
    ...(part.fileId === undefined ? {} : { id: part.fileId }),
    ...(data === undefined ? {} : { data }),
    ...(part.text === undefined ? {} : { transcript: part.text }),
    ...(isJsonObject(inner) ? inner : {}),
  };
}

/** A call as the format writes it. Free-form input of other formats becomes arguments, which must be an object. */
function writeCall(part: ToolCallPart, from: FormatName): JsonObject {
  const isOwn = originFormat(part, from) === format;
  const hints = hintsOf(part.extra, format);
  const fields = fieldsOf(part.extra, format);
  const inner = isJsonObject(hints.inner) ? hints.inner : {};
  const id = hints.id === 'absent' && part.callId === '' ? {} : { id: part.callId };
  if (isOwn && part.inputType === 'text') {
    return { ...id, type: 'custom', custom: { name: part.name, input: part.input, ...inner }, ...fields };
  }
  const type = hints.type === 'absent' ? {} : { type: hints.type ?? 'function' };
  const input = isOwn ? ownArguments(part, hints.input) : { arguments: inputText(part.input, part.inputType) };
  return { ...id, ...type, function: { name: part.name, ...input, ...inner }, ...fields };
}

/** Arguments as they came: a string, broken or not; some writers put the object itself there, or nothing. */
function ownArguments(part: ToolCallPart, shape: JsonValue | undefined): JsonObject {
  if (shape === 'absent' && part.input === '{}') return {};
  return { arguments: shape === 'value' ? valueOrText(part.input) : part.input };
}
