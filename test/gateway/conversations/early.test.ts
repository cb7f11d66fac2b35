/** Which requests need not wait to be read, and what becomes of one that should have: it went as it came. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PreparedContext } from '@palimpsest/core';
import { openStore, type Store } from '@palimpsest/core/store';
import {
  type ConversationsMiddle,
  openConversations,
} from '../../../packages/palimpsest/src/gateway/conversations/open-conversations.ts';
import { openWholeSizes, type WholeSizes } from '../../../packages/palimpsest/src/gateway/conversations/whole-below.ts';
import type { Prepared, Received } from '../../../packages/palimpsest/src/gateway/middle.ts';
import { fileOf } from './support.ts';

const contextLength = 20_000;

interface Conversations extends AsyncDisposable {
  readonly store: Store;
  readonly middle: ConversationsMiddle;
}

async function conversations(given?: Store): Promise<Conversations> {
  const store = given ?? (await openStore({ path: ':memory:' }));
  const middle = openConversations({ store, contextLength });
  // What is known of sizes is read from the store at the start.
  await store.meta.get('');
  return {
    store,
    middle,
    [Symbol.asyncDispose]: async () => {
      await middle.stop();
      if (!given) await store.close();
    },
  };
}

/** A conversation that has read so many files. */
function requestOf(steps: number, more: Partial<Received> = {}): Received {
  const messages: object[] = [{ role: 'user', content: 'Please read all the files.' }];
  for (let step = 1; step <= steps; step++) {
    const call = { type: 'tool_use', id: `call_${step}`, name: 'read_file', input: { path: `part-${step}.csv` } };
    const result = { type: 'tool_result', tool_use_id: `call_${step}`, content: fileOf(step) };
    messages.push({ role: 'assistant', content: [call] }, { role: 'user', content: [result] });
  }
  const body = Buffer.from(JSON.stringify({ model: 'some-model', max_tokens: 1_000, messages }));
  const { signal } = new AbortController();
  const about = { dialect: 'anthropic', act: 'answer', method: 'POST', path: '/v1/messages', headers: [] } as const;
  return { ...about, body, user: undefined, signal, ...more };
}

const errorOf = (type: string, message: string): Buffer =>
  Buffer.from(JSON.stringify({ type: 'error', error: { type, message } }));
const tooLong = errorOf('invalid_request_error', `prompt is too long: 30000 tokens > ${contextLength} maximum`);
const json = [['content-type', 'application/json']] as const;

/** What is tried next where the upstream refuses it, by a status or by the first event of a stream. */
async function afterRefusal(
  { settle }: Prepared,
  error: Buffer = tooLong,
  status = 400,
): Promise<Prepared | undefined> {
  const settlement = settle?.({ type: 'answer', status, headers: json, triesLeft: 3 });
  return settlement?.judge?.again(error, true);
}

