/** Finds tool results that came more than once. */
import type { Message, ToolResultPart } from '../../transcript/message.ts';
import { hasStub } from './stub.ts';

/** An older copy: where it stands, and where the newest one does. */
export interface Copy {
  readonly at: number;
  readonly newest: number;
}

/** Every result of at least `minChars` whose very same text came again later. Only results of plain text count. */
export function olderCopies(messages: readonly Message[], minChars: number): ReadonlyMap<ToolResultPart, Copy> {
  const copies = new Map<ToolResultPart, Copy>();
  // The text itself is the key: two texts with one hash must not become one. A failure is no copy of a success.
  const byError = new Map<boolean | undefined, Map<string, number>>();
  for (let at = messages.length - 1; at >= 0; at--) {
    for (const part of messages[at]?.parts.toReversed() ?? []) {
      if (part.type !== 'toolResult' || part.server) continue;
      const text = plainText(part);
      if (text === undefined || text.length < minChars || hasStub(part)) continue;
      const newestOf = byError.get(part.isError) ?? new Map<string, number>();
      byError.set(part.isError, newestOf);
      const newest = newestOf.get(text);
      if (newest === undefined) newestOf.set(text, at);
      else copies.set(part, { at, newest });
    }
  }
  return copies;
}

function plainText(part: ToolResultPart): string | undefined {
  const [only, ...more] = part.content;
  return more.length === 0 && only?.type === 'text' ? only.text : undefined;
}
