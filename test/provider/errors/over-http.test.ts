/** The same failures over real HTTP, through the packages of the AI SDK, as a runtime meets them. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import {
  classifyFailure,
  compress,
  type FailedCall,
  type Message,
  noRecovery,
  type ProviderFailure,
  type Recovery,
  readTranscripts,
  recoveryFor,
  type Tokenizer,
  tokenizerFor,
} from '@palimpsest/core';
import { type DialectName, type FakeProvider, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, type LanguageModel, streamText } from 'ai';
import OpenAI from 'openai';
import { messageText } from '../../../packages/core/src/transcript/text.ts';
import { bodyText, type FailureFixture, providerFixtures } from './fixtures.ts';

/** The package that a provider is called with. */
function modelOf(fake: FakeProvider, dialect: DialectName): LanguageModel {
  const settings = { baseURL: fake.baseUrl(dialect), apiKey: 'key-of-the-test' };
  if (dialect === 'anthropic') return createAnthropic(settings).languageModel('claude-opus-4-5');
  if (dialect === 'openai-responses') return createOpenAI(settings).responses('gpt-5');
  return createOpenAICompatible({ ...settings, name: 'mill' }).chatModel('mill-1');
}

const dialectOf = (provider: string): DialectName =>
  provider === 'Anthropic' ? 'anthropic' : provider === 'OpenAI' ? 'openai-responses' : 'openai-chat';

const thrownBy = async (call: PromiseLike<unknown>): Promise<unknown> => {
  const answer = call.then(
    () => assert.fail('an answer came'),
    (thrown: unknown) => thrown,
  );
  return answer;
};

const replyOf = (fixture: FailureFixture): Reply => ({
  raw: { status: fixture.status, contentType: 'application/json', body: bodyText(fixture) },
});

describe('O1: over HTTP', () => {
  for (const { provider, cases } of providerFixtures) {
    test(`O1 ${provider}: the packages of the AI SDK lose nothing that decides`, async () => {
      await using fake = await startFakeProvider();
      const model = modelOf(fake, dialectOf(provider));
      for (const fixture of cases) {
        // A raw reply has no headers of its own; two cases are about those.
        fake.reply(replyOf(fixture));
        const thrown = await thrownBy(generateText({ model, prompt: 'Hello?', maxRetries: 0 }));
        const { reason, limits } = classifyFailure(thrown, fixture.session);
        if (fixture.headers?.['x-amzn-errortype']?.startsWith('Throttling')) continue;
        assert.deepEqual([reason, limits], [fixture.reason, fixture.limits ?? {}], fixture.name);
      }
    });
  }

  test('O1 a wait in a header, and retries of the SDK around it', async () => {
    await using fake = await startFakeProvider();
    const limited: Reply = { error: { status: 429, headers: { 'retry-after': '7', 'retry-after-ms': '1' } } };
    fake.reply(limited, limited, limited);
    const thrown = await thrownBy(generateText({ model: modelOf(fake, 'openai-chat'), prompt: 'Hello?' }));
    const { reason, retryAfterSeconds } = classifyFailure(thrown);
    assert.deepEqual([reason, retryAfterSeconds, fake.requests.length], ['rate_limit', 1, 3]);
  });

  for (const dialect of ['openai-chat', 'openai-responses', 'anthropic'] as const) {
    test(`O1 an error in mid-answer, over ${dialect}`, async () => {
      await using fake = await startFakeProvider();
      fake.reply({
        text: 'Half of',
        error: { status: 529, type: 'overloaded_error', message: 'Overloaded', inStream: true },
      });
      const errors: unknown[] = [];
      const { stream } = streamText({
        model: modelOf(fake, dialect),
        prompt: 'Hello?',
        maxRetries: 0,
        onError: ({ error }) => {
          errors.push(error);
        },
      });
      await Array.fromAsync(stream);
      const session = { contextLength: 200_000, promptTokens: 190_000, answering: true };
      assert.equal(classifyFailure(errors[0], session).reason, 'overloaded');
    });
  }

  test('O1 a connection that is dropped, before and in the answer', async () => {
    await using fake = await startFakeProvider();
    fake.reply({ text: 'Half of an answer', closeAfter: 4 });
    const thrown = await thrownBy(
      generateText({ model: modelOf(fake, 'openai-chat'), prompt: 'Hello?', maxRetries: 0 }),
    );
    const large = { contextLength: 200_000, promptTokens: 190_000 };
    assert.equal(classifyFailure(thrown, { contextLength: 200_000, promptTokens: 9_000 }).reason, 'network');
    assert.equal(classifyFailure(thrown, large).reason, 'context_overflow');
    assert.equal(classifyFailure(thrown, { ...large, answering: true }).reason, 'broken_answer');
  });
});

