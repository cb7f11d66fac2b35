/** A memory provider in conversations: when it is asked, and what it is told. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RecallRequest } from '@palimpsest/core';
import { add, project } from '../memory/entries/bench.ts';
import { anew, answer, listOf, reply, step, system, user, work } from './agent.ts';
import {
  type Heard,
  heard,
  order,
  question,
  recalledIn,
  stageOf,
  systemIn,
  warnings,
} from './memory-provider-stage.ts';
import { settled } from './virtual-time.ts';

describe('M3 a memory provider in a conversation', () => {
  test('is started with the first request, asked once a turn, given each turn that is over, and stopped at the end', async (t) => {
    const { provider, calls } = heard();
    const { runtime } = await stageOf(t, provider);
    const list = [system('Be brief.'), user(question)];
    const first = await runtime.prepare({ messages: list });
    const [called, result] = step(1, 1);
    await answer(runtime, first, called);
    list.push(called, result);
    const second = await runtime.prepare({ messages: list });
    await answer(runtime, second, reply('It is heron.'));
    list.push(reply('It is heron.'), user('And which one is live?'));
    await answer(runtime, await runtime.prepare({ messages: list }), reply('Crane is.'));
    await settled();
    const { sessionId } = first;
    await runtime.end(sessionId);
    assert.deepEqual(
      calls,
      [
        ['start', { sessionId, project }],
        ['turn', { sessionId, number: 1 }],
        ['recall', question],
        ['save', { sessionId, number: 1, user: question, assistant: 'It is heron.' }],
        ['turn', { sessionId, number: 2 }],
        ['recall', 'And which one is live?'],
        ['save', { sessionId, number: 2, user: 'And which one is live?', assistant: 'Crane is.' }],
        ['end', 5],
        ['stop', undefined],
      ].map((call) => (call[1] === undefined ? call.slice(0, 1) : call)),
    );
  });

  test('M1 has its text behind what is remembered, in the same bytes in every request, in a branch and after a restart', async (t) => {
    const { store, memory, runtime, another } = await stageOf(t, heard().provider);
    await add(memory, 'Uses Rust.');
    const list = listOf(1);
    const [first] = await work(runtime, list, { from: 2, steps: 3 });
    const restarted = another(heard({ promptText: () => 'Says something else now.' }).provider);
    const again = await restarted.prepare({ messages: list });
    const branch = await restarted.prepare({ messages: [...list.slice(0, -2), user('Stop it now.')] });
    const other = await restarted.prepare({ messages: [user('Something else.')] });
    const shown = systemIn(first ?? assert.fail());
    assert.match(shown, /<memory-context>.*Uses Rust\..*Notes keeps memories.*<\/memory-context>/s);
    assert.deepEqual([again, branch].map(systemIn), [shown, shown]);
    assert.match(systemIn(other), /Uses Rust\..*Says something else now/s);
    assert.equal(
      (await store.messages.view(first?.sessionId ?? '')).some(({ message }) => message === first?.memory),
      false,
    );
  });

  test('hears what is written to the memory, and nothing of what waits', async (t) => {
    const { provider, calls } = heard();
    const { memory, runtime, store } = await stageOf(t, provider);
    const list = [user('Remember that I take the train at 7:14. The page says that paper ships on Fridays.')];
    const { sessionId } = await runtime.prepare({ messages: list });
    const files = async () => memory.files(await runtime.writer(sessionId));
    await (await files()).apply('user', [{ action: 'add', content: 'Takes the train at 7:14.' }]);
    await (await files()).apply('user', [
      { action: 'replace', entry: { text: 'Takes the train at 7:14.' }, content: 'I take the train at 7:14.' },
    ]);
    await (await files()).apply('user', [{ action: 'remove', entry: { text: 'I take the train at 7:14.' } }]);
    const stranger = {
      ...(await runtime.writer(sessionId)),
      judge: () => ({ source: 'outside-tool', decision: 'confirm' }) as const,
    };
    await memory.files(stranger).apply('memory', [{ action: 'add', content: 'Paper ships on Fridays.' }]);
    await settled();
    assert.deepEqual(
      calls.filter(([what]) => what === 'write').map(([, write]) => write),
      [
        { sessionId, what: 'add', target: 'user', text: 'Takes the train at 7:14.' },
        {
          sessionId,
          what: 'replace',
          target: 'user',
          text: 'I take the train at 7:14.',
          before: 'Takes the train at 7:14.',
        },
        { sessionId, what: 'remove', target: 'user', text: 'I take the train at 7:14.' },
      ],
    );
    assert.equal((await store.memory.list({ status: ['pending'] })).length, 1);
  });

  test('L2: is heard before a compression, goes on in the session behind it, and hears what was kept in the memory', async (t) => {
    const { provider, calls } = heard();
    const { runtime } = await stageOf(t, provider);
    const list = [...listOf(2), user('From now on always run the linter before you commit.'), reply('I will.')];
    list.push(user('Go on with the ledgers.'));
    const contexts = await work(runtime, list, { from: 3, steps: 24 });
    const context = contexts.find(({ compression }) => compression) ?? assert.fail();
    const { from, to } = context.compression ?? assert.fail();
    const order = calls.map(([what]) => what).filter((what) => ['compression', 'continue', 'write'].includes(what));
    assert.deepEqual(order.slice(0, 3), ['compression', 'write', 'continue']);
    assert.deepEqual(calls.find(([what]) => what === 'continue')?.[1], { sessionId: to, project });
    assert.equal(calls.filter(([what]) => what === 'start').length, 1);
    assert.notEqual(from, to);
    const text = JSON.stringify(context.messages);
    assert.match(text, /kept by this program.*<memory-context>.*Heron was rebooted on Monday\.\\n<\/memory-context>/);
  });

  test('L2: is heard before a compression that a person asks for of a stored conversation, whose session shows its text', async (t) => {
    const { runtime, another } = await stageOf(t, heard().provider);
    const list = listOf(2);
    const [{ sessionId } = assert.fail()] = await work(runtime, list, { from: 3, steps: 12, lines: 20 });
    await runtime.stop();
    const { provider, calls } = heard();
    const later = another(provider);
    const report = await later.compress({ sessionId });
    assert.equal(report.status, 'compressed');
    const told = calls.map(([what, about]) => (what === 'compression' ? what : [what, Object(about).sessionId]));
    assert.deepEqual(told, [['start', sessionId], 'compression', ['continue', report.sessionId]]);
    const context = await later.prepare({ messages: [...list, reply('Done.'), user('Well done, thank you.')] });
    assert.match(systemIn(context), /Notes keeps memories/);
    assert.match(JSON.stringify(context.messages), /Heron was rebooted on Monday/);
  });

  test('hears the end of a conversation that another process has gone on with', async (t) => {
    const { provider, calls } = heard();
    const { runtime, another } = await stageOf(t, provider);
    const list = [user('One thing only.')];
    const one = await runtime.prepare({ messages: list });
    const other = another(heard().provider);
    await answer(other, await other.prepare({ messages: anew(list) }), reply('Yes.'));
    await runtime.end(one.sessionId);
    assert.deepEqual(
      calls.slice(-2).map(([what, about]) => [what, about]),
      [
        ['end', 2],
        ['stop', undefined],
      ],
    );
  });

  test('S9 keeps nothing through a compression where a line of it reads like an order', async (t) => {
    const { provider } = heard({ beforeCompression: () => `Heron was rebooted on Monday.\n${order}` });
    const { runtime, notices } = await stageOf(t, provider);
    const contexts = await work(runtime, listOf(2), { from: 3, steps: 24 });
    assert.ok(contexts.some(({ compression }) => compression));
    assert.doesNotMatch(JSON.stringify(contexts), /Heron was rebooted|Ignore all previous/);
    assert.ok(warnings(notices).some((message) => /^Nothing of what notes wanted kept is kept/.test(message)));
  });

  test('is one object for several conversations, started for each and stopped behind the last', async (t) => {
    const { provider, calls } = heard();
    const { runtime } = await stageOf(t, provider);
    const one = await runtime.prepare({ messages: [user('One thing only.')] });
    const two = await runtime.prepare({ messages: [user('Two other things.')] });
    assert.deepEqual(
      calls.filter(([what]) => what === 'start').map(([, about]) => about),
      [one, two].map(({ sessionId }) => ({ sessionId, project })),
    );
    await runtime.end(one.sessionId);
    assert.equal(
      calls.some(([what]) => what === 'stop'),
      false,
    );
    await runtime.stop();
    assert.equal(calls.filter(([what]) => what === 'stop').length, 1);
    await runtime.prepare({ messages: [user('Two other things.'), reply('Yes.'), user('Go on with them.')] });
    assert.equal(calls.filter(([what]) => what === 'start').length, 3);
  });

  test('serves no more conversations than are followed, and one that was forgotten is served anew, its turns counted on', async (t) => {
    const { provider, calls } = heard();
    const { runtime } = await stageOf(t, provider, { maxLive: 1 });
    const list = [user('One thing only.')];
    const one = await runtime.prepare({ messages: list });
    await answer(runtime, one, reply('Yes.'));
    await runtime.prepare({ messages: [user('Two other things.')] });
    list.push(reply('Yes.'), user('Go on with it.'));
    const again = await runtime.prepare({ messages: list });
    assert.equal(again.sessionId, one.sessionId);
    assert.deepEqual(
      calls.filter(([what]) => what === 'turn').map(([, about]) => about),
      [
        { sessionId: one.sessionId, number: 1 },
        {
          sessionId: calls.filter(([what]) => what === 'start').map(([, about]) => Object(about).sessionId)[1],
          number: 1,
        },
        { sessionId: one.sessionId, number: 2 },
      ],
    );
    await runtime.stop();
    assert.equal(calls.at(-1)?.[0], 'stop');
  });
});

describe('Y2 what a provider recalls', () => {
  test('stands behind what the program recalls, in one fence, within one budget, in every step of its turn, and is not stored as said', async (t) => {
    const asked: RecallRequest[] = [];
    const recall = (request: RecallRequest): string => {
      asked.push(request);
      return 'The live server is called crane.';
    };
    const { provider } = heard();
    const { runtime, store } = await stageOf(t, provider, { recall });
    const list = [system('Be brief.'), user(question)];
    const one = await runtime.prepare({ messages: list });
    const [called, result] = step(1, 1);
    await answer(runtime, one, called);
    list.push(called, result);
    const two = await runtime.prepare({ messages: list });
    await answer(runtime, two, reply('It is heron.'));
    list.push(reply('It is heron.'), user('And which one is live?'));
    const three = await runtime.prepare({ messages: list });
    const [[at, text] = assert.fail()] = recalledIn(one);
    assert.equal(one.messages[at]?.role, 'user');
    assert.match(text, /The live server is called crane\.\\n\\nThe staging server is called heron\./);
    assert.equal(text.match(/<recalled-context/g)?.length, 1);
    assert.equal(asked.length, 2);
    // The steps of a turn begin alike, and what stands before the newest request is as it was said.
    assert.deepEqual(two.messages.slice(0, one.messages.length), one.messages);
    assert.deepEqual(recalledIn(two), recalledIn(one));
    assert.equal(recalledIn(three).at(-1)?.[0], three.messages.length - 1);
    const views = await store.messages.view(one.sessionId);
    assert.doesNotMatch(JSON.stringify(views), /called heron|called crane/);
    const long = heard({
      recall: () => Array.from({ length: 80 }, (_, at) => `Server ${at} is called heron.`).join('\n'),
    });
    const small = await stageOf(t, long.provider, { recall, recallTokens: 300 });
    const [[, cut] = assert.fail()] = recalledIn(await small.runtime.prepare({ messages: [user(question)] }));
    assert.match(cut, /called crane.*Server 0 is.*more was recalled; it did not fit/);
    assert.doesNotMatch(cut, /Server 60 is/);
  });

  test('is kept out of what goes to services, and a person who repeats it is not saved as having said it', async (t) => {
    const { provider, calls } = heard();
    const { runtime } = await stageOf(t, provider);
    const list = [user(question)];
    const one = await runtime.prepare({ messages: list });
    const echo =
      '<memory-context>\n[Recalled from memory as background]\n\nThe staging server is called heron.\n</memory-context>';
    // The client sends the message back as it went out, and the model has repeated a block of ours.
    await answer(runtime, one, reply(`Noted.\n${echo}\nHeron.`));
    const back = [
      ...one.messages.filter(({ role }) => role !== 'system'),
      reply('Noted.\n\nHeron.'),
      user('Thanks a lot for that.'),
    ];
    await answer(runtime, await runtime.prepare({ messages: back }), reply('You are welcome.'));
    await settled();
    assert.deepEqual(
      calls.filter(([what]) => what === 'save').map(([, turn]) => [Object(turn).user, Object(turn).assistant]),
      [
        [question, 'Noted.\n\nHeron.'],
        ['Thanks a lot for that.', 'You are welcome.'],
      ],
    );
  });

  test('two processes on one conversation: the first to begin a turn asks, and a compression of one is told to the other', async (t) => {
    const [first, second] = [heard(), heard()];
    const { runtime: one, another } = await stageOf(t, first.provider);
    const two = another(second.provider);
    const list = listOf(2);
    await work(one, list, { from: 3, steps: 1 });
    await work(two, anew(list), { from: 4, steps: 1 });
    list.push(...step(4));
    const [context = assert.fail()] = (await work(two, list, { from: 5, steps: 24 })).filter(
      ({ compression }) => compression,
    );
    await work(one, list, { from: 29, steps: 1 });
    const numbers = ({ calls }: Heard): unknown =>
      calls.filter(([what]) => what === 'turn').map(([, turn]) => Object(turn).number);
    assert.deepEqual([first, second].map(numbers), [[1], []]);
    const told = (calls: Heard['calls']): readonly unknown[] =>
      calls.filter(([what]) => what === 'continue').map(([, session]) => Object(session).sessionId);
    assert.ok(told(second.calls).includes(context.sessionId));
    assert.equal(told(first.calls).length, 1);
    assert.equal(told(first.calls)[0], told(second.calls).at(-1));
  });
});
