/**
 * The Gemini API (`generateContent`): request bodies with `contents`, responses with `candidates`, bare lists of contents, and
 * lines of any. Shapes: https://ai.google.dev/api/generate-content and https://ai.google.dev/api/caching#Content.
 */

import { defined } from '../../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import type { Format } from '../../format.ts';
import type {
  FilePart,
  FormatName,
  ImagePart,
  Message,
  Part,
  ResultContent,
  Role,
  ToolResultPart,
} from '../../message.ts';
import { messageText } from '../../text.ts';
import { listFormat, type ReadContext, readEach, type Verdict } from '../bodies.ts';
import { attachmentMark, inputValue, keeping } from '../parts.ts';
import { systemNote, writeTurns } from '../turns.ts';
import { asList, asObject, filled, hasAny, is, json, maybe, take } from '../values.ts';

const format = 'gemini';
const { extraOf, ownExtra, other, fieldsOf, hintsOf, isOwn } = keeping(format);

const keys = ['contents', 'candidates'];
const systemKeys = ['systemInstruction', 'system_instruction'];
const ownFields = [...systemKeys, 'generationConfig', 'safetySettings', 'toolConfig', 'usageMetadata', 'modelVersion'];
const ownMembers = ['functionCall', 'functionResponse', 'inlineData', 'fileData', 'thoughtSignature', 'executableCode'];

export const gemini: Format = listFormat({
  name: format,
  title: 'Gemini generateContent: contents, requests or responses, JSON or JSONL',
  keys,
  item: verdict,
  envelope: (envelope) => (hasAny(envelope, ownFields) ? 'own' : 'plain'),
  plain: 0.6,
  lead: { keys: systemKeys, read: fromGeminiSystem },
  read: fromGemini,
  write: ({ messages, format: from }) => {
    const { system, contents } = toGemini(messages, from);
    return { items: contents, fields: system };
  },
});

function verdict(value: JsonValue, list: string | undefined): Verdict {
  const { content, candidate } = unwrapped(value);
  if (!content || hasAny(content, ['content', 'tool_calls'])) return 'foreign';
  const { role, parts = [] } = content;
  if (!is.list(parts) || !parts.every((part) => isJsonObject(part) && !('type' in part))) return 'foreign';
  if (role !== undefined && !roles.has(role)) return 'foreign';
  const isListed = list !== undefined && keys.includes(list);
  const isOwn = candidate || role === 'model' || isListed || parts.some((part) => hasAny(asObject(part), ownMembers));
  return isOwn ? 'own' : 'plain';
}

// Reading: one message each.

const roles: ReadonlyMap<JsonValue, Role> = new Map([
  ['user', 'user'],
  ['model', 'assistant'],
  ['function', 'tool'],
  ['system', 'system'],
]);

/** The calls that wait for their response, in the order in which they came, and the id of a call that has none. */
interface Calls {
  readonly open: { callId: string; name: string }[];
  readonly newId: string;
}

/** The system prompt of a request as the message that leads the list; undefined when there is none. */
export function fromGeminiSystem(value: JsonValue | undefined, key = 'systemInstruction'): Message | undefined {
  const hints = { key: key === 'systemInstruction' ? undefined : key };
  if (is.text(value)) {
    const parts: readonly Part[] = value === '' ? [] : [{ type: 'text', text: value }];
    return { role: 'system', parts, ...extraOf({}, { ...hints, content: 'string' }) };
  }
  const { parts, ...fields } = asObject(value);
  if (!is.list(parts)) return undefined;
  const calls = { open: [], newId: '' };
  return { role: 'system', parts: parts.map((part) => readPart(part, calls)), ...extraOf(fields, hints) };
}

/**
 * Reads a list of contents, or the candidates of a response: one message each. A content with function responses is a message
 * of the user, whatever stands beside them. Calls and responses without ids get one from the place of the call in the list;
 * a response answers the first open call of its function. What is no content is reported and left out.
 */
export function fromGemini(list: readonly JsonValue[], context: ReadContext = {}): readonly Message[] {
  let open: Calls['open'] = [];
  return readEach(list, context, {
    expected: 'a content with a list of parts',
    read: (value, index) => {
      const { content, candidate } = unwrapped(value);
      const name = content?.role ?? (candidate ? 'model' : 'user');
      if (!content || !is.text(name) || (content.parts !== undefined && !is.list(content.parts))) return undefined;
      const role = roles.get(name) ?? 'user';
      if (role === 'assistant') open = [];
      const { role: given, parts: said, ...fields } = content;
      const parts = asList(said).map((part, at) => readPart(part, { open, newId: `call_${index}_${at}` }));
      const isUsual = given === 'user' || given === 'model';
      const hints = {
        role: isUsual ? undefined : given === undefined ? 'absent' : given,
        parts: absentIf(said),
        candidate,
      };
      // A role that nobody knows is no person's.
      return defined({ role, parts, origin: roles.has(name) ? undefined : 'host', ...extraOf(fields, hints) });
    },
  });
}

