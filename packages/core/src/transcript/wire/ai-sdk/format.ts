/** `ModelMessage`s of the AI SDK (version 7): lists, call options with `system` and `messages`, and lines of either. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Format } from '../../format.ts';
import type {
  FilePart,
  ImagePart,
  Message,
  Part,
  ResultContent,
  Role,
  ToolCallPart,
  ToolResultPart,
} from '../../message.ts';
import {
  bodyText,
  type Gathered,
  gatheringReader,
  likelihood,
  notAMessage,
  transcriptOf,
  type Verdict,
} from '../lists.ts';
import {
  asName,
  asText,
  dataOf,
  extraOf,
  type Hints,
  hintsOf,
  isList,
  ownExtra,
  type ReadContext,
  withSource,
} from '../values.ts';
import { toAiSdk } from './write.ts';

const format = 'ai-sdk';
const places = { keys: ['messages'] };
const shape = { format, list: 'messages' } as const;

export const aiSdk: Format = {
  name: format,
  title: 'AI SDK model messages, JSON or JSONL',
  detect: (records) => likelihood(records, { places, item: verdict, envelope: () => 'plain', plain: 0.2 }),
  reader: (report) =>
    gatheringReader(places, (gathered) => {
      const values = gathered.items.map(({ value }) => value);
      const sources = gathered.items.map(({ source }) => source);
      const { system, ...envelope } = gathered.envelope;
      const text = asName(system);
      const messages = fromAiSdk(values, { sources, report });
      if (text === undefined) return transcriptOf(shape, gathered, messages);
      return transcriptOf(shape, { ...gathered, envelope }, [leading(text, gathered), ...messages]);
    }),
  write: (transcript) => {
    const [first, ...rest] = transcript.messages;
    const isField = hintsOf(first?.extra, format).field === 'system';
    const [lead] = first && isField ? toAiSdk([first], transcript.format) : [];
    const items = toAiSdk(isField ? rest : transcript.messages, transcript.format);
    return bodyText(shape, transcript, { items, fields: lead ? { system: lead.content ?? '' } : {} });
  },
};

/** `system` of the call options as the first message. */
const leading = (text: string, { source }: Gathered): Message => ({
  role: 'system',
  parts: [{ type: 'text', text }],
  ...extraOf(format, {}, { field: 'system' }),
  ...(source ? { source: [source] } : {}),
});

function verdict(value: JsonValue): Verdict {
  if (!isJsonObject(value) || !isRole(String(value.role))) return 'foreign';
  if ('tool_calls' in value || 'tool_call_id' in value || 'parts' in value) return 'foreign';
  if ('providerOptions' in value) return 'own';
  const parts = isList(value.content) ? value.content.map(partVerdict) : [];
  if (parts.includes('foreign')) return 'foreign';
  return parts.includes('own') ? 'own' : value.role === 'tool' ? 'foreign' : 'plain';
}

const ownTypes: ReadonlySet<JsonValue> = new Set([
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'tool-approval-response',
  'reasoning',
  'reasoning-file',
  'custom',
]);

function partVerdict(part: JsonValue): Verdict {
  if (!isJsonObject(part)) return 'foreign';
  if ('providerOptions' in part || ownTypes.has(part.type ?? null)) return 'own';
  if (part.type === 'text') return hasOnlyText(part) ? 'plain' : 'foreign';
  if (part.type === 'image') return 'image' in part ? 'own' : 'foreign';
  return part.type === 'file' && 'data' in part ? 'own' : 'foreign';
}

/** `cache_control` and its like beside a text belong to the wire formats. */
const hasOnlyText = (part: JsonObject): boolean => Object.keys(part).length === 2;

// `ModelMessage`s of the AI SDK into messages: one message each. Takes them from JSON and from memory, where bytes may
// be a `Uint8Array` and an address a `URL`.

