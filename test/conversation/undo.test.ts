/** A person takes their last turn back, and goes another way: nothing is lost, and no model hears of it again. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ContextRequest,
  type ConversationRuntime,
  type Message,
  type PreparedContext,
  validate,
} from '@palimpsest/core';
import { expandSession, sessionSearchTool } from '@palimpsest/core/search';
import { exportSession, type Store } from '@palimpsest/core/store';
import fc from 'fast-check';
import { unwrapHandoff } from '../../packages/core/src/compression/handoff-block.ts';
import { runExpand } from '../../packages/core/src/recall/expand-tool.ts';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { anew, answer, reply, runtimeOver, sessionsOf, step, system, user, withStore, work } from './agent.ts';

const opening = (): Message[] => [system('You move ledgers.'), user('Good morning.')];
const wrong = 'Drop the table quillwort.';

interface Said {
  readonly runtime: ConversationRuntime;
  readonly list: Message[];
  readonly sessionId: string;
}

const textOf = ({ messages }: Pick<PreparedContext, 'messages'>): string => messages.map(messageText).join('\n');

/** Says something, and has it answered; gives back the session. */
async function say(
  runtime: ConversationRuntime,
  list: Message[],
  said: string | (Partial<ContextRequest> & { readonly text: string }),
): Promise<PreparedContext> {
  const { text, ...ask } = typeof said === 'string' ? { text: said } : said;
  list.push(user(text));
  const prepared = await runtime.prepare({ messages: list, ...ask });
  const heard = reply(`I hear: ${text}`);
  await answer(runtime, prepared, heard);
  list.push(heard);
  return prepared;
}

/** A greeting, and a turn that should not have been: m4 and m5. */
async function talked(store: Store): Promise<Said> {
  const runtime = runtimeOver(store);
  const list = opening();
  await answer(runtime, await runtime.prepare({ messages: list }), reply('Good morning.'));
  list.push(reply('Good morning.'));
  const { sessionId } = await say(runtime, list, wrong);
  return { runtime, list, sessionId };
}