/** The content of an element: the element itself, or what a candidate of a response holds. */
function unwrapped(value: JsonValue): { content?: JsonObject; candidate?: JsonObject } {
  if (!isJsonObject(value)) return {};
  // A candidate that was blocked has a reason and no content.
  if (value.content === undefined && 'finishReason' in value) return { content: {}, candidate: value };
  if (!isJsonObject(value.content)) return 'parts' in value ? { content: value } : {};
  const { content, ...candidate } = value;
  return hasAny(content, ['parts', 'role']) ? { content, candidate } : {};
}

function readPart(value: JsonValue, calls: Calls): Part {
  const part = asObject(value);
  if (isJsonObject(part.functionCall)) return readCall(part, part.functionCall, calls) ?? other(value);
  if (isJsonObject(part.functionResponse)) return readResponse(part, part.functionResponse, calls) ?? other(value);
  if (!is.text(part.text) || part.thought !== true) return readContent(value);
  const thought = take(part, { text: is.text, thought: is.given, thoughtSignature: is.maybeText });
  if (!thought) return other(value);
  const { text, thoughtSignature: signature, rest } = thought;
  return defined({ type: 'reasoning', text, signature, ...ownExtra(rest) });
}

/** Parts that may stand in a content and in a response. A text that is empty but signed is a proof and no text. */
function readContent(value: JsonValue): ResultContent {
  const { text, inlineData, fileData, ...fields } = asObject(value);
  if ([text, inlineData, fileData].filter(is.given).length !== 1) return other(value);
  if (is.text(text) && (text !== '' || fields.thoughtSignature === undefined)) {
    return { type: 'text', text, ...extraOf(fields) };
  }
  const inline = isJsonObject(inlineData) ? readInline(inlineData, fields) : undefined;
  const file = isJsonObject(fileData) ? readFile(fileData, fields) : undefined;
  return inline ?? file ?? other(value);
}

function readInline(inline: JsonObject, fields: JsonObject): ImagePart | FilePart | undefined {
  const known = take(inline, { mimeType: is.text, data: is.text, displayName: is.maybeText });
  if (!known) return undefined;
  const { mimeType: mediaType, data, displayName, rest } = known;
  const isImage = mediaType.startsWith('image/');
  const inner = isImage && displayName !== undefined ? { ...rest, displayName } : rest;
  const extra = extraOf(fields, { inner: filled(inner) });
  if (isImage) return { type: 'image', mediaType, data, ...extra };
  return defined({ type: 'file', mediaType, data, name: displayName, ...extra });
}

/** Addresses that everybody can open; those of uploaded files are ids of the provider. */
const isPublic = (uri: string): boolean => /^https?:\/\/(?!generativelanguage\.googleapis\.com\/)/.test(uri);

function readFile(file: JsonObject, fields: JsonObject): ImagePart | FilePart | undefined {
  const known = take(file, { fileUri: is.text, mimeType: is.maybeText });
  if (!known) return undefined;
  const { mimeType: mediaType, fileUri, rest } = known;
  const place = isPublic(fileUri) ? { url: fileUri } : { fileId: fileUri };
  const type = mediaType?.startsWith('image/') ? 'image' : 'file';
  return defined({ type, mediaType, ...place, ...extraOf(fields, { inner: filled(rest) }) });
}

const absentIf = (value: JsonValue | undefined): 'absent' | undefined => (value === undefined ? 'absent' : undefined);

/** The signature of a call stays with its fields: what is signed has to come back to the letter. */
function readCall(part: JsonObject, call: JsonObject, { open, newId }: Calls): Part | undefined {
  const { functionCall: _, ...fields } = part;
  const known = take(call, { name: is.text, id: is.maybeText }, { args: is.given });
  if (!known) return undefined;
  const { id, name, args, rest } = known;
  const callId = id ?? newId;
  open.push({ callId, name });
  const hints = { id: absentIf(id), input: absentIf(args), inner: filled(rest) };
  const input = JSON.stringify(args === undefined ? {} : args);
  return { type: 'toolCall', callId, name, input, inputType: 'json', ...extraOf(fields, hints) };
}

