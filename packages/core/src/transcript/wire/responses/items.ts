/** Items of the OpenAI Responses API that call tools or answer calls, as parts and back. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { FilePart, ImagePart, Part, ResultContent, ToolCallPart, ToolResultPart } from '../../message.ts';
import {
  asText,
  attachmentMark,
  dataOf,
  extraOf,
  fieldsOf,
  type Hints,
  hintsOf,
  inputText,
  isList,
  ownExtra,
  placeOf,
  urlOf,
  valueOrText,
} from '../values.ts';

const format = 'openai-responses';

/** What calls a client's tool: where the input stands, and the type of the item that answers. */
interface ClientCall {
  readonly input: string;
  readonly output: string;
  /** The tool has no name of its own in the item. */
  readonly name?: string;
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

/** What the provider runs itself: call and result are one item. */
interface ServerCall {
  readonly name?: string;
  readonly input?: string;
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

/** The parts of an item that calls a tool; undefined for every other item. `index` names calls that have no id. */
export function readCallItem(item: JsonObject, index: number): readonly Part[] | undefined {
  const type = asText(item.type) ?? '';
  const client = clientCalls.get(type);
  if (client) return readClientCall(item, client);
  const server = serverCalls.get(type);
  return server ? readServerCall(item, server, index) : undefined;
}

function readClientCall(item: JsonObject, kind: ClientCall): readonly Part[] | undefined {
  const { type: _, call_id: callId, id, ...rest } = item;
  const { [kind.input]: input, ...others } = rest;
  const { name: own, ...unnamed } = others;
  const name = kind.name ?? asText(own);
  const known = asText(callId) ?? asText(id);
  if (name === undefined || known === undefined || (callId !== undefined && typeof callId !== 'string'))
    return undefined;
  const isPlain = typeof input === 'string' && kind.name === undefined;
  const fields = { ...(callId !== undefined && id !== undefined ? { id } : {}), ...(kind.name ? others : unnamed) };
  const hints: Hints = {
    type: item.type === 'function_call' || kind.isText ? undefined : item.type,
    id: callId === undefined ? 'id' : undefined,
    input: input === undefined ? 'absent' : isPlain ? undefined : 'value',
  };
  const text = input === undefined ? '{}' : isPlain ? input : JSON.stringify(input);
  const inputType = kind.isText ? 'text' : 'json';
  return [{ type: 'toolCall', callId: known, name, input: text, inputType, ...extraOf(format, fields, hints) }];
}

function readServerCall(item: JsonObject, kind: ServerCall, index: number): readonly Part[] | undefined {
  const { type, id, ...all } = item;
  const { value: input, rest } = taken(all, kind.input);
  const { value: output, rest: others } = taken(rest, kind.output);
  const { name: own, ...unnamed } = others;
  const name = kind.name ?? asText(own);
  if (name === undefined || (id !== undefined && typeof id !== 'string')) return undefined;
  const callId = id ?? `${String(type)}_${index}`;
  const isCode = kind.input === 'code' && typeof input === 'string';
  const isPlain = typeof input === 'string' && (isCode || kind.input === 'arguments');
  const hints: Hints = {
    type,
    id: id === undefined ? 'absent' : undefined,
    input: input === undefined ? 'absent' : isPlain ? undefined : isJsonObject(input) ? 'value' : 'wrapped',
    output: output === null ? 'null' : undefined,
  };
  const fields = kind.name ? others : unnamed;
  const call: ToolCallPart = {
    type: 'toolCall',
    callId,
    name,
    input: isPlain ? input : JSON.stringify(isJsonObject(input) ? input : wrapped(kind, input)),
    inputType: isCode ? 'text' : 'json',
    server: true,
    ...extraOf(format, fields, hints),
  };
  const hasFailed = all.error !== undefined && all.error !== null;
  const result: ToolResultPart = {
    type: 'toolResult',
    callId,
    name,
    content: readServerOutput(kind, output, all.output_format),
    ...(hasFailed ? { isError: true } : {}),
    server: true,
  };
  return [call, result];
}

/** The input of a call is an object; a list of queries is put into one. */
const wrapped = (kind: ServerCall, input: JsonValue | undefined): JsonObject =>
  input === undefined ? {} : { [kind.input ?? 'input']: input };

/** A field of an object and the object without it. */
function taken(object: JsonObject, key: string | undefined): { value: JsonValue | undefined; rest: JsonObject } {
  if (key === undefined) return { value: undefined, rest: object };
  const { [key]: value, ...rest } = object;
  return { value, rest };
}

function readServerOutput(
  kind: ServerCall,
  output: JsonValue | undefined,
  imageType: JsonValue | undefined,
): readonly ResultContent[] {
  if (output === undefined || output === null) return [];
  if (typeof output === 'string' && kind.output === 'output') return [{ type: 'text', text: output }];
  if (typeof output === 'string' && kind.output === 'result') {
    return [{ type: 'image', mediaType: `image/${asText(imageType) ?? 'png'}`, data: output }];
  }
  return [{ type: 'other', value: output, ...ownExtra(format, {}) }];
}

/** The result of an item that answers a call; undefined for every other item. */
export function readOutputItem(item: JsonObject): ToolResultPart | undefined {
  const { type, call_id: callId, output, ...rest } = item;
  if (typeof type !== 'string' || !outputTypes.has(type)) return undefined;
  const { id, ...withoutId } = rest;
  const known = asText(callId) ?? (callId === undefined ? asText(id) : undefined);
  if (known === undefined) return undefined;
  const { content, shape, inner } = readOutput(output);
  const hints: Hints = { type, output: shape, inner, id: callId === undefined ? 'id' : undefined };
  const isUsual = type === 'function_call_output';
  const fields = callId === undefined ? withoutId : rest;
  return {
    type: 'toolResult',
    callId: known,
    content,
    ...extraOf(format, fields, { ...hints, type: isUsual ? undefined : type }),
  };
}

/** By default one plain text is written as a string, and everything else as a list. */
function readOutput(output: JsonValue | undefined): {
  content: readonly ResultContent[];
  shape?: string;
  inner?: JsonObject;
} {
  if (output === undefined) return { content: [], shape: 'absent' };
  if (output === '') return { content: [] };
  if (typeof output === 'string') return { content: [{ type: 'text', text: output }] };
  if (isList(output)) {
    const content = output.map((piece) => readPiece(piece, 'input_text'));
    const isOneText = content.length === 1 && content[0]?.type === 'text' && content[0].extra === undefined;
    return isOneText || content.length === 0 ? { content, shape: 'list' } : { content };
  }
  if (isJsonObject(output) && output.type === 'computer_screenshot') {
    const { type: _, ...rest } = output;
    const image = readImage(rest, {});
    if (image) return { content: [image], shape: 'screenshot' };
  }
  return { content: [{ type: 'other', value: output, ...ownExtra(format, {}) }], shape: 'bare' };
}

/** The item of a call, and the type of the item that will answer it. */
export function writeCallItem(part: ToolCallPart, isOwn: boolean): { item: JsonObject; answer: string } {
  const hints = hintsOf(part.extra, format);
  const fallback = part.inputType === 'text' ? 'custom_tool_call' : 'function_call';
  const type = asText(hints.type) ?? fallback;
  const kind = clientCalls.get(type);
  // Free-form input stays what it is here: the format has a call for it.
  const text = isOwn || part.inputType === 'text' ? part.input : inputText(part.input, part.inputType);
  const input = writeInput(text, hints);
  const item = {
    type,
    ...(hints.id === 'id' ? { id: part.callId } : { call_id: part.callId }),
    ...(kind?.name === undefined ? { name: part.name } : {}),
    ...(input === undefined ? {} : { [kind?.input ?? 'arguments']: input }),
    ...fieldsOf(part.extra, format),
  };
  return { item, answer: kind?.output ?? 'function_call_output' };
}

function writeInput(text: string, hints: JsonObject): JsonValue | undefined {
  if (hints.input === 'absent' && text === '{}') return undefined;
  return hints.input === 'value' ? valueOrText(text) : text;
}

/** The item of a tool that the provider ran: its call with the result in the same message. */
export function writeServerItem(call: ToolCallPart, result: ToolResultPart | undefined): JsonObject {
  const hints = hintsOf(call.extra, format);
  const type = asText(hints.type) ?? '';
  const kind = serverCalls.get(type) ?? {};
  const given = writeInput(call.input, hints);
  const inner = hints.input === 'wrapped' && typeof given === 'string' ? valueOrText(given) : given;
  const input = hints.input === 'wrapped' && isJsonObject(inner) ? inner[kind.input ?? 'input'] : given;
  const output = result ? writeServerOutput(kind, result.content) : undefined;
  const isNull = output === undefined && hints.output === 'null';
  return {
    type,
    ...(hints.id === 'absent' ? {} : { id: call.callId }),
    ...(kind.name === undefined ? { name: call.name } : {}),
    ...(kind.input === undefined || input === undefined ? {} : { [kind.input]: input }),
    ...(kind.output === undefined || (output === undefined && !isNull) ? {} : { [kind.output]: output ?? null }),
    ...fieldsOf(call.extra, format),
  };
}

/** A result that was shortened to a text fits only where the item has a text. */
function writeServerOutput(kind: ServerCall, content: readonly ResultContent[]): JsonValue | undefined {
  const [first] = content;
  if (first?.type === 'other') return first.value;
  if (first?.type === 'image') return first.data;
  return first?.type === 'text' && kind.output === 'output' ? first.text : undefined;
}

/** The item that answers a call; `answer` is the type that the call wants, where it is known. */
export function writeOutputItem(part: ToolResultPart, answer: string | undefined, isOwn: boolean): JsonObject {
  const hints = hintsOf(part.extra, format);
  const output = isOwn ? writeOutput(part, hints) : writeForeignOutput(part);
  return {
    type: asText(hints.type) ?? answer ?? 'function_call_output',
    ...(hints.id === 'id' ? { id: part.callId } : { call_id: part.callId }),
    ...(output === undefined ? {} : { output }),
    ...fieldsOf(part.extra, format),
  };
}

function writeOutput(part: ToolResultPart, hints: JsonObject): JsonValue | undefined {
  const [first] = part.content;
  if (!first) return hints.output === 'absent' ? undefined : hints.output === 'list' ? [] : '';
  const isSingle = part.content.length === 1;
  if (isSingle && hints.output === 'bare' && first.type === 'other') return first.value;
  if (isSingle && hints.output === 'screenshot' && first.type === 'image') {
    const url = urlOf(first, 'image/png');
    const place = url === undefined ? { file_id: first.fileId ?? '' } : { image_url: url };
    return { type: 'computer_screenshot', ...place, ...fieldsOf(first.extra, format) };
  }
  const isPlain = isSingle && first.type === 'text' && first.extra === undefined;
  if (isPlain && hints.output !== 'list') return first.text;
  return part.content.map((piece) => writePiece(piece, 'input_text', true));
}

function writeForeignOutput(part: ToolResultPart): JsonValue {
  const pieces = part.content.filter((piece) => piece.type !== 'text' || piece.text.trim() !== '');
  const [first] = pieces;
  if (!first) return '';
  if (pieces.length === 1 && first.type === 'text') return first.text;
  return pieces.map((piece) => writePiece(piece, 'input_text', false));
}

// The content of message items and outputs of the OpenAI Responses API.

export type TextType = 'input_text' | 'output_text';

/** Reads one piece of content; `usual` is the type that a text has in this place. `more` are further hints to keep. */
export function readPiece(value: JsonValue, usual: TextType, more: Hints = {}): ResultContent {
  const known = isJsonObject(value) ? readKnownPiece(value, usual, more) : undefined;
  return known ?? { type: 'other', value, ...ownExtra(format, {}, { ...more, in: 'content' }) };
}

const textTypes: ReadonlySet<JsonValue> = new Set([
  'input_text',
  'output_text',
  'text',
  'summary_text',
  'reasoning_text',
]);

function readKnownPiece(value: JsonObject, usual: TextType, more: Hints): ResultContent | undefined {
  const { type, ...rest } = value;
  if (textTypes.has(type ?? null) && typeof value.text === 'string') {
    const { text: _, ...fields } = rest;
    return {
      type: 'text',
      text: value.text,
      ...extraOf(format, fields, { ...more, type: type === usual ? undefined : type }),
    };
  }
  if (type === 'refusal' && typeof value.refusal === 'string') {
    const { refusal: _, ...fields } = rest;
    return { type: 'text', text: value.refusal, ...extraOf(format, fields, { ...more, type }) };
  }
  if (type === 'input_image') return readImage(rest, more);
  if (type === 'input_file') return readFile(rest, more);
  return undefined;
}

export function readImage(
  { image_url: url, file_id: fileId, ...fields }: JsonObject,
  hints: Hints,
): ImagePart | undefined {
  if (typeof url === 'string' && fileId === undefined) {
    return { type: 'image', ...placeOf(url), ...extraOf(format, fields, hints) };
  }
  if (typeof fileId !== 'string' || url !== undefined) return undefined;
  return { type: 'image', fileId, ...extraOf(format, fields, hints) };
}

function readFile(rest: JsonObject, hints: Hints): FilePart | undefined {
  const { file_id: fileId, file_url: url, file_data: data, filename, ...fields } = rest;
  const places = [fileId, url, data].filter((place) => place !== undefined);
  const [place] = places;
  if (places.length !== 1 || typeof place !== 'string' || (filename !== undefined && typeof filename !== 'string')) {
    return undefined;
  }
  const body =
    data !== undefined ? (dataOf(place) ?? { data: place }) : url !== undefined ? { url: place } : { fileId: place };
  return {
    type: 'file',
    ...body,
    ...(filename === undefined ? {} : { name: filename }),
    ...extraOf(format, fields, hints),
  };
}

/** A piece for the wire. Of another provider's part, what cannot be carried becomes a short mark. */
export function writePiece(part: Part, usual: TextType, isOwn: boolean): JsonValue {
  const hints = hintsOf(part.extra, format);
  const fields = fieldsOf(part.extra, format);
  switch (part.type) {
    case 'text': {
      const type = asText(hints.type) ?? usual;
      return { type, [type === 'refusal' ? 'refusal' : 'text']: part.text, ...fields };
    }
    case 'image':
      return writeImage(part, usual, isOwn);
    case 'file':
      return writeFile(part, usual, isOwn);
    case 'other':
      return isOwn ? part.value : { type: usual, text: JSON.stringify(part.value) };
    case 'reasoning':
    case 'toolCall':
    case 'toolResult':
      // These are items of their own and never get here.
      return { type: usual, text: '' };
  }
}

function writeImage(part: ImagePart, usual: TextType, isOwn: boolean): JsonObject {
  const fields = fieldsOf(part.extra, format);
  const url = urlOf(part, 'image/png');
  if (url !== undefined) return { type: 'input_image', image_url: url, ...fields };
  if (isOwn && part.fileId !== undefined) return { type: 'input_image', file_id: part.fileId, ...fields };
  return { type: usual, text: attachmentMark(part) };
}

function writeFile(part: FilePart, usual: TextType, isOwn: boolean): JsonObject {
  const fields = fieldsOf(part.extra, format);
  const name = part.name === undefined ? {} : { filename: part.name };
  if (part.data !== undefined) {
    const isBare = part.mediaType === undefined;
    return { type: 'input_file', file_data: isBare ? part.data : (urlOf(part, '') ?? part.data), ...name, ...fields };
  }
  if (part.url !== undefined) return { type: 'input_file', file_url: part.url, ...name, ...fields };
  if (isOwn && part.fileId !== undefined) return { type: 'input_file', file_id: part.fileId, ...name, ...fields };
  return { type: usual, text: attachmentMark(part) };
}
