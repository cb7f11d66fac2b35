/** Vectors of messages are made on demand, once each, and by parts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message } from '@palimpsest/core';
import { type Embedder, embedMessages } from '@palimpsest/core/search';
import { openStore, type Store } from '@palimpsest/core/store';
import { conceptEmbedder } from '../../support/concept-embedder.ts';

const said = (text: string, role: Message['role'] = 'user'): Message => ({ role, parts: [{ type: 'text', text }] });

async function storeWith(messages: readonly Message[]): Promise<{ readonly store: Store; readonly session: string }> {
  const store = await openStore({ path: ':memory:' });
  const { id } = await store.sessions.create({ source: 'library' });
  await store.messages.append(id, messages);
  return { store, session: id };
}

test('Q2 embeds a message alone and behind what was said before it, without the tools between', async () => {
  const call: Message = {
    role: 'assistant',
    parts: [{ type: 'toolCall', callId: 'c1', name: 'look', input: '{}', inputType: 'json' }],
  };
  const result: Message = {
    role: 'tool',
    parts: [{ type: 'toolResult', callId: 'c1', content: [{ type: 'text', text: 'a result' }] }],
  };
  const { store } = await storeWith([said('Is the dog well?'), call, result, said('Yes.', 'assistant')]);
  await using _ = store;
  const embedder = conceptEmbedder();

  assert.deepEqual(await embedMessages(store, embedder), { messages: 4, embedded: 2 });
  assert.deepEqual(embedder.calls.flat(), ['Is the dog well?', 'Yes.', 'Is the dog well?\nYes.']);
});

test('Q2 embeds of a long message its beginning, behind the end of the one before', async () => {
  const long = `${'long '.repeat(400)}the end`;
  const { store } = await storeWith([said(long), said(`Sure. ${long}`, 'assistant')]);
  await using _ = store;
  const embedder = conceptEmbedder();
  await embedMessages(store, embedder);
  const [first = '', second = '', ...rest] = embedder.calls.flat();
  assert.deepEqual(rest, []);
  assert.ok(long.startsWith(first) && first.length < long.length);
  assert.match(second, /the end\nSure\. long/);
});

test('Q2 looks only at what is new, and another model at everything', async () => {
  const { store, session } = await storeWith([said('The dog sleeps.'), said('我们去海边。'), said('12 + 30')]);
  await using _ = store;
  assert.deepEqual(await embedMessages(store, conceptEmbedder()), { messages: 3, embedded: 1 });

  await store.messages.append(session, [said('The puppy woke up.')]);
  const again = conceptEmbedder();
  assert.deepEqual(await embedMessages(store, again), { messages: 1, embedded: 1 });
  assert.ok(again.calls.flat().every((text) => text.includes('puppy')));
  assert.deepEqual(await embedMessages(store, conceptEmbedder()), { messages: 0, embedded: 0 });

  assert.deepEqual(await embedMessages(store, conceptEmbedder({ name: 'other' })), { messages: 4, embedded: 2 });
  assert.deepEqual(
    (await store.vectors.models()).map(({ name, messages, vectors }) => [name, messages, vectors]),
    [
      ['concepts', 4, 2],
      ['other', 4, 2],
    ],
  );
});

test('Q2 goes on where it was broken off, and tells how far it is', async () => {
  const { store } = await storeWith(Array.from({ length: 100 }, (_, i) => said(`The dog is ${i}.`)));
  await using _ = store;
  const controller = new AbortController();
  const stopped = embedMessages(store, conceptEmbedder(), {
    signal: controller.signal,
    onProgress: ({ done }) => {
      if (done >= 50) controller.abort(new Error('enough'));
    },
  });
  await assert.rejects(stopped, { message: 'enough' });
  const [{ messages: kept = 0 } = {}] = await store.vectors.models();
  assert.ok(kept >= 50 && kept < 100, `kept ${kept}`);

  const shown: string[] = [];
  const rest = await embedMessages(store, conceptEmbedder(), {
    onProgress: ({ done, all }) => shown.push(`${done} of ${all}`),
  });
  assert.equal(rest.messages, 100 - kept);
  assert.equal(shown.at(-1), `${100 - kept} of ${100 - kept}`);
});

test('Q2 keeps nothing of a batch that the model failed on', async () => {
  const { store } = await storeWith([said('The dog sleeps.')]);
  await using _ = store;
  const failing: Embedder = { name: 'concepts', embed: () => Promise.reject(new Error('no connection')) };
  await assert.rejects(embedMessages(store, failing), { message: 'no connection' });
  assert.deepEqual(await store.vectors.models(), []);
  assert.deepEqual(await embedMessages(store, conceptEmbedder()), { messages: 1, embedded: 1 });
});
