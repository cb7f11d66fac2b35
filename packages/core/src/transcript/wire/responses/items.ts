/** Items of the OpenAI Responses API that call tools or answer calls, and pieces of content, as parts and back. */

import { defined } from '../../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { FilePart, ImagePart, Part, ResultContent, ToolCallPart, ToolResultPart } from '../../message.ts';
import {
  attachmentMark,
  dataOf,
  inputText,
  isOnePlainText,
  keeping,
  placeOf,
  readContent,
  urlOf,
  valueOrText,
} from '../parts.ts';
import { asList, asObject, asText, type Hints, is, json, take } from '../values.ts';

const { extraOf, other, fieldsOf, hintsOf } = keeping('openai-responses');

// Calls and what answers them.

/** Where a call has its input, and its tool's name where the item has none. */
interface CallKind {
  readonly name?: string;
  readonly input?: string;
}

interface ClientCall extends CallKind {
  readonly input: string;
  /** The type of the item that answers. */
  readonly output: string;
  readonly isText?: true;
}

const clientCalls: ReadonlyMap<string, ClientCall> = new Map<string, ClientCall>([
  ['function_call', { input: 'arguments', output: 'function_call_output' }],
  ['custom_tool_call', { input: 'input', output: 'custom_tool_call_output', isText: true }],
  ['computer_call', { input: 'action', output: 'computer_call_output', name: 'computer' }],
  ['local_shell_call', { input: 'action', output: 'local_shell_call_output', name: 'local_shell' }],
  ['shell_call', { input: 'action', output: 'shell_call_output', name: 'shell' }],
  ['apply_patch_call', { input: 'operation', output: 'apply_patch_call_output', name: 'apply_patch' }],
]);

/** What the provider runs itself: call and result are one item, and `output` is the member of the result. */
interface ServerCall extends CallKind {
  readonly output?: string;
}

const serverCalls: ReadonlyMap<string, ServerCall> = new Map<string, ServerCall>([
  ['web_search_call', { name: 'web_search', input: 'action' }],
  ['file_search_call', { name: 'file_search', input: 'queries', output: 'results' }],
  ['code_interpreter_call', { name: 'code_interpreter', input: 'code', output: 'outputs' }],
  ['image_generation_call', { name: 'image_generation', output: 'result' }],
  ['mcp_call', { input: 'arguments', output: 'output' }],
]);

/** Types of the items that answer calls of a client's tool. */
export const outputTypes: ReadonlySet<string> = new Set([...clientCalls.values()].map(({ output }) => output));

/** True for the type of an item that calls a tool of the client. */
export const isClientCall = (type: string): boolean => clientCalls.has(type);

/** True for the type of an item that calls a tool, or answers such a call. */
export const isToolItem = (type: string): boolean =>
  clientCalls.has(type) || serverCalls.has(type) || outputTypes.has(type);

/** The parts of an item that calls a tool; undefined for every other item. `index` names calls that have no id. */
export function readCallItem(item: JsonObject, index: number): readonly Part[] | undefined {
  const type = asText(item.type) ?? '';
  const client = clientCalls.get(type);
  if (client) return readClientCall(item, client);
  const server = serverCalls.get(type);
  return server && readServerCall(item, server, index);
}

function readClientCall(item: JsonObject, kind: ClientCall): readonly Part[] | undefined {
  const hasId = item.call_id === undefined;
  const named = kind.name === undefined ? { name: is.text } : {};
  const given = take(
    item,
    { type: is.text, [hasId ? 'id' : 'call_id']: is.text, ...named },
    { [kind.input]: is.given },
  );
  if (!given) return undefined;
  const input = item[kind.input];
  const isPlain = is.text(input) && kind.name === undefined;
  const hints: Hints = {
    type: item.type === 'function_call' || kind.isText ? undefined : item.type,
    id: hasId ? 'id' : undefined,
    input: input === undefined ? 'absent' : isPlain ? undefined : 'value',
  };
  const call: ToolCallPart = {
    type: 'toolCall',
    callId: asText(hasId ? item.id : item.call_id) ?? '',
    name: kind.name ?? asText(item.name) ?? '',
    input: input === undefined ? '{}' : isPlain ? input : JSON.stringify(input),
    inputType: kind.isText ? 'text' : 'json',
  };
  return [{ ...call, ...extraOf(given.rest, hints) }];
}

