/**
 * Writes Claude Code session logs. Lines that were read from one are written as they stood; new messages become lines
 * that `claude --resume` accepts: a line a message, linked into one chain.
 */
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { messageHash } from '../../identity.ts';
import type { Message, Part, Transcript } from '../../message.ts';
import { carriesCalls, messageText } from '../../text.ts';
import { withClientToolsOnly } from '../../wire/turns.ts';
import { asObject } from '../../wire/values.ts';
import {
  entriesOf,
  inFileOrder,
  jsonLines,
  keptLines,
  lineAt,
  linked,
  messageLines,
  type NewLine,
  partsByLine,
  sessionIdOf,
  straysOf,
  uuidOf,
  type WrittenLine,
} from '../written-lines.ts';
import { contentFromParts } from './content.ts';

const format = 'claude-code';

export function writeClaudeCode(transcript: Transcript): Iterable<string> {
  const sessionId = sessionIdOf(transcript, format);
  const lines = messageLines(transcript, knownLines, (message, line) =>
    newLines(transcript, message, { ...line, sessionId }),
  );
  const { extra, title } = transcript;
  const isOwn = extra?.format === format;
  if (!isOwn && title !== undefined) lines.push({ record: { type: 'custom-title', customTitle: title, sessionId } });
  const ordered = inFileOrder(lines, isOwn ? keptLines(transcript) : []);
  return jsonLines(linked(ordered, { id: 'uuid', parent: 'parentUuid' }, straysOf(transcript)));
}

function knownLines(message: Message): readonly WrittenLine[] | undefined {
  const entries = entriesOf(message, format);
  const [first, ...rest] = entries;
  if (!first) return undefined;
  if (asObject(first.record).type === 'queue-operation') {
    // A queued text stands in the first line; the second one, which says that it was delivered, may name it.
    const content = contentFromParts(message.parts, first.shape);
    return [{ ...first, isNamed: true }, ...rest].map((entry: JsonObject) =>
      lineAt(entry, { ...asObject(entry.record), ...(entry.isNamed === true ? { content } : {}) }),
    );
  }
  const pieces = partsByLine(message, entries);
  // A message that was changed since stands whole in its first line.
  if (!pieces) return [knownLine(first, message.parts)];
  return entries.map((entry, index) => knownLine(entry, pieces[index] ?? []));
}

function knownLine(entry: JsonObject, parts: readonly Part[]): WrittenLine {
  const content = contentFromParts(parts, entry.shape);
  const said: JsonObject =
    'attachment' in entry
      ? { attachment: { ...asObject(entry.attachment), prompt: content } }
      : { message: { ...asObject(entry.message), content } };
  return lineAt(entry, { ...asObject(entry.record), ...said });
}

interface SessionLine extends NewLine {
  readonly sessionId: string;
}

function newLines(transcript: Transcript, message: Message, line: SessionLine): readonly WrittenLine[] {
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
    uuid: uuidOf(`${seed} ${content}`),
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
  const newId = uuidOf(`${seed} ${messageHash(message)}`)
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
