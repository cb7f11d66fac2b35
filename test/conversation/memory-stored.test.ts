/** L2 for a stored conversation: what is worth keeping of the covered part goes into the memory before it is compressed. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type ConversationNotice, estimatingTokenizer, type Message, type Summarizer } from '@palimpsest/core';
import { compressSession, type SessionDraft, type Store } from '@palimpsest/core/store';
import { type MemoryBench, openBench, told } from '../memory/entries/bench.ts';
import { listOf, reply, step, user } from './agent.ts';

const rule = 'From now on always run the linter before you commit.';
const wish = 'Please remember that I take the train at 7:14.';

/** A stored conversation in whose middle a person says something. */
async function stored(store: Store, said: readonly string[], draft: Partial<SessionDraft> = {}): Promise<string> {
  const list: Message[] = listOf(2);
  for (const text of said) list.push(user(text), reply('I will.'));
  list.push(user('Go on with the ledgers.'), ...Array.from({ length: 24 }, (_, at) => step(at + 3)).flat());
  const { id } = await store.sessions.create({ source: 'library', ...draft });
  await store.messages.append(id, list);
  return id;
}

interface Compressing {
  readonly writer?: Summarizer;
  readonly isForgetful?: boolean;
}

async function compressed({ store, memory }: MemoryBench, id: string, { writer, isForgetful }: Compressing = {}) {
  const notices: ConversationNotice[] = [];
  const done = await compressSession(store, id, {
    owner: 'test',
    tokenizer: estimatingTokenizer('claude'),
    contextLength: 16_000,
    targetTokens: 3_000,
    onNotice: (notice) => notices.push(notice),
    ...(isForgetful ? {} : { memory: writer ? { memory, writer } : memory }),
  });
  assert.equal(done.result.status, 'compressed');
  return { ...done, notices: notices.map(({ level, message }) => `${level}: ${message}`) };
}

describe('L2 compressSession with a memory', () => {
  test('keeps what the person wanted remembered and rules for every time, and tells which entries', async (t) => {
    const bench = await openBench(t);
    const id = await stored(bench.store, [wish, rule]);
    const { notices, session } = await compressed(bench, id);
    assert.notEqual(session.id, id);
    assert.deepEqual(await told(bench.store), ['e1 live person: I take the train at 7:14.', `e2 live person: ${rule}`]);
    assert.deepEqual(notices, [
      'log: Before the compression, e1 was kept in the memory.',
      'log: Before the compression, e2 was kept in the memory.',
    ]);
    const [act] = await bench.memory.history();
    assert.deepEqual([act?.actor, act?.sessionId], ['runtime', id]);
    assert.match(bench.read('USER.md'), /train at 7:14/);
  });

  test('asks a model as well where there is one, and counts its call', async (t) => {
    const bench = await openBench(t);
    const id = await stored(bench.store, ['Our server for staging is called lotus-7.']);
    const at = (prompt: string): number => Number(/"message":(\d+)[^\n]*lotus-7/.exec(prompt)?.[1]);
    const writer: Summarizer = {
      name: 'test/notes',
      write: async ({ prompt }) => ({
        text: JSON.stringify({
          message: at(prompt),
          quote: 'Our server for staging is called lotus-7.',
          text: 'Our server for staging is called lotus-7.',
        }),
        finish: 'stop',
        usage: { inputTokens: 900, outputTokens: 30 },
      }),
    };
    await compressed(bench, id, { writer });
    assert.deepEqual(await told(bench.store), ['e1 live person: Our server for staging is called lotus-7.']);
    assert.equal((await bench.store.sessions.get(id))?.usage.inputTokens, 900);
  });

  test('a model or a memory that fails costs a notice', async (t) => {
    const bench = await openBench(t);
    const writer: Summarizer = { name: 'test/fails', write: () => Promise.reject(new Error('no key')) };
    const first = await compressed(bench, await stored(bench.store, [rule]), { writer });
    assert.match(first.notices[0] ?? '', /^warn: test\/fails could not say what is worth keeping \(no key\)/);
    assert.equal((await told(bench.store)).length, 1);
    const memory = { ...bench.memory, apply: () => Promise.reject(new Error('disk full')) };
    const second = await compressed({ ...bench, memory }, await stored(bench.store, [wish]));
    assert.match(second.notices[0] ?? '', /^warn: Keeping what is worth it .* failed \(disk full\)/);
  });

  test('of a conversation that was imported from a file everything waits for the person', async (t) => {
    const bench = await openBench(t);
    const id = await stored(bench.store, [rule], { source: 'claude-code', sourcePath: '/tmp/log.jsonl' });
    const { session, notices } = await compressed(bench, id);
    assert.deepEqual(await told(bench.store), [`e1 pending person: ${rule}`]);
    assert.deepEqual(notices, ['log: Before the compression, e1 waits for the person in the memory.']);
    // In its continuations too.
    await bench.store.messages.append(session.id, [
      user(wish),
      reply('I will.'),
      user('Go on.'),
      ...Array.from({ length: 24 }, (_, at) => step(at + 40)).flat(),
    ]);
    await compressed(bench, session.id);
    assert.match((await told(bench.store)).join(), /e2 pending person: I take the train/);
  });

  test('nothing changes without one', async (t) => {
    const bench = await openBench(t);
    const { notices } = await compressed(bench, await stored(bench.store, [rule, wish]), { isForgetful: true });
    assert.deepEqual([notices, await told(bench.store)], [[], []]);
    const wrong = { owner: 'test', tokenizer: estimatingTokenizer('claude'), memory: JSON.parse('{"folder":"x"}') };
    await assert.rejects(compressSession(bench.store, 'x', wrong), { code: 'BAD_OPTION' });
  });
});
