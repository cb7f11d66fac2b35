/** Messages of pi as parts and back: one entry of the log is one message. */
import { type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import type { Part, ResultContent, Role } from '../../message.ts';
import { asName, asObject, defined, isFlag, isGiven, isList, isText, json, omit, take } from '../../wire/values.ts';
import { keepingRest } from '../drafts.ts';

const { extraOf, restOf } = keepingRest('pi');

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
  if (isText(content) && role !== 'toolResult') return textPieces(message, 'content');
  if (!isList(content)) return undefined;
  if (role === 'toolResult') return resultPieces(message, content);
  const rest = omit(message, ['content']);
  if (role === 'assistant') return { role, parts: content.map(partFrom), rest };
  const isUsers = role === 'user' || role === 'custom' || role === 'hookMessage';
  return isUsers ? { role: 'user', parts: content.map(contentFrom), rest } : undefined;
}

/** Writes the message that the pieces were read from, with the parts as they are now. */
export function messageFrom(rest: JsonObject, parts: readonly Part[]): JsonObject {
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
  if (!isText(text)) return undefined;
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  return { role, parts: [{ type: 'text', text }], rest: { ...message, [member]: 'text' } };
}

/** A command that a person ran at the prompt: the command as typed, and what it printed. */
function commandPieces(message: JsonObject): PiPieces | undefined {
  const known = take(message, { command: isText, output: isText });
  const parts = [`!${known?.command}`, known?.output ?? ''].map((text) => ({ type: 'text', text }) as const);
  return known && { role: 'user', parts, rest: known.rest };
}

const isName = (value: JsonValue | undefined): value is string => asName(value) !== undefined;

function resultPieces(message: JsonObject, blocks: readonly JsonValue[]): PiPieces | undefined {
  const known = take(message, { toolCallId: isText, content: isList }, { toolName: isName, isError: isFlag });
  if (!known) return undefined;
  const { toolCallId: callId, toolName: name, isError, rest } = known;
  const content = blocks.map(contentFrom);
  return { role: 'tool', parts: [defined({ type: 'toolResult', callId, content, name, isError })], rest };
}

function partFrom(value: JsonValue): Part {
  const block = asObject(value);
  if (block.type === 'thinking') {
    const known = take(block, { type: isText, thinking: isText }, { thinkingSignature: isText });
    if (!known) return contentFrom(value);
    const { thinking: text, thinkingSignature, rest } = known;
    // Of redacted reasoning the signature is the encrypted reasoning itself.
    const proof = block.redacted === true ? 'encrypted' : 'signature';
    return defined({ type: 'reasoning', text, [proof]: thinkingSignature, ...extraOf(rest) });
  }
  if (block.type !== 'toolCall') return contentFrom(value);
  const call = take(block, { type: isText, id: isText, name: isText, arguments: isGiven });
  if (!call) return { type: 'other', value };
  const { id: callId, name, rest } = call;
  const input = JSON.stringify(call.arguments);
  return { type: 'toolCall', callId, name, input, inputType: 'json', ...extraOf(rest) };
}

function contentFrom(value: JsonValue): ResultContent {
  const block = asObject(value);
  const text = block.type === 'text' ? take(block, { type: isText, text: isText }) : undefined;
  if (text) return { type: 'text', text: text.text, ...extraOf(text.rest) };
  const image = block.type === 'image' ? take(block, { type: isText, data: isText }, { mimeType: isText }) : undefined;
  if (!image) return { type: 'other', value };
  return defined({ type: 'image', mediaType: image.mimeType, data: image.data, ...extraOf(image.rest) });
}

/** Writes one part as a block of pi. */
export function blockFrom(part: Part): JsonValue {
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
