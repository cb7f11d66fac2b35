/** Tools that wait behind a search, through the loop of the SDK and over real HTTP. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PalimpsestError } from '@palimpsest/core';
import { deferTools, tools as palimpsestTools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, streamText, type Tool, type ToolSet } from 'ai';
import { anthropic, providers } from './providers.ts';

const city = jsonSchema<{ readonly city: string; readonly days?: number }>({
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
  additionalProperties: false,
});

const weather: Tool<{ readonly city: string; readonly days?: number }, string> = {
  description: 'Tells the weather of the next days in a city, with temperatures and the probability of rain.',
  inputSchema: city,
  execute: ({ city: name }) => `It rains in ${name}.`,
};

/** So many that they do not fit. */
const services: ToolSet = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => [
    `service_${at}`,
    {
      description: `Does number ${at} of what the service can do, and tells in a few words what came of it.`,
      inputSchema: jsonSchema<Readonly<Record<string, unknown>>>({ type: 'object', properties: {} }),
      execute: () => `Did ${at}.`,
    } satisfies Tool<Readonly<Record<string, unknown>>, string>,
  ]),
);

const mine: ToolSet = { ...services, weather };
const small = { contextLength: 8_000, share: 0.05 } as const;
const calling = (name: string, input: Exclude<Reply['toolCalls'], undefined>[number]['input']): Reply => ({
  toolCalls: [{ name, input }],
});

/** The definitions and the last result of a request, as they went over the wire. */
const toolsOf = ({ body }: FakeRequest): string => JSON.stringify(body.tools);
const told = ({ body }: FakeRequest): string => JSON.stringify(body.messages ?? body.input);

for (const provider of providers) {
  test(`Y3 a deferred tool is found, called and answered, while the definitions stay the same, over ${provider.name}`, async () => {
    await using fake = await startFakeProvider();
    fake.reply(
      calling('find_tools', { query: 'will it rain' }),
      calling('call_tool', { name: 'weather', arguments: { city: 'Bern' } }),
      { text: 'Take an umbrella.' },
    );
    const { tools, plan } = await deferTools(mine, small);
    assert.ok(plan.deferred.includes('weather'));
    const result = await generateText({
      model: provider.model(fake),
      maxRetries: 0,
      prompt: 'Will it rain in Bern?',
      tools,
      stopWhen: isStepCount(5),
    });
    assert.equal(result.text, 'Take an umbrella.');
    const [first, second, third] = fake.requests;
    assert.ok(first && second && third);
    assert.equal(toolsOf(second), toolsOf(first));
    assert.equal(toolsOf(third), toolsOf(first));
    assert.ok(!toolsOf(first).includes('probability of rain'));
    assert.match(told(second), /probability of rain/);
    assert.match(told(third), /It rains in Bern\./);
  });
}

