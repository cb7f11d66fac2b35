/**
 * Items of a Codex rollout, which are those of the OpenAI Responses API, as parts and back. `rest` in `extra` holds the
 * members without a name of ours.
 */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import type { Extra, Part, ReasoningPart, ResultContent, Role, ToolCallPart, ToolResultPart } from '../../message.ts';
import { asList, asName, asObject, asText, isList, omit } from '../../wire/values.ts';
import { ownFields } from '../written-lines.ts';

const format = 'codex';

/** What an item of a response is: a piece of a message, and the rest of it that no part carries. */
export interface ItemPieces {
  readonly role: Role;
  readonly parts: readonly Part[];
  /** The item without what the parts carry. */
  readonly item: JsonObject;
}

/** Calls by the type of their items: their names where the item has none, and the member that holds the input. */
const callTypes: Readonly<Record<string, { name?: string; input: string; text?: true }>> = {
  function_call: { input: 'arguments' },
  custom_tool_call: { input: 'input', text: true },
  tool_search_call: { name: 'tool_search', input: 'arguments' },
  local_shell_call: { name: 'local_shell', input: 'action' },
  web_search_call: { name: 'web_search', input: 'action' },
};

/** Results by the type of their items, and the member that holds the content. */
const resultTypes: Readonly<Record<string, string>> = {
  function_call_output: 'output',
  custom_tool_call_output: 'output',
  local_shell_call_output: 'output',
  tool_search_output: 'tools',
};

/** Reads an item; undefined for one that no model sees or that is of unknown type or broken. */
export function piecesOf(item: JsonObject, line: number): ItemPieces | undefined {
  const type = asText(item.type) ?? '';
  if (type === 'message') return messagePieces(item);
  if (type === 'reasoning') return { role: 'assistant', ...reasoningPieces(item) };
  if (Object.hasOwn(callTypes, type)) return callPieces(item, line);
  if (Object.hasOwn(resultTypes, type)) return resultPieces(item);
  if (type === 'image_generation_call') return generatedImage(item, line);
  if (type === 'agent_message' && isList(item.content)) {
    return { role: 'user', parts: contentParts(item.content, 'input_text'), item: omit(item, ['content']) };
  }
  if (isCompaction(item)) return { role: 'user', parts: [{ type: 'other', value: item }], item: { type } };
  return undefined;
}

/** True for an item that stands for everything before it, readable only to the provider. */
export const isCompaction = (item: JsonObject): boolean =>
  item.type === 'compaction' || item.type === 'compaction_summary' || item.type === 'context_compaction';

/** Writes the item that `pieces` were read from, with the parts as they are now. */
export function itemOf(item: JsonObject, parts: readonly Part[]): JsonObject {
  const type = asText(item.type) ?? '';
  const [first, second] = parts;
  if (isCompaction(item) && first?.type === 'other') return asObject(first.value);
  if (type === 'reasoning' && first?.type === 'reasoning') return reasoningItem(item, first);
  if (type === 'image_generation_call' && first?.type === 'toolCall') return { ...item, ...imageItem(first, second) };
  if (first?.type === 'toolCall') return { ...item, ...callItem(first, type) };
  if (first?.type === 'toolResult') return { ...item, ...resultItem(first, type) };
  if (item.content === 'text' && first?.type === 'text') return { ...item, content: first.text };
  return { ...item, content: parts.map((part) => contentItem(part, type === 'message' && item.role === 'assistant')) };
}

/** `developer` and whatever may come speak for the program. */
const roleOf = (role: JsonValue | undefined): Role =>
  role === 'assistant' || role === 'user' || role === 'tool' ? role : 'system';

function messagePieces(item: JsonObject): ItemPieces | undefined {
  const role = roleOf(item.role);
  const { content } = item;
  // A text in place of the list is legal in the API; the word stands where the list stood.
  if (typeof content === 'string') {
    return { role, parts: [{ type: 'text', text: content }], item: { ...item, content: 'text' } };
  }
  if (!isList(content)) return undefined;
  const textType = role === 'assistant' ? 'output_text' : 'input_text';
  return { role, parts: contentParts(content, textType), item: omit(item, ['content']) };
}

/** A text keeps its type only where it is not `textType`, the one that its place demands. */
const contentParts = (content: readonly JsonValue[], textType: string): ResultContent[] =>
  content.map((value) => contentPart(value, textType));

function contentPart(value: JsonValue, textType: string): ResultContent {
  if (!isJsonObject(value)) return { type: 'other', value };
  const { type, text, image_url: url, file_id: fileId, file_data: data, filename } = value;
  if ((type === 'input_text' || type === 'output_text' || type === 'text') && typeof text === 'string') {
    return { type: 'text', text, ...extra(omit(value, type === textType ? ['type', 'text'] : ['text'])) };
  }
  if (type === 'input_image' && typeof url === 'string') return imagePart(url, omit(value, ['type', 'image_url']));
  if (type === 'input_image' && typeof fileId === 'string') {
    return { type: 'image', fileId, ...extra(omit(value, ['type', 'file_id'])) };
  }
  if (type === 'input_file' && typeof data === 'string') {
    const name = asText(filename);
    const rest = omit(value, name === undefined ? ['type', 'file_data'] : ['type', 'file_data', 'filename']);
    return { type: 'file', ...fromDataUrl(data), ...(name === undefined ? {} : { name }), ...extra(rest) };
  }
  return { type: 'other', value };
}

