/** What each conversation was about: one text for each, found by its words. */
import assert from 'node:assert/strict';
import type { EpisodeFilter } from '../../../packages/core/src/store/episode-store.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import { compressed, morning, opened, type StorePromises, sessionOf } from './store-bench.ts';

const day = 86_400_000;
const textsOf = async (store: Store, filter?: EpisodeFilter): Promise<readonly string[]> =>
  (await store.episodes.list(filter)).map(({ text }) => text);

export const episodePromises: StorePromises = {
  'M5 a conversation has one episode, whichever of its sessions tells it': async (t, bench) => {
    const { store } = await opened(t, bench);
    const root = await sessionOf(store, ['a', 'b'], { project: '/code/pier' });
    assert.equal(await store.episodes.get(root.id), undefined);
    await store.episodes.put(root.id, 'wanted: a pier');
    const tip = await compressed(store, root, 'handoff');
    const later = await store.episodes.put(tip.id, 'wanted: a pier\ndone: "ä" \u0000 and \ud83d\ude00');
    assert.deepEqual(later, {
      sessionId: root.id,
      project: '/code/pier',
      text: 'wanted: a pier\ndone: "ä" \u0000 and \ud83d\ude00',
      startedAt: morning,
      endedAt: morning,
    });
    assert.deepEqual(await store.episodes.get(root.id), later);
    assert.deepEqual(await store.episodes.list(), [later]);
    assert.equal(await store.episodes.put(tip.id, ' \n'), undefined);
    assert.deepEqual(await store.episodes.list(), []);
    await assert.rejects(store.episodes.put('no-such', 'x'), { code: 'ID_UNKNOWN' });
  },

  'M5 an episode goes with its conversation, and a side conversation has its own': async (t, bench) => {
    const { store } = await opened(t, bench);
    const root = await sessionOf(store, ['a']);
    const side = await sessionOf(store, ['b'], { parentId: root.id, relation: 'side' });
    await store.episodes.put(root.id, 'wanted: a');
    await store.episodes.put(side.id, 'wanted: b');
    assert.deepEqual(await textsOf(store), ['wanted: b', 'wanted: a']);
    await store.sessions.delete(root.id);
    assert.deepEqual(await textsOf(store), ['wanted: b']);
    assert.equal((await store.care.check()).ok, true);
  },

  'M5 episodes are listed by project and by time, the newest first': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    for (const [at, project] of [undefined, '/code/pier', '/code/lock', '/code/pier'].entries()) {
      clock.now = morning + at * day;
      const session = await sessionOf(store, [`said ${at}`], project === undefined ? {} : { project });
      await store.episodes.put(session.id, `day ${at}`);
    }
    assert.deepEqual(await textsOf(store), ['day 3', 'day 2', 'day 1', 'day 0']);
    assert.deepEqual(await textsOf(store, { project: '/code/pier' }), ['day 3', 'day 1']);
    assert.deepEqual(await textsOf(store, { project: null }), ['day 0']);
    assert.deepEqual(await textsOf(store, { since: morning + day, until: morning + 3 * day }), ['day 2', 'day 1']);
    assert.deepEqual(await textsOf(store, { limit: 1 }), ['day 3']);
    await assert.rejects(store.episodes.list({ limit: Number.NaN }), { code: 'BAD_OPTION' });
  },

  'M5 episodes are found by their words, those with the most and the rarest first': async (t, bench) => {
    const { store } = await opened(t, bench);
    for (const text of [
      'wanted: mend the harbour gate',
      'wanted: paint the gates of the lock',
      'wanted: 港の門を直す',
      'done: the ferry list is sorted',
    ]) {
      const session = await sessionOf(store, [text]);
      await store.episodes.put(session.id, text);
    }
    assert.deepEqual(await textsOf(store, { query: 'harbour gates' }), [
      'wanted: mend the harbour gate',
      'wanted: paint the gates of the lock',
    ]);
    assert.deepEqual(await textsOf(store, { query: '港の門' }), ['wanted: 港の門を直す']);
    assert.deepEqual(await textsOf(store, { query: '"; drop table episodes; --' }), []);
    assert.deepEqual(await textsOf(store, { query: '' }), []);
  },
};
