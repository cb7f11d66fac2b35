/** Searching a real store by words and by meaning, through the public door. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message, Role } from '@palimpsest/core';
import { embedMessages, search, sessionSearchTool } from '@palimpsest/core/search';
import { openStore, type Store } from '@palimpsest/core/store';
import { conceptEmbedder } from '../../support/concept-embedder.ts';

const vectors = conceptEmbedder();

async function tell(
  store: Store,
  texts: readonly string[],
  about: { source?: string; role?: Role } = {},
): Promise<void> {
  const { source = 'library', role = 'user' } = about;
  const { id } = await store.sessions.create({ source });
  await store.messages.append(
    id,
    texts.map((text): Message => ({ role, parts: [{ type: 'text', text }] })),
  );
}

async function filled(): Promise<Store> {
  const store = await openStore({ path: ':memory:' });
  await tell(store, ['The credentials of the database were changed on Monday.', 'Ship the blue version first.']);
  await tell(store, ['Our vacation begins in May.', 'The terrier comes along.'], {
    source: 'codex',
    role: 'assistant',
  });
  await tell(store, ['我们五月去海边度假。', '数据库的密码改了。']);
  await embedMessages(store, vectors);
  return store;
}

const texts = async (
  store: Store,
  query: string,
  options: Parameters<typeof search>[2] = {},
): Promise<readonly string[]> => (await search(store, query, options)).hits.map(({ passage }) => passage.text);

test('Q2 finds what was said in other words', async () => {
  await using store = await filled();
  const query = 'new login password';
  assert.deepEqual(await texts(store, query), []);
  const [best, second] = await texts(store, query, { vectors });
  assert.equal(best, 'The credentials of the database were changed on Monday.');
  assert.equal(second, 'Ship the blue version first.', 'what was said right behind it');
  const [hit] = (await search(store, query, { vectors, explain: true })).hits;
  assert.ok((hit?.parts?.meaning ?? 0) > 0);
});

test('Q2 ranks a message first that has the words and the meaning', async () => {
  await using store = await openStore({ path: ':memory:' });
  await tell(store, [
    'The key of the house hangs here, and the key of the car.',
    'The key is a secret: change the password.',
  ]);
  await embedMessages(store, vectors);
  const [first] = await texts(store, 'password key', { vectors });
  assert.match(first ?? '', /secret/);
});

test('Q2 changes no answer of a search by words, whatever vectors the store has', async () => {
  await using bare = await openStore({ path: ':memory:', clock: { now: () => 1_800_000_000_000 } });
  await using embedded = await openStore({ path: ':memory:', clock: { now: () => 1_800_000_000_000 } });
  for (const store of [bare, embedded]) {
    await tell(store, ['The dog chased the ball.', 'Is the puppy there?', 'Yes.']);
    await tell(store, ['A broken pipe in the cellar.', 'It failed again, the outage took an hour.']);
  }
  await embedMessages(embedded, vectors);
  for (const query of ['dog', 'where is the puppy now', '"broken pipe"', 'pipe -dog', 'nothing like it']) {
    const shape = async (store: Store): Promise<unknown> =>
      (await search(store, query, { explain: true })).hits.map(({ messageId, score, parts, passage }) => [
        messageId,
        score,
        parts,
        passage,
      ]);
    assert.deepEqual(await shape(embedded), await shape(bare), query);
  }
});

test('C4 answers a query in a script that the model does not know as without vectors', async () => {
  await using store = await filled();
  const asked = vectors.calls.length;
  for (const query of ['密码', '海边度假', '数据库 密码 改']) {
    assert.deepEqual(await search(store, query, { vectors }), await search(store, query), query);
  }
  assert.equal(vectors.calls.length, asked, 'the model was not asked');
});

test('Q2 keeps filters and demands beside meaning', async () => {
  await using store = await filled();
  const query = 'puppy on the beach';
  assert.equal((await texts(store, query, { vectors })).length, 2);
  assert.deepEqual(await texts(store, query, { vectors, roles: ['user'] }), []);
  assert.equal((await texts(store, query, { vectors, sources: ['codex'] })).length, 2);
  assert.deepEqual(await texts(store, query, { vectors, sources: ['library'] }), []);
  assert.deepEqual(await texts(store, query, { vectors, until: 0 }), []);
  assert.deepEqual(await texts(store, '"the puppy" AND beach', { vectors }), []);
});

test('Q2 finds nothing that has neither the words nor the meaning', async () => {
  await using store = await openStore({ path: ':memory:' });
  await tell(store, ['The dog sleeps.', 'Ship the blue version.']);
  await embedMessages(store, vectors);
  assert.deepEqual(await texts(store, 'password', { vectors }), []);
  assert.deepEqual(await texts(store, '', { vectors }), []);
});

test('Q2 searches by words alone where the store has no vectors of the model', async () => {
  await using store = await filled();
  const other = conceptEmbedder({ name: 'other' });
  assert.deepEqual(await texts(store, 'puppy', { vectors: other }), []);
  assert.deepEqual(other.calls, [], 'nothing is asked of a model that has no vectors here');
});

test('Q2 measures closeness from what the model gives to any two texts', async () => {
  await using store = await openStore({ path: ':memory:' });
  await tell(store, ['The credentials were changed, and the server failed.']);
  const shifted = conceptEmbedder({ name: 'shifted', unrelated: 0.7 });
  await embedMessages(store, shifted);
  await embedMessages(store, vectors);
  assert.equal((await texts(store, 'password', { vectors })).length, 1);
  assert.deepEqual(await texts(store, 'password', { vectors: shifted }), [], '0.71 is next to nothing for this model');
});

test('Q1 lets a model search by meaning with session_search', async () => {
  await using store = await filled();
  const run = async (options: Parameters<typeof sessionSearchTool>[0]): Promise<string> =>
    sessionSearchTool(options).run({ query: 'puppy' });
  assert.equal(JSON.parse(await run({ store })).results.length, 0);
  const { results } = JSON.parse(await run({ store, vectors }));
  assert.match(JSON.stringify(results), /terrier/);
});
