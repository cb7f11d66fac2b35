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
