/** What is remembered: entries, acts over them, and what is taken back or forgotten. */
import assert from 'node:assert/strict';
import type {
  MemoryActDraft,
  MemoryChange,
  MemoryDraft,
  MemoryEntry,
} from '../../../packages/core/src/store/memory-store.ts';
import type { Store } from '../../../packages/core/src/store/store.ts';
import { morning, opened, type StorePromises } from './store-bench.ts';

const drafted = (text: string, fields: Partial<MemoryDraft> = {}): MemoryDraft => ({
  target: 'memory',
  kind: 'fact',
  text,
  source: 'person',
  messages: [],
  replaces: [],
  statedAt: morning,
  ...fields,
});

const adding = (...drafts: readonly MemoryDraft[]): MemoryActDraft => ({
  actor: 'model',
  what: 'add',
  reason: 'It was said.',
  changes: drafts.map((draft) => ({ type: 'add', draft })),
});

const setting = (...changes: readonly (readonly [string, Partial<MemoryDraft>])[]): MemoryActDraft => ({
  actor: 'curator',
  what: 'set',
  reason: 'It was looked at.',
  changes: changes.map(([id, values]): MemoryChange => ({ type: 'set', id, values })),
});

async function added(store: Store, ...drafts: readonly MemoryDraft[]): Promise<readonly MemoryEntry[]> {
  return (await store.memory.act(adding(...drafts))).changes.map(({ after }) => after);
}

const one = async (store: Store, text: string, fields: Partial<MemoryDraft> = {}): Promise<MemoryEntry> => {
  const [entry] = await added(store, drafted(text, fields));
  assert.ok(entry);
  return entry;
};

const texts = (entries: readonly MemoryEntry[]): readonly string[] => entries.map(({ text }) => text);
const byPerson = { actor: 'person', reason: 'It was wrong.' } as const;

