/** Brings back the original of what a stub or a line of a summary stands for. */

import { numbersOf } from '../compression/numbering.ts';
import { nowhere } from '../compression/record.ts';
import type { Ref } from '../compression/result.ts';
import type { Message } from '../transcript/message.ts';
import { goneRef, indexesOf, refOf } from './refs.ts';

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
 * was before the compression that wrote the refs. In a list that was compressed already, a ref names the message that it
 * named there. Throws `BAD_OPTION` for a text that is no ref and `ID_UNKNOWN` for a message that does not exist or that
 * was compressed away before; then the error says where it is kept, as far as the handoff tells. `m0` is that handoff.
 *
 * @example
 * import { expand, fromOpenAiChat } from '@palimpsest/core';
 * const messages = fromOpenAiChat([{ role: 'user', content: 'Move the ledgers.' }]);
 * const [first] = expand(messages, 'm1');
 * first?.message === messages[0]; // true
 */
export function expand(messages: readonly Message[], refs: string): readonly Expanded[] {
  const { numbers, inherited } = numbersOf(messages);
  const places = new Map(numbers.map((number, at) => [number - 1, at]));
  if (inherited) places.set(nowhere, messages.indexOf(inherited.message));
  const count = numbers.reduce((most, number) => Math.max(most, number), 0);
  return indexesOf(refs, count, inherited ? 0 : 1).flatMap((place) => {
    const at = places.get(place);
    const message = messages[at ?? -1];
    if (at === undefined && inherited) throw goneRef(place, inherited);
    return message && at !== undefined ? [{ ref: refOf(place), at, message }] : [];
  });
}
