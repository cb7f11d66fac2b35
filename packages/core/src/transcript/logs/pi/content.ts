/** Messages of pi as parts and back: one entry of the log is one message. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import type { Extra, Part, ResultContent, Role } from '../../message.ts';
import { asName, asText, isList, omit } from '../../wire/values.ts';
import { ownFields } from '../written-lines.ts';

const format = 'pi';

/** The parts of an entry's message, and the message without what they carry. */
export interface PiPieces {
  readonly role: Role;
  readonly parts: readonly Part[];
  readonly rest: JsonObject;
}

/** Roles whose messages hold a summary text. */
const summaryRoles: ReadonlySet<string> = new Set(['branchSummary', 'compactionSummary']);

/** Reads a message; undefined when it is of unknown role or broken. */
export function piecesOf(message: JsonObject): PiPieces | undefined {
  const role = asText(message.role) ?? '';
  if (role === 'bashExecution') return commandPieces(message);
  if (summaryRoles.has(role)) return textPieces(message, 'summary');
  const { content } = message;
  if (typeof content === 'string' && role !== 'toolResult') return textPieces(message, 'content');
  if (!isList(content)) return undefined;
  if (role === 'toolResult') return resultPieces(message, content);
  const rest = omit(message, ['content']);
  if (role === 'assistant') return { role, parts: content.map(partFrom), rest };
  if (role === 'user' || role === 'custom' || role === 'hookMessage') {
    return { role: 'user', parts: content.map(contentFrom), rest };
  }
  return undefined;
}

/** Writes the message that the pieces were read from, with the parts as they are now. */
export function messageFrom(rest: JsonObject, parts: readonly Part[]): JsonObject {
  const [first, second] = parts;
  const role = asText(rest.role) ?? '';
  const text = first?.type === 'text' ? first.text : '';
  if (role === 'bashExecution') {
    return { ...rest, command: text.slice(1), output: second?.type === 'text' ? second.text : '' };
  }
  if (role === 'toolResult' && first?.type === 'toolResult') return { ...rest, ...resultMember(first) };
  if (rest.summary === 'text') return { ...rest, summary: text };
  if (rest.content === 'text' && parts.length === 1) return { ...rest, content: text };
  return { ...rest, content: parts.map(blockFrom) };
}

/** A text in place of a list; the word `text` stands where it stood. */
export function textPieces(message: JsonObject, member: 'content' | 'summary'): PiPieces | undefined {
  const text = message[member];
  if (typeof text !== 'string') return undefined;
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  return { role, parts: [{ type: 'text', text }], rest: { ...message, [member]: 'text' } };
}

/** A command that a person ran at the prompt: the command as typed, and what it printed. */
function commandPieces(message: JsonObject): PiPieces | undefined {
  const { command, output } = message;
  if (typeof command !== 'string' || typeof output !== 'string') return undefined;
  const parts: Part[] = [
    { type: 'text', text: `!${command}` },
    { type: 'text', text: output },
  ];
  return { role: 'user', parts, rest: omit(message, ['command', 'output']) };
}

function resultPieces(message: JsonObject, content: readonly JsonValue[]): PiPieces | undefined {
  const callId = asText(message.toolCallId);
  if (callId === undefined) return undefined;
  const name = asName(message.toolName);
  const isError = typeof message.isError === 'boolean' ? message.isError : undefined;
  const taken = ['content', 'toolCallId'];
  if (name !== undefined) taken.push('toolName');
  if (isError !== undefined) taken.push('isError');
  const part: Part = {
    type: 'toolResult',
    callId,
    content: content.map(contentFrom),
    ...(name === undefined ? {} : { name }),
    ...(isError === undefined ? {} : { isError }),
  };
  return { role: 'tool', parts: [part], rest: omit(message, taken) };
}

function resultMember(part: Part & { type: 'toolResult' }): JsonObject {
  return {
    toolCallId: part.callId,
    ...(part.name === undefined ? {} : { toolName: part.name }),
    ...(part.isError === undefined ? {} : { isError: part.isError }),
    content: part.content.map(blockFrom),
  };
}

function partFrom(block: JsonValue): Part {
  if (!isJsonObject(block)) return { type: 'other', value: block };
  if (block.type === 'thinking' && typeof block.thinking === 'string') return reasoningFrom(block, block.thinking);
  if (block.type !== 'toolCall') return contentFrom(block);
  const { id, name, arguments: input } = block;
  if (typeof id !== 'string' || typeof name !== 'string' || input === undefined) return { type: 'other', value: block };
  const rest = omit(block, ['type', 'id', 'name', 'arguments']);
  return { type: 'toolCall', callId: id, name, input: JSON.stringify(input), inputType: 'json', ...extra(rest) };
}

/** Of redacted reasoning the signature is the encrypted reasoning itself. */
function reasoningFrom(block: JsonObject, text: string): Part {
  const signature = asText(block.thinkingSignature);
  const taken = ['type', 'thinking'];
  if (signature !== undefined) taken.push('thinkingSignature');
  const rest = extra(omit(block, taken));
  if (signature === undefined) return { type: 'reasoning', text, ...rest };
  const proof = block.redacted === true ? { encrypted: signature } : { signature };
  return { type: 'reasoning', text, ...proof, ...rest };
}

function contentFrom(block: JsonValue): ResultContent {
  if (!isJsonObject(block)) return { type: 'other', value: block };
  if (block.type === 'text' && typeof block.text === 'string') {
    return { type: 'text', text: block.text, ...extra(omit(block, ['type', 'text'])) };
  }
  if (block.type !== 'image' || typeof block.data !== 'string') return { type: 'other', value: block };
  const mediaType = asText(block.mimeType);
  const taken = mediaType === undefined ? ['type', 'data'] : ['type', 'data', 'mimeType'];
  const kind = mediaType === undefined ? {} : { mediaType };
  return { type: 'image', ...kind, data: block.data, ...extra(omit(block, taken)) };
}

/** Writes one part as a block of pi. */
export function blockFrom(part: Part): JsonValue {
  const rest = ownFields(part.extra, format).rest;
  const more: JsonObject = isJsonObject(rest) ? rest : {};
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...more };
    case 'reasoning': {
      const signature = part.encrypted ?? part.signature;
      const proof: JsonObject = signature === undefined ? {} : { thinkingSignature: signature };
      return { type: 'thinking', thinking: part.text, ...proof, ...more };
    }
    case 'toolCall': {
      const value = part.inputType === 'json' ? parseJson(part.input) : undefined;
      const input = value === undefined ? { input: part.input } : value;
      return { type: 'toolCall', id: part.callId, name: part.name, arguments: input, ...more };
    }
    case 'image': {
      const kind: JsonObject = part.mediaType === undefined ? {} : { mimeType: part.mediaType };
      if (part.data !== undefined) return { type: 'image', data: part.data, ...kind, ...more };
      return { type: 'text', text: `[image ${part.url ?? part.fileId ?? ''}]` };
    }
    case 'file':
      return { type: 'text', text: part.text ?? `[file ${part.name ?? part.mediaType ?? ''}]` };
    case 'other':
      return part.value;
    case 'toolResult':
      // pi keeps results in messages of their own; the writer has split them off before.
      return { type: 'text', text: JSON.stringify(part) };
  }
}

function extra(rest: JsonObject): { extra?: Extra } {
  return Object.keys(rest).length > 0 ? { extra: { format, fields: { rest } } } : {};
}
