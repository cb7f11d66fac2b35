/** ShareGPT: training conversations of `{from, value}` (or `{role, content}`) under `conversations`. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Format } from '../format.ts';
import type { FormatName, Message, OtherPart, Part, Role, TextPart, ToolCallPart, Transcript } from '../message.ts';
import { resultText } from '../text.ts';
import {
  bodyText,
  type Gathered,
  gatheringReader,
  likelihood,
  notAMessage,
  transcriptOf,
  type Verdict,
} from '../wire/lists.ts';
import {
  asName,
  asText,
  attachmentMark,
  extraOf,
  fieldsOf,
  hintsOf,
  isBlank,
  isList,
  originFormat,
  ownExtra,
  type ReadContext,
  valueOrText,
  withClientToolsOnly,
  withSource,
} from '../wire/values.ts';

const format = 'sharegpt';
const places = { keys: ['conversations', 'conversation', 'items', 'messages'] };
const shape = { format, list: 'conversations', hasModel: false } as const;

export const shareGpt: Format = {
  name: format,
  title: 'ShareGPT training conversations, JSON or JSONL',
  detect: (records) => likelihood(records, { places, item: verdict, envelope: () => 'plain', plain: 0 }),
  reader: (report) =>
    gatheringReader(places, (gathered) => {
      const values = gathered.items.map(({ value }) => value);
      const sources = gathered.items.map(({ source }) => source);
      return conversation(gathered, values, { sources, report });
    }),
  write: (transcript) => {
    const [first, ...rest] = transcript.messages;
    const isField = hintsOf(first?.extra, format).field === 'system';
    const [entry] = first && isField ? toShareGpt([first], transcript.format) : [];
    const messages = isField ? rest : transcript.messages;
    const fields = {
      ...(transcript.id === undefined ? {} : { id: transcript.id }),
      ...(entry ? { system: entry.value ?? '' } : {}),
    };
    return bodyText(shape, transcript, { items: toShareGpt(messages, transcript.format), fields });
  },
};

/** `id` names the conversation, and `system` beside the list is its first message. */
function conversation(gathered: Gathered, values: readonly JsonValue[], context: ReadContext): Transcript {
  const { id: given, system, ...rest } = gathered.envelope;
  const id = asName(given);
  const text = asName(system);
  const envelope: JsonObject = {
    ...rest,
    ...(given !== undefined && id === undefined ? { id: given } : {}),
    ...(system !== undefined && text === undefined ? { system } : {}),
  };
  const messages = fromShareGpt(values, context);
  const lead: readonly Message[] = text === undefined ? [] : [leading(text, gathered)];
  const found = transcriptOf(shape, { ...gathered, envelope }, [...lead, ...messages]);
  return id === undefined ? found : { ...found, id };
}

const leading = (text: string, { source }: Gathered): Message => ({
  role: 'system',
  parts: [{ type: 'text', text }],
  ...extraOf(format, {}, { field: 'system' }),
  ...(source ? { source: [source] } : {}),
});

function verdict(value: JsonValue, list: string | undefined): Verdict {
  if (!isJsonObject(value)) return 'foreign';
  if (typeof value.from === 'string' && 'value' in value) return 'own';
  const isPlain = typeof value.role === 'string' && typeof value.content === 'string' && !('tool_calls' in value);
  return isPlain && list?.startsWith('conversation') ? 'own' : 'foreign';
}

// ShareGPT entries into messages.

type Speaker = Role | 'call';

const speakers: ReadonlyMap<string, Speaker> = new Map<string, Speaker>([
  ['system', 'system'],
  ...['human', 'user'].map((name) => [name, 'user'] as const),
  ...['gpt', 'assistant', 'chatgpt', 'bing', 'bard', 'claude', 'model', 'bot', 'ai'].map(
    (name) => [name, 'assistant'] as const,
  ),
  ...['function_call', 'tool_call'].map((name) => [name, 'call'] as const),
  ...['observation', 'tool', 'function', 'function_response', 'tool_response', 'ipython'].map(
    (name) => [name, 'tool'] as const,
  ),
]);

