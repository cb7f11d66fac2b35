/** Messages into `ModelMessage`s of the AI SDK, as JSON. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../shared/json.ts';
import type {
  FilePart,
  FormatName,
  ImagePart,
  Message,
  Part,
  ResultContent,
  ToolCallPart,
  ToolResultPart,
} from '../../message.ts';
import { messageText } from '../../text.ts';
import { attachmentMark, fieldsOf, hintsOf, inputObject, isBlank, originFormat, systemNote, urlOf } from '../values.ts';

const format = 'ai-sdk';

/**
 * Model messages of a list. Messages that came from this format (`from`, or their own `extra`) are written as they came.
 * Of others: results beside a text become a `tool` message before it, tools that the provider ran stay with their
 * results in the assistant message, system messages in the middle become notes of a user message, reasoning and empty
 * texts are left out. Missing results stay missing.
 */
export function toAiSdk(messages: readonly Message[], from: FormatName = format): readonly JsonObject[] {
  const names = new Map<string, string>();
  let isStart = true;
  return messages.flatMap((message) => {
    for (const part of message.parts) if (part.type === 'toolCall') names.set(part.callId, part.name);
    const isLeading = isStart;
    if (message.role !== 'system') isStart = false;
    if (originFormat(message, from) === format) return [writeOwn(message, from, names)];
    return writeForeign(message, from, { names, isLeading });
  });
}

function writeOwn(message: Message, from: FormatName, names: ReadonlyMap<string, string>): JsonObject {
  const shape = hintsOf(message.extra, format).content;
  const parts = message.parts.flatMap((part) => writePart(part, from, names));
  const [first] = parts;
  const text = parts.length === 1 && first && message.role !== 'tool' ? plainText(first) : undefined;
  let content: JsonValue | undefined = parts;
  if (first === undefined) {
    content = shape === 'absent' ? undefined : shape === 'null' ? null : shape === 'string' ? '' : [];
  } else if (shape === 'bare' && parts.length === 1) content = first;
  else if (text !== undefined && shape !== 'list') content = text;
  return { role: message.role, ...(content === undefined ? {} : { content }), ...fieldsOf(message.extra, format) };
}

function plainText(part: JsonValue): string | undefined {
  if (!isJsonObject(part) || part.type !== 'text' || typeof part.text !== 'string') return undefined;
  return Object.keys(part).length === 2 ? part.text : undefined;
}

interface ForeignContext {
  readonly names: ReadonlyMap<string, string>;
  /** Only system messages stand before. */
  readonly isLeading: boolean;
}

function writeForeign(message: Message, from: FormatName, { names, isLeading }: ForeignContext): readonly JsonObject[] {
  if (message.role === 'system') {
    const text = messageText(message);
    if (isBlank(text)) return [];
    return [isLeading ? { role: 'system', content: text } : { role: 'user', content: systemNote(text) }];
  }
  const isSpeaker = message.role === 'assistant';
  const isClientResult = (part: Part): boolean => part.type === 'toolResult' && !(part.server && isSpeaker);
  const results = message.parts.filter(isClientResult).flatMap((part) => writePart(part, from, names));
  const spoken = message.parts
    .filter((part) => !isClientResult(part) && !(isSpeaker && part.type === 'other'))
    .flatMap((part) => writePart(part, from, names));
  const [first] = spoken;
  const text = spoken.length === 1 && first ? plainText(first) : undefined;
  return [
    ...(results.length > 0 ? [{ role: 'tool', content: results }] : []),
    ...(spoken.length > 0 ? [{ role: isSpeaker ? 'assistant' : 'user', content: text ?? spoken }] : []),
  ];
}

/** A part for a message; nothing for one that only another format understands. */
function writePart(part: Part, from: FormatName, names: ReadonlyMap<string, string>): readonly JsonValue[] {
  const isOwn = originFormat(part, from) === format;
  switch (part.type) {
    case 'reasoning':
      return isOwn ? [{ type: 'reasoning', text: part.text, ...fieldsOf(part.extra, format) }] : [];
    case 'toolCall':
      return [writeCall(part, isOwn)];
    case 'toolResult':
      return [writeResult(part, from, names)];
    case 'text':
      return !isOwn && isBlank(part.text) ? [] : [writeContentPart(part, isOwn)];
    case 'image':
    case 'file':
    case 'other':
      return [writeContentPart(part, isOwn)];
  }
}

function writeCall(part: ToolCallPart, isOwn: boolean): JsonObject {
  const isAbsent = hintsOf(part.extra, format).input === 'absent' && part.input === '{}';
  const value = isOwn && part.inputType === 'json' ? parseJson(part.input) : undefined;
  return {
    type: 'tool-call',
    toolCallId: part.callId,
    toolName: part.name,
    ...(isAbsent ? {} : { input: value === undefined ? inputObject(part.input, part.inputType) : value }),
    ...(part.server ? { providerExecuted: true } : {}),
    ...fieldsOf(part.extra, format),
  };
}

