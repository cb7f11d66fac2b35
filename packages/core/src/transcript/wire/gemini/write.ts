/** Messages into contents of the Gemini API. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import type { FilePart, FormatName, ImagePart, Message, Part, ToolCallPart, ToolResultPart } from '../../message.ts';
import { carriesResults, messageText } from '../../text.ts';
import {
  attachmentMark,
  fieldsOf,
  hintsOf,
  inputObject,
  isBlank,
  isEmpty,
  originFormat,
  systemNote,
  withClientToolsOnly,
} from '../values.ts';

const format = 'gemini';

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
  readonly names: Map<string, string>;
}

/**
 * Contents of a list. Messages that came from this format (`from`, or their own `extra`) are written as they came. Of others: all
 * results of a step stand together in one content, and so does what the assistant said in one go; system messages in the middle
 * become notes of a user message; the first call of a content gets the signature that Google wants for calls of other models;
 * empty texts and reasoning of other providers are left out. Missing results stay missing.
 */
export function toGemini(messages: readonly Message[], from: FormatName = format): GeminiContents {
  const leading = messages.findIndex((message) => !isLeadingSystem(message));
  const start = leading < 0 ? messages.length : leading;
  const context: WriteContext = { from, names: new Map() };
  const contents: JsonObject[] = [];
  let isJoinable = false;
  for (const message of messages.slice(start)) {
    const isOwn = originFormat(message, from) === format;
    for (const piece of isOwn ? [message] : withClientToolsOnly(message)) {
      for (const part of piece.parts) if (part.type === 'toolCall') context.names.set(part.callId, part.name);
      const next = isOwn ? writeOwn(piece, context) : writeForeign(piece, context);
      const last = contents.at(-1);
      if (!isOwn && isJoinable && next && last && belongTogether(last, next)) {
        contents[contents.length - 1] = { ...last, parts: signed([...partsOf(last), ...partsOf(next)]) };
      } else if (next) contents.push(isOwn ? next : { ...next, parts: signed(partsOf(next)) });
    }
    isJoinable = !isOwn;
  }
  return { system: writeSystem(messages.slice(0, start), context), contents };
}

const isLeadingSystem = (message: Message): boolean =>
  message.role === 'system' && hintsOf(message.extra, format).role === undefined;

function writeSystem(messages: readonly Message[], context: WriteContext): JsonObject {
  const [first, ...more] = messages;
  if (!first) return {};
  const hints = hintsOf(first.extra, format);
  const isOwn = originFormat(first, context.from) === format;
  const key = typeof hints.key === 'string' ? hints.key : 'systemInstruction';
  if (isOwn && more.length === 0 && hints.content === 'string') return { [key]: messageText(first) };
  const parts = messages.flatMap((message) =>
    originFormat(message, context.from) === format
      ? message.parts.map((part) => writePart(part, context))
      : message.parts.flatMap((part) => (part.type === 'text' ? writeForeignPart(part, context) : [])),
  );
  return parts.length === 0 && !isOwn ? {} : { [key]: { ...fieldsOf(first.extra, format), parts } };
}

function writeOwn(message: Message, context: WriteContext): JsonObject {
  const hints = hintsOf(message.extra, format);
  if (message.role === 'system' && hints.role === undefined) {
    return { role: 'user', parts: [{ text: systemNote(messageText(message)) }] };
  }
  const usual = message.role === 'assistant' ? 'model' : 'user';
  const content = {
    ...(hints.role === 'absent' ? {} : { role: hints.role ?? usual }),
    ...(hints.parts === 'absent' && message.parts.length === 0
      ? {}
      : { parts: message.parts.map((part) => writePart(part, context)) }),
    ...fieldsOf(message.extra, format),
  };
  if (!isJsonObject(hints.candidate)) return content;
  return isEmpty(content) ? hints.candidate : { content, ...hints.candidate };
}

function writeForeign(message: Message, context: WriteContext): JsonObject | undefined {
  if (message.role === 'system') {
    const text = messageText(message);
    return isBlank(text) ? undefined : { role: 'user', parts: [{ text: systemNote(text) }] };
  }
  const isSpeaker = message.role === 'assistant';
  const parts = message.parts.flatMap((part): readonly JsonValue[] => {
    if (originFormat(part, context.from) === format) return [writePart(part, context)];
    if (isSpeaker && (part.type === 'image' || part.type === 'file' || part.type === 'other')) return [];
    return writeForeignPart(part, context);
  });
  if (parts.length === 0) return undefined;
  return { role: isSpeaker ? 'model' : 'user', parts: carriesResults(message) ? resultsFirst(parts) : parts };
}

const partsOf = ({ parts }: JsonObject): readonly JsonValue[] => (Array.isArray(parts) ? parts : []);

const isResult = (part: JsonValue): boolean => isJsonObject(part) && 'functionResponse' in part;

const resultsFirst = (parts: readonly JsonValue[]): readonly JsonValue[] => [
  ...parts.filter(isResult),
  ...parts.filter((part) => !isResult(part)),
];

/** What the assistant said in one go, and the results of one step. Users keep their messages: the host's are not theirs. */
function belongTogether(first: JsonObject, second: JsonObject): boolean {
  if (first.role !== second.role) return false;
  return first.role === 'model' || [first, second].every((content) => partsOf(content).every(isResult));
}

/** Only the first of parallel calls has a signature. */
function signed(parts: readonly JsonValue[]): readonly JsonValue[] {
  const first = parts.findIndex((part) => isJsonObject(part) && 'functionCall' in part);
  return parts.map((part, at) =>
    at === first && isJsonObject(part) ? { thoughtSignature: foreignSignature, ...part } : part,
  );
}

