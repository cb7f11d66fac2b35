/** Reading conversations as they happened, over all their sessions. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lineageOf, locate, readLineage, titleOf } from '../../../packages/core/src/recall/read/lineage.ts';
import { readAround, readConversation, shownMessages } from '../../../packages/core/src/recall/read/read.ts';
import type { StoredMessage } from '../../../packages/core/src/store/message-store.ts';
import { readableText } from '../../../packages/core/src/transcript/text.ts';
import { assistant, message, result, resultPart, user } from '../../support/conversations.ts';
import { compressed, keep, openMemory, timed } from '../session-search/stored.ts';

const texts = (messages: readonly StoredMessage[]): string =>
  messages.map(({ message: one }) => readableText(one)).join(' ');

describe('a conversation of several sessions', () => {
  test('L2 is every message where it was said, once, without handoffs', async () => {
    await using store = await openMemory();
    const first = await keep(store, ['a', 'b', 'c', 'd'], { title: 'Letters' });
    const second = await compressed(store, first, 2);
    await store.messages.append(second, timed([user('e'), assistant('f')]));
    const third = await compressed(store, second, 1);
    await store.messages.append(third, timed([user('g')]));
    for (const id of [first, second, third]) {
      const lineage = await lineageOf(store, id);
      assert.equal(texts(await readLineage(store, lineage, { from: 0, to: 99 })), 'a b c d e f g');
      assert.equal(texts(await readLineage(store, lineage, { from: 3, to: 5 })), 'd e');
      assert.deepEqual(
        [lineage.root.id, lineage.tip.id, lineage.size, titleOf(lineage)],
        [first, third, 7, 'Letters #3'],
      );
    }
  });
  test('L2 what was said while it was compressed is there once', async () => {
    await using store = await openMemory();
    const first = await keep(store, ['a', 'b', 'c']);
    const view = await store.messages.view(first);
    await store.messages.append(first, timed([assistant('late')]));
    const { id } = await store.sessions.continue({
      sessionId: first,
      size: 3,
      messages: [user('[CONTEXT SUMMARY]: s'), ...view.slice(2).map((one) => one.message)],
      origins: [-1, 2],
    });
    await store.messages.append(id, timed([user('d')]));
    const lineage = await lineageOf(store, id);
    assert.equal(texts(await readLineage(store, lineage, { from: 0, to: 99 })), 'a b c late d');
  });
  test('Q2 a handoff is read between what it stands for and what came after', async () => {
    await using store = await openMemory();
    const first = await keep(store, ['a', 'b', 'c', 'd']);
    const second = await compressed(store, first, 1);
    await store.messages.append(second, timed([user('e')]));
    const [handoff] = await store.messages.viewIds(second);
    const around = await readAround(store, handoff ?? '', { window: 2 });
    assert.ok(around);
    assert.deepEqual(
      [texts(around.before), texts([around.message]), texts(around.after)],
      ['c d', '[CONTEXT SUMMARY]: what came before', 'e'],
    );
    assert.deepEqual([around.earlier, around.later], [2, 0]);
  });
  test('Q2 a message that two conversations share is read in the one that is named', async () => {
    await using store = await openMemory();
    const one = await keep(store, ['only in one', 'shared']);
    const [, shared] = await store.messages.view(one);
    assert.ok(shared);
    const { id: other } = await store.sessions.create({ source: 'cli', parentId: one });
    await store.messages.append(other, [shared.message, assistant('only in the other')]);
    const neighbours = async (sessionId?: string): Promise<string | undefined> => {
      const found = await readAround(store, shared.id, sessionId === undefined ? {} : { sessionId });
      return found && texts([...found.before, ...found.after]);
    };
    assert.equal(await neighbours(), 'only in one');
    assert.equal(await neighbours(one), 'only in one');
    assert.equal(await neighbours(other), 'only in the other');
    const third = await keep(store, ['elsewhere']);
    assert.equal(await neighbours(third), undefined);
  });
  test('Q2 an id that no message has is located nowhere; a session that does not exist throws', async () => {
    await using store = await openMemory();
    await keep(store, ['a']);
    assert.equal(await locate(store, 'ffffffffffffffff'), undefined);
    await assert.rejects(lineageOf(store, 'nope'), { code: 'ID_UNKNOWN' });
  });
  test('Q2 of a short conversation both ends are not read twice', async () => {
    await using store = await openMemory();
    const id = await keep(
      store,
      Array.from({ length: 25 }, (_, i) => `${i}`),
    );
    const { head, between, tail } = await readConversation(store, id);
    assert.deepEqual([head.length, between, texts(tail)], [20, 0, '20 21 22 23 24']);
  });
});

describe('a message as it is shown', () => {
  const stored = (one: StoredMessage['message']): StoredMessage => ({
    id: 'x',
    sessionId: 's',
    position: 0,
    time: 0,
    message: one,
  });

  test('Q2 says who speaks: hosts, summaries and tools are not the user', () => {
    const rows = [
      [user('hello'), 'user'],
      [user('<environment_context>cwd</environment_context>'), 'host'],
      [user('[CONTEXT SUMMARY]: before'), 'summary'],
      [assistant('hi'), 'assistant'],
      [message('system', 'rules'), 'system'],
      [result('c', 'out'), 'tool'],
      [{ role: 'user' as const, parts: [resultPart('c', 'out')] }, 'tool'],
    ] as const;
    for (const [one, speaker] of rows) assert.equal(shownMessages([stored(one)], { max: 9 })[0]?.speaker, speaker);
  });
  test('Q2 is cut between characters', () => {
    const [piece] = shownMessages([stored(user('ab😀cd'))], { max: 3 });
    assert.deepEqual([piece?.text, piece?.characters], ['ab😀', 6]);
    const [rest] = shownMessages([stored(user('ab😀cd'))], { from: 3, max: 9 });
    assert.deepEqual([rest?.from, rest?.text], [4, 'cd']);
  });
});
