/**
 * Content blocks of Claude Code messages, which are those of the Anthropic Messages API, as parts and back.
 * What a block holds beyond its part stands in `extra`: `rest` for members without a name of ours, `shape` for a way of
 * writing that is not the default one.
 */

import { defined } from '../../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import {
  type FilePart,
  type ImagePart,
  type Message,
  messageHash,
  type Origin,
  type Part,
  type ResultContent,
  type TextPart,
  type Transcript,
} from '../../message.ts';
import { carriesCalls, messageText } from '../../text.ts';
import { readSource } from '../../wire/anthropic/messages.ts';
import { withClientToolsOnly } from '../../wire/turns.ts';
import { asName, asObject, asText, asTime, is, json, take } from '../../wire/values.ts';
import * as log from '../log.ts';

const { extraOf, fieldsOf, restOf } = log.keepingRest('claude-code');

/** The parts of a content field, and how it was written if not as a list. */
export function partsFromContent(content: JsonValue | undefined): { parts: Part[]; shape?: string } | undefined {
  if (is.text(content)) return { parts: [{ type: 'text', text: content }], shape: 'text' };
  return is.list(content) ? { parts: content.map(partFromBlock) } : undefined;
}

/** Reads one block; a block of unknown type or broken shape becomes an `other` part as it came. */
function partFromBlock(value: JsonValue): Part {
  const block = asObject(value);
  const type = asText(block.type) ?? '';
  if (type === 'thinking' || type === 'redacted_thinking') return reasoningFrom(block) ?? { type: 'other', value };
  if (/^(?:server_|mcp_)?tool_use$/.test(type)) return callFrom(block, type) ?? { type: 'other', value };
  if (type.endsWith('tool_result')) return resultFrom(block, type) ?? { type: 'other', value };
  return contentFromBlock(value);
}

function reasoningFrom(block: JsonObject): Part | undefined {
  if (block.type === 'redacted_thinking') {
    const hidden = take(block, { type: is.text, data: is.text });
    return hidden && { type: 'reasoning', text: '', encrypted: hidden.data, ...extraOf(hidden.rest) };
  }
  const shown = take(block, { type: is.text, thinking: is.text }, { signature: is.text });
  if (!shown) return undefined;
  return defined({ type: 'reasoning', text: shown.thinking, signature: shown.signature, ...extraOf(shown.rest) });
}

function callFrom(block: JsonObject, type: string): Part | undefined {
  const known = type === 'mcp_tool_use' ? {} : { type: is.text };
  const call = take(block, { id: is.text, name: is.text, input: is.given, ...known });
  if (!call) return undefined;
  const { id: callId, name, rest } = call;
  const server = type === 'tool_use' ? undefined : true;
  const input = JSON.stringify(call.input);
  return defined({ type: 'toolCall', callId, name, input, inputType: 'json', server, ...extraOf(rest) });
}

function resultFrom(block: JsonObject, type: string): Part | undefined {
  const server = type === 'tool_result' ? undefined : true;
  const optional = { content: is.given, is_error: is.flag };
  const result = take(block, { tool_use_id: is.text, ...(server ? {} : { type: is.text }) }, optional);
  if (!result) return undefined;
  const { content, shape } = contentFrom(result.content);
  const { tool_use_id: callId, is_error: isError, rest } = result;
  return defined({ type: 'toolResult', callId, content, isError, server, ...extraOf(rest, { shape }) });
}

/** By default a single plain text is written as a string and everything else as a list. */
function contentFrom(value: JsonValue | undefined): { content: readonly ResultContent[]; shape?: string } {
  if (value === undefined) return { content: [], shape: 'none' };
  if (is.text(value)) return { content: [{ type: 'text', text: value }] };
  if (!is.list(value)) return { content: [{ type: 'other', value }], shape: 'single' };
  const content = value.map(contentFromBlock);
  return isPlainText(content) ? { content, shape: 'list' } : { content };
}

function contentFromBlock(value: JsonValue): ResultContent {
  const block = asObject(value);
  if (block.type === 'text') {
    const known = take(block, { type: is.text, text: is.text });
    return known ? { type: 'text', text: known.text, ...extraOf(known.rest) } : { type: 'other', value };
  }
  const place = readSource(asObject(block.source));
  const isFile = block.type === 'document';
  const shown = take(block, { type: is.text, source: isJsonObject }, isFile ? { title: is.text } : {});
  if (!shown || !place || !(isFile || (block.type === 'image' && !('text' in place.body))))
    return { type: 'other', value };
  const extra = extraOf(shown.rest, { source: place.rest });
  // Only a document has a text.
  if (!isFile) return { type: 'image', ...place.body, ...extra } as ImagePart;
  return defined({ type: 'file', ...place.body, name: shown.title, ...extra });
}

