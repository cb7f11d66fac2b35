/** How every adapter writes a message down, and the id that follows from it. */
import { hash } from 'node:crypto';
import type { Message, Part } from '../transcript/message.ts';
import type { MessageId } from './ids.ts';
import { badMessage, requireMessage } from './require-message.ts';

/** A message as it is stored. */
export interface MessageBody {
  /** JSON without the place in a file. Fields of the model stand in alphabetical order, those of a format as they came. */
  readonly text: string;
  /** SHA-256 of the text. */
  readonly hash: Uint8Array;
  /** The ids that it may get, best first: another content may have taken the first one. */
  readonly ids: readonly MessageId[];
}

const idDigits = 16;
const idStarts: readonly number[] = [0, 16, 32, 48];

/** Writes a message down. Throws `BAD_MESSAGES` for what is none; `at` is its place in what the caller handed in. */
export function messageBody(message: Message, at: number): MessageBody {
  requireMessage(message, at);
  const { source: _, ...content } = message;
  // JSON escapes NUL and lone surrogates, which text columns cannot hold.
  const text = jsonOf({ ...inOrder(content), parts: message.parts.map(partInOrder) }, at);
  return { text, ...contentIds(text) };
}

/** Hash and ids of a text: ids are cut from the digits of its SHA-256, one behind the other. */
export function contentIds(text: string | Uint8Array): { hash: Uint8Array; ids: readonly string[] } {
  const bytes = hash('sha256', text, 'buffer');
  const digits = bytes.toString('hex');
  return { hash: bytes, ids: idStarts.map((start) => digits.slice(start, start + idDigits)) };
}

/** JSON of a message. What is no JSON, or lists within lists thousands deep, is refused. */
function jsonOf(value: object, at: number): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw badMessage(at, 'values that JSON can hold, nested some hundred levels deep at most', cause);
  }
}

function partInOrder(part: Part): object {
  const ordered = inOrder(part);
  return part.type === 'toolResult' ? { ...ordered, content: part.content.map(inOrder) } : ordered;
}

/** The same fields, sorted by name, so that the same message is the same text whoever built it. */
function inOrder(value: object): object {
  const keys = Object.keys(value);
  if (isSorted(keys)) return value;
  return Object.fromEntries(keys.sort().map((key) => [key, Reflect.get(value, key)]));
}

function isSorted(keys: readonly string[]): boolean {
  for (let i = 1; i < keys.length; i++) if ((keys[i - 1] ?? '') > (keys[i] ?? '')) return false;
  return true;
}