function readResponse(part: JsonObject, answer: JsonObject, { open, newId }: Calls): Part | undefined {
  const { functionResponse: _, ...fields } = part;
  const known = take(answer, { name: is.text, id: is.maybeText, parts: maybe(is.list) }, { response: is.given });
  if (!known) return undefined;
  const { id, name, response, parts, rest } = known;
  const at = open.findIndex((call) => (id === undefined ? call.name === name : call.callId === id));
  const [call] = at < 0 ? [] : open.splice(at, 1);
  const { text, hint, isError } = readOutput(response);
  const isEmpty = parts?.length === 0;
  const hints = { id: absentIf(id), response: hint, parts: isEmpty ? 'empty' : undefined, inner: filled(rest) };
  const content = [...(text === undefined ? [] : [{ type: 'text', text } as const]), ...asList(parts).map(readContent)];
  const callId = id ?? call?.callId ?? newId;
  return defined({ type: 'toolResult', callId, name, content, isError, ...extraOf(fields, hints) });
}

/**
 * What a response says: by convention a text under `output`, or under `error` when the call failed; everything else is JSON.
 */
function readOutput(response: JsonValue | undefined): { text?: string; hint?: string; isError?: true } {
  if (response === undefined) return { hint: 'absent' };
  const [[key, value] = [], ...more] = Object.entries(asObject(response));
  if (more.length === 0 && is.text(value)) {
    if (key === 'output') return { text: value };
    if (key === 'error') return { text: value, isError: true };
    if (key === 'result' || key === 'content') return { text: value, hint: key };
  }
  return { text: JSON.stringify(response), hint: 'json' };
}

// Writing.

/** The two places where a request keeps what was said. */
export interface GeminiContents {
  /** `systemInstruction` under its name; empty when the list does not start with a system prompt. */
  readonly system: JsonObject;
  readonly contents: readonly JsonObject[];
}

/**
 * What Google takes in place of the signature of a call that no Gemini model made:
 * https://ai.google.dev/gemini-api/docs/thought-signatures.
 */
const foreignSignature = 'skip_thought_signature_validator';

