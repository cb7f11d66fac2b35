/**
 * What was said in a list of messages, as a key that is the same for the messages of a program and for the prompt that the SDK
 * makes of them. The SDK joins the results of tools, leaves out empty texts and what a person allowed, and fetches files.
 */
import { contentHash } from '../shared/hash.ts';
import type { GivenMessage, GivenMessages } from './interface.ts';

/** Messages as somebody gave them. */
export interface SaidList {
  readonly messages: GivenMessages;
  /**
   * For each of them an object that stands for what it says, and is the same in the next step: reading a long list anew in every
   * step is what a step would cost. @default the messages themselves
   */
  readonly same?: readonly object[];
}

/** The key after all messages of a list, or the first `end` of them; system prompts make no difference. */
export function saidKey({ messages, same = messages }: SaidList, end: number = messages.length): string {
  let key = '';
  for (let at = 0; at < end; at++) {
    const message = messages[at];
    if (message && message.role !== 'system') key = keyAfter(key, message, same[at] ?? message);
  }
  return key;
}

/** The key that a message led to. */
const led = new WeakMap<object, { readonly from: string; readonly to: string }>();

function keyAfter(from: string, message: GivenMessage, same: object): string {
  const known = led.get(same);
  if (known?.from === from) return known.to;
  let to = from;
  for (const piece of piecesOf(message)) to = contentHash(to + piece);
  led.set(same, { from, to });
  return to;
}

/** Results stand alone, in whatever messages they came. */
function piecesOf({ role, content }: GivenMessage): readonly string[] {
  const parts: readonly unknown[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const said = parts.map(pieceOf).filter((piece) => piece !== '');
  return role === 'tool' ? said : [`${role}${said.join('')}`];
}

/** The fields of any part, and of what stands in a result. */
interface Fields {
  readonly type?: unknown;
  readonly text?: unknown;
  readonly value?: unknown;
  readonly [field: string]: unknown;
}

function pieceOf(part: unknown): string {
  // A part of any kind is an object of the SDK.
  const { type, ...fields } = part as Fields;
  switch (type) {
    case 'text':
      return fields.text === '' ? '' : field('t', fields.text);
    case 'tool-call':
      return field('c', fields.toolCallId) + field('n', fields.toolName) + field('i', once(fields.input));
    case 'tool-result':
      return field('r', fields.toolCallId) + field('o', outputOf(fields.output));
    case 'file':
    case 'image':
      return 'f';
    default:
      return '';
  }
}

/** Of a list of contents the texts; the SDK writes files anew. */
function outputOf(output: unknown): string {
  const { type, value } = (output ?? {}) as Fields;
  if (type !== 'content' || !Array.isArray(value)) return once(output);
  return value.map((one: Fields) => (one.type === 'text' ? field('t', one.text) : 'f')).join('');
}

const hashes = new WeakMap<object, string>();

/** The hash of a value; arguments and results stay the same objects from step to step. */
function once(value: unknown): string {
  if (typeof value !== 'object' || value === null) return contentHash(jsonOf(value));
  const hash = hashes.get(value) ?? contentHash(jsonOf(value));
  hashes.set(value, hash);
  return hash;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // A program may have put anything into it; nobody can tell two of them apart.
    return 'unreadable';
  }
}

/** Its length goes first, so that no two lists run into the same text. */
function field(name: string, value: unknown): string {
  const text = String(value);
  return `${name}${text.length}:${text}`;
}
