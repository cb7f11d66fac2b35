/** Brings back the originals behind refs of a conversation that a store keeps. */
import { nowhere } from '../compression/record.ts';
import type { Ref } from '../compression/result.ts';
import type { MessageId, SessionId } from '../store/ids.ts';
import type { Message } from '../transcript/message.ts';
import { lineageOf, type ReadableStore, readLineage } from './read/lineage.ts';
import { lineageNumbers } from './read/numbers.ts';
import { goneRef, indexesOf, refOf } from './refs.ts';

/** A message of a stored conversation that was brought back. */
export interface ExpandedMessage {
  readonly ref: Ref;
  readonly id: MessageId;
  /** With everything it carries. */
  readonly message: Message;
}

/**
 * The messages that refs name, in the order asked for: `m42`, `m40-m45`, `m3,m7`. They count everything that was said in
 * the conversation, whatever was compressed since, as its handoffs do. Throws `BAD_OPTION` for a text that is no ref and
 * `ID_UNKNOWN` for a session or a message that does not exist.
 */
export async function expandSession(
  store: ReadableStore,
  sessionId: SessionId,
  refs: string,
): Promise<readonly ExpandedMessage[]> {
  const lineage = await lineageOf(store, sessionId);
  const numbers = await lineageNumbers(store, lineage);
  const places = indexesOf(refs, numbers.size, numbers.inherited ? 0 : 1);
  const indexes = places.flatMap((place) => {
    const index = numbers.indexOf(place);
    if (index === undefined && numbers.inherited) throw goneRef(place, numbers.inherited);
    return index ?? [];
  });
  const found: ExpandedMessage[] = [];
  for (const { from, to } of stretchesOf(indexes)) {
    const messages = await readLineage(store, lineage, { from, to });
    for (const { id, message } of messages) found.push({ ref: refOf(places[found.length] ?? nowhere), id, message });
  }
  return found;
}

/** Neighbours are read together. */
function stretchesOf(indexes: readonly number[]): readonly { readonly from: number; readonly to: number }[] {
  const stretches: { from: number; to: number }[] = [];
  for (const index of indexes) {
    const last = stretches.at(-1);
    if (last?.to === index) last.to++;
    else stretches.push({ from: index, to: index + 1 });
  }
  return stretches;
}
