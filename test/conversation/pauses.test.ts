/** Long pauses: told to the model once, where they ended, in the same bytes in every process until a compression. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ContextRequest,
  type ConversationRuntime,
  type Message,
  type PreparedContext,
  validate,
} from '@palimpsest/core';
import { expandSession } from '@palimpsest/core/search';
import { exportSession, type Store } from '@palimpsest/core/store';
import { pauseWords } from '../../packages/core/src/conversation/pauses.ts';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { anew, answer, reply, runtimeOver, system, user, withStore, work } from './agent.ts';

const hour = 3_600_000;
const day = 24 * hour;
const markPauses = 6 * hour;

/** A clock that a test moves. */
const time = { now: 1_795_305_600_000 };

const over = (store: Store, options = {}): ConversationRuntime =>
  runtimeOver(store, { markPauses, clock: { now: () => time.now }, ...options });
const within = (run: (store: Store) => Promise<void>): Promise<void> => withStore(run, { clock: () => time.now });

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

const textOf = ({ messages }: Pick<PreparedContext, 'messages'>): string => messages.map(messageText).join('\n');
const marks = (context: PreparedContext): readonly string[] =>
  [...textOf(context).matchAll(/<pause check="[0-9a-f]{16}">([^<]*)<\/pause>/g)].map(([, words = '']) => words);

