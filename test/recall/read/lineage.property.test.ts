/** A law: whatever is said and compressed, a conversation reads as it was said. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { lineageOf, locate, readLineage } from '../../../packages/core/src/recall/read/lineage.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { messageText } from '../../../packages/core/src/transcript/text.ts';
import { user } from '../../support/conversations.ts';
import { openMemory } from '../session-search/stored.ts';

/** Something is said, a few texts of it again and again; or the session is compressed, some of its tail shortened. */
const deeds = fc.array(
  fc.oneof(
    fc.record({ say: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1, maxLength: 6 }) }),
    fc.record({ keep: fc.nat(5), shorten: fc.nat(2), late: fc.nat(2) }),
  ),
  { maxLength: 10 },
);

type Deed =
  | { readonly say: readonly string[] }
  | { readonly keep: number; readonly shorten: number; readonly late: number };

/** Does them in a store; gives the newest session and everything that was said, in order. */
async function done(store: Store, all: readonly Deed[]): Promise<{ id: string; said: readonly string[] }> {
  const said: string[] = [];
  let { id } = await store.sessions.create({ source: 'cli' });
  for (const deed of all) {
    if ('say' in deed) {
      await store.messages.append(
        id,
        deed.say.map((text) => user(text)),
      );
      said.push(...deed.say);
    } else id = await compressedTo(store, id, deed);
  }
  return { id, said };
}

async function compressedTo(
  store: Store,
  id: string,
  { keep, shorten, late }: Extract<Deed, { keep: number }>,
): Promise<string> {
  const view = await store.messages.view(id);
  // What was said after the compression began is carried over behind it.
  const size = Math.max(0, view.length - late);
  const tail = view.slice(Math.max(0, size - keep), size);
  const messages = tail.map(
    ({ message }, i): Message => (i < shorten ? user(`(short ${messageText(message)})`) : message),
  );
  const { id: next } = await store.sessions.continue({
    sessionId: id,
    size,
    messages: [user('[CONTEXT SUMMARY]: before'), ...messages],
    origins: [-1, ...tail.map(({ position }) => position)],
  });
  return next;
}

test('L2 a conversation reads as it was said, whatever was compressed, and every message is found in its place', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, fc.nat(30), fc.nat(30), async (all, from, length) => {
      await using store = await openMemory();
      const { id, said } = await done(store, all);
      const lineage = await lineageOf(store, id);
      const whole = await readLineage(store, lineage, { from: 0, to: lineage.size });
      const texts = whole.map(({ message }) => messageText(message));
      assert.deepEqual(texts, said);
      const part = await readLineage(store, lineage, { from, to: from + length });
      assert.deepEqual(
        part.map(({ message }) => messageText(message)),
        said.slice(from, from + length),
      );
      for (const one of whole) {
        const located = await locate(store, one.id, id);
        assert.equal(said[located?.at ?? -1], messageText(one.message));
      }
    }),
    { numRuns: 80 },
  );
});
