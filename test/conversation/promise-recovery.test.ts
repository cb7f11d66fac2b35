/** What becomes of a refused request, step by step, through the runtime. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { ConversationRuntime, Message, PreparedContext } from '@palimpsest/core';
import { openStore } from '@palimpsest/core/store';
import { newFolder } from '../support/store-files.ts';
import { listOf, reply, runtimeOver, user, withStore } from './agent.ts';

/** What a provider answers, as the AI SDK throws it. */
const refusal = (status: number, message: string): Error =>
  Object.assign(new Error(message), { statusCode: status, responseBody: JSON.stringify({ error: { message } }) });

const hasImage = ({ messages }: PreparedContext): boolean =>
  messages.some(({ parts }) => parts.some(({ type }) => type === 'image'));

/** What is done about the same refusal, again and again, until nothing is left. */
async function untilTheEnd(
  runtime: ConversationRuntime,
  first: PreparedContext,
  error: Error,
): Promise<{ readonly steps: readonly string[]; readonly last: PreparedContext; readonly advice: string }> {
  const steps: string[] = [];
  for (let last = first; ; ) {
    const next = await runtime.settle(last, { type: 'failed', error });
    if (next.type !== 'retry')
      return { steps, last, advice: next.type === 'give_up' ? next.advice : assert.fail(next.type) };
    const { prepared, waitMs } = next;
    steps.push(`${prepared.compression ? 'compress' : 'send'} after ${waitMs} ms${hasImage(prepared) ? '' : ', bare'}`);
    last = prepared;
  }
}

describe('a request that is refused again and again', () => {
  test('O2 T7 for its bytes: compressed, at most three times with 2 s before each, then without its images, then told', () =>
    withStore(async (store) => {
      const image: Message = {
        role: 'user',
        parts: [
          { type: 'text', text: 'What is on it?' },
          { type: 'image', data: 'AAAA', mediaType: 'image/png' },
        ],
      };
      const runtime = runtimeOver(store, { contextLength: 20_000 });
      const prepared = await runtime.prepare({ messages: [...listOf(20), image] });
      const { steps, last, advice } = await untilTheEnd(runtime, prepared, refusal(413, 'Payload Too Large'));
      const compressions = steps.slice(0, -1);
      assert.ok(compressions.length >= 1 && compressions.length <= 3);
      assert.deepEqual(new Set(compressions), new Set(['compress after 2000 ms']));
      assert.equal(steps.at(-1), 'send after 0 ms, bare');
      assert.equal(hasImage(last), false);
      assert.match(advice, /\/compress.*\/new/);
    }));

  test('O2 for a malformed body: never compressed, whatever the size of the session', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store, { contextLength: 20_000 });
      const messages = listOf(30);
      const prepared = await runtime.prepare({ messages });
      // A bare 400 would be taken for too long.
      assert.ok(prepared.size.tokens > 0.4 * 20_000);
      for (const words of ['messages.3: must be non-empty content', 'No user query found in messages.']) {
        const next = await runtime.settle(await runtime.prepare({ messages }), {
          type: 'failed',
          error: refusal(400, words),
        });
        assert.equal(next.type, 'give_up');
      }
      const after = await runtime.prepare({ messages });
      assert.deepEqual([after.sessionId, after.messages], [prepared.sessionId, prepared.messages]);
    }));

  test('O2 for its output: lowered for this call, with messages and window as they were', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store, { contextLength: 20_000 });
      const messages = listOf(3);
      const prepared = await runtime.prepare({ messages, maxTokens: 64_000 });
      const error = refusal(400, 'max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens');
      const next = await runtime.settle(prepared, { type: 'failed', error });
      assert.ok(next.type === 'retry');
      assert.deepEqual([next.waitMs, next.prepared.maxTokens, next.prepared.messages], [0, 32_000, prepared.messages]);
      await runtime.settle(next.prepared, { type: 'answered', reply: reply('ok'), usage: { inputTokens: 900 } });
      const after = await runtime.prepare({ messages: [...messages, reply('ok'), user('Go on.')], maxTokens: 64_000 });
      assert.equal(after.maxTokens, undefined);
    }));
});

describe('a window that a refusal names', () => {
  const over = (window: number): string =>
    `This model's maximum context length is ${window} tokens. However, your messages resulted in 16000 tokens.`;
  const rows = [
    ['stated, it is known after a restart', refusal(400, over(12_000)), 12_000],
    [
      'of the account, it holds in this process only',
      refusal(429, 'Extra usage is required for long context requests.'),
      400_000,
    ],
  ] as const;
  for (const [title, error, later] of rows) {
    test(`O3 ${title}`, async (t) => {
      const path = join(await newFolder(t), 'store.db');
      const options = { contextLength: 400_000, config: { modelThresholds: { claude: 0.9 } } };
      /** The window that a process reckons with, by where it compresses. */
      const learnt = async (lists: readonly (readonly Message[])[], fails: boolean): Promise<readonly boolean[]> => {
        const store = await openStore({ path });
        const runtime = runtimeOver(store, options);
        const compressed: boolean[] = [];
        for (const [at, messages] of lists.entries()) {
          const prepared = await runtime.prepare({ messages });
          compressed.push(prepared.compression !== undefined);
          if (fails && at === 0) await runtime.settle(prepared, { type: 'failed', error });
        }
        await store.close();
        return compressed;
      };
      const long = (name: string): Message[] => [user(name), ...listOf(later === 12_000 ? 40 : 620).slice(2)];
      assert.deepEqual(await learnt([long('one'), long('two')], true), [false, true]);
      assert.deepEqual(await learnt([long('three')], false), [later === 12_000]);
    });
  }
});