const roles: ReadonlySet<string> = new Set(['system', 'user', 'assistant', 'tool']);
const isRole = (role: string): role is Role => roles.has(role);

/** Reads a list of model messages. What is not one is reported and left out; unknown parts are kept as they came. */
export function fromAiSdk(list: readonly unknown[], { sources, report }: ReadContext = {}): readonly Message[] {
  return list.flatMap((given, index) => {
    const source = sources?.[index];
    const value = plain(given);
    const role = isJsonObject(value) ? asText(value.role) : undefined;
    if (!isJsonObject(value) || role === undefined || !isRole(role)) {
      report?.(notAMessage(value, source, 'a model message with the role system, user, assistant or tool'));
      return [];
    }
    const { role: _, content, ...fields } = value;
    const { parts, shape } = readContent(content, role);
    return [withSource({ role, parts, ...extraOf(format, fields, { content: shape }) }, source)];
  });
}

/** What JSON can carry of a value in memory: bytes as base64, addresses as text, nothing for what is undefined. */
function plain(value: unknown): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (value instanceof Uint8Array) return base64(value);
  if (value instanceof ArrayBuffer) return base64(new Uint8Array(value));
  if (value instanceof URL) return value.href;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object') return null;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined && typeof member !== 'function');
  return Object.fromEntries(entries.map(([key, member]) => [key, plain(member)]));
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  // In pieces: a call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}

/** By default one plain text is written as a string, and everything else as a list of parts. */
function readContent(content: JsonValue | undefined, role: Role): { parts: readonly Part[]; shape?: string } {
  if (content === undefined) return { parts: [], shape: 'absent' };
  if (content === null) return { parts: [], shape: 'null' };
  if (content === '') return { parts: [], shape: 'string' };
  if (typeof content === 'string') return { parts: [{ type: 'text', text: content }] };
  if (!isList(content)) return { parts: [other(content)], shape: 'bare' };
  const parts = content.map((part) => readPart(part, role));
  const isOneText = parts.length === 1 && parts[0]?.type === 'text' && parts[0].extra === undefined;
  return isOneText ? { parts, shape: 'list' } : { parts };
}

const other = (value: JsonValue): ResultContent => ({ type: 'other', value, ...ownExtra(format, {}) });

function readPart(value: JsonValue, role: Role): Part {
  if (!isJsonObject(value)) return other(value);
  const { type, ...rest } = value;
  if (type === 'reasoning' && typeof value.text === 'string') {
    const { text: _, ...fields } = rest;
    return { type: 'reasoning', text: value.text, ...proofs(fields.providerOptions), ...ownExtra(format, fields) };
  }
  if (type === 'tool-call') return readCall(value);
  // A result inside an assistant message is one of the provider's own tools.
  if (type === 'tool-result') return readResult(value, role === 'assistant');
  return readContentPart(value);
}

/** Providers keep their proof of a reasoning in `providerOptions`; it stays there and is shown beside the text. */
function proofs(options: JsonValue | undefined): { signature?: string; encrypted?: string } {
  const providers = isJsonObject(options) ? Object.values(options).filter(isJsonObject) : [];
  const first = (names: readonly string[]): string | undefined =>
    providers.flatMap((provider) => names.flatMap((name) => asName(provider[name]) ?? []))[0];
  const signature = first(['signature', 'thoughtSignature']);
  const encrypted = first(['redactedData', 'reasoningEncryptedContent', 'encryptedContent']);
  return { ...(signature === undefined ? {} : { signature }), ...(encrypted === undefined ? {} : { encrypted }) };
}

function readCall(value: JsonObject): Part {
  const { type: _, toolCallId: id, toolName: name, input, providerExecuted, ...rest } = value;
  if (typeof id !== 'string' || typeof name !== 'string') return other(value);
  const isServer = providerExecuted === true;
  const fields = providerExecuted === undefined || isServer ? rest : { ...rest, providerExecuted };
  const call: ToolCallPart = {
    type: 'toolCall',
    callId: id,
    name,
    input: JSON.stringify(input === undefined ? {} : input),
    inputType: 'json',
    ...(isServer ? { server: true } : {}),
  };
  return { ...call, ...extraOf(format, fields, { input: input === undefined ? 'absent' : undefined }) };
}

