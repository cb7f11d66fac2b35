/** Prompt-cache breakpoints as they arrive at a provider. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type WithPalimpsestOptions, withPalimpsest } from '@palimpsest/core/ai-sdk';
import type { JsonValue } from '@palimpsest/core/engine';
import { type FakeProvider, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, type ModelMessage } from 'ai';
import { steps } from './prompts.ts';
import { anthropic, chat, compatible, openRouter, type Provider, responses } from './providers.ts';
import { type Prompt, recorder } from './recorder.ts';
import { worker, workTools } from './worker.ts';

/** Where marks stand in a body, as paths, and what they say. */
function marksIn(value: JsonValue | undefined, path = ''): readonly (readonly [path: string, mark: JsonValue])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]): readonly (readonly [string, JsonValue])[] =>
    key === 'cache_control' ? [[path, inner]] : marksIn(inner, `${path}.${key}`),
  );
}

const messages: ModelMessage[] = [
  { role: 'user', content: 'One?' },
  { role: 'assistant', content: 'One.' },
  { role: 'user', content: 'Two?' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Two, ' },
      { type: 'text', text: 'as I said.' },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Three?' },
      { type: 'text', text: 'Or four?' },
    ],
  },
];

const openRouterCompatible: Provider = {
  name: 'OpenRouter over @ai-sdk/openai-compatible',
  dialect: 'openai-chat',
  model: (fake) =>
    createOpenAICompatible({ name: 'openrouter', baseURL: fake.baseUrl('openai-chat') }).chatModel(
      'anthropic/claude-sonnet-4.5',
    ),
};

async function sentWith(
  provider: Provider,
  options: WithPalimpsestOptions = {},
  list = messages,
): Promise<FakeProvider['requests'][number]['body']> {
  await using fake = await startFakeProvider({ script: { text: 'Good.' } });
  const model = withPalimpsest(provider.model(fake), options);
  await generateText({ model, maxRetries: 0, system: 'Be brief.', messages: list });
  const [request] = fake.requests;
  assert.equal(request?.status, 200);
  return request.body;
}

const fiveMinutes = { type: 'ephemeral' } as const;
const oneHour = { type: 'ephemeral', ttl: '1h' } as const;

describe('Claude over Anthropic', () => {
  test('C1 has marks on the system prompt and on the last three messages', async () => {
    assert.deepEqual(marksIn(await sentWith(anthropic)), [
      ['.system.0', fiveMinutes],
      ['.messages.2.content.0', fiveMinutes],
      ['.messages.3.content.1', fiveMinutes],
      ['.messages.4.content.1', fiveMinutes],
    ]);
  });

  test('C2 says how long they hold, and has none when they are turned off', async () => {
    const marks = marksIn(await sentWith(anthropic, { cache: { ttl: '1h' } }));
    assert.deepEqual(
      new Set(marks.map(([, mark]) => JSON.stringify(mark))),
      new Set(['{"type":"ephemeral","ttl":"1h"}']),
    );
    assert.deepEqual(marksIn(await sentWith(anthropic, { cache: 'off' })), []);
  });

  test('C1 stand where the turns end, where that is asked for', async () => {
    const paths = marksIn(await sentWith(anthropic, { cache: { layout: 'turns' } })).map(([path]) => path);
    assert.deepEqual(paths, ['.system.0', '.messages.2.content.0', '.messages.4.content.1']);
  });

  test('C1 counts the marks of the program, and never has more than four', async () => {
    const own = { anthropic: { cacheControl: oneHour } } as const;
    const [first, second, ...rest] = messages;
    assert.ok(first && second);
    const list: ModelMessage[] = [{ ...first, providerOptions: own }, { ...second, providerOptions: own }, ...rest];
    assert.deepEqual(marksIn(await sentWith(anthropic, {}, list)), [
      // In front of an hour nothing may hold for less.
      ['.system.0', oneHour],
      ['.messages.0.content.0', oneHour],
      ['.messages.1.content.0', oneHour],
      ['.messages.4.content.1', fiveMinutes],
    ]);
    const all = messages.map((message): ModelMessage => ({ ...message, providerOptions: own }));
    const marked = marksIn(await sentWith(anthropic, {}, all.toSpliced(3, 1)));
    assert.deepEqual(
      marked.map(([, mark]) => mark),
      [own, own, own, own].map(({ anthropic: { cacheControl } }) => cacheControl),
    );
  });

  test('C1 holds behind five minutes of the program no longer than they do', async () => {
    const [first, ...rest] = messages;
    assert.ok(first);
    const list: ModelMessage[] = [{ ...first, providerOptions: { anthropic: { cacheControl: fiveMinutes } } }, ...rest];
    assert.deepEqual(marksIn(await sentWith(anthropic, { cache: { ttl: '1h' } }, list)), [
      ['.system.0', oneHour],
      ['.messages.0.content.0', fiveMinutes],
      ['.messages.3.content.1', fiveMinutes],
      ['.messages.4.content.1', fiveMinutes],
    ]);
  });

  for (const [how, cacheControl, ttl] of [
    ['five minutes', fiveMinutes, '1h'],
    ['an hour', oneHour, '5m'],
  ] as const) {
    test(`C1 leaves room for the mark of ${how} that the program asks for with the call`, async () => {
      await using fake = await startFakeProvider({ script: { text: 'Good.' } });
      const model = withPalimpsest(anthropic.model(fake), { cache: { ttl } });
      const providerOptions = { anthropic: { cacheControl } };
      await generateText({ model, maxRetries: 0, system: 'Be brief.', messages, providerOptions });
      const [request] = fake.requests;
      assert.equal(request?.status, 200);
      assert.deepEqual(marksIn(request.body), [
        ['', cacheControl],
        ['.system.0', oneHour],
        ['.messages.2.content.0', oneHour],
        ['.messages.3.content.1', oneHour],
      ]);
    });
  }

  test('C1 stand on results of tools, and C3 what was sent stays a prefix until a compression', async () => {
    const plan = { steps: 45, askEvery: 1_000, askBack: 1_000, hugeEvery: 1_000 };
    await using fake = await startFakeProvider({ contextLength: 32_000, script: worker(plan, []) });
    const model = withPalimpsest(anthropic.model(fake), { contextLength: 32_000 });
    await generateText({
      model,
      maxRetries: 0,
      stopWhen: isStepCount(plan.steps),
      system: 'You visit depots.',
      prompt: 'Visit all.',
      tools: workTools(plan),
    });
    let rewrites = 0;
    let systems = 0;
    for (const [at, { body }] of fake.requests.entries()) {
      const marks = marksIn(body);
      assert.ok(marks.length <= 4);
      if (at > 3)
        assert.ok(marks.some(([path]) => path.startsWith(`.messages.${(body.messages as unknown[]).length - 1}`)));
      const before = textsOf(fake.requests[at - 1]);
      const now = textsOf(fake.requests[at]);
      if (!before.every((text, i) => text === now[i])) rewrites++;
      // The first compression adds a note behind it: what was marked ends where it did.
      const system = body.system as { readonly text: string }[];
      assert.equal(system[0]?.text, 'You visit depots.');
      systems = system.length;
    }
    assert.ok(rewrites >= 1 && rewrites <= 6, `expected a few rewrites of the prefix, got ${rewrites}`);
    assert.equal(systems, 2);
  });
});

