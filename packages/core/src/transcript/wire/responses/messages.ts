/** Requests, responses and item lists of the OpenAI Responses API, read and written. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Format, SourceRecord } from '../../format.ts';
import type {
  FormatName,
  Message,
  Part,
  ReasoningPart,
  Role,
  SourceSpan,
  ToolResultPart,
  Transcript,
} from '../../message.ts';
import { messageText } from '../../text.ts';
import {
  type BodyParts,
  type Gathered,
  listFormat,
  notAMessage,
  type ReadContext,
  type Verdict,
  withSource,
} from '../bodies.ts';
import { keeping } from '../parts.ts';
import { isMute, withClientToolsOnly } from '../turns.ts';
import { asList, asObject, asText, filled, type Hints, hasAny, is, json, take } from '../values.ts';
import {
  isToolItem,
  readableReasoning,
  readCallItem,
  readOutputItem,
  readPiece,
  summaryOf,
  writeCallItem,
  writeOutputItem,
  writePiece,
  writeServerItem,
} from './items.ts';

const format = 'openai-responses';
const { extraOf, ownExtra, other, fieldsOf, hintsOf, isSameProvider, isOwn } = keeping(format);
const keys = ['input', 'output', 'items'];

export const openAiResponses: Format = listFormat({
  name: format,
  title: 'OpenAI Responses: requests, responses or items, JSON or JSONL',
  keys,
  isJoined: true,
  item: verdict,
  envelope: (body) =>
    hasAny(body, ['instructions', 'previous_response_id']) || body.object === 'response' ? 'own' : 'plain',
  plain: 0.3,
  lead: { keys: ['instructions'], read: (value) => (is.text(value) ? fromInstructions(value) : undefined) },
  prepare: withListInput,
  read: (values, context, { items, lists }) => {
    const border = lists[1] === undefined ? -1 : items.findIndex(({ list }) => list === lists[1]);
    return fromOpenAiResponses(values, border < 0 ? context : { ...context, border });
  },
  finish,
  write,
});

/** Stands in the fields around a list of which `input` was a plain text; no field of the API has such a name. */
const plainInput = '#input';

/** A request whose `input` is a text means one user message with that text. */
function withListInput(record: SourceRecord): SourceRecord {
  const body = asObject(record.value);
  if (record.type === 'element' || !is.text(body.input) || hasAny(body, ['role', 'type', 'call_id'])) return record;
  const value = { ...body, input: [{ role: 'user', content: body.input }], [plainInput]: true };
  return { ...record, type: 'line', value };
}

function finish(transcript: Transcript, { lists }: Gathered): Transcript {
  const { [plainInput]: isPlain, ...fields } = fieldsOf(transcript);
  const hints: Hints = { ...hintsOf(transcript), lists: lists.length > 1 ? lists : undefined };
  if (isPlain !== true && lists.length < 2) return transcript;
  const { extra: _, messages, ...found } = transcript;
  const plain = extraOf({}, { field: 'input' });
  const asPlain = (message: Message): Message => (message.role === 'user' ? { ...message, ...plain } : message);
  return { ...found, messages: isPlain === true ? messages.map(asPlain) : messages, ...extraOf(fields, hints) };
}

function write(transcript: Transcript): BodyParts {
  const { instructions, items, border } = toOpenAiResponses(transcript.messages, transcript.format);
  const fields = json({ instructions });
  const last = transcript.messages.at(-1);
  const isPlain = last && hintsOf(last).field === 'input' && items.length === 1;
  if (isPlain) return { fields: { ...fields, input: messageText(last) } };
  const [first, second] = asList(hintsOf(transcript).lists).map(String);
  if (first === undefined || second === undefined) return { items, fields };
  return { items: items.slice(border), fields: { ...fields, [first]: items.slice(0, border) }, key: second };
}

const ownTypes: ReadonlySet<string> = new Set([
  'reasoning',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'item_reference',
  'compaction',
]);

const contentTypes = /^(?:input_text|output_text|input_image|input_file|refusal)$/;

