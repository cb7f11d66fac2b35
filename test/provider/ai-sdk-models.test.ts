import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider';
import { SummarizerError, type SummaryReply } from '../../packages/core/src/compression/summarize/summarizer.ts';
import type { AiSdkCall, AiSdkModel } from '../../packages/core/src/provider/ai-sdk-model.ts';
import {
  type AiSdkSummarizerOptions,
  aiSdkSummarizer,
  summarizerOn,
} from '../../packages/core/src/provider/ai-sdk-summarizer.ts';
import { PalimpsestError } from '../../packages/core/src/shared/errors.ts';
import { handTimers } from './hand-timers.ts';

const call = { system: 's', prompt: 'p' };

/** A model that streams these parts; `open` leaves the stream without an end. */
function modelOf(
  parts: readonly unknown[],
  { version = 'v4', open = false, calls = [] as AiSdkCall[] } = {},
): AiSdkModel {
  return {
    specificationVersion: version,
    provider: 'mill.wheel',
    modelId: 'grinder',
    doStream: async (options) => {
      calls.push(options);
      const stream = new ReadableStream<unknown>({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          if (!open) controller.close();
        },
      });
      return { stream };
    },
  };
}

const text = (delta: string): object => ({ type: 'text-delta', id: '0', delta });
const finishV4 = (unified: string, raw: string | undefined, usage: object = {}): object => ({
  type: 'finish',
  finishReason: { unified, raw },
  usage,
});

const write = (model: AiSdkModel, options: AiSdkSummarizerOptions = {}): Promise<SummaryReply> =>
  aiSdkSummarizer(model, options).write(call);

