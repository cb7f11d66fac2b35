/** Each conversation leaves an episode: at a compression, and at its end. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '@palimpsest/core';
import { writeEpisode } from '@palimpsest/core/store';
import { reply, runtimeOver, system, user, withStore, work } from './agent.ts';

const opening = (): Message[] => [system('You move ledgers.'), user('Move the ledgers of all regions.')];

describe('M5 episodes', () => {
  test('M5 are written when a conversation is compressed, for the whole of it', () =>
    withStore(async (store) => {
      const list = opening();
      const contexts = await work(runtimeOver(store), list, { steps: 20 });
      assert.equal(contexts.filter(({ compression }) => compression).length, 1);
      const episode = await store.episodes.get(contexts.at(-1)?.sessionId ?? '');
      assert.match(episode?.text ?? '', /^wanted: Move the ledgers of all regions\./);
      assert.equal(episode?.sessionId, contexts[0]?.sessionId);
      assert.equal((await store.episodes.list()).length, 1);
    }));

  test('M5 are written at the end of a conversation that was never compressed, also by a process that only knows its id', () =>
    withStore(async (store) => {
      const list = opening();
      const [last] = await work(runtimeOver(store), list, { steps: 1 });
      const id = last?.sessionId ?? '';
      assert.equal(await store.episodes.get(id), undefined);
      await runtimeOver(store).end(id, 'new');
      assert.match((await store.episodes.get(id))?.text ?? '', /^wanted: Move the ledgers of all regions\./);
    }));

  test('M5 hold no credential', () =>
    withStore(async (store) => {
      const session = await store.sessions.create({ source: 'library' });
      await store.messages.append(session.id, [
        user('Deploy the ferry with the key AKIAIOSFODNN7EXAMPLE, please, and tell me when it runs.'),
        reply('The ferry runs on the new host. The key AKIAIOSFODNN7EXAMPLE is stored in the vault now.'),
      ]);
      const text = (await writeEpisode(store, session.id))?.text ?? '';
      assert.match(text, /Deploy the ferry/);
      assert.doesNotMatch(text, /AKIAIOSFODNN7EXAMPLE/);
    }));

  test('M5 say nothing where nothing was wanted, and take an older one away', () =>
    withStore(async (store) => {
      const session = await store.sessions.create({ source: 'library' });
      await store.episodes.put(session.id, 'wanted: something else');
      await store.messages.append(session.id, [system('You move ledgers.')]);
      assert.equal(await writeEpisode(store, session.id), undefined);
      assert.deepEqual(await store.episodes.list(), []);
    }));
});
