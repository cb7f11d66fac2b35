/**
 * The Gemini API (`generateContent`): request bodies with `contents`, responses with `candidates`, bare lists of contents, and
 * lines of any. Shapes: https://ai.google.dev/api/generate-content and https://ai.google.dev/api/caching#Content.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Format } from '../../format.ts';
import type { FilePart, ImagePart, Message, Part, ResultContent, Role, ToolResultPart } from '../../message.ts';
import {
  bodyText,
  type Gathered,
  gatheringReader,
  likelihood,
  notAMessage,
  transcriptOf,
  type Verdict,
} from '../lists.ts';
import { asText, extraOf, type Hints, isEmpty, isList, ownExtra, type ReadContext, withSource } from '../values.ts';
import { toGemini } from './write.ts';

const format = 'gemini';
const places = { keys: ['contents', 'candidates'] };
const shape = { format, list: 'contents' } as const;

export const gemini: Format = {
  name: format,
  title: 'Gemini generateContent: contents, requests or responses, JSON or JSONL',
  detect: (records) => likelihood(records, { places, item: verdict, envelope: envelopeVerdict, plain: 0.6 }),
  reader: (report) =>
    gatheringReader(places, (gathered) => {
      const values = gathered.items.map(({ value }) => value);
      const sources = gathered.items.map(({ source }) => source);
      const { system, envelope } = leadingSystem(gathered);
      const messages = fromGemini(values, { sources, report });
      return transcriptOf(shape, { ...gathered, envelope }, system ? [system, ...messages] : messages);
    }),
  write: (transcript) => {
    const { system, contents } = toGemini(transcript.messages, transcript.format);
    return bodyText(shape, transcript, { items: contents, fields: system });
  },
};

const systemKeys = ['systemInstruction', 'system_instruction'];

/** The system prompt of a request, and the body without it. */
function leadingSystem({ envelope, source }: Gathered): { system?: Message; envelope: JsonObject } {
  const key = systemKeys.find((name) => name in envelope);
  const system = key === undefined ? undefined : fromGeminiSystem(envelope[key], key);
  if (key === undefined || !system) return { envelope };
  const { [key]: _, ...rest } = envelope;
  return { system: { ...system, ...(source ? { source: [source] } : {}) }, envelope: rest };
}

/** The system prompt of a request as the message that leads the list; undefined when there is none. */
export function fromGeminiSystem(value: JsonValue | undefined, key = 'systemInstruction'): Message | undefined {
  const hints = { key: key === 'systemInstruction' ? undefined : key };
  if (typeof value === 'string') {
    const parts: readonly Part[] = value === '' ? [] : [{ type: 'text', text: value }];
    return { role: 'system', parts, ...extraOf(format, {}, { ...hints, content: 'string' }) };
  }
  if (!isJsonObject(value) || !isList(value.parts)) return undefined;
  const { parts, ...fields } = value;
  return { role: 'system', parts: parts.map((part) => readPart(part, noCalls, '')), ...extraOf(format, fields, hints) };
}

const roles: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['model', 'assistant'],
  ['function', 'tool'],
  ['system', 'system'],
]);

/** Roles that follow from the role of the message; any other is kept as a hint. */
const usualRoles: ReadonlySet<JsonValue> = new Set(['user', 'model']);

/** Calls without an id that wait for their response, in the order in which they came. */
interface OpenCall {
  readonly callId: string;
  readonly name: string;
}

const noCalls: OpenCall[] = [];

/**
 * Reads a list of contents, or the candidates of a response: one message each. A content with function responses is a message
 * of the user, whatever stands beside them. Calls and responses without ids get one from the place of the call in the list;
 * a response answers the first open call of its function. What is no content is reported and left out.
 */
