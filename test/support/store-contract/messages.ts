/** Messages are stored once and never change; views show them in order. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { appendInBatches, batchLimits } from '../../../packages/core/src/store/message-store.ts';
import { beginInBatches } from '../../../packages/core/src/store/session-store.ts';
import type { Message } from '../../../packages/core/src/transcript/message.ts';
import { conversations } from '../conversations.ts';
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

const halfPair = String.fromCharCode(0xd83d);

/** Everything that a text or a field may hold and a database may not like. */
const hostileTexts = [
  '',
  '\0',
  `a\0b${halfPair}`,
  halfPair,
  '\r\n',
  '\u2028',
  "'; drop table messages; --",
  '%_\\',
  '🙂',
  '日本語',
];

/** Lists within lists. */
function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
}

export const messagePromises: StorePromises = {
  'L1 any message comes back with every field, in another process’s store too': async (t, bench) => {
    const { store, clock, place } = await opened(t, bench);
    const other = await bench.open(place, clock);
    t.after(() => other.close());
    await fc.assert(
      fc.asyncProperty(conversations({ faults: true, maxSteps: 6 }), async (messages) => {
        const session = await store.sessions.create({ source: 'library' });
        await store.messages.append(session.id, messages);
        const view = await other.messages.view(session.id);
        assert.deepEqual(
          view.map(({ message }) => message),
          messages.map(withoutSource),
        );
        for (const { id, message } of view) assert.deepEqual((await other.messages.get(id))?.message, message);
      }),
      { numRuns: 40 },
    );
  },

  'L1 texts that a database does not like come back as they were': async (t, bench) => {
    const { store } = await opened(t, bench);
    const messages = hostileTexts.map((text) =>
      said(text, {
        name: text,
        model: text,
        extra: { format: 'anthropic', fields: { [text]: [text, null, 1.5, { deep: text }] } },
      }),
    );
    const session = await store.sessions.create({ source: 'library' });
    await store.messages.append(session.id, messages);
    assert.deepEqual(
      (await store.messages.view(session.id)).map(({ message }) => message),
      messages,
    );
  },

  'L1 a message is stored once, whatever sessions show it and however its fields are ordered': async (t, bench) => {
    const { store } = await opened(t, bench);
    const first = await sessionOf(store, ['one', 'two', 'one']);
    const second = await store.sessions.create({ source: 'library' });
    const turned: Message = { parts: [{ text: 'two', type: 'text' }], role: 'user' };
    const again = await store.messages.append(second.id, [turned, said('three')]);
    assert.equal(again.added, 1);
    assert.equal(await store.messages.count(), 3);
    assert.deepEqual(await shownTexts(store, first), ['one', 'two', 'one']);
    assert.deepEqual(
      (await store.messages.places(again.ids.slice(0, 1))).map(({ sessionId, position }) => [sessionId, position]),
      [
        [first.id, 1],
        [second.id, 0],
      ],
    );
    assert.equal((await store.messages.get(again.ids[0] ?? ''))?.sessionId, first.id);
  },

  'L1 messages that differ in any field are told apart, and their ids do not depend on the store': async (t, bench) => {
    const { store } = await opened(t, bench);
    const { store: elsewhere } = await opened(t, bench);
    const messages = [
      said('a'),
      answered('a'),
      said('a', { name: 'Ann' }),
      said('a', { time: '2026-11-22T10:00:00Z' }),
      said('a', { model: 'm' }),
      said('a', { providerId: 'p' }),
      said('a', { extra: { format: 'codex', fields: {} } }),
    ];
    const ids = async (one: typeof store): Promise<readonly string[]> => {
      const session = await one.sessions.create({ source: 'library' });
      return (await one.messages.append(session.id, messages)).ids;
    };
    const known = await ids(store);
    assert.equal(new Set(known).size, messages.length);
    assert.ok(known.every((id) => /^[0-9a-f]{16}$/.test(id)));
    assert.deepEqual(await ids(elsewhere), known);
  },

  'L2 objects from outside come back with their members in the order in which they came': async (t, bench) => {
    const { store } = await opened(t, bench);
    const wire = ['{"b":1,"a":{"d":2,"c":3}}', '{"a":{"c":3,"d":2},"b":1}'];
    const messages = wire.map((text): Message => {
      const value: { readonly b: number; readonly a: { readonly c: number; readonly d: number } } = JSON.parse(text);
      return said('same', { extra: { format: 'pi', fields: { line: value } } });
    });
    const session = await sessionOf(store, []);
    const { ids, added } = await store.messages.append(session.id, [...messages, ...messages]);
    assert.deepEqual([added, new Set(ids).size], [2, 2]);
    const view = await store.messages.view(session.id);
    assert.deepEqual(
      view.map(({ message }) => JSON.stringify(message.extra?.fields.line)),
      [...wire, ...wire],
    );
  },

  'L1 a message is as old as it says, else as the caller says, else as the clock says': async (t, bench) => {
    const { store, clock } = await opened(t, bench);
    const session = await store.sessions.create({ source: 'library', startedAt: 5 });
    await store.messages.append(session.id, [said('dated', { time: '2026-01-02T03:04:05Z' }), said('imported')], {
      time: 7,
    });
    assert.equal((await store.sessions.get(session.id))?.lastActiveAt, Date.UTC(2026, 0, 2, 3, 4, 5));
    clock.now += 1_000;
    await store.messages.append(session.id, [said('now'), said('no date', { time: 'yesterday' })]);
    assert.deepEqual(
      (await store.messages.view(session.id)).map(({ time }) => time),
      [Date.UTC(2026, 0, 2, 3, 4, 5), 7, morning + 1_000, morning + 1_000],
    );
    assert.equal((await store.sessions.get(session.id))?.lastActiveAt, morning + 1_000);
  },

  'L1 a view is read by ranges, and nothing lies outside': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['a', 'b', 'c', 'd']);
    const positions = async (range: { from?: number; to?: number }): Promise<readonly number[]> =>
      (await store.messages.view(session.id, range)).map(({ position }) => position);
    assert.deepEqual(await positions({ from: 1, to: 3 }), [1, 2]);
    assert.deepEqual(await positions({ from: 2 }), [2, 3]);
    assert.deepEqual(await positions({ from: -5, to: 1 }), [0]);
    assert.deepEqual(await positions({ from: 4, to: 9 }), []);
    assert.deepEqual(await positions({ from: 3, to: 1 }), []);
    assert.equal((await store.messages.viewIds(session.id)).length, 4);
  },

  'L1 parts of several views come in the order asked for': async (t, bench) => {
    const { store } = await opened(t, bench);
    const [a, b] = [await sessionOf(store, ['a', 'b', 'c']), await sessionOf(store, ['x', 'y'])];
    const found = await store.messages.views([
      { sessionId: b.id, from: 1 },
      { sessionId: a.id, from: 1, to: 2 },
      { sessionId: b.id, to: 1 },
      { sessionId: a.id, from: 9 },
    ]);
    assert.deepEqual(
      found.map(({ sessionId, position }) => [sessionId, position]),
      [
        [b.id, 1],
        [a.id, 1],
        [b.id, 0],
      ],
    );
    assert.deepEqual(await store.messages.views([]), []);
    await assert.rejects(store.messages.views([{ sessionId: a.id }, { sessionId: 'nobody' }]), { code: 'ID_UNKNOWN' });
  },

  'L1 a caller that is behind, or late, is refused and nothing is written': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['a', 'b']);
    const append = (expectedSize: number): Promise<unknown> =>
      store.messages.append(session.id, [said('c')], { expectedSize });
    await assert.rejects(append(1), { code: 'STORE_CONFLICT' });
    await append(2);
    await store.sessions.end(session.id, 'idle');
    await assert.rejects(append(3), { code: 'STORE_CONFLICT' });
    await store.sessions.reopen(session.id);
    await append(3);
    assert.deepEqual(await shownTexts(store, session), ['a', 'b', 'c', 'c']);
  },

  'L1 small values are kept with the messages that they came with, or not at all': async (t, bench) => {
    const { store, clock, place } = await opened(t, bench);
    const session = await sessionOf(store, ['a']);
    const append = (text: string, meta: Record<string, string>, expectedSize: number): Promise<unknown> =>
      appendInBatches(store.messages, session.id, { messages: [said(text)], meta, expectedSize });
    const other = await bench.open(place, clock);
    t.after(() => other.close());
    await append('b', { 'said:1\0\ud83d': 'here', 'said:2': 'there' }, 1);
    assert.deepEqual(await Promise.all(['said:1\0\ud83d', 'said:2'].map(other.meta.get)), ['here', 'there']);
    await assert.rejects(append('c', { 'said:2': 'elsewhere', 'said:3': 'new' }, 1), { code: 'STORE_CONFLICT' });
    assert.deepEqual(await Promise.all(['said:2', 'said:3'].map(other.meta.get)), ['there', undefined]);
    assert.deepEqual(await shownTexts(other, session), ['a', 'b']);
  },

  'L1 small values come with the first step of a long list': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, []);
    const messages = Array.from({ length: batchLimits.messages + 1 }, (_, i) => said(`text ${i}`));
    const seen: (string | undefined)[] = [];
    const watched = {
      ...store.messages,
      append: async (...given: Parameters<typeof store.messages.append>) => {
        const done = await store.messages.append(...given);
        seen.push(await store.meta.get('where'));
        await store.meta.set('where', undefined);
        return done;
      },
    };
    await appendInBatches(watched, session.id, { messages, meta: { where: 'here' } });
    assert.deepEqual(seen, ['here', undefined]);
  },

  'F3 a long session begins with its first step, and has the others behind it': async (t, bench) => {
    const { store } = await opened(t, bench);
    const messages = Array.from({ length: batchLimits.messages + 1 }, (_, i) => said(`text ${i}`));
    const { session, appended } = await beginInBatches(
      store,
      { source: 'library' },
      { messages, meta: { where: 'here' } },
    );
    assert.deepEqual([session.messages, appended.from, appended.added], [batchLimits.messages, 0, messages.length]);
    assert.deepEqual(await store.messages.viewIds(session.id), appended.ids);
    assert.equal(await store.meta.get('where'), 'here');
  },

  'L1 ids are found by how they begin, in order': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(
      store,
      Array.from({ length: 200 }, (_, i) => `text ${i}`),
    );
    const ids = [...(await store.messages.viewIds(session.id))].sort();
    for (const [prefix, limit] of [
      ['', 9],
      ['g', 9],
      ['%', 9],
      ['_', 9],
      ["'", 9],
      ['0', 500],
      ['f', 3],
      ['ff', 500],
    ] as const) {
      const wanted = prefix === '' ? [] : ids.filter((id) => id.startsWith(prefix)).slice(0, limit);
      assert.deepEqual(await store.messages.find(prefix, limit), wanted);
    }
    for (const id of ids) assert.deepEqual(await store.messages.find(id, 2), [id]);
  },

  'L1 what is no message or no session is refused as a whole': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['a']);
    // Callers without types hand in such things.
    const broken = [
      { role: 'user', content: 'text' },
      { role: 'robot', parts: [] },
      null,
      { role: 'user', parts: [null] },
      { role: 'user', parts: [{ type: 'video' }] },
      { role: 'user', parts: [{ type: 'text', text: 5 }] },
      { role: 'tool', parts: [{ type: 'toolResult', callId: 'a' }] },
      { role: 'tool', parts: [{ type: 'toolResult', callId: 'a', content: [{ type: 'toolResult', content: [] }] }] },
      { role: 'user', parts: [], time: 5 },
      { role: 'user', parts: [{ type: 'other', value: 1n }] },
      { role: 'user', parts: [{ type: 'other', value: nested(100_000) }] },
    ] as unknown as Message[];
    for (const message of broken) {
      await assert.rejects(store.messages.append(session.id, [said('b'), message]), { code: 'BAD_MESSAGES' });
    }
    await assert.rejects(store.messages.append('nobody', [said('b')]), { code: 'ID_UNKNOWN' });
    await assert.rejects(store.messages.view('nobody'), { code: 'ID_UNKNOWN' });
    assert.equal(await store.messages.count(), 1);
    assert.equal(await store.messages.get('0000000000000000'), undefined);
    assert.deepEqual(await store.messages.places(['0000000000000000']), []);
  },

  'L1 a long import goes in by steps, in order and once': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await store.sessions.create({ source: 'claude-code' });
    const messages = Array.from({ length: batchLimits.messages + 500 }, (_, i) => said(`message ${i % 1_200}`));
    const done = await appendInBatches(store.messages, session.id, { messages, time: morning });
    assert.deepEqual([done.from, done.added, done.ids.length], [0, 1_200, messages.length]);
    assert.deepEqual(await store.messages.viewIds(session.id), done.ids);
    await assert.rejects(appendInBatches(store.messages, session.id, { messages, expectedSize: 1 }), {
      code: 'STORE_CONFLICT',
    });
  },

  'L1 a handoff names what it stands for, in the order it was said': async (t, bench) => {
    const { store } = await opened(t, bench);
    const session = await sessionOf(store, ['a', 'b', 'c']);
    const covers = await store.messages.viewIds(session.id);
    const next = await compressed(store, session, '<handoff>abc</handoff>');
    const [handoff = ''] = await store.messages.viewIds(next.id);
    assert.deepEqual(await store.messages.coveredBy(handoff), covers);
    assert.deepEqual(await store.messages.coveredBy(covers[0] ?? ''), []);
  },
};

const withoutSource = ({ source: _, ...message }: Message): Message => message;
