/**
 * Writes pi sessions. Entries that were read from one are written as they stood; new messages become entries of
 * version 3 that `pi --resume` accepts.
 */
import { contentHash } from '../../../shared/hash.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { messageHash } from '../../identity.ts';
import type { Message, Part, Transcript } from '../../message.ts';
import { messageText, toolCalls, toolResults } from '../../text.ts';
import { withClientToolsOnly } from '../../wire/turns.ts';
import { asObject, omit } from '../../wire/values.ts';
import {
  entriesOf,
  inFileOrder,
  jsonLines,
  keptLines,
  lineAt,
  linked,
  messageLines,
  type NewLine,
  noTime,
  partsByLine,
  sessionIdOf,
  straysOf,
  type WrittenLine,
} from '../written-lines.ts';
import { blockFrom, messageFrom } from './content.ts';

const format = 'pi';

export function writePi(transcript: Transcript): Iterable<string> {
  const { messages, extra } = transcript;
  const isOwn = extra?.format === format;
  const kept = isOwn ? keptLines(transcript) : headOf(transcript);
  // Version 1 knows no tree; pi builds one when it opens the file.
  const isTree = !isOwn || kept.some(({ record }) => isTreeHeader(asObject(record))) || messages.some(isInTree);
  // Formats whose results carry no tool name have it in the calls.
  const names = new Map(messages.flatMap(toolCalls).map(({ callId, name }) => [callId, name]));
  const lines = messageLines(transcript, knownLine, (message, line) => {
    const [entry] = entriesOf(message, format);
    return withClientToolsOnly(message)
      .flatMap(oneResultEach)
      .flatMap((piece, part) => {
        const id = contentHash(`${line.index}.${part} ${messageHash(piece)}`).slice(0, 8);
        const link = isTree ? { id, parentId: null, timestamp: line.time } : { timestamp: line.time };
        const record = newEntry(piece, link, { ...line, names });
        return record ? [lineAt(entry, record)] : [];
      });
  });
  return jsonLines(linked(inFileOrder(lines, kept), { id: 'id', parent: 'parentId' }, straysOf(transcript)));
}

const isTreeHeader = (record: JsonObject): boolean =>
  record.type === 'session' && typeof record.version === 'number' && record.version > 1;

const isInTree = (message: Message): boolean =>
  entriesOf(message, format).some(({ entry }) => 'parentId' in asObject(entry));

/** A header, and a name right behind it, as the first entry of the tree. */
function headOf(transcript: Transcript): WrittenLine[] {
  const { messages, title, workingDirectory } = transcript;
  const timestamp = messages.find((message) => message.time)?.time ?? noTime;
  const id = sessionIdOf(transcript);
  const header = { type: 'session', version: 3, id, timestamp, cwd: workingDirectory ?? '/' };
  const about = { id: contentHash(`title ${title}`).slice(0, 8), parentId: null, timestamp: noTime };
  const named = title === undefined ? [] : [{ type: 'session_info', ...about, name: title }];
  return [header, ...named].map((record) => ({ at: 0, record }));
}

function knownLine(message: Message): readonly WrittenLine[] | undefined {
  const entries = entriesOf(message, format);
  const [entry] = entries;
  const isResult = asObject(entry?.message).role === 'toolResult';
  if (!entry || (isResult && !partsByLine(message, entries))) return undefined;
  const own = asObject(entry.entry);
  if ('message' in entry) {
    return [lineAt(entry, { ...own, message: messageFrom(asObject(entry.message), message.parts) })];
  }
  const record = messageFrom(own, message.parts);
  // An extension's message stands in the entry itself, where it has no role.
  return [lineAt(entry, record.type === 'custom_message' ? omit(record, ['role']) : record)];
}

/** pi keeps every result in a message of its own. */
function oneResultEach(message: Message): Message[] {
  const rest = message.parts.filter((part) => part.type !== 'toolResult');
  const pieces = toolResults(message).map((part): Message => ({ ...message, role: 'tool', parts: [part] }));
  return rest.length > 0 || pieces.length === 0 ? [...pieces, { ...message, parts: rest }] : pieces;
}

interface NewEntry extends NewLine {
  readonly names: ReadonlyMap<string, string>;
}

function newEntry(message: Message, link: JsonObject, { time, opens, names }: NewEntry): JsonObject | undefined {
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
    const { callId: toolCallId, isError = false } = first;
    const toolName = first.name ?? names.get(toolCallId) ?? '';
    const result = {
      role: 'toolResult',
      toolCallId,
      toolName,
      content: first.content.map(blockFrom),
      isError,
      timestamp,
    };
    return { type: 'message', ...link, message: result };
  }
  const content = message.parts.filter(isKnown).map(blockFrom);
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
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  return {
    role: 'assistant',
    content,
    // No api that pi knows: it then shows reasoning to the next model as text and replays no signature.
    api: 'unknown',
    provider: 'unknown',
    model: message.model ?? 'unknown',
    usage: { ...none, totalTokens: 0, cost: { ...none, total: 0 } },
    stopReason: toolCalls(message).length > 0 ? 'toolUse' : 'stop',
  };
}