export function fromGemini(list: readonly JsonValue[], { sources, report }: ReadContext = {}): readonly Message[] {
  let open: OpenCall[] = [];
  return list.flatMap((value, index) => {
    const source = sources?.[index];
    const { content, candidate } = unwrapped(value);
    const given = content?.role ?? (candidate ? 'model' : 'user');
    if (!content || typeof given !== 'string' || (content.parts !== undefined && !isList(content.parts))) {
      report?.(notAMessage(value, source, 'a content with a list of parts'));
      return [];
    }
    const role = roles.get(given) ?? 'user';
    if (role === 'assistant') open = [];
    const { role: wrote, parts = [], ...fields } = content;
    const read = parts.map((part, at) => readPart(part, open, `call_${index}_${at}`));
    const hints: Hints = {
      role: wrote === undefined ? 'absent' : usualRoles.has(wrote) ? undefined : wrote,
      parts: content.parts === undefined ? 'absent' : undefined,
      candidate,
    };
    // A role that nobody knows is no person's.
    const origin = roles.has(given) ? {} : { origin: 'host' as const };
    return [withSource({ role, parts: read, ...origin, ...extraOf(format, fields, hints) }, source)];
  });
}

/** The content of an element: the element itself, or what a candidate of a response holds. */
function unwrapped(value: JsonValue): { content?: JsonObject; candidate?: JsonObject } {
  if (!isJsonObject(value)) return {};
  // A candidate that was blocked has a reason and no content.
  if (value.content === undefined && 'finishReason' in value) return { content: {}, candidate: value };
  if (!isJsonObject(value.content)) return 'parts' in value ? { content: value } : {};
  const { content, ...candidate } = value;
  return 'parts' in content || 'role' in content ? { content, candidate } : {};
}

function readPart(value: JsonValue, open: OpenCall[], newId: string): Part {
  if (!isJsonObject(value)) return other(value);
  if (isJsonObject(value.functionCall)) return readCall(value, value.functionCall, { open, newId });
  if (isJsonObject(value.functionResponse)) return readResponse(value, value.functionResponse, { open, newId });
  if (typeof value.text === 'string' && value.thought === true) {
    const { text, thought: _, thoughtSignature, ...fields } = value;
    if (thoughtSignature === undefined) return { type: 'reasoning', text: value.text, ...ownExtra(format, fields) };
    if (typeof thoughtSignature !== 'string') return other(value);
    return { type: 'reasoning', text: value.text, signature: thoughtSignature, ...ownExtra(format, fields) };
  }
  return readContent(value);
}

const other = (value: JsonValue): ResultContent => ({ type: 'other', value, ...ownExtra(format, {}) });

/** Parts that may stand in a content and in a response. A text that is empty but signed is a proof and no text. */
function readContent(value: JsonValue): ResultContent {
  if (!isJsonObject(value)) return other(value);
  const { text, inlineData, fileData, ...fields } = value;
  if ([text, inlineData, fileData].filter((member) => member !== undefined).length !== 1) return other(value);
  if (typeof text === 'string' && (text !== '' || fields.thoughtSignature === undefined)) {
    return { type: 'text', text, ...extraOf(format, fields) };
  }
  const attachment = isJsonObject(inlineData)
    ? readInline(inlineData, fields)
    : isJsonObject(fileData)
      ? readFile(fileData, fields)
      : undefined;
  return attachment ?? other(value);
}

function readInline(inline: JsonObject, fields: JsonObject): ImagePart | FilePart | undefined {
  const { mimeType, data, displayName, ...inner } = inline;
  if (typeof mimeType !== 'string' || typeof data !== 'string') return undefined;
  const name = asText(displayName);
  if (displayName !== undefined && name === undefined) return undefined;
  const rest = { ...inner, ...(mimeType.startsWith('image/') && name !== undefined ? { displayName: name } : {}) };
  const extra = extraOf(format, fields, { inner: isEmpty(rest) ? undefined : rest });
  if (mimeType.startsWith('image/')) return { type: 'image', mediaType: mimeType, data, ...extra };
  return { type: 'file', mediaType: mimeType, data, ...(name === undefined ? {} : { name }), ...extra };
}

/** Addresses that everybody can open; those of uploaded files are ids of the provider. */
const isPublic = (uri: string): boolean => /^https?:\/\/(?!generativelanguage\.googleapis\.com\/)/.test(uri);

function readFile(file: JsonObject, fields: JsonObject): ImagePart | FilePart | undefined {
  const { mimeType, fileUri, ...inner } = file;
  if (typeof fileUri !== 'string' || (mimeType !== undefined && typeof mimeType !== 'string')) return undefined;
  const extra = extraOf(format, fields, { inner: isEmpty(inner) ? undefined : inner });
  return {
    type: mimeType?.startsWith('image/') ? 'image' : 'file',
    ...(mimeType === undefined ? {} : { mediaType: mimeType }),
    ...(isPublic(fileUri) ? { url: fileUri } : { fileId: fileUri }),
    ...extra,
  };
}

