/** Tools of a program's own engine: a model of the SDK is offered them beside ours, and the engine that follows it answers. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Message } from '@palimpsest/core';
import { type Notice, stop, tools, type WithPalimpsestOptions, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { type ContextEngine, defineEngine, type EngineParts } from '@palimpsest/core/engine';
import { groupsOf } from '@palimpsest/core/formats';
import { openStore } from '@palimpsest/core/store';
import { type FakeRequest, type Reply, type ReplyCall, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, type ModelMessage, type ToolSet } from 'ai';
import { chooseEngine, createPluginRegistry } from 'palimpsest';
import { readableText } from '../../packages/core/src/transcript/text.ts';
import { anthropic, providers } from './providers.ts';
import { recorder } from './recorder.ts';

const parameters = { type: 'object', properties: { row: { type: 'integer' } }, required: ['row'] };
const described = (name: string, description = 'Looks a row up.') => ({ name, description, parameters });

type Parts = Partial<EngineParts<Message>>;

/** An engine with a tool, which keeps the newest groups where it compresses. */
const engineWith = (parts: Parts = {}): ContextEngine<Message> =>
  defineEngine<Message>({
    name: 'notebook',
    threshold: 0.5,
    compress: async (messages) => {
      const start = groupsOf(messages).at(-4)?.start ?? 0;
      const fewer = messages.filter(({ role }, at) => role === 'system' || at === 0 || at >= start);
      return fewer.length < messages.length ? fewer : messages;
    },
    toolSchemas: () => [described('look_up')],
    handleToolCall: async (name, args, messages) => JSON.stringify({ name, args, messages: messages.length }),
    ...parts,
  });

/** Makes these calls, one a step. */
const caller =
  (...calls: ReplyCall[]): ((request: FakeRequest) => Reply) =>
  () => {
    const call = calls.shift();
    return call ? { toolCalls: [call] } : { text: 'Done.' };
  };

/** What a model is answered that calls a tool of the engine. */
async function answersTo(
  calls: readonly ReplyCall[],
  options: WithPalimpsestOptions,
): Promise<{ readonly answers: readonly string[]; readonly notices: readonly Notice[]; readonly text: string }> {
  await using fake = await startFakeProvider({ script: caller(...calls) });
  const notices: Notice[] = [];
  await using model = withPalimpsest(anthropic.model(fake), { ...options, onNotice: (notice) => notices.push(notice) });
  const { text } = await generateText({
    model,
    maxRetries: 0,
    stopWhen: isStepCount(9),
    prompt: 'Look.',
    tools: tools(model),
  });
  const { messages = [] } = fake.requests.at(-1) ?? {};
  const answers = messages.filter((message) => message.parts.some(({ type }) => type === 'toolResult'));
  return { answers: answers.map(readableText), notices, text };
}

const call: ReplyCall = { name: 'look_up', input: { row: 7 } };

for (const provider of providers) {
  test(`E2 stand beside ours in a request, and their answer in the next one, over ${provider.name}`, async () => {
    await using fake = await startFakeProvider({ script: caller(call) });
    await using model = withPalimpsest(provider.model(fake), { engine: () => engineWith() });
    await generateText({
      model,
      maxRetries: 0,
      stopWhen: isStepCount(9),
      prompt: 'Look.',
      tools: tools(model),
    });
    const [first, second] = fake.requests;
    for (const name of ['session_search', 'expand', 'read_output', 'search_output', 'look_up']) {
      assert.ok(JSON.stringify(first?.body.tools).includes(`"${name}"`), name);
    }
    assert.match(JSON.stringify(first?.body.tools), /Looks a row up\..*"row"/);
    assert.deepEqual(JSON.parse(readableText(second?.messages.at(-1) ?? assert.fail())), {
      name: 'look_up',
      args: { row: 7 },
      messages: 2,
    });
  });
}