function readServerCall(item: JsonObject, kind: ServerCall, index: number): readonly Part[] | undefined {
  const named = kind.name === undefined ? { name: is.text } : {};
  const members = Object.fromEntries([kind.input, kind.output].flatMap((key) => (key ? [[key, is.given]] : [])));
  const given = take(item, { type: is.text, id: is.maybeText, ...named }, members);
  if (!given) return undefined;
  const { type, id, rest } = given;
  const member = (key: string | undefined): JsonValue | undefined => (key === undefined ? undefined : item[key]);
  const [input, output] = [member(kind.input), member(kind.output)];
  const callId = id ?? `${type}_${index}`;
  const name = kind.name ?? asText(item.name) ?? '';
  const isCode = kind.input === 'code' && is.text(input);
  const isPlain = is.text(input) && (isCode || kind.input === 'arguments');
  // The input of a call is an object; a list of queries is put into one.
  const whole = isJsonObject(input) ? input : json({ [kind.input ?? 'input']: input });
  const hints: Hints = {
    type,
    id: id === undefined ? 'absent' : undefined,
    input: input === undefined ? 'absent' : isPlain ? undefined : isJsonObject(input) ? 'value' : 'wrapped',
    output: output === null ? 'null' : undefined,
  };
  const inputType = isCode ? 'text' : 'json';
  const said = { callId, name, input: isPlain ? input : JSON.stringify(whole), inputType } as const;
  const content = readServerOutput(kind, output, item.output_format);
  const isError = item.error === undefined || item.error === null ? undefined : true;
  return [
    { type: 'toolCall', ...said, server: true, ...extraOf(rest, hints) },
    defined({ type: 'toolResult', callId, name, content, isError, server: true }),
  ];
}

function readServerOutput(
  kind: ServerCall,
  output: JsonValue | undefined,
  imageType: JsonValue | undefined,
): readonly ResultContent[] {
  if (output === undefined || output === null) return [];
  if (is.text(output) && kind.output === 'output') return [{ type: 'text', text: output }];
  if (!is.text(output) || kind.output !== 'result') return [other(output)];
  return [{ type: 'image', mediaType: `image/${asText(imageType) ?? 'png'}`, data: output }];
}

/** The result of an item that answers a call; undefined for every other item. */
export function readOutputItem(item: JsonObject): ToolResultPart | undefined {
  const { type, output } = item;
  if (!is.text(type) || !outputTypes.has(type)) return undefined;
  const idMember = item.call_id === undefined ? 'id' : 'call_id';
  const given = take(item, { type: is.text, [idMember]: is.text }, { output: is.given });
  if (!given) return undefined;
  const { content, shape } = readOutput(output);
  const hints = {
    type: type === 'function_call_output' ? undefined : type,
    output: shape,
    id: idMember === 'id' ? idMember : undefined,
  };
  return { type: 'toolResult', callId: asText(item[idMember]) ?? '', content, ...extraOf(given.rest, hints) };
}

/** By default one plain text is written as a string, and everything else as a list. */
function readOutput(output: JsonValue | undefined): { content: readonly ResultContent[]; shape?: string | undefined } {
  if (output === undefined || is.text(output) || is.list(output)) {
    const { parts, shape } = readContent(output, (piece) => readPiece(piece, 'input_text'), 'string');
    return { content: parts, shape };
  }
  const { type, ...rest } = asObject(output);
  const image = type === 'computer_screenshot' ? readImage(rest, {}) : undefined;
  return image ? { content: [image], shape: 'screenshot' } : { content: [other(output)], shape: 'bare' };
}