describe('O1: the packages of OpenAI and Anthropic, over HTTP', () => {
  const ask = { model: 'mill-1', messages: [{ role: 'user' as const, content: 'Hello?' }] };

  test('O1 the package openai loses nothing that decides', async () => {
    await using fake = await startFakeProvider();
    const client = new OpenAI({ apiKey: 'key-of-the-test', baseURL: fake.baseUrl('openai-chat'), maxRetries: 0 });
    for (const { provider, cases } of providerFixtures) {
      for (const fixture of cases.filter(({ status, headers }) => status >= 400 && headers === undefined)) {
        fake.reply(replyOf(fixture));
        const failure = classifyFailure(await thrownBy(client.chat.completions.create(ask)), fixture.session);
        assert.equal(failure.reason, fixture.reason, `${provider}: ${fixture.name}`);
      }
    }
  });

  test('O1 the package of Anthropic loses nothing that decides', async () => {
    await using fake = await startFakeProvider();
    const client = new Anthropic({ apiKey: 'key-of-the-test', baseURL: fake.url, maxRetries: 0 });
    const cases = providerFixtures.find(({ provider }) => provider === 'Anthropic')?.cases ?? [];
    for (const fixture of cases) {
      fake.reply(replyOf(fixture));
      const failure = classifyFailure(
        await thrownBy(client.messages.create({ ...ask, max_tokens: 100 })),
        fixture.session,
      );
      assert.deepEqual([failure.reason, failure.limits], [fixture.reason, fixture.limits ?? {}], fixture.name);
    }
    assert.ok(cases.length > 15);
  });
});

describe('O1: nobody answers', () => {
  const large = { contextLength: 200_000, promptTokens: 190_000 };

  test('O1 a port where nobody listens', async () => {
    const fake = await startFakeProvider();
    const model = modelOf(fake, 'openai-chat');
    await fake.close();
    const refused = await thrownBy(generateText({ model, prompt: 'Hello?', maxRetries: 0 }));
    assert.equal(classifyFailure(refused, large).reason, 'network');
  });

  test('O1 a deadline is a time-out, and the caller who gives up is not', async () => {
    await using fake = await startFakeProvider({ script: { hang: true } });
    const model = modelOf(fake, 'openai-chat');
    const call = { model, prompt: 'Hello?', maxRetries: 0 };
    const late = await thrownBy(generateText({ ...call, abortSignal: AbortSignal.timeout(1) }));
    assert.equal(classifyFailure(late, large).reason, 'timeout');
    const caller = new AbortController();
    const stopped = thrownBy(generateText({ ...call, abortSignal: caller.signal }));
    caller.abort();
    assert.equal(classifyFailure(await stopped, large).reason, 'cancelled');
  });
});

/** A runtime in small: sends, classifies, does what is decided, and sends again. */
interface Turn {
  readonly decisions: readonly Recovery[];
  readonly failures: readonly ProviderFailure[];
  readonly messages: readonly Message[];
  readonly answered: boolean;
}

interface TurnOptions {
  readonly fake: FakeProvider;
  readonly messages: readonly Message[];
  readonly tokenizer: Tokenizer;
  readonly contextLength: number;
  readonly maxOutputTokens: number;
}

async function turn({ fake, tokenizer, ...options }: TurnOptions): Promise<Turn> {
  const model = modelOf(fake, 'openai-chat');
  let { messages, contextLength } = options;
  let state = noRecovery;
  const decisions: Recovery[] = [];
  const failures: ProviderFailure[] = [];
  // A bound far above the one that is shown: without one of its own the turn would run into it.
  for (let sent = 0; sent < 50; sent++) {
    const maxTokens = state.maxTokens ?? options.maxOutputTokens;
    const prompt = messages.map(messageText).join('\n\n');
    const call: FailedCall = { messages: messages.length, tokens: tokenizer.count(prompt), contextLength, maxTokens };
    try {
      await generateText({ model, prompt, maxOutputTokens: maxTokens, maxRetries: 0 });
      return { decisions, failures, messages, answered: true };
    } catch (thrown) {
      const failure = classifyFailure(thrown, { contextLength, promptTokens: call.tokens, maxTokens });
      const step = recoveryFor(failure, state, call);
      state = step.state;
      failures.push(failure);
      decisions.push(step.recovery);
      if (step.recovery.type === 'give_up') return { decisions, failures, messages, answered: false };
      if (step.recovery.type === 'compress') {
        contextLength = step.recovery.window?.tokens ?? contextLength;
        const targetTokens = Math.floor(Math.min(call.tokens, contextLength) / 2);
        messages = (await compress(messages, { tokenizer, contextLength, targetTokens })).messages;
      }
    }
  }
  return { decisions, failures, messages, answered: false };
}

