/**
 * Writes Codex rollouts. Lines that were read from one are written as they stood; new messages become items that
 * `codex resume` accepts, with the events that its screen shows.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Message, Part, ToolResultPart, Transcript } from '../../message.ts';
import { isFromPerson } from '../../origin.ts';
import { messageText, resultText, toolCalls } from '../../text.ts';
import { urlOf } from '../../wire/parts.ts';
import { summaryOf } from '../../wire/responses/items.ts';
import { withClientToolsOnly } from '../../wire/turns.ts';
import { asList, asObject } from '../../wire/values.ts';
import * as log from '../log.ts';
import { itemOf } from './items.ts';

const format = 'codex';
const { fieldsOf } = log.keepingRest(format);

export function writeCodex(transcript: Transcript): Iterable<string> {
  const { messages, extra, compressions = [] } = transcript;
  const isOwn = extra?.format === format;
  const leading = isOwn ? 0 : messages.findIndex((message) => message.role !== 'system');
  const start = leading < 0 ? messages.length : leading;
  const calls = messages.flatMap(toolCalls).filter(({ inputType }) => inputType === 'text');
  const customCalls = new Set(calls.map(({ callId }) => callId));
  const shifted = { messages: messages.slice(start), compressions: compressions.map((at) => at - start) };
  const lines = log.messageLines(shifted, knownLines, (message, line) =>
    newLines(message, { ...line, customCalls, format: transcript.format }),
  );
  const kept = isOwn ? log.keptLines(transcript) : [{ at: 0, record: newHeader(transcript, messages.slice(0, start)) }];
  const hasHeader = messages.some((message) => log.entriesOf(message, format).some((entry) => 'meta' in entry));
  // The first line stays even where the system message that it carried was left out.
  const { header } = fieldsOf(transcript);
  if (isJsonObject(header) && !hasHeader) kept.push(headerLine(header, ''));
  return log.jsonLines(log.inFileOrder(joinedHistories(lines), kept).map(({ record }) => record));
}

/** The items of a history that was replaced are messages of their own, and were read from one line. */
function joinedHistories(lines: readonly log.WrittenLine[]): readonly log.WrittenLine[] {
  const histories = new Map<number, number>();
  const joined: log.WrittenLine[] = [];
  for (const line of lines) {
    const before = line.at === undefined ? undefined : histories.get(line.at);
    const known = before === undefined ? undefined : joined[before];
    const isHistory = asObject(line.record).type === 'compacted';
    if (isHistory && known && before !== undefined) {
      joined[before] = { ...known, record: withItemsOf(asObject(known.record), asObject(line.record)) };
      continue;
    }
    if (isHistory && line.at !== undefined) histories.set(line.at, joined.length);
    joined.push(line);
  }
  return joined;
}

function withItemsOf(first: JsonObject, next: JsonObject): JsonObject {
  const [a, b] = [asObject(first.payload), asObject(next.payload)];
  const items = [...asList(a.replacement_history), ...asList(b.replacement_history)];
  const history = 'replacement_history' in a || 'replacement_history' in b ? { replacement_history: items } : {};
  return { ...first, payload: { ...a, ...b, ...history } };
}

function knownLines(message: Message): readonly log.WrittenLine[] | undefined {
  const entries = log.entriesOf(message, format);
  const pieces = log.partsByLine(message, entries);
  if (entries.length === 0 || !pieces) return undefined;
  return entries.map((entry, index) => {
    const parts = pieces[index] ?? [];
    if ('meta' in entry) return headerLine(entry, messageText({ role: 'system', parts }));
    if ('compacted' in entry) return log.lineAt(entry, compactedRecord(entry, parts));
    const item = itemOf(asObject(entry.item), parts);
    return log.lineAt(entry, 'record' in entry ? { ...asObject(entry.record), payload: item } : item);
  });
}

function headerLine(entry: JsonObject, text: string): log.WrittenLine {
  const meta = asObject(entry.meta);
  const base = { ...asObject(meta.base_instructions), text };
  const payload = {
    ...meta,
    ...(entry.member === 'instructions' ? { instructions: text } : { base_instructions: base }),
  };
  return { at: 0, ...log.lineAt(entry, entry.bare === true ? payload : { ...asObject(entry.record), payload }) };
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

interface NewItemLine extends log.NewLine {
  readonly customCalls: ReadonlySet<string>;
  readonly format: Transcript['format'];
}

function newLines(message: Message, line: NewItemLine): log.WrittenLine[] {
  const [entry] = log.entriesOf(message, format);
  const record = (type: string, payload: JsonObject, more: JsonObject = {}): log.WrittenLine =>
    log.lineAt(entry, { timestamp: line.time, type, payload, ...more });
  const text = messageText(message);
  const opens = (said: string, items: readonly JsonObject[]): log.WrittenLine =>
    record('compacted', { message: said, replacement_history: items });
  if (line.opens && message.origin === 'summary') {
    return [opens(text, [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }])];
  }
  const items = withClientToolsOnly(message).flatMap((piece) => newItems(piece, line));
  // Codex ignores the member; a reader of ours learns from it what the text may not tell.
  const isPerson = message.origin === undefined || message.origin === 'person';
  const origin: JsonObject = isPerson ? {} : { palimpsest_origin: message.origin ?? null };
  return [
    ...(line.opens ? [opens('', [])] : []),
    ...items.map((item) => record('response_item', item, origin)),
    ...eventsOf(message, text).map((event) => record('event_msg', event)),
  ];
}

/** What the screen shows of a message; the list of sessions leaves out those in which no user spoke. */
function eventsOf(message: Message, text: string): JsonObject[] {
  if (message.role === 'assistant' && text !== '') return [{ type: 'agent_message', message: text }];
  if (!isFromPerson(message)) return [];
  return [{ type: 'user_message', message: text, images: [], local_images: [], text_elements: [] }];
}

function newItems(message: Message, line: NewItemLine): JsonObject[] {
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

function newItem(part: Part, line: NewItemLine): JsonObject | undefined {
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
  return { type: 'reasoning', summary: summaryOf(part.text), encrypted_content: part.encrypted };
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
  const url = part.url ?? urlOf(part, 'image/png');
  return url === undefined || isAssistant ? text('[image]') : [{ type: 'input_image', image_url: url }];
}

function newHeader(transcript: Transcript, leading: readonly Message[]): JsonObject {
  const timestamp = transcript.messages.find((message) => message.time)?.time ?? log.noTime;
  const instructions = leading.map(messageText).join('\n\n');
  const payload = {
    id: log.sessionIdOf(transcript),
    timestamp,
    cwd: transcript.workingDirectory ?? '/',
    originator: 'palimpsest',
    cli_version: '0.0.0',
    source: 'cli',
    ...(instructions === '' ? {} : { base_instructions: { text: instructions } }),
  };
  return { timestamp, type: 'session_meta', payload };
}