/** Every line of a handoff that names a message is a line of that message in the store. */
async function requireNumbers(store: Store, { messages, sessionId }: PreparedContext): Promise<void> {
  const rows = messages.flatMap((message) => [
    ...messageText(message).matchAll(/^(?:### )?(m\d+) user:(?: |\n )(.+)$/gm),
  ]);
  for (const [, ref = '', text = ''] of rows) {
    if (text === 'word for word below' || text.startsWith('see ')) continue;
    const [found] = await expandSession(store, sessionId, ref);
    assert.ok(found && messageText(found.message).includes(text), `${ref}: ${text}`);
  }
  assert.ok(rows.length > 0);
}

describe('a turn that is taken back', () => {
  test('L3 is left out of the next request, by session and without, here and in another process', async () => {
    for (const isNamed of [true, false]) {
      for (const isSame of [true, false]) {
        await withStore(async (store) => {
          const { runtime, list, sessionId } = await talked(store);
          const report = await runtime.undo({ sessionId });
          assert.deepEqual([report.status, report.text, report.messages], ['undone', wrong, 2]);
          assert.equal(
            report.message,
            'Taken back: 2 messages from m4 on. They are kept, and the conversation goes on before them.',
          );
          const left = list.slice(0, -report.messages);
          const goesOn = isSame ? runtime : runtimeOver(store);
          const next = await say(goesOn, left, { text: 'Keep every table.', ...(isNamed ? { sessionId } : {}) });
          assert.equal(next.sessionId, report.sessionId);
          assert.deepEqual(
            anew(next.messages),
            anew([...opening(), reply('Good morning.'), user('Keep every table.')]),
          );
          const conversations = await store.sessions.list();
          assert.equal(conversations.length, 1);
          const { messages } = await exportSession(store, sessionId);
          assert.deepEqual(anew(messages), anew(left));
          assert.equal((await store.care.check()).ok, true);
        });
      }
    }
  });

  test('invariant 1: is kept under its number, found by expand and by a search, and marked', () =>
    withStore(async (store) => {
      const { runtime, list, sessionId } = await talked(store);
      await runtime.undo({ sessionId });
      await say(runtime, list.slice(0, -2), { text: 'Keep every table.', sessionId });
      const [gone, answered, said] = await expandSession(store, sessionId, 'm4-m6');
      assert.deepEqual([gone?.isTakenBack, answered?.isTakenBack, said?.isTakenBack], [true, true, undefined]);
      assert.equal(gone && messageText(gone.message), wrong);
      assert.equal(said && messageText(said.message), 'Keep every table.');
      assert.match(
        await runExpand({ refs: 'm4' }, { store, sessionId }),
        /start of m4 \(user, taken back by the user since\)/,
      );
      const found = JSON.parse(await sessionSearchTool({ store }).run({ query: 'quillwort' }));
      assert.equal(found.results[0].passages[0].taken_back, true);
    }));

  test('S8 is told by no handoff, and the numbers go on behind it in every process', () =>
    withStore(async (store) => {
      const { runtime, list, sessionId } = await talked(store);
      const { messages } = await runtime.undo({ sessionId });
      const left = list.slice(0, -messages);
      await say(runtime, left, { text: 'Keep every table.', sessionId });
      for (const [round, one] of [runtime, runtimeOver(store), runtime].entries()) {
        left.push(user(`Now the ledgers of part ${round}.`));
        const contexts = await work(one, left, { from: 100 * (round + 1), steps: 25 });
        left.push(reply('Done.'));
        const last = contexts.at(-1) ?? assert.fail();
        assert.ok(contexts.some(({ compression }) => compression));
        assert.doesNotMatch(textOf(last), /quillwort/);
        assert.deepEqual(validate(last.messages), []);
        await requireNumbers(store, last);
        for (const { compression } of contexts)
          assert.ok(!compression?.result?.handoff?.covers.some((ref) => ref === 'm4' || ref === 'm5'));
      }
      assert.deepEqual(anew((await exportSession(store, sessionId)).messages), anew(left.slice(0, -2)));
      assert.equal((await store.care.check()).ok, true);
    }));

  test('L3 may be said again word for word, and is then another message', () =>
    withStore(async (store) => {
      const { runtime, list, sessionId } = await talked(store);
      await runtime.undo({ sessionId });
      const left = list.slice(0, -2);
      await say(runtime, left, { text: wrong, sessionId });
      left.push(user('Go on.'));
      const contexts = await work(runtimeOver(store), left, { steps: 30 });
      const last = contexts.at(-1) ?? assert.fail();
      assert.match(textOf(last), /quillwort/);
      await requireNumbers(store, last);
      const [first, , again] = await expandSession(store, sessionId, 'm4-m6');
      assert.deepEqual([first?.isTakenBack, again?.isTakenBack], [true, undefined]);
      assert.deepEqual(anew((await exportSession(store, sessionId)).messages), anew(left.slice(0, -1)));
    }));

  test('L3 is one after the other, down to the first', () =>
    withStore(async (store) => {
      const { runtime, list, sessionId } = await talked(store);
      await say(runtime, list, 'And another one.');
      const texts: (string | undefined)[] = [];
      for (let at = 0; at < 3; at++) texts.push((await runtime.undo({ sessionId })).text);
      assert.deepEqual(texts, ['And another one.', wrong, 'Good morning.']);
      const { status, message } = await runtime.undo({ sessionId });
      assert.equal(status, 'refused');
      assert.equal(message, 'Nothing was taken back: nobody has said anything yet that could be.');
      const next = await runtimeOver(store).prepare({
        messages: [system('You move ledgers.'), user('Hello.')],
        sessionId,
      });
      assert.equal((await store.sessions.get(next.sessionId))?.rootId, sessionId);
      assert.equal((await store.sessions.list()).length, 1);
      const [said] = await expandSession(store, sessionId, 'm8');
      assert.equal(said && messageText(said.message), 'Hello.');
    }));

  test('L3 goes behind a compression as long as it stands behind the handoff', () =>
    withStore(async (store) => {
      const { runtime, list, sessionId } = await talked(store);
      await work(runtime, list, { steps: 14 });
      list.push(reply('Done.'));
      await say(runtime, list, 'One more thing.');
      const report = await runtime.compress({ messages: list });
      assert.equal(report.status, 'compressed');
      const undone = await runtime.undo({ sessionId });
      assert.deepEqual([undone.status, undone.text], ['undone', 'One more thing.']);
      const left = list.slice(0, -undone.messages);
      const next = await runtimeOver(store).prepare({ messages: [...left, user('Something else.')], sessionId });
      assert.equal((await store.sessions.get(next.sessionId))?.rootId, sessionId);
      assert.doesNotMatch(textOf(next), /One more thing/);
      assert.match(textOf(next), /<handoff covers=/);
      assert.match(textOf(next), /Something else\./);
      await requireNumbers(store, next);
      assert.equal((await store.care.check()).ok, true);
    }));

  test('A1 leaves a handoff as it is that shared a message with what was taken back', () =>
    withStore(async (store) => {
      const { runtime, list, sessionId } = await talked(store);
      await work(runtime, list, { steps: 14 });
      list.push(reply('Done.'));
      for (const at of [1, 2, 3]) {
        await runtime.compress({ messages: list });
        await say(runtime, list, `${'Many words. '.repeat(700)} Number ${at}.`);
      }
      const { sessionId: tip } = await runtime.compress({ messages: list });
      const carriers = (await store.messages.view(tip)).filter(({ message }) => unwrapHandoff(message));
      const [handoff] = carriers.map(({ message }) => unwrapHandoff(message));
      assert.ok(carriers.length === 1 && (handoff?.after.length ?? 0) > 0, 'the handoff is merged with a request');
      const undone = await runtime.undo({ sessionId });
      assert.ok(undone.text?.endsWith('Number 3.'), undone.message);
      list.splice(-undone.messages);
      assert.match((await runtime.undo({ sessionId })).message, /the last turn was compressed/);
      const next = await runtimeOver(store).prepare({ messages: [...list, user('Something else.')], sessionId });
      const left = next.messages.map(unwrapHandoff).filter((one) => one !== undefined);
      assert.deepEqual(
        left.map(({ body, after }) => ({ body, after })),
        [{ body: handoff?.body, after: [] }],
      );
      assert.doesNotMatch(textOf(next), /Number 3\./);
      assert.deepEqual(validate(next.messages), []);
      assert.equal((await store.care.check()).ok, true);
    }));

  test('L3 is refused where the turn stands in the handoff, with what to do', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      const contexts = await work(runtime, list, { steps: 40 });
      assert.ok(contexts.some(({ compression }) => compression));
      const { status, message } = await runtime.undo({ sessionId: contexts[0]?.sessionId ?? '' });
      assert.equal(status, 'refused');
      assert.match(message, /the last turn was compressed, and stands in the handoff in part\. To go another way/);
      const next = await runtime.prepare({ messages: list });
      assert.equal(next.sessionId, contexts.at(-1)?.sessionId);
    }));

  test('L3 may have called tools: all of it goes, and nothing is left open', () =>
    withStore(async (store) => {
      const { runtime, list, sessionId } = await talked(store);
      list.push(user('Move them.'));
      await work(runtime, list, { steps: 2 });
      const [called] = step(9);
      await answer(runtime, await runtime.prepare({ messages: list }), called);
      const undone = await runtime.undo({ sessionId });
      assert.deepEqual([undone.status, undone.text, undone.messages], ['undone', 'Move them.', 6]);
      const next = await runtime.prepare({ messages: [...list.slice(0, 5), user('No.')], sessionId });
      assert.deepEqual(anew(next.messages), anew([...list.slice(0, 5), user('No.')]));
    }));

  test('A7 takes its pins with it, and is not pinned any more', () =>
    withStore(async (store) => {
      const { runtime, sessionId } = await talked(store);
      await runtime.pin({ sessionId, ref: 'm2' });
      await runtime.pin({ sessionId, ref: 'm4' });
      assert.deepEqual((await runtime.undo({ sessionId })).unpinned, ['m4']);
      assert.deepEqual(
        (await runtime.pins({ sessionId })).pins.map(({ ref }) => ref),
        ['m2'],
      );
      const { status, message } = await runtime.pin({ sessionId, ref: 'm4' });
      assert.deepEqual(
        [status, message],
        ['refused', 'm4 was not pinned: it was taken back. Say it again and pin that.'],
      );
      assert.equal((await runtime.pin({ sessionId })).pin?.ref, 'm2');
    }));

  test('C3 leaves what was recalled before it where it stood', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store, { recall: ({ text }) => `recalled for: ${text}` });
      const list: Message[] = [];
      const first = await say(runtime, list, 'Good morning.');
      await say(runtime, list, wrong);
      await runtime.undo({ sessionId: first.sessionId });
      const next = await say(runtimeOver(store), list.slice(0, 2), {
        text: 'Keep every table.',
        sessionId: first.sessionId,
      });
      assert.deepEqual(anew(next.messages.slice(0, 1)), anew(first.messages));
      assert.match(textOf(next), /recalled for: Good morning\./);
    }));

  test('F4 another process that follows the conversation goes on behind it', () =>
    withStore(async (store) => {
      const { runtime, list, sessionId } = await talked(store);
      const other = runtimeOver(store);
      await other.prepare({ messages: list });
      await runtime.undo({ sessionId });
      const next = await other.prepare({ messages: [...list.slice(0, -2), user('Keep every table.')], sessionId });
      assert.doesNotMatch(textOf(next), /quillwort/);
      const relations = (await sessionsOf(store)).map(({ relation, endReason }) => [relation, endReason]);
      assert.deepEqual(relations, [
        ['root', 'undo'],
        ['continuation', undefined],
      ]);
      await assert.rejects(runtime.undo({ sessionId: 'no-such' }), { code: 'ID_UNKNOWN' });
    }));
});

