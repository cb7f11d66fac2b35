/** What providers that fail, hang and come back cost a conversation: notices, and nothing else. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { MemoryProvider } from '@palimpsest/core/memory';
import { broken, never, notesIn, settle, stageOf } from './stage.ts';

const question = 'Which server is for staging?';
const tool = (name: string) => ({ name, description: 'Finds things.', parameters: {} });
const secret = `ghp_${createHash('sha256').update('palimpsest').digest('hex').slice(0, 36)}`;

describe('M3 a provider that fails', () => {
  test('M3 by throwing, also where nobody expects it, costs nothing but notices', async () => {
    const boom = (): never => {
      throw new Error('boom');
    };
    const traps = {
      get tools() {
        return boom();
      },
      promptText: boom,
      recall: boom,
      saveTurn: boom,
      onTurnStart: boom,
    };
    const external: MemoryProvider = Object.assign(Object.create(traps), { name: 'notes' });
    const { providers, notices } = await stageOf(external);
    await providers.startTurn();
    assert.deepEqual(await providers.recall(question), []);
    providers.saveTurn({ user: question, assistant: '' });
    await settle();
    assert.deepEqual(notices, [
      'The memory provider notes has no usable text for the system prompt.',
      'The memory provider notes: its tools are left out: they cannot be read.',
      'The memory provider notes could not begin a turn: boom.',
      'The memory provider notes could not recall anything: boom.',
      'The memory provider notes could not save: boom.',
    ]);
  });

  test('M3 by hanging is given up after its time, told by its signal, and not called again before it lets go', async () => {
    const signals: AbortSignal[] = [];
    const recall: MemoryProvider['recall'] = (_query, { signal }) => {
      signals.push(signal);
      return never();
    };
    const { providers, clock, notices } = await stageOf({ name: 'notes', recall });
    const first = providers.recall(question);
    await clock.pass(1_500);
    assert.deepEqual(await first, []);
    assert.equal(signals[0]?.aborted, true);
    assert.deepEqual(await providers.recall(question), []);
    assert.equal(signals.length, 1);
    assert.deepEqual(notices, [
      'The memory provider notes could not recall anything: it took longer than 1500 ms.',
      'The memory provider notes could not recall anything: it has not answered an earlier call yet.',
    ]);
  });

  test('M3 is not to blame when the person calls the turn off', async () => {
    const { providers, notices } = await stageOf({ name: 'notes', recall: never });
    const controller = new AbortController();
    const found = providers.recall(question, controller.signal);
    controller.abort();
    assert.deepEqual(await found, []);
    assert.deepEqual(notices, []);
  });

  test('M3 three times is told once with the time of the first, and its tools disappear', async () => {
    const external: MemoryProvider = {
      name: 'mem0',
      recall: broken('HTTP 503'),
      tools: [tool('find')],
      runTool: () => 'x',
    };
    const { providers, clock, notices } = await stageOf(external);
    for (let turn = 0; turn < 8; turn++) {
      await providers.recall(question);
      await clock.pass(60_000);
    }
    assert.deepEqual(notices.slice(2), [
      'The memory provider mem0 has failed 3 times since 14:02: it could not recall anything (HTTP 503). It is left out until it works again.',
    ]);
    assert.deepEqual(providers.tools(), []);
    assert.match((await providers.runTool('find', {})) ?? '', /mem0 does not work now: go on without it/);
    assert.deepEqual(providers.status()[1]?.state.type, 'down');
  });

  test('M3 at saving alone is down too: that it still recalls hides nothing', async () => {
    const { providers, notices } = await stageOf({ name: 'mem0', recall: () => 'old', saveTurn: broken('HTTP 500') });
    for (let turn = 0; turn < 3; turn++) {
      await providers.startTurn();
      assert.equal((await providers.recall(question)).length, 1);
      providers.saveTurn({ user: question, assistant: 'heron' });
      await settle();
    }
    assert.match(notices.at(-1) ?? '', /has failed 3 times since 14:02: it could not save \(HTTP 500\)/);
    assert.deepEqual(await providers.recall(question), []);
    const [, status] = providers.status();
    assert.deepEqual([status?.savedAt, status?.waiting, status?.lost], [undefined, 3, 0]);
  });

  test('M3 comes back once a note can be written and read, and what waited is saved in order', async () => {
    let works = false;
    const kept = new Map<string, string>();
    const saved: number[] = [];
    const external: MemoryProvider = {
      name: 'mem0',
      tools: [tool('find')],
      saveTurn: ({ number }) => (works ? void saved.push(number) : broken()()),
      notes: notesIn(kept, () => works),
    };
    const { providers, clock, notices } = await stageOf(external);
    const turn = async (): Promise<void> => {
      await providers.startTurn();
      providers.saveTurn({ user: question, assistant: 'heron' });
      await settle();
    };
    for (let at = 0; at < 4; at++) await turn();
    assert.deepEqual(providers.tools(), []);
    await clock.pass(30_000);
    await turn(); // a try that fails
    works = true;
    await clock.pass(30_000);
    await turn(); // too early: the pause has doubled
    assert.deepEqual(saved, []);
    await clock.pass(30_000);
    await turn();
    assert.deepEqual(saved, [1, 2, 3, 4, 5, 6, 7]);
    assert.equal(notices.at(-1), 'The memory provider mem0 works again.');
    assert.equal(providers.tools().length, 1);
    assert.equal(kept.size, 0, 'the note of the probe is gone again');
  });

  test('M3 at its start is down at once, and started again later', async () => {
    let works = false;
    const start = (): undefined => {
      if (!works) throw new Error('no route');
    };
    const { providers, notices } = await stageOf({
      name: 'mem0',
      start,
      recall: () => 'heron',
      notes: notesIn(new Map()),
    });
    assert.deepEqual(notices, [
      'The memory provider mem0 could not be started: no route. It is left out until it works again.',
    ]);
    works = true;
    assert.equal((await providers.check())[1]?.state.type, 'ready');
    assert.equal((await providers.recall(question)).length, 1);
  });

  test('M3 whose settings are not complete is not called at all', async () => {
    const called: string[] = [];
    const external: MemoryProvider = {
      name: 'mem0',
      missing: () => 'MEM0_API_KEY is not set.',
      start: () => void called.push('start'),
      recall: () => void called.push('recall'),
      saveTurn: () => void called.push('save'),
      tools: [tool('find')],
    };
    const { providers, notices } = await stageOf(external);
    await providers.startTurn();
    await providers.recall(question);
    providers.saveTurn({ user: question, assistant: '' });
    await providers.stop();
    assert.deepEqual([called, providers.tools()], [[], []]);
    assert.deepEqual(notices, ['The memory provider mem0 is not used: MEM0_API_KEY is not set.']);
  });

  test('M3 for one turn only does not hold up the turns behind it for good', async () => {
    const saved: number[] = [];
    const saveTurn: MemoryProvider['saveTurn'] = ({ number }) =>
      number === 1 ? broken('HTTP 400')() : void saved.push(number);
    const { providers, notices } = await stageOf({ name: 'mem0', saveTurn, notes: notesIn(new Map()) });
    for (let at = 0; at < 4; at++) {
      await providers.startTurn();
      providers.saveTurn({ user: question, assistant: '' });
      await settle();
    }
    await providers.check();
    await settle();
    assert.deepEqual(saved, [2, 3, 4]);
    assert.match(notices.join('\n'), /mem0 did not save a turn: HTTP 400/);
    assert.equal(providers.status()[1]?.lost, 1);
  });

  test('M3 names no credential in what is said of it', async () => {
    const { providers, notices } = await stageOf({ name: 'mem0', recall: broken(`refused the key ${secret}`) });
    for (let turn = 0; turn < 3; turn++) await providers.recall(question);
    assert.doesNotMatch(notices.join('\n') + JSON.stringify(providers.status()), new RegExp(secret));
  });
});

describe('M3 a check', () => {
  test('M3 makes every provider write and read a note: one that takes everything and keeps nothing is found out', async () => {
    const mute: MemoryProvider = {
      name: 'mem0',
      tools: [tool('find')],
      saveTurn: () => undefined,
      notes: { ...notesIn(new Map()), read: async () => undefined },
    };
    const { providers, notices } = await stageOf(mute);
    providers.saveTurn({ user: question, assistant: '' });
    await settle();
    assert.equal((await providers.check())[1]?.state.type, 'down');
    assert.deepEqual(notices, [
      'The memory provider mem0 does not work: it could not read back a note that it had written (what was written could not be read back). It is left out until it does.',
    ]);
    assert.deepEqual(providers.tools(), []);
  });

  test('M3 of a provider that works changes nothing', async () => {
    const { providers, notices } = await stageOf({ name: 'mem0', notes: notesIn(new Map()) });
    assert.deepEqual(
      (await providers.check()).map(({ state }) => state.type),
      ['ready', 'ready'],
    );
    assert.deepEqual(notices, []);
  });
});

describe('M3 a session that goes on', () => {
  test('M3 is the one that a failed provider is started with again', async () => {
    let works = true;
    const started: unknown[] = [];
    const external: MemoryProvider = {
      name: 'mem0',
      start: (session) => void started.push(session.sessionId),
      onSessionContinue: () => undefined,
      recall: () => (works ? 'heron' : broken()()),
      notes: notesIn(new Map()),
    };
    const { providers } = await stageOf(external);
    await providers.continueSession({ sessionId: 'session-2', project: 'heron' });
    works = false;
    for (let turn = 0; turn < 3; turn++) await providers.recall(question);
    await providers.check();
    assert.deepEqual(started, ['session-1', 'session-2']);
  });

  test('M3 in another project does not take along what waits', async () => {
    let works = false;
    const saved: number[] = [];
    const saveTurn: MemoryProvider['saveTurn'] = ({ number }) => (works ? void saved.push(number) : broken()());
    const { providers, notices } = await stageOf({ name: 'mem0', saveTurn });
    await providers.startTurn();
    providers.saveTurn({ user: question, assistant: '' });
    await providers.continueSession({ sessionId: 'session-2', project: 'crane' });
    works = true;
    await providers.startTurn();
    providers.saveTurn({ user: question, assistant: '' });
    await settle();
    assert.deepEqual(saved, [2]);
    assert.match(notices.at(-1) ?? '', /did not save 1 turns and memories: the session went on elsewhere/);
    assert.equal(providers.status()[1]?.lost, 1);
  });

  test('M3 in the same project does', async () => {
    let works = false;
    const saved: number[] = [];
    const saveTurn: MemoryProvider['saveTurn'] = ({ number }) => (works ? void saved.push(number) : broken()());
    const { providers } = await stageOf({ name: 'mem0', saveTurn });
    await providers.startTurn();
    providers.saveTurn({ user: question, assistant: '' });
    await providers.continueSession({ sessionId: 'session-2', project: 'heron' });
    works = true;
    await providers.startTurn();
    providers.saveTurn({ user: question, assistant: '' });
    await settle();
    assert.deepEqual(saved, [1, 2]);
  });
});

describe('M3 the end of a program', () => {
  test('M3 waits for what is still to be saved', async () => {
    const saved: number[] = [];
    const saveTurn: MemoryProvider['saveTurn'] = async ({ number }) => {
      await settle();
      saved.push(number);
    };
    const { providers, notices } = await stageOf({ name: 'mem0', saveTurn });
    for (let at = 0; at < 3; at++) {
      await providers.startTurn();
      providers.saveTurn({ user: question, assistant: '' });
    }
    await providers.stop();
    assert.deepEqual([saved, notices], [[1, 2, 3], []]);
  });

  test('M3 waits no longer than its time, and says what was not saved', async () => {
    const { providers, clock, notices } = await stageOf({ name: 'mem0', saveTurn: never, stop: never });
    providers.saveTurn({ user: question, assistant: '' });
    const stopped = providers.stop();
    await clock.pass(5_000);
    await clock.pass(5_000);
    await stopped;
    assert.match(notices[0] ?? '', /mem0 ends with 1 not saved/);
  });
});
