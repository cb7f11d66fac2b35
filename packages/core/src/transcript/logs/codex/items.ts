/**
 * Items of a Codex rollout, which are those of the OpenAI Responses API, as parts and back. `rest` in `extra` holds the
 * members without a name of ours.
 */

import { defined } from '../../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import type { Part, ReasoningPart, ResultContent, Role, ToolCallPart, ToolResultPart } from '../../message.ts';
import { readableReasoning, summaryOf } from '../../wire/responses/items.ts';
import { asList, asName, asObject, asText, is, json, omit, take } from '../../wire/values.ts';
import * as log from '../log.ts';

const { extraOf, fieldsOf, restOf } = log.keepingRest('codex');

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
  if (type === 'reasoning') return reasoningPieces(item);
  if (Object.hasOwn(callTypes, type)) return callPieces(item, type, line);
  if (Object.hasOwn(resultTypes, type)) return resultPieces(item, resultTypes[type] ?? 'output');
  if (type === 'image_generation_call') return generatedImage(item, line);
  if (type === 'agent_message' && is.list(item.content)) {
    return { role: 'user', parts: contentParts(item.content, 'input_text'), item: omit(item, ['content']) };
  }
  if (isCompaction(item)) return { role: 'user', parts: [{ type: 'other', value: item }], item: { type } };
  return undefined;
}

/** True for an item that stands for everything before it, readable only to the provider. */
export const isCompaction = ({ type }: JsonObject): boolean =>
  type === 'compaction' || type === 'compaction_summary' || type === 'context_compaction';

/** Writes the item that `pieces` were read from, with the parts as they are now. */
export function itemOf(item: JsonObject, parts: readonly Part[]): JsonObject {
  const type = asText(item.type) ?? '';
  const [first, second] = parts;
  if (isCompaction(item) && first?.type === 'other') return asObject(first.value);
  if (type === 'reasoning' && first?.type === 'reasoning') return reasoningItem(item, first);
  if (type === 'image_generation_call' && first?.type === 'toolCall') return { ...item, ...imageItem(first, second) };
  if (first?.type === 'toolCall') return { ...item, ...callItem(first, type) };
  if (first?.type === 'toolResult') {
    return { ...item, [resultTypes[type] ?? 'output']: resultOutput(first), call_id: first.callId };
  }
  if (item.content === 'text' && first?.type === 'text') return { ...item, content: first.text };
  return { ...item, content: parts.map((part) => contentItem(part, type === 'message' && item.role === 'assistant')) };
}

function messagePieces(item: JsonObject): ItemPieces | undefined {
  const { role: speaker, content } = item;
  // `developer` and whatever may come speak for the program.
  const role = speaker === 'assistant' || speaker === 'user' || speaker === 'tool' ? speaker : 'system';
  // A text in place of the list is legal in the API; the word stands where the list stood.
  if (is.text(content)) return { role, parts: [{ type: 'text', text: content }], item: { ...item, content: 'text' } };
  if (!is.list(content)) return undefined;
  const textType = role === 'assistant' ? 'output_text' : 'input_text';
  return { role, parts: contentParts(content, textType), item: omit(item, ['content']) };
}

/** A text keeps its type only where it is not `textType`, the one that its place demands. */
const contentParts = (content: readonly JsonValue[], textType: string): ResultContent[] =>
  content.map((value) => contentPart(asObject(value), textType) ?? { type: 'other', value });

function contentPart(value: JsonObject, textType: string): ResultContent | undefined {
  const { type } = value;
  if (type === 'input_text' || type === 'output_text' || type === 'text') {
    const known = take(value, { text: is.text, ...(type === textType ? { type: is.text } : {}) });
    return known && { type: 'text', text: known.text, ...extraOf(known.rest) };
  }
  if (type === 'input_image') {
    const linked = take(value, { type: is.text, image_url: is.text });
    if (linked) {
      const place = fromDataUrl(linked.image_url);
      const body = 'mediaType' in place ? place : { url: linked.image_url };
      return { type: 'image', ...body, ...extraOf(linked.rest) };
    }
    const known = take(value, { type: is.text, file_id: is.text });
    return known && { type: 'image', fileId: known.file_id, ...extraOf(known.rest) };
  }
  const file =
    type === 'input_file' ? take(value, { type: is.text, file_data: is.text }, { filename: is.text }) : undefined;
  return file && defined({ type: 'file', ...fromDataUrl(file.file_data), name: file.filename, ...extraOf(file.rest) });
}

