/**
 * Writes Codex rollouts. Lines that were read from one are written as they stood; new messages become items that
 * `codex resume` accepts, with the events that its screen shows.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { messageHash } from '../../identity.ts';
import type { Message, Part, ToolResultPart, Transcript } from '../../message.ts';
import { isFromPerson } from '../../origin.ts';
import { messageText, resultText } from '../../text.ts';
import { withClientToolsOnly } from '../../wire/turns.ts';
import { asList, asObject } from '../../wire/values.ts';
import {
  entriesOf,
  inFileOrder,
  isUuid,
  jsonLines,
  keptLines,
  noTime,
  ownFields,
  partsByLine,
  uuidOf,
  type WrittenLine,
} from '../written-lines.ts';
import { itemOf } from './items.ts';

const format = 'codex';

export function writeCodex(transcript: Transcript): Iterable<string> {
  const { messages } = transcript;
  const fields = ownFields(transcript.extra, format);
  const isOwn = transcript.extra?.format === format;
  const leading = isOwn ? 0 : messages.findIndex((message) => message.role !== 'system');
  const start = leading < 0 ? messages.length : leading;
  const customCalls = customCallsOf(messages);
  let time = noTime;
  const lines = messages.slice(start).flatMap((message, index) => {
    time = message.time ?? time;
    const opens = transcript.compressions?.includes(index + start) ?? false;
    return knownLines(message) ?? newLines(message, { time, opens, customCalls, format: transcript.format });
  });
  const kept = isOwn ? keptLines(transcript) : [{ at: 0, record: newHeader(transcript, messages.slice(0, start)) }];
  const hasHeader = messages.some((message) => entriesOf(message, format).some((entry) => 'meta' in entry));
  // The first line stays even where the system message that it carried was left out.
  if (isJsonObject(fields.header) && !hasHeader) kept.push(headerLine(fields.header, ''));
  return jsonLines(inFileOrder(lines, kept).map(({ record }) => record));
}

function customCallsOf(messages: readonly Message[]): ReadonlySet<string> {
  const calls = messages.flatMap((message) => message.parts);
  return new Set(calls.flatMap((part) => (part.type === 'toolCall' && part.inputType === 'text' ? [part.callId] : [])));
}

function knownLines(message: Message): WrittenLine[] | undefined {
  const entries = entriesOf(message, format);
  const pieces = partsByLine(message, entries);
  if (entries.length === 0 || !pieces) return undefined;
  return entries.map((entry, index) => knownLine(entry, pieces[index] ?? []));
}

function knownLine(entry: JsonObject, parts: readonly Part[]): WrittenLine {
  if ('meta' in entry) return headerLine(entry, messageText({ role: 'system', parts }));
  const record = 'compacted' in entry ? compactedRecord(entry, parts) : itemRecord(entry, parts);
  return typeof entry.line === 'number' ? { at: entry.line, record } : { record };
}

function itemRecord(entry: JsonObject, parts: readonly Part[]): JsonObject {
  const item = itemOf(asObject(entry.item), parts);
  return 'record' in entry ? { ...asObject(entry.record), payload: item } : item;
}

function headerLine(entry: JsonObject, text: string): WrittenLine {
  const meta = asObject(entry.meta);
  const own =
    entry.member === 'instructions'
      ? { instructions: text }
      : {
          base_instructions: { ...asObject(meta.base_instructions), text },
        };
  const payload = { ...meta, ...own };
  const record = entry.bare === true ? payload : { ...asObject(entry.record), payload };
  return { at: typeof entry.line === 'number' ? entry.line : 0, record };
}

function compactedRecord(entry: JsonObject, parts: readonly Part[]): JsonObject {
  let start = 0;
  const items = asList(entry.items).map((value) => {
    const { parts: count, item } = asObject(value);
    const own = parts.slice(start, start + (typeof count === 'number' ? count : 0));
    start += own.length;
    const [first] = own;
    return item === null && first?.type === 'other' ? first.value : itemOf(asObject(item), own);
  });
  const [message] = parts.slice(start);
  const payload = {
    ...asObject(entry.compacted),
    ...('items' in entry ? { replacement_history: items } : {}),
    ...(message?.type === 'text' ? { message: message.text } : {}),
  };
  return { ...asObject(entry.record), payload };
}

interface NewLine {
  readonly time: string;
  /** True for the first message after a compression. */
  readonly opens: boolean;
  readonly customCalls: ReadonlySet<string>;
  readonly format: Transcript['format'];
}

