/** What a runtime recalls by itself where a memory is given: what the session does not show already, and why. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ConversationNotice, PreparedContext } from '@palimpsest/core';
import type { Memory } from '@palimpsest/core/memory';
import { add, byPerson, openBench, project } from '../memory/entries/bench.ts';
import { answer, listOf, reply, runtimeOver, step, system, user, work } from './agent.ts';

/** The fences of recalled text in a context. */
const recalledIn = ({ messages }: PreparedContext): string =>
  messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.type === 'text' && part.text.startsWith('<recalled-context') ? [part.text] : []))
    .join('\n');

const fact = 'The lathe of Quillfeather Lane is oiled on Fridays.';
const question = 'When is the lathe of Quillfeather Lane oiled?';

describe('Y2 a runtime with a memory', () => {
  test('recalls an entry that came after the session began, and tells it', async (t) => {
    const { store, memory } = await openBench(t);
    const notices: ConversationNotice[] = [];
    const onNotice = (notice: ConversationNotice): unknown => notices.push(notice);
    const runtime = runtimeOver(store, { memory, onNotice });
    const list = [system('You move ledgers.'), user('Hello.')];
    const first = await runtime.prepare({ messages: list });
    assert.equal(recalledIn(first), '');
    assert.equal(runtime.explainRecall(first.sessionId)?.reason, 'nothing found');
    await answer(runtime, first, reply('Hello.'));
    await add(memory, fact, byPerson);
    list.push(reply('Hello.'), user(question));
    const second = await runtime.prepare({ messages: list });
    assert.ok(recalledIn(second).includes(`user: ${fact}`));
    const report = runtime.explainRecall(second.sessionId);
    assert.equal(report?.reason, 'recalled');
    assert.deepEqual(
      report?.candidates.map(({ id, outcome }) => [id, outcome]),
      [['e1', 'recalled']],
    );
    assert.ok(notices.some(({ level, message }) => level === 'log' && /^Recalled for this request: e1 /.test(message)));
  });

  test('repeats nothing that its session shows, however short, nor what was recalled before', async (t) => {
    const { store, memory } = await openBench(t);
    await add(memory, 'Lathe: Brandt.', byPerson);
    await add(memory, fact, byPerson);
    const runtime = runtimeOver(store, { memory });
    const first = await runtime.prepare({ messages: [user(`${question} Is the lathe from Brandt?`)] });
    assert.equal(recalledIn(first), '');
    const outcomes = runtime.explainRecall(first.sessionId)?.candidates.map(({ outcome }) => outcome) ?? [];
    assert.ok(outcomes.length > 0 && outcomes.every((one) => one === 'shown already' || one === 'not sure'));
    const later = runtimeOver(store, { memory });
    await add(memory, 'The kiln of Ashgrove Road is fired on Mondays.', byPerson);
    const shown = await later.prepare({ messages: [user('On what day is the kiln of Ashgrove Road fired?')] });
    assert.equal(recalledIn(shown), '', 'the new session shows it');
  });

  test('asks again in no step, and sends the same bytes in later turns, also from another process', async (t) => {
    const bench = await openBench(t);
    const { store, memory } = bench;
    const runtime = runtimeOver(store, { memory });
    const list = [system('You move ledgers.'), user('Hello.'), reply('Hello.')];
    await runtime.prepare({ messages: list.slice(0, 2) });
    await add(memory, fact, byPerson);
    list.push(user(question));
    const contexts = await work(runtime, list, { steps: 2, lines: 2 });
    list.push(reply('On Fridays.'), user('Thanks, go on with the ledgers.'));
    const next = await runtime.prepare({ messages: list });
    const other = await runtimeOver(store, { memory: bench.another() }).prepare({ messages: list });
    const sent = contexts.at(-1)?.messages ?? [];
    assert.deepEqual(next.messages.slice(0, sent.length), sent);
    assert.equal(JSON.stringify(other.messages), JSON.stringify(next.messages));
    assert.equal(recalledIn(next).split(fact).length, 2);
    for (const { message } of await store.messages.view(next.sessionId))
      assert.doesNotMatch(JSON.stringify(message), /recalled-context|Fridays\.\\n/);
    const branch = await runtime.prepare({ messages: [...list.slice(0, -1), user('Stop.')] });
    assert.notEqual(branch.sessionId, next.sessionId);
    assert.deepEqual(branch.messages.slice(0, sent.length), sent);
  });

  test('keeps what this turn asked for through a compression, and nothing older', async (t) => {
    const { store, memory } = await openBench(t);
    const runtime = runtimeOver(store, { memory });
    const list = [system('You move ledgers.'), user('Hello.')];
    const first = await runtime.prepare({ messages: list });
    await answer(runtime, first, reply('Hello.'));
    await add(memory, fact, byPerson);
    list.push(reply('Hello.'), user(question));
    const contexts = await work(runtime, list, { steps: 30 });
    const compressed = contexts.filter(({ compression }) => compression);
    assert.ok(compressed.length > 0);
    // Behind the compression the session shows what was recalled before it.
    for (const context of contexts) assert.ok(JSON.stringify(context.messages).includes(fact));
    for (const { size } of contexts) assert.ok(size.tokens <= 8_000);
  });

  test('recalls earlier conversations and what they were about, of its project alone', async (t) => {
    const { store, memory } = await openBench(t, { project });
    const elsewhere = runtimeOver(store);
    const said = [user('The violin of Tarnhill was sold to Odile for ninety crowns.'), reply('Noted.')];
    for (const place of [project, '/code/plum']) {
      const prepared = await elsewhere.prepare({ messages: [...said, user(`Good, in ${place}.`)], project: place });
      await answer(elsewhere, prepared, reply('Fine.'));
      await elsewhere.end(prepared.sessionId);
    }
    const runtime = runtimeOver(store, { memory });
    const prepared = await runtime.prepare({ messages: [user('To whom was the violin of Tarnhill sold?')] });
    assert.match(recalledIn(prepared), /violin of Tarnhill was sold to Odile/);
    const report = runtime.explainRecall(prepared.sessionId);
    const places = new Set<string | undefined>();
    for (const { sessionId } of report?.candidates ?? [])
      places.add(sessionId && (await store.sessions.get(sessionId))?.project);
    assert.deepEqual([...places], [project]);
    assert.equal((await store.sessions.get(prepared.sessionId))?.project, project);
  });

  test('shows no entry of another project, none that waits, and none that the scan refuses', async (t) => {
    const check = (text: string) => (text.includes('Sundays') ? { reason: 'no' } : undefined);
    const bench = await openBench(t, { check });
    const { store, memory } = bench;
    const runtime = runtimeOver(store, { memory });
    await runtime.prepare({ messages: [user('Hello.')] });
    await add(bench.another({ project }), fact, byPerson);
    await add(memory, 'The lathe of Quillfeather Lane is cleaned on Tuesdays.', {
      source: 'outside-tool',
      confirm: true,
    });
    bench.save('MEMORY.md', 'The lathe of Quillfeather Lane is oiled on Sundays.\n');
    await memory.reconcile();
    assert.equal((await store.memory.list({ project: null })).length, 1);
    const asked = [user('Hello.'), reply('Hello.'), user(`${question} Cleaned on Tuesdays?`)];
    assert.equal(recalledIn(await runtime.prepare({ messages: asked })), '');
  });

  test('recalls nothing where that is turned off, or where the program recalls itself', async (t) => {
    const { store, memory } = await openBench(t);
    for (const options of [{ memory: { memory, recall: false } }, { memory, recall: () => 'A remark.' }] as const) {
      const runtime = runtimeOver(store, options);
      const hello = 'recall' in options ? 'Good evening.' : 'Good day.';
      await runtime.prepare({ messages: [user(hello)] });
      await add(memory, fact, byPerson);
      const prepared = await runtime.prepare({ messages: [user(hello), reply('Hello.'), user(question)] });
      assert.doesNotMatch(recalledIn(prepared), /Fridays/);
      assert.equal(runtime.explainRecall(prepared.sessionId), undefined);
    }
    for (const wrong of ['{"recall":true}', '{"recall":{"token":5}}', '{"recall":{"tokens":0}}'])
      assert.throws(() => runtimeOver(store, { memory: { memory, ...JSON.parse(wrong) } }), { code: 'BAD_OPTION' });
  });

  test('costs a notice only where the memory fails', async (t) => {
    const { store, memory } = await openBench(t);
    const broken: Memory = { ...memory, entries: { ...memory.entries, list: () => Promise.reject(new Error('gone')) } };
    const notices: ConversationNotice[] = [];
    const onNotice = (notice: ConversationNotice): unknown => notices.push(notice);
    const { messages } = await runtimeOver(store, { memory: broken, onNotice }).prepare({ messages: [user(question)] });
    assert.equal(messages.length, 1);
    assert.match(notices[0]?.message ?? '', /^Recalling what is remembered failed \(gone\)/);
  });

  test('forgets what it recalled with the entry that was forgotten, and with a conversation that was deleted', async (t) => {
    const { store, memory } = await openBench(t);
    const runtime = runtimeOver(store, { memory });
    const list = [user('Hello.'), reply('Hello.'), user(question)];
    await runtime.prepare({ messages: list.slice(0, 1) });
    await add(memory, fact, byPerson);
    const { sessionId } = await runtime.prepare({ messages: list });
    await memory.forget('e1');
    const other = await runtimeOver(store, { memory }).prepare({ messages: list });
    assert.equal(other.sessionId, sessionId);
    assert.equal(recalledIn(other), '');
    const given = { messages: [user('And the kiln?')], recall: 'The kiln is fired on Mondays.' };
    const kept = await runtime.prepare(given);
    await store.sessions.delete(sessionId);
    const { messages } = await runtimeOver(store, { memory }).prepare({ messages: given.messages });
    assert.match(recalledIn(kept), /Mondays/);
    assert.doesNotMatch(JSON.stringify(messages), /Mondays/);
  });
});

test('T1 what was recalled is left out where the window has no room for it', async (t) => {
  const { store } = await openBench(t);
  const runtime = runtimeOver(store, { recall: () => 'Remark about region south.\n'.repeat(60) });
  const list = listOf(1);
  for (let at = 2; at < 30; at++) {
    const prepared = await runtime.prepare({ messages: list });
    assert.ok(prepared.size.tokens <= 8_000);
    const [called, result] = step(at);
    await answer(runtime, prepared, called);
    list.push(called, result, reply('Done.'), user(`Now region ${at}.`));
  }
});