/** The item of a call, and the type of the item that will answer it. */
export function writeCallItem(part: ToolCallPart, own: boolean): { item: JsonObject; answer: string } {
  const hints = hintsOf(part);
  const type = asText(hints.type) ?? (part.inputType === 'text' ? 'custom_tool_call' : 'function_call');
  const kind = clientCalls.get(type);
  // Free-form input stays what it is here: the format has a call for it.
  const text = own || part.inputType === 'text' ? part.input : inputText(part.input, part.inputType);
  const item = json({
    type,
    [hints.id === 'id' ? 'id' : 'call_id']: part.callId,
    name: kind?.name === undefined ? part.name : undefined,
    [kind?.input ?? 'arguments']: writeInput(text, hints),
  });
  return { item: { ...item, ...fieldsOf(part) }, answer: kind?.output ?? 'function_call_output' };
}

function writeInput(text: string, hints: JsonObject): JsonValue | undefined {
  if (hints.input === 'absent' && text === '{}') return undefined;
  return hints.input === 'value' ? valueOrText(text) : text;
}

/** The item of a tool that the provider ran: its call with the result in the same message. */
export function writeServerItem(call: ToolCallPart, result: ToolResultPart | undefined): JsonObject {
  const hints = hintsOf(call);
  const type = asText(hints.type) ?? '';
  const kind = serverCalls.get(type) ?? {};
  const whole = hints.input === 'wrapped' ? valueOrText(call.input) : undefined;
  const input = isJsonObject(whole) ? whole[kind.input ?? 'input'] : writeInput(call.input, hints);
  const output = result && writeServerOutput(kind, result.content);
  return {
    ...json({
      type,
      id: hints.id === 'absent' ? undefined : call.callId,
      name: kind.name === undefined ? call.name : undefined,
      ...(kind.input === undefined ? {} : { [kind.input]: input }),
      ...(kind.output === undefined ? {} : { [kind.output]: output ?? (hints.output === 'null' ? null : undefined) }),
    }),
    ...fieldsOf(call),
  };
}

/** A result that was shortened to a text fits only where the item has a text. */
function writeServerOutput(kind: ServerCall, [first]: readonly ResultContent[]): JsonValue | undefined {
  if (first?.type === 'other') return first.value;
  if (first?.type === 'image') return first.data;
  return first?.type === 'text' && kind.output === 'output' ? first.text : undefined;
}

/** The item that answers a call; `answer` is the type that the call wants, where it is known. */
export function writeOutputItem(part: ToolResultPart, answer: string | undefined, own: boolean): JsonObject {
  const hints = hintsOf(part);
  const item = json({
    type: asText(hints.type) ?? answer ?? 'function_call_output',
    [hints.id === 'id' ? 'id' : 'call_id']: part.callId,
    output: own ? writeOutput(part, hints.output) : writeForeignOutput(part),
  });
  return { ...item, ...fieldsOf(part) };
}

function writeOutput({ content }: ToolResultPart, shape: JsonValue | undefined): JsonValue | undefined {
  const [first] = content;
  if (!first) return shape === 'absent' ? undefined : shape === 'list' ? [] : '';
  const isSingle = content.length === 1;
  if (isSingle && shape === 'bare' && first.type === 'other') return first.value;
  if (isSingle && shape === 'screenshot' && first.type === 'image') {
    const url = urlOf(first, 'image/png');
    const place = url === undefined ? { file_id: first.fileId ?? '' } : { image_url: url };
    return { type: 'computer_screenshot', ...place, ...fieldsOf(first) };
  }
  if (isOnePlainText(content) && first.type === 'text' && shape !== 'list') return first.text;
  return content.map((piece) => writePiece(piece, 'input_text', true));
}

function writeForeignOutput(part: ToolResultPart): JsonValue {
  const pieces = part.content.filter((piece) => piece.type !== 'text' || !is.blank(piece.text));
  const [first] = pieces;
  if (!first) return '';
  if (pieces.length === 1 && first.type === 'text') return first.text;
  return pieces.map((piece) => writePiece(piece, 'input_text', false));
}

// The content of message items and outputs.

export type TextType = 'input_text' | 'output_text';

