/** The start of an answer, at every point where a piece of it may end. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore } from '@palimpsest/core/store';
import { overflowEvents } from '@palimpsest/core/wire';
import { type AnswerStart, answerStart } from '../../../packages/palimpsest/src/gateway/answers/answer-start.ts';
import { startHeld, startShows } from '../../../packages/palimpsest/src/gateway/answers/look.ts';
import { openConversations } from '../../../packages/palimpsest/src/gateway/conversations/open-conversations.ts';
import { gatewayBefore } from '../support/gateway.ts';
import { packed, packings } from '../support/packed.ts';
import { dialectNames, recordedStream, streamRequests } from '../support/recorded.ts';
import { wireUpstream } from '../support/wire.ts';

/** What the beginnings of a text show, each once, in the order in which they come. */
function startsOf(
  bytes: Uint8Array,
  shows: (start: Uint8Array) => AnswerStart = (start) => answerStart(start),
): readonly AnswerStart[] {
  const starts: AnswerStart[] = [];
  for (let end = 0; end <= bytes.length; end++) {
    const start = shows(bytes.subarray(0, end));
    if (start !== starts.at(-1)) starts.push(start);
  }
  return starts;
}

describe('O2 an answer that begins', () => {
  for (const dialect of dialectNames) {
    test(`shows its first word and never an error, wherever a stream of ${dialect} is split`, async () => {
      const { bytes } = await recordedStream(dialect);
      assert.deepEqual(startsOf(bytes.subarray(0, 2_000)), ['open', 'said']);
    });

    test(`shows an overflow of ${dialect} once that is whole, and no word before it`, () => {
      const [{ name, data } = { data: '' }] = overflowEvents(dialect, { tokens: 9, limit: 8 });
      const event = `${name === undefined ? '' : `event: ${name}\r\n`}data: ${JSON.stringify(data)}\r\n\r\n`;
      assert.deepEqual(startsOf(Buffer.from(event)), ['open', 'error']);
    });
  }

  test('shows an error that ends with its stream and no blank line', () => {
    const event = Buffer.from('event: error\ndata: {"type":"error","error":{"message":"too long"}}');
    assert.deepEqual([answerStart(event), answerStart(event, true)], ['open', 'error']);
  });

  const others: readonly (readonly [text: string, starts: readonly AnswerStart[]])[] = [
    ['{"error":{"message":"too long","code":400}}', ['open', 'error']],
    ['[{\n  "error": {"code": 400}\n}]', ['open', 'error']],
    ['{"type":"error","error":{"message":"too long"}}', ['open', 'error']],
    ['{"id":"x","error":null}', ['open', 'said']],
    ['{"error":null,"choices":[]}', ['open', 'said']],
    ['{"type":"message","content":[', ['open', 'said']],
    [': OPENROUTER PROCESSING\n\n', ['open', 'said']],
    ['event: ping\ndata: {"type":"ping"}\n\n', ['open', 'said']],
    ['data: [DONE]\n\n', ['open', 'said']],
    ['data: {"cut\n\n', ['open', 'said']],
    ['event: error\rdata: {"message":"x"}\r\r', ['open', 'error']],
    ['{"error":{"message":"it never ends', ['open']],
  ];
  for (const [text, starts] of others)
    test(`shows ${starts.at(-1)} in ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.deepEqual(startsOf(Buffer.from(text)), starts);
    });
});

describe('O2 an answer that is packed and begins', () => {
  for (const packing of packings) {
    const headers = [['Content-Encoding', packing]] as const;
    const inPacking = (start: Uint8Array): AnswerStart => startShows(headers, start);

    test(`shows its first word as soon as that can be read: ${packing}`, async () => {
      const { bytes } = await recordedStream('anthropic');
      const pieces = await packed(packing, [bytes.subarray(0, 1_000), bytes.subarray(1_000)]);
      assert.deepEqual(startsOf(Buffer.concat(pieces), inPacking), ['open', 'said']);
      assert.equal(inPacking(pieces[0] ?? Buffer.alloc(0)), 'said');
    });

    test(`shows an error once that is whole, and no word before it: ${packing}`, async () => {
      const event = Buffer.from('event: error\ndata: {"type":"error","error":{"message":"too long"}}\n\n');
      const pieces = await packed(packing, [event, Buffer.from(': more to come\n\n')]);
      assert.deepEqual(startsOf(Buffer.concat(pieces), inPacking), ['open', 'error']);
      assert.equal(inPacking(pieces[0] ?? Buffer.alloc(0)), 'error');
    });

    test(`is not held back where it stands for more than may be held: ${packing}`, async () => {
      const [bomb = Buffer.alloc(0)] = await packed(packing, [Buffer.alloc(2_000_000, ' ')]);
      assert.ok(bomb.length < 10_000);
      assert.equal(inPacking(bomb), 'said');
    });
  }

  test('is not held back where it cannot be read', () => {
    const outcome = { type: 'answer', status: 200, triesLeft: 3 } as const;
    assert.equal(startHeld({ ...outcome, headers: [['content-encoding', 'gzip, br']] }), undefined);
    for (const packing of packings) {
      const headers = [['content-encoding', packing]] as const;
      assert.equal(startHeld({ ...outcome, headers })?.isEnough?.(Buffer.from('data: {"never":"packed"}\n\n')), true);
    }
  });
});

test('K2 streams arrive whole through conversations, wherever they are split, and their answers are kept', async () => {
  for (const dialect of dialectNames) {
    const { bytes } = await recordedStream(dialect);
    const splits = Array.from({ length: 12 }, (_, at) => 1 + ((at * 53) % (bytes.length - 1)));
    await using upstream = await wireUpstream(({ socket }, number) => {
      const split = splits[number - 1] ?? 1;
      socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n');
      socket.write(bytes.subarray(0, split), () => setImmediate(() => socket.end(bytes.subarray(split))));
    });
    await using store = await openStore({ path: ':memory:' });
    const middle = openConversations({ store });
    await using gateway = await gatewayBefore(upstream.url, {}, { middle });
    const { path, headers, body } = streamRequests[dialect];
    for (const split of splits) {
      const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
      assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes), `${dialect} at ${split}`);
    }
    await middle.stop();
    const [conversation] = await store.sessions.list();
    const kept = await store.messages.view(conversation?.tip.id ?? '');
    assert.deepEqual(
      kept.map(({ message }) => message.role),
      ['user', 'assistant'],
    );
  }
});