function imagePart(url: string, rest: JsonObject): ResultContent {
  const parsed = fromDataUrl(url);
  return 'mediaType' in parsed ? { type: 'image', ...parsed, ...extra(rest) } : { type: 'image', url, ...extra(rest) };
}

/** `data:` URLs as Codex writes them; anything else stays one piece. */
function fromDataUrl(url: string): { data: string; mediaType?: string } {
  const found = /^data:([\w.+/-]+);base64,([^,]*)$/.exec(url);
  return found?.[1] !== undefined && found[2] !== undefined ? { mediaType: found[1], data: found[2] } : { data: url };
}

function contentItem(part: Part, isAssistant: boolean): JsonValue {
  const rest = restOf(part.extra);
  switch (part.type) {
    case 'text':
      return { type: isAssistant ? 'output_text' : 'input_text', ...rest, text: part.text };
    case 'image': {
      if (part.fileId !== undefined) return { type: 'input_image', file_id: part.fileId, ...rest };
      return { type: 'input_image', image_url: part.url ?? dataUrl(part), ...rest };
    }
    case 'file': {
      const name: JsonObject = part.name === undefined ? {} : { filename: part.name };
      return { type: 'input_file', file_data: dataUrl(part), ...name, ...rest };
    }
    case 'other':
      return part.value;
    case 'reasoning':
    case 'toolCall':
    case 'toolResult':
      // A message item holds no such part; only a message that was changed by hand gets here.
      return { type: 'input_text', text: JSON.stringify(part) };
  }
}

function dataUrl({ data, mediaType }: { data?: string; mediaType?: string }): string {
  return mediaType === undefined ? (data ?? '') : `data:${mediaType};base64,${data ?? ''}`;
}

function reasoningPieces(item: JsonObject): { parts: Part[]; item: JsonObject } {
  const { encrypted_content: encrypted } = item;
  const text = readableReasoning(item);
  const part: ReasoningPart = { type: 'reasoning', text, ...(typeof encrypted === 'string' ? { encrypted } : {}) };
  const rest = typeof encrypted === 'string' ? omit(item, ['encrypted_content']) : item;
  // One summary text is what the part says, and a word stands in its place; every other form is kept as it is.
  return { parts: [part], item: isPlainSummary(item, text) ? { ...rest, summary: 'text' } : rest };
}

/** The raw reasoning where the model shows it, its summary otherwise. */
function readableReasoning(item: JsonObject): string {
  const content = asList(item.content);
  const pieces = content.length > 0 ? content : asList(item.summary);
  return pieces.flatMap((piece) => asText(asObject(piece).text) ?? []).join('\n\n');
}

function isPlainSummary(item: JsonObject, text: string): boolean {
  const [first, ...more] = asList(item.summary);
  if (!isList(item.summary) || more.length > 0 || asList(item.content).length > 0) return false;
  if (first === undefined) return true;
  return text !== '' && JSON.stringify(first) === JSON.stringify({ type: 'summary_text', text });
}

function reasoningItem(item: JsonObject, part: ReasoningPart): JsonObject {
  const encrypted: JsonObject = part.encrypted === undefined ? {} : { encrypted_content: part.encrypted };
  const isPlain = item.summary === 'text';
  if (!isPlain && readableReasoning(item) === part.text) return { ...item, ...encrypted };
  const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }];
  return { ...(isPlain ? item : omit(item, ['content'])), summary, ...encrypted };
}

function callPieces(item: JsonObject, line: number): ItemPieces | undefined {
  const type = asText(item.type) ?? '';
  const kind = callTypes[type];
  const name = kind?.name ?? asText(item.name);
  if (!kind || name === undefined) return undefined;
  const input = item[kind.input];
  const own = asName(item.call_id);
  const known = [kind.input];
  if (own !== undefined) known.push('call_id');
  if (kind.name === undefined) known.push('name');
  const shape = input === undefined ? 'none' : typeof input === 'string' ? undefined : 'value';
  const fields: { [name: string]: JsonValue } = {};
  if (shape !== undefined) fields.shape = shape;
  if (own === undefined) fields.callId = 'none';
  const part: ToolCallPart = {
    type: 'toolCall',
    callId: own ?? asName(item.id) ?? `${type}_${line}`,
    name,
    input: typeof input === 'string' ? input : JSON.stringify(input === undefined ? {} : input),
    inputType: kind.text ? 'text' : 'json',
    ...(type === 'web_search_call' || item.execution === 'server' ? { server: true } : {}),
    ...(Object.keys(fields).length > 0 ? { extra: { format, fields } } : {}),
  };
  return { role: 'assistant', parts: [part], item: omit(item, known) };
}

