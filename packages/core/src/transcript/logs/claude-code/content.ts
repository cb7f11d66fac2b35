/**
 * Content blocks of Claude Code messages, which are those of the Anthropic Messages API, as parts and back.
 * What a block holds beyond its part stands in `extra`: `rest` for members without a name of ours, `shape` for a way of
 * writing that is not the default one.
 */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import type { Extra, FilePart, ImagePart, Origin, OtherPart, Part, ResultContent, TextPart } from '../../message.ts';
import { asList, asName, asObject, asText, asTime, defined, isList, omit } from '../../wire/values.ts';
import { noteReport, type UsageLog } from '../drafts.ts';
import { ownFields } from '../written-lines.ts';

const format = 'claude-code';

/** Reads one block; a block of unknown type or broken shape becomes an `other` part as it came. */
export function partFromBlock(block: JsonValue): Part {
  if (!isJsonObject(block)) return { type: 'other', value: block };
  switch (block.type) {
    case 'thinking':
      return reasoningFrom(block);
    case 'redacted_thinking':
      if (typeof block.data !== 'string') return { type: 'other', value: block };
      return { type: 'reasoning', text: '', encrypted: block.data, ...extra(omit(block, ['type', 'data'])) };
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return callFrom(block, block.type !== 'tool_use');
    default:
      return asText(block.type)?.endsWith('tool_result') ? resultFrom(block) : contentFromBlock(block);
  }
}

function reasoningFrom(block: JsonObject): Part {
  if (typeof block.thinking !== 'string') return { type: 'other', value: block };
  const { signature } = block;
  const known = typeof signature === 'string' ? ['type', 'thinking', 'signature'] : ['type', 'thinking'];
  return {
    type: 'reasoning',
    text: block.thinking,
    ...(typeof signature === 'string' ? { signature } : {}),
    ...extra(omit(block, known)),
  };
}

function callFrom(block: JsonObject, server: boolean): Part {
  const { id, name, input } = block;
  if (typeof id !== 'string' || typeof name !== 'string' || input === undefined) return { type: 'other', value: block };
  const known = block.type === 'mcp_tool_use' ? ['id', 'name', 'input'] : ['type', 'id', 'name', 'input'];
  return {
    type: 'toolCall',
    callId: id,
    name,
    input: JSON.stringify(input),
    inputType: 'json',
    ...(server ? { server: true } : {}),
    ...extra(omit(block, known)),
  };
}

function resultFrom(block: JsonObject): Part {
  const { tool_use_id: callId, is_error: isError } = block;
  if (typeof callId !== 'string') return { type: 'other', value: block };
  const server = block.type !== 'tool_result';
  const known = ['tool_use_id', 'content'];
  if (!server) known.push('type');
  if (typeof isError === 'boolean') known.push('is_error');
  const { content, shape } = contentFrom(block.content);
  return {
    type: 'toolResult',
    callId,
    content,
    ...(typeof isError === 'boolean' ? { isError } : {}),
    ...(server ? { server: true } : {}),
    ...extra(omit(block, known), shape),
  };
}

/** By default a single plain text is written as a string and everything else as a list. */
function contentFrom(value: JsonValue | undefined): { content: ResultContent[]; shape?: string } {
  if (value === undefined) return { content: [], shape: 'none' };
  if (typeof value === 'string') return { content: [{ type: 'text', text: value }] };
  if (!isList(value)) return { content: [{ type: 'other', value }], shape: 'single' };
  const content = value.map(contentFromBlock);
  return isPlainText(content) ? { content, shape: 'list' } : { content };
}

function contentFromBlock(block: JsonValue): ResultContent {
  if (!isJsonObject(block)) return { type: 'other', value: block };
  if (block.type === 'text' && typeof block.text === 'string') {
    return { type: 'text', text: block.text, ...extra(omit(block, ['type', 'text'])) };
  }
  if (block.type === 'image') return imageFrom(block);
  if (block.type === 'document') return documentFrom(block);
  return { type: 'other', value: block };
}

function imageFrom(block: JsonObject): ImagePart | OtherPart {
  const found = attachmentFrom(asObject(block.source));
  if (!found || 'text' in found.body) return { type: 'other', value: block };
  return { type: 'image', ...found.body, ...extra(omit(block, ['type', 'source']), undefined, found.rest) };
}

