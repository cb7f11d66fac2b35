/**
 * `ModelMessage`s of the AI SDK (version 7), read and written: lists, call options with `system` and `messages`, and lines
 * of either. Takes them from JSON and from memory, where bytes may be a `Uint8Array` and an address a `URL`.
 */

import { defined } from '../../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
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
import { leadingField, listFormat, type ReadContext, readEach, splitLead, type Verdict } from '../bodies.ts';
import {
  attachmentMark,
  dataOf,
  inputValue,
  isOnePlainText,
  keeping,
  type Place,
  plainText,
  readContent,
  urlOf,
  writeContent,
} from '../parts.ts';
import { systemNote } from '../turns.ts';
import { asName, asObject, filled, type Hints, hasAny, is, json, jsonOf, take } from '../values.ts';

const format = 'ai-sdk';
const { extraOf, ownExtra, other, fieldsOf, hintsOf, isOwn } = keeping(format);

export const aiSdk: Format = listFormat({
  name: format,
  title: 'AI SDK model messages, JSON or JSONL',
  keys: ['messages'],
  item: verdict,
  plain: 0.2,
  lead: leadingField(format, 'system'),
  read: fromAiSdk,
  write: ({ messages, format: from }) => {
    const { lead, rest } = splitLead(format, 'system', messages);
    const [system] = toAiSdk(lead, from);
    return { items: toAiSdk(rest, from), fields: system ? { system: system.content ?? '' } : {} };
  },
});

const isRole = (value: JsonValue | undefined): value is Role =>
  value === 'system' || value === 'user' || value === 'assistant' || value === 'tool';

function verdict(value: JsonValue): Verdict {
  if (!isJsonObject(value) || !isRole(value.role)) return 'foreign';
  if (hasAny(value, ['tool_calls', 'tool_call_id', 'parts'])) return 'foreign';
  if ('providerOptions' in value) return 'own';
  const parts = is.list(value.content) ? value.content.map(partVerdict) : [];
  if (parts.includes('foreign')) return 'foreign';
  return parts.includes('own') ? 'own' : value.role === 'tool' ? 'foreign' : 'plain';
}

const ownTypes =
  /^(?:tool-call|tool-result|tool-approval-request|tool-approval-response|reasoning|reasoning-file|custom)$/;

function partVerdict(part: JsonValue): Verdict {
  if (!isJsonObject(part)) return 'foreign';
  if ('providerOptions' in part || ownTypes.test(String(part.type))) return 'own';
  // `cache_control` and its like beside a text belong to the wire formats.
  if (part.type === 'text') return Object.keys(part).length === 2 ? 'plain' : 'foreign';
  const isOurs = (part.type === 'image' && 'image' in part) || (part.type === 'file' && 'data' in part);
  return isOurs ? 'own' : 'foreign';
}

// Reading: one message each.

/** Reads a list of model messages. What is not one is reported and left out; unknown parts are kept as they came. */
export function fromAiSdk(list: readonly unknown[], context: ReadContext = {}): readonly Message[] {
  const expected = 'a model message with the role system, user, assistant or tool';
  return readEach(list.map(jsonOf), context, {
    expected,
    read: (value) => {
      const { role, content, ...fields } = asObject(value);
      if (!isRole(role)) return undefined;
      const read = (part: JsonValue): Part => (is.list(content) ? readPart(part, role) : other(part));
      const { parts, shape } = readContent(content, read, 'list');
      return { role, parts, ...extraOf(fields, { content: shape }) };
    },
  });
}

function readPart(value: JsonValue, role: Role): Part {
  const part = asObject(value);
  if (part.type === 'reasoning') {
    const known = take(part, { type: is.text, text: is.text });
    if (known)
      return { type: 'reasoning', text: known.text, ...proofs(known.rest.providerOptions), ...ownExtra(known.rest) };
  }
  if (part.type === 'tool-call') return readCall(part) ?? other(value);
  // A result inside an assistant message is one of the provider's own tools.
  if (part.type === 'tool-result') return readResult(part, role === 'assistant') ?? other(value);
  return readContentPart(value);
}

/** Providers keep their proof of a reasoning in `providerOptions`; it stays there and is shown beside the text. */
function proofs(options: JsonValue | undefined): { signature?: string; encrypted?: string } {
  const providers = Object.values(asObject(options)).filter(isJsonObject);
  const first = (...names: readonly string[]): string | undefined =>
    providers.flatMap((provider) => names.flatMap((name) => asName(provider[name]) ?? []))[0];
  return defined({
    signature: first('signature', 'thoughtSignature'),
    encrypted: first('redactedData', 'reasoningEncryptedContent', 'encryptedContent'),
  });
}