function verdict(value: JsonValue, list: string | undefined): Verdict {
  if (!isJsonObject(value)) return 'foreign';
  // Logs wrap items into lines of their own, and those are not ours.
  const type = asText(value.type) ?? '';
  if (ownTypes.has(type) || isToolItem(type)) return hasAny(value, ['payload', 'message']) ? 'foreign' : 'own';
  if (!isMessage(value) || value.role === 'tool' || hasAny(value, ['tool_calls', 'message'])) return 'foreign';
  if (type === 'message') return 'own';
  const isListed = list !== undefined && keys.includes(list);
  if (!is.list(value.content)) return isListed ? 'own' : 'plain';
  const isOurs = value.content.every((piece) => contentTypes.test(asText(asObject(piece).type) ?? ''));
  return isOurs && value.content.length > 0 ? 'own' : 'foreign';
}

// Reading. What the model wrote between two inputs — reasoning, texts and calls, each an item of its own — is one
// assistant message, so that its calls stand together before their outputs; every other item is a message. The parts
// remember where an item began, and writing gives the same items.

export interface ItemContext extends ReadContext {
  /** Index of the first item of a second list (a response's output behind its input): a message never spans both. */
  readonly border?: number;
}

/** Reads a list of items. What is not an item is reported and left out; items of unknown type are kept as they came. */
export function fromOpenAiResponses(list: readonly JsonValue[], context: ItemContext = {}): readonly Message[] {
  const { sources, report, border = list.length } = context;
  const messages: Message[] = [];
  /** An assistant message that is still growing. */
  let draft: { readonly parts: Part[]; readonly spans: SourceSpan[]; readonly behind: Hints } | undefined;
  const close = (): void => {
    if (draft) {
      const { parts, spans: source, behind } = draft;
      messages.push({ role: 'assistant', parts, ...extraOf({}, behind), ...(source.length > 0 ? { source } : {}) });
    }
    draft = undefined;
  };
  for (const [index, value] of list.entries()) {
    const source = sources?.[index];
    const behind = { isBehind: index >= border || undefined };
    if (index === border) close();
    const item = asObject(value);
    // A reference may be nothing but an id.
    if (![item.type, item.role, item.id].some(is.text)) {
      report?.(notAMessage(value, source, 'an item with a type or a role'));
      continue;
    }
    const spoken = readSpoken(item, index, draft?.parts.at(-1));
    if (spoken) {
      draft ??= { parts: [], spans: [], behind };
      draft.parts.push(...spoken);
      if (source) draft.spans.push(source);
      continue;
    }
    close();
    messages.push(withSource(readGiven(item, behind), source));
    if (isMessage(item) || item.type === 'mcp_approval_response' || readOutputItem(item)) continue;
    const message = `expected a known item, found the type ${JSON.stringify(String(item.type).slice(0, 40))}: kept as it is`;
    report?.({ level: 'note', line: source?.line ?? 0, message });
  }
  close();
  return messages;
}

/** The `instructions` of a request as the message that leads the list. */
export const fromInstructions = (text: string): Message => ({
  role: 'system',
  parts: text === '' ? [] : [{ type: 'text', text }],
  ...extraOf({}, { field: 'instructions' }),
});

const isMessage = (item: JsonObject): boolean =>
  is.text(item.role) && (item.type === undefined || item.type === 'message');

/** The parts of an item that the model wrote; undefined for what it was given. */
function readSpoken(item: JsonObject, index: number, before: Part | undefined): readonly Part[] | undefined {
  if (isMessage(item)) return item.role === 'assistant' ? readAnswer(item, before) : undefined;
  const type = asText(item.type) ?? '';
  // These answer the model: they end its message.
  if (type.endsWith('_output') || type.endsWith('_response')) return undefined;
  return type === 'reasoning' ? [readReasoning(item)] : (readCallItem(item, index) ?? [other(item)]);
}

