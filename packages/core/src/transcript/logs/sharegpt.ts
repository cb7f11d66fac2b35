/** ShareGPT: training conversations of `{from, value}` (or `{role, content}`) under `conversations`. */

import { defined } from '../../shared/defined.ts';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Format } from '../format.ts';
import type { FormatName, Message, OtherPart, Part, Role, TextPart, ToolCallPart } from '../message.ts';
import { resultText, toolCalls, toolResults } from '../text.ts';
import { leadingField, listFormat, type ReadContext, readEach, splitLead } from '../wire/bodies.ts';
import { attachmentMark, keeping, valueOrText } from '../wire/parts.ts';
import { withClientToolsOnly } from '../wire/turns.ts';
import { asName, asObject, asText, type Hints, is, json } from '../wire/values.ts';

const format = 'sharegpt';
const { extraOf, other, fieldsOf, hintsOf, isOwn } = keeping(format);

export const shareGpt: Format = listFormat({
  name: format,
  title: 'ShareGPT training conversations, JSON or JSONL',
  keys: ['conversations', 'conversation', 'items', 'messages'],
  hasModel: false,
  item: (value, list) => {
    const entry = asObject(value);
    if (is.text(entry.from) && 'value' in entry) return 'own';
    const isPlain = is.text(entry.role) && is.text(entry.content) && !('tool_calls' in entry);
    return isPlain && list?.startsWith('conversation') ? 'own' : 'foreign';
  },
  plain: 0,
  // `system` beside the list is its first message, and `id` names the conversation.
  lead: leadingField(format, 'system'),
  read: fromShareGpt,
  finish: (transcript) => {
    const { id: given, ...fields } = fieldsOf(transcript);
    const id = asName(given);
    if (id === undefined) return transcript;
    const { extra: _, ...found } = transcript;
    return { ...found, ...extraOf(fields, hintsOf(transcript)), id };
  },
  write: ({ id, messages, format: from }) => {
    const { lead, rest } = splitLead(format, 'system', messages);
    const [entry] = toShareGpt(lead, from);
    const system = entry && (entry.value ?? '');
    return { items: toShareGpt(rest, from), fields: json({ id, system }) };
  },
});

// Reading.

/** Who speaks in an entry: a role, or a model that only calls. */
export type ShareGptSpeaker = Role | 'call';

const speakers: ReadonlyMap<string, ShareGptSpeaker> = new Map(
  Object.entries({
    system: ['system'],
    user: ['human', 'user'],
    assistant: ['gpt', 'assistant', 'chatgpt', 'bing', 'bard', 'claude', 'model', 'bot', 'ai'],
    call: ['function_call', 'tool_call'],
    tool: ['observation', 'tool', 'function', 'function_response', 'tool_response', 'ipython'],
    // The keys are the speakers.
  }).flatMap(([speaker, names]) => names.map((name) => [name, speaker as ShareGptSpeaker])),
);

/** Who speaks under a name, in any case; undefined for a name that nobody knows. */
export const shareGptSpeaker = (name: string): ShareGptSpeaker | undefined => speakers.get(name.toLowerCase());

