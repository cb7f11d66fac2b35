/**
 * The prompt of a call as our messages, and messages as a prompt. What came from a prompt goes back as the very object that it
 * was: bytes, addresses, signatures and options of providers are never written anew.
 */
import { isJsonObject, type JsonValue, parseJson } from '../shared/json.ts';
import type { Message, Part } from '../transcript/message.ts';
import { messageText } from '../transcript/text.ts';
import { fromAiSdk, toAiSdk } from '../transcript/wire/ai-sdk/messages.ts';
import type { Content, GivenMessage, GivenMessages, Prompt, PromptMessage, StreamPart } from './interface.ts';

/** Where a message, or a part of one, came from. */
const messageOrigins = new WeakMap<Message, object>();
const partOrigins = new WeakMap<Part, unknown>();

/** The messages of a prompt, one each. */
export function messagesOf(prompt: GivenMessages): readonly Message[] {
  return prompt.map((given) => readBefore(given) ?? read(given));
}

/**
 * Messages by an object inside of them. The SDK makes new messages for every step, but what tools took and gave stays the same
 * object in them; reading a long list anew in every step is what a step would cost.
 */
const readOnes = new WeakMap<object, { readonly given: GivenMessage; readonly message: Message }>();

function readBefore(given: GivenMessage): Message | undefined {
  const key = keyOf(given);
  const known = key && readOnes.get(key);
  if (!known || !isSameGiven(known.given, given)) return undefined;
  messageOrigins.set(known.message, given);
  return known.message;
}

function read(given: GivenMessage): Message {
  const content: unknown = given.content;
  const sent = Array.isArray(content) && content.some(isUnsent) ? content.filter((part) => !isUnsent(part)) : content;
  const told = Array.isArray(sent) && sent.some(isDenial) ? sent.map(denial) : sent;
  const [message = unreadable(given)] = fromAiSdk([told === content ? given : { ...given, content: told }]);
  messageOrigins.set(message, given);
  if (Array.isArray(sent) && sent.length === message.parts.length) {
    for (const [at, part] of message.parts.entries()) partOrigins.set(part, sent[at]);
  }
  const key = keyOf(given);
  if (key) readOnes.set(key, { given, message });
  return message;
}

/** A result that says that a person did not let the tool run. */
const isDenial = (part: PartFields): boolean =>
  part.type === 'tool-result' && Reflect.get(Object(part.output), 'type') === 'execution-denied';

/** Without a reason it gets the words that the SDK has for it once the turn is over, so that the message stays the same. */
function denial(part: PartFields): PartFields {
  if (!isDenial(part)) return part;
  const output = { reason: undefined, ...Object(part.output) };
  return { ...part, output: { ...output, reason: output.reason ?? 'Tool call execution denied.' } };
}

/** The arguments of its first call, or the first result. */
function keyOf({ content }: GivenMessage): object | undefined {
  if (!Array.isArray(content)) return undefined;
  for (const part of content) {
    const inside: unknown =
      part.type === 'tool-call' ? part.input : part.type === 'tool-result' ? part.output : undefined;
    if (typeof inside === 'object' && inside !== null) return inside;
  }
  return undefined;
}

/** What a part may hold, of whatever type; read one by one, which is much faster than by their names. */
interface PartFields {
  readonly [field: string]: unknown;
}

/** Equal but for the objects around what is the same. What is sent is the newest one in any case. */
function isSameGiven(a: GivenMessage, b: GivenMessage): boolean {
  if (a.role !== b.role || a.providerOptions !== b.providerOptions) return false;
  const [one, other]: readonly unknown[] = [a.content, b.content];
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (!isSamePart(one[at], other[at])) return false;
  return true;
}

const isSamePart = (a: PartFields, b: PartFields): boolean =>
  a === b ||
  (a.type === b.type &&
    a.text === b.text &&
    a.toolCallId === b.toolCallId &&
    a.toolName === b.toolName &&
    a.input === b.input &&
    a.output === b.output &&
    a.providerExecuted === b.providerExecuted &&
    a.providerOptions === b.providerOptions &&
    a.kind === b.kind &&
    a.data === b.data &&
    a.mediaType === b.mediaType &&
    a.filename === b.filename &&
    a.approvalId === b.approvalId &&
    a.approved === b.approved &&
    a.reason === b.reason);

/** The messages as a prompt of the kind they came from, one each. */
export function promptOf(messages: readonly Message[]): Prompt {
  return messages.map((message) => asMessage(messageOrigins.get(message) ?? written(message)));
}

/** A message of ours, or one that was changed: parts that came from a prompt stay what they were. */
function written(message: Message): object {
  const [whole = {}] = toAiSdk([message]);
  const { content: _, ...fields } = whole;
  if (message.role === 'system') return { ...fields, content: messageText(message) };
  return asMessage({
    ...fields,
    content: message.parts.flatMap((part) => partOrigins.get(part) ?? newParts(message, part)),
  });
}

function newParts(message: Message, part: Part): readonly unknown[] {
  const { extra: _, ...plain } = message;
  const [alone] = toAiSdk([{ ...plain, parts: [part] }]);
  const content = alone?.content;
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.map((one: JsonValue) => revived(one)) : [];
}

