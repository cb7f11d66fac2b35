/** Messages of the Anthropic Messages API: request bodies with `system`, bare lists, and lines of either. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Format } from '../../format.ts';
import type {
  FilePart,
  ImagePart,
  Message,
  Part,
  ResultContent,
  Role,
  ToolCallPart,
  ToolResultPart,
} from '../../message.ts';
import { bodyText, gatheringReader, likelihood, notAMessage, transcriptOf, type Verdict } from '../lists.ts';
import { asText, extraOf, type Hints, isList, ownExtra, type ReadContext, withSource } from '../values.ts';
import { toAnthropic } from './write.ts';

const places = { keys: ['messages'] };
const shape = { format: 'anthropic', list: 'messages' } as const;

export const anthropic: Format = {
  name: 'anthropic',
  title: 'Anthropic Messages: messages or request bodies, JSON or JSONL',
  detect: (records) => likelihood(records, { places, item: verdict, envelope: envelopeVerdict, plain: 0.3 }),
  reader: (report) =>
    gatheringReader(places, (gathered) => {
      const values = gathered.items.map(({ value }) => value);
      const sources = gathered.items.map(({ source }) => source);
      const messages = fromAnthropic(values, { sources, report });
      const system = fromAnthropicSystem(gathered.envelope.system);
      if (!system) return transcriptOf(shape, gathered, messages);
      const { system: _, ...envelope } = gathered.envelope;
      const source = gathered.source ? { source: [gathered.source] } : {};
      return transcriptOf(shape, { ...gathered, envelope }, [{ ...system, ...source }, ...messages]);
    }),
  write: (transcript) => {
    const { system, messages } = toAnthropic(transcript.messages, transcript.format);
    return bodyText(shape, transcript, { items: messages, fields: system === undefined ? {} : { system } });
  },
};

function verdict(value: JsonValue): Verdict {
  if (!isJsonObject(value) || (value.role !== 'user' && value.role !== 'assistant')) return 'foreign';
  if ('tool_calls' in value || 'parts' in value) return 'foreign';
  const blocks = isList(value.content) ? value.content.map(blockVerdict) : [];
  if (blocks.includes('foreign')) return 'foreign';
  return blocks.includes('own') ? 'own' : 'plain';
}

const ownTypes: ReadonlySet<JsonValue> = new Set([
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'server_tool_use',
  'mcp_tool_use',
  'document',
  'search_result',
  'container_upload',
]);

function blockVerdict(block: JsonValue): Verdict {
  if (!isJsonObject(block)) return 'foreign';
  if (block.type === 'text') return 'providerOptions' in block ? 'foreign' : 'plain';
  if (block.type === 'image') return isJsonObject(block.source) ? 'own' : 'foreign';
  return ownTypes.has(block.type ?? null) || String(block.type).endsWith('_tool_result') ? 'own' : 'foreign';
}

/** A system prompt beside the messages; the other names of the body are those of OpenAI too. */
function envelopeVerdict(envelope: JsonObject): Verdict {
  const isOwn = typeof envelope.system === 'string' || isList(envelope.system) || 'stop_sequences' in envelope;
  return isOwn || 'anthropic_version' in envelope ? 'own' : 'plain';
}

// Anthropic messages and their content blocks into messages and parts: one message each.

const format = 'anthropic';

const roles: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'system'],
]);

/**
 * Reads a list of Anthropic messages. A user message with tool results stays one message, whatever stands beside them.
 * What is not a message is reported and left out; unknown blocks are kept as they came.
 */
export function fromAnthropic(list: readonly JsonValue[], { sources, report }: ReadContext = {}): readonly Message[] {
  return list.flatMap((value, index) => {
    const source = sources?.[index];
    const role = isJsonObject(value) ? roles.get(asText(value.role) ?? '') : undefined;
    if (!isJsonObject(value) || role === undefined) {
      report?.(notAMessage(value, source, 'a message with the role user or assistant'));
      return [];
    }
    const { role: _, content, ...fields } = value;
    const { parts, shape } = readContent(content);
    const hints = { content: shape, role: role === 'system' ? 'system' : undefined };
    return [withSource({ role, parts, ...extraOf(format, fields, hints) }, source)];
  });
}

/** The system prompt of a request as the message that leads the list; undefined when there is none. */
export function fromAnthropicSystem(system: JsonValue | undefined): Message | undefined {
  if (typeof system !== 'string' && !isList(system)) return undefined;
  const { parts, shape } = readContent(system);
  return { role: 'system', parts, ...extraOf(format, {}, { content: shape }) };
}

/** By default one plain text is written as a string, and everything else as a list of blocks. */
function readContent(content: JsonValue | undefined): { parts: readonly Part[]; shape?: string } {
  if (content === undefined) return { parts: [], shape: 'absent' };
  if (content === null) return { parts: [], shape: 'null' };
  if (content === '') return { parts: [], shape: 'string' };
  if (typeof content === 'string') return { parts: [{ type: 'text', text: content }] };
  if (!isList(content)) return { parts: [readBlock(content)], shape: 'bare' };
  const parts = content.map(readBlock);
  return isOnePlainText(parts) ? { parts, shape: 'list' } : { parts };
}

const isOnePlainText = (parts: readonly Part[]): boolean =>
  parts.length === 1 && parts[0]?.type === 'text' && parts[0].extra === undefined;

/** Reads one block; one of unknown type or shape becomes an `other` part as it came. */
export function readBlock(block: JsonValue): Part {
  if (!isJsonObject(block) || typeof block.type !== 'string') return other(block);
  const { type } = block;
  if (type === 'thinking' || type === 'redacted_thinking') return readThinking(block);
  if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use') return readCall(block);
  if (type === 'tool_result' || type.endsWith('_tool_result')) return readResult(block);
  return readContentBlock(block);
}

