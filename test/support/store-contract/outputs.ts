/** Tool results that were saved whole. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { morning, opened, type StorePromises, sessionOf } from './store-bench.ts';

export const outputPromises: StorePromises = {
  'R2 any text comes back byte for byte, whole and line by line': async (t, bench) => {
    const { store } = await opened(t, bench);
    const pieces = fc.constantFrom(
      '\n',
      '\r\n',
      '\r',
      '\0',
      'x',
      'ü',
      '🙂',
      '\ud83d',
      '\ude00',
      '\u2028',
      'word ',
      '\ufeff',
    );
    const texts = fc.array(pieces, { maxLength: 30 }).map((list) => list.join(''));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const { id, lines, characters, bytes } = await store.outputs.save(text);
        assert.deepEqual([characters, bytes], [text.length, Buffer.byteLength(text)]);
        assert.equal((await store.outputs.read(id)).text, text);
        const single: string[] = [];
        for (let line = 1; line <= lines; line++)
          single.push((await store.outputs.read(id, { from: line, to: line })).text);
        assert.equal(single.join(''), text);
        assert.ok(single.every((line) => line.indexOf('\n') === line.length - 1 || !line.includes('\n')));
      }),
      { numRuns: 60 },
    );
  },

  'R2 large outputs come back, of many lines, of one, and of what cannot be packed': async (t, bench) => {
    const { store } = await opened(t, bench);
    const many = Array.from({ length: 60_000 }, (_, i) => `line ${i + 1} ${i % 7 ? 'ok' : 'ERROR in module'}`).join(
      '\n',
    );
    const one = `${'🙂'.repeat(300_000)} needle ${'b'.repeat(300_000)}`;
    // Every unit there is, in an order that repeats nothing.
    const random = Array.from({ length: 200_000 }, (_, i) => String.fromCharCode((i * i * 48_271) & 0xffff)).join('');
    for (const text of [many, one, random]) {
      const { id } = await store.outputs.save(text);
      // Not assert.equal: a difference of megabytes takes minutes to show.
      assert.ok((await store.outputs.read(id)).text === text);
    }
    const { id, lines } = await store.outputs.save(many);
    const slice = await store.outputs.read(id, { from: 59_998, to: 70_000 });
    assert.deepEqual(
      [lines, slice.from, slice.to, slice.text.split('\n')[0]],
      [60_000, 59_998, 60_000, 'line 59998 ERROR in module'],
    );
    const [hit] = await store.outputs.search((await store.outputs.save(one)).id, 'NEEDLE');
    assert.ok(hit?.line === 1 && hit.text.includes('needle') && hit.text.length < 1_100 && hit.text.startsWith('…'));
  },

  'R2 a range is cut to what there is': async (t, bench) => {
    const { store } = await opened(t, bench);
    const { id } = await store.outputs.save('a\nb\nc');
    const read = async (range: { from?: number; to?: number }): Promise<readonly unknown[]> => {
      const { from, to, text } = await store.outputs.read(id, range);
      return [from, to, text];
    };
    assert.deepEqual(await read({}), [1, 3, 'a\nb\nc']);
    assert.deepEqual(await read({ from: -3, to: 1 }), [1, 1, 'a\n']);
    assert.deepEqual(await read({ from: 3, to: 99 }), [3, 3, 'c']);
    assert.deepEqual(await read({ from: 9 }), [9, 8, '']);
    assert.deepEqual(await read({ from: 2, to: 1 }), [2, 1, '']);
  },

  'R3 lines with every word are found, those with the phrase first': async (t, bench) => {
    const { store } = await opened(t, bench);
    const { id } = await store.outputs.save('error: disk full\nfull of disk errors\nDisk  Full\ndisk is\nfull\n%_\\');
    const found = async (query: string, limit?: number): Promise<readonly number[]> =>
      (await store.outputs.search(id, query, limit === undefined ? {} : { limit })).map(({ line }) => line);
    assert.deepEqual(await found('disk full'), [1, 2, 3]);
    assert.deepEqual(await found('full disk'), [1, 2, 3]);
    assert.deepEqual(await found('disk errors'), [2]);
    assert.deepEqual(await found('full of'), [2]);
    assert.deepEqual(await found('disk', 2), [1, 2]);
    assert.deepEqual(await found('%_\\'), [6]);
    for (const nothing of ['', '  ', 'absent', 'disk\nfull of'])
      assert.deepEqual(await found(nothing), nothing.trim() && nothing !== 'absent' ? [2] : []);
    await assert.rejects(store.outputs.search('0000000000000000', 'x'), { code: 'ID_UNKNOWN' });
  },

  'R2 the same text is saved once and listed where it was saved': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    const a = await sessionOf(store, ['a']);
    const b = await sessionOf(store, ['b']);
    const first = await store.outputs.save('same', { tool: 'bash', sessionId: a.id });
    clock.now += 1_000;
    const second = await store.outputs.save('same', { sessionId: b.id });
    const third = await store.outputs.save('other', { sessionId: b.id, tool: '../../etc/passwd\0' });
    assert.deepEqual(
      [first.id, first.savedAt, second.savedAt, third.tool],
      [second.id, morning, morning + 1_000, '../../etc/passwd\0'],
    );
    assert.deepEqual(await store.outputs.get(first.id), first);
    assert.deepEqual(await store.outputs.list(), [first, third]);
    assert.deepEqual(await store.outputs.list(b.id), [second, third]);
    await assert.rejects(store.outputs.save('x', { sessionId: 'nobody' }), { code: 'ID_UNKNOWN' });
    assert.equal((await store.outputs.list()).length, 2);
  },

  'R2 outputs go with the last conversation that saved them; what nobody owns stays': async (t, bench) => {
    const { store } = await opened(t, bench);
    const a = await sessionOf(store, ['a']);
    const b = await sessionOf(store, ['b']);
    const shared = await store.outputs.save('shared', { sessionId: a.id });
    await store.outputs.save('shared', { sessionId: b.id });
    const own = await store.outputs.save('own', { sessionId: a.id });
    const free = await store.outputs.save('free');
    await store.sessions.delete(a.id);
    assert.deepEqual((await store.outputs.list()).map(({ id }) => id).toSorted(), [shared.id, free.id].toSorted());
    await assert.rejects(store.outputs.read(own.id), { code: 'ID_UNKNOWN' });
    await store.sessions.delete(b.id);
    assert.deepEqual(
      (await store.outputs.list()).map(({ id }) => id),
      [free.id],
    );
  },
};