/** Addresses are objects in memory, and texts where they were kept. */
function revived(value: JsonValue): unknown {
  if (!isJsonObject(value)) return value;
  const { data, output } = value;
  if (isJsonObject(data) && data.type === 'url' && typeof data.url === 'string' && URL.canParse(data.url)) {
    return { ...value, data: { ...data, url: new URL(data.url) } };
  }
  // The form of older versions.
  if (value.type === 'file' && typeof data === 'string' && /^https?:/.test(data) && URL.canParse(data)) {
    return { ...value, data: new URL(data) };
  }
  if (!isJsonObject(output) || output.type !== 'content' || !Array.isArray(output.value)) return value;
  return { ...value, output: { ...output, value: output.value.map((one: JsonValue) => revived(one)) } };
}

/** A role that we do not know: it stands where it stood, and says nothing to us. */
const unreadable = (value: unknown): Message => ({
  role: 'user',
  origin: 'host',
  parts: [{ type: 'other', value: JSON.stringify(value) ?? '' }],
});

// What came from a prompt is one of its messages, and the writer of the format writes nothing else.
const asMessage = (value: unknown): PromptMessage => value as PromptMessage;

// What a model said, as the message that its client will send again.

/** The content of an answer as a message. */
export function replyOf(content: readonly Content[]): Message {
  const parts = content.filter((part) => !isUnsent(part)).flatMap(promptPart);
  const [reply] = fromAiSdk([{ role: 'assistant', content: parts }]);
  return reply ?? { role: 'assistant', parts: [] };
}

/** A piece of an answer as it stands in a prompt; sources and requests for approval stand in none. */
function promptPart(part: Content): readonly unknown[] {
  const { providerMetadata: providerOptions, ...rest } = part;
  switch (rest.type) {
    case 'text':
      return rest.text === '' ? [] : [{ type: 'text', text: rest.text, providerOptions }];
    case 'tool-call': {
      const { dynamic: _, input, ...call } = rest;
      return [{ ...call, input: input.trim() === '' ? {} : (parseJson(input) ?? input), providerOptions }];
    }
    case 'tool-result': {
      const { result, isError, preliminary, dynamic: _, ...fields } = rest;
      // The whole one comes after it, and takes its place.
      if (preliminary) return [];
      return [{ ...fields, output: { type: isError ? 'error-json' : 'json', value: result }, providerOptions }];
    }
    case 'source':
    case 'tool-approval-request':
      return [];
    default:
      return [{ ...rest, providerOptions }];
  }
}

/** Gathers the parts of a stream into the content of an answer. */
export interface ReplyGatherer {
  add(part: StreamPart): void;
  reply(): Message;
  /** The same with tool calls whose arguments are not complete. */
  brokenOff(): Message;
}

interface OpenText {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerMetadata: Content['providerMetadata'];
}

type Call = Extract<Content, { type: 'tool-call' }>;

export function gatherReply(): ReplyGatherer {
  const content: (Content | OpenText)[] = [];
  const open = new Map<string, OpenText>();
  const calls = new Map<string, Call>();
  const textFor = (type: OpenText['type'], id: string): OpenText => {
    const key = `${type} ${id}`;
    const found = open.get(key) ?? { type, text: '', providerMetadata: undefined };
    if (!open.has(key)) content.push(found);
    open.set(key, found);
    return found;
  };
  return {
    add(part) {
      switch (part.type) {
        case 'text-start':
        case 'text-delta':
        case 'text-end':
          return addTo(textFor('text', part.id), part);
        case 'reasoning-start':
        case 'reasoning-delta':
        case 'reasoning-end':
          return addTo(textFor('reasoning', part.id), part);
        case 'tool-input-start':
          calls.set(part.id, { type: 'tool-call', toolCallId: part.id, toolName: part.toolName, input: '' });
          return;
        case 'tool-input-delta': {
          const call = calls.get(part.id);
          if (call) calls.set(part.id, { ...call, input: call.input + part.delta });
          return;
        }
        case 'tool-call':
          calls.delete(part.toolCallId);
          content.push(part);
          return;
        case 'tool-result':
        case 'file':
        case 'reasoning-file':
        case 'custom':
          content.push(part);
          return;
        default:
          return;
      }
    },
    reply: () => replyOf(content.map(closed)),
    brokenOff: () => replyOf([...content.map(closed), ...calls.values()]),
  };
}

/** The newest word of a provider about a text counts, as the SDK has it. */
function addTo(
  text: OpenText,
  part: { readonly delta?: string; readonly providerMetadata?: Content['providerMetadata'] },
): void {
  text.text += part.delta ?? '';
  text.providerMetadata = part.providerMetadata ?? text.providerMetadata;
}

function closed(part: Content | OpenText): Content {
  const { providerMetadata, ...rest } = part;
  if (rest.type !== 'text' && rest.type !== 'reasoning') return part as Content; // only texts are ever open
  return { type: rest.type, text: rest.text, ...(providerMetadata ? { providerMetadata } : {}) };
}

// Parts that a provider of the SDK gives out, and takes back without sending them: they take no room, and say nothing.

/** Kinds of `custom` parts. Anthropic's opens every streamed answer with what its stream began with. */
const kinds: ReadonlySet<unknown> = new Set(['anthropic.message_start']);

/** True for a part that never reaches a model. */
export const isUnsent = (part: unknown): boolean =>
  typeof part === 'object' &&
  part !== null &&
  'kind' in part &&
  'type' in part &&
  part.type === 'custom' &&
  kinds.has(part.kind);

/** The place in a content of the part that is the nth of those that are sent. */
export function placeOfSent(content: readonly unknown[], nth: number): number {
  let count = -1;
  return content.findIndex((part) => !isUnsent(part) && ++count === nth);
}
