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

function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((one, i) => isSameValue(one, b[i]));
  }
  // A field that is undefined is none: no file and no request can tell them apart.
  return (
    Object.keys(a).every((key) => isSameValue(Reflect.get(a, key), Reflect.get(b, key))) &&
    Object.keys(b).every((key) => key in a || Reflect.get(b, key) === undefined)
  );
}