function documentFrom(block: JsonObject): FilePart | OtherPart {
  const found = attachmentFrom(asObject(block.source));
  if (!found) return { type: 'other', value: block };
  const { title } = block;
  const known = typeof title === 'string' ? ['type', 'source', 'title'] : ['type', 'source'];
  return {
    type: 'file',
    ...found.body,
    ...(typeof title === 'string' ? { name: title } : {}),
    ...extra(omit(block, known), undefined, found.rest),
  };
}

type Body = { mediaType?: string } & ({ data: string } | { url: string } | { fileId: string } | { text: string });

/** The member that holds the attachment, by the type of its source. */
const sourceMembers: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ['base64', 'data'],
  ['url', 'url'],
  ['file', 'file_id'],
  ['text', 'data'],
]);

function attachmentFrom(source: JsonObject): { body: Body; rest: JsonObject } | undefined {
  const member = sourceMembers.get(source.type);
  const value = member === undefined ? undefined : source[member];
  if (member === undefined || typeof value !== 'string') return undefined;
  const known = ['type', member];
  const mediaType = asText(source.media_type);
  if (mediaType !== undefined) known.push('media_type');
  const kind = mediaType === undefined ? {} : { mediaType };
  const rest = omit(source, known);
  if (source.type === 'text') return { body: { ...kind, text: value }, rest };
  if (member === 'data') return { body: { ...kind, data: value }, rest };
  return { body: { ...kind, ...(member === 'url' ? { url: value } : { fileId: value }) }, rest };
}

function extra(rest: JsonObject, shape?: string, source: JsonObject = {}): { extra?: Extra } {
  const fields: { [name: string]: JsonValue } = {};
  if (Object.keys(rest).length > 0) fields.rest = rest;
  if (shape !== undefined) fields.shape = shape;
  if (Object.keys(source).length > 0) fields.source = source;
  return Object.keys(fields).length > 0 ? { extra: { format, fields } } : {};
}

/** True for content that a string can carry. */
export const isPlainText = (parts: readonly Part[]): parts is readonly [TextPart] =>
  parts.length === 1 && parts[0]?.type === 'text' && !('rest' in ownFields(parts[0].extra, format));

/** Writes one part; the server's tools keep their own block types. */
export function blockFromPart(part: Part): JsonValue {
  const fields = ownFields(part.extra, format);
  const rest = asObject(fields.rest);
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...rest };
    case 'reasoning':
      if (part.encrypted !== undefined) return { type: 'redacted_thinking', data: part.encrypted, ...rest };
      return { type: 'thinking', thinking: part.text, ...signatureOf(part.signature), ...rest };
    case 'toolCall':
      return {
        type: part.server ? 'server_tool_use' : 'tool_use',
        id: part.callId,
        name: part.name,
        input: inputOf(part.input, part.inputType),
        ...rest,
      };
    case 'toolResult':
      return {
        type: part.server ? `${part.name ?? 'web_search'}_tool_result` : 'tool_result',
        tool_use_id: part.callId,
        ...contentOf(part.content, fields.shape),
        ...(part.isError === undefined ? {} : { is_error: part.isError }),
        ...rest,
      };
    case 'image':
      return { type: 'image', source: { ...sourceOf(part), ...asObject(fields.source) }, ...rest };
    case 'file':
      return fileBlock(part, { ...sourceOf(part), ...asObject(fields.source) }, rest);
    case 'other':
      return part.value;
  }
}

const signatureOf = (signature: string | undefined): JsonObject => (signature === undefined ? {} : { signature });

/** The API takes an object; text that is not JSON is wrapped into one. */
function inputOf(input: string, inputType: 'json' | 'text'): JsonValue {
  const value = inputType === 'json' ? parseJson(input) : undefined;
  return value === undefined ? { input } : value;
}

function contentOf(content: readonly ResultContent[], shape: JsonValue | undefined): JsonObject {
  const [first] = content;
  if (shape === 'none' && content.length === 0) return {};
  if (shape === 'single' && content.length === 1 && first?.type === 'other') return { content: first.value };
  if (shape !== 'list' && isPlainText(content)) return { content: content[0].text };
  return { content: content.map(blockFromPart) };
}

function sourceOf(part: ImagePart | FilePart): JsonObject {
  const kind: JsonObject = part.mediaType === undefined ? {} : { media_type: part.mediaType };
  if (part.data !== undefined) return { type: 'base64', ...kind, data: part.data };
  if (part.url !== undefined) return { type: 'url', ...kind, url: part.url };
  if (part.fileId !== undefined) return { type: 'file', ...kind, file_id: part.fileId };
  const text = part.type === 'file' ? (part.text ?? '') : '';
  return { type: 'text', ...kind, data: text };
}

