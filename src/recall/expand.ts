/** Brings back the original of what a stub or a line of a summary stands for. */
import type { Ref } from '../compression/result.ts';
import type { Message } from '../transcript/message.ts';
import { indexesOf, refOf } from './refs.ts';

/** A message that was brought back. */
export interface Expanded {
  readonly ref: Ref;
  /** Index in the conversation. */
  readonly at: number;
  /** The very message that was read, with everything it carries. */
  readonly message: Message;
}

/**
 * The messages that refs name, in the order asked for: `m42`, `m40-m45`, `m3,m7`. The list is the conversation as it
 * was before the compression that wrote the refs. Throws `BAD_OPTION` for a text that is no ref and `ID_UNKNOWN` for
 * a message that does not exist.
 */
export function expand(messages: readonly Message[], refs: string): readonly Expanded[] {
  return indexesOf(refs, messages.length).flatMap((at) => {
    const message = messages[at];
    return message ? [{ ref: refOf(at), at, message }] : [];
  });
}