/** A message item; its fields go with its first piece, and a message without content is kept as it came. */
function readAnswer(item: JsonObject, before: Part | undefined): readonly Part[] {
  const { type, role: _, content, ...fields } = item;
  const isString = is.text(content) && content !== '';
  const pieces = isString ? [{ type: 'output_text', text: content }] : asList(content);
  if (pieces.length === 0) return [other(item)];
  const about = json({
    fields: filled(fields),
    untyped: type === undefined ? true : undefined,
    string: isString ? true : undefined,
  });
  const hasStarted = before !== undefined && standsInContent(before);
  const message = hasStarted ? about : filled(about);
  return pieces.map((piece, index) => readPiece(piece, 'output_text', index === 0 ? { message } : {}));
}

function readReasoning(item: JsonObject): ReasoningPart {
  const optional = { summary: is.given, content: is.given, encrypted_content: is.text };
  const {
    summary,
    content,
    encrypted_content: encrypted,
    rest,
  } = take(item, { type: is.text }, optional) ?? { rest: {} };
  const text = readableReasoning(summary, content);
  const isUsual = content === undefined && JSON.stringify(summary) === JSON.stringify(summaryOf(text));
  const extra = ownExtra(rest, { raw: isUsual ? undefined : json({ summary, content }) });
  return { type: 'reasoning', text, ...extra, ...(encrypted === undefined ? {} : { encrypted }) };
}

const roles: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['system', 'system'],
  ['developer', 'system'],
]);

/** An item that the model was given: a message, the output of a call, or an answer to a question of the provider. */
function readGiven(item: JsonObject, behind: Hints): Message {
  if (!isMessage(item)) return { role: 'tool', parts: [readOutputItem(item) ?? other(item)], ...extraOf({}, behind) };
  const { type, role: given, content, ...fields } = item;
  const name = String(given);
  const role = roles.get(name);
  const pieces = is.text(content) && content !== '' ? [{ type: 'input_text', text: content }] : asList(content);
  const shape = content === undefined ? 'absent' : is.text(content) ? 'string' : is.list(content) ? undefined : 'value';
  const hints: Hints = {
    ...behind,
    role: role === undefined || name === 'developer' ? name : undefined,
    untyped: type === undefined ? true : undefined,
    content: shape,
    value: shape === 'value' ? content : undefined,
  };
  return {
    role: role ?? 'user',
    parts: pieces.map((piece) => readPiece(piece, 'input_text')),
    // A role that nobody knows is no person's.
    ...(role === undefined ? { origin: 'host' } : {}),
    ...extraOf(fields, hints),
  };
}

/** True for a part that is a piece of a message item, not an item of its own. */
function standsInContent(part: Part): boolean {
  if (part.type === 'other') return asObject(asObject(part.extra?.fields)['#']).in === 'content';
  return part.type === 'text' || part.type === 'image' || part.type === 'file';
}

// Writing.

/** The places where the Responses API keeps what was said. */
export interface ResponsesItems {
  /** Set when the list was read from a request with instructions. */
  readonly instructions?: string;
  readonly items: readonly JsonValue[];
  /** How many of the items stood in the first of two lists; all when there was one. */
  readonly border: number;
}

interface WriteContext {
  readonly from: FormatName;
  /** The types of the items that calls want as their answers, by the ids of the calls. */
  readonly answers: Map<string, string>;
}

/**
 * Items of a list. Messages that came from this format (`from`, or their own `extra`) are written as they came. Of
 * others: each text, call and result becomes an item, results first; tools that a provider ran become ordinary calls;
 * reasoning and empty texts are left out. Missing results stay missing.
 */
export function toOpenAiResponses(messages: readonly Message[], from: FormatName = format): ResponsesItems {
  const [first, ...rest] = messages;
  const isField = first !== undefined && hintsOf(first).field === 'instructions';
  const context = { from, answers: new Map<string, string>() };
  const items: JsonValue[] = [];
  let border: number | undefined;
  for (const message of isField ? rest : messages) {
    if (hintsOf(message).isBehind === true) border ??= items.length;
    for (const piece of isOwn(message, from) ? [message] : withClientToolsOnly(message)) {
      items.push(...(piece.role === 'assistant' ? writeSpoken(piece, context) : writeGiven(piece, context)));
    }
  }
  return { ...(isField ? { instructions: messageText(first) } : {}), items, border: border ?? items.length };
}

