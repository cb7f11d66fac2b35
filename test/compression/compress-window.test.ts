import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type CompressionResult,
  type CompressOptions,
  compress,
  estimatingTokenizer,
  type Message,
  messageTokens,
  PalimpsestError,
  validate,
} from '@palimpsest/core';
import { personMessage } from '../../packages/core/src/compression/handoff-block.ts';
import { assistant, call, calls, deepFreeze, message, result, resultPart, user } from '../support/conversations.ts';

const tokenizer = estimatingTokenizer('claude');

/** Turns that differ, each with a call: about 150 tokens a turn. */
const turns = (count: number, from = 0): readonly Message[] =>
  Array.from({ length: count }, (_, i) => from + i).flatMap((n) => [
    user(`Please look at case ${n} of the importer.`),
    calls({ [`call-${n}`]: 'read' }, { path: `src/case-${n}.ts` }),
    result(`call-${n}`, Array.from({ length: 12 }, (_, row) => `const row${row} = ${n} * ${row};`).join('\n')),
    assistant(`Case ${n} multiplies its rows by ${n}.`),
  ]);
const session = deepFreeze([message('system', 'You are careful.'), ...turns(60)]);

const total = (list: readonly Message[]): number => list.reduce((sum, one) => sum + messageTokens(one, tokenizer), 0);

const outcome = (list: readonly Message[], options: Partial<CompressOptions> = {}): Promise<CompressionResult> =>
  compress(deepFreeze(list), { tokenizer, ...options });

describe('compress and the window', () => {
  test('O3: a request larger than the window is an error that says what to do', async () => {
    for (const list of [[user('word '.repeat(9_000))], [...turns(40), user('word '.repeat(9_000))]]) {
      await assert.rejects(outcome(list, { contextLength: 4_000 }), (error) => {
        assert.ok(PalimpsestError.isInstance(error));
        assert.equal(error.code, 'CONTEXT_OVERFLOW');
        assert.equal(error.evidence.contextLength, 4_000);
        assert.match(error.message, /start a new conversation/);
        return true;
      });
    }
  });

  test('P4: too few messages for a cut are shortened where the window leaves no other way', async () => {
    const list = [
      user('Read it.'),
      calls({ a: 'read' }, { path: 'a.ts' }),
      result('a', 'line of text\n'.repeat(4_000)),
    ];
    const { status, messages, handoff, fates, after, targetTokens } = await outcome(list, { contextLength: 4_000 });
    assert.ok(after.total <= targetTokens, 'under the threshold, or it would be compressed again at once');
    assert.equal(status, 'compressed');
    assert.equal(handoff, undefined);
    assert.deepEqual(
      fates.map(({ fate }) => fate),
      ['kept', 'kept', 'stubbed'],
    );
    assert.deepEqual(validate(messages), []);
  });

  test('T1: a target over the window means the window', async () => {
    const { targetTokens, after } = await outcome(session, { contextLength: 8_000, targetTokens: 50_000 });
    assert.equal(targetTokens, 8_000);
    assert.ok(after.total <= 8_000);
  });

  const server = (chars: number): Message => ({
    role: 'assistant',
    parts: [
      { ...call('found', 'web_search', { query: 'word '.repeat(chars / 5) }), server: true },
      { ...resultPart('found', 'x'), server: true },
      { type: 'text', text: 'I looked it up.' },
    ],
  });

  test('T1: of the newest reply only its words are kept where its own calls would go over the target', async () => {
    const list = [
      user('Look around.'),
      assistant('Done.'),
      server(30_000),
      user('Thanks.'),
      calls({ a: 'read' }),
      result('a', 'ok'),
      user('And now?'),
      calls({ on: 'read' }),
    ];
    const { after, targetTokens, messages } = await outcome(list, { targetTokens: 3_000 });
    assert.ok(after.total <= targetTokens, `${after.total} tokens for a target of ${targetTokens}`);
    assert.deepEqual(validate(messages), []);
  });

  test('O3: a window that only the last group and the words before it fit is no overflow', async () => {
    const list = [user('Hm.'), assistant('Yes.'), user('word '.repeat(2_000)), server(500), calls({ on: 'read' })];
    const contextLength = total([...list.slice(2, 3), assistant('I looked it up.'), ...list.slice(4)]) + 190;
    const { after } = await outcome(list, { contextLength, targetTokens: contextLength });
    assert.ok(after.total <= contextLength, `${after.total} tokens in a window of ${contextLength}`);
  });

  test('P5: images that are only wished for go before a window is refused', async () => {
    const shots = Array.from({ length: 6 }, (_, i): readonly Message[] => [
      user(`What is on screenshot ${i}?`),
      calls({ [`shot-${i}`]: 'screenshot' }),
      {
        role: 'tool',
        parts: [{ type: 'toolResult', callId: `shot-${i}`, content: [{ type: 'image', data: `aGVsbG8${i}` }] }],
      },
      assistant(`A window with number ${i}.`),
    ]).flat();
    const { after, messages } = await outcome(shots, { contextLength: 4_000 });
    assert.ok(after.total <= 4_000);
    assert.ok(messages.some((one) => personMessage(one) && JSON.stringify(one).includes('screenshot 5')));
  });
});