const isTrue = (value: JsonValue | undefined): value is true => value === true;

function readCall(part: JsonObject): Part | undefined {
  const optional = { input: is.given, providerExecuted: isTrue };
  const call = take(part, { type: is.text, toolCallId: is.text, toolName: is.text }, optional);
  if (!call) return undefined;
  const { toolCallId: callId, toolName: name, input: given, providerExecuted: server, rest } = call;
  const input = JSON.stringify(given === undefined ? {} : given);
  const extra = extraOf(rest, { input: given === undefined ? 'absent' : undefined });
  return defined({ type: 'toolCall', callId, name, input, inputType: 'json', server, ...extra });
}

function readResult(part: JsonObject, isServer: boolean): Part | undefined {
  const result = take(part, { type: is.text, toolCallId: is.text, toolName: is.maybeText }, { output: is.given });
  if (!result) return undefined;
  const { toolCallId: callId, toolName: name, rest } = result;
  const { content, isError, hints } = readOutput(result.output);
  const server = isServer ? (true as const) : undefined;
  return defined({ type: 'toolResult', callId, name, content, isError, server, ...extraOf(rest, hints) });
}

interface Output {
  readonly content: readonly ResultContent[];
  readonly isError?: true | undefined;
  readonly hints: Hints;
}

/** By default one plain text is written as `text` or `error-text`, and everything else as `content`. */
function readOutput(output: JsonValue | undefined): Output {
  if (output === undefined) return { content: [], hints: { output: 'absent' } };
  const { type, value, ...rest } = asObject(output);
  const more = filled(rest);
  const isError = type === 'error-text' || type === 'error-json' ? true : undefined;
  if ((type === 'text' || type === 'error-text') && is.text(value)) {
    return { content: [{ type: 'text', text: value }], isError, hints: { more } };
  }
  if ((type === 'json' || type === 'error-json') && value !== undefined) {
    return { content: [other(value)], isError, hints: { output: 'json', more } };
  }
  if (type === 'content' && is.list(value)) {
    const content = value.map(readContentPart);
    return {
      content,
      hints: { output: isOnePlainText(content) || content.length === 0 ? 'content' : undefined, more },
    };
  }
  const denied = type === 'execution-denied' && value === undefined ? take(rest, { reason: is.maybeText }) : undefined;
  if (!denied) return { content: [other(output)], hints: { output: 'bare' } };
  const { reason: text } = denied;
  const content: readonly ResultContent[] = text === undefined ? [] : [{ type: 'text', text }];
  return { content, isError: true, hints: { output: 'execution-denied', more: filled(denied.rest) } };
}

/** Parts that may stand in a message and in a result. */
function readContentPart(value: JsonValue): ResultContent {
  const part = asObject(value);
  const type = is.text(part.type) ? part.type : '';
  if (type === 'text') {
    const known = take(part, { type: is.text, text: is.text });
    return known ? { type, text: known.text, ...extraOf(known.rest) } : other(value);
  }
  if (type === 'image' || type === 'file') return readFile(part, type) ?? other(value);
  return (/^(?:image|file)-(?:data|url)$/.test(type) && readOldFile(part, type)) || other(value);
}

function readFile(part: JsonObject, type: 'image' | 'file'): ImagePart | FilePart | undefined {
  const isOld = type === 'image';
  const name = isOld ? undefined : part.filename;
  const optional = isOld ? { image: is.given } : { data: is.given, filename: is.given };
  const known = take(part, { type: is.text, mediaType: is.maybeText }, optional);
  const place = known && readData(isOld ? part.image : part.data);
  if (!known || !place || !is.maybeText(name) || (isOld && 'text' in place.body)) return undefined;
  const { mediaType, rest } = known;
  const { body } = place;
  // A data URL names a type of its own, which is then the one that counts; what stood beside it is kept as a hint.
  const whole = body.mediaType === undefined && mediaType !== undefined ? { ...body, mediaType } : body;
  const hints = {
    ...(isOld ? { ...place.hints, type, data: undefined } : place.hints),
    ...(body.mediaType === undefined ? (mediaType === undefined ? { untyped: true } : {}) : { url: true, mediaType }),
  };
  const fields = name === undefined ? rest : { ...rest, filename: name };
  const isImage = isOld || (/^image(\/|$)/.test(mediaType ?? '') && !('text' in body));
  // Only a file has a text.
  if (isImage) return { type: 'image', ...whole, ...extraOf(fields, hints) } as ImagePart;
  return defined({ type: 'file', ...whole, name, ...extraOf(rest, hints) });
}

