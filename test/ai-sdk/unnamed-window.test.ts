/** A provider whose window is smaller than was said, and that refuses what is too long without naming it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { conversationTokens, estimatingTokenizer } from '@palimpsest/core';
import { adviceFor, type Notice, type WithPalimpsestOptions } from '@palimpsest/core/ai-sdk';
import type { Timers } from '@palimpsest/core/engine';
import { openStore } from '@palimpsest/core/store';
import { type FakeProvider, type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, type ModelMessage, streamText } from 'ai';
import { wrapModel } from '../../packages/core/src/ai-sdk/with-palimpsest.ts';
import { newFolder } from '../support/store-files.ts';
import { anthropic, chat, compatible, type Provider, responses } from './providers.ts';
import { worker, workTools } from './worker.ts';

/** Waits are over at once. */
const timers: Timers = {
  after: (_, fire) => {
    queueMicrotask(fire);
    return () => undefined;
  },
};

const tokenizer = estimatingTokenizer('claude');
const tokensOf = ({ messages }: FakeRequest): number => conversationTokens(messages, tokenizer);

interface Refusal {
  readonly name: string;
  readonly provider: Provider;
  readonly error: NonNullable<Reply['error']>;
}

/** How providers say it who name no number. */
const refusals: readonly Refusal[] = [
  {
    name: "OpenAI's Responses",
    provider: responses,
    error: {
      status: 400,
      code: 'context_length_exceeded',
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
    },
  },
  {
    name: 'Bedrock',
    provider: anthropic,
    error: { status: 400, message: 'Input is too long for requested model.' },
  },
  {
    name: 'a server of its own',
    provider: compatible,
    error: { status: 500, message: 'the request exceeds the available context size, try increasing it' },
  },
  {
    name: 'a Chinese provider',
    provider: compatible,
    error: { status: 400, message: '输入内容超过最大长度限制，请缩短输入后重试' },
  },
  {
    name: 'a server that counts bytes',
    provider: chat,
    error: { status: 413, message: 'request entity too large' },
  },
];

/** Refuses what is larger than its window. */
const within =
  (window: number, error: Refusal['error'], answer: (request: FakeRequest) => Reply) =>
  (request: FakeRequest): Reply =>
    tokensOf(request) > window ? { error } : answer(request);

/** A long talk of which every message has about 500 tokens. */
const talk = (messages: number): ModelMessage[] =>
  Array.from({ length: messages }, (_, at) => ({
    role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content: `Part ${at}: ${`the ledger of region ${at} has ${at * 17} rows, `.repeat(34)}`,
  })).concat({ role: 'user' as const, content: 'What is next?' });

/** How many requests each answer took. */
function attempts(fake: FakeProvider): readonly number[] {
  const counts = [0];
  for (const { status } of fake.requests) {
    counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
    if (status === 200) counts.push(0);
  }
  return counts.slice(0, -1);
}

describe('a window that is four times smaller than was said, which nobody names', () => {
  for (const { name, provider, error } of refusals) {
    for (const [assumed, real] of [
      [32_000, 8_000],
      [60_000, 15_000],
      [200_000, 50_000],
    ] as const) {
      test(`O2 O4 costs no answer with ${assumed} for ${real}: a talk that ${name} refuses is sent four times at most`, async () => {
        await using fake = await startFakeProvider({ script: within(real, error, () => ({ text: 'Good.' })) });
        const model = wrapModel(provider.model(fake), { contextLength: assumed }, { clock: { timers } });
        const { text } = await generateText({ model, maxRetries: 0, messages: talk(Math.floor(assumed / 520)) });
        assert.equal(text, 'Good.');
        assert.ok(fake.requests.length <= 4, `${fake.requests.length} requests`);
      });
    }

    test(`O2 O4 costs no step of a loop over ${name}, and is refused a few times only`, async () => {
      const plan = { steps: 60, askEvery: 1_000, askBack: 1_000, hugeEvery: 1_000 };
      const work = worker(plan, []);
      await using fake = await startFakeProvider({ script: within(12_000, error, work) });
      const model = wrapModel(provider.model(fake), { contextLength: 48_000 }, { clock: { timers } });
      const { text } = await generateText({
        model,
        maxRetries: 0,
        stopWhen: isStepCount(plan.steps),
        prompt: 'Visit all depots.',
        tools: workTools(plan),
      });
      assert.equal(text, 'All depots are done.');
      assert.ok(Math.max(...attempts(fake)) <= 4, String(attempts(fake)));
      assert.ok(fake.requests.filter(({ status }) => status !== 200).length <= 3);
    });
  }

  test('O2 O4 costs no answer of a stream', async () => {
    const [{ provider, error } = assert.fail('none')] = refusals;
    await using fake = await startFakeProvider({ script: within(8_000, error, () => ({ text: 'Good.' })) });
    const model = wrapModel(provider.model(fake), { contextLength: 32_000 }, { clock: { timers } });
    assert.equal(await streamText({ model, maxRetries: 0, messages: talk(60) }).text, 'Good.');
  });
});