function readResult(value: JsonObject, isServer: boolean): Part {
  const { type: _, toolCallId: id, toolName: name, output, ...fields } = value;
  if (typeof id !== 'string' || (name !== undefined && typeof name !== 'string')) return other(value);
  const { content, isError, hints } = readOutput(output);
  const result: ToolResultPart = {
    type: 'toolResult',
    callId: id,
    ...(name === undefined ? {} : { name }),
    content,
    ...(isError ? { isError } : {}),
    ...(isServer ? { server: true } : {}),
  };
  return { ...result, ...extraOf(format, fields, hints) };
}

interface Output {
  readonly content: readonly ResultContent[];
  readonly isError?: true;
  readonly hints: Hints;
}

/** By default one plain text is written as `text` or `error-text`, and everything else as `content`. */
function readOutput(output: JsonValue | undefined): Output {
  if (output === undefined) return { content: [], hints: { output: 'absent' } };
  if (!isJsonObject(output)) return { content: [other(output)], hints: { output: 'bare' } };
  const { type, value, ...rest } = output;
  const more = Object.keys(rest).length > 0 ? rest : undefined;
  const isError = type === 'error-text' || type === 'error-json' ? { isError: true as const } : {};
  if ((type === 'text' || type === 'error-text') && typeof value === 'string') {
    return { content: [{ type: 'text', text: value }], ...isError, hints: { more } };
  }
  if ((type === 'json' || type === 'error-json') && value !== undefined) {
    return { content: [other(value)], ...isError, hints: { output: 'json', more } };
  }
  if (type === 'content' && isList(value)) {
    const content = value.map(readContentPart);
    const isOneText = content.length === 1 && content[0]?.type === 'text' && content[0].extra === undefined;
    return { content, hints: { output: isOneText || content.length === 0 ? 'content' : undefined, more } };
  }
  if (type === 'execution-denied') {
    const { reason, ...others } = rest;
    const content: ResultContent[] = typeof reason === 'string' ? [{ type: 'text', text: reason }] : [];
    const kept = Object.keys(others).length > 0 ? others : undefined;
    const known = value === undefined && (reason === undefined || typeof reason === 'string');
    if (known) return { content, isError: true, hints: { output: 'execution-denied', more: kept } };
  }
  return { content: [other(output)], hints: { output: 'bare' } };
}

/** Parts that may stand in a message and in a result. */
function readContentPart(value: JsonValue): ResultContent {
  if (!isJsonObject(value)) return other(value);
  const { type, ...rest } = value;
  if (type === 'text' && typeof value.text === 'string') {
    const { text: _, ...fields } = rest;
    return { type: 'text', text: value.text, ...extraOf(format, fields) };
  }
  if (type === 'image') return readImage(value) ?? other(value);
  if (type === 'file') return readFile(value) ?? other(value);
  if (typeof type === 'string' && oldFileTypes.test(type)) return readOldFile(value, type) ?? other(value);
  return other(value);
}

function readImage(value: JsonObject): ImagePart | undefined {
  const { type: _, image, mediaType, ...fields } = value;
  const place = readData(image);
  if (!place || 'text' in place.body || !isText(mediaType)) return undefined;
  const hints = { ...place.hints, type: 'image', data: undefined };
  return {
    type: 'image',
    ...kindOf(place.body, mediaType),
    ...extraOf(format, fields, withKind(hints, place.body, mediaType)),
  };
}