describe('Y3 call_tool', () => {
  const run = async (input: unknown, more: ToolSet = {}): Promise<unknown> => {
    const { tools } = await deferTools({ ...mine, ...more }, small);
    const { call_tool: tool } = tools;
    return tool?.execute?.(input, { toolCallId: 'c1', messages: [], context: undefined });
  };
  const refused = (input: unknown, message: RegExp): Promise<void> =>
    assert.rejects(
      async () => run(input),
      (error) => PalimpsestError.isInstance(error) && message.test(error.message),
    );

  test('Y3 names the nearest tool for a name that there is none of', async () => {
    await refused({ name: 'wether', arguments: {} }, /got "wether": did you mean weather\?/);
    await refused({ arguments: {} }, /expected the name of a tool/);
    await refused('weather', /expected the name of a tool/);
  });

  test('Y3 checks the arguments, and says what the tool takes', async () => {
    await refused({ name: 'weather', arguments: {} }, /city is missing\. It takes \{"type":"object"/);
    await refused({ name: 'weather', arguments: { city: 3 } }, /expected city to be string, got 3/);
    await refused(
      { name: 'weather', arguments: { city: 'Bern', day: 2 } },
      /day is not a known key; did you mean "days"/,
    );
    await refused({ name: 'weather', arguments: ['Bern'] }, /expected an object/);
  });

  test('Y3 takes arguments that a model has written as text', async () => {
    assert.equal(await run({ name: 'weather', arguments: '{"city":"Thun"}' }), 'It rains in Thun.');
  });

  test('Y3 uses the check that a tool brings, and gives the tool what came of it', async () => {
    const inputSchema = jsonSchema<{ readonly at: number }>(
      { type: 'object', properties: { at: { type: 'string' } } },
      {
        validate: async (value) => {
          const at = Number(Reflect.get(Object(value), 'at'));
          return Number.isNaN(at)
            ? { success: false, error: new Error('no number') }
            : { success: true, value: { at } };
        },
      },
    );
    const depot: Tool<{ readonly at: number }, number> = {
      description: 'Tells how many crates a depot has. '.repeat(5),
      inputSchema,
      execute: ({ at }) => at + 1,
    };
    assert.equal(await run({ name: 'depot', arguments: { at: '16' } }, { depot }), 17);
    await assert.rejects(async () => run({ name: 'depot', arguments: { at: 'x' } }, { depot }), /no number/);
  });

  test('Y3 hands on what the SDK hands to a tool, what it streams, and how it shows its output', async () => {
    const seen: unknown[] = [];
    const slow: Tool<Readonly<Record<string, unknown>>, string> = {
      description: 'Counts. '.repeat(20),
      inputSchema: jsonSchema<Readonly<Record<string, unknown>>>({ type: 'object' }),
      async *execute(_, { toolCallId, abortSignal }) {
        seen.push(toolCallId, abortSignal?.aborted);
        yield 'one';
        yield 'two';
      },
      toModelOutput: ({ output }) => ({ type: 'text', value: `counted: ${output}` }),
    };
    await using fake = await startFakeProvider();
    fake.reply(calling('call_tool', { name: 'slow', arguments: {} }), { text: 'Done.' });
    const { tools } = await deferTools({ ...mine, slow }, small);
    const result = streamText({
      model: anthropic.model(fake),
      maxRetries: 0,
      prompt: 'Count.',
      tools,
      abortSignal: new AbortController().signal,
      stopWhen: isStepCount(5),
    });
    const outputs: unknown[] = [];
    for await (const part of result.fullStream) if (part.type === 'tool-result') outputs.push(part.output);
    assert.deepEqual(outputs, ['one', 'two', 'two']);
    assert.equal(seen[1], false);
    assert.match(told(fake.requests[1] ?? assert.fail()), /counted: two/);
  });

  test('Y3 asks for approval where the tool does, and tells which tool it really is', async () => {
    const drop: Tool<{ readonly table: string }, string> = {
      description: 'Drops a table. '.repeat(10),
      inputSchema: jsonSchema<{ readonly table: string }>({
        type: 'object',
        properties: { table: { type: 'string' } },
      }),
      needsApproval: ({ table }) => table === 'users',
      execute: ({ table }) => `Dropped ${table}.`,
    };
    await using fake = await startFakeProvider();
    fake.reply(calling('call_tool', { name: 'drop', arguments: { table: 'users' } }));
    const { tools, realCall, plan } = await deferTools({ ...mine, drop }, small);
    const { content } = await generateText({ model: anthropic.model(fake), maxRetries: 0, prompt: 'Clean up.', tools });
    const asked = content.find(({ type }) => type === 'tool-approval-request');
    assert.ok(asked?.type === 'tool-approval-request');
    const real = realCall(asked.toolCall);
    assert.deepEqual([real.toolName, real.input, real.tool === drop], ['drop', { table: 'users' }, true]);
    assert.equal(plan.finder.resolve('drop')?.name, 'drop');
    const direct = realCall({ toolName: 'weather', input: { city: 'Bern' } });
    assert.deepEqual([direct.toolName, direct.tool], ['weather', weather]);
    assert.equal(realCall({ toolName: 'call_tool', input: { name: 'nope' } }).tool, undefined);
  });
});

describe('Y3 what is deferred', () => {
  test('Y3 is nothing in a window that has room', async () => {
    const { tools, plan } = await deferTools(mine, { contextLength: 200_000 });
    assert.deepEqual([Object.keys(tools), plan.deferred], [Object.keys(mine), []]);
  });

  test('Y3 is never a tool that the program runs itself, that needs a context, or that says each time what it does', async () => {
    const schema = jsonSchema<Readonly<Record<string, unknown>>>({ type: 'object' });
    const answered: Tool = { description: 'Asks the person.', inputSchema: schema };
    const withContext: Tool = { description: 'Reads.', inputSchema: schema, contextSchema: schema, execute: () => '' };
    const told: Tool = { description: () => 'Says.', inputSchema: schema, execute: () => '' };
    const { tools } = await deferTools({ ...mine, answered, withContext, told }, small);
    for (const name of ['answered', 'withContext', 'told']) assert.ok(name in tools, name);
  });

  test('Y3 may be a tool of Palimpsest, which still knows the conversation that calls it', async () => {
    await using fake = await startFakeProvider();
    fake.reply(calling('call_tool', { name: 'session_search', arguments: { query: 'zeppelin' } }), {
      text: 'Nothing.',
    });
    await using model = withPalimpsest(anthropic.model(fake), { cache: 'off' });
    const { tools, plan } = await deferTools({ ...mine, ...palimpsestTools(model) }, small);
    assert.ok(plan.deferred.includes('session_search'));
    const { text } = await generateText({
      model,
      maxRetries: 0,
      prompt: 'Find the zeppelin.',
      tools,
      stopWhen: isStepCount(3),
    });
    assert.equal(text, 'Nothing.');
    assert.doesNotMatch(told(fake.requests[1] ?? assert.fail()), /wrong|cannot be read/);
  });

  test('Y3 a tool of the program with the name of one of the two is an error', async () => {
    const taken = { ...mine, find_tools: weather } as ToolSet;
    await assert.rejects(deferTools(taken, small), /expected no tool called find_tools, got one/);
  });
});
