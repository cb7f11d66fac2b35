/** What the middle on the other side of a worker sees and gives: as if it stood in the relay, and never more than the worker has read. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { AnswerEnd, Middle, Prepared, Received } from '../../../packages/palimpsest/src/gateway/middle.ts';
import { Far } from '../../../packages/palimpsest/src/gateway/worker/far.ts';
import type { Reply } from '../../../packages/palimpsest/src/gateway/worker/messages.ts';
import { across } from '../support/across.ts';
import { gatewayBefore, nobody } from '../support/gateway.ts';
import { answerOf, exchange, openSocket, postOf, type WireUpstream, wireUpstream } from '../support/wire.ts';

const bytesOf = (text: string): Buffer => Buffer.from(text);
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const preparing = (prepare: (received: Received) => Prepared): Middle => ({
  prepare: async (received) => prepare(received),
});
const echo = (answer = '{"ok":1}'): Promise<WireUpstream> =>
  wireUpstream(({ socket }) => socket.write(answerOf(answer)));

const waiting: Received = {
  ...{ dialect: 'anthropic', act: 'answer', method: 'POST', path: '/v1/messages', headers: [], user: undefined },
  body: bytesOf('came'),
  signal: new AbortController().signal,
};

/** Notes what a watch sees. */
function watching(ends: AnswerEnd[], pieces: string[] = []): Middle {
  const watch = {
    read: (bytes: Uint8Array) => void pieces.push(textOf(bytes)),
    end: (how: AnswerEnd) => void ends.push(how),
  };
  return preparing(({ body }) => ({ body, settle: () => ({ watch }) }));
}

const errorsOf = async (url: string): Promise<string | undefined> =>
  /middle_errors_total (\d+)/.exec(await (await fetch(`${url}/metrics`)).text())?.[1];

