/** Messages of the Anthropic Messages API, read and written: request bodies with `system`, bare lists, and lines of either. */

import { defined } from '../../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Format } from '../../format.ts';
import type { FilePart, FormatName, ImagePart, Message, Part, ResultContent } from '../../message.ts';
import { messageText } from '../../text.ts';
import { listFormat, type ReadContext, readEach, type Verdict } from '../bodies.ts';
import { attachmentMark, inputValue, keeping, type Place, plainText, readContent, writeContent } from '../parts.ts';
import { type ForeignParts, foreignPart, systemNote, writeTurns } from '../turns.ts';
import { asObject, filled, hasAny, is, json, maybe, take } from '../values.ts';

const format = 'anthropic';
const { extraOf, ownExtra, other, fieldsOf, hintsOf, isSameProvider, isOwn } = keeping(format);

export const anthropic: Format = listFormat({
  name: format,
  title: 'Anthropic Messages: messages or request bodies, JSON or JSONL',
  keys: ['messages'],
  item: verdict,
  envelope: (body) =>
    is.text(body.system) || is.list(body.system) || hasAny(body, ['stop_sequences', 'anthropic_version'])
      ? 'own'
      : 'plain',
  plain: 0.3,
  lead: { keys: ['system'], read: fromAnthropicSystem },
  read: fromAnthropic,
  write: ({ messages, format: from }) => {
    const { system, messages: items } = toAnthropic(messages, from);
    return { items, fields: system === undefined ? {} : { system } };
  },
});

function verdict(value: JsonValue): Verdict {
  if (!isJsonObject(value) || (value.role !== 'user' && value.role !== 'assistant')) return 'foreign';
  if (hasAny(value, ['tool_calls', 'parts'])) return 'foreign';
  const blocks = is.list(value.content) ? value.content.map(blockVerdict) : [];
  return blocks.includes('foreign') ? 'foreign' : blocks.includes('own') ? 'own' : 'plain';
}

const ownTypes =
  /^(?:thinking|redacted_thinking|tool_use|tool_result|server_tool_use|mcp_tool_use|document|search_result|container_upload)$|_tool_result$/;

function blockVerdict(block: JsonValue): Verdict {
  if (!isJsonObject(block)) return 'foreign';
  if (block.type === 'text') return 'providerOptions' in block ? 'foreign' : 'plain';
  if (block.type === 'image') return isJsonObject(block.source) ? 'own' : 'foreign';
  return ownTypes.test(String(block.type)) ? 'own' : 'foreign';
}

// Reading: one message each.

/**
 * Reads a list of Anthropic messages. A user message with tool results stays one message, whatever stands beside them.
 * What is not a message is reported and left out; unknown blocks are kept as they came.
 */
export function fromAnthropic(list: readonly JsonValue[], context: ReadContext = {}): readonly Message[] {
  return readEach(list, context, {
    expected: 'a message with the role user or assistant',
    read: (value) => {
      const { role, content, ...fields } = asObject(value);
      if (role !== 'user' && role !== 'assistant' && role !== 'system') return undefined;
      const { parts, shape } = readContent(content, readBlock, 'list');
      return { role, parts, ...extraOf(fields, { content: shape, role: role === 'system' ? 'system' : undefined }) };
    },
  });
}

/** The system prompt of a request as the message that leads the list; undefined when there is none. */
export function fromAnthropicSystem(system: JsonValue | undefined): Message | undefined {
  if (!is.text(system) && !is.list(system)) return undefined;
  const { parts, shape } = readContent(system, readBlock, 'list');
  return { role: 'system', parts, ...extraOf({}, { content: shape }) };
}

/** Reads one block; one of unknown type or shape becomes an `other` part as it came. */
export function readBlock(value: JsonValue): Part {
  const block = asObject(value);
  const type = is.text(block.type) ? block.type : '';
  if (type === 'thinking' || type === 'redacted_thinking') return readThinking(block) ?? other(value);
  if (/^(?:server_|mcp_)?tool_use$/.test(type)) return readCall(block) ?? other(value);
  if (type.endsWith('tool_result')) return readResult(block) ?? other(value);
  return readContentBlock(value);
}

function readThinking(block: JsonObject): Part | undefined {
  if (block.type === 'redacted_thinking') {
    const hidden = take(block, { type: is.text, data: is.text, thinking: is.absent, signature: is.absent });
    return hidden && { type: 'reasoning', text: '', encrypted: hidden.data, ...ownExtra(hidden.rest) };
  }
  const shown = take(block, { type: is.text, thinking: is.text, signature: is.maybeText, data: is.absent });
  if (!shown) return undefined;
  return defined({ type: 'reasoning', text: shown.thinking, signature: shown.signature, ...ownExtra(shown.rest) });
}