/** True for content that a string can carry. */
const isPlainText = (parts: readonly Part[]): parts is readonly [TextPart] =>
  parts.length === 1 && parts[0]?.type === 'text' && !('rest' in fieldsOf(parts[0]));

/** The content field that gave the parts. */
function contentFromParts(parts: readonly Part[], shape: JsonValue | undefined): JsonValue {
  return shape === 'text' && isPlainText(parts) ? parts[0].text : parts.map(blockFromPart);
}

/** Writes one part; the server's tools keep their own block types. */
function blockFromPart(part: Part): JsonValue {
  const { shape, source } = fieldsOf(part);
  const rest = restOf(part);
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...rest };
    case 'reasoning':
      if (part.encrypted !== undefined) return { type: 'redacted_thinking', data: part.encrypted, ...rest };
      return json({ type: 'thinking', thinking: part.text, signature: part.signature, ...rest });
    case 'toolCall': {
      // The API takes an object; text that is not JSON is wrapped into one.
      const value = part.inputType === 'json' ? parseJson(part.input) : undefined;
      const call = { id: part.callId, name: part.name, input: value === undefined ? { input: part.input } : value };
      return { type: part.server ? 'server_tool_use' : 'tool_use', ...call, ...rest };
    }
    case 'toolResult': {
      const type = part.server ? `${part.name ?? 'web_search'}_tool_result` : 'tool_result';
      const content = contentOf(part.content, shape);
      return json({ type, tool_use_id: part.callId, content, is_error: part.isError, ...rest });
    }
    case 'image':
      return { type: 'image', source: { ...sourceOf(part), ...asObject(source) }, ...rest };
    case 'file':
      return json({ type: 'document', source: { ...sourceOf(part), ...asObject(source) }, title: part.name, ...rest });
    case 'other':
      return part.value;
  }
}

function contentOf(content: readonly ResultContent[], shape: JsonValue | undefined): JsonValue | undefined {
  const [first] = content;
  if (shape === 'none' && content.length === 0) return undefined;
  if (shape === 'single' && content.length === 1 && first?.type === 'other') return first.value;
  return contentFromParts(content, shape === 'list' ? undefined : 'text');
}