describe('K2: what crosses', () => {
  test('the request goes there, and other bytes and headers come back', async () => {
    let seen: Received | undefined;
    using far = across(
      preparing((received) => {
        seen = received;
        return { body: bytesOf('other'), headers: [['X-B', '2']], responseHeaders: [['x-palimpsest-session', 's1']] };
      }),
    );
    await using upstream = await echo();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    const answer = await exchange(gateway.url, postOf('/v1/messages?beta=1', 'came', ['X-A: 1']));
    assert.ok(seen);
    assert.deepEqual(
      [seen.dialect, seen.act, seen.path, seen.headers, textOf(seen.body)],
      ['anthropic', 'answer', '/v1/messages?beta=1', [['X-A', '1']], 'came'],
    );
    assert.equal(textOf(upstream.requests[0]?.body ?? bytesOf('')), 'other');
    assert.match(upstream.requests[0]?.head ?? '', /^X-B: 2$/m);
    assert.match(answer.head, /^x-palimpsest-session: s1$/m);
  });

  test('an answer from there goes to the client, and nothing upstream', async () => {
    const answer = { status: 400, headers: [['x-a', '1']] as const, body: bytesOf('too long') };
    using far = across(preparing(({ body }) => ({ body, answer })));
    await using gateway = await gatewayBefore(nobody, {}, { middle: far.near });
    const got = await exchange(gateway.url, postOf('/v1/messages'));
    assert.deepEqual([got.status, textOf(got.body)], [400, 'too long']);
  });

  test('a refusal is judged there, and what it gives is tried with a settle of its own', async () => {
    const saw: unknown[] = [];
    const settleOf =
      (name: string): NonNullable<Prepared['settle']> =>
      (outcome) => {
        saw.push(name, outcome.type === 'answer' ? outcome.status : outcome.failure.kind);
        if (outcome.type !== 'answer' || outcome.status !== 400) return undefined;
        const again = async (start: Uint8Array, isWhole: boolean): Promise<Prepared> => {
          saw.push(textOf(start), isWhole);
          return { body: bytesOf('short'), settle: settleOf('second') };
        };
        return { judge: { maxBytes: 1_000, again } };
      };
    using far = across(preparing(({ body }) => ({ body, settle: settleOf('first') })));
    await using upstream = await wireUpstream(({ body, socket }) => {
      const isShort = textOf(body) === 'short';
      socket.write(isShort ? answerOf('{"ok":1}') : answerOf('too long', 'HTTP/1.1 400 Bad Request'));
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    const got = await exchange(gateway.url, postOf('/v1/messages', 'long'));
    await far.heard();
    assert.deepEqual([got.status, textOf(got.body)], [200, '{"ok":1}']);
    assert.deepEqual(saw, ['first', 400, 'too long', true, 'second', 200]);
  });

  test('a refusal is not judged there while the worker is in trouble: its client sees it, and nobody waits to hear more of it', async () => {
    const saw: string[] = [];
    const again = async (): Promise<Prepared> => ({ body: bytesOf('short') });
    using far = across(
      preparing(({ body }) => ({
        body,
        settle: (outcome) => {
          saw.push(outcome.type);
          return { judge: { maxBytes: 1_000, again } };
        },
      })),
    );
    await using upstream = await wireUpstream(({ socket }) => {
      far.near.giveUp('it is silent');
      socket.write(answerOf('too long', 'HTTP/1.1 400 Bad Request'));
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    const got = await exchange(gateway.url, postOf('/v1/messages', 'long'));
    assert.deepEqual([got.status, textOf(got.body)], [400, 'too long']);
    assert.equal(await errorsOf(gateway.url), '1');
    await far.heard();
    assert.deepEqual(far.said, ['prepare', 'left']);
    // What it held for the request is let go.
    assert.deepEqual(saw, ['failure']);
  });

  test('a long answer is read there whole, in few messages', async () => {
    const ends: AnswerEnd[] = [];
    const pieces: string[] = [];
    const body = 'data: 0123456789\n\n'.repeat(20_000);
    using far = across(watching(ends, pieces));
    await using upstream = await wireUpstream(({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`);
      for (let at = 0; at < body.length; at += 90) socket.write(body.slice(at, at + 90));
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    assert.equal((await exchange(gateway.url, postOf('/v1/messages'))).body.length, body.length);
    await far.heard();
    assert.equal(pieces.join(''), body);
    assert.deepEqual(ends, ['whole']);
    assert.ok(far.said.length < 12, far.said.join());
  });

  test('the ends of answers: broken by the upstream, left by the client', async () => {
    const ends: AnswerEnd[] = [];
    using far = across(watching(ends));
    await using upstream = await wireUpstream(({ socket }, number) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf');
      if (number === 1) socket.end();
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    await exchange(gateway.url, postOf('/v1/messages'));
    const client = openSocket(gateway.url);
    client.write(postOf('/v1/messages'));
    const { socket } = await upstream.received(2);
    const left = new Promise((resolve) => socket.once('close', resolve));
    client.once('data', () => client.destroy());
    await left;
    await far.heard();
    assert.deepEqual(ends, ['broken', 'left']);
  });

  test('a client that leaves while it is prepared is told, and what comes of it is settled as not sent', async () => {
    const aborted = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const settled = Promise.withResolvers<string>();
    const middle: Middle = {
      prepare: ({ body, signal }) => {
        entered.resolve();
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.resolve();
            resolve({ body, settle: (outcome) => void settled.resolve(outcome.type) });
          });
        });
      },
    };
    using far = across(middle);
    await using upstream = await echo();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    const client = openSocket(gateway.url);
    client.write(postOf('/v1/messages'));
    await entered.promise;
    client.destroy();
    await aborted.promise;
    assert.equal(await settled.promise, 'failure');
    assert.equal(upstream.requests.length, 0);
    assert.equal(await errorsOf(gateway.url), '0');
  });

  test('what goes wrong there is counted, and the request and its answer pass as they came', async () => {
    const fails = (): never => {
      throw new Error('broken');
    };
    const wrong: readonly Middle[] = [
      { prepare: () => Promise.reject(new Error('broken')) },
      preparing(fails),
      preparing(({ body }) => ({ body, responseHeaders: [['x', fails]] as never })),
    ];
    for (const middle of wrong) {
      using far = across(middle);
      await using upstream = await echo();
      await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
      const answer = await exchange(gateway.url, postOf('/v1/messages', '{"a":1}'));
      assert.deepEqual([answer.status, textOf(answer.body)], [200, '{"ok":1}']);
      assert.equal(textOf(upstream.requests[0]?.body ?? bytesOf('')), '{"a":1}');
      assert.equal(await errorsOf(gateway.url), '1');
    }
  });
});

describe('K2: counts of tokens', () => {
  test('are asked for there once a conversation went out with a handoff, and not before', async () => {
    const acts: string[] = [];
    const told = { action: 'compressed', isCompacted: true } as const;
    using far = across(
      preparing(({ act, body }) => {
        acts.push(act);
        return { body, ...(act === 'answer' ? { told } : {}) };
      }),
    );
    await using upstream = await echo();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    for (const path of ['/v1/messages/count_tokens', '/v1/messages', '/v1/messages/count_tokens'])
      await exchange(gateway.url, postOf(path));
    assert.deepEqual(acts, ['answer', 'count']);
  });
});

describe('K2: a worker that does not read', () => {
  test('is not waited for where nothing is to be done: models, counts', async () => {
    using far = across(watching([]), { isHeld: () => true });
    await using upstream = await echo('{"data":[]}');
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    for (const request of [
      postOf('/v1/messages/count_tokens'),
      postOf('/v1beta/models/m:countTokens'),
      postOf('/v1/responses/compact'),
      'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    ]) {
      const answer = await exchange(gateway.url, request);
      assert.equal(answer.status, 200);
      assert.match(answer.head, /x-palimpsest-action: passed\r\nx-palimpsest-reason: other-act/);
    }
    assert.deepEqual(far.said, []);
  });

  test('is given no more bodies than it may hold; the others wait, and are asked in their order', async () => {
    let isHeld = true;
    const order: string[] = [];
    const middle = preparing(({ body }) => {
      order.push(textOf(body));
      return { body };
    });
    using far = across(middle, { limits: { mostBodies: 100, mostUnread: 1_000 }, isHeld: () => isHeld });
    await using upstream = await echo();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    const bodies = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(45));
    const answers: Promise<unknown>[] = [];
    for (const [at, body] of bodies.entries()) {
      answers.push(exchange(gateway.url, postOf('/v1/messages', body)));
      while (!(await (await fetch(`${gateway.url}/metrics`)).text()).includes(`gateway_open ${at + 1}`));
    }
    assert.equal(far.said.length, 2);
    isHeld = false;
    await far.heard();
    await Promise.all(answers);
    assert.deepEqual(order, bodies);
  });

  test('is told nothing of a client that leaves before its turn', async () => {
    let isHeld = true;
    using far = across(
      preparing(({ body }) => ({ body })),
      { limits: { mostBodies: 10, mostUnread: 10 }, isHeld: () => isHeld },
    );
    await using upstream = await echo();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    const openRequests = async (count: number): Promise<void> => {
      while (!(await (await fetch(`${gateway.url}/metrics`)).text()).includes(`gateway_open ${count}\n`));
    };
    const first = exchange(gateway.url, postOf('/v1/messages', 'the first one'));
    await openRequests(1);
    const client = openSocket(gateway.url);
    client.write(postOf('/v1/messages', 'the second one'));
    await openRequests(2);
    client.destroy();
    await openRequests(1);
    isHeld = false;
    await far.heard();
    await first;
    assert.deepEqual(far.said, ['prepare']);
  });

  test('loses what of an answer it has no room for: the client gets all of it, and the turn is no whole one', async () => {
    let isHeld = false;
    const ends: AnswerEnd[] = [];
    const pieces: string[] = [];
    const body = 'x'.repeat(300_000);
    using far = across(watching(ends, pieces), {
      limits: { mostBodies: 1_000, mostUnread: 100_000 },
      isHeld: () => isHeld,
    });
    await using upstream = await wireUpstream(({ socket }) => {
      isHeld = true;
      socket.write(answerOf(body));
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    const answer = await exchange(gateway.url, postOf('/v1/messages'));
    assert.equal(answer.body.length, body.length);
    isHeld = false;
    await far.heard();
    assert.deepEqual(ends, ['broken']);
    assert.ok(pieces.join('').length <= 100_000);
    assert.equal(await errorsOf(gateway.url), '1');
    // What it has read makes room again.
    isHeld = false;
    await exchange(gateway.url, postOf('/v1/messages/count_tokens'));
  });

  test('what waits to be read with its end counts as unread until it is', async () => {
    const cost = Promise.withResolvers<undefined>();
    const said: Reply[] = [];
    const watch = { read: () => undefined, end: () => cost.promise };
    const far = new Far(
      preparing(({ body }) => ({ body, settle: () => ({ watch }) })),
      (reply) => said.push(reply),
    );
    const { signal: _, ...received } = waiting;
    far.hear({ type: 'prepare', id: 1, received });
    await setImmediate();
    const outcome = { type: 'answer', status: 200, headers: [], triesLeft: 0 } as const;
    far.hear({ type: 'heard', id: 1, outcome, bytes: Buffer.alloc(100_000), end: 'whole' });
    await setImmediate();
    assert.deepEqual(
      said.map(({ type }) => type),
      ['prepared'],
    );
    cost.resolve(undefined);
    await setImmediate();
    assert.deepEqual(said.at(-1), { type: 'read', bytes: 100_000 });
  });
});
