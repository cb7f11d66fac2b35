/** Sessions: how they descend, what they are called, and the list that a person sees. */

import assert from 'node:assert/strict';
import { type ContinuationDraft, newestSession } from '../../../packages/core/src/store/session-store.ts';
import {
  answered,
  compressed,
  morning,
  opened,
  type StorePromises,
  said,
  sessionOf,
  shownTexts,
} from './store-bench.ts';

export const conversationPromises: StorePromises = {
  'F3 a session that is begun with messages is there with all of them, or not at all': async (t, bench) => {
    const { store } = await opened(t, bench);
    const draft = { source: 'library', sourceId: 'one', startedAt: morning };
    const { session, appended } = await store.sessions.begin(draft, [said('a'), answered('b')]);
    assert.deepEqual([session.messages, appended.from, appended.added], [2, 0, 2]);
    assert.deepEqual(await shownTexts(store, session), ['a', 'b']);
    assert.deepEqual(await store.messages.viewIds(session.id), appended.ids);
    await assert.rejects(store.sessions.begin(draft, [said('c')]), { code: 'STORE_CONFLICT' });
    // What is no message, as a caller without types may send.
    const broken = [said('d'), JSON.parse('{"role":"user"}')];
    await assert.rejects(store.sessions.begin({ source: 'library' }, broken), { code: 'BAD_MESSAGES' });
    assert.deepEqual([(await store.sessions.list()).length, await store.messages.count()], [1, 2]);
  },

  'F3 a session begins with the small values that it is given, or with neither': async (t, bench) => {
    const { store } = await opened(t, bench);
    const draft = { id: 'one', source: 'library' };
    await store.sessions.begin(draft, [said('a')], { meta: { 'said:a': 'one' } });
    assert.equal(await store.meta.get('said:a'), 'one');
    await assert.rejects(store.sessions.begin(draft, [said('b')], { meta: { 'said:b': 'one' } }), {
      code: 'STORE_CONFLICT',
    });
    assert.equal(await store.meta.get('said:b'), undefined);
  },

  'L4 a side conversation that was there first is linked to its parent once, and never in a circle': async (
    t,
    bench,
  ) => {
    const { store } = await opened(t, bench);
    const side = await sessionOf(store, ['a'], { relation: 'side' });
    const inner = await sessionOf(store, ['b'], { relation: 'side', parentId: side.id });
    const parent = await sessionOf(store, ['c']);
    for (const one of [side, inner]) assert.equal(await store.sessions.link(side.id, one.id), false);
    assert.equal(await store.sessions.link(side.id, parent.id), true);
    assert.equal(await store.sessions.link(side.id, inner.id), false);
    assert.equal(await store.sessions.link(parent.id, side.id), false);
    assert.equal((await store.sessions.get(side.id))?.parentId, parent.id);
    await assert.rejects(store.sessions.link(side.id, 'none'), { code: 'ID_UNKNOWN' });
  },

  'L2 a compression ends the session and opens its continuation, with what came meanwhile behind it': async (
    t,
    bench,
  ) => {
    const { store, clock } = await opened(t, bench);
    const session = await sessionOf(store, ['a', 'b', 'c'], { title: 'Work', project: '/w', model: 'm' });
    const covers = (await store.messages.viewIds(session.id)).slice(0, 2);
    await store.messages.append(session.id, [said('late'), answered('later')]);
    clock.now += 60_000;
    const next = await store.sessions.continue({
      sessionId: session.id,
      size: 3,
      messages: [said('<handoff>'), said('c')],
      origins: [-1, 2],
      handoff: { at: 0, covers, writtenBy: 'model' },
    });
    const ended = await store.sessions.get(session.id);
    assert.deepEqual([ended?.endReason, ended?.endedAt], ['compression', morning + 60_000]);
    assert.deepEqual(await shownTexts(store, session), ['a', 'b', 'c', 'late', 'later']);
    assert.deepEqual(await shownTexts(store, next), ['<handoff>', 'c', 'late', 'later']);
    const view = await store.messages.view(next.id);
    assert.deepEqual(
      view.map(({ origin }) => origin),
      [-1, 2, 3, 4],
    );
    assert.deepEqual(
      view.map(({ time }) => time - morning),
      [60_000, 0, 0, 0],
    );
    const { relation, parentId, rootId, source, project, model, messages, startedAt, lastActiveAt } = next;
    assert.deepEqual(
      { relation, parentId, rootId, source, project, model, messages, startedAt, lastActiveAt },
      {
        relation: 'continuation',
        parentId: session.id,
        rootId: session.id,
        source: 'library',
        project: '/w',
        model: 'm',
        messages: 4,
        startedAt: morning + 60_000,
        lastActiveAt: morning,
      },
    );
  },

  'F4 of two that compress one session the second is refused, and nothing of it is written': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['a', 'b']);
    await compressed(store, session, 'first');
    const before = [await store.messages.count(), await store.sessions.list()];
    await assert.rejects(compressed(store, session, 'second'), { code: 'STORE_CONFLICT' });
    await assert.rejects(store.sessions.reopen(session.id), { code: 'STORE_CONFLICT' });
    assert.deepEqual([await store.messages.count(), await store.sessions.list()], before);
  },

  'F4 a lease that another process took is refused; one that only lapsed is not': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    const session = await sessionOf(store, ['a']);
    const mine = await store.leases.acquire('compress', 'me', 1_000);
    assert.ok(mine);
    clock.now += 1_001;
    const theirs = await store.leases.acquire('compress', 'them', 1_000);
    const draft = { sessionId: session.id, size: 1, messages: [said('h')], origins: [-1] };
    await assert.rejects(store.sessions.continue({ ...draft, lease: mine }), { code: 'STORE_CONFLICT' });
    assert.equal((await store.sessions.get(session.id))?.endedAt, undefined);
    assert.ok(theirs);
    clock.now += 5_000;
    assert.equal((await store.sessions.continue({ ...draft, lease: theirs })).messages, 1);
  },

  'L2 a continuation that contradicts its session is refused, and nothing of it is written': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['a', 'b']);
    const draft = { sessionId: session.id, size: 2, messages: [said('h')], origins: [-1] };
    const wrong: readonly Partial<ContinuationDraft>[] = [
      { size: 3 },
      { size: -1 },
      { origins: [] },
      { origins: [2] },
      { handoff: { at: 1, covers: [], writtenBy: 'ledger' } },
      { handoff: { at: 0, covers: ['0000000000000000'], writtenBy: 'ledger' } },
    ];
    for (const part of wrong) {
      await assert.rejects(
        store.sessions.continue({ ...draft, ...part }),
        { code: 'BAD_OPTION' },
        JSON.stringify(part),
      );
    }
    assert.deepEqual([await store.messages.count(), (await store.sessions.list()).length], [2, 1]);
    assert.equal((await store.sessions.get(session.id))?.endedAt, undefined);
  },

  'L3 the tip is the newest continuation; branches and side conversations are not on the way': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    const root = await sessionOf(store, ['a']);
    const branch = await store.sessions.create({ source: 'library', parentId: root.id });
    const side = await store.sessions.create({ source: 'library', parentId: root.id, relation: 'side' });
    clock.now += 1_000;
    const middle = await compressed(store, root, 'h1');
    const tip = await compressed(store, middle, 'h2');
    for (const session of [root, middle, tip]) {
      assert.equal((await store.sessions.tip(session.id)).id, tip.id);
      assert.deepEqual(
        (await store.sessions.chain(session.id)).map(({ id }) => id),
        [root.id, middle.id, tip.id],
      );
    }
    assert.deepEqual(
      [branch.relation, branch.rootId, side.relation, side.rootId],
      ['branch', branch.id, 'side', side.id],
    );
    assert.equal((await store.sessions.tip(branch.id)).id, branch.id);
    await assert.rejects(store.sessions.tip('nobody'), { code: 'ID_UNKNOWN' });
  },

  'L3 a walk goes 100 continuations far, a chain to its ends, and a name to its newest': async (t, bench) => {
    const { store } = await opened(t, bench);
    const root = await sessionOf(store, ['a'], { title: 'Long' });
    const ids = [root.id];
    for (let i = 1, last = root; i <= 205; i++) {
      last = await compressed(store, last, `h${i}`);
      ids.push(last.id);
    }
    const tip = ids.at(-1);
    const tipOf = async (at: number): Promise<string> => (await store.sessions.tip(ids[at] ?? '')).id;
    // 99, 100 and 101 continuations before the end, and further.
    for (const hops of [0, 1, 99, 100]) assert.equal(await tipOf(205 - hops), tip, `${hops} hops`);
    for (const hops of [101, 102, 200, 205])
      assert.equal(await tipOf(205 - hops), ids[205 - hops + 100], `${hops} hops`);
    // Where the walk stops short, the session says that it has ended.
    assert.notEqual((await store.sessions.tip(root.id)).endedAt, undefined);
    for (const at of [0, 50, 104, 105, 205]) assert.equal((await newestSession(store.sessions, ids[at] ?? '')).id, tip);
    for (const id of [root.id, ids[100] ?? '', tip ?? ''])
      assert.deepEqual(
        (await store.sessions.chain(id)).map((session) => session.id),
        ids,
      );
    for (const name of ['Long', root.id, ids[3] ?? ''])
      assert.deepEqual(
        (await store.sessions.find(name)).map(({ id }) => id),
        [tip],
      );
    const [row, ...others] = await store.sessions.list();
    assert.deepEqual([row?.tip.id, row?.root.id, row?.sessions, others.length], [tip, root.id, 206, 0]);
  },

  'L1 times and counts without an end are taken, and what is no number is refused': async (t, bench) => {
    const { store } = await opened(t, bench);
    const forever = {
      since: Number.NEGATIVE_INFINITY,
      until: Number.POSITIVE_INFINITY,
      limit: Number.POSITIVE_INFINITY,
    };
    const session = await sessionOf(store, ['a'], { startedAt: 1.5 });
    await store.messages.append(session.id, [said('b')], { time: Number.POSITIVE_INFINITY });
    await store.messages.append(session.id, [said('c', { time: '1950-01-01T00:00:00Z' })], { time: 2.5 });
    const [row, ...others] = await store.sessions.list(forever);
    assert.deepEqual([row?.tip.startedAt, row?.tip.lastActiveAt, others.length], [1, 8_640_000_000_000_000, 0]);
    assert.equal((await store.messages.view(session.id, { to: Number.POSITIVE_INFINITY })).length, 3);
    const refused = { code: 'BAD_OPTION', message: /to be a number, not NaN/ };
    const none = Number.NaN;
    await assert.rejects(store.messages.append(session.id, [said('d')], { time: none }), refused);
    await assert.rejects(store.messages.view(session.id, { from: none }), refused);
    await assert.rejects(store.sessions.create({ source: 'library', startedAt: none }), { code: 'BAD_OPTION' });
    for (const name of ['since', 'until', 'limit', 'offset'])
      await assert.rejects(store.sessions.list({ [name]: none }), refused);
    await assert.rejects(store.sessions.prune(none), refused);
    await assert.rejects(store.usage.totals({ since: none }), refused);
    const { id } = await store.outputs.save('text');
    await assert.rejects(store.outputs.read(id, { from: none }), refused);
    assert.equal((await store.messages.view(session.id)).length, 3);
  },

  'L4 the same long title is cut to make room for its number, however often it comes': async (t, bench) => {
    const { store } = await opened(t, bench);
    const name = async (title: string): Promise<string | undefined> =>
      (await store.sessions.create({ source: 'library', title })).title;
    const titles: (string | undefined)[] = [];
    for (let i = 0; i < 12; i++) titles.push(await name('y'.repeat(100)));
    assert.deepEqual(
      [titles[0], titles[1], titles[2], titles[11]],
      ['y'.repeat(100), `${'y'.repeat(97)} #2`, `${'y'.repeat(97)} #3`, `${'y'.repeat(96)} #12`],
    );
    assert.equal(new Set(titles).size, 12);
    assert.deepEqual(
      [await name('Z #999999999'), await name('Z #999999999'), await name('Z #999999999')],
      ['Z #999999999', 'Z #1000000000', 'Z #1000000001'],
    );
  },

  'L4 two processes number the same title in turn': async (t, bench) => {
    const { store, clock, place } = await opened(t, bench);
    const other = await bench.open(place, clock);
    t.after(() => other.close());
    const titles: (string | undefined)[] = [];
    for (const one of [store, store, other, store, other, other, store])
      titles.push((await one.sessions.create({ source: 'library', title: 'New chat' })).title);
    assert.deepEqual(titles, ['New chat', ...[2, 3, 4, 5, 6, 7].map((number) => `New chat #${number}`)]);
  },

  'L4 a list has one row a conversation: the root’s start, the tip’s preview, the newest title': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    const root = await sessionOf(store, ['first request'], { title: 'Fix  the\u200b\tbuild\n' });
    clock.now += 1_000;
    const other = await sessionOf(store, ['x'.repeat(200)]);
    await store.sessions.create({ source: 'library', parentId: root.id, relation: 'side' });
    clock.now += 1_000;
    const tip = await compressed(store, root, '<handoff>\n…');
    await store.messages.append(tip.id, [
      said(' second\n request '),
      answered('yes'),
      said('<system>reminder</system>'),
    ]);
    const rows = await store.sessions.list();
    assert.deepEqual(
      rows.map((row) => [row.tip.id, row.root.id, row.root.startedAt, row.sessions, row.title, row.preview]),
      [
        [tip.id, root.id, morning, 2, 'Fix the build #2', 'second request'],
        [other.id, other.id, morning + 1_000, 1, undefined, `${'x'.repeat(79)}…`],
      ],
    );
    assert.equal((await store.sessions.list({ sides: true })).length, 3);
  },

  'L4 a list is filtered by source, folder and time, and read in pages': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    const make = async (text: string, source: string, project: string): Promise<void> => {
      await sessionOf(store, [text], { source, project });
      clock.now += 1_000;
    };
    await make('a', 'cli', '/home/ann/app');
    await make('b', 'codex', '/home/ann/app/sub');
    await make('c', 'codex', '/home/ann/app-two');
    await make('d', 'cli', '/home/ann/a%p/');
    const previews = async (filter: Parameters<typeof store.sessions.list>[0]): Promise<string> =>
      (await store.sessions.list(filter)).map(({ preview }) => preview).join('');
    assert.equal(await previews({}), 'dcba');
    assert.equal(await previews({ source: 'codex' }), 'cb');
    assert.equal(await previews({ project: '/home/ann/app' }), 'ba');
    assert.equal(await previews({ project: '/home/ann/app/' }), 'ba');
    assert.equal(await previews({ project: '/home/ann/a%p' }), 'd');
    assert.equal(await previews({ project: '/' }), 'dcba');
    assert.equal(await previews({ since: morning + 1_000, until: morning + 3_000 }), 'cb');
    assert.equal(await previews({ limit: 2 }), 'dc');
    assert.equal(await previews({ limit: 2, offset: 3 }), 'a');
    assert.equal(await previews({ source: 'nothing' }), '');
  },

  'L4 no two sessions have the same title: X becomes X #2, then X #3': async (t, bench) => {
    const { store } = await opened(t, bench);
    const first = await sessionOf(store, ['a'], { title: 'X' });
    const titles = [first.title];
    for (let i = 0; i < 2; i++) titles.push((await store.sessions.create({ source: 'cli', title: 'x' })).title);
    assert.deepEqual(titles, ['X', 'x #2', 'x #3']);
    assert.equal((await compressed(store, first, 'h')).title, 'X #4');
    const named = await sessionOf(store, ['b']);
    assert.equal(await store.sessions.title(named.id, 'X #2'), 'X #5');
    assert.equal(await store.sessions.title(named.id, 'X #5'), 'X #5');
    assert.equal(await store.sessions.title(named.id, ' \u200b\0 '), undefined);
    assert.equal((await store.sessions.get(named.id))?.title, undefined);
    const full = 'y'.repeat(100);
    assert.equal(await store.sessions.title(named.id, full), full);
    assert.equal(await store.sessions.title(first.id, full), `${'y'.repeat(97)} #2`);
    await assert.rejects(store.sessions.title(named.id, 'y'.repeat(101)), { code: 'BAD_OPTION' });
    assert.equal((await store.sessions.get(named.id))?.title, full);
  },

  'L4 a person’s title is never replaced by a model’s or a file’s': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['a'], { title: 'from the file', titleFrom: 'source' });
    assert.equal(await store.sessions.title(session.id, 'by a model', 'model'), 'by a model');
    assert.equal(await store.sessions.title(session.id, 'from the file', 'source'), 'by a model');
    assert.equal(await store.sessions.title(session.id, 'mine'), 'mine');
    assert.equal(await store.sessions.title(session.id, 'by a model', 'model'), 'mine');
    assert.equal(await store.sessions.title(session.id, undefined, 'model'), 'mine');
    assert.equal(await store.sessions.title(session.id, undefined), undefined);
  },

  'L4 an id, the beginning of one, a tool’s own id or a title leads to the tip': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    const root = await sessionOf(store, ['a'], { title: 'Build', sourceId: 'tool-7' });
    clock.now += 10 ** 10;
    const other = await sessionOf(store, ['b']);
    const tip = await compressed(store, root, 'h');
    const found = async (text: string): Promise<readonly string[]> =>
      (await store.sessions.find(text)).map(({ id }) => id);
    for (const text of [root.id, root.id.slice(0, 14), 'Build', 'build', 'Build #2', 'tool-7', ' tool- ']) {
      assert.deepEqual(await found(text), [tip.id], text);
    }
    assert.deepEqual((await found(other.id.slice(0, 2))).toSorted(), [tip.id, other.id].toSorted());
    const second = await sessionOf(store, ['c'], { title: 'Build' });
    assert.deepEqual(await found('Build'), [second.id, tip.id]);
    for (const text of ['', ' ', '%', '_', 'nothing', '\0'])
      assert.deepEqual(await found(text), [], JSON.stringify(text));
  },

  'L6 the session of a tool is found by the tool’s own id, once': async (t, bench) => {
    const { store } = await opened(t, bench);
    const draft = { source: 'claude-code', sourceId: 'abc' };
    const session = await store.sessions.create(draft);
    await assert.rejects(store.sessions.create(draft), { code: 'STORE_CONFLICT' });
    assert.equal((await store.sessions.bySource('claude-code', 'abc'))?.id, session.id);
    assert.equal(await store.sessions.bySource('codex', 'abc'), undefined);
    const branch = await store.sessions.create({ ...draft, parentId: session.id });
    assert.equal((await store.sessions.bySource('claude-code', 'abc'))?.id, branch.id);
  },

  'L2 the first reason for an end stays, until the session is reopened': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    const session = await sessionOf(store, ['a']);
    await store.sessions.end(session.id, 'idle');
    clock.now += 5;
    await store.sessions.end(session.id, 'daily');
    const { endReason, endedAt } = (await store.sessions.get(session.id)) ?? {};
    assert.deepEqual([endReason, endedAt], ['idle', morning]);
    await store.sessions.reopen(session.id);
    assert.equal((await store.sessions.get(session.id))?.endReason, undefined);
  },

  'L4 a session that cannot be is refused': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await store.sessions.create({ source: 'cli', id: 'chosen' });
    assert.equal(session.id, 'chosen');
    await assert.rejects(store.sessions.create({ source: 'cli', id: 'chosen' }), { code: 'STORE_CONFLICT' });
    await assert.rejects(store.sessions.create({ source: '' }), { code: 'BAD_OPTION' });
    await assert.rejects(store.sessions.create({ source: 'cli', id: 'a b' }), { code: 'BAD_OPTION' });
    await assert.rejects(store.sessions.create({ source: 'cli', parentId: 'nobody' }), { code: 'ID_UNKNOWN' });
    assert.equal(await store.sessions.get('nobody'), undefined);
  },
};