interface CallContext {
  readonly open: OpenCall[];
  readonly newId: string;
}

/** The signature of a call stays with its fields: what is signed has to come back to the letter. */
function readCall(part: JsonObject, call: JsonObject, { open, newId }: CallContext): Part {
  const { functionCall: _, ...fields } = part;
  const { id, name, args, ...inner } = call;
  if (typeof name !== 'string' || (id !== undefined && typeof id !== 'string')) return other(part);
  const callId = id ?? newId;
  open.push({ callId, name });
  const hints: Hints = {
    id: id === undefined ? 'absent' : undefined,
    input: args === undefined ? 'absent' : undefined,
    inner: isEmpty(inner) ? undefined : inner,
  };
  const input = JSON.stringify(args ?? (args === null ? null : {}));
  return { type: 'toolCall', callId, name, input, inputType: 'json', ...extraOf(format, fields, hints) };
}

function readResponse(part: JsonObject, answer: JsonObject, { open, newId }: CallContext): Part {
  const { functionResponse: _, ...fields } = part;
  const { id, name, response, parts, ...inner } = answer;
  if (typeof name !== 'string' || (id !== undefined && typeof id !== 'string')) return other(part);
  if (parts !== undefined && !isList(parts)) return other(part);
  const at = open.findIndex((call) => (id === undefined ? call.name === name : call.callId === id));
  const [call] = at < 0 ? [] : open.splice(at, 1);
  const { text, hint, isError } = readOutput(response);
  const hints: Hints = {
    id: id === undefined ? 'absent' : undefined,
    response: hint,
    parts: parts?.length === 0 ? 'empty' : undefined,
    inner: isEmpty(inner) ? undefined : inner,
  };
  const content: ResultContent[] = [...(text === undefined ? [] : [{ type: 'text', text } as const])];
  for (const piece of parts ?? []) content.push(readContent(piece));
  const result: ToolResultPart = {
    type: 'toolResult',
    callId: id ?? call?.callId ?? newId,
    name,
    content,
    ...(isError ? { isError } : {}),
  };
  return { ...result, ...extraOf(format, fields, hints) };
}

/**
 * What a response says: by convention a text under `output`, or under `error` when the call failed; everything else is JSON.
 */
function readOutput(response: JsonValue | undefined): { text?: string; hint?: string; isError?: true } {
  if (response === undefined) return { hint: 'absent' };
  if (!isJsonObject(response)) return { text: JSON.stringify(response), hint: 'json' };
  const [[key, value] = [], ...more] = Object.entries(response);
  if (more.length === 0 && typeof value === 'string') {
    if (key === 'output') return { text: value };
    if (key === 'error') return { text: value, isError: true };
    if (key === 'result' || key === 'content') return { text: value, hint: key };
  }
  return { text: JSON.stringify(response), hint: 'json' };
}

function verdict(value: JsonValue, list: string | undefined): Verdict {
  const { content, candidate } = unwrapped(value);
  if (!content || 'content' in content || 'tool_calls' in content) return 'foreign';
  const { role, parts = [] } = content;
  if (!isList(parts) || !parts.every(isPart)) return 'foreign';
  if (role !== undefined && (typeof role !== 'string' || !roles.has(role))) return 'foreign';
  const isListed = list !== undefined && places.keys.includes(list);
  return candidate || role === 'model' || isListed || parts.some(isOwnPart) ? 'own' : 'plain';
}

const isPart = (part: JsonValue): boolean => isJsonObject(part) && !('type' in part);

const ownMembers = ['functionCall', 'functionResponse', 'inlineData', 'fileData', 'thoughtSignature', 'executableCode'];
const isOwnPart = (part: JsonValue): boolean => isJsonObject(part) && ownMembers.some((name) => name in part);

const ownFields = [...systemKeys, 'generationConfig', 'safetySettings', 'toolConfig', 'usageMetadata', 'modelVersion'];
const envelopeVerdict = (envelope: JsonObject): Verdict =>
  ownFields.some((name) => name in envelope) ? 'own' : 'plain';