/** The items of an assistant message: pieces of content that belong together are one message item. */
function writeSpoken(message: Message, context: WriteContext): readonly JsonValue[] {
  const items: JsonValue[] = [];
  let pieces: JsonValue[] | undefined;
  for (const part of message.parts) {
    const own = isOwn(part, context.from);
    // Of another provider, what says nothing to this one is left out; an assistant shows no attachments either.
    if (!own && (isMute(part) || (part.type === 'text' && is.blank(part.text)))) continue;
    if (!standsInContent(part)) {
      pieces = undefined;
      items.push(...writeSpokenItem(part, message, context));
      continue;
    }
    const piece = writePiece(part, 'output_text', own);
    const { message: about } = hintsOf(part);
    if (pieces && !isJsonObject(about)) {
      pieces.push(piece);
      continue;
    }
    pieces = [piece];
    const { untyped, string, fields } = asObject(about);
    const content = string === true && part.type === 'text' ? part.text : pieces;
    items.push({ ...(untyped === true ? {} : { type: 'message' }), role: 'assistant', content, ...asObject(fields) });
  }
  return items;
}

function writeSpokenItem(part: Part, message: Message, { from, answers }: WriteContext): readonly JsonValue[] {
  if (part.type === 'reasoning') return isSameProvider(part, from) ? [writeReasoning(part)] : [];
  if (part.type === 'other') return [part.value];
  // The result of a server's tool is written with its call.
  if (part.type !== 'toolCall') return [];
  if (part.server && hintsOf(part).type !== undefined) return [writeServerItem(part, resultOf(message, part.callId))];
  const { item, answer } = writeCallItem(part, isOwn(part, from));
  answers.set(part.callId, answer);
  return [item];
}

const resultOf = (message: Message, callId: string): ToolResultPart | undefined =>
  message.parts.filter((part) => part.type === 'toolResult').find((part) => part.callId === callId);

function writeReasoning(part: ReasoningPart): JsonObject {
  const { raw } = hintsOf(part);
  const isUnchanged = isJsonObject(raw) && readableReasoning(raw.summary, raw.content) === part.text;
  const said = isUnchanged ? raw : { summary: summaryOf(part.text) };
  return { ...json({ type: 'reasoning', ...said, encrypted_content: part.encrypted }), ...fieldsOf(part) };
}

/** The items of what the model was given: outputs, then the rest as one message. */
function writeGiven(message: Message, { from, answers }: WriteContext): readonly JsonValue[] {
  const own = isOwn(message, from);
  const results = message.parts.filter((part) => part.type === 'toolResult');
  const rest = message.parts.filter((part) => part.type !== 'toolResult');
  const outputs = results.map((part) => writeOutputItem(part, answers.get(part.callId), isOwn(part, from)));
  if (results.length > 0 && rest.length === 0) return outputs;
  if (own && message.role === 'tool') {
    return [...outputs, ...rest.flatMap((part) => (part.type === 'other' ? [part.value] : []))];
  }
  const hints = hintsOf(message);
  const pieces = rest.flatMap((part) => {
    if (part.type === 'reasoning' || part.type === 'toolCall') return [];
    const isKept = isOwn(part, from) || part.type !== 'text' || !is.blank(part.text);
    return isKept ? [writePiece(part, 'input_text', isOwn(part, from))] : [];
  });
  if (!own && pieces.length === 0) return outputs;
  const [first] = rest;
  let content: JsonValue | undefined = pieces;
  if (hints.content === 'string' && pieces.length <= 1 && (!first || first.type === 'text'))
    content = first?.text ?? '';
  else if (pieces.length === 0 && hints.content === 'absent') content = undefined;
  else if (pieces.length === 0 && hints.content === 'value') content = hints.value ?? null;
  const role = asText(hints.role) ?? (message.role === 'tool' ? 'user' : message.role);
  const item = json({ type: hints.untyped === true ? undefined : 'message', role, content });
  return [...outputs, { ...item, ...fieldsOf(message) }];
}
