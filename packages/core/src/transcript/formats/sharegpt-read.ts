/** ShareGPT entries into messages. */
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../shared/json.ts';
import type { Message, OtherPart, Part, Role, TextPart, ToolCallPart } from '../message.ts';
import { asText, isList } from './fields.ts';
import { notAMessage } from './gather.ts';
import { extraOf, ownExtra, type ReadContext, valueOrText, withSource } from './wire.ts';

const format = 'sharegpt';

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