/** A result names its tool; where the format it came from did not, the call tells. */
function writeResult(part: ToolResultPart, from: FormatName, names: ReadonlyMap<string, string>): JsonObject {
  const isOwn = originFormat(part, from) === format;
  const name = part.name ?? (isOwn ? undefined : (names.get(part.callId) ?? 'unknown'));
  const output = writeOutput(part, from);
  return {
    type: 'tool-result',
    toolCallId: part.callId,
    ...(name === undefined ? {} : { toolName: name }),
    ...(output === undefined ? {} : { output }),
    ...fieldsOf(part.extra, format),
  };
}

function writeOutput(part: ToolResultPart, from: FormatName): JsonValue | undefined {
  const { output, more } = hintsOf(part.extra, format);
  const rest = isJsonObject(more) ? more : {};
  const [first] = part.content;
  const single = part.content.length <= 1 ? first : undefined;
  if (output === 'absent' && !first) return undefined;
  if (output === 'bare' && single?.type === 'other') return single.value;
  if (output === 'json' && single?.type === 'other') {
    return { type: part.isError ? 'error-json' : 'json', value: single.value, ...rest };
  }
  if (output === 'execution-denied' && (!first || single?.type === 'text')) {
    return { type: output, ...(single?.type === 'text' ? { reason: single.text } : {}), ...rest };
  }
  if (output !== 'content' && (!first || (single?.type === 'text' && isPlain(single)))) {
    const value = single?.type === 'text' ? single.text : '';
    return { type: part.isError ? 'error-text' : 'text', value, ...rest };
  }
  // A list of content has no flag for a failure; a text has.
  if (part.isError && part.content.every((content) => content.type === 'text')) {
    const value = part.content.map((content) => (content.type === 'text' ? content.text : '')).join('\n');
    return { type: 'error-text', value, ...rest };
  }
  const value = part.content.map((content) => writeContentPart(content, originFormat(content, from) === format));
  return { type: 'content', value, ...rest };
}

const isPlain = (part: ResultContent): boolean => Object.keys(fieldsOf(part.extra, format)).length === 0;

function writeContentPart(part: ResultContent, isOwn: boolean): JsonValue {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text, ...fieldsOf(part.extra, format) };
    case 'other':
      return isOwn ? part.value : { type: 'text', text: JSON.stringify(part.value) };
    case 'image':
    case 'file':
      return writeFile(part, isOwn);
  }
}

function writeFile(part: ImagePart | FilePart, isOwn: boolean): JsonObject {
  // An id of an uploaded file means something to its own provider only.
  if (!isOwn && part.fileId !== undefined) return { type: 'text', text: attachmentMark(part) };
  const hints = hintsOf(part.extra, format);
  const fields = fieldsOf(part.extra, format);
  const type = typeof hints.type === 'string' ? hints.type : 'file';
  const known = hints.url === true ? hints.mediaType : part.mediaType;
  const kind = known === undefined ? {} : { mediaType: known };
  const name = part.type === 'file' && part.name !== undefined ? { filename: part.name } : {};
  if (type === 'image') return { type, image: bareData(part, hints), ...kind, ...fields };
  if (type.endsWith('-data')) return { type, data: part.data ?? '', ...kind, ...name, ...fields };
  if (type.endsWith('-url'))
    return { type, url: urlOf(part, 'application/octet-stream') ?? '', ...kind, ...name, ...fields };
  const data = hints.data === 'bare' ? bareData(part, hints) : taggedData(part, hints);
  const isTyped = part.mediaType !== undefined || (isOwn && part.extra !== undefined);
  return { type: 'file', data, ...(isTyped ? kind : { mediaType: defaultKind(part) }), ...name, ...fields };
}

function defaultKind(part: ImagePart | FilePart): string {
  if (part.type === 'image') return 'image';
  return part.text === undefined ? 'application/octet-stream' : 'text/plain';
}

function bareData(part: ImagePart | FilePart, hints: JsonObject): JsonValue {
  if (part.fileId !== undefined) return { [String(hints.provider ?? 'unknown')]: part.fileId };
  return hints.url === true ? (urlOf(part, '') ?? '') : (part.data ?? part.url ?? '');
}

function taggedData(part: ImagePart | FilePart, hints: JsonObject): JsonObject {
  if (part.fileId !== undefined) {
    return { type: 'reference', reference: { [String(hints.provider ?? 'unknown')]: part.fileId } };
  }
  if (part.data !== undefined && hints.url !== true) return { type: 'data', data: part.data };
  if (part.type === 'file' && part.text !== undefined) return { type: 'text', text: part.text };
  return { type: 'url', url: urlOf(part, '') ?? '' };
}