function sourceOf(part: ImagePart | FilePart): JsonObject {
  const kind = json({ media_type: part.mediaType });
  if (part.data !== undefined) return { type: 'base64', ...kind, data: part.data };
  if (part.url !== undefined) return { type: 'url', ...kind, url: part.url };
  if (part.fileId !== undefined) return { type: 'file', ...kind, file_id: part.fileId };
  return { type: 'text', ...kind, data: part.type === 'file' ? (part.text ?? '') : '' };
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
export function noteClaudeUsage(calls: log.UsageLog, record: JsonObject): void {
  if (record.type === 'assistant') noteMessage(calls, { message: asObject(record.message), time: record.timestamp });
  const told = asObject(asObject(record.data).message);
  if (record.type === 'progress' && told.type === 'assistant')
    noteMessage(calls, { message: asObject(told.message), time: told.timestamp ?? record.timestamp, ofSide: true });
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
function noteMessage(calls: log.UsageLog, { message, time, ofSide }: Told): void {
  const { usage, stop_reason: reason } = message;
  const id = asName(message.id);
  const model = asName(message.model);
  if (id === undefined || !isJsonObject(usage) || model === '<synthetic>') return;
  const isPartial = reason === null ? (true as const) : undefined;
  log.noteReport(
    calls,
    defined({ id: `claude-code:${id}`, model, time: asTime(time), report: usage, isPartial, ofSide }),
  );
}

// Writes Claude Code session logs. Lines that were read from one are written as they stood; new messages become lines
// that `claude --resume` accepts: a line a message, linked into one chain.

const format = 'claude-code';

export function writeClaudeCode(transcript: Transcript): Iterable<string> {
  const sessionId = log.sessionIdOf(transcript, format);
  const lines = log.messageLines(transcript, knownLines, (message, line) =>
    newLines(transcript, message, { ...line, sessionId }),
  );
  const { extra, title } = transcript;
  const isOwn = extra?.format === format;
  if (!isOwn && title !== undefined) lines.push({ record: { type: 'custom-title', customTitle: title, sessionId } });
  const ordered = log.inFileOrder(lines, isOwn ? log.keptLines(transcript) : []);
  return log.jsonLines(log.linked(ordered, { id: 'uuid', parent: 'parentUuid' }, log.straysOf(transcript)));
}

function knownLines(message: Message): readonly log.WrittenLine[] | undefined {
  const entries = log.entriesOf(message, format);
  const [first, ...rest] = entries;
  if (!first) return undefined;
  if (asObject(first.record).type === 'queue-operation') {
    // A queued text stands in the first line; the second one, which says that it was delivered, may name it.
    const content = contentFromParts(message.parts, first.shape);
    return [{ ...first, isNamed: true }, ...rest].map((entry: JsonObject) =>
      log.lineAt(entry, { ...asObject(entry.record), ...(entry.isNamed === true ? { content } : {}) }),
    );
  }
  const pieces = log.partsByLine(message, entries);
  // A message that was changed since stands whole in its first line.
  if (!pieces) return [knownLine(first, message.parts)];
  return entries.map((entry, index) => knownLine(entry, pieces[index] ?? []));
}

function knownLine(entry: JsonObject, parts: readonly Part[]): log.WrittenLine {
  const content = contentFromParts(parts, entry.shape);
  const said: JsonObject =
    'attachment' in entry
      ? { attachment: { ...asObject(entry.attachment), prompt: content } }
      : { message: { ...asObject(entry.message), content } };
  return log.lineAt(entry, { ...asObject(entry.record), ...said });
}

interface SessionLine extends log.NewLine {
  readonly sessionId: string;
}

function newLines(transcript: Transcript, message: Message, line: SessionLine): readonly log.WrittenLine[] {
  const { sessionId, index, time, opens } = line;
  const seed = `${sessionId} ${index}`;
  const base = (seed: string, content: string): JsonObject => ({
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd: transcript.workingDirectory ?? '/',
    sessionId,
    version: '2.1.0',
    gitBranch: '',
    uuid: log.uuidOf(`${seed} ${content}`),
    timestamp: time,
  });
  const boundary: JsonObject = {
    ...base(seed, 'boundary'),
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    isMeta: false,
    level: 'info',
    compactMetadata: { trigger: 'auto', preTokens: 0 },
  };
  // Blocks of the provider's own tools and its reasoning mean something to this provider only.
  const keeps = transcript.format === format || transcript.format === 'anthropic';
  const pieces = keeps ? [message] : withClientToolsOnly(message);
  const records = pieces.flatMap((piece, at) => {
    const own = `${seed}.${at}`;
    const said = newRecord(piece, own, keeps);
    return said ? [{ ...base(own, messageHash(piece)), ...said }] : [];
  });
  return [...(opens ? [boundary] : []), ...records].map((record) => ({ record }));
}

function newRecord(message: Message, seed: string, keeps: boolean): JsonObject | undefined {
  const { role, origin, model } = message;
  // Claude Code has a system prompt of its own: one from elsewhere is kept where a person can read it.
  if (role === 'system') {
    return { type: 'system', subtype: 'informational', content: messageText(message), isMeta: true };
  }
  // Reasoning that Claude did not sign is refused by its API.
  const isOurs = (part: Part): boolean =>
    keeps || part.type !== 'reasoning' || (part.signature !== undefined && (model?.startsWith('claude') ?? false));
  const parts = message.parts.filter(isOurs);
  if (parts.length === 0) return undefined;
  if (role === 'assistant') {
    return { type: 'assistant', message: assistantMessage(message, contentFromParts(parts, 'list'), seed) };
  }
  const said = { type: 'user', message: { role: 'user', content: contentFromParts(parts, 'text') } };
  if (origin === 'summary') return { isCompactSummary: true, isVisibleInTranscriptOnly: true, ...said };
  return origin === 'host' ? { isMeta: true, ...said } : said;
}

function assistantMessage(message: Message, content: JsonValue, seed: string): JsonObject {
  const newId = log
    .uuidOf(`${seed} ${messageHash(message)}`)
    .replaceAll('-', '')
    .slice(0, 24);
  return {
    id: message.providerId ?? `msg_${newId}`,
    type: 'message',
    role: 'assistant',
    model: message.model ?? 'unknown',
    content,
    stop_reason: carriesCalls(message) ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
  };
}
