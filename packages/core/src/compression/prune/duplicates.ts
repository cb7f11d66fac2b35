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
  // Nearly all results are told apart by their length and their end, without a look at the whole text.
  const byShape = Map.groupBy(newestFirst(messages, minChars), shapeOf);
  for (const alike of byShape.values()) {
    if (alike.length === 1) continue;
    // The text itself is the key: two texts with one hash must not become one.
    const newestOf = new Map<string, number>();
    for (const { part, text, at } of alike) {
      const newest = newestOf.get(text);
      if (newest === undefined) newestOf.set(text, at);
      else copies.set(part, { at, newest });
    }
  }
  return copies;
}

/** A failure is no copy of a success with the same words. */
const shapeOf = ({ part, text }: Candidate): string => `${part.isError ?? ''} ${text.length} ${text.slice(-40)}`;

interface Candidate {
  readonly part: ToolResultPart;
  readonly text: string;
  readonly at: number;
}

function newestFirst(messages: readonly Message[], minChars: number): readonly Candidate[] {
  const found: Candidate[] = [];
  for (const [at, { parts }] of messages.entries()) {
    for (const part of parts) {
      if (part.type !== 'toolResult' || part.server) continue;
      const text = plainText(part);
      if (text !== undefined && text.length >= minChars && !hasStub(part)) found.push({ part, text, at });
    }
  }
  return found.reverse();
}

function plainText(part: ToolResultPart): string | undefined {
  const [only, ...more] = part.content;
  return more.length === 0 && only?.type === 'text' ? only.text : undefined;
}
