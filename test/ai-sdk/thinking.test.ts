/** Claude with a budget for thoughts, that thinks at the start of a turn only, in turns that are longer than its window. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Notice, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import {
  defaultSettingsMiddleware,
  generateText,
  isStepCount,
  type ModelMessage,
  streamText,
  wrapLanguageModel,
} from 'ai';
import { anthropic } from './providers.ts';
import { workTools } from './worker.ts';

const contextLength = 16_000;
const providerOptions = { anthropic: { thinking: { type: 'enabled', budgetTokens: 1_024 } } } as const;
const tools = workTools({ steps: 0, askEvery: 1_000, askBack: 1_000, hugeEvery: 1_000 });

const beginsTurn = ({ messages }: FakeRequest): boolean =>
  messages.at(-1)?.parts.every(({ type }) => type !== 'toolResult') === true;

/** Thinks once a turn, and visits sixty depots in it. */
function thinker(): (request: FakeRequest) => Reply {
  let visited = 0;
  return (request) => {
    visited++;
    const reasoning = beginsTurn(request) ? { reasoning: 'There are many depots.' } : {};
    if (visited % 60 === 0) return { ...reasoning, text: 'All are visited.' };
    return { ...reasoning, text: `Now ${visited}.`, toolCalls: [{ name: 'visit', input: { depot: visited } }] };
  };
}

const isThinking = ({ body }: FakeRequest): boolean => JSON.stringify(body.thinking ?? '').includes('enabled');

for (const isStreamed of [false, true]) {
  for (const [who, refused] of [
    ['the program asks for', 0],
    ['middleware behind asks for, unseen,', 2],
  ] as const) {
    test(`A4 thoughts that ${who} cost no call where the turn's own were compressed away${isStreamed ? ', streamed' : ''}`, async () => {
      await using fake = await startFakeProvider({ contextLength, script: thinker() });
      const settings = { providerOptions };
      const inner =
        refused === 0
          ? anthropic.model(fake)
          : wrapLanguageModel({ model: anthropic.model(fake), middleware: defaultSettingsMiddleware({ settings }) });
      const notices: Notice[] = [];
      const model = withPalimpsest(inner, { contextLength, onNotice: (notice) => notices.push(notice) });
      const messages: ModelMessage[] = [];
      for (const content of ['Visit sixty.', 'And sixty more.']) {
        messages.push({ role: 'user', content });
        const call = { model, messages, tools, maxRetries: 0, maxOutputTokens: 3_000, stopWhen: isStepCount(70) };
        const whole = refused === 0 ? { ...call, providerOptions } : call;
        const result = isStreamed ? streamText(whole) : await generateText(whole);
        messages.push(...(await result.responseMessages));
        assert.equal(await result.text, 'All are visited.');
      }
      assert.ok(notices.some(({ type }) => type === 'compressed'));
      assert.deepEqual(
        notices.filter(({ type }) => type === 'bypassed' || type === 'gave_up'),
        [],
      );
      // A turn that begins may think.
      const begun = fake.requests.filter(beginsTurn);
      assert.ok(begun.length >= 2 && begun.every(isThinking));
      // So does one whose opening thought is at hand; what nobody sees is only known by its refusal.
      assert.equal(
        fake.requests.some((request) => !isThinking(request)),
        refused > 0,
      );
      const no = fake.requests.filter(({ status }) => status === 400).length;
      assert.ok(refused === 0 ? no === 0 : no >= refused);
    });
  }
}

/** A turn of two hundred steps that thinks now and then, and the tokens of its first thought. */
async function longTurn(thinks: 'at first' | 'every third step', thought: string): Promise<readonly FakeRequest[]> {
  let step = 0;
  const script = (request: FakeRequest): Reply => {
    step++;
    const mayThink = isThinking(request) && (beginsTurn(request) || (thinks === 'every third step' && step % 3 === 0));
    const reasoning = mayThink ? { reasoning: beginsTurn(request) ? thought : `Next is ${step}.` } : {};
    if (step === 200) return { ...reasoning, text: 'All are visited.' };
    return { ...reasoning, text: `Now ${step}.`, toolCalls: [{ name: 'visit', input: { depot: step } }] };
  };
  await using fake = await startFakeProvider({ contextLength, script });
  const model = withPalimpsest(anthropic.model(fake), { contextLength });
  const { text } = await generateText({
    model,
    tools,
    providerOptions,
    prompt: 'Visit two hundred.',
    maxRetries: 0,
    maxOutputTokens: 3_000,
    stopWhen: isStepCount(210),
  });
  assert.equal(text, 'All are visited.');
  assert.deepEqual(new Set(fake.requests.map(({ status }) => status)), new Set([200]));
  return fake.requests;
}

for (const thinks of ['at first', 'every third step'] as const) {
  test(`A4 a turn of 200 steps that thinks ${thinks} asks for thoughts in all of them`, async () => {
    const requests = await longTurn(thinks, 'There are many depots; I visit them in turn.');
    assert.equal(requests.filter((request) => !isThinking(request)).length, 0);
    // What the turn has begun with stands right behind its request, without what its call gave back.
    const opened = requests.filter(({ messages }) =>
      JSON.stringify(messages).includes('the summary above tells what came'),
    );
    assert.ok(opened.length > 100);
    for (const { messages } of opened) {
      const at = messages.findIndex(({ role }) => role === 'assistant');
      assert.equal(messages[at]?.parts[0]?.type, 'reasoning');
      assert.match(JSON.stringify(messages[at]), /I visit them in turn/);
    }
  });
}

test('A4 an opening thought that is too long for the window is left out, and the turn goes on without thinking', async () => {
  const requests = await longTurn('at first', 'There are many depots; I think about each of them. '.repeat(200));
  assert.ok(requests.some((request) => !isThinking(request)));
});
