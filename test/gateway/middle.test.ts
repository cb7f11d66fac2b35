/** The port between: what a middle sees, what it may change, and that nothing it does wrong harms a request. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { hashOfKey, makeKey } from '../../packages/palimpsest/src/gateway/keys.ts';
import type { AnswerEnd, Middle, Outcome, Prepared, Received } from '../../packages/palimpsest/src/gateway/middle.ts';
import { gatewayBefore, nobody } from './support/gateway.ts';
import { answerOf, exchange, openSocket, postOf, wireUpstream } from './support/wire.ts';

const bytesOf = (text: string): Buffer => Buffer.from(text);
const preparing = (prepare: (received: Received) => Prepared): Middle => ({
  prepare: async (received) => prepare(received),
});
/** An upstream that answers `too long` to every body but `short`. */
const upstreamThatRefuses = (status = '400 Bad Request') =>
  wireUpstream(({ body, socket }) => {
    const isShort = body.toString() === 'short';
    socket.write(isShort ? answerOf('{"ok":1}') : answerOf('too long', `HTTP/1.1 ${status}`));
  });

test('K2 a middle sees the request: dialect, act, path, headers, bytes, and whose key it was', async () => {
  const key = makeKey();
  let seen: Received | undefined;
  const middle = preparing((received) => {
    seen = received;
    return { body: received.body };
  });
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
  await using gateway = await gatewayBefore(upstream.url, { keys: { laptop: hashOfKey(key) } }, { middle });
  await exchange(
    gateway.url,
    postOf('/v1/messages/count_tokens?beta=true', '{"a":1}', [`x-palimpsest-key: ${key}`, 'X-A: 1']),
  );
  assert.ok(seen);
  const { dialect, act, method, path, headers, user } = seen;
  assert.deepEqual(
    { dialect, act, method, path, headers, user, body: Buffer.from(seen.body).toString() },
    {
      dialect: 'anthropic',
      act: 'count',
      method: 'POST',
      path: '/v1/messages/count_tokens?beta=true',
      headers: [['X-A', '1']],
      user: 'laptop',
      body: '{"a":1}',
    },
  );
});

test('K2 a head that cannot be written is answered by an error that names the reason, and noted', async () => {
  const notes: string[] = [];
  const middle = preparing(({ body }) => ({ body, responseHeaders: [['x-palimpsest-session', '禁']] }));
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{"a":1}')));
  await using gateway = await gatewayBefore(upstream.url, {}, { middle, note: (line) => notes.push(line) });
  const answer = await exchange(gateway.url, postOf('/v1/messages'));
  assert.match(answer.head, /^HTTP\/1\.1 502 Bad Gateway[\s\S]*x-palimpsest-error: upstream-broken/);
  assert.deepEqual([answer.isWhole, JSON.parse(answer.body.toString()).error.type], [true, 'api_error']);
  assert.match(notes.join(), /ERR_INVALID_CHAR/);
});

test('K2 a head that cannot be written ends the call: nobody hears the rest of its answer', async () => {
  const middle = preparing(({ body }) => ({ body, responseHeaders: [['x-palimpsest-session', '禁']] }));
  const left = Promise.withResolvers<void>();
  await using upstream = await wireUpstream(({ socket }) => {
    socket.on('close', () => left.resolve());
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nthe first of it');
  });
  await using gateway = await gatewayBefore(upstream.url, {}, { middle });
  const answer = await exchange(gateway.url, postOf('/v1/messages'));
  assert.match(answer.head, /^HTTP\/1\.1 502 /);
  await left.promise;
});

test('K2 a middle sends other bytes and other headers, and adds headers to the answer', async () => {
  const middle = preparing(() => ({
    body: bytesOf('other'),
    headers: [
      ['X-B', '2'],
      ['Content-Length', '999'],
      ['Host', 'evil.example'],
      ['Transfer-Encoding', 'chunked'],
    ],
    responseHeaders: [['x-palimpsest-session', 's1']],
  }));
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
  await using gateway = await gatewayBefore(upstream.url, {}, { middle });
  const answer = await exchange(gateway.url, postOf('/v1/messages', 'came', ['X-A: 1']));
  assert.equal(upstream.requests[0]?.body.toString(), 'other');
  assert.match(upstream.requests[0]?.head ?? '', /^X-B: 2$[\s\S]*^content-length: 5$/im);
  assert.doesNotMatch(upstream.requests[0]?.head ?? '', /evil|chunked|999/);
  assert.match(answer.head, /^x-palimpsest-session: s1$/m);
});