const [, bedrock = assert.fail('none')] = refusals;

interface Told {
  readonly notices: readonly Notice[];
  readonly fake: FakeProvider;
  readonly outcome: unknown;
}

async function ask(
  script: (request: FakeRequest) => Reply,
  messages: ModelMessage[],
  options: WithPalimpsestOptions = {},
): Promise<Told> {
  const fake = await startFakeProvider({ script });
  const notices: Notice[] = [];
  const onNotice = (notice: Notice): void => void notices.push(notice);
  const model = wrapModel(
    anthropic.model(fake),
    { contextLength: 64_000, onNotice, ...options },
    { clock: { timers } },
  );
  const outcome = await generateText({ model, maxRetries: 0, messages }).then(
    ({ text }) => text,
    (error: unknown) => error,
  );
  await fake.close();
  return { notices, fake, outcome };
}

describe('a guessed window', () => {
  const refusing = (window: number) => within(window, bedrock.error, () => ({ text: 'Good.' }));

  test('O3 is told, with what to do', async () => {
    const { notices } = await ask(refusing(20_000), talk(100));
    const told = notices.filter(({ type }) => type === 'window');
    assert.ok(told.length >= 1);
    for (const { message } of told) assert.match(message, /refused about \d+ tokens.*\d+ are assumed.*contextLength/);
  });

  test('O3 is not there after a restart', async (t) => {
    const store = join(await newFolder(t), 'store.db');
    const first = await ask(refusing(20_000), talk(100), { store });
    assert.equal(first.outcome, 'Good.');
    const kept = await openStore({ path: store });
    assert.equal(await kept.meta.get('context_length:anthropic/claude-sonnet-4-5'), undefined);
    await kept.close();
  });

  test('O3 gives way to one that the provider names later', async (t) => {
    const store = join(await newFolder(t), 'store.db');
    const named = 'prompt is too long: 41000 tokens > 40000 maximum';
    const answers: Reply[] = [{ error: bedrock.error }, { error: { status: 400, message: named } }];
    const { outcome } = await ask(() => answers.shift() ?? { text: 'Good.' }, talk(80), { store });
    assert.equal(outcome, 'Good.');
    const kept = await openStore({ path: store });
    assert.equal(await kept.meta.get('context_length:anthropic/claude-sonnet-4-5'), '40000');
    await kept.close();
  });

  test('O2 that is too low for the newest message refuses nothing by itself: the provider says what it takes', async () => {
    const huge: ModelMessage = { role: 'user', content: 'a long remark '.repeat(11_000) };
    const own = conversationTokens(
      [{ role: 'user', parts: [{ type: 'text', text: String(huge.content) }] }],
      tokenizer,
    );
    const { outcome } = await ask(refusing(own + 6_000), [...talk(40).slice(0, -1), huge], { contextLength: 128_000 });
    assert.equal(outcome, 'Good.');
  });

  test('O2 O3 whatever is refused, it ends: the error says what to do', async () => {
    const { fake, outcome } = await ask(() => ({ error: bedrock.error }), talk(100));
    assert.ok(fake.requests.length <= 4, `${fake.requests.length} requests`);
    assert.match(adviceFor(outcome) ?? String(outcome), /\/compress.*\/new|\/new.*\/compress/);
    assert.match(adviceFor(outcome) ?? String(outcome), /contextLength/);
  });

  test('O1 a refusal that says nothing at all leaves the window as it is', async () => {
    const { notices, fake } = await ask(() => ({ error: { status: 400, message: 'Error' } }), talk(100));
    assert.ok(fake.requests.length > 1);
    assert.deepEqual(
      notices.filter(({ type }) => type === 'window'),
      [],
    );
  });
});