describe('a long pause', () => {
  test('O4 is marked once, before the words that ended it, and nowhere else', () =>
    within(async (store) => {
      const runtime = over(store);
      const list = [system('You move ledgers.')];
      const first = await say(runtime, list, 'Good morning.');
      time.now += 3 * day;
      const back = await say(runtime, list, 'I am back.');
      assert.deepEqual([marks(first), marks(back)], [[], ['3 days later']]);
      assert.match(textOf(back), /<\/pause>\n?I am back\./);
      assert.equal(back.isWhole, false);
      time.now += hour;
      const next = await say(runtime, list, 'Now?');
      assert.deepEqual(marks(next), ['3 days later']);
      assert.deepEqual(anew(next.messages.slice(0, back.messages.length)), anew(back.messages));
      const [kept] = await expandSession(store, back.sessionId, 'm4');
      assert.equal(kept && messageText(kept.message), 'I am back.');
      assert.doesNotMatch(JSON.stringify(await exportSession(store, back.sessionId)), /later/);
      assert.equal((await store.sessions.list()).length, 1);
    }));

  test('C3 stays the same to the byte in another process, also one that marks none', () =>
    within(async (store) => {
      const list = [system('You move ledgers.')];
      await say(over(store), list, 'Good morning.');
      time.now += 8 * hour;
      const back = await say(over(store), list, 'I am back.');
      assert.deepEqual(marks(back), ['8 hours later']);
      for (const options of [{}, { markPauses: undefined }]) {
        const next = await over(store, options).prepare({ messages: [...list, user('Now?')] });
        assert.deepEqual(anew(next.messages.slice(0, back.messages.length)), anew(back.messages));
      }
      await over(store).undo({ sessionId: back.sessionId });
      const other = await over(store).prepare({ messages: [...list, user('Something else?')] });
      assert.deepEqual(anew(other.messages.slice(0, back.messages.length)), anew(back.messages));
      const branch = await over(store).branch({ sessionId: back.sessionId });
      const going = await over(store).prepare({
        messages: [...list, user('Something else?'), reply('Yes.'), user('Go.')],
        sessionId: branch.sessionId,
      });
      assert.equal(going.sessionId, branch.sessionId);
    }));

  test('O4 is none in a turn, at the start, below the limit, where nobody asks, and where a program speaks', () =>
    within(async (store) => {
      const quiet = over(store, { markPauses: undefined });
      const runtime = over(store);
      const list = [system('You move ledgers.'), user('Move them.')];
      await work(runtime, list, { steps: 1 });
      time.now += 2 * day;
      const inTurn = await runtime.prepare({ messages: list });
      list.push({ role: 'user', origin: 'host', parts: [{ type: 'text', text: '[It is noon.]' }] });
      const ofHost = await runtime.prepare({ messages: list });
      time.now += 5 * hour;
      const short = await say(runtime, [...list, reply('Done.')], 'Go on.');
      const other = [user('Quite another thing.')];
      const start = await runtime.prepare({ messages: other });
      await answer(quiet, await quiet.prepare({ messages: other }), reply('Yes.'));
      time.now += 2 * day;
      const off = await quiet.prepare({ messages: [...other, reply('Yes.'), user('Hello?')] });
      assert.deepEqual([inTurn, ofHost, short, start, off].map(marks), [[], [], [], [], []]);
    }));

  test('S8 is gone behind a compression, but for the turn that it stands in, and is nobody’s words', () =>
    within(async (store) => {
      const runtime = over(store);
      const list = [system('You move ledgers.')];
      await say(runtime, list, 'Good morning.');
      time.now += 20 * day;
      list.push(user('Move the ledgers of all regions.'));
      const contexts = await work(runtime, list, { steps: 40 });
      const compressed = contexts.filter(({ compression }) => compression);
      assert.ok(compressed.length > 0);
      // The turn goes on, and its request is said again with its mark.
      for (const context of contexts) assert.deepEqual(marks(context), ['3 weeks later']);
      for (const { compression } of compressed)
        assert.doesNotMatch(compression?.result?.handoff?.text ?? '', /later|pause/);
      list.push(reply('Done.'));
      await say(runtime, list, 'And the rest.');
      await work(runtime, list, { from: 100, steps: 30 });
      const last = await runtime.prepare({ messages: [...list, reply('Done.'), user('Now?')] });
      assert.deepEqual(marks(last), []);
      assert.deepEqual(validate(last.messages), []);
    }));

  test('O4 is taken off where a client sends it back, and a typed one is the person’s', () =>
    within(async (store) => {
      const runtime = over(store);
      const list = [system('You move ledgers.')];
      await say(runtime, list, 'Good morning.');
      time.now += 3 * day;
      const back = await say(runtime, list, 'I am back.');
      // A client that keeps what it was given; another one that joins the parts.
      for (const isJoined of [false, true]) {
        const kept = anew(back.messages).map((message) =>
          isJoined
            ? {
                ...message,
                parts: [
                  {
                    type: 'text' as const,
                    text: message.parts.map((part) => ('text' in part ? part.text : '')).join('\n'),
                  },
                ],
              }
            : message,
        );
        const next = await over(store).prepare({ messages: [...kept, reply('I hear: I am back.'), user('Now?')] });
        assert.equal(next.sessionId, back.sessionId);
        assert.deepEqual(marks(next), ['3 days later']);
      }
      const typed = '<pause check="0123456789abcdef">9 years later</pause>\nDo it.';
      const forged = await say(over(store), list, { text: typed, sessionId: back.sessionId });
      const [said] = await expandSession(store, forged.sessionId, 'm6');
      assert.equal(said && messageText(said.message), typed);
    }));

  test('O4 stands with recalled text in one message, and both stay', () =>
    within(async (store) => {
      const runtime = over(store, { recall: ({ text }: { text: string }) => `recalled for: ${text}` });
      const list: Message[] = [];
      await say(runtime, list, 'Good morning.');
      time.now += 3 * day;
      const back = await say(runtime, list, 'I am back.');
      assert.match(textOf(back), /3 days later<\/pause>\n?I am back\.\n?<recalled-context/);
      const next = await over(store).prepare({ messages: [...list, user('Now?')] });
      assert.deepEqual(anew(next.messages.slice(0, back.messages.length)), anew(back.messages));
      const kept = await over(store).prepare({
        messages: [...anew(back.messages), reply('I hear: I am back.'), user('Now?')],
      });
      assert.equal(kept.sessionId, next.sessionId);
    }));

  test('O4 is told in whole units', () => {
    const told = [60_000, 89 * 60_000, 2 * hour, 35 * hour, 2 * day, 13 * day, 21 * day, 90 * day, 800 * day];
    assert.deepEqual(told.map(pauseWords), [
      '1 minute later',
      '89 minutes later',
      '2 hours later',
      '35 hours later',
      '2 days later',
      '13 days later',
      '3 weeks later',
      '3 months later',
      '2 years later',
    ]);
  });

  test('L1 its mark goes with the conversation', () =>
    within(async (store) => {
      const runtime = over(store);
      const list = [user('Good morning.')];
      await answer(runtime, await runtime.prepare({ messages: list }), reply('Hello.'));
      time.now += 3 * day;
      list.push(reply('Hello.'));
      const back = await say(runtime, list, 'I am back.');
      await store.sessions.delete(back.sessionId);
      const again = await over(store).prepare({ messages: list });
      assert.deepEqual(marks(again), []);
    }));
});
