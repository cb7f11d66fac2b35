/** What stands in the events of Copilot CLI as parts: attachments, answers, results. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Part, ResultContent, ToolCallPart } from '../message.ts';
import { asList, asName, asObject, asText, defined, omit } from './fields.ts';

const format = 'copilot-cli';

/** Files of the workspace are named; only pasted data and selected text stand in the log. */
export function attachmentPart(value: JsonValue): Part {
  const file = asObject(value);
  const name = asName(file.displayName) ?? asName(file.path) ?? asName(file.title);
  const mediaType = asName(file.mimeType);
  const data = asText(file.data);
  const taken = ['displayName', 'mimeType', 'data', 'text'];
  const extra = { format, fields: { rest: omit(file, taken) } } as const;
  if (data !== undefined && mediaType?.startsWith('image/')) return { type: 'image', mediaType, data, extra };
  if (data === undefined && name === undefined) return { type: 'other', value };
  return defined({ type: 'file', mediaType, name, data, text: asText(file.text), extra } as const);
}

export function assistantParts(data: JsonObject): Part[] {
  const parts: Part[] = [];
  const text = asText(data.reasoningText);
  const signature = asName(data.reasoningOpaque);
  const encrypted = asName(data.encryptedContent);
  if (text !== undefined || signature !== undefined || encrypted !== undefined) {
    parts.push(defined({ type: 'reasoning', text: text ?? '', signature, encrypted } as const));
  }
  const content = asName(data.content);
  if (content !== undefined) parts.push({ type: 'text', text: content });
  return [...parts, ...asList(data.toolRequests).map(callPart)];
}

function callPart(value: JsonValue): Part {
  const request = asObject(value);
  const callId = asName(request.toolCallId);
  const name = asName(request.name);
  if (callId === undefined || name === undefined) return { type: 'other', value };
  const { arguments: input } = request;
  const isText = request.type === 'custom' && typeof input === 'string';
  const part: ToolCallPart = {
    type: 'toolCall',
    callId,
    name,
    input: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    inputType: isText ? 'text' : 'json',
    extra: { format, fields: { rest: omit(request, ['toolCallId', 'name', 'arguments']) } },
  };
  return part;
}

export function errorContent(error: JsonValue | undefined): ResultContent[] {
  const text = asText(error) ?? asText(asObject(error).message);
  if (text !== undefined) return [{ type: 'text', text }];
  return error === undefined ? [] : [{ type: 'other', value: error }];
}

/** `content` is the text for the model; `contents` repeats it as blocks and adds images and other attachments. */
export function resultContent(result: JsonValue): ResultContent[] {
  if (!isJsonObject(result)) return typeof result === 'string' ? [{ type: 'text', text: result }] : [];
  const text = asText(result.content);
  const blocks = asList(result.contents).flatMap((block) => resultBlock(block, text));
  return text === undefined ? blocks : [{ type: 'text', text }, ...blocks];
}

/** What no part carries: the longer form for the screen, and blocks such as the exit code of a terminal. */
export function restOfResult(result: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(result)) return typeof result === 'string' ? undefined : result;
  const blocks = asList(result.contents).filter((block) => resultBlock(block, undefined)[0]?.type === 'text');
  return { ...omit(result, ['content', 'contents']), ...(blocks.length > 0 ? { contents: blocks } : {}) };
}

function resultBlock(value: JsonValue, text: string | undefined): ResultContent[] {
  const block = asObject(value);
  const data = asText(block.data);
  const mediaType = asName(block.mimeType);
  const own = asText(block.text);
  if (block.type === 'image' && data !== undefined) return [defined({ type: 'image', mediaType, data } as const)];
  if (block.type === 'audio' && data !== undefined) return [defined({ type: 'file', mediaType, data } as const)];
  if (block.type !== 'text' && block.type !== 'terminal') return [{ type: 'other', value }];
  return own === undefined || text?.includes(own) ? [] : [{ type: 'text', text: own }];
}
