/** What is deleted is gone; what anything else needs stays. */
import assert from 'node:assert/strict';
import { shownMemoryPrefix } from '../../../packages/core/src/store/memory-store.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import { compressed, morning, opened, type StorePromises, said, sessionOf, shownTexts } from './store-bench.ts';

export const deletionPromises: StorePromises = {
  'L4 a conversation goes with all its sessions, and with the messages that no other one shows': async (t, bench) => {
    const { store } = await opened(t, bench);
    const root = await sessionOf(store, ['a', 'shared', 'b']);
    const tip = await compressed(store, root, 'handoff');
    const other = await sessionOf(store, ['shared', 'c']);
    const [shared = ''] = await store.messages.viewIds(other.id);
    const deleted = await store.sessions.delete(tip.id);
    assert.deepEqual([deleted.sessions, deleted.messages, deleted.ids.length], [2, 3, 3]);
    assert.deepEqual(await shownTexts(store, other), ['shared', 'c']);
    assert.deepEqual([await store.messages.count(), await store.sessions.get(root.id)], [2, undefined]);
    const home = await store.messages.get(shared);
    assert.deepEqual([home?.sessionId, home?.position], [other.id, 0]);
    assert.deepEqual(await findable(store, 'handoff'), []);
    assert.equal((await store.care.check()).ok, true);
  },

  'A6 what a handoff in another conversation stands for can still be brought back': async (t, bench) => {
    const { store } = await opened(t, bench);
    const root = await sessionOf(store, ['a', 'b']);
    const tip = await compressed(store, root, 'handoff');
    const branch = await store.sessions.create({ source: 'library', parentId: tip.id });
    const { ids } = await store.messages.append(branch.id, [said('handoff'), said('c')]);
    assert.equal((await store.sessions.delete(root.id)).messages, 0);
    const covered = await store.messages.coveredBy(ids[0] ?? '');
    const messages = await Promise.all(covered.map((id) => store.messages.get(id)));
    assert.deepEqual(
      messages.map((one) => [one?.sessionId, one?.message.parts]),
      ['a', 'b'].map((text) => [branch.id, said(text).parts]),
    );
    assert.equal((await store.care.check()).ok, true);
    assert.equal((await store.sessions.delete(branch.id)).messages, 4);
    assert.equal(await store.messages.count(), 0);
    assert.equal((await store.care.check()).ok, true);
  },

  'L4 branches and side conversations outlive what they came from': async (t, bench) => {
    const { store } = await opened(t, bench);
    const root = await sessionOf(store, ['a']);
    const side = await sessionOf(store, ['b'], { parentId: root.id, relation: 'side' });
    await store.sessions.delete(root.id);
    const left = await store.sessions.get(side.id);
    assert.deepEqual([left?.parentId, left?.rootId, left?.messages], [undefined, side.id, 1]);
    await assert.rejects(store.sessions.delete(root.id), { code: 'ID_UNKNOWN' });
  },

  'L4 old conversations are pruned by what was last said in them; a dry run only counts': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    await sessionOf(store, ['a', 'both'], { source: 'codex' });
    await compressed(store, await sessionOf(store, ['b', 'both'], { source: 'cli' }), 'h');
    clock.now += 1_000;
    const young = await sessionOf(store, ['c']);
    const dry = await store.sessions.prune(clock.now, { dryRun: true });
    assert.deepEqual([dry.sessions, dry.messages], [3, 4]);
    assert.equal(await store.messages.count(), 5);
    assert.equal((await store.sessions.prune(morning)).sessions, 0);
    assert.equal((await store.sessions.prune(clock.now, { source: 'codex' })).messages, 1);
    const done = await store.sessions.prune(clock.now);
    assert.deepEqual([done.sessions, done.messages], [2, 3]);
    assert.deepEqual(await shownTexts(store, young), ['c']);
    assert.deepEqual(await findable(store, 'c'), await store.messages.viewIds(young.id));
    assert.equal((await store.care.check()).ok, true);
  },

  'M5 what a session shows of the memory goes with it, along the whole chain, and so where old ones are pruned': async (
    t,
    bench,
  ) => {
    const { store, clock } = await opened(t, bench);
    const root = await sessionOf(store, ['a']);
    const tip = await compressed(store, root, 'handoff');
    const side = await sessionOf(store, ['b'], { parentId: tip.id, relation: 'side' });
    clock.now += 1_000;
    const young = await sessionOf(store, ['c']);
    const all = [root, tip, side, young];
    for (const { id } of all) await store.meta.set(`${shownMemoryPrefix}${id}`, 'Likes tea.');
    await store.meta.set('memory.act /home/kay/memories', '{}');
    const shown = (): Promise<readonly (string | undefined)[]> =>
      Promise.all(all.map(({ id }) => store.meta.get(`${shownMemoryPrefix}${id}`)));
    await store.sessions.delete(tip.id);
    assert.deepEqual(await shown(), [undefined, undefined, 'Likes tea.', 'Likes tea.']);
    await store.sessions.prune(clock.now, { dryRun: true });
    assert.deepEqual(await shown(), [undefined, undefined, 'Likes tea.', 'Likes tea.']);
    await store.sessions.prune(clock.now);
    assert.deepEqual(await shown(), [undefined, undefined, undefined, 'Likes tea.']);
    assert.equal(await store.meta.get('memory.act /home/kay/memories'), '{}');
  },
};

async function findable(store: Store, term: string): Promise<readonly string[]> {
  const found = await store.index.candidates({ wanted: [term], limit: 10 });
  const ranges = found.map(({ sessionId, position }) => ({ sessionId, from: position, to: position + 1 }));
  return (await store.messages.views(ranges)).map(({ id }) => id);
}