describe('an answer of the middle', () => {
  async function* pieces(): AsyncGenerator<Uint8Array> {
    yield bytesOf('data: 1\n\n');
    yield bytesOf('data: 2\n\n');
  }
  for (const [title, body] of [
    ['whole', bytesOf('data: 1\n\ndata: 2\n\n')],
    ['piece by piece', pieces()],
  ] as const) {
    test(`K2 goes to the client ${title}, and nothing is sent upstream`, async () => {
      const answer = { status: 200, headers: [['content-type', 'text/event-stream']] as const, body };
      const middle = preparing((received) => ({ body: received.body, answer }));
      await using gateway = await gatewayBefore(nobody, {}, { middle });
      const got = await exchange(gateway.url, postOf('/v1/messages'));
      assert.deepEqual([got.status, got.body.toString(), got.isWhole], [200, 'data: 1\n\ndata: 2\n\n', true]);
    });
  }

  test('K2 that fails in the middle ends in the middle', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield bytesOf('data: 1\n\n');
      throw new Error('no more');
    }
    const middle = preparing((received) => ({
      body: received.body,
      answer: { status: 200, headers: [], body: failing() },
    }));
    await using gateway = await gatewayBefore(nobody, {}, { middle });
    const got = await exchange(gateway.url, postOf('/v1/messages'));
    assert.deepEqual([got.body.toString(), got.isWhole], ['data: 1\n\n', false]);
  });
});

describe('what a middle does wrong', () => {
  const wrong: readonly (readonly [title: string, middle: Middle])[] = [
    ['rejects', { prepare: () => Promise.reject(new Error('broken')) }],
    [
      'throws',
      {
        prepare: () => {
          throw new Error('broken');
        },
      },
    ],
    [
      'throws in settle',
      preparing(({ body }) => ({
        body,
        settle: () => {
          throw new Error('broken');
        },
      })),
    ],
    [
      'throws in watch',
      preparing(({ body }) => ({
        body,
        settle: () => ({
          watch: {
            read: () => {
              throw new Error('broken');
            },
            end: () => {
              throw new Error('broken');
            },
          },
        }),
      })),
    ],
    [
      'throws at the end of a watch',
      preparing(({ body }) => ({
        body,
        settle: () => ({
          watch: {
            read: () => undefined,
            end: () => {
              throw new Error('broken');
            },
          },
        }),
      })),
    ],
    [
      'gives no promise at the end of a watch',
      preparing(({ body }) => ({
        body,
        // As a middle in JavaScript may.
        settle: () => ({ watch: { read: () => undefined, end: (): never => ({ outputTokens: 1 }) as never } }),
      })),
    ],
    [
      'throws where it is asked whether a start is enough',
      preparing(({ body }) => ({
        body,
        settle: () => ({
          judge: {
            maxBytes: 1_000,
            isEnough: () => {
              throw new Error('broken');
            },
            again: async () => undefined,
          },
        }),
      })),
    ],
    [
      'rejects in judge',
      preparing(({ body }) => ({
        body,
        settle: () => ({ judge: { maxBytes: 9, again: () => Promise.reject(new Error('broken')) } }),
      })),
    ],
  ];
  for (const [title, middle] of wrong) {
    test(`K2 when it ${title}, the request and the answer pass as they came, and it is counted`, async () => {
      await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{"ok":1}')));
      await using gateway = await gatewayBefore(upstream.url, {}, { middle });
      const answer = await exchange(gateway.url, postOf('/v1/messages', '{"a":1}'));
      assert.deepEqual([answer.status, answer.body.toString()], [200, '{"ok":1}']);
      assert.equal(upstream.requests[0]?.body.toString(), '{"a":1}');
      assert.match(await (await fetch(`${gateway.url}/metrics`)).text(), /middle_errors_total [1-9]/);
    });
  }
});

test('K2 a watch that fails to tell what an answer cost costs the client nothing, and nobody else fails with it', async () => {
  const unheard: unknown[] = [];
  const hear = (reason: unknown): void => void unheard.push(reason);
  process.on('unhandledRejection', hear);
  const watch = { read: () => undefined, end: () => Promise.reject(new Error('broken')) };
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{"ok":1}')));
  await using gateway = await gatewayBefore(
    upstream.url,
    {},
    { middle: preparing(({ body }) => ({ body, settle: () => ({ watch }) })) },
  );
  const answer = await exchange(gateway.url, postOf('/v1/messages', '{"a":1}'));
  assert.deepEqual([answer.status, answer.body.toString()], [200, '{"ok":1}']);
  await gateway.end();
  await setImmediate();
  process.off('unhandledRejection', hear);
  assert.deepEqual(unheard, []);
});

