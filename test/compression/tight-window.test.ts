/** B4, invariant 5: a window of 4,000 tokens, in which everything is large. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ConversationRecord,
  compress,
  createRecord,
  estimatingTokenizer,
  type Message,
  messageTokens,
  PalimpsestError,
  validate,
} from '@palimpsest/core';
import fc from 'fast-check';
import { isHandoff, newestRequest, personMessage } from '../../packages/core/src/compression/handoff-block.ts';
import type { CompressionResult } from '../../packages/core/src/compression/result.ts';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { isSealed } from '../../packages/core/src/transcript/validate.ts';
import { listOf } from '../conversation/agent.ts';
import { assistant, call, calls, conversations, message, result, resultPart, user } from '../support/conversations.ts';
import { hostileConversations } from '../support/hostile-conversations.ts';

const tokenizer = estimatingTokenizer('claude');
const contextLength = 4_000;
const tokens = (list: readonly Message[]): number => list.reduce((sum, one) => sum + messageTokens(one, tokenizer), 0);
const newRecord = (): ConversationRecord => createRecord({ count: (text) => tokenizer.count(text) });
const compressed = (list: readonly Message[], compressionCount = 0, record = newRecord()): Promise<CompressionResult> =>
  compress(list, { tokenizer, contextLength, compressionCount, record });
const words = (count: number): string => 'word '.repeat(count);
const system = message('system', 'You are careful.');

/** The list fits, is valid, and both stand behind the one handoff. */
function holdsBoth({ messages }: CompressionResult, request: string, reply?: string): void {
  assert.ok(tokens(messages) <= contextLength);
  assert.deepEqual(validate(messages), []);
  const at = messages.findIndex(isHandoff);
  assert.equal(messages.filter(isHandoff).length, 1);
  const behind = messages.slice(at).map(messageText).join('\n');
  assert.ok(behind.includes(request), 'the newest request, word for word');
  if (reply !== undefined) assert.ok(behind.slice(behind.indexOf('</handoff>')).includes(reply), 'the newest reply');
}