/** `data:` URLs as Codex writes them; anything else stays one piece. */
function fromDataUrl(url: string): { data: string; mediaType?: string } {
  const [, mediaType, data] = /^data:([\w.+/-]+);base64,([^,]*)$/.exec(url) ?? [];
  return mediaType !== undefined && data !== undefined ? { mediaType, data } : { data: url };
}

function contentItem(part: Part, isAssistant: boolean): JsonValue {
  const rest = restOf(part);
  switch (part.type) {
    case 'text':
      return { type: isAssistant ? 'output_text' : 'input_text', ...rest, text: part.text };
    case 'image':
      if (part.fileId !== undefined) return { type: 'input_image', file_id: part.fileId, ...rest };
      return { type: 'input_image', image_url: part.url ?? dataUrl(part), ...rest };
    case 'file':
      return { ...json({ type: 'input_file', file_data: dataUrl(part), filename: part.name }), ...rest };
    case 'other':
      return part.value;
    default:
      // A message item holds no such part; only a message that was changed by hand gets here.
      return { type: 'input_text', text: JSON.stringify(part) };
  }
}

const dataUrl = ({ data = '', mediaType }: { data?: string; mediaType?: string }): string =>
  mediaType === undefined ? data : `data:${mediaType};base64,${data}`;

function reasoningPieces(item: JsonObject): ItemPieces {
  const { summary, content, encrypted_content: encrypted } = item;
  const text = readableReasoning(summary, content);
  const rest = is.text(encrypted) ? omit(item, ['encrypted_content']) : item;
  // One summary text is what the part says, and a word stands in its place; every other form is kept as it is.
  const isPlain =
    is.list(summary) && asList(content).length === 0 && JSON.stringify(summary) === JSON.stringify(summaryOf(text));
  const part = defined({ type: 'reasoning', text, encrypted: asText(encrypted) });
  return { role: 'assistant', parts: [part], item: isPlain ? { ...rest, summary: 'text' } : rest };
}

function reasoningItem(item: JsonObject, part: ReasoningPart): JsonObject {
  const encrypted = json({ encrypted_content: part.encrypted });
  const isPlain = item.summary === 'text';
  if (!isPlain && readableReasoning(item.summary, item.content) === part.text) return { ...item, ...encrypted };
  return { ...(isPlain ? item : omit(item, ['content'])), summary: summaryOf(part.text), ...encrypted };
}

function callPieces(item: JsonObject, type: string, line: number): ItemPieces | undefined {
  const kind = callTypes[type] ?? { input: 'arguments' };
  const needed = kind.name === undefined ? { name: is.text } : {};
  const known = take(item, needed, { [kind.input]: is.given, call_id: is.name });
  if (!known) return undefined;
  const input = item[kind.input];
  const own = asName(item.call_id);
  const isServer = type === 'web_search_call' || item.execution === 'server';
  const shape = input === undefined ? 'none' : is.text(input) ? undefined : 'value';
  const part: ToolCallPart = {
    type: 'toolCall',
    callId: own ?? asName(item.id) ?? `${type}_${line}`,
    name: kind.name ?? asText(item.name) ?? '',
    input: is.text(input) ? input : JSON.stringify(input === undefined ? {} : input),
    inputType: kind.text ? 'text' : 'json',
    ...(isServer ? { server: true } : {}),
    ...extraOf({}, { shape, callId: own === undefined ? 'none' : undefined }),
  };
  return { role: 'assistant', parts: [part], item: known.rest };
}

