/** Requests, responses and item lists of the OpenAI Responses API. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { Format, SourceRecord } from '../../format.ts';
import type { Message, Part, ReasoningPart, Role, SourceSpan, Transcript } from '../../message.ts';
import { messageText } from '../../text.ts';
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
  asList,
  asText,
  extraOf,
  type Hints,
  hintsOf,
  isList,
  ownExtra,
  type ReadContext,
  withSource,
} from '../values.ts';
import { readCallItem, readOutputItem, readPiece } from './items.ts';
import { readableReasoning, standsInContent, summaryOf, toOpenAiResponses } from './write.ts';

const format = 'openai-responses';
const places = { keys: ['input', 'output', 'items'], isJoined: true };
const shape = { format, list: 'input' } as const;

export const openAiResponses: Format = {
  name: format,
  title: 'OpenAI Responses: requests, responses or items, JSON or JSONL',
  detect: (records) =>
    likelihood(records.map(withListInput), { places, item: verdict, envelope: envelopeVerdict, plain: 0.3 }),
  reader: (report) => {
    const reader = gatheringReader(places, (gathered) => conversation(gathered, { report }));
    return { add: (record) => reader.add(withListInput(record)), end: () => reader.end() };
  },
  write: (transcript) => {
    const { instructions, items, border } = toOpenAiResponses(transcript.messages, transcript.format);
    const hints = hintsOf(transcript.extra, format);
    const fields: JsonObject = instructions === undefined ? {} : { instructions };
    const plain = plainInputOf(transcript);
    if (plain !== undefined && items.length === 1)
      return bodyText(shape, transcript, { fields: { ...fields, input: plain } });
    const [first, second] = isList(hints.lists) ? hints.lists.map(String) : [];
    if (first !== undefined && second !== undefined) {
      const before = { ...fields, [first]: items.slice(0, border) };
      return bodyText(shape, transcript, { items: items.slice(border), fields: before, key: second });
    }
    return bodyText(shape, transcript, { items, fields });
  },
};

/** Stands in the fields around a list of which `input` was a plain text; no field of the API has such a name. */
const plainInput = '#input';

/** A request whose `input` is a text means one user message with that text. */
function withListInput(record: SourceRecord): SourceRecord {
  const { value } = record;
  if (record.type === 'element' || !isJsonObject(value) || typeof value.input !== 'string') return record;
  if ('role' in value || 'type' in value || 'call_id' in value) return record;
  return {
    ...record,
    type: 'line',
    value: { ...value, input: [{ role: 'user', content: value.input }], [plainInput]: true },
  };
}

function conversation(gathered: Gathered, { report }: ReadContext): Transcript {
  const { instructions: given, [plainInput]: isPlain, ...rest } = gathered.envelope;
  const instructions = asText(given);
  const envelope = given !== undefined && instructions === undefined ? { ...rest, instructions: given } : rest;
  const [, second] = gathered.lists;
  const start = second === undefined ? -1 : gathered.items.findIndex(({ list }) => list === second);
  const messages = fromOpenAiResponses(
    gathered.items.map(({ value }) => value),
    {
      sources: gathered.items.map(({ source }) => source),
      ...(report ? { report } : {}),
      ...(start < 0 ? {} : { border: start }),
    },
  );
  const all = instructions === undefined ? messages : [leading(instructions, gathered), ...messages];
  const found = transcriptOf(shape, { ...gathered, envelope }, isPlain === true ? all.map(asPlainInput) : all);
  const hints = isJsonObject(found.extra?.fields['#']) ? found.extra.fields['#'] : {};
  if (second === undefined) return found;
  return { ...found, ...extraOf(format, found.extra?.fields ?? {}, { ...hints, lists: gathered.lists }) };
}

/** The message that a text as `input` means. */
const asPlainInput = (message: Message): Message =>
  message.role === 'user' ? { ...message, ...extraOf(format, {}, { field: 'input' }) } : message;

function plainInputOf({ messages }: Transcript): string | undefined {
  const last = messages.at(-1);
  return last && hintsOf(last.extra, format).field === 'input' ? messageText(last) : undefined;
}

const leading = (text: string, { source }: Gathered): Message => ({
  ...fromInstructions(text),
  ...(source ? { source: [source] } : {}),
});

const ownTypes: ReadonlySet<JsonValue> = new Set([
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'reasoning',
  'web_search_call',
  'file_search_call',
  'computer_call',
  'computer_call_output',
  'code_interpreter_call',
  'image_generation_call',
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'item_reference',
  'compaction',
]);

const contentTypes: ReadonlySet<JsonValue> = new Set([
  'input_text',
  'output_text',
  'input_image',
  'input_file',
  'refusal',
]);

function verdict(value: JsonValue, list: string | undefined): Verdict {
  if (!isJsonObject(value)) return 'foreign';
  // Logs wrap items into lines of their own, and those are not ours.
  if (ownTypes.has(value.type ?? null)) return 'payload' in value || 'message' in value ? 'foreign' : 'own';
  if (typeof value.role !== 'string' || (value.type !== undefined && value.type !== 'message')) return 'foreign';
  if (value.role === 'tool' || 'tool_calls' in value || 'message' in value) return 'foreign';
  if (value.type === 'message') return 'own';
  const isListed = list !== undefined && places.keys.includes(list);
  if (!isList(value.content)) return isListed ? 'own' : 'plain';
  const isOwn = value.content.every((piece) => isJsonObject(piece) && contentTypes.has(piece.type ?? null));
  return isOwn && value.content.length > 0 ? 'own' : 'foreign';
}

const envelopeVerdict = (envelope: JsonObject): Verdict =>
  'instructions' in envelope || envelope.object === 'response' || 'previous_response_id' in envelope ? 'own' : 'plain';

// Items of the OpenAI Responses API into messages. What the model wrote between two inputs — reasoning, texts and calls,
// each an item of its own — is one assistant message, so that its calls stand together before their outputs; every other
// item is a message. The parts remember where an item began, and writing gives the same items.

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