describe('K2: which requests need not wait', () => {
  test('those that are small beside the window, and none that is shorter than what a handoff stood for', async () => {
    await using first = await conversations();
    const short = await first.middle.prepare(requestOf(2));
    assert.equal(short.told?.action, 'whole');
    assert.equal(short.wholeBelow?.of, 'model');
    const { bytes = 0 } = short.wholeBelow ?? {};
    // Three bytes a token, of 60 % of what is compressed at 85 %.
    assert.ok(bytes > 0 && bytes <= 3 * 0.6 * 0.85 * contextLength, String(bytes));

    const long = requestOf(30);
    const compressed = await first.middle.prepare(long);
    assert.equal(compressed.told?.action, 'compressed');
    const half = Math.floor((compressed.told?.compression?.tokensBefore ?? 0) / 2);
    assert.deepEqual(compressed.wholeBelow, { of: 'all', bytes: 3 * half });

    // Whoever has the store next knows it from the start.
    await using second = await conversations(first.store);
    const other = await second.middle.prepare(requestOf(1));
    const shared = other.wholeBelow?.bytes ?? 0;
    assert.ok(shared > 0 && shared <= 3 * half);
    // A client that goes back to where the handoff still stands for something sends more than that.
    const actions: (string | undefined)[] = [];
    for (let steps = 29; steps > 0; steps--) {
      const back = requestOf(steps);
      const { told } = await second.middle.prepare(back);
      actions.push(told?.action);
      assert.ok(told?.action === 'whole' || back.body.length > shared, String(steps));
    }
    assert.ok(actions.includes('view') && actions.includes('whole'), actions.join(' '));
  });

  test('tokens are taken to be as short as they were seen to be, and a model that refused a form is asked each time', async () => {
    await using store = await openStore({ path: ':memory:' });
    let now = 0;
    const sizes = openWholeSizes(store, () => now);
    await store.meta.get('');
    const bytesFor = (tokens: number, isWhole?: boolean): number =>
      sizes.note({ name: 'm', bytes: 1_000, messages: 1, prepared: contextOf(tokens, { isWhole }) }).bytes;
    assert.equal(bytesFor(250), 180_000);
    // One of two bytes a token; those that follow do not outweigh it at once.
    assert.equal(bytesFor(500), 120_000);
    assert.ok(bytesFor(250) < 130_000);
    // Without its pictures, or its thoughts: the same number of messages.
    assert.equal(bytesFor(250, false), 0);
    assert.equal(bytesFor(250), 0);
    now = 600_000;
    assert.ok(bytesFor(250) > 0);
    const unknown = contextOf(250, { thresholdTokens: 0 });
    assert.equal(sizes.note({ name: 'n', bytes: 1_000, messages: 1, prepared: unknown }).bytes, 0);
  });

  test('what is known of compressions is shared, forgotten after a month, and never read out of what is no number', async () => {
    await using store = await openStore({ path: ':memory:' });
    let now = 1_000;
    const opened = async (): Promise<WholeSizes> => {
      const sizes = openWholeSizes(store, () => now);
      await store.meta.get('');
      return sizes;
    };
    const compress = (sizes: WholeSizes, tokensBefore: number): number =>
      sizes.note({
        name: 'm',
        bytes: 500_000,
        messages: 9,
        prepared: contextOf(10_000, { isWhole: false, tokensBefore }),
      }).bytes;
    const plain = (sizes: WholeSizes): number =>
      sizes.note({ name: 'm', bytes: 1_000, messages: 1, prepared: contextOf(250) }).bytes;
    const [one, other] = [await opened(), await opened()];
    assert.equal(compress(one, 60_000), 90_000);
    // Few bytes in many tokens, such as pictures, do not hold up everybody.
    assert.equal(compress(other, 80_000), 120_000);
    await store.meta.set('', '');
    assert.equal(plain(await opened()), 90_000);
    // For as long as the newest of them is to be known.
    now += 29 * 86_400_000;
    assert.equal(compress(one, 80_000), 90_000);
    now += 29 * 86_400_000;
    assert.equal(plain(one), 90_000);
    now += 2 * 86_400_000;
    assert.equal(plain(one), 180_000);
    for (const text of ['abc', '-5 1', '5', '', '5 1']) {
      await store.meta.set('gateway:shortest-compressed', text);
      assert.equal(plain(await opened()), 180_000, text);
    }
  });
});

/** A context with nothing in it but its sizes. */
function contextOf(
  tokens: number,
  {
    isWhole = true,
    thresholdTokens = 100_000,
    tokensBefore,
  }: { readonly isWhole?: boolean | undefined; readonly thresholdTokens?: number; readonly tokensBefore?: number } = {},
): PreparedContext {
  const message = { role: 'user', parts: [{ type: 'text', text: 'Hello.' }] } as const;
  const compression = tokensBefore === undefined ? {} : { compression: { tokensBefore } };
  return {
    isWhole,
    messages: [message],
    size: { tokens },
    thresholdTokens,
    ...compression,
  } as unknown as PreparedContext;
}