describe('a window of 4,000 tokens', () => {
  for (const size of [100, 1_500, 2_300, 2_600, 2_800, 3_000]) {
    test(`B4: requests of ${size} words, with replies between, stay after the summary in four passes`, async () => {
      const record = newRecord();
      let list: readonly Message[] = [system, ...listOf(20)];
      for (let pass = 0; pass < 4; pass++) {
        const request = `${words(size)} request ${pass}`;
        const answered = pass % 2 === 1 ? [assistant(`Reply ${pass} ${words(300)}`)] : [];
        list = [...list, user(request), ...answered];
        const made = await compressed(list, pass, record);
        if (made.status === 'compressed') holdsBoth(made, request, pass % 2 === 1 ? `Reply ${pass} word` : undefined);
        else assert.ok(tokens(list) <= contextLength);
        list = made.messages;
      }
    });
  }

  test('B4: an earlier handoff gives way to a request that needs its room', async () => {
    const record = newRecord();
    const first = await compressed([system, ...listOf(20), user(words(100))], 0, record);
    const reply = `Here is the table. ${words(200)}`;
    const large = `${words(2_700)} and now?`;
    const second = await compressed([...first.messages, assistant(reply), user(large)], 1, record);
    holdsBoth(second, large, 'Here is the table.');
  });

  test('invariant 5: a request larger than the window is an error that names it', async () => {
    await assert.rejects(compressed([system, ...listOf(20), user(words(4_000))]), (error) => {
      assert.ok(PalimpsestError.isInstance(error));
      assert.equal(error.code, 'CONTEXT_OVERFLOW');
      assert.match(error.message, /the system prompt and the newest request alone need that much\. Shorten them/);
      return true;
    });
  });

  const image = { type: 'image', mediaType: 'image/png', data: 'aGVsbG8=' } as const;
  const sealed = { type: 'reasoning', text: 'hm', signature: 'c2ln' } as const;
  const code = JSON.stringify({ code: words(6_000) });
  const odd: Readonly<Record<string, readonly Message[]>> = {
    'only results': Array.from({ length: 12 }, (_, at) => result(`c${at}`, words(600))),
    'one giant group': [
      calls({ a: 'bash', b: 'bash', c: 'bash' }, { command: words(900) }),
      ...['a', 'b', 'c'].map((id) => result(id, words(2_000))),
    ],
    'one call with a giant result': [user('go'), calls({ a: 'bash' }), result('a', words(9_000))],
    'calls that wait for their results': [
      ...listOf(12),
      user('go'),
      calls({ a: 'write', b: 'write' }, { content: words(3_000) }),
    ],
    'nothing but calls that wait': [calls({ a: 'write', b: 'write' }, { content: words(5_000) })],
    'screenshots that the model has not seen yet': [
      ...listOf(6),
      user('go'),
      calls({ a: 'look' }),
      { role: 'tool', parts: [{ ...resultPart('a', 'three'), content: [image, image, image, image] }] },
    ],
    'code that the provider ran': [
      user('go'),
      {
        role: 'assistant',
        parts: [
          { ...call('s', 'code_execution'), input: code, server: true },
          { ...resultPart('s', 'ran'), server: true },
          { type: 'text', text: 'It ran.' },
        ],
      },
      user('and again'),
    ],
    'a call that the provider signed': [
      user('go'),
      { role: 'assistant', parts: [sealed, { ...call('a', 'write'), input: code }] },
      result('a', 'ok'),
    ],
    'thoughts without a signature': [
      user('go'),
      { role: 'assistant', parts: [{ type: 'reasoning', text: words(6_000) }, call('a', 'ls')] },
      result('a', 'ok'),
    ],
  };
  for (const [name, messages] of Object.entries(odd)) {
    test(`invariants 2, 5: fits, and a second pass makes it no larger: ${name}`, async () => {
      const record = newRecord();
      const first = await compressed(messages, 0, record);
      assert.ok(tokens(first.messages) <= contextLength, `${tokens(first.messages)}`);
      if (first.messages !== messages) assert.deepEqual(validate(first.messages), []);
      const second = await compressed(first.messages, 1, record);
      assert.ok(tokens(second.messages) <= tokens(first.messages));
    });
  }

  test('B4: what a repair put in place of an empty reply is not the newest reply', async () => {
    const made = await compressed([
      system,
      user('How many rows?'),
      assistant('There are 17 rows.'),
      user('<environment_context>x</environment_context>'),
      { role: 'assistant', parts: [] },
      calls({ lost: 'bash' }),
      user('<environment_context>y</environment_context>'),
      ...Array.from({ length: 5 }, (_, at) => [calls({ [`c${at}`]: 'bash' }), result(`c${at}`, words(900))]).flat(),
    ]);
    holdsBoth(made, 'How many rows?', 'There are 17 rows.');
  });

  test('invariant 5: only what must stay, or what a provider sealed, is too large for it', async () => {
    const handoffs = ['<handoff covers="m1-m9" messages="9">\nThe state.\n</handoff>', '[CONTEXT SUMMARY]: older'];
    const lists = fc.oneof(
      conversations({ faults: true, handoffs, maxSteps: 40 }),
      hostileConversations({ handoffs, maxSteps: 40 }),
    );
    await fc.assert(
      fc.asyncProperty(lists, async (list) => {
        const made = await compressed(list).catch((error: unknown) => error);
        if (!(made instanceof Error)) return;
        assert.ok(PalimpsestError.isInstance(made) && made.code === 'CONTEXT_OVERFLOW', String(made));
        assert.ok(tokens(mustStay(list)) > contextLength / 3, `${tokens(mustStay(list))} tokens had to stay`);
      }),
      { numRuns: 250, seed: 7 },
    );
  });
});

/** System messages, the newest requests, what a provider sealed: nothing of it may be cut. */
function mustStay(list: readonly Message[]): readonly Message[] {
  const newest = newestRequest(list);
  return list.flatMap((one, at): readonly Message[] => {
    if (one.role === 'system' || at === newest || (personMessage(one) && at > newest - 3)) return [one];
    const parts = one.parts.filter(isSealed);
    return parts.length > 0 ? [{ role: one.role, parts }] : [];
  });
}
