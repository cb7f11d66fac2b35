/** What a person has pinned: kept with the conversation, within its room, and gone when the conversation goes. */
import assert from 'node:assert/strict';
import type { Store } from '../../../packages/core/src/store/store.ts';
import { compressed, morning, opened, type StorePromises, sessionOf } from './store-bench.ts';

const room = { tokens: 40, mostTokens: 100 } as const;
const pinned = async (store: Store, id: string): Promise<readonly string[]> =>
  (await store.pins.list(id)).map(({ messageId }) => messageId);

export const pinPromises: StorePromises = {
  'A7 pins belong to the conversation, whichever of its sessions is named, and are listed as they were made': async (
    t,
    bench,
  ) => {
    const { store, clock } = await opened(t, bench);
    const root = await sessionOf(store, ['a', 'b']);
    const [first = '', second = ''] = await store.messages.viewIds(root.id);
    assert.equal((await store.pins.add(root.id, { messageId: second, ...room })).type, 'pinned');
    const tip = await compressed(store, root, 'handoff');
    clock.now += 1_000;
    assert.equal((await store.pins.add(tip.id, { messageId: first, ...room })).type, 'pinned');
    const known = await store.pins.add(root.id, { messageId: first, ...room });
    assert.equal(known.type, 'known');
    assert.deepEqual(known.pins, [
      { messageId: second, pinnedAt: morning, tokens: 40 },
      { messageId: first, pinnedAt: morning + 1_000, tokens: 40 },
    ]);
    assert.equal(await store.pins.remove(tip.id, second), true);
    assert.equal(await store.pins.remove(tip.id, second), false);
    assert.deepEqual(await pinned(store, root.id), [first]);
    await assert.rejects(store.pins.list('no-such'), { code: 'ID_UNKNOWN' });
    await assert.rejects(store.pins.add(root.id, { messageId: 'no-such', ...room }), { code: 'ID_UNKNOWN' });
  },

  'A7 of those who pin at once nobody gets more room than there is': async (t, bench) => {
    const { store, clock, place } = await opened(t, bench);
    await using other = await bench.open(place, clock);
    const root = await sessionOf(store, ['a', 'b', 'c', 'd', 'e']);
    const ids = await store.messages.viewIds(root.id);
    const all = await Promise.all(
      ids.map((messageId, at) => (at % 2 ? store : other).pins.add(root.id, { messageId, ...room })),
    );
    assert.deepEqual(all.map(({ type }) => type).sort(), ['full', 'full', 'full', 'pinned', 'pinned']);
    assert.equal((await pinned(store, root.id)).length, 2);
  },

  'A7 pins go with their conversation, and stay where another one shows the same message': async (t, bench) => {
    const { store } = await opened(t, bench);
    const one = await sessionOf(store, ['same', 'own']);
    const two = await sessionOf(store, ['same']);
    const [same = '', own = ''] = await store.messages.viewIds(one.id);
    for (const messageId of [same, own]) await store.pins.add(one.id, { messageId, ...room });
    await store.pins.share(one.id, two.id, [same]);
    assert.deepEqual(await pinned(store, two.id), [same]);
    await store.sessions.delete(one.id);
    assert.deepEqual(await pinned(store, two.id), [same]);
    assert.equal((await store.care.check()).ok, true);
    await store.sessions.delete(two.id);
    assert.equal(await store.messages.get(same), undefined);
    assert.equal((await store.care.check()).ok, true);
  },
};