/** The messages of a request without their marks, the system prompt first. */
const textsOf = (request: FakeProvider['requests'][number] | undefined): readonly string[] =>
  (request?.messages ?? []).map(({ role, parts }) => role + JSON.stringify(parts.map(({ extra: _, ...part }) => part)));

// Between them they write answers and results of tools on other places of the wire.
for (const { provider, part } of [
  { provider: openRouterCompatible, part: '.content.0' },
  { provider: openRouter, part: '' },
]) {
  describe(`Claude over ${provider.name}`, () => {
    test('C1 has a mark on the system prompt and on the last three messages, and says the same with it', async () => {
      const body = await sentWith(provider);
      assert.deepEqual(marksIn(body), [
        ['.messages.0.content.0', fiveMinutes],
        ['.messages.3.content.0', fiveMinutes],
        [`.messages.4${part}`, fiveMinutes],
        ['.messages.5.content.1', fiveMinutes],
      ]);
      const plain = await sentWith(provider, { cache: 'off' });
      assert.deepEqual(marksIn(plain), []);
      assert.equal(flat(body), flat(plain));
    });

    test('C1 stand on results of tools too', async () => {
      await using fake = await startFakeProvider({ script: { text: 'Good.' } });
      const model = withPalimpsest(provider.model(fake));
      await model.doGenerate({
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'Look.' }] }, ...steps(2, 100)],
      });
      const paths = marksIn(fake.requests[0]?.body).map(([path]) => path);
      assert.deepEqual(paths, ['.messages.0.content.0', `.messages.2${part}`, `.messages.4${part}`]);
    });
  });
}

/** A body without its marks, a lone text as the one part that it is. */
const flat = (body: FakeProvider['requests'][number]['body']): string =>
  JSON.stringify(body)
    .replaceAll(',"cache_control":{"type":"ephemeral"}', '')
    .replaceAll(/"content":\[\{"type":"text","text":("[^"]*")\}\]/g, '"content":$1');

for (const provider of [chat, responses, compatible]) {
  test(`C2 there are no marks over ${provider.name}`, async () => {
    assert.deepEqual(marksIn(await sentWith(provider)), []);
  });
}

test('C1 the prompt of the program is not changed', async () => {
  const { model } = recorder([], 'anthropic.messages', 'claude-sonnet-4-5');
  const prompt: Prompt = [{ role: 'user', content: [{ type: 'text', text: 'Look.' }] }, ...steps(3, 100)];
  const before = structuredClone(prompt);
  await withPalimpsest(model).doGenerate({ prompt: deepFrozen(prompt) });
  assert.deepEqual(prompt, before);
});

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) deepFrozen(inner);
  return Object.freeze(value);
}