async function failure(writing: Promise<SummaryReply>): Promise<SummarizerError> {
  const error = await writing.then(
    () => assert.fail('an answer came'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof SummarizerError, String(error));
  return error;
}

describe('models of the AI SDK', () => {
  test('every version of the interface is taken', () => {
    const take = (model: LanguageModelV2 | LanguageModelV3 | LanguageModelV4): AiSdkModel => model;
    assert.equal(typeof take, 'function');
    for (const version of ['v2', 'v3', 'v4']) {
      assert.equal(aiSdkSummarizer(modelOf([], { version })).name, 'mill/grinder');
    }
  });

  test('what is no such model is said', () => {
    const strangers: readonly unknown[] = [undefined, 'openai/gpt-5', {}, modelOf([], { version: 'v9' })];
    for (const stranger of strangers) {
      // A caller without types may pass anything.
      const make = (): unknown => aiSdkSummarizer(stranger as AiSdkModel);
      assert.throws(make, (error) => PalimpsestError.isInstance(error) && error.code === 'BAD_OPTION');
    }
    // As above.
    assert.throws(() => aiSdkSummarizer(modelOf([], { version: 'v9' })), /got version v9/);
  });

  test('v2: flat usage, a word as finish reason', async () => {
    const usage = { inputTokens: 100, outputTokens: 20, totalTokens: 120, reasoningTokens: 5, cachedInputTokens: 60 };
    const parts = [
      { type: 'stream-start', warnings: [] },
      text('a'),
      text('b'),
      { type: 'finish', finishReason: 'stop', usage },
    ];
    assert.deepEqual(await write(modelOf(parts, { version: 'v2' })), {
      text: 'ab',
      finish: 'stop',
      usage: { inputTokens: 40, outputTokens: 20, cacheReadTokens: 60, reasoningTokens: 5 },
    });
  });

  test("v3 and v4: the provider's own report goes before the zeros that the SDK puts in", async () => {
    const usage = {
      inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: undefined },
      outputTokens: { total: 9, text: 9, reasoning: 0 },
    };
    const bare = await write(modelOf([text('x'), finishV4('stop', 'stop', usage)]));
    assert.deepEqual(bare.usage, { inputTokens: 100, outputTokens: 9, cacheReadTokens: 0, reasoningTokens: 0 });
    const raw = { prompt_tokens: 100, completion_tokens: 9 };
    const reported = await write(modelOf([text('x'), finishV4('stop', 'stop', { ...usage, raw })]));
    assert.deepEqual(reported.usage, { inputTokens: 100, outputTokens: 9 });
  });

  test('no report is no usage, not zero', async () => {
    const none = { inputTokens: { total: undefined }, outputTokens: { total: undefined } };
    assert.ok(!('usage' in (await write(modelOf([text('x'), finishV4('stop', 'stop', none)])))));
  });

  test('F2: a stream that ends without saying why broke off', async () => {
    const ends = [
      [text('half')],
      [text('half'), finishV4('other', undefined)],
      [text('half'), finishV4('interrupted', undefined)],
      [text('half'), { type: 'finish', finishReason: 'unknown', usage: {} }],
      [],
    ];
    for (const parts of ends) assert.equal((await failure(write(modelOf(parts)))).kind, 'bad_output');
    assert.equal((await failure(write(modelOf([text('half'), finishV4('error', undefined)])))).kind, 'server_error');
    assert.equal((await write(modelOf([text('all'), finishV4('other', 'compaction')]))).finish, 'other');
  });

  test('S6: a server that read only the start of the prompt gave no summary of it', async () => {
    const long = { ...call, prompt: 'Each of these sentences is a record of the session. '.repeat(4_000) };
    const usage = { raw: { prompt_tokens: 4_096, completion_tokens: 300 } };
    const model = modelOf([text('Confident.'), finishV4('stop', 'stop', usage)]);
    const error = await failure(aiSdkSummarizer(model).write(long));
    assert.match(error.message, /read only 4096 of about \d+ tokens/);
    assert.deepEqual([error.kind, error.evidence.overflow, error.evidence.contextLength], ['other', true, 4_096]);
  });

  test('a sign of life starts the idle time again, and the total time does not care', async () => {
    const timers = handTimers();
    const options = { idleTimeoutMs: 1_000, totalTimeoutMs: 60_000 };
    const summarizer = summarizerOn(timers, modelOf([text('a'), { type: 'ping' }], { open: true }), options);
    const pieces = Promise.withResolvers<string>();
    const writing = failure(summarizer.write({ ...call, onText: pieces.resolve }));
    assert.equal(await pieces.promise, 'a');
    assert.deepEqual(timers.waiting().toSorted(), [1_000, 60_000]);
    timers.fire(60_000);
    const { kind, message } = await writing;
    assert.equal(kind, 'timeout');
    assert.match(message, /did not finish within 60 s.*total_timeout_seconds/);
  });

  test('a model that does not listen to signals is left behind', async () => {
    const timers = handTimers();
    const deaf: AiSdkModel = { ...modelOf([]), doStream: () => new Promise(() => {}) };
    const idle = failure(summarizerOn(timers, deaf, { idleTimeoutMs: 500 }).write(call));
    timers.fire(500);
    assert.equal((await idle).kind, 'timeout');
    const controller = new AbortController();
    const aborted = aiSdkSummarizer(deaf).write({ ...call, signal: controller.signal });
    controller.abort('enough');
    await assert.rejects(aborted, (thrown) => thrown === 'enough');
  });

  test('an abort before the call makes none', async () => {
    const calls: AiSdkCall[] = [];
    const signal = AbortSignal.abort(new Error('never mind'));
    await assert.rejects(aiSdkSummarizer(modelOf([], { calls })).write({ ...call, signal }), /never mind/);
    assert.equal(calls.length, 0);
  });

  test("an error of the caller's own listener stays the caller's, and the stream is closed", async () => {
    const closed = Promise.withResolvers<void>();
    const model: AiSdkModel = {
      ...modelOf([]),
      doStream: async () => ({
        stream: new ReadableStream({
          start: (controller) => controller.enqueue(text('a')),
          cancel: () => closed.resolve(),
        }),
      }),
    };
    const onText = (): void => {
      throw new RangeError('mine');
    };
    await assert.rejects(aiSdkSummarizer(model).write({ ...call, onText }), RangeError);
    await closed.promise;
  });

  test('a model that throws at once fails like one that answers so', async () => {
    const thrown = { ...modelOf([]), doStream: () => Promise.reject(new Error('no such thing')) };
    const error = await failure(write(thrown));
    assert.deepEqual(
      [error.kind, error.message.startsWith('mill/grinder refused the request: "no such thing"')],
      ['other', true],
    );
  });
});