/** What the writer calls each speaker when no hint says otherwise. */
export const usualNames: Readonly<Record<Speaker, string>> = {
  system: 'system',
  user: 'human',
  assistant: 'gpt',
  call: 'function_call',
  tool: 'observation',
};

/**
 * Reads a list of entries. The format has no call ids: a call gets one from its place, and an observation answers the
 * oldest call that is open. An observation without a call is the host's message. Unknown speakers are reported and kept.
 */
export function fromShareGpt(list: readonly JsonValue[], { sources, report }: ReadContext = {}): readonly Message[] {
  const open: ToolCallPart[] = [];
  return list.flatMap((value, index) => {
    const source = sources?.[index];
    const entry = isJsonObject(value) ? entryOf(value) : undefined;
    if (!entry) {
      report?.(notAMessage(value, source, 'an entry with from and value'));
      return [];
    }
    const speaker = speakers.get(entry.name.toLowerCase());
    if (!speaker) {
      const message = `expected a known speaker (human, gpt, …), found ${JSON.stringify(entry.name.slice(0, 40))}: kept as the host's`;
      report?.({ level: 'note', line: source?.line ?? 0, message });
    }
    if (speaker !== 'tool' && speaker !== 'call') open.length = 0;
    const message = messageOf(entry, speaker, { open, index });
    if (speaker === 'call' && !message.parts.some((part) => part.type === 'toolCall')) {
      const text = 'expected a call as {"name", "arguments"}, found something else: kept as text';
      report?.({ level: 'repaired', line: source?.line ?? 0, message: text });
    }
    return [withSource(message, source)];
  });
}

interface Entry {
  readonly name: string;
  readonly value: JsonValue | undefined;
  readonly fields: JsonObject;
  /** Set for the `{role, content}` way of writing. */
  readonly keys?: 'role';
}

function entryOf(object: JsonObject): Entry | undefined {
  if (typeof object.from === 'string') {
    const { from: name, value, ...fields } = object;
    return { name: object.from, value, fields };
  }
  if (typeof object.role !== 'string') return undefined;
  const { role: name, content, ...fields } = object;
  return { name: object.role, value: content, fields, keys: 'role' };
}

interface Place {
  readonly open: ToolCallPart[];
  readonly index: number;
}

function messageOf(
  { name, value, fields, keys }: Entry,
  speaker: Speaker | undefined,
  { open, index }: Place,
): Message {
  const hints = { keys, from: speaker && usualNames[speaker] === name ? undefined : name };
  const extra = (more: JsonObject = {}): Partial<Message> => extraOf(format, fields, { ...hints, ...more });
  const parts = value === undefined || value === '' ? [] : [partOf(value)];
  const shape: JsonObject = value === undefined ? { value: 'absent' } : {};
  if (speaker === 'call') {
    const calls = typeof value === 'string' ? callsIn(value, index) : undefined;
    if (!calls) return { role: 'assistant', parts, ...extra({ ...shape, from: name }) };
    open.push(...calls);
    const isSame = callsText(calls) === value;
    return {
      role: 'assistant',
      parts: calls,
      ...extra(isSame || value === undefined ? {} : { value, calls: callsText(calls) }),
    };
  }
  if (speaker === 'tool') {
    const call = open.shift();
    if (!call) return { role: 'user', parts, origin: 'host', ...extra({ ...shape, from: name }) };
    const content = parts.filter((part) => part.type === 'text' || part.type === 'other');
    return {
      role: 'tool',
      parts: [{ type: 'toolResult', callId: call.callId, name: call.name, content }],
      ...extra(shape),
    };
  }
  if (!speaker) return { role: 'user', parts, origin: 'host', ...extra(shape) };
  return { role: speaker, parts, ...extra(shape) };
}

const partOf = (value: JsonValue): TextPart | OtherPart =>
  typeof value === 'string' ? { type: 'text', text: value } : { type: 'other', value, ...ownExtra(format, {}) };

