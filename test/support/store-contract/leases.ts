/** Leases: one holder at a time. */
import assert from 'node:assert/strict';
import { opened, type StorePromises, said, sessionOf, shownTexts } from './store-bench.ts';

export const leasePromises: StorePromises = {
  'F4 a lease has one holder, and is taken over only after it has expired': async (t, bench) => {
    const { store, clock, place } = await opened(t, bench);
    const other = await bench.open(place, clock);
    t.after(() => other.close());
    const mine = await store.leases.acquire('compress:s', 'me', 1_000);
    assert.deepEqual([mine?.owner, mine?.expiresAt], ['me', clock.now + 1_000]);
    assert.equal(await other.leases.acquire('compress:s', 'them', 1_000), undefined);
    assert.equal(await store.leases.acquire('compress:s', 'me', 1_000), undefined);
    assert.ok(await other.leases.acquire('compress:t', 'them', 1_000));
    clock.now += 1_000;
    const theirs = await other.leases.acquire('compress:s', 'them', 1_000);
    assert.ok(mine && theirs && theirs.token !== mine.token);
    assert.equal(await store.leases.renew(mine, 1_000), undefined);
    await store.leases.release(mine);
    assert.deepEqual(
      (await store.leases.held()).map(({ owner }) => owner),
      ['them'],
    );
  },

  'F4 a lease is not waited for longer than twice its time where the clock was set back, by whatever it was': async (
    t,
    bench,
  ) => {
    const { store, clock, place } = await opened(t, bench);
    const other = await bench.open(place, clock);
    t.after(() => other.close());
    for (const back of [1, 999, 1_000, 1_001, 3_600_000, 86_400_000 * 365]) {
      const name = `compress:${back}`;
      const began = clock.now;
      assert.ok(await store.leases.acquire(name, 'the one that died', 1_000));
      clock.now -= back;
      let waited = 0;
      while (!(await other.leases.acquire(name, 'the next one', 1_000))) {
        assert.equal((await other.leases.held()).filter((held) => held.name === name).length, 1);
        clock.now += 50;
        waited += 50;
      }
      assert.ok(waited <= 2_000, `${waited} ms behind a step of ${back} ms`);
      if (back <= 1_000) assert.ok(waited >= 1_000, `${waited} ms behind a step of ${back} ms`);
      clock.now = began;
    }
  },

  'F4 whoever lost a lease to a clock that was set can neither prolong it nor write under it': async (t, bench) => {
    const { store, clock, place } = await opened(t, bench);
    const other = await bench.open(place, clock);
    t.after(() => other.close());
    for (const jump of [-3_600_000, 3_600_000]) {
      const session = await sessionOf(store, ['a', 'b', 'c']);
      const mine = await store.leases.acquire('compress:s', 'me', 1_000);
      assert.ok(mine);
      clock.now += jump;
      const theirs = await other.leases.acquire('compress:s', 'them', 1_000);
      assert.ok(theirs);
      const smaller = { sessionId: session.id, size: 3, messages: [said('short')], origins: [-1] };
      const lost = { code: 'STORE_CONFLICT' };
      assert.equal(await store.leases.renew(mine, 1_000), undefined);
      await assert.rejects(store.sessions.continue({ ...smaller, lease: mine }), lost);
      await other.leases.release(theirs);
      await assert.rejects(store.sessions.continue({ ...smaller, lease: mine }), lost);
      assert.deepEqual(await shownTexts(store, session), ['a', 'b', 'c']);
    }
  },

  'F4 a lease whose owner lives through a jump of the clock stays its own when it is prolonged in time': async (
    t,
    bench,
  ) => {
    const { store, clock, place } = await opened(t, bench);
    const other = await bench.open(place, clock);
    t.after(() => other.close());
    for (const jump of [-3_600_000, -500, 500, 3_600_000]) {
      const mine = await store.leases.acquire('a', 'me', 1_000);
      assert.ok(mine);
      clock.now += jump;
      const renewed = await store.leases.renew(mine, 1_000);
      assert.equal(await other.leases.acquire('a', 'them', 1_000), undefined);
      assert.deepEqual(await other.leases.held(), [renewed]);
      await store.leases.release(mine);
    }
  },

  'F4 of many that ask at once one gets the lease': async (t, bench) => {
    const { store, clock, place } = await opened(t, bench);
    const other = await bench.open(place, clock);
    t.after(() => other.close());
    const asked = Array.from({ length: 20 }, (_, i) =>
      (i % 2 ? store : other).leases.acquire('one', `owner ${i}`, 1_000),
    );
    const given = (await Promise.all(asked)).filter((lease) => lease !== undefined);
    assert.deepEqual(given, await store.leases.held());
    assert.equal(given.length, 1);
  },

  'F4 a lease is prolonged, also late as long as nobody took it, and given back': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    const lease = await store.leases.acquire('a', 'me', 1_000);
    assert.ok(lease);
    clock.now += 2_000;
    assert.deepEqual(await store.leases.held(), []);
    const renewed = await store.leases.renew(lease, 500);
    assert.deepEqual(await store.leases.held(), [renewed]);
    await store.leases.release(lease);
    assert.ok(await store.leases.acquire('a', 'them', 1_000));
    await assert.rejects(store.leases.acquire('b', 'me', 0), { code: 'BAD_OPTION' });
  },

  'F4 a process that closes its store gives back what it held, and nothing else': async (t, bench) => {
    const { store, clock, place } = await opened(t, bench);
    const other = await bench.open(place, clock);
    await store.leases.acquire('mine', 'me', 1_000);
    await other.leases.acquire('theirs', 'them', 1_000);
    await other.close();
    assert.deepEqual(
      (await store.leases.held()).map(({ name }) => name),
      ['mine'],
    );
    await assert.rejects(other.leases.held(), { code: 'STORE_CLOSED' });
    await assert.rejects(other.meta.set('a', 'b'), { code: 'STORE_CLOSED' });
  },

  'L1 what was asked for before the store is closed is done': async (t, bench) => {
    const { store, clock, place } = await opened(t, bench);
    const writes = Array.from({ length: 10 }, (_, i) => store.meta.set(`key ${i}`, `value ${i}`));
    await store.close();
    await Promise.all(writes);
    const again = await bench.open(place, clock);
    t.after(() => again.close());
    assert.equal(await again.meta.get('key 9'), 'value 9');
  },
};
