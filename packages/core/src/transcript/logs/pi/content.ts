/** Messages of pi as parts and back: one entry of the log is one message. */

import { defined } from '../../../shared/defined.ts';
import { contentHash } from '../../../shared/hash.ts';
import { type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import { type Message, messageHash, type Part, type ResultContent, type Role, type Transcript } from '../../message.ts';
import { messageText, toolCalls, toolResults } from '../../text.ts';
import { withClientToolsOnly } from '../../wire/turns.ts';
import { asObject, is, json, omit, take } from '../../wire/values.ts';
import * as log from '../log.ts';

const { extraOf, restOf } = log.keepingRest('pi');

/** The parts of an entry's message, and the message without what they carry. */
export interface PiPieces {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly rest: JsonObject;
}

/** Reads a message; undefined when it is of unknown role or broken. */
export function piecesOf(message: JsonObject): PiPieces | undefined {
  const { role, content } = message;
  if (role === 'bashExecution') return commandPieces(message);
  if (role === 'branchSummary' || role === 'compactionSummary') return textPieces(message, 'summary');
  if (is.text(content) && role !== 'toolResult') return textPieces(message, 'content');
  if (!is.list(content)) return undefined;
  if (role === 'toolResult') return resultPieces(message, content);
  const rest = omit(message, ['content']);
  if (role === 'assistant') return { role, parts: content.map(partFrom), rest };
  const isUsers = role === 'user' || role === 'custom' || role === 'hookMessage';
  return isUsers ? { role: 'user', parts: content.map(contentFrom), rest } : undefined;
}

/** Writes the message that the pieces were read from, with the parts as they are now. */
function messageFrom(rest: JsonObject, parts: readonly Part[]): JsonObject {
  const [first, second] = parts;
  const text = first?.type === 'text' ? first.text : '';
  if (rest.role === 'bashExecution') {
    return { ...rest, command: text.slice(1), output: second?.type === 'text' ? second.text : '' };
  }
  if (rest.role === 'toolResult' && first?.type === 'toolResult') {
    const { callId: toolCallId, name: toolName, isError } = first;
    return { ...rest, ...json({ toolCallId, toolName, isError, content: first.content.map(blockFrom) }) };
  }
  if (rest.summary === 'text') return { ...rest, summary: text };
  if (rest.content === 'text' && parts.length === 1) return { ...rest, content: text };
  return { ...rest, content: parts.map(blockFrom) };
}

/** A text in place of a list; the word `text` stands where it stood. */
export function textPieces(message: JsonObject, member: 'content' | 'summary'): PiPieces | undefined {
  const text = message[member];
  if (!is.text(text)) return undefined;
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  return { role, parts: [{ type: 'text', text }], rest: { ...message, [member]: 'text' } };
}

/** A command that a person ran at the prompt: the command as typed, and what it printed. */
function commandPieces(message: JsonObject): PiPieces | undefined {
  const known = take(message, { command: is.text, output: is.text });
  const parts = [`!${known?.command}`, known?.output ?? ''].map((text) => ({ type: 'text', text }) as const);
  return known && { role: 'user', parts, rest: known.rest };
}

function resultPieces(message: JsonObject, blocks: readonly JsonValue[]): PiPieces | undefined {
  const known = take(message, { toolCallId: is.text, content: is.list }, { toolName: is.name, isError: is.flag });
  if (!known) return undefined;
  const { toolCallId: callId, toolName: name, isError, rest } = known;
  const content = blocks.map(contentFrom);
  return { role: 'tool', parts: [defined({ type: 'toolResult', callId, content, name, isError })], rest };
}

function partFrom(value: JsonValue): Part {
  const block = asObject(value);
  if (block.type === 'thinking') {
    const known = take(block, { type: is.text, thinking: is.text }, { thinkingSignature: is.text });
    if (!known) return contentFrom(value);
    const { thinking: text, thinkingSignature, rest } = known;
    // Of redacted reasoning the signature is the encrypted reasoning itself.
    const proof = block.redacted === true ? 'encrypted' : 'signature';
    return defined({ type: 'reasoning', text, [proof]: thinkingSignature, ...extraOf(rest) });
  }
  if (block.type !== 'toolCall') return contentFrom(value);
  const call = take(block, { type: is.text, id: is.text, name: is.text, arguments: is.given });
  if (!call) return { type: 'other', value };
  const { id: callId, name, rest } = call;
  const input = JSON.stringify(call.arguments);
  return { type: 'toolCall', callId, name, input, inputType: 'json', ...extraOf(rest) };
}

function contentFrom(value: JsonValue): ResultContent {
  const block = asObject(value);
  const text = block.type === 'text' ? take(block, { type: is.text, text: is.text }) : undefined;
  if (text) return { type: 'text', text: text.text, ...extraOf(text.rest) };
  const image =
    block.type === 'image' ? take(block, { type: is.text, data: is.text }, { mimeType: is.text }) : undefined;
  if (!image) return { type: 'other', value };
  return defined({ type: 'image', mediaType: image.mimeType, data: image.data, ...extraOf(image.rest) });
}

/** Writes one part as a block of pi. */
function blockFrom(part: Part): JsonValue {
  const rest = restOf(part);
  const text = (text: string): JsonValue => ({ type: 'text', text });
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...rest };
    case 'reasoning': {
      const thinkingSignature = part.encrypted ?? part.signature;
      return { ...json({ type: 'thinking', thinking: part.text, thinkingSignature }), ...rest };
    }
    case 'toolCall': {
      const value = part.inputType === 'json' ? parseJson(part.input) : undefined;
      const input = value === undefined ? { input: part.input } : value;
      return { type: 'toolCall', id: part.callId, name: part.name, arguments: input, ...rest };
    }
    case 'image':
      if (part.data === undefined) return text(`[image ${part.url ?? part.fileId ?? ''}]`);
      return { ...json({ type: 'image', data: part.data, mimeType: part.mediaType }), ...rest };
    case 'file':
      return text(part.text ?? `[file ${part.name ?? part.mediaType ?? ''}]`);
    case 'other':
      return part.value;
    case 'toolResult':
      // pi keeps results in messages of their own; the writer has split them off before.
      return text(JSON.stringify(part));
  }
}