describe('K2: a request that went before it was read, and should have gone in another form', () => {
  test('stays as it came; it is tried in short where it is refused, and goes so the next time', async () => {
    await using kept = await conversations();
    const sent = await kept.middle.prepare(requestOf(30, { isSent: true }));
    assert.deepEqual(sent.body, requestOf(30).body);
    assert.deepEqual([sent.told?.action, sent.told?.reason, sent.answer], ['passed', 'sent', undefined]);
    // What was made of it is told once, and it did not go out.
    assert.ok((sent.told?.compression?.tokensBefore ?? 0) > contextLength / 2);
    assert.equal(sent.told?.isCompacted, undefined);
    const next = await afterRefusal(sent);
    assert.equal(next?.told?.compression, undefined);
    assert.ok(next && next.body.length < sent.body.length);
    assert.equal(next.told?.isRecovery, true);
    // Its next request waits to be read, though others of its model are small.
    assert.deepEqual(sent.wholeBelow, { of: 'model', bytes: 0 });
    assert.equal((await kept.middle.prepare(requestOf(1))).wholeBelow?.bytes, 0);
    const after = await kept.middle.prepare(requestOf(31));
    assert.ok(after.told?.action === 'view' || after.told?.action === 'compressed', after.told?.action);
  });

  test('is not tried in another form where that would not help, and not as it came again', async () => {
    await using kept = await conversations();
    const refused = [
      [400, errorOf('invalid_request_error', 'Your credit balance is too low to access the API.')],
      [200, errorOf('overloaded_error', 'Overloaded')],
    ] as const;
    for (const [status, error] of refused) {
      const sent = await kept.middle.prepare(requestOf(30 + status / 100, { isSent: true }));
      assert.equal(sent.told?.reason, 'sent');
      assert.equal(await afterRefusal(sent, error, status), undefined, String(status));
    }
    await using other = await conversations();
    const sent = await other.middle.prepare(requestOf(30, { isSent: true }));
    const malformed = errorOf('invalid_request_error', 'messages.3: unexpected role');
    const next = await afterRefusal(sent, malformed);
    assert.ok(next && next.told?.isRecovery !== true);
    assert.equal(await afterRefusal(next, malformed), undefined);
  });

  test('is not answered here where nothing makes it short enough', async () => {
    await using kept = await conversations();
    const content = Array.from({ length: 60 }, (_, step) => fileOf(step)).join('\n');
    const body = Buffer.from(
      JSON.stringify({ model: 'some-model', max_tokens: 1_000, messages: [{ role: 'user', content }] }),
    );
    const waited = await kept.middle.prepare(requestOf(0, { body }));
    assert.equal(waited.answer?.status, 400);
    const sent = await kept.middle.prepare(requestOf(0, { body, isSent: true }));
    assert.deepEqual([sent.answer, sent.body, sent.told?.reason], [undefined, body, 'sent']);
    assert.equal(sent.settle, undefined);
    // The next ones for its model wait.
    assert.deepEqual(sent.wholeBelow, { of: 'model', bytes: 0 });
    assert.equal((await kept.middle.prepare(requestOf(1))).wholeBelow?.bytes, 0);
  });

  test('that is answered is counted by what it used, and its answer comes with the next request', async () => {
    await using kept = await conversations();
    const sent = await kept.middle.prepare(requestOf(30, { isSent: true }));
    const usage = { input_tokens: 16_000, output_tokens: 20 };
    const answer = {
      type: 'message',
      role: 'assistant',
      model: 'some-model',
      content: [{ type: 'text', text: 'Read.' }],
    };
    const settlement = sent.settle?.({ type: 'answer', status: 200, headers: json, triesLeft: 3 });
    settlement?.watch?.read(Buffer.from(JSON.stringify({ ...answer, stop_reason: 'end_turn', usage })));
    assert.equal((await settlement?.watch?.end('whole'))?.inputTokens, 16_000);
    await kept.middle.stop();
    const [conversation] = await kept.store.sessions.list();
    assert.deepEqual([conversation?.tip.usage.inputTokens, conversation?.tip.usage.calls], [16_000, 1]);
  });

  test('is a turn like any other where it is whole', async () => {
    await using kept = await conversations();
    const sent = await kept.middle.prepare(requestOf(2, { isSent: true }));
    assert.deepEqual([sent.told?.action, sent.told?.reason], ['whole', undefined]);
    assert.equal((await kept.store.sessions.list()).length, 1);
  });
});