type Act = 'say' | 'work' | 'undo' | 'compress' | 'restart' | 'branch';

test('L3 S8 whatever is said, undone, compressed, branched and read back: numbers name what was said, and nothing is lost', async () => {
  const acts = fc.array(fc.constantFrom<Act>('say', 'say', 'work', 'undo', 'undo', 'compress', 'restart', 'branch'), {
    minLength: 4,
    maxLength: 14,
  });
  await fc.assert(
    fc.asyncProperty(acts, async (wanted) => {
      await withStore(async (store) => {
        let runtime = runtimeOver(store);
        let list: Message[] = [system('You move ledgers.')];
        const first = await say(runtime, list, 'Opening words.');
        let { sessionId } = first;
        for (const [at, act] of wanted.entries()) {
          const ask = { sessionId };
          if (act === 'say') ({ sessionId } = await say(runtime, list, { text: `Words number ${at}.`, ...ask }));
          if (act === 'restart') runtime = runtimeOver(store);
          if (act === 'compress') ({ sessionId } = await runtime.compress({ messages: list, sessionId }));
          if (act === 'branch') ({ sessionId } = await runtime.branch({ sessionId }));
          if (act === 'work') {
            list.push(user(`Work number ${at}.`));
            ({ sessionId } = await runtime.prepare({ messages: list, sessionId }));
            await work(runtime, list, { from: at * 100, steps: 8 });
            ({ sessionId } = await say(runtime, list, { text: `Enough of ${at}.`, ...ask }));
          }
          if (act === 'undo') {
            const done = await runtime.undo({ sessionId });
            if (done.status === 'undone') list = list.slice(0, list.length - done.messages);
            ({ sessionId } = done);
            if (list.length < 2)
              ({ sessionId } = await say(runtime, list, { text: 'Opening words again.', sessionId }));
          }
        }
        const last = await say(runtimeOver(store), list, { text: 'Last words.', sessionId });
        assert.deepEqual(anew((await exportSession(store, last.sessionId)).messages), anew(list));
        assert.deepEqual(validate(last.messages), []);
        const rows = last.messages.flatMap((message) => [...messageText(message).matchAll(/^(?:### )?(m\d+) user:/gm)]);
        if (rows.length > 0) await requireNumbers(store, last);
        const undone = wanted.includes('undo')
          ? last.messages.filter((m) => messageText(m).includes('Words number'))
          : [];
        for (const message of undone)
          for (const [words = ''] of messageText(message).matchAll(/Words number \d+\./g))
            assert.ok(
              list.some((one) => messageText(one).includes(words)),
              words,
            );
        assert.equal((await store.care.check()).ok, true);
      });
    }),
    { numRuns: 60 },
  );
});