function readCall(block: JsonObject): Part | undefined {
  const call = take(block, { type: is.text, id: is.text, name: is.text, input: is.given });
  if (!call) return undefined;
  const { type, id: callId, name, rest } = call;
  const server = type === 'tool_use' ? undefined : true;
  const extra = extraOf(rest, { type: type === 'mcp_tool_use' ? type : undefined });
  return defined({
    type: 'toolCall',
    callId,
    name,
    input: JSON.stringify(call.input),
    inputType: 'json',
    server,
    ...extra,
  });
}

/** Results of the provider's own tools have a type of their own each, and their content is a list or one object. */
function readResult(block: JsonObject): Part | undefined {
  const result = take(block, { type: is.text, tool_use_id: is.text, is_error: maybe(is.flag) }, { content: is.given });
  if (!result) return undefined;
  const { type, tool_use_id: callId, is_error: said, rest } = result;
  const server = type === 'tool_result' ? undefined : true;
  const isBad = isJsonObject(result.content) && is.text(result.content.type) && result.content.type.endsWith('_error');
  const isError = said ?? (server && isBad ? true : undefined);
  const { parts: content, shape } = readContent(result.content, readContentBlock, 'absent');
  const hints = { content: shape, type: server && type, isError: isError === said ? undefined : 'content' };
  return defined({ type: 'toolResult', callId, content, isError, server, ...extraOf(rest, hints) });
}

/** Blocks that may stand in a message and in a result. */
function readContentBlock(value: JsonValue): ResultContent {
  const block = asObject(value);
  if (block.type === 'text') {
    const known = take(block, { type: is.text, text: is.text });
    if (known) return { type: 'text', text: known.text, ...extraOf(known.rest) };
  }
  if (block.type === 'container_upload') {
    const known = take(block, { type: is.text, file_id: is.text });
    if (known) return { type: 'file', fileId: known.file_id, ...extraOf(known.rest, { type: 'container_upload' }) };
  }
  const isFile = block.type === 'document';
  const shown = take(block, { type: is.text, source: isJsonObject }, isFile ? { title: is.text } : {});
  const isKnown = (isFile || block.type === 'image') && is.maybeText(asObject(block.source).media_type);
  const place = shown && isKnown ? readSource(shown.source) : undefined;
  if (!shown || !place || (!isFile && 'text' in place.body)) return other(value);
  const extra = extraOf(shown.rest, { source: place.rest });
  // Only a document has a text.
  if (!isFile) return { type: 'image', ...place.body, ...extra } as ImagePart;
  return defined({ type: 'file', ...place.body, name: shown.title, ...extra });
}

/** The member that holds an attachment, and its name here, by the type of its source. */
const sources: Readonly<Record<string, readonly [member: string, name: 'data' | 'url' | 'fileId' | 'text']>> = {
  base64: ['data', 'data'],
  url: ['url', 'url'],
  file: ['file_id', 'fileId'],
  text: ['data', 'text'],
};

/** Where an attachment stands, and what else its source says. */
export function readSource(source: JsonObject): { body: Place; rest?: JsonObject | undefined } | undefined {
  const [member, name] = (is.text(source.type) && Object.hasOwn(sources, source.type) && sources[source.type]) || [];
  if (member === undefined || name === undefined) return undefined;
  const known = take(source, { type: is.text, [member]: is.text }, { media_type: is.text });
  if (!known) return undefined;
  // The member was taken as a text, and exactly one of the four names is set.
  const body = defined({ mediaType: known.media_type, [name]: source[member] }) as Place;
  return { body, rest: filled(known.rest) };
}

// Writing.

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
  const leading = messages.findIndex((message) => message.role !== 'system' || hintsOf(message).role === 'system');
  const start = leading < 0 ? messages.length : leading;
  const written = writeTurns(messages.slice(start), from, {
    format,
    model: 'assistant',
    list: 'content',
    own: (message) => writeOwn(message, from),
    isResult: ({ type }) => type === 'tool_result',
    note: (text) => text,
    foreign,
    kept: (part, message) => {
      const isKept = [message, part].some((one) => isSameProvider(one, from));
      return isKept ? [writeBlock(part, from)].filter((block) => !isEmptyText(block)) : undefined;
    },
  });
  return defined({ system: writeSystem(messages.slice(0, start), from), messages: written });
}

/** True for a block of text that providers refuse as empty. */
const isEmptyText = (block: JsonValue): boolean => {
  const { type, text } = asObject(block);
  return type === 'text' && is.text(text) && is.blank(text);
};

