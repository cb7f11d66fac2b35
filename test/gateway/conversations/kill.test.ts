/** A gateway that is killed under load: what it has acknowledged is kept, whole, and its conversations go on in the next process. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { createConversations } from '@palimpsest/core';
import { openStore, type Store } from '@palimpsest/core/store';
import { startFakeProvider } from '@palimpsest/core/testing';
import { newFolder } from '../../support/store-files.ts';
import { dialectNames } from '../support/recorded.ts';
import { type Running, serving } from '../support/serving.ts';
import { agentOf } from './agents.ts';
import { ask, clientOf, type StreamingClient, say, textOf } from './streaming-client.ts';
import { fileOf, readsFiles } from './support.ts';

/** An answer that no other is like, of some 200 tokens. */
const answer = (number: number): string =>
  `Answer ${number}: ${Array.from({ length: 70 }, (_, at) => `${number}.${at}é`).join(' ')}`;

const upstreamArgs = (url: string): readonly string[] =>
  dialectNames.flatMap((name) => ['--upstream', `${name}=${url}${name.startsWith('openai') ? '/v1' : ''}`]);

/** Lets all clients talk at once until the gateway has acknowledged so many requests, and kills it. */
async function killUnderLoad(
  serve: Running,
  clients: readonly StreamingClient[],
  acknowledgements: number,
): Promise<void> {
  let left = acknowledgements;
  const acknowledge = (): void => {
    if (--left === 0) serve.child.kill('SIGKILL');
  };
  const talk = async (client: StreamingClient): Promise<void> => {
    for (;;) {
      say(client, `${client.name} asks for the ${client.texts.length}th time. ${'Please be exact. '.repeat(20)}`);
      await ask(client, serve.url, acknowledge);
    }
  };
  const ended = once(serve.child, 'close');
  const results = await Promise.allSettled(clients.map(talk));
  assert.deepEqual(await ended, [null, 'SIGKILL']);
  for (const result of results)
    assert.match(String(result.status === 'rejected' && result.reason), /fetch failed|terminated|ended early/);
}

/** Everything acknowledged stands there once, in its order, and no answer is half. */
async function requireKept(store: Store, clients: readonly StreamingClient[]): Promise<void> {
  const report = await store.care.check();
  assert.ok(report.ok, JSON.stringify(report.findings));
  const runtime = createConversations({ store, model: 'm' });
  for (const { name, session, texts, acknowledged, newest } of clients) {
    if (session === '') continue;
    const kept = (await runtime.transcript(session)).map(({ parts }) => textOf(parts));
    assert.deepEqual(kept.slice(0, acknowledged), texts.slice(0, acknowledged), name);
    for (const text of kept.filter((one) => one.startsWith('Answer'))) assert.equal(text, answerLike(text));
    // Nothing came that was not said: a beginning of the answer, cut anywhere.
    assert.ok(answerLike(newest).startsWith(newest), newest);
  }
}

const answerLike = (text: string): string => {
  const [, number] = /^Answer (\d+):/.exec(text) ?? [];
  // Too short for its number, it is a beginning of itself.
  return number === undefined ? text : answer(Number(number));
};

test('F3 kills under load lose nothing that was acknowledged; each conversation goes on in the next process', {
  timeout: 120_000,
}, async (t) => {
  const path = join(await newFolder(t), 'store.db');
  await using provider = await startFakeProvider({
    contextLength: 3_000,
    script: ({ number }) => ({ text: answer(number), pieceChars: 40 }),
  });
  const clients = Array.from({ length: 6 }, (_, at) => clientOf(`Client ${at}`, dialectNames[at % 4] ?? 'anthropic'));
  const args = [...upstreamArgs(provider.url), '--store', path, '--context-length', '3000', '--no-summarizer'];
  for (let round = 1; round <= 2; round++) {
    const before = clients.map(({ session }) => session);
    {
      await using serve = await serving(args);
      await killUnderLoad(serve, clients, 26 + 7 * round);
    }
    await using store = await openStore({ path });
    await requireKept(store, clients);
    for (const [at, { session, name }] of clients.entries()) {
      const old = before[at] ?? '';
      if (old !== '') assert.ok(await goesOn(store, old, session), `${name} began anew in round ${round}`);
    }
  }
  // Through compressions as well.
  await using store = await openStore({ path });
  const sessions = await Promise.all(clients.map(({ session }) => store.sessions.chain(session)));
  assert.ok(
    sessions.some((chain) => chain.length > 1),
    'nothing was compressed',
  );
  assert.ok(provider.requests.every(({ status }) => status === 200 || status === undefined));
});

/** The session is the old one, continues it, or branched off it where an answer was kept that its client never got. */
async function goesOn(store: Store, old: string, session: string): Promise<boolean> {
  for (let id: string | undefined = session; id !== undefined; id = (await store.sessions.get(id))?.parentId)
    if (id === old) return true;
  const [one, other] = await Promise.all([store.sessions.get(old), store.sessions.get(session)]);
  return one?.parentId !== undefined && one.parentId === other?.parentId;
}

const canLimit = spawnSync('bash', ['-c', 'ulimit -f 100']).status === 0;

test('F1 a gateway whose disk is full answers every client, and says so in one line', {
  skip: !canLimit && 'needs bash and a limit for the size of files',
  timeout: 60_000,
}, async (t) => {
  const path = join(await newFolder(t), 'store.db');
  await using provider = await startFakeProvider({ contextLength: 8_000, script: readsFiles(40) });
  const args = [...upstreamArgs(provider.url), '--store', path, '--context-length', '8000', '--no-summarizer'];
  const before = ['bash', '-c', 'trap "" XFSZ; ulimit -f 500 || exit 99; exec "$@"', 'bash'];
  await using serve = await serving(args, { before });
  const agents = [agentOf('anthropic', serve.url, 'Read all.'), agentOf('gemini', serve.url, 'Read every file.')];
  const kept: (string | null)[] = [];
  for (let step = 1; step <= 14; step++) {
    for (const agent of agents) {
      const { status, headers } = await agent.step(fileOf(step));
      assert.equal(status, 200);
      kept.push(headers.get('x-palimpsest-kept'));
    }
  }
  assert.ok(kept.includes('no') && kept[0] === null, kept.join());
  assert.equal(serve.out().split('Until then, conversations go on in memory.').length, 2, serve.out());
  assert.ok(provider.requests.every(({ status }) => status === 200));
});
