/** Long imports, in steps that leave room for other writers. */
import type { Message } from '../transcript/message.ts';
import type { SessionId } from './ids.ts';
import type { Appended, AppendOptions, MessageStore } from './message-store.ts';

/** How much one step holds: some tenths of a second, in which no other process can write. */
export const batchLimits = { messages: 1_000, characters: 8_000_000 } as const;

/**
 * Appends any number of messages in steps of bounded size, each of them atomic; small values are kept with the first one.
 * What ends it halfway leaves a beginning of the list, which `viewIds` shows. Throws what `append` throws, also when somebody else appends in between.
 */
export async function appendInBatches(
  store: MessageStore,
  sessionId: SessionId,
  { messages, ...options }: AppendOptions & { readonly messages: readonly Message[] },
): Promise<Appended> {
  const { meta: _, ...later } = options;
  let all: Appended | undefined;
  for (const batch of batches(messages)) {
    const expected = all === undefined ? options : { ...later, expectedSize: all.from + all.ids.length };
    const done = await store.append(sessionId, batch, expected);
    all = all ? { ids: [...all.ids, ...done.ids], from: all.from, added: all.added + done.added } : done;
  }
  return all ?? store.append(sessionId, [], options);
}

/** The messages in steps, each within the limits. */
export function* batches(messages: readonly Message[]): Generator<readonly Message[]> {
  let batch: Message[] = [];
  let characters = 0;
  for (const message of messages) {
    const length = roughCharacters(message);
    const full = batch.length >= batchLimits.messages || characters + length > batchLimits.characters;
    if (full && batch.length > 0) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(message);
    characters += length;
  }
  if (batch.length > 0) yield batch;
}

/** Counts every string in a message; its JSON is somewhat longer. Without recursion, since values may be nested deep. */
function roughCharacters(message: Message): number {
  const open: unknown[] = [message];
  let characters = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'string') characters += value.length;
    else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) open.push(one);
  }
  return characters;
}