const other = (value: JsonValue): ResultContent => ({ type: 'other', value, ...ownExtra(format, {}) });

function readThinking(block: JsonObject): Part {
  const { type, thinking, signature, data, ...fields } = block;
  if (type === 'redacted_thinking') {
    if (typeof data !== 'string' || thinking !== undefined || signature !== undefined) return other(block);
    return { type: 'reasoning', text: '', encrypted: data, ...ownExtra(format, fields) };
  }
  if (typeof thinking !== 'string' || data !== undefined) return other(block);
  if (signature === undefined) return { type: 'reasoning', text: thinking, ...ownExtra(format, fields) };
  if (typeof signature !== 'string') return other(block);
  return { type: 'reasoning', text: thinking, signature, ...ownExtra(format, fields) };
}

function readCall(block: JsonObject): Part {
  const { type, id, name, input, ...fields } = block;
  if (typeof id !== 'string' || typeof name !== 'string' || input === undefined) return other(block);
  const call: ToolCallPart = { type: 'toolCall', callId: id, name, input: JSON.stringify(input), inputType: 'json' };
  if (type === 'tool_use') return { ...call, ...extraOf(format, fields) };
  const hints = { type: type === 'server_tool_use' ? undefined : type };
  return { ...call, server: true, ...extraOf(format, fields, hints) };
}

/** Results of the provider's own tools have a type of their own each, and their content is a list or one object. */
function readResult(block: JsonObject): Part {
  const { type, tool_use_id: callId, content, is_error: isError, ...fields } = block;
  if (typeof callId !== 'string' || (isError !== undefined && typeof isError !== 'boolean')) return other(block);
  const isClient = type === 'tool_result';
  const { parts, shape } = readResultContent(content);
  const hints: Hints = { content: shape, type: isClient ? undefined : type };
  const hasFailed = isError ?? (!isClient && isErrorContent(content) ? true : undefined);
  const result: ToolResultPart = {
    type: 'toolResult',
    callId,
    content: parts,
    ...(hasFailed === undefined ? {} : { isError: hasFailed }),
    ...(isClient ? {} : { server: true }),
  };
  return {
    ...result,
    ...extraOf(format, fields, { ...hints, isError: hasFailed !== isError ? 'content' : undefined }),
  };
}

const isErrorContent = (content: JsonValue | undefined): boolean =>
  isJsonObject(content) && typeof content.type === 'string' && content.type.endsWith('_error');

function readResultContent(content: JsonValue | undefined): { parts: readonly ResultContent[]; shape?: string } {
  if (content === undefined) return { parts: [] };
  if (content === null) return { parts: [], shape: 'null' };
  if (content === '') return { parts: [], shape: 'string' };
  if (typeof content === 'string') return { parts: [{ type: 'text', text: content }] };
  if (!isList(content)) return { parts: [readContentBlock(content)], shape: 'bare' };
  const parts = content.map(readContentBlock);
  return isOnePlainText(parts) || parts.length === 0 ? { parts, shape: 'list' } : { parts };
}

/** Blocks that may stand in a message and in a result. */
function readContentBlock(block: JsonValue): ResultContent {
  if (!isJsonObject(block)) return other(block);
  const { type, ...rest } = block;
  if (type === 'text' && typeof block.text === 'string') {
    const { text: _, ...fields } = rest;
    return { type: 'text', text: block.text, ...extraOf(format, fields) };
  }
  if (type === 'image' && isJsonObject(block.source)) return readImage(block, block.source);
  if (type === 'document' && isJsonObject(block.source)) return readDocument(block, block.source);
  if (type === 'container_upload' && typeof block.file_id === 'string') {
    const { file_id: fileId, ...fields } = rest;
    return { type: 'file', fileId: block.file_id, ...extraOf(format, fields, { type: 'container_upload' }) };
  }
  return other(block);
}

function readImage(block: JsonObject, source: JsonObject): ResultContent {
  const place = readSource(source);
  if (!place || 'text' in place.body) return other(block);
  const { type: _type, source: _source, ...fields } = block;
  const image: ImagePart = { type: 'image', ...place.body };
  return { ...image, ...extraOf(format, fields, { source: place.rest }) };
}

function readDocument(block: JsonObject, source: JsonObject): ResultContent {
  const place = readSource(source);
  if (!place) return other(block);
  const { type: _type, source: _source, title, ...rest } = block;
  const name = asText(title);
  const fields = title !== undefined && name === undefined ? { ...rest, title } : rest;
  const file: FilePart = { type: 'file', ...place.body, ...(name === undefined ? {} : { name }) };
  return { ...file, ...extraOf(format, fields, { source: place.rest }) };
}

type Body = { mediaType?: string } & ({ data: string } | { url: string } | { fileId: string } | { text: string });

const sourceKeys: ReadonlyMap<string, string> = new Map([
  ['base64', 'data'],
  ['url', 'url'],
  ['file', 'file_id'],
  ['text', 'data'],
]);

function readSource(source: JsonObject): { body: Body; rest?: JsonObject } | undefined {
  const { type, media_type: media, ...others } = source;
  const key = sourceKeys.get(asText(type) ?? '');
  if (key === undefined || (media !== undefined && typeof media !== 'string')) return undefined;
  const { [key]: value, ...rest } = others;
  if (typeof value !== 'string') return undefined;
  const kind = media === undefined ? {} : { mediaType: media };
  const more = Object.keys(rest).length > 0 ? { rest } : {};
  if (type === 'text') return { body: { ...kind, text: value }, ...more };
  if (type === 'url') return { body: { ...kind, url: value }, ...more };
  if (type === 'file') return { body: { ...kind, fileId: value }, ...more };
  return { body: { ...kind, data: value }, ...more };
}
