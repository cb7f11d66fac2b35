/**
 * Items of the OpenAI Responses API into messages. What the model wrote between two inputs — reasoning, texts and calls,
 * each an item of its own — is one assistant message, so that its calls stand together before their outputs; every other
 * item is a message. The parts remember where an item began, and writing gives the same items.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { Message, Part, ReasoningPart, Role, SourceSpan } from '../message.ts';
import { asList, asObject, asText, isList } from './fields.ts';
import { notAMessage } from './gather.ts';
import { readCallItem, readOutputItem } from './openai-responses-calls.ts';
import { readPiece } from './openai-responses-content.ts';
import { extraOf, type Hints, ownExtra, type ReadContext, withSource } from './wire.ts';

const format = 'openai-responses';

export interface ItemContext extends ReadContext {
  /** Index of the first item of a second list (a response's output behind its input): a message never spans both. */
  readonly border?: number;
}

/** An assistant message that is still growing. */
interface Draft {
  readonly parts: Part[];
  readonly spans: SourceSpan[];
  readonly isBehind: boolean;
}

/** Reads a list of items. What is not an item is reported and left out; items of unknown type are kept as they came. */
export function fromOpenAiResponses(list: readonly JsonValue[], context: ItemContext = {}): readonly Message[] {
  const { sources, report, border = list.length } = context;
  const messages: Message[] = [];
  let draft: Draft | undefined;
  const close = (): void => {
    if (draft) messages.push(finished(draft));
    draft = undefined;
  };
  for (const [index, value] of list.entries()) {
    const source = sources?.[index];
    const isBehind = index >= border;
    if (index === border) close();
    const item = isJsonObject(value) ? value : undefined;
    if (!item || !isItem(item)) {
      report?.(notAMessage(value, source, 'an item with a type or a role'));
      continue;
    }
    const spoken = readSpoken(item, index, draft?.parts.at(-1));
    if (spoken) {
      draft ??= { parts: [], spans: [], isBehind };
      draft.parts.push(...spoken);
      if (source) draft.spans.push(source);
      continue;
    }
    close();
    messages.push(withSource(readGiven(item, isBehind), source));
    if (!isKnownItem(item)) {
      const message = `expected a known item, found the type ${JSON.stringify(String(item.type).slice(0, 40))}: kept as it is`;
      report?.({ level: 'note', line: source?.line ?? 0, message });
    }
  }
  close();
  return messages;
}

/** The `instructions` of a request as the message that leads the list. */
export const fromInstructions = (text: string): Message => ({
  role: 'system',
  parts: text === '' ? [] : [{ type: 'text', text }],
  ...extraOf(format, {}, { field: 'instructions' }),
});

function finished({ parts, spans, isBehind }: Draft): Message {
  const message: Message = { role: 'assistant', parts, ...extraOf(format, {}, { isBehind: isBehind || undefined }) };
  return spans.length > 0 ? { ...message, source: spans } : message;
}

/** A reference may be nothing but an id. */
const isItem = (item: JsonObject): boolean =>
  typeof item.type === 'string' || typeof item.role === 'string' || typeof item.id === 'string';

const isKnownItem = (item: JsonObject): boolean =>
  isMessage(item) || item.type === 'mcp_approval_response' || readOutputItem(item) !== undefined;

const isMessage = (item: JsonObject): boolean =>
  typeof item.role === 'string' && (item.type === undefined || item.type === 'message');

/** Items that answer the model: they end its message. */
const isAnswer = (type: string): boolean => type.endsWith('_output') || type.endsWith('_response');

/** The parts of an item that the model wrote; undefined for what it was given. */
function readSpoken(item: JsonObject, index: number, before: Part | undefined): readonly Part[] | undefined {
  if (isMessage(item)) return item.role === 'assistant' ? readAnswer(item, before) : undefined;
  const type = asText(item.type) ?? '';
  if (isAnswer(type)) return undefined;
  if (type === 'reasoning') return [readReasoning(item)];
  return readCallItem(item, index) ?? [other(item)];
}

const other = (value: JsonValue): Part => ({ type: 'other', value, ...ownExtra(format, {}) });

