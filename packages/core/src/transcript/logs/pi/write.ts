/**
 * Writes pi sessions. Entries that were read from one are written as they stood; new messages become entries of
 * version 3 that `pi --resume` accepts.
 */
import { contentHash } from '../../../shared/hash.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { messageHash } from '../../identity.ts';
import type { Message, Part, Transcript } from '../../message.ts';
import { messageText } from '../../text.ts';
import { withClientToolsOnly } from '../../wire/turns.ts';
import { asObject, asText, omit } from '../../wire/values.ts';
import {
  entriesOf,
  inFileOrder,
  isUuid,
  jsonLines,
  keptLines,
  linked,
  noTime,
  partsByLine,
  straysOf,
  uuidOf,
  type WrittenLine,
} from '../written-lines.ts';
import { blockFrom, messageFrom } from './content.ts';

const format = 'pi';

export function writePi(transcript: Transcript): Iterable<string> {
  const { messages } = transcript;
  const isOwn = transcript.extra?.format === format;
  const toolNames = toolNamesOf(messages);
  const kept = isOwn ? keptLines(transcript) : [{ at: 0, record: headerOf(transcript) }, ...titleLine(transcript)];
  // Version 1 knows no tree; pi builds one when it opens the file.
  const isTree = !isOwn || kept.some(({ record }) => isTreeHeader(asObject(record))) || messages.some(isInTree);
  let time = noTime;
  const lines = messages.flatMap((message, index) => {
    time = message.time ?? time;
    const known = knownLine(message);
    if (known) return [known];
    const opens = transcript.compressions?.includes(index) ?? false;
    const pieces = withClientToolsOnly(message).flatMap(oneResultEach);
    const place = placeOf(message);
    return pieces.flatMap((piece, part) => {
      const id = contentHash(`${index}.${part} ${messageHash(piece)}`).slice(0, 8);
      const link = isTree ? { id, parentId: null, timestamp: time } : { timestamp: time };
      const record = newEntry(piece, link, { time, opens, toolNames });
      return record ? [{ ...place, record }] : [];
    });
  });
  return jsonLines(linked(inFileOrder(lines, kept), { id: 'id', parent: 'parentId' }, straysOf(transcript)));
}

const isTreeHeader = (record: JsonObject): boolean =>
  record.type === 'session' && typeof record.version === 'number' && record.version > 1;

const isInTree = (message: Message): boolean =>
  entriesOf(message, format).some(({ entry }) => 'parentId' in asObject(entry));

/** Formats whose results carry no tool name have it in the calls. */
function toolNamesOf(messages: readonly Message[]): ReadonlyMap<string, string> {
  const parts = messages.flatMap((message) => message.parts);
  return new Map(parts.flatMap((part) => (part.type === 'toolCall' ? [[part.callId, part.name] as const] : [])));
}

function knownLine(message: Message): WrittenLine | undefined {
  const entries = entriesOf(message, format);
  const [entry] = entries;
  const isResult = asText(asObject(entry?.message).role) === 'toolResult';
  if (!entry || (isResult && !partsByLine(message, entries))) return undefined;
  const record = recordFrom(entry, message.parts);
  return typeof entry.line === 'number' ? { at: entry.line, record } : { record };
}

function recordFrom(entry: JsonObject, parts: readonly Part[]): JsonObject {
  const own = asObject(entry.entry);
  if ('message' in entry) return { ...own, message: messageFrom(asObject(entry.message), parts) };
  const record = messageFrom(own, parts);
  // An extension's message stands in the entry itself, where it has no role.
  return record.type === 'custom_message' ? omit(record, ['role']) : record;
}

function placeOf(message: Message): { at?: number } {
  const at = entriesOf(message, format)[0]?.line;
  return typeof at === 'number' ? { at } : {};
}

/** pi keeps every result in a message of its own. */
function oneResultEach(message: Message): Message[] {
  const results = message.parts.filter((part) => part.type === 'toolResult');
  const rest = message.parts.filter((part) => part.type !== 'toolResult');
  const pieces: Message[] = results.map((part) => ({ ...message, role: 'tool', parts: [part] }));
  return rest.length > 0 || results.length === 0 ? [...pieces, { ...message, parts: rest }] : pieces;
}

interface NewEntry {
  readonly time: string;
  /** True for the first message after a compression. */
  readonly opens: boolean;
  readonly toolNames: ReadonlyMap<string, string>;
}

function newEntry(message: Message, link: JsonObject, { time, opens, toolNames }: NewEntry): JsonObject | undefined {
  const text = messageText(message);
  // pi has a system prompt of its own; state of extensions is not shown to the model.
  if (message.role === 'system') return { type: 'custom', ...link, customType: 'palimpsest.system', data: { text } };
  if (opens && message.origin === 'summary') {
    // Nothing before the summary is kept: the entry names itself as the first kept one.
    return { type: 'compaction', ...link, summary: text, firstKeptEntryId: link.id ?? '', tokensBefore: 0 };
  }
  if (message.role === 'user' && message.origin === 'summary') {
    return { type: 'branch_summary', ...link, fromId: 'root', summary: text };
  }
  const timestamp = Date.parse(time);
  const [first] = message.parts;
  if (first?.type === 'toolResult') {
    const { callId: toolCallId, isError = false, content } = first;
    const toolName = first.name ?? toolNames.get(toolCallId) ?? '';
    const result = { role: 'toolResult', toolCallId, toolName, content: content.map(blockFrom), isError, timestamp };
    return { type: 'message', ...link, message: result };
  }
  const content = message.parts.flatMap((part) => (isKnown(part) ? [blockFrom(part)] : []));
  if (content.length === 0) return undefined;
  // An extension's message is read by the model and known not to come from the person.
  if (message.origin === 'host') {
    return { type: 'custom_message', ...link, customType: 'palimpsest.host', content, display: false };
  }
  const body = message.role === 'assistant' ? assistant(message, content) : { role: 'user', content };
  return { type: 'message', ...link, message: { ...body, timestamp } };
}

/** Parts of another format's unknown types, and reasoning that nobody but its provider can read, mean nothing to pi. */
const isKnown = (part: Part): boolean => part.type !== 'other' && !(part.type === 'reasoning' && part.text === '');

function assistant(message: Message, content: readonly JsonValue[]): JsonObject {
  const calls = message.parts.some((part) => part.type === 'toolCall');
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    role: 'assistant',
    content,
    // No api that pi knows: it then shows reasoning to the next model as text and replays no signature.
    api: 'unknown',
    provider: 'unknown',
    model: message.model ?? 'unknown',
    usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } },
    stopReason: calls ? 'toolUse' : 'stop',
  };
}

function headerOf(transcript: Transcript): JsonObject {
  const { id, messages, workingDirectory } = transcript;
  const own = id !== undefined && isUuid(id) ? id : uuidOf(`${id ?? ''} ${messages.map(messageHash).join(' ')}`);
  const timestamp = messages.find((message) => message.time)?.time ?? noTime;
  return { type: 'session', version: 3, id: own, timestamp, cwd: workingDirectory ?? '/' };
}

/** A name right behind the header, as the first entry of the tree. */
function titleLine({ title }: Transcript): WrittenLine[] {
  if (title === undefined) return [];
  const id = contentHash(`title ${title}`).slice(0, 8);
  return [{ at: 0, record: { type: 'session_info', id, parentId: null, timestamp: noTime, name: title } }];
}
