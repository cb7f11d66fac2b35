/** What becomes of an answer and of a failure: usage, prices, and how to go on. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallOutcome, Message, NextStep, Summarizer } from '@palimpsest/core';
import type { Store } from '@palimpsest/core/store';
import { calibrationKey } from '../../packages/core/src/conversation/size.ts';
import { openBench } from '../memory/entries/bench.ts';
import { reply, runtimeOver, smallWindow, step, system, user, withStore, work } from './agent.ts';
import { dying, type Fault } from './faults.ts';

const opening = (): Message[] => [system('You move ledgers.'), user('Move the ledgers of all regions.')];

/** What a provider throws. */
const failure = (status: number, message: string): Error => Object.assign(new Error(message), { status });

async function settledWith(store: Store, usage: unknown, model?: string): Promise<NextStep> {
  const runtime = runtimeOver(store);
  const prepared = await runtime.prepare({ messages: opening() });
  return runtime.settle(prepared, {
    type: 'answered',
    reply: reply('Done.'),
    usage,
    ...(model === undefined ? {} : { model }),
  });
}

describe('an answer', () => {
  for (const [name, usage] of Object.entries({
    Anthropic: { input_tokens: 100, cache_read_input_tokens: 900, cache_creation_input_tokens: 50, output_tokens: 30 },
    'OpenAI Chat': {
      prompt_tokens: 1_050,
      completion_tokens: 30,
      prompt_tokens_details: { cached_tokens: 900, cache_write_tokens: 50 },
    },
    'our own form': { inputTokens: 100, cacheReadTokens: 900, cacheWriteTokens: 50, outputTokens: 30 },
  })) {
    test(`U1 counts the usage of ${name} with its price, in its session`, () =>
      withStore(async (store) => {
        const next = await settledWith(store, usage, 'anthropic/claude-sonnet-4-5');
        assert.ok(next.type === 'done');
        const [row] = await store.sessions.list();
        const { costUsd, savedUsd, ...counted } = row?.tip.usage ?? {};
        assert.deepEqual(counted, {
          inputTokens: 100,
          cacheReadTokens: 900,
          cacheWriteTokens: 50,
          outputTokens: 30,
          reasoningTokens: 0,
          calls: 1,
          unpriced: 0,
          partial: 0,
        });
        assert.ok(costUsd !== undefined && costUsd > 0 && costUsd < 0.01);
        assert.ok(savedUsd !== undefined && savedUsd > 0 && savedUsd < 0.01);
      }));
  }

  test('U2 without usage, or of a model without a known price, is a call without a price', () =>
    withStore(async (store) => {
      await settledWith(store, undefined);
      await settledWith(store, { input_tokens: 10, output_tokens: 5 }, 'nobody/knows-it');
      const { calls, unpriced, costUsd } = await store.usage.totals();
      assert.deepEqual({ calls, unpriced, costUsd }, { calls: 2, unpriced: 2, costUsd: undefined });
    }));

  test('T6 of what was sent before a compression says nothing about the context after it', () =>
    withStore(async (store) => {
      const notices: string[] = [];
      const runtime = runtimeOver(store, { onNotice: ({ type }) => notices.push(type) });
      const list = opening();
      await work(runtime, list, { steps: 12 });
      const prepared = await runtime.prepare({ messages: list });
      const { sessionId, status } = await runtime.compress({ messages: list });
      assert.equal(status, 'compressed');
      const usage = { input_tokens: smallWindow - 500, output_tokens: 9 };
      await runtime.settle(prepared, { type: 'answered', reply: reply('Done.'), usage });
      assert.deepEqual(notices, ['compressed']);
      const next = await runtime.prepare({ messages: [...list, reply('Done.'), user('Go on.')] });
      assert.equal(next.sessionId, sessionId);
      // It is counted all the same, beside the twelve before it.
      assert.equal((await store.usage.totals()).calls, 13);
    }));

  test('U1 is counted once, however often its end is reported', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const prepared = await runtime.prepare({ messages: opening() });
      const outcome = {
        type: 'answered',
        reply: reply('Done.'),
        usage: { input_tokens: 1, output_tokens: 1 },
      } as const;
      await runtime.settle(prepared, outcome);
      assert.deepEqual(await runtime.settle(prepared, { type: 'aborted' }), { type: 'done', notices: [] });
      await runtime.settle(prepared, outcome);
      assert.equal((await store.usage.totals()).calls, 1);
    }));

  test('U1 is counted once where two ends are reported at the same time', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const prepared = await runtime.prepare({ messages: opening() });
      const outcome = {
        type: 'answered',
        reply: reply('Done.'),
        usage: { input_tokens: 1, output_tokens: 1 },
      } as const;
      await Promise.all([1, 2, 3].map(() => runtime.settle(prepared, outcome)));
      assert.equal((await store.usage.totals()).calls, 1);
      const { sessionId } = await runtime.prepare({ messages: [...opening(), reply('Done.'), user('Now the rest.')] });
      assert.equal(sessionId, prepared.sessionId);
    }));

  test('U1 is counted once where its answer is kept and the store fails at any call behind that, and so is learnt from once', async (t) => {
    const { store, memory } = await openBench(t);
    const text = 'A word and another word. '.repeat(900);
    let retried = 0;
    for (let at = 0, isLast = false; !isLast; at++) {
      const fault = { at: -1, when: 'before', passes: true } satisfies Fault;
      const mortal = dying(store, fault);
      const runtime = runtimeOver(mortal.store, { memory, contextLength: 50_000 });
      const prepared = await runtime.prepare({ messages: [user(`${at} ${text}`)] });
      // Begun anew, it has more to do behind its commit.
      await store.sessions.delete(prepared.sessionId);
      fault.at = mortal.calls() + at;
      const outcome = { type: 'answered', reply: reply('Done.'), usage: { input_tokens: 9_000 } } as const;
      const first = await runtime.settle(prepared, outcome).catch(() => undefined);
      isLast = first !== undefined;
      if (!isLast) retried++;
      await runtime.settle(prepared, outcome);
      const kept = await store.meta.get(calibrationKey('claude-sonnet-4-5'));
      const label = `behind call ${at}`;
      assert.equal((await store.usage.totals()).calls, at + 1, label);
      assert.match(kept ?? '', new RegExp(`"reports":${at + 1}\\b`), label);
    }
    assert.ok(retried > 3, `${retried} were settled again`);
  });

  test('U1 an answer that was called off after its first word is a call that was paid for', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const ended = async (outcome: Omit<Extract<CallOutcome, { type: 'aborted' }>, 'type'>): Promise<void> => {
        const prepared = await runtime.prepare({ messages: opening() });
        await runtime.settle(prepared, { type: 'aborted', ...outcome });
      };
      await ended({});
      assert.equal((await store.usage.totals()).calls, 0);
      await ended({ hasBegun: true });
      await ended({ usage: { input_tokens: 100, output_tokens: 3 } });
      const { calls, unpriced, inputTokens, outputTokens } = await store.usage.totals();
      assert.deepEqual([calls, unpriced, inputTokens, outputTokens], [2, 1, 100, 3]);
    }));

  test('T4 what another model counts does not calibrate the estimates of this one', () =>
    withStore(async (store) => {
      const said = (at: number): Message[] => [user(`Move the ledgers of region ${at}. `.repeat(1_000))];
      const sizeAfter = async (model: string, at: number): Promise<string> => {
        const runtime = runtimeOver(store, { contextLength: 200_000 });
        const prepared = await runtime.prepare({ messages: said(at) });
        const usage = { input_tokens: prepared.size.tokens * 2, output_tokens: 1 };
        await runtime.settle(prepared, { type: 'answered', reply: reply('Done.'), usage, model });
        return (await runtime.prepare({ messages: said(at + 1) })).size.from;
      };
      assert.equal(await sizeAfter('openai/gpt-5', 0), 'estimate');
      assert.equal(await sizeAfter('anthropic/claude-sonnet-4-5-20250929', 2), 'calibrated');
    }));

  test('L5 what summaries cost is counted in the same conversation', () =>
    withStore(async (store) => {
      const summarizer: Summarizer = {
        name: 'anthropic/claude-haiku-4-5',
        write: async () => ({
          text: '## Active Task\nMove the ledgers.',
          finish: 'stop',
          usage: { inputTokens: 500, outputTokens: 20 },
        }),
      };
      const list = opening();
      await work(runtimeOver(store, { summarizer }), list, { steps: 25 });
      const rows = await store.usage.by('task');
      assert.deepEqual(
        rows.map(({ group }) => group),
        ['summary', 'turn'],
      );
      assert.ok((rows[0]?.calls ?? 0) > 0);
    }));

  test('T3 a provider that never reports usage is compressed by estimates', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      let compressions = 0;
      for (let at = 1; at <= 60; at++) {
        const prepared = await runtime.prepare({ messages: list });
        if (prepared.compression) compressions++;
        const [called, result] = step(at);
        await runtime.settle(prepared, { type: 'answered', reply: called });
        list.push(called, result);
      }
      assert.ok(compressions >= 2, `${compressions} compressions`);
    }));
});

