/** Requests that go as they came in any case: they do not wait for the worker, and it hears of them all the same. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type {
  AnswerEnd,
  Middle,
  Outcome,
  Prepared,
  Received,
} from '../../../packages/palimpsest/src/gateway/middle.ts';
import { Far } from '../../../packages/palimpsest/src/gateway/worker/far.ts';
import { across } from '../support/across.ts';
import { gatewayBefore } from '../support/gateway.ts';
import { answerOf, exchange, openSocket, postOf, type WireUpstream, wireUpstream } from '../support/wire.ts';

const path = '/v1/messages';
const bodyOf = (model: string, text = 'Hello.'): string => JSON.stringify({ model, messages: [text] });
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const echo = (): Promise<WireUpstream> => wireUpstream(({ socket }) => socket.write(answerOf('{"ok":1}')));
const metricsOf = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();
const actionIn = (head: string): string | undefined => /^x-palimpsest-action: (.*)$/m.exec(head)?.[1]?.trim();

const modelIn = ({ path: at, body }: Received): string =>
  /models\/(\w+):/.exec(at)?.[1] ??
  /^\{[^[]*"model":"(\w+)"|"model":"(\w+)"\}$/.exec(textOf(body))?.slice(1).find(Boolean) ??
  'none';

const overflow =
  'event: error\ndata: {"type":"error","error":{"type":"invalid_request_error","message":"too long"}}\n\n';

/** Says of each model that bodies of under 200 bytes go as they came; notes what it is asked and hears. */
function knowing(more: (received: Received) => Partial<Prepared> = () => ({})): Middle & {
  readonly asked: Received[];
  readonly heard: (string | number)[];
} {
  const asked: Received[] = [];
  const heard: (string | number)[] = [];
  const settle = (outcome: Outcome) => {
    heard.push(outcome.type === 'answer' ? outcome.status : outcome.failure.reason);
    return {
      watch: {
        read: (bytes: Uint8Array) => void heard.push(textOf(bytes)),
        end: (how: AnswerEnd) => void heard.push(how),
      },
    };
  };
  return {
    asked,
    heard,
    prepare: async (received) => {
      asked.push(received);
      return {
        body: received.body,
        responseHeaders: [['x-palimpsest-action', 'whole']],
        told: { action: 'whole', model: modelIn(received) },
        wholeBelow: { of: 'model', bytes: 200 },
        settle,
        ...more(received),
      };
    },
  };
}

