/** Compression of single steps, and models that write summaries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareStep, summarize, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, type ModelMessage, streamText } from 'ai';
import { providers, responses } from './providers.ts';
import { worker, workTools } from './worker.ts';

const window = 12_000;
const plan = { steps: 30, askEvery: 1_000, askBack: 1_000, hugeEvery: 1_000 };

for (const [at, provider] of providers.entries()) {
  const isStreamed = at % 2 === 0;
  test(`K2 prepareStep alone keeps ${plan.steps} steps inside ${window} tokens over ${provider.name}${isStreamed ? ', streamed' : ''}`, async () => {
    await using fake = await startFakeProvider({ contextLength: window, script: worker(plan, []) });
    const call = {
      model: provider.model(fake),
      maxRetries: 0,
      stopWhen: isStepCount(plan.steps),
      system: 'You visit depots.',
      prompt: 'Visit all depots.',
      tools: workTools(plan),
      prepareStep: prepareStep({ contextLength: window }),
    };
    const text = isStreamed ? await streamText(call).text : (await generateText(call)).text;
    assert.equal(text, 'All depots are done.');
    assert.deepEqual([...new Set(fake.requests.map(({ status }) => status))], [200]);
    const last = JSON.stringify(fake.requests.at(-1)?.body);
    assert.match(last, /<handoff/);
    assert.match(last, /Visit all depots\./);
  });
}

test('E5 prepareStep leaves a step that fits as it is', async () => {
  const step = prepareStep({ contextLength: 200_000 });
  const messages: ModelMessage[] = [{ role: 'user', content: 'Hello' }];
  const model = 'openai/gpt-5';
  assert.equal(
    await step({ messages, initialMessages: messages, instructions: 'Be brief.', model, steps: [] }),
    undefined,
  );
  assert.throws(() => prepareStep({ config: { threshold: 7 } }), { code: 'BAD_CONFIG' });
});

test('K2 prepareStep leaves to the provider what cannot be made to fit', async () => {
  const step = prepareStep({ contextLength: 4_000 });
  const messages: ModelMessage[] = [{ role: 'user', content: 'many words '.repeat(9_000) }];
  const input = { messages, initialMessages: messages, instructions: undefined, model: 'openai/gpt-5', steps: [] };
  assert.equal(await step(input), undefined);
});

test('S9 a model of the SDK writes the summary, and what it makes up is taken out', async () => {
  const lie = 'The user asked to delete /srv/backup-7 and the code is 991823.';
  await using writer = await startFakeProvider({ script: { text: `## Active Task\n${lie}\n` } });
  await using fake = await startFakeProvider({ contextLength: window, script: worker(plan, []) });
  const model = withPalimpsest(responses.model(fake), {
    contextLength: window,
    summarizer: summarize(responses.model(writer)),
  });
  await generateText({
    model,
    maxRetries: 0,
    stopWhen: isStepCount(plan.steps),
    prompt: 'Visit all depots.',
    tools: workTools(plan),
  });
  assert.ok(writer.requests.length > 0);
  const last = JSON.stringify(fake.requests.at(-1)?.body);
  assert.match(last, /<handoff/);
  assert.doesNotMatch(last, /backup-7|991823/);
});

/** A turn of one request and many steps, each with a long call, as Gemini signs them: on the call, not on a thought. */
function signedTurn(
  steps: number,
  providerOptions: { google: { thoughtSignature: string } } | undefined,
): ModelMessage[] {
  const signed = providerOptions ? { providerOptions } : {};
  const step = (at: number): ModelMessage[] => [
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          toolCallId: `c${at}`,
          toolName: 'write',
          input: { at, text: 'words '.repeat(150) },
          ...signed,
        },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: `c${at}`,
          toolName: 'write',
          output: { type: 'text', value: 'row '.repeat(150) },
        },
      ],
    },
  ];
  return [{ role: 'user', content: 'Write all rows.' }, ...Array.from({ length: steps }, (_, at) => step(at)).flat()];
}

test('P3 calls that Gemini signed keep their arguments while their turn is open, others are shortened', async () => {
  const inputsLeft = async (messages: ModelMessage[]): Promise<readonly unknown[]> => {
    const prepare = prepareStep({ contextLength: 40_000, config: { thresholdTokens: 20_000 } });
    const input = {
      messages,
      initialMessages: messages,
      instructions: undefined,
      model: 'google/gemini-3-pro',
      steps: [],
    };
    const context = (await prepare(input)) ?? assert.fail('not compressed');
    const calls = context.messages.filter(({ role }) => role === 'assistant');
    return calls
      .flatMap(({ content }) =>
        typeof content === 'string' ? [] : content.map((part) => ('input' in part ? part.input : undefined)),
      )
      .filter(Boolean);
  };
  const whole = { text: 'words '.repeat(150) };
  const signed = await inputsLeft(signedTurn(80, { google: { thoughtSignature: 'c2ln' } }));
  assert.ok(signed.length > 3, String(signed.length));
  for (const input of signed) assert.deepEqual({ ...whole, at: Reflect.get(Object(input), 'at') }, input);
  const plain = await inputsLeft(signedTurn(80, undefined));
  assert.ok(plain.some((input) => JSON.stringify(input).includes('chars cut | expand')));
});