function callItem(part: ToolCallPart, type: string): JsonObject {
  const kind = callTypes[type] ?? { input: 'arguments' };
  const { shape, callId } = fieldsOf(part);
  const value = shape === 'value' ? parseJson(part.input) : undefined;
  const input = value === undefined ? part.input : value;
  return json({
    name: kind.name === undefined ? part.name : undefined,
    [kind.input]: shape === 'none' ? undefined : input,
    call_id: callId === 'none' ? undefined : part.callId,
  });
}

function resultPieces(item: JsonObject, member: string): ItemPieces | undefined {
  const known = take(item, { [member]: is.given, call_id: is.text });
  if (!known) return undefined;
  const value = item[member] ?? null;
  const server = item.execution === 'server' ? (true as const) : undefined;
  const callId = asText(item.call_id) ?? '';
  const { content, ...read } = resultContent(value);
  const part = defined({ type: 'toolResult', callId, content, isError: failed(value), server, ...extraOf({}, read) });
  return { role: 'tool', parts: [part], item: known.rest };
}

/** By default a single text is written as a string and everything else as a list. */
function resultContent(value: JsonValue): { content: readonly ResultContent[]; shape?: string; rest?: JsonObject } {
  if (is.text(value)) return { content: [{ type: 'text', text: value }] };
  if (is.list(value)) return { content: contentParts(value, 'input_text'), shape: 'list' };
  // Rollouts of 2025 hold `{content, success}`.
  const { content, ...rest } = asObject(value);
  if (!is.text(content)) return { content: [{ type: 'other', value }], shape: 'single' };
  return { content: [{ type: 'text', text: content }], shape: 'object', rest };
}

function resultOutput(part: ToolResultPart): JsonValue {
  const { shape } = fieldsOf(part);
  const [first, ...more] = part.content;
  const single = more.length === 0 ? first : undefined;
  if (shape === 'single' && single?.type === 'other') return single.value;
  if (single?.type !== 'text' || shape === 'list') return part.content.map((piece) => contentItem(piece, false));
  return shape === 'object' ? { content: single.text, ...restOf(part) } : single.text;
}

/** Heads that Codex puts before the output of a command, such as `Exit code: 1` or `Process exited with code 1`. */
const exitHead = /^(?:[^\n]*\n){0,5}?(?:Exit code:|Process exited with code) (-?\d+)/;

/** Whether the log says that the call failed: its flag, the metadata of a command, or the head of its output. */
function failed(value: JsonValue): boolean | undefined {
  if (isJsonObject(value)) return is.flag(value.success) ? !value.success : undefined;
  if (!is.text(value)) return undefined;
  const code = value.startsWith('{') ? asObject(asObject(parseJson(value)).metadata).exit_code : undefined;
  if (typeof code === 'number') return code !== 0;
  const head = exitHead.exec(value.slice(0, 400).split('\nOutput:')[0] ?? '');
  return head ? head[1] !== '0' : undefined;
}

/** An image that the provider made: a call of its own tool with the image as result. */
function generatedImage(item: JsonObject, line: number): ItemPieces {
  const {
    revised_prompt: prompt,
    result,
    rest = {},
  } = take(item, {}, { revised_prompt: is.text, result: is.text }) ?? {};
  const about = { callId: asName(item.id) ?? `image_generation_call_${line}`, name: 'image_generation' };
  const input = JSON.stringify(json({ revised_prompt: prompt }));
  const call: Part = { type: 'toolCall', ...about, input, inputType: 'json', server: true };
  if (result === undefined) return { role: 'assistant', parts: [call], item: rest };
  const content: ResultContent[] = [{ type: 'image', mediaType: 'image/png', data: result }];
  return { role: 'assistant', parts: [call, { type: 'toolResult', ...about, content, server: true }], item: rest };
}

function imageItem(call: ToolCallPart, result: Part | undefined): JsonObject {
  const image = result?.type === 'toolResult' ? result.content[0] : undefined;
  const prompt = asText(asObject(parseJson(call.input)).revised_prompt);
  return json({ revised_prompt: prompt, result: image?.type === 'image' ? image.data : undefined });
}