describe('K2: a request that need not wait for the worker', () => {
  test('is sent while the worker does nothing, and is read with its whole answer when it goes on', async () => {
    let isHeld = false;
    const middle = knowing();
    using far = across(middle, { isHeld: () => isHeld });
    await using upstream = await echo();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    const first = await exchange(gateway.url, postOf(path, bodyOf('m')));
    assert.equal(actionIn(first.head), 'whole');
    await far.heard();
    isHeld = true;
    const second = await exchange(gateway.url, postOf(path, bodyOf('m', 'Again.')));
    assert.deepEqual([second.status, textOf(second.body), actionIn(second.head)], [200, '{"ok":1}', 'sent']);
    assert.equal(middle.asked.length, 1);
    isHeld = false;
    await far.heard();
    await far.heard();
    assert.deepEqual(
      middle.asked.map(({ isSent, body }) => [isSent, textOf(body)]),
      [
        [undefined, bodyOf('m')],
        [true, bodyOf('m', 'Again.')],
      ],
    );
    assert.deepEqual(middle.heard, [200, '{"ok":1}', 'whole', 200, '{"ok":1}', 'whole']);
    assert.match(await metricsOf(gateway.url), /actions_total\{dialect="anthropic",action="whole"\} 2\n/);
  });

  test('says in the head of its answer what is known by then', async () => {
    const middle = knowing();
    using far = across(middle);
    await using upstream = await wireUpstream(async ({ socket }, number) => {
      if (number === 2) await far.heard();
      socket.write(answerOf('{"ok":1}'));
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    for (let request = 0; request < 2; request++)
      assert.equal(actionIn((await exchange(gateway.url, postOf(path, bodyOf('m')))).head), 'whole');
    assert.equal(middle.asked[1]?.isSent, true);
  });

  test('is small, unpacked, for a model that was asked before, and in its dialect', async () => {
    const middle = knowing();
    using far = across(middle);
    await using upstream = await echo();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    const behind = JSON.stringify({ messages: ['Hello.'], model: 'm' });
    const requests: readonly [request: string | Buffer, isSent: true | undefined][] = [
      [postOf(path, bodyOf('m')), undefined],
      [postOf(path, bodyOf('m')), true],
      [postOf(path, behind), true],
      [postOf(path, bodyOf('m', 'x'.repeat(200))), undefined],
      [postOf(path, bodyOf('n')), undefined],
      [postOf('/v1/chat/completions', bodyOf('m')), undefined],
      [postOf('/v1beta/models/g:generateContent', '{}'), undefined],
      [postOf('/v1beta/models/g:generateContent', '{}'), true],
      [postOf(path, '{"messages":[]}'), undefined],
      // What a conversation says of models is not what it asks for.
      [postOf(path, '{"messages":[{"model":"m"}],"model":"o"}'), undefined],
      [postOf(path, '{"messages":[{"model":"m"}],"model":"o"}'), undefined],
      [postOf(path, gzipSync(bodyOf('m')).toString('latin1'), ['Content-Encoding: gzip']), undefined],
    ];
    for (const [request] of requests) await exchange(gateway.url, request);
    await far.heard();
    assert.deepEqual(
      middle.asked.map(({ isSent }) => isSent),
      requests.map(([, isSent]) => isSent),
    );
  });

  test('is shorter than any list that went out in another form', async () => {
    const middle = knowing(({ body }) =>
      textOf(body).includes('long') ? { wholeBelow: { of: 'all', bytes: 60 } } : {},
    );
    using far = across(middle);
    await using upstream = await echo();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    const bodies = [
      bodyOf('m'),
      bodyOf('m', 'x'.repeat(40)),
      bodyOf('n', 'long'),
      bodyOf('m', 'x'.repeat(40)),
      bodyOf('m'),
    ];
    for (const body of bodies) await exchange(gateway.url, postOf(path, body));
    await far.heard();
    assert.deepEqual(
      middle.asked.map(({ isSent }) => isSent),
      [undefined, true, undefined, undefined, true],
    );
  });

  test('waits where so many were sent that the worker has not read', async () => {
    let isHeld = false;
    const middle = knowing();
    using far = across(middle, { isHeld: () => isHeld });
    await using upstream = await echo();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    await exchange(gateway.url, postOf(path, bodyOf('m')));
    await far.heard();
    isHeld = true;
    for (let request = 0; request < 256; request++) await exchange(gateway.url, postOf(path, bodyOf('m')));
    assert.equal(upstream.requests.length, 257);
    const waits = exchange(gateway.url, postOf(path, bodyOf('m')));
    while (!(await metricsOf(gateway.url)).includes('gateway_open 1\n'));
    assert.equal(upstream.requests.length, 257);
    isHeld = false;
    await far.heard();
    assert.equal(actionIn((await waits).head), 'whole');
    await exchange(gateway.url, postOf(path, bodyOf('m')));
    await far.heard();
    assert.deepEqual([middle.asked.at(-2)?.isSent, middle.asked.at(-1)?.isSent], [undefined, true]);
  });

  test('that is refused is judged once it was read', async () => {
    let isHeld = false;
    const again = async (): Promise<Prepared> => ({ body: Buffer.from('short'), told: { action: 'compressed' } });
    const middle = knowing(({ isSent }) =>
      isSent ? { settle: (outcome) => ({ judge: { maxBytes: outcome.type === 'answer' ? 1_000 : 0, again } }) } : {},
    );
    using far = across(middle, { isHeld: () => isHeld });
    await using upstream = await wireUpstream(({ body, socket }, number) => {
      const isRefused = number > 1 && textOf(body) !== 'short';
      isHeld = false;
      void far.heard();
      socket.write(isRefused ? answerOf('too long', 'HTTP/1.1 400 Bad Request') : answerOf('{"ok":1}'));
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    await exchange(gateway.url, postOf(path, bodyOf('m')));
    await far.heard();
    isHeld = true;
    const got = await exchange(gateway.url, postOf(path, bodyOf('m')));
    assert.deepEqual([got.status, textOf(got.body)], [200, '{"ok":1}']);
    assert.match(await metricsOf(gateway.url), /action="compressed"\} 1\n/);
  });

  test('whose client leaves is settled as not sent before its answer, and as left in the middle of it', async () => {
    let isHeld = false;
    const middle = knowing();
    using far = across(middle, { isHeld: () => isHeld });
    await using upstream = await wireUpstream(({ socket }, number) => {
      if (number === 1) socket.write(answerOf('{"ok":1}'));
      if (number === 3) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"id":1,');
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    await exchange(gateway.url, postOf(path, bodyOf('m')));
    await far.heard();
    middle.heard.length = 0;
    isHeld = true;
    for (const number of [2, 3]) {
      const client = openSocket(gateway.url);
      client.write(postOf(path, bodyOf('m')));
      const { socket } = await upstream.received(number);
      const left = new Promise((resolve) => socket.once('close', resolve));
      if (number === 2) client.destroy();
      else client.once('data', () => client.destroy());
      await left;
    }
    isHeld = false;
    await far.heard();
    await far.heard();
    assert.deepEqual(middle.heard, ['the client left', 200, '{"id":1,', 'left']);
    assert.match(await metricsOf(gateway.url), /middle_errors_total 0\n/);
  });

  test('that cannot be read costs its client nothing, is counted, and leaves nobody waiting for what it cost', async () => {
    let isHeld = false;
    const middle = knowing(({ isSent }) => {
      if (isSent) throw new Error('broken');
      return {};
    });
    using far = across(middle, { isHeld: () => isHeld });
    await using upstream = await echo();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    await exchange(gateway.url, postOf(path, bodyOf('m')));
    await far.heard();
    isHeld = true;
    const got = await exchange(gateway.url, postOf(path, bodyOf('m')));
    assert.deepEqual([got.status, actionIn(got.head)], [200, 'sent']);
    isHeld = false;
    await far.heard();
    await far.heard();
    const metrics = await metricsOf(gateway.url);
    assert.match(metrics, /middle_errors_total 1\n/);
    assert.match(metrics, /gateway_open 0\n/);
  });

  test('that was answered before the stop is kept before it', async () => {
    const released = Promise.withResolvers<void>();
    const known = knowing();
    const far = new Far(
      {
        prepare: async (received) => {
          if (received.isSent) await released.promise;
          return known.prepare(received);
        },
      },
      () => undefined,
    );
    const body = Buffer.from(bodyOf('m'));
    const received = {
      dialect: 'anthropic',
      act: 'answer',
      method: 'POST',
      path,
      headers: [],
      body,
      user: undefined,
    } as const;
    const outcome = { type: 'answer', status: 200, headers: [], triesLeft: 3 } as const;
    for (const id of [1, 2]) far.hear({ type: 'prepare', id, received: { ...received, isSent: true } });
    far.hear({ type: 'heard', id: 1, outcome, bytes: Buffer.from('answered'), end: 'whole' });
    const finished = far.finish();
    released.resolve();
    await finished;
    assert.deepEqual(known.heard.toSorted(), ['answered', 200, 'the client left', 'whole'].toSorted());
  });

  test('whose client leaves while its start is judged is called off there', async () => {
    const entered = Promise.withResolvers<void>();
    const calledOff = Promise.withResolvers<void>();
    const middle = knowing(({ isSent, signal }) => {
      if (!isSent) return {};
      signal.addEventListener('abort', () => calledOff.resolve());
      const again = (): Promise<undefined> => {
        entered.resolve();
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
      };
      return { settle: () => ({ judge: { maxBytes: 1_000, again } }) };
    });
    using far = across(middle);
    await using upstream = await wireUpstream(({ socket }, number) => {
      socket.write(number === 1 ? answerOf('{"ok":1}') : answerOf(overflow));
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    await exchange(gateway.url, postOf(path, bodyOf('m')));
    await far.heard();
    const client = openSocket(gateway.url);
    client.write(postOf(path, bodyOf('m')));
    await entered.promise;
    client.destroy();
    await calledOff.promise;
  });

  test('whose client leaves in its second try is settled there', async () => {
    const left = Promise.withResolvers<void>();
    const second: Prepared = {
      body: Buffer.from('short'),
      settle: (outcome) => {
        if (outcome.type === 'failure') left.resolve();
        return undefined;
      },
    };
    const middle = knowing(({ isSent }) =>
      isSent ? { settle: () => ({ judge: { maxBytes: 1_000, again: async () => second } }) } : {},
    );
    using far = across(middle);
    await using upstream = await wireUpstream(({ socket }, number) => {
      if (number < 3) socket.write(answerOf(number === 1 ? '{"ok":1}' : overflow));
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    await exchange(gateway.url, postOf(path, bodyOf('m')));
    await far.heard();
    const client = openSocket(gateway.url);
    client.write(postOf(path, bodyOf('m')));
    await upstream.received(3);
    client.destroy();
    await left.promise;
  });

  test('that is no turn is not judged', async () => {
    const known = knowing();
    const middle: Middle = {
      prepare: async (received) => {
        const { settle: _, ...rest } = await known.prepare(received);
        return { ...rest, told: { action: 'passed', reason: 'side-call', model: 'm' } };
      },
    };
    using far = across(middle);
    await using upstream = await wireUpstream(({ socket }, number) => {
      const answers = [answerOf('{"ok":1}'), answerOf('no', 'HTTP/1.1 400 Bad Request'), answerOf(overflow)];
      socket.write(answers[number - 1] ?? '');
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    for (const status of [200, 400, 200])
      assert.equal((await exchange(gateway.url, postOf(path, bodyOf('m')))).status, status);
    await far.heard();
    assert.equal(known.asked.at(-1)?.isSent, true);
    assert.match(await metricsOf(gateway.url), /middle_errors_total 0\n/);
  });

  test('that nobody could read is counted once, also where it was refused', async () => {
    const middle = knowing(({ isSent }) => {
      if (isSent) throw new Error('broken');
      return {};
    });
    using far = across(middle);
    await using upstream = await wireUpstream(({ socket }, number) => {
      socket.write(number === 1 ? answerOf('{"ok":1}') : answerOf('no', 'HTTP/1.1 400 Bad Request'));
    });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    await exchange(gateway.url, postOf(path, bodyOf('m')));
    assert.equal((await exchange(gateway.url, postOf(path, bodyOf('m')))).status, 400);
    await far.heard();
    assert.match(await metricsOf(gateway.url), /middle_errors_total 1\n/);
  });

  test('waits again where the worker is another one, which knows of nothing', async () => {
    const middle = knowing();
    using far = across(middle);
    await using upstream = await echo();
    await using gateway = await gatewayBefore(upstream.url, {}, { middle: far.near });
    await exchange(gateway.url, postOf(path, bodyOf('m')));
    far.near.giveUp('it ended');
    far.near.goOn('anew');
    await exchange(gateway.url, postOf(path, bodyOf('m')));
    await far.heard();
    assert.deepEqual(
      middle.asked.map(({ isSent }) => isSent),
      [undefined, undefined],
    );
  });
});