export const memoryPromises: StorePromises = {
  'M5 an entry comes back as it was given, whatever its texts hold': async (t, bench) => {
    const { store, place, clock } = await opened(t, bench);
    const strange = 'a\0b\ud83dc "q" \u2028 § 🙂';
    const draft: Required<MemoryDraft> = {
      ...drafted(strange),
      target: 'user',
      kind: 'preference',
      key: strange,
      value: strange,
      project: strange,
      source: 'outside-tool',
      sessionId: 'gone',
      messages: ['m1', 'm2'],
      replaces: ['e7'],
      status: 'pending',
      until: morning + 1,
      confirmedAt: morning + 2,
      usedAt: morning + 3,
    };
    const entry = await one(store, strange, draft);
    assert.deepEqual(entry, { id: 'e1', ...draft, createdAt: morning, updatedAt: morning });
    assert.deepEqual(await store.memory.get('e1'), entry);
    const least = await one(store, 'b');
    assert.deepEqual(least, { ...drafted('b'), id: 'e2', status: 'live', createdAt: morning, updatedAt: morning });
    await store.close();
    const again = await bench.open(place, clock);
    t.after(() => again.close());
    assert.deepEqual(await again.memory.get('e1'), entry);
    assert.deepEqual((await again.memory.history())[1]?.changes, [{ after: entry }]);
  },

  'M5 an act is done whole or not at all, with how each entry was before and after': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    const [a, b] = await added(store, drafted('a'), drafted('b'));
    assert.ok(a && b);
    clock.now += 5;
    const act = await store.memory.act({
      ...setting(['e1', { text: 'a2', kind: 'state' }], ['e2', { status: 'retired' }]),
      sessionId: 's',
    });
    assert.deepEqual(act, {
      id: 'a2',
      at: morning + 5,
      actor: 'curator',
      what: 'set',
      reason: 'It was looked at.',
      sessionId: 's',
      changes: [
        { before: a, after: { ...a, text: 'a2', kind: 'state', updatedAt: morning + 5 } },
        { before: b, after: { ...b, status: 'retired', updatedAt: morning + 5 } },
      ],
    });
    const before = [await store.memory.list({ status: ['live', 'retired'] }), await store.memory.history()];
    const changes: readonly MemoryChange[] = [
      { type: 'add', draft: drafted('c') },
      { type: 'set', id: 'e9', values: { text: 'x' } },
    ];
    await assert.rejects(store.memory.act({ ...adding(), changes }), { code: 'ID_UNKNOWN' });
    assert.deepEqual([await store.memory.list({ status: ['live', 'retired'] }), await store.memory.history()], before);
  },

  'M5 nothing that is no entry is kept': async (t, bench) => {
    const { store } = await opened(t, bench);
    await one(store, 'a');
    const wrong: readonly object[] = [
      { text: '' },
      { text: ' \n' },
      { text: 5 },
      { source: 'god' },
      { kind: 'joke' },
      { target: 'all' },
      { status: 'forgotten' },
      { messages: 'm1' },
      { replaces: [1] },
      { key: 'k' },
      { until: Number.NaN },
      { id: 'e9' },
      { createdAt: 1 },
    ];
    for (const values of wrong) {
      await assert.rejects(store.memory.act(adding({ ...drafted('x'), ...values })), { code: 'BAD_OPTION' });
      await assert.rejects(store.memory.act(setting(['e1', values])), { code: 'BAD_OPTION' });
    }
    await assert.rejects(store.memory.act(adding()), { code: 'BAD_OPTION' });
    assert.deepEqual(texts(await store.memory.list({ status: ['live', 'pending', 'retired', 'rejected'] })), ['a']);
  },

  'M5 what is given as undefined is taken away': async (t, bench) => {
    const { store } = await opened(t, bench);
    const entry = await one(store, 'a', { until: morning, project: 'p' });
    const values: Record<string, unknown> = { until: undefined, project: undefined };
    await store.memory.act(setting([entry.id, values]));
    const { until: _, project: __, ...rest } = entry;
    assert.deepEqual(await store.memory.get(entry.id), rest);
  },

  'M5 of an entry that has changed since an act was decided on, nothing is changed': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    const seen = await one(store, 'a');
    await store.memory.act(setting([seen.id, { usedAt: morning + 9 }]), [seen]);
    clock.now += 5;
    await store.memory.act(setting([seen.id, { text: 'b' }]), [seen]);
    await assert.rejects(store.memory.act(setting([seen.id, { text: 'c' }]), [seen]), { code: 'STORE_CONFLICT' });
    await assert.rejects(store.memory.act(adding(drafted('new')), [{ ...seen, id: 'e9' }]), { code: 'ID_UNKNOWN' });
    assert.deepEqual(texts(await store.memory.list()), ['b']);
  },

  'M5 entries are listed by status, target, kind, key and what holds in a project': async (t, bench) => {
    const { store } = await opened(t, bench);
    await added(
      store,
      drafted('everywhere', { target: 'user', kind: 'identity' }),
      drafted('in a', { project: '/a' }),
      drafted('in b', { project: '/b', key: 'port', value: '1' }),
      drafted('waits', { status: 'pending' }),
    );
    const list = async (filter: Parameters<Store['memory']['list']>[0]): Promise<readonly string[]> =>
      texts(await store.memory.list(filter));
    assert.deepEqual(await list({}), ['everywhere', 'in a', 'in b']);
    assert.deepEqual(await list({ project: '/a' }), ['everywhere', 'in a']);
    assert.deepEqual(await list({ project: null }), ['everywhere']);
    assert.deepEqual(await list({ project: '/c' }), ['everywhere']);
    assert.deepEqual(await list({ status: ['pending', 'live'], project: null }), ['everywhere', 'waits']);
    assert.deepEqual(await list({ status: [] }), []);
    assert.deepEqual(await list({ target: 'user' }), ['everywhere']);
    assert.deepEqual(await list({ kind: 'identity', project: '/a' }), ['everywhere']);
    assert.deepEqual(await list({ key: 'port' }), ['in b']);
    assert.deepEqual(await list({ key: 'port', project: '/a' }), []);
  },

  'M5 a key has one live entry in its scope, and any number in others': async (t, bench) => {
    const { store } = await opened(t, bench);
    const port = { key: 'port', value: '1' };
    const first = await one(store, 'port: 1', port);
    await one(store, 'port: 2', { ...port, project: '/a' });
    await assert.rejects(store.memory.act(adding(drafted('port: 3', port))), { code: 'STORE_CONFLICT' });
    const act = await store.memory.act({
      ...adding(drafted('port: 3', { ...port, replaces: [first.id] })),
      changes: [
        { type: 'add', draft: drafted('port: 3', { ...port, replaces: [first.id] }) },
        { type: 'set', id: first.id, values: { status: 'retired' } },
      ],
    });
    assert.deepEqual(texts(await store.memory.list({ key: 'port' })), ['port: 2', 'port: 3']);
    await assert.rejects(store.memory.act(setting([first.id, { status: 'live' }])), { code: 'STORE_CONFLICT' });
    await store.memory.undo(act.id, byPerson);
    assert.deepEqual(texts(await store.memory.list({ key: 'port' })), ['port: 1', 'port: 2']);
  },

  'M5 an act that is taken back leaves its entries as before, and is in force again when that is taken back': async (
    t,
    bench,
  ) => {
    const { store, clock } = await opened(t, bench);
    const seen = await one(store, 'a', { until: morning });
    const changes: readonly MemoryChange[] = [
      { type: 'set', id: seen.id, values: { text: 'b', kind: 'state' } },
      { type: 'add', draft: drafted('c') },
      { type: 'set', id: seen.id, values: { text: 'd' } },
    ];
    await store.memory.act({ ...adding(), changes });
    clock.now += 5;
    const undone = await store.memory.undo('a2', byPerson);
    assert.deepEqual(
      [undone.id, undone.what, undone.actor, undone.reason, undone.undoes, undone.at],
      ['a3', 'undo', 'person', 'It was wrong.', 'a2', morning + 5],
    );
    assert.deepEqual(await store.memory.get('e1'), { ...seen, updatedAt: morning + 5 });
    assert.equal((await store.memory.get('e2'))?.status, 'retired');
    assert.equal((await store.memory.history())[1]?.undoneBy, 'a3');
    await assert.rejects(store.memory.undo('a2', byPerson), { code: 'STORE_CONFLICT' });
    await store.memory.undo('a3', byPerson);
    assert.deepEqual(texts(await store.memory.list()), ['d', 'c']);
    assert.equal((await store.memory.history())[2]?.undoneBy, undefined);
    await store.memory.undo('a2', byPerson);
    assert.deepEqual(texts(await store.memory.list()), ['a']);
    await store.memory.undo('a1', byPerson);
    assert.deepEqual(await store.memory.list(), []);
    assert.equal((await store.care.check()).ok, true);
  },

  'M5 no act is taken back whose entries a later one has changed': async (t, bench) => {
    const { store } = await opened(t, bench);
    const [first] = await added(store, drafted('a'), drafted('b'));
    await store.memory.act(setting([first?.id ?? '', { text: 'a2' }]));
    await assert.rejects(store.memory.undo('a1', byPerson), { code: 'STORE_CONFLICT' });
    assert.deepEqual(texts(await store.memory.list()), ['a2', 'b']);
    for (const id of ['a9', 'e1', 'a0', '', 'a1x']) {
      await assert.rejects(store.memory.undo(id, byPerson), { code: 'ID_UNKNOWN' });
    }
  },

  'M5 the history tells the newest acts first, all of them or those of one entry': async (t, bench) => {
    const { store } = await opened(t, bench);
    for (const text of ['a', 'b']) await one(store, text);
    await store.memory.act(setting(['e1', { text: 'a2' }]));
    const ids = async (options: Parameters<Store['memory']['history']>[0]): Promise<readonly string[]> =>
      (await store.memory.history(options)).map(({ id }) => id);
    assert.deepEqual(await ids({}), ['a3', 'a2', 'a1']);
    assert.deepEqual(await ids({ limit: 2 }), ['a3', 'a2']);
    assert.deepEqual(await ids({ entry: 'e1' }), ['a3', 'a1']);
    assert.deepEqual(await ids({ entry: 'e9' }), []);
    assert.deepEqual(await ids({ limit: 0 }), []);
  },

  'M5 what is forgotten is gone from entries and history, and its number is never given again': async (t, bench) => {
    const { store, place, clock } = await opened(t, bench);
    await added(store, drafted('keep'), drafted('the secret word', { key: 'k', value: 'v' }));
    await store.memory.act({ ...setting(['e2', { text: 'the secret word twice' }]), reason: 'the secret word' });
    await store.memory.forget('e2');
    const told = JSON.stringify([
      await store.memory.list({ status: ['live', 'pending', 'retired', 'rejected'] }),
      await store.memory.history(),
    ]);
    assert.ok(!told.includes('secret'), told);
    assert.equal(await store.memory.get('e2'), undefined);
    await assert.rejects(store.memory.forget('e2'), { code: 'ID_UNKNOWN' });
    await assert.rejects(store.memory.act(setting(['e2', { text: 'x' }])), { code: 'ID_UNKNOWN' });
    await assert.rejects(store.memory.undo('a2', byPerson), { code: 'STORE_CONFLICT' });
    assert.equal((await store.care.check()).ok, true);
    await store.close();
    const again = await bench.open(place, clock);
    t.after(() => again.close());
    assert.equal((await one(again, 'next', { key: 'k', value: 'v' })).id, 'e3');
    // What else an act did is still taken back.
    assert.deepEqual(
      (await again.memory.undo('a1', byPerson)).changes.map(({ after }) => after.text),
      ['keep'],
    );
  },

  'M5 of two who change the same entry at once, one is told': async (t, bench) => {
    const { store, place, clock } = await opened(t, bench);
    const other = await bench.open(place, clock);
    t.after(() => other.close());
    const seen = await one(store, 'a');
    const outcomes = await Promise.allSettled(
      [store, other].map((each, i) => each.memory.act(setting([seen.id, { text: `b${i}` }]), [seen])),
    );
    assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    assert.equal((await store.memory.history()).length, 2);
  },
};
