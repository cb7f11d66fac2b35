/** What makes two messages the same message: their content, not where they stood or when they were said. */
import { contentHash } from '../shared/hash.ts';
import type { Message } from './message.ts';

const known = new WeakMap<Message, string>();

/** The content hash of a message: role, name and parts with every field; equal content gives an equal id. */
export function messageHash(message: Message): string {
  const found = known.get(message);
  if (found !== undefined) return found;
  const hash = contentHash(`${message.role}\n${message.name ?? ''}\n${JSON.stringify(message.parts)}`);
  known.set(message, hash);
  return hash;
}

/** True for messages of equal content, which is looked at field by field: a hash alone is no proof. */
export const isSameMessage = (a: Message, b: Message): boolean =>
  a === b || (a.role === b.role && a.name === b.name && isSameValue(a.parts, b.parts));

/** Loops, not closures: whole transcripts are compared with every request. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) return Array.isArray(a) && Array.isArray(b) && isSameList(a, b);
  // Every object has fields, of whatever names.
  return isSameFields(a as Fields, b as Fields);
}

type Fields = Readonly<Record<string, unknown>>;

function isSameFields(a: Fields, b: Fields): boolean {
  let fields = 0;
  for (const key in a) {
    const value = a[key];
    if (value !== undefined) fields++;
    if (!isSameValue(value, b[key])) return false;
  }
  // A field that is undefined is none: no file and no request can tell them apart.
  for (const key in b) if (b[key] !== undefined) fields--;
  return fields === 0;
}

function isSameList(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!isSameValue(a[at], b[at])) return false;
  return true;
}