/** The calls of a `function_call` entry: one `{"name", "arguments"}` or a list of them; undefined for anything else. */
function callsIn(text: string, index: number): readonly ToolCallPart[] | undefined {
  const value = parseJson(text);
  const list = isList(value) ? value : [value];
  const calls: ToolCallPart[] = [];
  for (const [number, call] of list.entries()) {
    if (!isJsonObject(call)) return undefined;
    const name = asText(call.name);
    const input = call.arguments ?? call.parameters;
    if (name === undefined || input === undefined) return undefined;
    const callId = list.length > 1 ? `call_${index}_${number}` : `call_${index}`;
    calls.push({ type: 'toolCall', callId, name, input: asText(input) ?? JSON.stringify(input), inputType: 'json' });
  }
  return calls.length > 0 ? calls : undefined;
}

/** The text of a `function_call` entry. */
export function callsText(calls: readonly Part[]): string {
  const values = calls.flatMap((call) => {
    if (call.type !== 'toolCall') return [];
    const input = call.inputType === 'text' ? { input: call.input } : valueOrText(call.input);
    return [{ name: call.name, arguments: input }];
  });
  return JSON.stringify(values.length === 1 ? values[0] : values);
}

// Messages into ShareGPT entries.

/**
 * Entries of a list. The format holds text: attachments become short marks, reasoning and ids are left out, calls become
 * `function_call` and results `observation` entries.
 */
export function toShareGpt(messages: readonly Message[], from: FormatName = format): readonly JsonObject[] {
  return messages.flatMap((message) => {
    if (originFormat(message, from) === format) return writeOwn(message);
    return withClientToolsOnly(message).flatMap(writeForeign);
  });
}

function writeOwn(message: Message): readonly JsonObject[] {
  const hints = hintsOf(message.extra, format);
  const fields = fieldsOf(message.extra, format);
  const [first, ...more] = message.parts;
  const calls = message.parts.filter((part) => part.type === 'toolCall');
  // What was added to a message by hand may be more than one entry can say.
  if (more.length > 0 && calls.length !== message.parts.length) return writeForeign(message);
  const speaker = calls.length > 0 ? 'call' : message.role;
  const name = typeof hints.from === 'string' ? hints.from : usualNames[speaker];
  const text = calls.length > 0 ? callsText(calls) : undefined;
  const value = text === undefined ? ownValue(first, hints.value) : hints.calls === text ? hints.value : text;
  const [nameKey, valueKey] = hints.keys === 'role' ? ['role', 'content'] : ['from', 'value'];
  return [{ [nameKey]: name, ...(value === undefined ? {} : { [valueKey]: value }), ...fields }];
}

function ownValue(part: Part | undefined, shape: JsonValue | undefined): JsonValue | undefined {
  if (part === undefined) return shape === 'absent' ? undefined : '';
  if (part.type === 'other') return part.value;
  if (part.type !== 'toolResult') return textOf(part);
  const [content] = part.content;
  if (content === undefined && shape === 'absent') return undefined;
  return part.content.length === 1 && content?.type === 'other' ? content.value : resultText(part);
}

function writeForeign(message: Message): readonly JsonObject[] {
  const calls = message.parts.filter((part) => part.type === 'toolCall');
  const results = message.parts.filter((part) => part.type === 'toolResult');
  const text = message.parts
    .map(textOf)
    .filter((piece) => !isBlank(piece))
    .join('\n\n');
  const role = message.role === 'tool' ? 'user' : message.role;
  return [
    ...results.map((part) => ({ from: usualNames.tool, value: resultText(part) })),
    ...(isBlank(text) ? [] : [{ from: usualNames[role], value: text }]),
    ...(calls.length > 0 ? [{ from: usualNames.call, value: callsText(calls) }] : []),
  ];
}

function textOf(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
    case 'file':
      return attachmentMark(part);
    case 'reasoning':
    case 'toolCall':
    case 'toolResult':
    case 'other':
      return '';
  }
}