/** The forms of `data`: tagged (the default), or bare: base64, an address, or a provider's reference. */
function readData(data: JsonValue | undefined): { body: Place; hints: Hints } | undefined {
  if (is.text(data)) {
    const isAddress = /^[a-z][a-z0-9+.-]*:/i.test(data.slice(0, 40));
    return { body: isAddress ? (dataOf(data) ?? { url: data }) : { data }, hints: { data: 'bare' } };
  }
  const { type, ...rest } = asObject(data);
  const [[key, value] = [], ...more] = Object.entries(rest);
  if (more.length > 0 || key === undefined) return undefined;
  if (type === undefined && is.text(value)) return { body: { fileId: value }, hints: { data: 'bare', provider: key } };
  if (type === 'reference' && key === 'reference') {
    const [[provider, fileId] = [], ...others] = Object.entries(asObject(value));
    return others.length === 0 && is.text(fileId) ? { body: { fileId }, hints: { provider } } : undefined;
  }
  if (type !== key || !is.text(value)) return undefined;
  if (type === 'url') return { body: dataOf(value) ?? { url: value }, hints: {} };
  if (type === 'data') return { body: { data: value }, hints: {} };
  return type === 'text' ? { body: { text: value }, hints: {} } : undefined;
}

/** Types that results used before `file` took their place. */
function readOldFile(part: JsonObject, type: string): ImagePart | FilePart | undefined {
  const [kind, member] = type.split('-');
  const known = take(part, {
    type: is.text,
    mediaType: is.maybeText,
    filename: kind === 'image' ? is.absent : is.maybeText,
    data: member === 'data' ? is.text : is.absent,
    url: member === 'url' ? is.text : is.absent,
  });
  if (!known) return undefined;
  const { mediaType, filename: name, data, url, rest } = known;
  return defined({ type: kind === 'image' ? kind : 'file', data, url, mediaType, name, ...extraOf(rest, { type }) });
}

// Writing, as JSON.

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
    const context = { from, names };
    return isOwn(message, from) ? [writeOwn(message, context)] : writeForeign(message, context, isLeading);
  });
}

interface WriteContext {
  readonly from: FormatName;
  /** Names of tools by the ids of their calls. */
  readonly names: ReadonlyMap<string, string>;
}

function writeOwn(message: Message, context: WriteContext): JsonObject {
  const { content: shape } = hintsOf(message);
  const parts = message.parts.flatMap((part) => writePart(part, context));
  const isTool = message.role === 'tool' && parts.length > 0 && shape !== 'bare';
  const content = writeContent(parts, isTool ? 'list' : shape, 'list');
  return json({ role: message.role, content, ...fieldsOf(message) });
}

function writeForeign(message: Message, context: WriteContext, isLeading: boolean): readonly JsonObject[] {
  if (message.role === 'system') {
    const text = messageText(message);
    if (is.blank(text)) return [];
    return [isLeading ? { role: 'system', content: text } : { role: 'user', content: systemNote(text) }];
  }
  const isSpeaker = message.role === 'assistant';
  const isClientResult = (part: Part): boolean => part.type === 'toolResult' && !(part.server && isSpeaker);
  const said = message.parts.filter((part) => !isClientResult(part) && !(isSpeaker && part.type === 'other'));
  const results = message.parts.filter(isClientResult).flatMap((part) => writePart(part, context));
  const spoken = said.flatMap((part) => writePart(part, context));
  const content = writeContent(spoken, undefined, 'list') ?? [];
  return [
    ...(results.length > 0 ? [{ role: 'tool', content: results }] : []),
    ...(spoken.length > 0 ? [{ role: isSpeaker ? 'assistant' : 'user', content }] : []),
  ];
}