/** Reads one piece of content; `usual` is the type that a text has in this place. `more` are further hints to keep. */
export function readPiece(value: JsonValue, usual: TextType, more: Hints = {}): ResultContent {
  const { type, ...rest } = asObject(value);
  return (
    readKnownPiece(type, rest, { ...more, type: type === usual ? undefined : type }) ??
    other(value, { ...more, in: 'content' })
  );
}

const textTypes = /^(?:input_text|output_text|text|summary_text|reasoning_text|refusal)$/;

function readKnownPiece(type: JsonValue | undefined, rest: JsonObject, hints: Hints): ResultContent | undefined {
  const { type: _, ...more } = hints;
  if (type === 'input_image') return readImage(rest, more);
  if (type === 'input_file') return readFile(rest, more);
  if (!is.text(type) || !textTypes.test(type)) return undefined;
  const member = type === 'refusal' ? 'refusal' : 'text';
  const known = take(rest, { [member]: is.text });
  return known && { type: 'text', text: asText(rest[member]) ?? '', ...extraOf(known.rest, hints) };
}

function readImage(image: JsonObject, hints: Hints): ImagePart | undefined {
  const { image_url: url, file_id: fileId, ...fields } = image;
  if (is.text(url) && fileId === undefined) return { type: 'image', ...placeOf(url), ...extraOf(fields, hints) };
  if (!is.text(fileId) || url !== undefined) return undefined;
  return { type: 'image', fileId, ...extraOf(fields, hints) };
}

function readFile(file: JsonObject, hints: Hints): FilePart | undefined {
  const needed = { file_id: is.maybeText, file_url: is.maybeText, file_data: is.maybeText, filename: is.maybeText };
  const known = take(file, needed);
  if (!known) return undefined;
  const { file_id: fileId, file_url: url, file_data: data, filename: name, rest } = known;
  if ([fileId, url, data].filter(is.given).length !== 1) return undefined;
  const place = data === undefined ? defined({ url, fileId }) : (dataOf(data) ?? { data });
  return defined({ type: 'file', ...place, name, ...extraOf(rest, hints) });
}

/** A piece for the wire. Of another provider's part, what cannot be carried becomes a short mark. */
export function writePiece(part: Part, usual: TextType, own: boolean): JsonValue {
  const fields = fieldsOf(part);
  switch (part.type) {
    case 'text': {
      const type = asText(hintsOf(part).type) ?? usual;
      return { type, [type === 'refusal' ? 'refusal' : 'text']: part.text, ...fields };
    }
    case 'image':
    case 'file': {
      const piece = writeAttachment(part, own);
      return piece ? { ...piece, ...fields } : { type: usual, text: attachmentMark(part) };
    }
    case 'other':
      return own ? part.value : { type: usual, text: JSON.stringify(part.value) };
    default:
      // These are items of their own and never get here.
      return { type: usual, text: '' };
  }
}

function writeAttachment(part: ImagePart | FilePart, own: boolean): JsonObject | undefined {
  const { data, url, mediaType } = part;
  const fileId = own ? part.fileId : undefined;
  if (part.type === 'image') {
    const address = urlOf(part, 'image/png');
    if (address !== undefined) return { type: 'input_image', image_url: address };
    return fileId === undefined ? undefined : { type: 'input_image', file_id: fileId };
  }
  const type = 'input_file';
  const filename = part.name;
  if (data !== undefined) return json({ type, file_data: mediaType === undefined ? data : urlOf(part, ''), filename });
  if (url !== undefined) return json({ type, file_url: url, filename });
  return fileId === undefined ? undefined : json({ type, file_id: fileId, filename });
}

// Reasoning.

/** What can be read of a reasoning item: the raw reasoning where the model shows it, its summary otherwise. */
export function readableReasoning(summary: JsonValue | undefined, content: JsonValue | undefined): string {
  const pieces = asList(content).length > 0 ? asList(content) : asList(summary);
  return pieces.flatMap((piece) => asText(asObject(piece).text) ?? []).join('\n\n');
}

/** The summary that stands for a text when nothing else is known. */
export const summaryOf = (text: string): readonly JsonValue[] => (text === '' ? [] : [{ type: 'summary_text', text }]);
