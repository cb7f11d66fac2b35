import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ConversationRecord, createRecord } from '../../packages/core/src/compression/record.ts';
import type { Message } from '../../packages/core/src/transcript/message.ts';
import { assistant, message, user } from '../support/conversations.ts';

const newRecord = (): ConversationRecord => createRecord({ count: (text) => text.length });
const [a, b, c, d] = [user('a'), assistant('b'), user('c'), assistant('d')];
const handoff = (text: string): Message => ({
  role: 'user',
  origin: 'summary',
  parts: [{ type: 'text', text: `<handoff covers="m1-m2" messages="2">\n${text}\n</handoff>` }],
});

test('A6: a message has its place from the first time on, also as an equal object', () => {
  const record = newRecord();
  assert.deepEqual(record.ingest([a, b]), [0, 1]);
  assert.deepEqual(record.ingest([structuredClone(a), b, c]), [0, 1, 2]);
  assert.equal(record.size, 3);
  assert.equal(record.message('m1'), a);
});

test('A6: equal messages have as many places as times they were said', () => {
  const record = newRecord();
  assert.deepEqual(record.ingest([a, b, a, b, a]), [0, 1, 2, 3, 4]);
  assert.deepEqual(record.ingest([a, b, a, b, a, b]), [0, 1, 2, 3, 4, 5]);
});

test('A6: a number that was not given means nothing', () => {
  const record = newRecord();
  record.ingest([a]);
  assert.deepEqual([record.message('m0'), record.message('m2'), record.message('m1')], [undefined, undefined, a]);
});

test('A6: a view is known again by its handoff, whatever else has changed in its messages', () => {
  const record = newRecord();
  const prompt = message('system', 's');
  record.ingest([prompt, a, b, c, d]);
  const noted = { ...prompt, parts: [...prompt.parts, { type: 'text', text: 'a note' } as const] };
  const short = assistant('d, shortened');
  record.rememberView([noted, handoff('one'), c, short], [0, -1, 3, 4]);
  const fresh = user('new');
  assert.deepEqual(record.ingest([noted, handoff('one'), c, short, fresh]), [0, -1, 3, 4, 5]);
  assert.deepEqual(record.ingest([prompt, handoff('one'), c, d, fresh]), [0, -1, 3, 4, 5], 'as they were before');
});

test('A6: behind a view an equal message is a new one, though it was said before', () => {
  const record = newRecord();
  record.ingest([a, b, a, b, a]);
  record.rememberView([handoff('one'), a], [-1, 4]);
  assert.deepEqual(record.ingest([handoff('one'), a, b, a]), [-1, 4, 5, 6]);
});

test('A6: of two views that a list shows signs of, the newer one counts', () => {
  const record = newRecord();
  record.ingest([a, b, c, d]);
  record.rememberView([handoff('one'), c, d], [-1, 2, 3]);
  record.rememberView([handoff('two'), d], [-1, 3]);
  assert.deepEqual(record.ingest([handoff('two'), d]), [-1, 3]);
  assert.deepEqual(record.ingest([handoff('one'), c, d]), [-1, 2, 3], 'a host went back');
  assert.equal(record.size, 4);
});

test('A6: a system prompt may change without a change of places behind it', () => {
  const record = newRecord();
  assert.deepEqual(record.ingest([message('system', 'one'), a, b]), [0, 1, 2]);
  assert.deepEqual(record.ingest([message('system', 'two'), a, b]), [3, 1, 2]);
  assert.deepEqual(record.ingest([message('system', 'one'), a, b, c]), [0, 1, 2, 4]);
  assert.deepEqual([...record.prompts], [0, 3]);
});

test('A6: a handoff that another process made is a message like any other', () => {
  const record = newRecord();
  assert.deepEqual(record.ingest([handoff('theirs'), a]), [0, 1]);
});

/** What a host may do to a list between two requests. */
type Change = { readonly keep: number; readonly added: readonly number[]; readonly isView: boolean };

const changes: fc.Arbitrary<Change> = fc.record({
  keep: fc.nat(12),
  added: fc.array(fc.nat(7), { maxLength: 4 }),
  isView: fc.boolean(),
});

test('A6: a list that goes on from the last one gets the places that it would get by its content alone', () => {
  const said = [message('system', 's'), message('system', 't'), a, b, c, d, handoff('one'), handoff('two')];
  fc.assert(
    fc.property(fc.array(changes, { maxLength: 12 }), (steps) => {
      const [byObject, byContent] = [newRecord(), newRecord()];
      let list: readonly Message[] = [];
      for (const { keep, added, isView } of steps) {
        list = [...list.slice(0, keep), ...added.flatMap((index) => said[index] ?? [])];
        const copy = structuredClone(list);
        const places = byObject.ingest(list);
        assert.deepEqual(places, byContent.ingest(copy));
        // Without a handoff the objects themselves are what tells a view.
        if (!isView || !list.some((one) => one.origin === 'summary')) continue;
        const shown = places.map((place, at) => (list[at]?.origin === 'summary' ? -1 : place));
        byObject.rememberView(list, shown);
        byContent.rememberView(copy, shown);
      }
      assert.equal(byObject.size, byContent.size);
      assert.deepEqual(byObject.prompts, byContent.prompts);
    }),
    { numRuns: 500 },
  );
});