function writeSystem(messages: readonly Message[], from: FormatName): JsonValue | undefined {
  const [first, ...more] = messages;
  if (first && more.length === 0 && isOwn(first, from)) {
    return writeContent(
      first.parts.map((part) => writeBlock(part, from)),
      hintsOf(first).content,
      'list',
    );
  }
  const parts = messages.flatMap((message) => message.parts.filter((part) => part.type === 'text'));
  const texts = parts.flatMap((part) => foreignPart(part, foreign));
  return texts.length > 1 ? texts : plainText(texts[0]);
}

function writeOwn(message: Message, from: FormatName): JsonObject {
  const hints = hintsOf(message);
  const isNote = message.role === 'system' && hints.role !== 'system';
  if (isNote) return { role: 'user', content: systemNote(messageText(message)) };
  const content = writeContent(
    message.parts.map((part) => writeBlock(part, from)),
    hints.content,
    'list',
  );
  return json({ role: message.role === 'tool' ? 'user' : message.role, content, ...fieldsOf(message) });
}

/** A part of this format, or of the same provider, as its block. */
export function writeBlock(part: Part, from: FormatName = format): JsonValue {
  const fields = fieldsOf(part);
  const hints = hintsOf(part);
  const { type } = hints;
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...fields };
    case 'reasoning':
      if (part.encrypted !== undefined) return { type: 'redacted_thinking', data: part.encrypted, ...fields };
      return json({ type: 'thinking', thinking: part.text, signature: part.signature, ...fields });
    case 'toolCall': {
      const block = { id: part.callId, name: part.name, input: inputValue(part, isOwn(part, from)), ...fields };
      return { type: part.server ? (type ?? 'server_tool_use') : 'tool_use', ...block };
    }
    case 'toolResult': {
      const usual = hints.content === undefined ? 'absent' : 'list';
      const content = writeContent(
        part.content.map((one) => writeBlock(one, from)),
        hints.content,
        usual,
      );
      const isError = hints.isError === 'content' ? undefined : part.isError;
      const own = part.server ? `${part.name ?? 'web_search'}_tool_result` : 'tool_result';
      return json({ type: type ?? own, tool_use_id: part.callId, content, is_error: isError, ...fields });
    }
    case 'image':
    case 'file':
      return writeAttachment(part, isSameProvider(part, from));
    case 'other':
      return part.value;
  }
}

/** How parts of other providers are written. */
const foreign: ForeignParts = {
  text: (text) => ({ type: 'text', text }),
  write: (part) => {
    // Ids may hold letters, digits, `_` and `-` only.
    const id = 'callId' in part ? part.callId.replace(/[^a-zA-Z0-9_-]/g, '_') : '';
    if (part.type === 'toolCall') return { type: 'tool_use', id, name: part.name, input: inputValue(part, false) };
    if (part.type !== 'toolResult') return writeAttachment(part, false);
    const blocks = part.content.flatMap((one) => foreignPart(one, foreign));
    const content = writeContent(blocks, undefined, 'absent');
    return json({ type: 'tool_result', tool_use_id: id, content, is_error: part.isError });
  },
};

/** Documents are PDF or plain text; of another file only its mark can be shown, unless this format brought it. */
function writeAttachment(part: ImagePart | FilePart, own: boolean): JsonValue {
  const fields = fieldsOf(part);
  if (part.type === 'file' && hintsOf(part).type === 'container_upload') {
    return { type: 'container_upload', file_id: part.fileId ?? '', ...fields };
  }
  const text = part.type === 'file' ? part.text : undefined;
  const isKnown =
    own || part.type === 'image' || part.mediaType === 'application/pdf' || (text ?? part.url) !== undefined;
  const source = isKnown ? sourceOf(part, own, text) : undefined;
  if (!source) return { type: 'text', text: attachmentMark(part) };
  if (part.type === 'image') return { type: 'image', source, ...fields };
  return json({ type: 'document', source, title: part.name, ...fields });
}

/** Base64 needs a media type, and an id of an uploaded file means something to its own provider only. */
function sourceOf(part: ImagePart | FilePart, own: boolean, text: string | undefined): JsonObject | undefined {
  const { data, url, fileId, mediaType } = part;
  const rest = asObject(hintsOf(part).source);
  const known = (usual?: string): string | undefined => mediaType ?? (own ? undefined : usual);
  const usual = part.type === 'image' ? 'image/png' : 'application/pdf';
  if (data !== undefined) return json({ type: 'base64', media_type: known(usual), data, ...rest });
  if (url !== undefined) return json({ type: 'url', media_type: own ? mediaType : undefined, url, ...rest });
  if (fileId !== undefined)
    return own ? json({ type: 'file', media_type: mediaType, file_id: fileId, ...rest }) : undefined;
  return text === undefined ? undefined : json({ type: 'text', media_type: known('text/plain'), data: text, ...rest });
}