/** What the writer calls each speaker when no hint says otherwise. */
const usualNames: Readonly<Record<ShareGptSpeaker, string>> = {
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
export function fromShareGpt(list: readonly JsonValue[], context: ReadContext = {}): readonly Message[] {
  const open: ToolCallPart[] = [];
  return readEach(list, context, {
    expected: 'an entry with from and value',
    read: (given, index) => {
      const entry = entryOf(asObject(given));
      if (!entry) return undefined;
      const note = (level: 'note' | 'repaired', message: string): void =>
        context.report?.({ level, line: context.sources?.[index]?.line ?? 0, message });
      const speaker = shareGptSpeaker(entry.name);
      if (!speaker) {
        const name = JSON.stringify(entry.name.slice(0, 40));
        note('note', `expected a known speaker (human, gpt, …), found ${name}: kept as the host's`);
      }
      if (speaker !== 'tool' && speaker !== 'call') open.length = 0;
      const message = speaker === 'call' ? readCalls(entry, index) : readSaid(entry, speaker, open.shift());
      const calls = toolCalls(message);
      if (speaker === 'call' && calls.length === 0) {
        note('repaired', 'expected a call as {"name", "arguments"}, found something else: kept as text');
      }
      open.push(...calls);
      return message;
    },
  });
}

interface Entry {
  readonly name: string;
  readonly value: JsonValue | undefined;
  readonly fields: JsonObject;
  /** Set for the `{role, content}` way of writing. */
  readonly keys?: 'role';
}

function entryOf({ from, value, ...fields }: JsonObject): Entry | undefined {
  if (is.text(from)) return { name: from, value, fields };
  const { role: name, content, ...rest } = fields;
  if (!is.text(name)) return undefined;
  return { name, value: content, fields: value === undefined ? rest : { ...rest, value }, keys: 'role' };
}

const partsOf = (value: JsonValue | undefined): readonly (TextPart | OtherPart)[] => {
  if (value === undefined || value === '') return [];
  return [is.text(value) ? { type: 'text', text: value } : other(value)];
};

/** The hints of an entry: the name, where it is not the usual one of the speaker. */
const aboutOf = (
  { name, value, fields, keys }: Entry,
  speaker: ShareGptSpeaker | undefined,
  more: Hints = {},
): Partial<Message> => {
  const from = speaker && usualNames[speaker] === name ? undefined : name;
  return extraOf(fields, { keys, from, value: value === undefined ? 'absent' : undefined, ...more });
};

function readCalls(entry: Entry, index: number): Message {
  const { value, name } = entry;
  const calls = is.text(value) ? callsIn(value, index) : undefined;
  if (!calls) return { role: 'assistant', parts: partsOf(value), ...aboutOf(entry, 'call', { from: name }) };
  const text = callsText(calls);
  return { role: 'assistant', parts: calls, ...aboutOf(entry, 'call', text === value ? {} : { value, calls: text }) };
}

function readSaid(entry: Entry, speaker: Role | undefined, call: ToolCallPart | undefined): Message {
  const content = partsOf(entry.value);
  if (speaker !== 'tool') {
    const origin = speaker ? undefined : 'host';
    return defined({ role: speaker ?? 'user', parts: content, origin, ...aboutOf(entry, speaker) });
  }
  if (!call) return { role: 'user', parts: content, origin: 'host', ...aboutOf(entry, 'tool', { from: entry.name }) };
  const { callId, name } = call;
  return { role: 'tool', parts: [{ type: 'toolResult', callId, name, content }], ...aboutOf(entry, 'tool') };
}

/** The calls of a `function_call` entry: one `{"name", "arguments"}` or a list of them; undefined for anything else. */
function callsIn(text: string, index: number): readonly ToolCallPart[] | undefined {
  const value = parseJson(text);
  const list = is.list(value) ? value : [value];
  const calls = list.flatMap((one, number): ToolCallPart[] => {
    const call = isJsonObject(one) ? one : {};
    const name = asText(call.name);
    const input = call.arguments ?? call.parameters;
    if (name === undefined || input === undefined) return [];
    const callId = list.length > 1 ? `call_${index}_${number}` : `call_${index}`;
    return [{ type: 'toolCall', callId, name, input: asText(input) ?? JSON.stringify(input), inputType: 'json' }];
  });
  return calls.length > 0 && calls.length === list.length ? calls : undefined;
}

/** The text of a `function_call` entry. */
function callsText(calls: readonly ToolCallPart[]): string {
  const values = calls.map(({ name, input, inputType }) => ({
    name,
    arguments: inputType === 'text' ? { input } : valueOrText(input),
  }));
  return JSON.stringify(values.length === 1 ? values[0] : values);
}

// Writing.

/**
 * Entries of a list. The format holds text: attachments become short marks, reasoning and ids are left out, calls become
 * `function_call` and results `observation` entries.
 */
export function toShareGpt(messages: readonly Message[], from: FormatName = format): readonly JsonObject[] {
  return messages.flatMap((message) =>
    isOwn(message, from) ? writeOwn(message) : withClientToolsOnly(message).flatMap(writeForeign),
  );
}

function writeOwn(message: Message): readonly JsonObject[] {
  const hints = hintsOf(message);
  const [first, ...more] = message.parts;
  const calls = toolCalls(message);
  // What was added to a message by hand may be more than one entry can say.
  if (more.length > 0 && calls.length !== message.parts.length) return writeForeign(message);
  const text = calls.length > 0 ? callsText(calls) : undefined;
  const name = asText(hints.from) ?? usualNames[text === undefined ? message.role : 'call'];
  const value = text === undefined ? ownValue(first, hints.value) : hints.calls === text ? hints.value : text;
  const [nameKey, valueKey] = hints.keys === 'role' ? ['role', 'content'] : ['from', 'value'];
  return [{ ...json({ [nameKey]: name, [valueKey]: value }), ...fieldsOf(message) }];
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
  const calls = toolCalls(message);
  const texts = message.parts.map(textOf).filter((piece) => !is.blank(piece));
  const role = message.role === 'tool' ? 'user' : message.role;
  return [
    ...toolResults(message).map((part) => ({ from: usualNames.tool, value: resultText(part) })),
    ...(texts.length === 0 ? [] : [{ from: usualNames[role], value: texts.join('\n\n') }]),
    ...(calls.length > 0 ? [{ from: usualNames.call, value: callsText(calls) }] : []),
  ];
}

function textOf(part: Part): string {
  if (part.type === 'text') return part.text;
  return part.type === 'image' || part.type === 'file' ? attachmentMark(part) : '';
}