/** A part for a message; nothing for one that only another format understands. */
function writePart(part: Part, { from, names }: WriteContext): readonly JsonValue[] {
  const own = isOwn(part, from);
  const fields = fieldsOf(part);
  switch (part.type) {
    case 'reasoning':
      return own ? [{ type: 'reasoning', text: part.text, ...fields }] : [];
    case 'toolCall': {
      const isAbsent = hintsOf(part).input === 'absent' && part.input === '{}';
      const input = isAbsent ? undefined : inputValue(part, own);
      const call = { type: 'tool-call', toolCallId: part.callId, toolName: part.name, input };
      return [json({ ...call, ...(part.server ? { providerExecuted: true } : {}), ...fields })];
    }
    case 'toolResult': {
      // A result names its tool; where the format it came from did not, the call tells.
      const toolName = part.name ?? (own ? undefined : (names.get(part.callId) ?? 'unknown'));
      const output = writeOutput(part, from);
      return [json({ type: 'tool-result', toolCallId: part.callId, toolName, output, ...fields })];
    }
    case 'text':
      return !own && is.blank(part.text) ? [] : [writeContentPart(part, own)];
    default:
      return [writeContentPart(part, own)];
  }
}

function writeOutput(part: ToolResultPart, from: FormatName): JsonValue | undefined {
  const { content, isError } = part;
  const { output, more } = hintsOf(part);
  const rest = asObject(more);
  const [first] = content;
  const single = content.length <= 1 ? first : undefined;
  const text = single?.type === 'text' ? single.text : undefined;
  if (output === 'absent' && !first) return undefined;
  if (output === 'bare' && single?.type === 'other') return single.value;
  if (output === 'json' && single?.type === 'other') {
    return { type: isError ? 'error-json' : 'json', value: single.value, ...rest };
  }
  if (output === 'execution-denied' && (!first || text !== undefined))
    return json({ type: output, reason: text, ...rest });
  const isPlain = text !== undefined && plainText({ type: 'text', text, ...fieldsOf(single) }) !== undefined;
  if (output !== 'content' && (!first || isPlain)) {
    return { type: isError ? 'error-text' : 'text', value: text ?? '', ...rest };
  }
  // A list of content has no flag for a failure; a text has.
  const texts = content.flatMap((one) => (one.type === 'text' ? [one.text] : []));
  if (isError && texts.length === content.length) return { type: 'error-text', value: texts.join('\n'), ...rest };
  return { type: 'content', value: content.map((one) => writeContentPart(one, isOwn(one, from))), ...rest };
}

function writeContentPart(part: ResultContent, own: boolean): JsonValue {
  if (part.type === 'text') return { type: 'text', text: part.text, ...fieldsOf(part) };
  if (part.type === 'other') return own ? part.value : { type: 'text', text: JSON.stringify(part.value) };
  return writeFile(part, own);
}

function writeFile(part: ImagePart | FilePart, own: boolean): JsonObject {
  // An id of an uploaded file means something to its own provider only.
  if (!own && part.fileId !== undefined) return { type: 'text', text: attachmentMark(part) };
  const hints = hintsOf(part);
  const fields = fieldsOf(part);
  const type = is.text(hints.type) ? hints.type : 'file';
  const mediaType = hints.url === true ? hints.mediaType : part.mediaType;
  const named = { mediaType, filename: part.type === 'file' ? part.name : undefined, ...fields };
  if (type === 'image') return json({ type, image: bareData(part, hints), mediaType, ...fields });
  if (type.endsWith('-data')) return json({ type, data: part.data ?? '', ...named });
  if (type.endsWith('-url')) return json({ type, url: urlOf(part, 'application/octet-stream') ?? '', ...named });
  const data = hints.data === 'bare' ? bareData(part, hints) : taggedData(part, hints);
  const isTyped = part.mediaType !== undefined || (own && part.extra !== undefined);
  const text = part.type === 'file' ? part.text : undefined;
  const usual = part.type === 'image' ? 'image' : text === undefined ? 'application/octet-stream' : 'text/plain';
  return json({ type: 'file', data, ...named, ...(isTyped || 'mediaType' in fields ? {} : { mediaType: usual }) });
}

const referenceOf = (fileId: string, { provider }: JsonObject): JsonObject => ({
  [String(provider ?? 'unknown')]: fileId,
});

function bareData(part: ImagePart | FilePart, hints: JsonObject): JsonValue {
  if (part.fileId !== undefined) return referenceOf(part.fileId, hints);
  return hints.url === true ? (urlOf(part, '') ?? '') : (part.data ?? part.url ?? '');
}

function taggedData(part: ImagePart | FilePart, hints: JsonObject): JsonObject {
  if (part.fileId !== undefined) return { type: 'reference', reference: referenceOf(part.fileId, hints) };
  if (part.data !== undefined && hints.url !== true) return { type: 'data', data: part.data };
  if (part.type === 'file' && part.text !== undefined) return { type: 'text', text: part.text };
  return { type: 'url', url: urlOf(part, '') ?? '' };
}