// Writes pi sessions. Entries that were read from one are written as they stood; new messages become entries of
// version 3 that `pi --resume` accepts.

const format = 'pi';

export function writePi(transcript: Transcript): Iterable<string> {
  const { messages, extra } = transcript;
  const isOwn = extra?.format === format;
  const kept = isOwn ? log.keptLines(transcript) : headOf(transcript);
  // Version 1 knows no tree; pi builds one when it opens the file.
  const isTree = !isOwn || kept.some(({ record }) => isTreeHeader(asObject(record))) || messages.some(isInTree);
  // Formats whose results carry no tool name have it in the calls.
  const names = new Map(messages.flatMap(toolCalls).map(({ callId, name }) => [callId, name]));
  const lines = log.messageLines(transcript, knownLine, (message, line) => {
    const [entry] = log.entriesOf(message, format);
    return withClientToolsOnly(message)
      .flatMap(oneResultEach)
      .flatMap((piece, part) => {
        const id = contentHash(`${line.index}.${part} ${messageHash(piece)}`).slice(0, 8);
        const link = isTree ? { id, parentId: null, timestamp: line.time } : { timestamp: line.time };
        const record = newEntry(piece, link, { ...line, names });
        return record ? [log.lineAt(entry, record)] : [];
      });
  });
  return log.jsonLines(
    log.linked(log.inFileOrder(lines, kept), { id: 'id', parent: 'parentId' }, log.straysOf(transcript)),
  );
}

const isTreeHeader = (record: JsonObject): boolean =>
  record.type === 'session' && typeof record.version === 'number' && record.version > 1;

const isInTree = (message: Message): boolean =>
  log.entriesOf(message, format).some(({ entry }) => 'parentId' in asObject(entry));

/** A header, and a name right behind it, as the first entry of the tree. */
function headOf(transcript: Transcript): log.WrittenLine[] {
  const { messages, title, workingDirectory } = transcript;
  const timestamp = messages.find((message) => message.time)?.time ?? log.noTime;
  const id = log.sessionIdOf(transcript);
  const header = { type: 'session', version: 3, id, timestamp, cwd: workingDirectory ?? '/' };
  const about = { id: contentHash(`title ${title}`).slice(0, 8), parentId: null, timestamp: log.noTime };
  const named = title === undefined ? [] : [{ type: 'session_info', ...about, name: title }];
  return [header, ...named].map((record) => ({ at: 0, record }));
}

function knownLine(message: Message): readonly log.WrittenLine[] | undefined {
  const entries = log.entriesOf(message, format);
  const [entry] = entries;
  const isResult = asObject(entry?.message).role === 'toolResult';
  if (!entry || (isResult && !log.partsByLine(message, entries))) return undefined;
  const own = asObject(entry.entry);
  if ('message' in entry) {
    return [log.lineAt(entry, { ...own, message: messageFrom(asObject(entry.message), message.parts) })];
  }
  const record = messageFrom(own, message.parts);
  // An extension's message stands in the entry itself, where it has no role.
  return [log.lineAt(entry, record.type === 'custom_message' ? omit(record, ['role']) : record)];
}

/** pi keeps every result in a message of its own. */
function oneResultEach(message: Message): Message[] {
  const rest = message.parts.filter((part) => part.type !== 'toolResult');
  const pieces = toolResults(message).map((part): Message => ({ ...message, role: 'tool', parts: [part] }));
  return rest.length > 0 || pieces.length === 0 ? [...pieces, { ...message, parts: rest }] : pieces;
}

interface NewEntry extends log.NewLine {
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