describe('a failure', () => {
  const tooLong = failure(
    400,
    `This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.`,
  );

  test('O2 of a prompt that is too long is answered with a smaller context, and the stated window is remembered', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      await work(runtime, list, { steps: 10 });
      const prepared = await runtime.prepare({ messages: list });
      const next = await runtime.settle(prepared, { type: 'failed', error: tooLong });
      assert.ok(next.type === 'retry');
      assert.ok(next.prepared.compression);
      assert.ok(next.prepared.size.tokens < prepared.size.tokens && next.prepared.size.tokens <= 4_096);
      assert.equal(next.prepared.sessionId, next.prepared.compression.to);
      // What was learnt holds for the next process and the next conversation.
      const other = [user('a long remark '.repeat(2_000))];
      await assert.rejects(runtimeOver(store).prepare({ messages: other }), { code: 'CONTEXT_OVERFLOW' });
      assert.equal((await runtime.settle(next.prepared, { type: 'answered', reply: reply('Done.') })).type, 'done');
    }));

  test('O2 that comes again and again ends, with advice that names /new and /compress', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      await work(runtime, list, { steps: 10 });
      let prepared = await runtime.prepare({ messages: list });
      const error = failure(400, 'prompt is too long');
      for (let tries = 0; tries < 10; tries++) {
        const next = await runtime.settle(prepared, { type: 'failed', error });
        if (next.type === 'retry') {
          prepared = next.prepared;
          continue;
        }
        assert.ok(next.type === 'give_up');
        assert.ok(tries <= 3);
        assert.equal(next.error, error);
        assert.match(next.advice, /\/new/);
        assert.match(next.advice, /\/compress/);
        // The conversation is as it was.
        const again = await runtime.prepare({ messages: list });
        assert.deepEqual(again.messages, prepared.messages);
        return;
      }
      assert.fail('retried for ever');
    }));

  test('O2 of too much output lowers it for this call, and leaves messages and window alone', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      const prepared = await runtime.prepare({ messages: list, maxTokens: 64_000 });
      const error = failure(400, 'max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens');
      const next = await runtime.settle(prepared, { type: 'failed', error });
      assert.ok(next.type === 'retry');
      assert.deepEqual({ maxTokens: next.prepared.maxTokens, waitMs: next.waitMs }, { maxTokens: 8_192, waitMs: 0 });
      assert.deepEqual(next.prepared.messages, prepared.messages);
      await runtime.settle(next.prepared, { type: 'answered', reply: reply('Done.'), usage: { input_tokens: 20 } });
      const later = await runtime.prepare({ messages: [...list, reply('Done.'), user('And?')], maxTokens: 64_000 });
      assert.equal(later.maxTokens, undefined);
    }));

  test('O1 that passes is waited for, and one that does not is told', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const prepared = await runtime.prepare({ messages: opening() });
      const busy = await runtime.settle(prepared, {
        type: 'failed',
        error: failure(529, 'overloaded_error: Overloaded'),
      });
      assert.ok(busy.type === 'retry');
      assert.ok(busy.waitMs > 0);
      assert.deepEqual(busy.prepared.messages, prepared.messages);
      const refused = await runtime.settle(busy.prepared, { type: 'failed', error: failure(401, 'invalid x-api-key') });
      assert.ok(refused.type === 'give_up');
      assert.ok(refused.advice.length > 10);
    }));

  test('O2 of a request that its client has left behind makes no branch', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const list = opening();
      await work(runtime, list, { steps: 3 });
      const left = await runtime.prepare({ messages: list });
      await runtime.prepare({ messages: [...list, user('Stop. Do something else.')] });
      const next = await runtime.settle(left, { type: 'failed', error: tooLong });
      assert.equal(next.type, 'give_up');
      assert.equal((await store.sessions.list()).length, 1);
    }));

  test('F3 nothing is kept of a failed call but what the client has said', () =>
    withStore(async (store) => {
      const runtime = runtimeOver(store);
      const prepared = await runtime.prepare({ messages: opening() });
      await runtime.settle(prepared, { type: 'failed', error: failure(500, 'internal error') });
      const view = await store.messages.view(prepared.sessionId);
      assert.deepEqual(
        view.map(({ message }) => message),
        opening(),
      );
      assert.equal((await store.usage.totals()).calls, 0);
    }));
});

test('T4 the window may be a lower one than the model has', () =>
  withStore(async (store) => {
    const reserved = runtimeOver(store, { reservedOutputTokens: smallWindow / 2 });
    await assert.rejects(reserved.prepare({ messages: [user('a long remark '.repeat(1_600))] }), {
      code: 'CONTEXT_OVERFLOW',
    });
  }));
