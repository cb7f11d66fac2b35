/** A person goes another way: a session of its own that shows the same, under the same numbers, and is no continuation. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ContextRequest, ConversationRuntime, Message, PreparedContext } from '@palimpsest/core';
import { expandSession } from '@palimpsest/core/search';
import { exportSession, newestSession, type Store } from '@palimpsest/core/store';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { anew, answer, reply, runtimeOver, system, user, withStore, work } from './agent.ts';

const textOf = ({ messages }: Pick<PreparedContext, 'messages'>): string => messages.map(messageText).join('\n');

async function say(
  runtime: ConversationRuntime,
  list: Message[],
  said: string | (Partial<ContextRequest> & { readonly text: string }),
): Promise<PreparedContext> {
  const { text, ...ask } = typeof said === 'string' ? { text: said } : said;
  list.push(user(text));
  const prepared = await runtime.prepare({ messages: list, ...ask });
  await answer(runtime, prepared, reply(`I hear: ${text}`));
  list.push(reply(`I hear: ${text}`));
  return prepared;
}

interface Followed {
  readonly runtime: ConversationRuntime;
  readonly list: Message[];
  readonly sessionId: string;
}

/** A conversation that was compressed, with a turn behind it. */
async function compressed(store: Store): Promise<Followed> {
  const runtime = runtimeOver(store);
  const list: Message[] = [system('You move ledgers.')];
  await say(runtime, list, 'Good morning.');
  list.push(user('Move the ledgers of all regions.'));
  await work(runtime, list, { steps: 30 });
  list.push(reply('Done.'));
  await say(runtime, list, 'One more thing.');
  const { sessionId } = await say(runtime, list, 'And another thing.');
  return { runtime, list, sessionId };
}

describe('a branch that a person wishes', () => {
  test('L3 shows the same messages, is no continuation, and both go on by themselves', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list: Message[] = [system('You move ledgers.')];
      await say(runtime, list, 'Good morning.');
      const { sessionId } = await say(runtime, list, 'Move the ledgers.');
      const made = await runtime.branch({ sessionId, title: 'The other way' });
      assert.equal(made.title, 'The other way');
      assert.equal(
        made.message,
        'A branch shows the conversation up to m5: 5 messages. The conversation itself stays as it is.',
      );
      const branch = await store.sessions.get(made.sessionId);
      assert.deepEqual([branch?.relation, branch?.parentId, branch?.rootId], ['branch', sessionId, made.sessionId]);
      assert.equal((await newestSession(store.sessions, sessionId)).id, sessionId);
      const own = [...list];
      for (const one of [runtime, runtimeOver(store)]) {
        const left = await say(one, list, { text: 'Stay.', sessionId });
        const right = await say(one, own, { text: 'Go.', sessionId: made.sessionId });
        assert.deepEqual([left.sessionId, right.sessionId], [sessionId, made.sessionId]);
        assert.doesNotMatch(textOf(left), /Go\./);
        assert.doesNotMatch(textOf(right), /Stay\./);
      }
      assert.deepEqual(anew((await exportSession(store, made.sessionId)).messages), anew(own));
      assert.deepEqual(anew((await exportSession(store, sessionId)).messages), anew(list));
      assert.equal((await store.care.check()).ok, true);
    }));

  test('L3 A6 of a compressed conversation goes on from its handoff, whose numbers name the same messages', () =>
    withStore(async (store) => {
      const { runtime, list, sessionId } = await compressed(store);
      await runtime.pin({ sessionId, ref: 'm2' });
      const made = await runtime.branch({ sessionId });
      const before = await runtime.prepare({ messages: [...list, user('Now?')], sessionId });
      const other = runtimeOver(store);
      const after = await other.prepare({ messages: [...list, user('Now?')], sessionId: made.sessionId });
      assert.deepEqual(anew(after.messages), anew(before.messages));
      assert.notEqual(after.sessionId, before.sessionId);
      for (const ref of ['m2', 'm4', 'm20', 'm66']) {
        const [here] = await expandSession(store, made.sessionId, ref);
        const [there] = await expandSession(store, sessionId, ref);
        assert.deepEqual(here, there);
      }
      assert.deepEqual(
        (await other.pins({ sessionId: made.sessionId })).pins.map(({ ref }) => ref),
        ['m2'],
      );
    }));

  test('L3 leaves where a message is named, with its handoff where that tells of nothing else', () =>
    withStore(async (store) => {
      const { runtime, list, sessionId } = await compressed(store);
      const size = list.length;
      // Behind "One more thing." and its answer.
      const late = await runtime.branch({ sessionId, at: `m${size - 2}` });
      const shown = await runtimeOver(store).prepare({
        messages: [...list.slice(0, -2), user('No.')],
        sessionId: late.sessionId,
      });
      assert.match(textOf(shown), /<handoff covers=/);
      assert.doesNotMatch(textOf(shown), /And another thing/);
      assert.deepEqual(
        anew((await exportSession(store, late.sessionId)).messages),
        anew([...list.slice(0, -2), user('No.')]),
      );
      // Within what the handoff stands for: a call takes its result along.
      const early = await runtime.branch({ sessionId, at: 'm5' });
      const own = [...list.slice(0, 6), reply('Stopped.'), user('No.')];
      const whole = await runtimeOver(store).prepare({ messages: own, sessionId: early.sessionId });
      assert.deepEqual(anew(whole.messages), anew(own));
      await assert.rejects(runtime.branch({ sessionId, at: 'm999' }), { code: 'ID_UNKNOWN' });
      await assert.rejects(runtime.branch({ sessionId, at: 'm2-m4' }), { code: 'BAD_OPTION' });
      await assert.rejects(runtime.branch({ sessionId: 'no-such' }), { code: 'ID_UNKNOWN' });
    }));

  test('L3 leaves out what was taken back, and knows its numbers', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list: Message[] = [system('You move ledgers.')];
      await say(runtime, list, 'Good morning.');
      const { sessionId } = await say(runtime, list, 'Drop the table quillwort.');
      await runtime.undo({ sessionId });
      const own = list.slice(0, 3);
      await say(runtime, own, { text: 'Keep it.', sessionId });
      const made = await runtime.branch({ sessionId });
      const next = await runtimeOver(store).prepare({ messages: [...own, user('Now?')], sessionId: made.sessionId });
      assert.deepEqual(anew(next.messages), anew([...own, user('Now?')]));
      const [gone, , kept] = await expandSession(store, made.sessionId, 'm4-m6');
      assert.deepEqual([gone?.isTakenBack, kept && messageText(kept.message)], [true, 'Keep it.']);
      await assert.rejects(runtime.branch({ sessionId, at: 'm4' }), { code: 'BAD_OPTION' });
    }));

  test('L4 is called by the title of the conversation, and leaves that to it', () =>
    withStore(async (store) => {
      const { runtime, sessionId } = await compressed(store);
      await store.sessions.title((await newestSession(store.sessions, sessionId)).id, 'Ledgers');
      assert.equal((await runtime.branch({ sessionId })).title, 'Ledgers (branch)');
      assert.equal((await runtime.branch({ sessionId })).title, 'Ledgers (branch) #2');
      const [meant] = await store.sessions.find('Ledgers');
      assert.equal(meant?.rootId, (await store.sessions.get(sessionId))?.rootId);
    }));
});