describe('the tools of an engine', () => {
  test('E2 are answered by the engine of their conversation, also behind a compression, with the context it made', async () => {
    const made: string[] = [];
    const engine = (sessionId: string): ContextEngine<Message> => {
      made.push(sessionId);
      const answer: Parts['handleToolCall'] = async (_, __, messages) => JSON.stringify([sessionId, messages.length]);
      return engineWith({ handleToolCall: answer });
    };
    await using store = await openStore({ path: ':memory:' });
    const rows = 'row after row '.repeat(120);
    await using fake = await startFakeProvider({
      script: ({ messages }) => {
        const isAnswered = messages.at(-1)?.role !== 'user' || messages.at(-1)?.parts[0]?.type === 'toolResult';
        return isAnswered ? { text: rows } : { toolCalls: [call] };
      },
    });
    await using model = withPalimpsest(anthropic.model(fake), { store, engine, contextLength: 6_000 });
    const talk = async (words: string): Promise<readonly (readonly [id: string, size: number])[]> => {
      const messages: ModelMessage[] = [];
      const results: (readonly [string, number])[] = [];
      for (let turn = 0; turn < 8; turn++) {
        messages.push({ role: 'user', content: `${words} ${turn}. ${rows}` });
        const { responseMessages, steps } = await generateText({
          model,
          maxRetries: 0,
          stopWhen: isStepCount(3),
          tools: tools(model),
          messages: [...messages],
        });
        results.push(
          ...steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => JSON.parse(String(output)))),
        );
        messages.push(...responseMessages);
      }
      return results;
    };
    const both = await Promise.all([talk('North'), talk('South')]);
    for (const results of both) {
      const ids = results.map(([id]) => id);
      assert.equal(ids.length, 8);
      assert.deepEqual(new Set(ids), new Set(ids.slice(0, 1)));
      assert.ok(made.includes(ids[0] ?? ''));
      const sizes = results.map(([, size]) => size);
      assert.ok(Math.max(...sizes) < 16, `expected the context that was made smaller, got ${sizes}`);
    }
    assert.notEqual(both[0]?.[0]?.[0], both[1]?.[0]?.[0]);
    const chains = await store.sessions.list();
    assert.ok(chains.some(({ sessions }) => sessions > 1));
  });

  test('E2 keep out of the way of ours and of each other, and it is said which is offered', async () => {
    const notices: Notice[] = [];
    const offered = [described('expand', 'Mine.'), described('look_up', 'First.'), described('look_up', 'Second.')];
    const schemas = [...offered, JSON.parse('null'), { ...described('a b') }, described('__proto__', 'Odd.')];
    const options = {
      engine: () => engineWith({ toolSchemas: () => schemas }),
      onNotice: (one: Notice) => notices.push(one),
    };
    const wrapped = withPalimpsest(recorder().model, options);
    const all: ToolSet = { ...tools(wrapped), ...tools(wrapped) };
    assert.deepEqual(Object.keys(all).slice(4), ['look_up', '__proto__']);
    assert.equal(all.look_up?.description, 'First.');
    assert.notEqual(all.expand?.description, 'Mine.');
    // Once, however often the tools are asked for.
    assert.deepEqual(
      notices.map(({ message }) => message.replace(/;.*|:.*/, '')),
      [
        'The context engine "notebook" offers a tool "expand", which is the name of a Palimpsest tool',
        'The context engine "notebook" offers a tool "look_up" twice',
        'The context engine "notebook" offers a tool "undefined" that is not valid',
        'The context engine "notebook" offers a tool "a b" that is not valid',
      ],
    );
  });

  const broken: readonly (readonly [string, Parts, RegExp])[] = [
    ['throws', { handleToolCall: () => assert.fail('no rows AKIAIOSFODNN7EXAMPLE') }, /failed: no rows \[/],
    ['rejects with nothing', { handleToolCall: () => Promise.reject(undefined) }, /failed: it threw undefined/],
    [
      'gives back no text',
      { handleToolCall: async () => JSON.parse('{"rows":7}') },
      /failed: its answer is not a text/,
    ],
    [
      'does not know it',
      { handleToolCall: async (name) => JSON.stringify({ error: `no tool ${name}` }) },
      /no tool look_up/,
    ],
  ];
  for (const [what, parts, error] of broken) {
    test(`E2 give an error in JSON where the engine ${what}, and the loop goes on`, async () => {
      const { answers, notices, text } = await answersTo([call], { engine: () => engineWith(parts) });
      assert.equal(text, 'Done.');
      const [answer = ''] = answers;
      assert.match(JSON.parse(answer).error, error);
      assert.doesNotMatch(JSON.stringify([answer, notices]), /AKIA/);
      const isOwnError = what === 'does not know it';
      assert.deepEqual(
        notices.map(({ type, message }) => [type, /engine "notebook" failed in its tool look_up/.test(message)]),
        isOwnError ? [] : [['hook', true]],
      );
    });
  }

  test('E2 called by hand for a conversation that nobody knows, or with no arguments, are not asked', async () => {
    const handleToolCall = (): Promise<string> => assert.fail('it was asked');
    const engine = (): ContextEngine<Message> => engineWith({ handleToolCall });
    const { model, calls } = recorder([
      [{ type: 'tool-call', toolCallId: 'call_0123456789abcdef', toolName: 'look_up', input: '[7]' }],
    ]);
    const wrapped = withPalimpsest(model, { engine });
    const own: ToolSet = tools(wrapped);
    const { execute = assert.fail } = own.look_up ?? {};
    const unknown = { toolCallId: 'call_fedcba9876543210', messages: [], context: {} };
    assert.match(JSON.parse(String(await execute({ row: 1 }, unknown))).error, /not known which conversation/);
    await generateText({ model: wrapped, maxRetries: 0, stopWhen: isStepCount(2), prompt: 'Look.', tools: own });
    assert.match(JSON.stringify(calls[1]?.prompt.at(-1)), /takes an object of arguments/);
  });

  test('E2 end at once when nobody waits for them any more', async () => {
    const controller = new AbortController();
    const handleToolCall = (): Promise<string> => {
      controller.abort(new Error('no time'));
      return new Promise(() => undefined);
    };
    await using fake = await startFakeProvider({ script: caller(call) });
    await using model = withPalimpsest(anthropic.model(fake), { engine: () => engineWith({ handleToolCall }) });
    const { signal: abortSignal } = controller;
    const stopped = generateText({
      model,
      maxRetries: 0,
      stopWhen: isStepCount(9),
      prompt: 'Look.',
      abortSignal,
      tools: tools(model),
    });
    await assert.rejects(stopped, /no time/);
    assert.equal(fake.requests.length, 1);
  });

  test('E2 of an engine that cannot be made are none, ours stay, and they come as soon as it can', () => {
    const notices: Notice[] = [];
    let isBroken = true;
    const engine = (): ContextEngine<Message> => (isBroken ? assert.fail('no licence') : engineWith());
    const wrapped = withPalimpsest(recorder().model, { engine, onNotice: (notice) => notices.push(notice) });
    assert.equal(Object.keys(tools(wrapped)).length, 4);
    assert.match(notices[0]?.message ?? '', /^The context engine failed in toolSchemas \(no licence\)/);
    isBroken = false;
    assert.equal(Object.keys(tools(wrapped)).length, 5);
  });

  test('E2 of a plugin are offered and guarded as it is, also once its model was stopped', async () => {
    const registry = createPluginRegistry();
    const handleToolCall: Parts['handleToolCall'] = async (_, { row }) =>
      row === 7 ? assert.fail('no row 7') : '{"crates":17}';
    registry.registerContextEngine({ name: 'notebook', create: () => engineWith({ handleToolCall }) });
    const { engine = assert.fail() } = await chooseEngine({ name: 'notebook', registry });
    const { answers } = await answersTo([call, { name: 'look_up', input: { row: 8 } }], { engine });
    assert.deepEqual(
      answers.map((answer) => JSON.parse(answer)),
      [{ error: 'The tool "look_up" failed: no row 7.' }, { crates: 17 }],
    );
    await using fake = await startFakeProvider({ script: caller({ name: 'look_up', input: { row: 8 } }) });
    const model = withPalimpsest(anthropic.model(fake), { engine });
    const own = tools(model);
    await stop(model);
    await generateText({ model, maxRetries: 0, stopWhen: isStepCount(3), prompt: 'Look.', tools: own });
    assert.match(readableText(fake.requests.at(-1)?.messages.at(-1) ?? assert.fail()), /"crates":17/);
    await stop(model);
  });
});