describe('another try', () => {
  /** Sends `short` where the answer was 400 or there was none, and notes what it saw. */
  const shortening = (saw: unknown[], next: Partial<Prepared> = {}): Middle => ({
    prepare: async ({ body }) => ({
      body,
      settle: (outcome: Outcome) => {
        saw.push(outcome.type === 'answer' ? outcome.status : outcome.failure.kind, outcome.triesLeft);
        if (outcome.type === 'answer' && outcome.status !== 400) return undefined;
        return {
          judge: {
            maxBytes: 1_000,
            again: async (start: Uint8Array, isWhole: boolean) => {
              saw.push(Buffer.from(start).toString(), isWhole);
              return { body: bytesOf('short'), ...next };
            },
          },
        };
      },
    }),
  });

  test('K2 is made with other bytes, and the client sees only its answer', async () => {
    const saw: unknown[] = [];
    await using upstream = await upstreamThatRefuses();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: shortening(saw) });
    const answer = await exchange(gateway.url, postOf('/v1/messages', 'long'));
    assert.deepEqual([answer.status, answer.body.toString()], [200, '{"ok":1}']);
    assert.deepEqual(saw, [400, 3, 'too long', true]);
    assert.deepEqual(
      upstream.requests.map(({ body }) => body.toString()),
      ['long', 'short'],
    );
  });

  test('K2 is not asked for where the answer is what was wanted', async () => {
    const saw: unknown[] = [];
    await using upstream = await upstreamThatRefuses();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: shortening(saw) });
    await exchange(gateway.url, postOf('/v1/messages', 'short'));
    assert.deepEqual(saw, [200, 3]);
    assert.equal(upstream.requests.length, 1);
  });

  test('K2 may follow a failure, and may be an answer of the middle', async () => {
    const saw: unknown[] = [];
    const timers = {
      after: (ms: number, fire: () => void) => {
        if (ms < 1_000) queueMicrotask(fire);
        return () => undefined;
      },
    };
    const answer = { status: 200, headers: [], body: bytesOf('from here') };
    await using gateway = await gatewayBefore(nobody, {}, { middle: shortening(saw, { answer }), timers });
    const got = await exchange(gateway.url, postOf('/v1/messages', 'long'));
    assert.equal(got.body.toString(), 'from here');
    assert.deepEqual(saw, ['unreachable', 3, '', false]);
  });

  test('K2 ends with the fourth, whose answer the client gets as it is', async () => {
    const left: number[] = [];
    const stubborn = (body: Uint8Array): Prepared => ({
      body,
      settle: ({ triesLeft }) => {
        left.push(triesLeft);
        return { judge: { maxBytes: 10, again: async () => stubborn(body) } };
      },
    });
    await using upstream = await upstreamThatRefuses();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: preparing(({ body }) => stubborn(body)) });
    const answer = await exchange(gateway.url, postOf('/v1/messages', 'long'));
    assert.deepEqual([answer.status, answer.body.toString(), left], [400, 'too long', [3, 2, 1, 0]]);
  });

  test('K2 sees no more of a long answer than it asked for, and lets it pass whole', async () => {
    const body = Buffer.alloc(1_000_000, 'abcdefg');
    const seen: [number, boolean][] = [];
    const middle = preparing((received) => ({
      body: received.body,
      settle: () => ({
        judge: {
          maxBytes: 100_000,
          again: async (start, isWhole) => {
            seen.push([start.length, isWhole]);
            return undefined;
          },
        },
      }),
    }));
    await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf(body)));
    await using gateway = await gatewayBefore(upstream.url, {}, { middle });
    const answer = await exchange(gateway.url, postOf('/v1/messages'));
    assert.ok(answer.body.equals(body));
    const [[length, isWhole] = [0, true], ...more] = seen;
    assert.ok(length >= 100_000 && length < 300_000 && !isWhole && more.length === 0, JSON.stringify(seen));
  });
});

describe('a watch', () => {
  const watching = (ends: AnswerEnd[], read: (bytes: Uint8Array) => void): Middle =>
    preparing(({ body }) => ({ body, settle: () => ({ watch: { read, end: (how) => void ends.push(how) } }) }));

  test('K2 reads the bytes that the client gets, and hears that they were whole', async () => {
    const ends: AnswerEnd[] = [];
    let got = '';
    await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{"ok":1}')));
    await using gateway = await gatewayBefore(
      upstream.url,
      {},
      {
        middle: watching(ends, (bytes) => {
          got += Buffer.from(bytes);
        }),
      },
    );
    await exchange(gateway.url, postOf('/v1/messages'));
    assert.deepEqual([got, ends], ['{"ok":1}', ['whole']]);
  });

  test('K2 hears that the upstream broke off, and that a client left', async () => {
    const ends: AnswerEnd[] = [];
    const begun = Promise.withResolvers<void>();
    await using upstream = await wireUpstream(({ socket }, number) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nhalf');
      if (number === 1) socket.end();
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: watching(ends, () => begun.resolve()) });
    await exchange(gateway.url, postOf('/v1/messages'));
    const client = openSocket(gateway.url);
    client.write(postOf('/v1/messages'));
    const second = await upstream.received(2);
    const left = new Promise((resolve) => second.socket.once('close', resolve));
    client.once('data', () => client.destroy());
    await left;
    assert.deepEqual(ends, ['broken', 'left']);
  });
});

test('K2 a middle is told when its client leaves while it prepares', async () => {
  const aborted = Promise.withResolvers<boolean>();
  const entered = Promise.withResolvers<void>();
  const middle: Middle = {
    prepare: ({ body, signal }) => {
      entered.resolve();
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted.resolve(true);
          resolve({ body });
        });
      });
    },
  };
  await using upstream = await wireUpstream(({ socket }) => socket.write(answerOf('{}')));
  await using gateway = await gatewayBefore(upstream.url, {}, { middle });
  const client = openSocket(gateway.url);
  client.write(postOf('/v1/messages'));
  await entered.promise;
  client.destroy();
  assert.equal(await aborted.promise, true);
  assert.equal(upstream.requests.length, 0);
});