function newLines(message: Message, line: NewLine): WrittenLine[] {
  const at = entriesOf(message, format)[0]?.line;
  const place = typeof at === 'number' ? { at } : {};
  const record = (type: string, payload: JsonObject): WrittenLine => ({
    ...place,
    record: { timestamp: line.time, type, payload },
  });
  if (line.opens && message.origin === 'summary') {
    const text = messageText(message);
    return [record('compacted', { message: text, replacement_history: [userItem(text)] })];
  }
  const opening = line.opens ? [record('compacted', { message: '', replacement_history: [] })] : [];
  const items = withClientToolsOnly(message).flatMap((piece) => newItems(piece, line));
  // Codex ignores the member; a reader of ours learns from it what the text may not tell.
  const isPerson = message.origin === undefined || message.origin === 'person';
  const origin: JsonObject = isPerson ? {} : { palimpsest_origin: message.origin };
  const lines = items.map((item) => ({
    ...place,
    record: { ...asObject(record('response_item', item).record), ...origin },
  }));
  return [...opening, ...lines, ...eventsOf(message).map((event) => record('event_msg', event))];
}

const userItem = (text: string): JsonObject => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
});

/** What the screen shows of a message; the list of sessions leaves out those in which no user spoke. */
function eventsOf(message: Message): JsonObject[] {
  const text = messageText(message);
  if (message.role === 'assistant' && text !== '') return [{ type: 'agent_message', message: text }];
  if (!isFromPerson(message)) return [];
  return [{ type: 'user_message', message: text, images: [], local_images: [], text_elements: [] }];
}

function newItems(message: Message, line: NewLine): JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] = [];
  const cut = (): void => {
    const role = message.role === 'system' ? 'developer' : message.role;
    if (content.length > 0) items.push({ type: 'message', role, content });
    content = [];
  };
  for (const part of message.parts) {
    const item = newItem(part, line);
    if (item) {
      cut();
      items.push(item);
    } else content.push(...newContent(part, message.role === 'assistant'));
  }
  cut();
  return items;
}

function newItem(part: Part, line: NewLine): JsonObject | undefined {
  if (part.type === 'toolCall') {
    const { name, input, callId } = part;
    if (part.inputType === 'text')
      return { type: 'custom_tool_call', status: 'completed', call_id: callId, name, input };
    return { type: 'function_call', name, arguments: input, call_id: callId };
  }
  if (part.type === 'toolResult') {
    const type = line.customCalls.has(part.callId) ? 'custom_tool_call_output' : 'function_call_output';
    return { type, call_id: part.callId, output: newOutput(part) };
  }
  const isOpenAi = line.format === format || line.format === 'openai-responses';
  if (part.type !== 'reasoning' || !isOpenAi || part.encrypted === undefined) return undefined;
  const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }];
  return { type: 'reasoning', summary, encrypted_content: part.encrypted };
}

function newOutput(part: ToolResultPart): JsonValue {
  const hasImage = part.content.some((piece) => piece.type === 'image');
  return hasImage ? part.content.flatMap((piece) => newContent(piece, false)) : resultText(part);
}

/** Codex reads texts and images; a document is named, and reasoning that OpenAI did not encrypt is left out. */
function newContent(part: Part, isAssistant: boolean): JsonObject[] {
  const text = (value: string): JsonObject[] => [{ type: isAssistant ? 'output_text' : 'input_text', text: value }];
  if (part.type === 'text') return text(part.text);
  if (part.type === 'file') return text(part.text ?? `[file ${part.name ?? part.mediaType ?? ''}]`);
  if (part.type !== 'image') return [];
  const url =
    part.url ?? (part.data === undefined ? undefined : `data:${part.mediaType ?? 'image/png'};base64,${part.data}`);
  return url === undefined || isAssistant ? text('[image]') : [{ type: 'input_image', image_url: url }];
}

function newHeader(transcript: Transcript, leading: readonly Message[]): JsonObject {
  const { id, messages } = transcript;
  const own = id !== undefined && isUuid(id) ? id : uuidOf(`${id ?? ''} ${messages.map(messageHash).join(' ')}`);
  const timestamp = messages.find((message) => message.time)?.time ?? noTime;
  const instructions = leading.map(messageText).join('\n\n');
  const payload = {
    id: own,
    timestamp,
    cwd: transcript.workingDirectory ?? '/',
    originator: 'palimpsest',
    cli_version: '0.0.0',
    source: 'cli',
    ...(instructions === '' ? {} : { base_instructions: { text: instructions } }),
  };
  return { timestamp, type: 'session_meta', payload };
}