/** A message item; its fields go with its first piece, and a message without content is kept as it came. */
function readAnswer(item: JsonObject, before: Part | undefined): readonly Part[] {
  const { type, role: _, content, ...fields } = item;
  const isString = typeof content === 'string' && content !== '';
  const pieces: readonly JsonValue[] = isString ? [{ type: 'output_text', text: content }] : asList(content);
  if (pieces.length === 0) return [other(item)];
  const about: Hints = {
    fields: Object.keys(fields).length > 0 ? fields : undefined,
    untyped: type === undefined ? true : undefined,
    string: isString ? true : undefined,
  };
  const isPlain = Object.values(about).every((hint) => hint === undefined);
  const hasStarted = before !== undefined && standsInContent(before);
  const message = isPlain && !hasStarted ? undefined : plainHints(about);
  return pieces.map((piece, index) => readPiece(piece, 'output_text', index === 0 ? { message } : {}));
}

function plainHints(hints: Hints): JsonObject {
  const kept: { [name: string]: JsonValue } = {};
  for (const [name, value] of Object.entries(hints)) if (value !== undefined) kept[name] = value;
  return kept;
}

/** True for a part that is a piece of a message item, not an item of its own. */
export function standsInContent(part: Part): boolean {
  if (part.type === 'other') return asObject(asObject(part.extra?.fields)['#']).in === 'content';
  return part.type === 'text' || part.type === 'image' || part.type === 'file';
}

/** The raw reasoning where the model shows it, its summary otherwise. */
function readReasoning(item: JsonObject): ReasoningPart {
  const { type: _, summary, content, encrypted_content: encrypted, ...fields } = item;
  const text = readableReasoning(summary, content);
  const isUsual = content === undefined && JSON.stringify(summary) === JSON.stringify(summaryOf(text));
  const raw: JsonObject = {
    ...(summary === undefined ? {} : { summary }),
    ...(content === undefined ? {} : { content }),
  };
  const rest =
    encrypted === undefined || typeof encrypted === 'string' ? fields : { ...fields, encrypted_content: encrypted };
  const part: ReasoningPart = {
    type: 'reasoning',
    text,
    ...ownExtra(format, rest, { raw: isUsual ? undefined : raw }),
  };
  return typeof encrypted === 'string' ? { ...part, encrypted } : part;
}

/** What can be read of a reasoning item. */
export function readableReasoning(summary: JsonValue | undefined, content: JsonValue | undefined): string {
  const pieces = isList(content) && content.length > 0 ? content : asList(summary);
  return pieces.flatMap((piece) => asText(asObject(piece).text) ?? []).join('\n\n');
}

/** The summary that stands for a text when nothing else is known. */
export const summaryOf = (text: string): readonly JsonValue[] => (text === '' ? [] : [{ type: 'summary_text', text }]);

const roles: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['system', 'system'],
  ['developer', 'system'],
]);

/** An item that the model was given: a message, the output of a call, or an answer to a question of the provider. */
function readGiven(item: JsonObject, isBehind: boolean): Message {
  const behind = { isBehind: isBehind || undefined };
  const result = readOutputItem(item);
  if (result) return { role: 'tool', parts: [result], ...extraOf(format, {}, behind) };
  if (!isMessage(item)) return { role: 'tool', parts: [other(item)], ...extraOf(format, {}, behind) };
  const { type, role: given, content, ...fields } = item;
  const name = String(given);
  const role = roles.get(name);
  const isString = typeof content === 'string';
  const pieces: readonly JsonValue[] =
    isString && content !== '' ? [{ type: 'input_text', text: content }] : asList(content);
  const hints: Hints = {
    ...behind,
    role: role === undefined || name === 'developer' ? name : undefined,
    untyped: type === undefined ? true : undefined,
    content: isString ? 'string' : content === undefined ? 'absent' : isList(content) ? undefined : 'value',
    value: isString || isList(content) ? undefined : content,
  };
  return {
    role: role ?? 'user',
    parts: pieces.map((piece) => readPiece(piece, 'input_text')),
    // A role that nobody knows is no person's.
    ...(role === undefined ? { origin: 'host' as const } : {}),
    ...extraOf(format, fields, hints),
  };
}