interface WriteContext {
  readonly from: FormatName;
  /** Names of functions by the ids of their calls: a response has to name its function. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Contents of a list. Messages that came from this format (`from`, or their own `extra`) are written as they came. Of others: all
 * results of a step stand together in one content, and so does what the assistant said in one go; system messages in the middle
 * become notes of a user message; the first call of a content gets the signature that Google wants for calls of other models;
 * empty texts and reasoning of other providers are left out. Missing results stay missing.
 */
export function toGemini(messages: readonly Message[], from: FormatName = format): GeminiContents {
  const leading = messages.findIndex((message) => message.role !== 'system' || hintsOf(message).role !== undefined);
  const start = leading < 0 ? messages.length : leading;
  const names = new Map<string, string>();
  const context: WriteContext = { from, names };
  const contents = writeTurns(messages.slice(start), from, {
    format,
    model: 'model',
    list: 'parts',
    own: (message) => writeOwn(message, context),
    isResult: (part) => 'functionResponse' in part,
    note: (text) => [{ text }],
    kept: (part) => (isOwn(part, from) ? [writePart(part, context)] : undefined),
    begin: ({ parts }) => {
      for (const part of parts) if (part.type === 'toolCall') names.set(part.callId, part.name);
    },
    foreign: { text: (text) => ({ text }), write: (part) => writePart(part, context) },
    seal: signed,
  });
  return { system: writeSystem(messages.slice(0, start), context), contents };
}

/** Only the first of parallel calls has a signature. */
function signed(parts: readonly JsonValue[]): readonly JsonValue[] {
  const first = parts.findIndex((part) => 'functionCall' in asObject(part));
  return parts.map((part, at) => (at === first ? { thoughtSignature: foreignSignature, ...asObject(part) } : part));
}

function writeSystem(messages: readonly Message[], context: WriteContext): JsonObject {
  const [first, ...more] = messages;
  if (!first) return {};
  const hints = hintsOf(first);
  const own = isOwn(first, context.from);
  const key = is.text(hints.key) ? hints.key : 'systemInstruction';
  if (own && more.length === 0 && hints.content === 'string') return { [key]: messageText(first) };
  const parts = messages.flatMap((message) =>
    message.parts.flatMap((part): readonly JsonValue[] => {
      if (isOwn(message, context.from)) return [writePart(part, context)];
      return part.type === 'text' && !is.blank(part.text) ? [{ text: part.text }] : [];
    }),
  );
  return parts.length === 0 && !own ? {} : { [key]: { ...fieldsOf(first), parts } };
}

function writeOwn(message: Message, context: WriteContext): JsonObject {
  const hints = hintsOf(message);
  if (message.role === 'system' && hints.role === undefined) {
    return { role: 'user', parts: [{ text: systemNote(messageText(message)) }] };
  }
  const usual = message.role === 'assistant' ? 'model' : 'user';
  const isAbsent = hints.parts === 'absent' && message.parts.length === 0;
  const content = json({
    role: hints.role === 'absent' ? undefined : (hints.role ?? usual),
    parts: isAbsent ? undefined : message.parts.map((part) => writePart(part, context)),
    ...fieldsOf(message),
  });
  if (!isJsonObject(hints.candidate)) return content;
  return filled(content) ? { content, ...hints.candidate } : hints.candidate;
}

/** A part of this format as it came. */
export function writePart(part: Part, context: WriteContext = { from: format, names: new Map() }): JsonValue {
  const fields = fieldsOf(part);
  switch (part.type) {
    case 'text':
      return { text: part.text, ...fields };
    case 'reasoning':
      return json({ text: part.text, thought: true, thoughtSignature: part.signature, ...fields });
    case 'toolCall': {
      const { id, input, inner } = hintsOf(part);
      const functionCall = json({
        id: id === 'absent' ? undefined : part.callId,
        name: part.name,
        args: input === 'absent' && part.input === '{}' ? undefined : inputValue(part, isOwn(part, context.from)),
        ...asObject(inner),
      });
      return { functionCall, ...fields };
    }
    case 'toolResult': {
      const { id, parts: shape, response: member, inner } = hintsOf(part);
      const key = part.isError ? 'error' : member === 'result' || member === 'content' ? member : 'output';
      const { response, parts } = isOwn(part, context.from) ? ownOutput(part, key) : foreignOutput(part, key);
      const functionResponse = json({
        id: id === 'absent' ? undefined : part.callId,
        name: part.name ?? context.names.get(part.callId) ?? 'unknown',
        response,
        parts: parts.length > 0 || shape === 'empty' ? parts : undefined,
        ...asObject(inner),
      });
      return { functionResponse, ...fields };
    }
    case 'image':
    case 'file':
      return writeAttachment(part, isOwn(part, context.from));
    case 'other':
      return part.value;
  }
}

type Output = { readonly response: JsonValue | undefined; readonly parts: readonly JsonValue[] };

/** The first text of an own result is its response, whatever follows are its parts. */
function ownOutput(part: ToolResultPart, key: string): Output {
  const [first, ...more] = part.content;
  const { response: shape } = hintsOf(part);
  const isSaid = first?.type === 'text' && shape !== 'absent';
  const parts = (isSaid ? more : part.content).map((piece) => writePart(piece));
  if (shape === 'absent') return { response: undefined, parts };
  const value = isSaid && shape === 'json' ? parseJson(first.text) : undefined;
  return { response: value === undefined ? { [key]: isSaid ? first.text : '' } : value, parts };
}

/** All texts of a foreign result are its response; what is attached stands beside it. */
function foreignOutput(part: ToolResultPart, key: string): Output {
  const parts = part.content.flatMap((piece) =>
    (piece.type === 'image' || piece.type === 'file') && piece.data !== undefined
      ? [writeAttachment(piece, false)]
      : [],
  );
  const texts = part.content.flatMap((piece): readonly string[] => {
    if (piece.type === 'text') return is.blank(piece.text) ? [] : [piece.text];
    if (piece.type === 'other') return [JSON.stringify(piece.value)];
    return piece.data === undefined ? [attachmentMark(piece)] : [];
  });
  const text = texts.join('\n');
  const empty = parts.length > 0 ? '(see the attached parts)' : '(no output)';
  return { response: { [key]: is.blank(text) ? empty : text }, parts };
}

/** Base64 needs a media type, and an id of an uploaded file means something to its own provider only. */
function writeAttachment(part: ImagePart | FilePart, own: boolean): JsonObject {
  const inner = asObject(hintsOf(part).inner);
  const fields = fieldsOf(part);
  const usual = part.type === 'image' ? 'image/png' : 'application/octet-stream';
  if (part.data !== undefined) {
    const displayName = part.type === 'file' && own ? part.name : undefined;
    const mimeType = part.mediaType ?? usual;
    return { inlineData: json({ mimeType, data: part.data, displayName, ...inner }), ...fields };
  }
  const fileUri = part.url ?? (own ? part.fileId : undefined);
  if (fileUri === undefined) return { text: attachmentMark(part) };
  return { fileData: json({ mimeType: part.mediaType ?? (own ? undefined : usual), fileUri, ...inner }), ...fields };
}
