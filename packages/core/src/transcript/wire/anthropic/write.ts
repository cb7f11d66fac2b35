/** Messages into Anthropic messages, as the API takes them. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import type { FilePart, FormatName, ImagePart, Message, Part, ToolCallPart, ToolResultPart } from '../../message.ts';
import { carriesResults, messageText } from '../../text.ts';
import {
  attachmentMark,
  fieldsOf,
  hintsOf,
  inputObject,
  isBlank,
  isSameFamily,
  originFormat,
  systemNote,
  withClientToolsOnly,
} from '../values.ts';

const format = 'anthropic';

/** The two places where Anthropic keeps what was said. */
export interface AnthropicMessages {
  /** The system prompt; absent when the list does not start with one. */
  readonly system?: JsonValue;
  readonly messages: readonly JsonObject[];
}

/**
 * Anthropic messages of a list. Messages that came from this format (`from`, or their own `extra`) are written as they
 * came. Of others: all results of a step stand together in one message, and so does what the assistant said in one go;
 * system messages in the middle become notes of a user message; tools that the provider ran become ordinary calls; empty
 * texts and reasoning of other providers are left out. Missing results stay missing.
 */
export function toAnthropic(messages: readonly Message[], from: FormatName = format): AnthropicMessages {
  const leading = messages.findIndex((message) => !isLeadingSystem(message));
  const start = leading < 0 ? messages.length : leading;
  const system = writeSystem(messages.slice(0, start), from);
  const written: JsonObject[] = [];
  let isJoinable = false;
  for (const message of messages.slice(start)) {
    const isOwn = originFormat(message, from) === format;
    for (const piece of isOwn ? [message] : withClientToolsOnly(message)) {
      const next = isOwn ? writeOwn(piece, from) : writeForeign(piece, from);
      const last = written.at(-1);
      if (!isOwn && isJoinable && next && last && belongTogether(last, next)) {
        written[written.length - 1] = joined(last, next);
      } else if (next) written.push(next);
    }
    isJoinable = !isOwn;
  }
  return { ...(system === undefined ? {} : { system }), messages: written };
}

const isLeadingSystem = (message: Message): boolean =>
  message.role === 'system' && hintsOf(message.extra, format).role !== 'system';

function writeSystem(messages: readonly Message[], from: FormatName): JsonValue | undefined {
  const [first, ...more] = messages;
  if (!first) return undefined;
  if (more.length === 0 && originFormat(first, from) === format) {
    return writeContent(first.parts, from, hintsOf(first.extra, format).content);
  }
  const blocks = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'text' ? writeForeignPart(part) : [])),
  );
  const [block] = blocks;
  if (blocks.length === 0) return undefined;
  return blocks.length === 1 && isJsonObject(block) ? block.text : blocks;
}

function writeOwn(message: Message, from: FormatName): JsonObject {
  const hints = hintsOf(message.extra, format);
  const content = writeContent(message.parts, from, hints.content);
  const role = message.role === 'tool' ? 'user' : message.role;
  const isNote = role === 'system' && hints.role !== 'system';
  if (isNote) return { role: 'user', content: systemNote(messageText(message)) };
  return { role, ...(content === undefined ? {} : { content }), ...fieldsOf(message.extra, format) };
}

function writeForeign(message: Message, from: FormatName): JsonObject | undefined {
  if (message.role === 'system') {
    const text = messageText(message);
    return isBlank(text) ? undefined : { role: 'user', content: systemNote(text) };
  }
  const isSpeaker = message.role === 'assistant';
  const keeps = isSameFamily(originFormat(message, from), format);
  const blocks = message.parts.flatMap((part): readonly JsonValue[] => {
    if (keeps || isSameFamily(originFormat(part, from), format)) return [writeBlock(part, from)].filter(isNotBlank);
    if (isSpeaker && (part.type === 'image' || part.type === 'file' || part.type === 'other')) return [];
    return writeForeignPart(part);
  });
  if (blocks.length === 0) return undefined;
  return { role: isSpeaker ? 'assistant' : 'user', content: carriesResults(message) ? resultsFirst(blocks) : blocks };
}

const isNotBlank = (block: JsonValue): boolean =>
  !(isJsonObject(block) && block.type === 'text' && typeof block.text === 'string' && isBlank(block.text));

const joined = (first: JsonObject, second: JsonObject): JsonObject => ({
  ...first,
  content: [...blocksOf(first.content), ...blocksOf(second.content)],
});

/** What the assistant said in one go, and the results of one step. Users keep their messages: the host's are not theirs. */
function belongTogether(first: JsonObject, second: JsonObject): boolean {
  if (first.role !== second.role) return false;
  return first.role === 'assistant' || [first, second].every(({ content }) => blocksOf(content).every(isResult));
}

const isResult = (block: JsonValue): boolean => isJsonObject(block) && block.type === 'tool_result';