/** A part of this format as it came. */
export function writePart(part: Part, context: WriteContext = { from: format, names: new Map() }): JsonValue {
  const fields = fieldsOf(part.extra, format);
  switch (part.type) {
    case 'text':
      return { text: part.text, ...fields };
    case 'reasoning': {
      const signature = part.signature === undefined ? {} : { thoughtSignature: part.signature };
      return { text: part.text, thought: true, ...signature, ...fields };
    }
    case 'toolCall':
      return writeCall(part, context);
    case 'toolResult':
      return writeResult(part, context);
    case 'image':
    case 'file':
      return writeAttachment(part, originFormat(part, context.from) === format);
    case 'other':
      return part.value;
  }
}

/** A part of another provider: nothing for what only that one understands. */
function writeForeignPart(part: Part, context: WriteContext): readonly JsonValue[] {
  switch (part.type) {
    case 'text':
      return isBlank(part.text) ? [] : [{ text: part.text }];
    case 'reasoning':
      return [];
    case 'toolCall':
      return part.server ? [] : [writeCall(part, context)];
    case 'toolResult':
      return [writeResult(part, context)];
    case 'image':
    case 'file':
      return [writeAttachment(part, false)];
    case 'other':
      return [{ text: JSON.stringify(part.value) }];
  }
}

function writeCall(part: ToolCallPart, { from }: WriteContext): JsonObject {
  const hints = hintsOf(part.extra, format);
  const isOwn = originFormat(part, from) === format && part.inputType === 'json';
  const value = isOwn ? parseJson(part.input) : undefined;
  const args = value === undefined ? inputObject(part.input, part.inputType) : value;
  const functionCall = {
    ...(hints.id === 'absent' ? {} : { id: part.callId }),
    name: part.name,
    ...(hints.input === 'absent' && part.input === '{}' ? {} : { args }),
    ...(isJsonObject(hints.inner) ? hints.inner : {}),
  };
  return { functionCall, ...fieldsOf(part.extra, format) };
}

function writeResult(part: ToolResultPart, { from, names }: WriteContext): JsonObject {
  const hints = hintsOf(part.extra, format);
  const isOwn = originFormat(part, from) === format;
  const { response, parts } = outputOf(part, hints, isOwn);
  const functionResponse = {
    ...(hints.id === 'absent' ? {} : { id: part.callId }),
    name: part.name ?? names.get(part.callId) ?? 'unknown',
    ...(response === undefined ? {} : { response }),
    ...(parts.length > 0 || hints.parts === 'empty' ? { parts } : {}),
    ...(isJsonObject(hints.inner) ? hints.inner : {}),
  };
  return { functionResponse, ...fieldsOf(part.extra, format) };
}

/** The first text of an own result is its response, whatever follows are its parts; of a foreign one all texts are. */
function outputOf(
  { content, isError }: ToolResultPart,
  { response: shape }: JsonObject,
  isOwn: boolean,
): { response: JsonValue | undefined; parts: readonly JsonValue[] } {
  const [first] = content;
  const key = isError ? 'error' : shape === 'result' || shape === 'content' ? shape : 'output';
  if (isOwn) {
    if (first?.type !== 'text' || shape === 'absent') {
      return {
        response: shape === 'absent' ? undefined : { [key]: '' },
        parts: content.map((piece) => writePart(piece)),
      };
    }
    const value = shape === 'json' ? parseJson(first.text) : undefined;
    return {
      response: value ?? (value === null ? null : { [key]: first.text }),
      parts: content.slice(1).map((piece) => writePart(piece)),
    };
  }
  const isAttached = (piece: Part): boolean =>
    (piece.type === 'image' || piece.type === 'file') && piece.data !== undefined;
  const attached = content.filter(isAttached);
  const texts = content.flatMap((piece) => (isAttached(piece) ? [] : textOf(piece)));
  const text = texts.join('\n');
  const empty = attached.length > 0 ? '(see the attached parts)' : '(no output)';
  return {
    response: { [key]: isBlank(text) ? empty : text },
    parts: attached.flatMap((piece) =>
      piece.type === 'image' || piece.type === 'file' ? [writeAttachment(piece, false)] : [],
    ),
  };
}

function textOf(piece: ToolResultPart['content'][number]): readonly string[] {
  if (piece.type === 'text') return isBlank(piece.text) ? [] : [piece.text];
  return [piece.type === 'other' ? JSON.stringify(piece.value) : attachmentMark(piece)];
}

/** Base64 needs a media type, and an id of an uploaded file means something to its own provider only. */
function writeAttachment(part: ImagePart | FilePart, isOwn: boolean): JsonObject {
  const { inner: kept } = hintsOf(part.extra, format);
  const inner = isJsonObject(kept) ? kept : {};
  const fields = fieldsOf(part.extra, format);
  const usual = part.type === 'image' ? 'image/png' : 'application/octet-stream';
  if (part.data !== undefined) {
    const name = part.type === 'file' && part.name !== undefined && isOwn ? { displayName: part.name } : {};
    return { inlineData: { mimeType: part.mediaType ?? usual, data: part.data, ...name, ...inner }, ...fields };
  }
  const uri = part.url ?? (isOwn ? part.fileId : undefined);
  if (uri === undefined) return { text: attachmentMark(part) };
  const mimeType = part.mediaType ?? (isOwn ? undefined : usual);
  return { fileData: { ...(mimeType === undefined ? {} : { mimeType }), fileUri: uri, ...inner }, ...fields };
}
