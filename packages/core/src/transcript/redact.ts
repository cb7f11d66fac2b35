/**
 * Messages without the credentials that stand in them, for everything that is written about a conversation: facts,
 * handoffs, stubs, prompts. The messages themselves are never changed, so `expand` still gives them byte for byte.
 */
import { redactJsonText, redactValue } from '../redaction/json.ts';
import { redact } from '../redaction/redact.ts';
import type { Message, Part, ResultContent } from './message.ts';

const messages = new WeakMap<Message, Message>();
const parts = new WeakMap<Part, Part>();

/**
 * The message with every recognised credential masked; the same object when there is none. Texts, reasoning, arguments
 * (JSON stays JSON) and results are covered; base64 data, signatures and what only the format knows (`extra`) stay.
 */
export function redactedMessage(message: Message): Message {
  const known = messages.get(message);
  if (known) return known;
  const clean = sameOr(message.parts, redactedPart);
  const redacted = clean === message.parts ? message : { ...message, parts: clean };
  messages.set(message, redacted);
  return redacted;
}

/** The same for one part. */
export function redactedPart<P extends Part>(part: P): P;
export function redactedPart(part: Part): Part {
  const known = parts.get(part);
  if (known) return known;
  const redacted = cleanPart(part);
  parts.set(part, redacted);
  return redacted;
}

function cleanPart(part: Part): Part {
  switch (part.type) {
    case 'text':
    case 'reasoning': {
      const text = redact(part.text);
      return text === part.text ? part : { ...part, text };
    }
    case 'toolCall': {
      const input = part.inputType === 'json' ? redactJsonText(part.input) : redact(part.input);
      return input === part.input ? part : { ...part, input };
    }
    case 'toolResult': {
      const content = sameOr(part.content, (one: ResultContent) => redactedPart(one));
      return content === part.content ? part : { ...part, content };
    }
    case 'image':
    case 'file':
      return cleanAttachment(part);
    case 'other': {
      const value = redactValue(part.value);
      return value === part.value ? part : { ...part, value };
    }
  }
}

type Attachment = Extract<Part, { type: 'image' | 'file' }>;

/** Addresses may be signed, and names and texts may hold anything; the bytes are left alone. */
function cleanAttachment(part: Attachment): Attachment {
  const fields: { url?: string; text?: string; name?: string } = {};
  if (part.url !== undefined && !part.url.startsWith('data:')) fields.url = redact(part.url);
  if (part.type === 'file' && part.text !== undefined) fields.text = redact(part.text);
  if (part.type === 'file' && part.name !== undefined) fields.name = redact(part.name);
  const isSame = Object.entries(fields).every(([key, value]) => Reflect.get(part, key) === value);
  return isSame ? part : { ...part, ...fields };
}

/** The list with each element changed; the same list when none is. */
function sameOr<T>(list: readonly T[], change: (one: T) => T): readonly T[] {
  let changed = false;
  const next = list.map((one) => {
    const other = change(one);
    if (other !== one) changed = true;
    return other;
  });
  return changed ? next : list;
}
