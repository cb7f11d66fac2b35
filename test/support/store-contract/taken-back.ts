/** What a person takes back: kept where it was said, and not shown by the session that goes on. */
import assert from 'node:assert/strict';
import { opened, type StorePromises, said, sessionOf } from './store-bench.ts';

export const takenBackPromises: StorePromises = {
  'L2 what is taken back stays in the session that ends with it, and another one goes on': async (t, bench) => {
    const { store } = await opened(t, bench);
    const root = await sessionOf(store, ['a', 'b', 'c', 'd'], { title: 'Pier' });
    const view = await store.messages.view(root.id);
    const kept = { messages: view.slice(0, 2).map(({ message }) => message), origins: [0, 1] };
    const next = await store.sessions.continue({ sessionId: root.id, size: 4, ...kept, takesBackFrom: 2 });
    assert.deepEqual(await store.sessions.takenBack(next.id), [{ first: 2, last: 3 }]);
    assert.deepEqual(await store.sessions.takenBack(root.id), [{ first: 2, last: 3 }]);
    assert.equal((await store.sessions.get(root.id))?.endReason, 'undo');
    assert.equal((await store.sessions.tip(root.id)).id, next.id);
    assert.equal((await store.messages.view(root.id)).length, 4);
    assert.equal((await store.messages.view(next.id)).length, 2);
    const [listed] = await store.sessions.list();
    assert.deepEqual([listed?.title, listed?.tip.id], ['Pier', next.id]);
    assert.equal((await store.usage.activity({})).compressions, 0);
    await assert.rejects(store.messages.append(root.id, [said('e')]), { code: 'STORE_CONFLICT' });
    assert.equal((await store.care.check()).ok, true);
    await store.sessions.delete(root.id);
    assert.equal(await store.messages.count(), 0);
    assert.equal((await store.care.check()).ok, true);
  },

  'F4 nothing is taken back of a session that has grown, and nothing that was not said': async (t, bench) => {
    const { store } = await opened(t, bench);
    const root = await sessionOf(store, ['a', 'b', 'c']);
    const draft = { sessionId: root.id, messages: [said('a')], origins: [0] };
    await assert.rejects(store.sessions.continue({ ...draft, size: 2, takesBackFrom: 1 }), { code: 'STORE_CONFLICT' });
    for (const takesBackFrom of [3, -1, 0.5])
      await assert.rejects(store.sessions.continue({ ...draft, size: 3, takesBackFrom }), { code: 'BAD_OPTION' });
    assert.deepEqual(await store.sessions.takenBack(root.id), []);
    assert.equal((await store.sessions.get(root.id))?.endedAt, undefined);
    await assert.rejects(store.sessions.takenBack('no-such'), { code: 'ID_UNKNOWN' });
  },
};
