/**
 * Writes Claude Code session logs. Lines that were read from one are written as they stood; new messages become lines
 * that `claude --resume` accepts: a line a message, linked into one chain.
 */
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { messageHash } from '../../identity.ts';
import type { Message, Part, Transcript } from '../../message.ts';
import { messageText } from '../../text.ts';
import { withClientToolsOnly } from '../../wire/turns.ts';
import { asObject } from '../../wire/values.ts';
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
import { contentFromParts } from './content.ts';

const format = 'claude-code';

export function writeClaudeCode(transcript: Transcript): Iterable<string> {
  const session = sessionOf(transcript);
  let time = noTime;
  const lines = transcript.messages.flatMap((message, index) => {
    time = message.time ?? time;
    const known = knownLines(message);
    if (known) return known;
    const opens = transcript.compressions?.includes(index) ?? false;
    return newLines(transcript, message, { ...session, time, seed: `${session.sessionId} ${index}`, opens });
  });
  const isOwn = transcript.extra?.format === format;
  if (!isOwn) lines.push(...titleLine(transcript, session.sessionId));
  const ordered = inFileOrder(lines, isOwn ? keptLines(transcript) : []);
  return jsonLines(linked(ordered, { id: 'uuid', parent: 'parentUuid' }, straysOf(transcript)));
}

interface Session {
  readonly sessionId: string;
  readonly cwd: string;
}

interface NewLine extends Session {
  readonly time: string;
  /** What makes the line's id differ from that of an equal message elsewhere. */
  readonly seed: string;
  /** True for the first message after a compression. */
  readonly opens: boolean;
}

function sessionOf(transcript: Transcript): Session {
  const { id, messages } = transcript;
  const isOwn = id !== undefined && (isUuid(id) || transcript.format === format);
  const sessionId = isOwn ? id : uuidOf(`${id ?? ''} ${messages.map(messageHash).join(' ')}`);
  return { sessionId, cwd: transcript.workingDirectory ?? '/' };
}

function knownLines(message: Message): WrittenLine[] | undefined {
  const entries = entriesOf(message, format);
  const [first] = entries;
  if (!first) return undefined;
  const pieces = partsByLine(message, entries);
  if (asObject(first.record).type === 'queue-operation') return queueLines(message, entries);
  // A message that was changed since stands whole in its first line.
  if (!pieces) return [knownLine(first, message.parts)];
  return entries.map((entry, index) => knownLine(entry, pieces[index] ?? []));
}

/** A queued text stands in the first line; the second one, which says that it was delivered, may name it. */
function queueLines(message: Message, [first, ...rest]: readonly JsonObject[]): WrittenLine[] {
  const content = contentFromParts(message.parts, first?.shape);
  const lines = [{ ...first, isNamed: true }, ...rest];
  return lines.map((entry: JsonObject) => {
    const record = { ...asObject(entry.record), ...(entry.isNamed === true ? { content } : {}) };
    return typeof entry.line === 'number' ? { at: entry.line, record } : { record };
  });
}

function knownLine(entry: JsonObject, parts: readonly Part[]): WrittenLine {
  const content = contentFromParts(parts, entry.shape);
  const record =
    'attachment' in entry
      ? { ...asObject(entry.record), attachment: { ...asObject(entry.attachment), prompt: content } }
      : { ...asObject(entry.record), message: { ...asObject(entry.message), content } };
  return typeof entry.line === 'number' ? { at: entry.line, record } : { record };
}

function newLines(transcript: Transcript, message: Message, line: NewLine): WrittenLine[] {
  const boundary = line.opens ? [{ record: boundaryRecord(line) }] : [];
  const plain = keepsServerTools(transcript) ? [message] : withClientToolsOnly(message);
  const records = plain.flatMap((piece, index) =>
    newRecord(transcript, piece, { ...line, seed: `${line.seed}.${index}` }),
  );
  return [...boundary, ...records.map((record) => ({ record }))];
}

/** Blocks of the provider's own tools mean something to this provider only. */
const keepsServerTools = (transcript: Transcript): boolean =>
  transcript.format === format || transcript.format === 'anthropic';

function newRecord(transcript: Transcript, message: Message, line: NewLine): JsonObject[] {
  const base = baseRecord(line, messageHash(message));
  // Claude Code has a system prompt of its own: one from elsewhere is kept where a person can read it.
  if (message.role === 'system') {
    return [{ ...base, type: 'system', subtype: 'informational', content: messageText(message), isMeta: true }];
  }
  const parts = message.parts.filter((part) => canBeSent(transcript, message, part));
  if (parts.length === 0) return [];
  const content = contentFromParts(parts, 'text');
  if (message.role !== 'assistant') {
    const summary = message.origin === 'summary' ? { isCompactSummary: true, isVisibleInTranscriptOnly: true } : {};
    const meta = message.origin === 'host' ? { isMeta: true } : {};
    return [{ ...base, ...summary, ...meta, type: 'user', message: { role: 'user', content } }];
  }
  return [
    { ...base, type: 'assistant', message: assistantMessage(message, contentFromParts(parts, 'list'), line.seed) },
  ];
}

/** Reasoning that Claude did not sign is refused by its API. */
function canBeSent(transcript: Transcript, message: Message, part: Part): boolean {
  if (part.type !== 'reasoning' || keepsServerTools(transcript)) return true;
  return part.signature !== undefined && (message.model?.startsWith('claude') ?? false);
}

function assistantMessage(message: Message, content: JsonValue, seed: string): JsonObject {
  const calls = message.parts.some((part) => part.type === 'toolCall' && !part.server);
  return {
    id:
      message.providerId ??
      `msg_${uuidOf(`${seed} ${messageHash(message)}`)
        .replaceAll('-', '')
        .slice(0, 24)}`,
    type: 'message',
    role: 'assistant',
    model: message.model ?? 'unknown',
    content,
    stop_reason: calls ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 },
  };
}

function boundaryRecord(line: NewLine): JsonObject {
  return {
    ...baseRecord(line, 'boundary'),
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    isMeta: false,
    level: 'info',
    compactMetadata: { trigger: 'auto', preTokens: 0 },
  };
}

function baseRecord(line: NewLine, content: string): JsonObject {
  return {
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd: line.cwd,
    sessionId: line.sessionId,
    version: '2.1.0',
    gitBranch: '',
    uuid: uuidOf(`${line.seed} ${content}`),
    timestamp: line.time,
  };
}

function titleLine(transcript: Transcript, sessionId: string): WrittenLine[] {
  const { title } = transcript;
  if (title === undefined) return [];
  return [{ record: { type: 'custom-title', customTitle: title, sessionId } }];
}