function fileBlock(part: FilePart, source: JsonObject, rest: JsonObject): JsonObject {
  return { type: 'document', source, ...(part.name === undefined ? {} : { title: part.name }), ...rest };
}

/** The parts of a content field, and how it was written if not as a list. */
export function partsFromContent(content: JsonValue | undefined): { parts: Part[]; shape?: string } | undefined {
  if (typeof content === 'string') return { parts: [{ type: 'text', text: content }], shape: 'text' };
  return isList(content) ? { parts: asList(content).map(partFromBlock) } : undefined;
}

/** The content field that gave the parts. */
export function contentFromParts(parts: readonly Part[], shape: JsonValue | undefined): JsonValue {
  return shape === 'text' && isPlainText(parts) ? parts[0].text : parts.map(blockFromPart);
}

// Who is behind a user message of Claude Code.

/** Elements that the program writes in the user's place: commands and their output, reminders, notifications. */
const hostElement =
  /^<(command-(?:name|message|args|contents)|local-command-[\w-]+|bash-(?:input|stdout|stderr)|system-reminder|task-notification|agent-notification|user-memory-input|session-start-hook|user-prompt-submit-hook|ide_[\w-]+|teammate-message|agent-message|new-diagnostics|tick)\b[^>]*>[\s\S]*?<\/\1>\s*/;

/** A notification is followed by where to read more. */
const hostOpening =
  /^(?:\[Request interrupted by user[^\]\n]*\]\s*$|Caveat: The messages below were generated|<task-notification>)/;

const summaryOpening = 'This session is being continued from a previous conversation that ran out of context';

/** The origin as far as the log tells it; undefined leaves the question to the text. */
export function claudeCodeOrigin(record: JsonObject, parts: readonly Part[]): Origin | undefined {
  if (record.isCompactSummary === true) return 'summary';
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length === 0 && parts.some((part) => part.type === 'toolResult')) return undefined;
  if (texts[0]?.startsWith(summaryOpening)) return 'summary';
  // What a sub-agent is asked is written by the agent that started it.
  if (record.isMeta === true || record.isSidechain === true || isFromProgram(record)) return 'host';
  return originOfText(texts.join('\n').trim());
}

function isFromProgram(record: JsonObject): boolean {
  const kind = asText(asObject(record.origin).kind);
  const mode = asText(record.commandMode);
  return (kind !== undefined && kind !== 'human') || mode === 'task-notification';
}

/** What the program queues about a task that it moved into the background: `{"task_id":…,"task_type":…}`. */
function isTaskNote(text: string): boolean {
  if (!text.startsWith('{') || !text.includes('"task_id"')) return false;
  const note = asObject(parseJson(text));
  return typeof note.task_id === 'string' && typeof note.task_type === 'string';
}

/** Words that remain when the program's elements are taken away are a person's. */
function originOfText(text: string): Origin | undefined {
  if (hostOpening.test(text) || isTaskNote(text)) return 'host';
  let words = text;
  for (let found = hostElement.exec(words); found; found = hostElement.exec(words))
    words = words.slice(found[0].length);
  if (words.length === text.length) return undefined;
  return words === '' ? 'host' : 'person';
}

// Usage in session logs of Claude Code: `message.usage`, repeated on every line of a message.

/** Takes the report in a line; messages of sub-agents, which the log tells of as progress, count as calls of a side. */
export function noteClaudeUsage(log: UsageLog, record: JsonObject): void {
  if (record.type === 'assistant') noteMessage(log, { message: asObject(record.message), time: record.timestamp });
  const told = asObject(asObject(record.data).message);
  if (record.type === 'progress' && told.type === 'assistant')
    noteMessage(log, { message: asObject(told.message), time: told.timestamp ?? record.timestamp, ofSide: true });
}

interface Told {
  readonly message: JsonObject;
  readonly time: JsonObject[string] | undefined;
  readonly ofSide?: true;
}

/**
 * Versions 2.0 and later write lines while the answer streams, with the counts from its start, and never the final ones: no
 * line then names a reason for stopping. What Claude Code says itself (`<synthetic>`) was no call.
 */
function noteMessage(log: UsageLog, { message, time, ofSide }: Told): void {
  const { usage, stop_reason: reason } = message;
  const id = asName(message.id);
  const model = asName(message.model);
  if (id === undefined || !isJsonObject(usage) || model === '<synthetic>') return;
  const isPartial = reason === null ? (true as const) : undefined;
  noteReport(log, defined({ id: `claude-code:${id}`, model, time: asTime(time), report: usage, isPartial, ofSide }));
}