function callItem(part: ToolCallPart, type: string): JsonObject {
  const kind = callTypes[type] ?? { input: 'arguments' };
  const { shape, callId } = ownFields(part.extra, format);
  const value = shape === 'value' ? parseJson(part.input) : undefined;
  const input = value === undefined ? part.input : value;
  return {
    ...(kind.name === undefined ? { name: part.name } : {}),
    ...(shape === 'none' ? {} : { [kind.input]: input }),
    ...(callId === 'none' ? {} : { call_id: part.callId }),
  };
}

function resultPieces(item: JsonObject): ItemPieces | undefined {
  const member = resultTypes[asText(item.type) ?? ''] ?? 'output';
  const value = item[member];
  const callId = asText(item.call_id);
  if (value === undefined || callId === undefined) return undefined;
  const isError = failed(value);
  const part: ToolResultPart = {
    type: 'toolResult',
    callId,
    content: resultContent(value),
    ...(isError === undefined ? {} : { isError }),
    ...(item.execution === 'server' ? { server: true } : {}),
    ...resultShape(value),
  };
  return { role: 'tool', parts: [part], item: omit(item, [member, 'call_id']) };
}

function resultContent(value: JsonValue): ResultContent[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (isList(value)) return contentParts(value, 'input_text');
  const { content } = asObject(value);
  // Rollouts of 2025 hold `{content, success}`.
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [{ type: 'other', value }];
}

/** By default a single text is written as a string and everything else as a list. */
function resultShape(value: JsonValue): { extra?: Extra } {
  if (typeof value === 'string') return {};
  if (isList(value)) return { extra: { format, fields: { shape: 'list' } } };
  const object = asObject(value);
  if (typeof object.content !== 'string') return { extra: { format, fields: { shape: 'single' } } };
  return { extra: { format, fields: { shape: 'object', rest: omit(object, ['content']) } } };
}

function resultItem(part: ToolResultPart, type: string): JsonObject {
  return { [resultTypes[type] ?? 'output']: resultOutput(part), call_id: part.callId };
}

function resultOutput(part: ToolResultPart): JsonValue {
  const { shape, rest } = ownFields(part.extra, format);
  const [first, ...more] = part.content;
  const single = first && more.length === 0 ? first : undefined;
  if (shape === 'single' && single?.type === 'other') return single.value;
  if (shape === 'object' && single?.type === 'text') return { content: single.text, ...asObject(rest) };
  if (shape === 'list' || !single || single.type !== 'text')
    return part.content.map((piece) => contentItem(piece, false));
  return single.text;
}

/** Heads that Codex puts before the output of a command, such as `Exit code: 1` or `Process exited with code 1`. */
const exitHead = /^(?:[^\n]*\n){0,5}?(?:Exit code:|Process exited with code) (-?\d+)/;

/** Whether the log says that the call failed: its flag, the metadata of a command, or the head of its output. */
function failed(value: JsonValue): boolean | undefined {
  if (isJsonObject(value)) return typeof value.success === 'boolean' ? !value.success : undefined;
  if (typeof value !== 'string') return undefined;
  const code = value.startsWith('{') ? asObject(asObject(parseJson(value)).metadata).exit_code : undefined;
  if (typeof code === 'number') return code !== 0;
  const head = exitHead.exec(value.slice(0, 400).split('\nOutput:')[0] ?? '');
  return head ? head[1] !== '0' : undefined;
}

/** An image that the provider made: a call of its own tool with the image as result. */
function generatedImage(item: JsonObject, line: number): ItemPieces {
  const callId = asName(item.id) ?? `image_generation_call_${line}`;
  const { revised_prompt: prompt, result } = item;
  const name = 'image_generation';
  const input = JSON.stringify(typeof prompt === 'string' ? { revised_prompt: prompt } : {});
  const call: ToolCallPart = { type: 'toolCall', callId, name, input, inputType: 'json', server: true };
  const known = typeof prompt === 'string' ? ['revised_prompt'] : [];
  if (typeof result !== 'string') return { role: 'assistant', parts: [call], item: omit(item, known) };
  const image: ResultContent = { type: 'image', mediaType: 'image/png', data: result };
  const parts: Part[] = [call, { type: 'toolResult', callId, name, content: [image], server: true }];
  return { role: 'assistant', parts, item: omit(item, [...known, 'result']) };
}

function imageItem(call: ToolCallPart, result: Part | undefined): JsonObject {
  const image = result?.type === 'toolResult' ? result.content[0] : undefined;
  const prompt = asObject(parseJson(call.input)).revised_prompt;
  return {
    ...(typeof prompt === 'string' ? { revised_prompt: prompt } : {}),
    ...(image?.type === 'image' && image.data !== undefined ? { result: image.data } : {}),
  };
}

function extra(rest: JsonObject): { extra?: Extra } {
  return Object.keys(rest).length > 0 ? { extra: { format, fields: { rest } } } : {};
}

const restOf = (from: Extra | undefined): JsonObject => asObject(ownFields(from, format).rest);