async function recorded(): Promise<readonly Message[]> {
  const { transcripts } = await readTranscripts(await readFile('examples/recorded/link-checker.openai-chat.json'));
  return transcripts[0]?.messages ?? [];
}

const refuses = (message: string): Reply => ({
  raw: { status: 400, contentType: 'application/json', body: JSON.stringify({ error: { message } }) },
});

/** `max_tokens` of every request. */
const outputs = (fake: FakeProvider): readonly unknown[] => fake.requests.map(({ body }) => Object(body).max_tokens);

describe('O2: a turn that fails', async () => {
  const tokenizer = await tokenizerFor('gpt-5');
  const messages = await recorded();
  const options = { tokenizer, messages, contextLength: 128_000, maxOutputTokens: 8_000 };

  test('O2 T7 a provider that always reports more than the window is asked four times, and the person gets an advice', async () => {
    await using fake = await startFakeProvider({
      // Whatever is sent, it counts more than it takes.
      script: (request) => {
        const counted = JSON.stringify(request.body).length + 100_000;
        return refuses(`prompt is too long: ${counted} tokens > ${counted - 1} maximum`);
      },
    });
    const { decisions, answered } = await turn({ ...options, fake });
    assert.equal(answered, false);
    assert.ok(fake.requests.length <= 4, `${fake.requests.length} requests`);
    const last = decisions.at(-1);
    assert.ok(last?.type === 'give_up');
    assert.match(last.advice, /\/compress.*\/new/);
  });

  test('O2 T7 one that lowers its window each time ends as well', async () => {
    let window = 100_000;
    await using fake = await startFakeProvider({
      script: () => {
        window = Math.floor(window / 2);
        return refuses(
          `This model's maximum context length is ${window} tokens. However, your messages resulted in ${window + 1} tokens.`,
        );
      },
    });
    const { decisions } = await turn({ ...options, fake });
    assert.ok(fake.requests.length <= 4, `${fake.requests.length} requests`);
    assert.equal(decisions.at(-1)?.type, 'give_up');
  });

  test('O2 a prompt that is too long for the real window is compressed, and answered', async () => {
    const size = tokenizer.count(messages.map(messageText).join('\n\n'));
    const window = Math.floor(size * 0.8);
    await using fake = await startFakeProvider({
      script: (request) => {
        const counted = tokenizer.count(JSON.stringify(request.body));
        if (counted <= window) return { text: 'Here it is.' };
        return refuses(
          `This model's maximum context length is ${window} tokens. However, your messages resulted in ${counted} tokens.`,
        );
      },
    });
    const { decisions, answered } = await turn({ ...options, fake });
    assert.equal(answered, true);
    assert.deepEqual(decisions, [{ type: 'compress', pauseMs: 2_000, window: { tokens: window, source: 'stated' } }]);
  });

  test('O2 too much output: the retry asks for less, and the conversation is as it was', async () => {
    await using fake = await startFakeProvider();
    fake.reply(
      refuses(
        'max_tokens is too large: 8000. This model supports at most 4096 completion tokens, whereas you provided 8000.',
      ),
    );
    const { decisions, answered, messages: after } = await turn({ ...options, fake });
    assert.equal(answered, true);
    assert.deepEqual(decisions, [{ type: 'lower_output', maxTokens: 4_096 }]);
    assert.deepEqual(outputs(fake), [8_000, 4_096]);
    assert.equal(after, messages);
  });

  test('O2 a provider that refuses every size of output is asked four times, never the same', async () => {
    await using fake = await startFakeProvider({
      script: (request) => {
        const asked = Object(request.body).max_tokens;
        return refuses(`max_tokens is too large: ${asked}. This model supports at most ${asked} completion tokens.`);
      },
    });
    const { decisions, messages: after } = await turn({ ...options, fake });
    assert.deepEqual(outputs(fake), [8_000, 4_000, 2_000, 1_000]);
    assert.equal(decisions.at(-1)?.type, 'give_up');
    assert.equal(after, messages);
  });
});