/** The API wants the results of a step before anything else in the message behind it. */
function resultsFirst(blocks: readonly JsonValue[]): readonly JsonValue[] {
  return [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
}

function blocksOf(content: JsonValue | undefined): readonly JsonValue[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

function writeContent(parts: readonly Part[], from: FormatName, shape: JsonValue | undefined): JsonValue | undefined {
  const blocks = parts.map((part) => writeBlock(part, from));
  const [first] = blocks;
  if (first === undefined) {
    if (shape === 'absent') return undefined;
    if (shape === 'null') return null;
    return shape === 'string' ? '' : [];
  }
  if (shape === 'bare' && blocks.length === 1) return first;
  return shape !== 'list' && blocks.length === 1 ? (plainText(first) ?? blocks) : blocks;
}

function plainText(block: JsonValue): string | undefined {
  if (!isJsonObject(block) || block.type !== 'text' || typeof block.text !== 'string') return undefined;
  return Object.keys(block).length === 2 ? block.text : undefined;
}

/** A part of this format, or of the same provider, as its block. */
export function writeBlock(part: Part, from: FormatName = format): JsonValue {
  const fields = fieldsOf(part.extra, format);
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...fields };
    case 'reasoning':
      if (part.encrypted !== undefined) return { type: 'redacted_thinking', data: part.encrypted, ...fields };
      return { type: 'thinking', thinking: part.text, ...signatureOf(part.signature), ...fields };
    case 'toolCall':
      return writeCall(part, from);
    case 'toolResult':
      return writeResult(part, from);
    case 'image':
      return writeImage(part, isSameFamily(originFormat(part, from), format));
    case 'file':
      return writeDocument(part, isSameFamily(originFormat(part, from), format));
    case 'other':
      return part.value;
  }
}

const signatureOf = (signature: string | undefined): JsonObject => (signature === undefined ? {} : { signature });

/** A part of another provider: nothing for what only that one understands. */
function writeForeignPart(part: Part): readonly JsonValue[] {
  switch (part.type) {
    case 'text':
      return isBlank(part.text) ? [] : [{ type: 'text', text: part.text }];
    case 'reasoning':
      return [];
    case 'toolCall':
      if (part.server) return [];
      return [
        { type: 'tool_use', id: wireId(part.callId), name: part.name, input: inputObject(part.input, part.inputType) },
      ];
    case 'toolResult':
      return [writeForeignResult(part)];
    case 'image':
      return [writeImage(part, false)];
    case 'file':
      return [writeDocument(part, false)];
    case 'other':
      return [{ type: 'text', text: JSON.stringify(part.value) }];
  }
}

/** Ids may hold letters, digits, `_` and `-` only. */
const wireId = (id: string): string => id.replace(/[^a-zA-Z0-9_-]/g, '_');

function writeForeignResult(part: ToolResultPart): JsonObject {
  const blocks = part.content.flatMap(writeForeignPart);
  const [first] = blocks;
  const text = blocks.length === 1 && first !== undefined ? plainText(first) : undefined;
  return {
    type: 'tool_result',
    tool_use_id: wireId(part.callId),
    ...(blocks.length > 0 ? { content: text ?? blocks } : {}),
    ...(part.isError === undefined ? {} : { is_error: part.isError }),
  };
}

function writeCall(part: ToolCallPart, from: FormatName): JsonObject {
  const { type } = hintsOf(part.extra, format);
  const isOwn = originFormat(part, from) === format && part.inputType === 'json';
  const value = isOwn ? parseJson(part.input) : undefined;
  return {
    type: part.server ? (type ?? 'server_tool_use') : 'tool_use',
    id: part.callId,
    name: part.name,
    input: value === undefined ? inputObject(part.input, part.inputType) : value,
    ...fieldsOf(part.extra, format),
  };
}

function writeResult(part: ToolResultPart, from: FormatName): JsonObject {
  const hints = hintsOf(part.extra, format);
  const fallback = part.server ? `${part.name ?? 'web_search'}_tool_result` : 'tool_result';
  const isEmpty = part.content.length === 0;
  const content = isEmpty && hints.content === undefined ? undefined : writeContent(part.content, from, hints.content);
  return {
    type: hints.type ?? fallback,
    tool_use_id: part.callId,
    ...(content === undefined ? {} : { content }),
    ...(part.isError === undefined || hints.isError === 'content' ? {} : { is_error: part.isError }),
    ...fieldsOf(part.extra, format),
  };
}

function writeImage(part: ImagePart, isOwn: boolean): JsonValue {
  const source = sourceOf(part, isOwn);
  if (!source) return { type: 'text', text: attachmentMark(part) };
  return { type: 'image', source, ...fieldsOf(part.extra, format) };
}

/** Documents are PDF or plain text; of another file only its mark can be shown, unless this format brought it. */
function writeDocument(part: FilePart, isOwn: boolean): JsonValue {
  const hints = hintsOf(part.extra, format);
  const fields = fieldsOf(part.extra, format);
  if (hints.type === 'container_upload') return { type: 'container_upload', file_id: part.fileId ?? '', ...fields };
  const isKnown = isOwn || part.text !== undefined || part.mediaType === 'application/pdf' || part.url !== undefined;
  const source = isKnown ? sourceOf(part, isOwn) : undefined;
  if (!source) return { type: 'text', text: attachmentMark(part) };
  return { type: 'document', source, ...(part.name === undefined ? {} : { title: part.name }), ...fields };
}

/** Base64 needs a media type, and an id of an uploaded file means something to its own provider only. */
function sourceOf(part: ImagePart | FilePart, isOwn: boolean): JsonObject | undefined {
  const { source } = hintsOf(part.extra, format);
  const rest = isJsonObject(source) ? source : {};
  const kind: JsonObject = part.mediaType === undefined ? {} : { media_type: part.mediaType };
  if (part.data !== undefined) {
    const media =
      part.mediaType === undefined && !isOwn
        ? { media_type: part.type === 'image' ? 'image/png' : 'application/pdf' }
        : kind;
    return { type: 'base64', ...media, data: part.data, ...rest };
  }
  if (part.url !== undefined) return { type: 'url', ...(isOwn ? kind : {}), url: part.url, ...rest };
  if (part.fileId !== undefined) return isOwn ? { type: 'file', ...kind, file_id: part.fileId, ...rest } : undefined;
  if (part.type === 'file' && part.text !== undefined) {
    const media = part.mediaType === undefined && !isOwn ? { media_type: 'text/plain' } : kind;
    return { type: 'text', ...media, data: part.text, ...rest };
  }
  return undefined;
}