function readFile(value: JsonObject): ImagePart | FilePart | undefined {
  const { type: _, data, mediaType, filename, ...rest } = value;
  const place = readData(data);
  if (!place || !isText(mediaType) || !isText(filename)) return undefined;
  const hints = withKind(place.hints, place.body, mediaType);
  const isImage = mediaType !== undefined && /^image(\/|$)/.test(mediaType);
  if (isImage && !('text' in place.body)) {
    const fields = filename === undefined ? rest : { ...rest, filename };
    return { type: 'image', ...kindOf(place.body, mediaType), ...extraOf(format, fields, hints) };
  }
  const name = filename === undefined ? {} : { name: filename };
  return { type: 'file', ...kindOf(place.body, mediaType), ...name, ...extraOf(format, rest, hints) };
}

const isText = (value: JsonValue | undefined): value is string | undefined =>
  value === undefined || typeof value === 'string';

/** A data URL names a type of its own, which is then the one that counts; what stood beside it is kept as a hint. */
const kindOf = <T extends Body>(body: T, mediaType: string | undefined): T => {
  return body.mediaType === undefined && mediaType !== undefined ? { ...body, mediaType } : body;
};

const withKind = (hints: Hints, body: Body, mediaType: string | undefined): Hints => {
  if (body.mediaType !== undefined) return { ...hints, url: true, mediaType };
  return mediaType === undefined ? { ...hints, untyped: true } : hints;
};

type Body = { mediaType?: string } & ({ data: string } | { url: string } | { fileId: string } | { text: string });

/** The forms of `data`: tagged (the default), or bare: base64, an address, or a provider's reference. */
function readData(data: JsonValue | undefined): { body: Body; hints: Hints } | undefined {
  if (typeof data === 'string') return { body: readAddress(data), hints: { data: 'bare' } };
  if (!isJsonObject(data)) return undefined;
  const { type, ...rest } = data;
  const [key, ...more] = Object.keys(rest);
  const value = key === undefined ? undefined : rest[key];
  if (more.length > 0 || key === undefined) return undefined;
  if (type === undefined && typeof value === 'string')
    return { body: { fileId: value }, hints: { data: 'bare', provider: key } };
  if (type === 'reference' && key === 'reference' && isJsonObject(value)) return readReference(value);
  if (type !== key || typeof value !== 'string') return undefined;
  if (type === 'url') return { body: dataOf(value) ?? { url: value }, hints: {} };
  if (type === 'data') return { body: { data: value }, hints: {} };
  return type === 'text' ? { body: { text: value }, hints: {} } : undefined;
}

function readReference(reference: JsonObject): { body: Body; hints: Hints } | undefined {
  const [entry, ...more] = Object.entries(reference);
  if (!entry || more.length > 0 || typeof entry[1] !== 'string') return undefined;
  return { body: { fileId: entry[1] }, hints: { provider: entry[0] } };
}

const readAddress = (text: string): Body =>
  /^[a-z][a-z0-9+.-]*:/i.test(text.slice(0, 40)) ? (dataOf(text) ?? { url: text }) : { data: text };

/** Types that results used before `file` took their place. */
const oldFileTypes = /^(image|file)-(data|url)$/;

function readOldFile(value: JsonObject, type: string): ImagePart | FilePart | undefined {
  const { type: _, data, url, mediaType, filename, ...rest } = value;
  const isImage = type.startsWith('image');
  const isUrl = type.endsWith('url');
  const place = isUrl ? url : data;
  if (typeof place !== 'string' || (isUrl ? data : url) !== undefined) return undefined;
  if (!isText(mediaType) || !isText(filename) || (isImage && filename !== undefined)) return undefined;
  const body = { ...(isUrl ? { url: place } : { data: place }), ...(mediaType === undefined ? {} : { mediaType }) };
  const extra = extraOf(format, rest, { type });
  if (isImage) return { type: 'image', ...body, ...extra };
  return { type: 'file', ...body, ...(filename === undefined ? {} : { name: filename }), ...extra };
}
