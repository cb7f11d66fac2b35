/** Vectors of messages: kept by model, compared, and gone with the message. */
import assert from 'node:assert/strict';
import { compressed, opened, type StorePromises, sessionOf } from './store-bench.ts';

const model = 'three-numbers';
const vector = (...numbers: number[]): Float32Array => Float32Array.from(numbers);

export const vectorPromises: StorePromises = {
  'Q2 names what has no vectors yet, in parts, and nothing twice': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['one', 'two', 'three']);
    const ids = await store.messages.viewIds(session.id);

    const first = await store.vectors.missing(model, { limit: 2 });
    assert.deepEqual(first.ids, ids.slice(0, 2));
    const rest = await store.vectors.missing(model, { limit: 2, ...(first.next ? { after: first.next } : {}) });
    assert.deepEqual(rest.ids, ids.slice(2));

    await store.vectors.put(model, [
      { messageId: ids[0] ?? '', vectors: [vector(1, 0, 0)] },
      { messageId: ids[1] ?? '', vectors: [] },
    ]);
    assert.deepEqual(
      (await store.vectors.missing(model, { limit: 9 })).ids,
      ids.slice(2),
      'one without a vector is done',
    );
    assert.deepEqual((await store.vectors.missing('another', { limit: 9 })).ids, ids, 'another model has seen none');
  },

  'Q2 gives the most similar messages first, by the best of their vectors, within a filter': async (t, bench) => {
    const { store } = await opened(t, bench);
    const near = await sessionOf(store, ['near', 'far'], { source: 'near' });
    const other = await sessionOf(store, ['both'], { source: 'other' });
    const [nearId = '', farId = ''] = await store.messages.viewIds(near.id);
    const [bothId = ''] = await store.messages.viewIds(other.id);
    await store.vectors.put(model, [
      { messageId: nearId, vectors: [vector(0.8, 0.6, 0)] },
      { messageId: farId, vectors: [vector(-1, 0, 0)] },
      { messageId: bothId, vectors: [vector(0, 0, 1), vector(1, 0, 0)] },
    ]);
    const query = { model, vector: vector(1, 0, 0) };

    const found = await store.vectors.similar({ ...query, limit: 2 });
    assert.deepEqual(
      found.map(({ id, sessionId, position, similarity }) => [id, sessionId, position, similarity.toFixed(2)]),
      [
        [bothId, other.id, 0, '1.00'],
        [nearId, near.id, 0, '0.80'],
      ],
    );
    const narrowed = await store.vectors.similar({ ...query, limit: 9, filter: { sources: ['near'] } });
    assert.deepEqual(
      narrowed.map(({ id }) => id),
      [nearId, farId],
    );
    const some = await store.vectors.similarities(query, [farId, bothId, 'ffff']);
    assert.deepEqual(
      [...some].map(([id, similarity]) => [id, similarity.toFixed(2)]).sort(),
      [
        [bothId, '1.00'],
        [farId, '-1.00'],
      ].sort(),
    );
    assert.deepEqual(await store.vectors.similar({ ...query, model: 'another', limit: 9 }), []);
  },

  'Q2 shows a message in the session that still shows it after a compression': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['what was compressed']);
    const [id = ''] = await store.messages.viewIds(session.id);
    await compressed(store, session, 'a handoff');
    await store.vectors.put(model, [{ messageId: id, vectors: [vector(1, 0, 0)] }]);

    const [found] = await store.vectors.similar({ model, vector: vector(1, 0, 0), limit: 1 });
    assert.equal(found?.id, id);
    assert.equal(found?.sessionId, session.id);
  },

  'Q2 refuses vectors of another size, and says what to do': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['one', 'two']);
    const [one = '', two = ''] = await store.messages.viewIds(session.id);
    await store.vectors.put(model, [{ messageId: one, vectors: [vector(1, 0, 0)] }]);
    const wrong = store.vectors.put(model, [{ messageId: two, vectors: [vector(1, 0)] }]);
    await assert.rejects(wrong, { code: 'BAD_OPTION', message: /3 numbers .* got 2.*another name/ });
    await assert.rejects(store.vectors.similarities({ model, vector: vector(1) }, [one]), { code: 'BAD_OPTION' });
  },

  'Q2 forgets vectors with their messages, and a model when it is dropped': async (t, bench) => {
    const { store } = await opened(t, bench);
    const kept = await sessionOf(store, ['kept']);
    const gone = await sessionOf(store, ['gone']);
    const rows = [...(await store.messages.viewIds(kept.id)), ...(await store.messages.viewIds(gone.id))];
    await store.vectors.put(
      model,
      rows.map((messageId) => ({ messageId, vectors: [vector(1, 0, 0)] })),
    );
    await store.sessions.delete(gone.id);
    const [left] = await store.vectors.models();
    assert.deepEqual(
      { ...left, bytes: (left?.bytes ?? 0) > 0 },
      { name: model, dimensions: 3, messages: 1, vectors: 1, bytes: true },
    );
    assert.equal((await store.vectors.similar({ model, vector: vector(1, 0, 0), limit: 9 })).length, 1);

    assert.equal(await store.vectors.drop(model), 1);
    assert.deepEqual(await store.vectors.models(), []);
    assert.equal(await store.vectors.drop(model), 0);
    assert.equal(await store.messages.count(), 1, 'messages stay');
  },
};
