/** The tools answer for the conversation that calls them, whatever ids its provider gives to calls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnyModel, type RecallTools, storeOf, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { openStore } from '@palimpsest/core/store';
import { type FakeRequest, type Reply, type ReplyCall, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, type ModelMessage, streamText, type Tool } from 'ai';
import { createCallers } from '../../packages/core/src/ai-sdk/callers.ts';
import { compatible } from './providers.ts';

// The SDK warns of the older form of an image.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Nobody goes on before everybody is there, each time anew. */
function meeting(size: number): () => Promise<void> {
  let here = 0;
  let open = Promise.withResolvers<void>();
  return () => {
    const { promise, resolve } = open;
    if (++here % size === 0) {
      open = Promise.withResolvers<void>();
      resolve();
    }
    return promise;
  };
}

/** The tools of a model, run only when all conversations have called theirs. */
function togetherAt(wrapped: AnyModel, meet: () => Promise<void>): RecallTools {
  const late = (one: RecallTools['expand']): RecallTools['expand'] => ({
    ...one,
    execute: async (...given) => {
      await meet();
      return (await one.execute?.(...given)) as string; // of a tool that gives one text
    },
  });
  const { session_search, expand, read_output, search_output } = tools(wrapped);
  return {
    session_search: late(session_search),
    expand: late(expand),
    read_output: late(read_output),
    search_output: late(search_output),
  };
}

/** A provider that counts the calls of every answer from one. */
const counted =
  (...steps: readonly (readonly ReplyCall[])[]): ((request: FakeRequest) => Reply) =>
  ({ messages }) => {
    // Since the newest words of the person.
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const calls = steps[messages.slice(asked).filter(({ role }) => role === 'assistant').length];
    return calls ? { toolCalls: calls.map((call, at) => ({ id: `call_${at + 1}`, ...call })) } : { text: 'Done.' };
  };

const expand = (refs: string): ReplyCall => ({ name: 'expand', input: { refs } });

/** A conversation with a code in its second message. */
const history = (code: string, length = 3): ModelMessage[] => [
  { role: 'user', content: 'Guess my code.' },
  { role: 'assistant', content: `Is it ${code}?` },
  ...Array.from({ length }, (_, at): ModelMessage => ({ role: 'user', content: `Line ${at} is as it was.` })),
];

const outputsOf = (steps: readonly { readonly toolResults: readonly { readonly output: unknown }[] }[]) =>
  steps.map(({ toolResults }) => toolResults.map(({ output }) => String(output)));

for (const isStreamed of [false, true]) {
  const way = isStreamed ? 'streamed' : 'whole';
  test(`L1 conversations that differ in one message and count their calls alike get their own, side by side, ${way}`, async () => {
    const script = counted([expand('m2'), expand('m1-m2')], [expand('m2')]);
    await using fake = await startFakeProvider({ script });
    const codes = ['alpha', 'gamma', 'delta'];
    const model = withPalimpsest(compatible.model(fake));
    // Two calls in the first step, one in the second.
    const met = [meeting(2 * codes.length), meeting(codes.length)];
    const answers = await Promise.all(
      codes.map(async (code) => {
        let calls = 0;
        const meet = (): Promise<void> => met[calls++ < 2 ? 0 : 1]?.() ?? Promise.resolve();
        const call = {
          model,
          maxRetries: 0,
          stopWhen: isStepCount(5),
          messages: history(code),
          tools: togetherAt(model, meet),
        };
        return outputsOf(isStreamed ? await streamText(call).steps : (await generateText(call)).steps);
      }),
    );
    for (const [at, [first = [], second = []]] of answers.entries()) {
      assert.equal(first.length, 2);
      assert.equal(second.length, 1);
      for (const answer of [...first, ...second]) {
        assert.deepEqual(
          codes.map((code) => answer.includes(code)),
          codes.map((_, other) => other === at),
          answer,
        );
      }
    }
  });
}

test('L1 a conversation that cannot be told from another one is told so, and gets nothing of it', async () => {
  await using fake = await startFakeProvider({ script: counted([expand('m2')]) });
  await using store = await openStore({ path: ':memory:' });
  const model = withPalimpsest(compatible.model(fake), { store });
  const meet = meeting(2);
  const answers = await Promise.all(
    [1, 2].map(async () => {
      const { id: sessionId } = await store.sessions.create({ source: 'test', model: 'some-model' });
      const { steps } = await generateText({
        model,
        maxRetries: 0,
        stopWhen: isStepCount(3),
        messages: history('alpha'),
        tools: togetherAt(model, meet),
        providerOptions: { palimpsest: { sessionId } },
      });
      return outputsOf(steps)[0]?.[0];
    }),
  );
  for (const answer of answers) assert.match(answer ?? '', /^It is not known which conversation asks/);
});

test('L1 a call that no wrapped model has made gets nothing by an id that is counted up', async () => {
  await using fake = await startFakeProvider({ script: counted([expand('m2')]) });
  const model = withPalimpsest(compatible.model(fake));
  await generateText({ model, maxRetries: 0, messages: history('alpha'), tools: { expand: tools(model).expand } });
  // The same tools with a model that is not wrapped.
  const { steps } = await generateText({
    model: compatible.model(fake),
    maxRetries: 0,
    stopWhen: isStepCount(3),
    messages: history('gamma'),
    tools: tools(model),
  });
  assert.match(outputsOf(steps)[0]?.[0] ?? '', /^It is not known which conversation asks/);
});

test('L1 an id that a provider makes once is enough, where something on the way has changed the messages', async () => {
  const id = 'call_0123456789abcdefghij';
  const script = ({ messages }: FakeRequest): Reply =>
    messages.some(({ role }) => role === 'tool') ? { text: 'Done.' } : { toolCalls: [{ ...expand('m2'), id }] };
  await using fake = await startFakeProvider({ script });
  const inner = withPalimpsest(compatible.model(fake));
  // Wrapped once more, against the advice of the guide.
  const model: typeof inner = Object.create(inner, {
    doGenerate: {
      value: (options: Parameters<typeof inner.doGenerate>[0]) => {
        const [first, ...rest] = options.prompt;
        const changed =
          first?.role === 'user' ? { ...first, content: [{ type: 'text' as const, text: 'Other.' }] } : first;
        return inner.doGenerate({ ...options, prompt: [...(changed ? [changed] : []), ...rest] });
      },
    },
  });
  const call = { maxRetries: 0, stopWhen: isStepCount(3), messages: history('alpha'), tools: tools(inner) };
  const { steps } = await generateText({ ...call, model });
  assert.match(outputsOf(steps)[0]?.[0] ?? '', /Is it alpha\?/);
});

test('L1 a call that a person allows later is still one of its conversation', async () => {
  await using fake = await startFakeProvider({ script: counted([expand('m2')]) });
  const model = withPalimpsest(compatible.model(fake));
  const asking = { ...tools(model).expand, needsApproval: true };
  const call = { model, maxRetries: 0, stopWhen: isStepCount(3), tools: { expand: asking } };
  const codes = ['alpha', 'gamma'];
  const asked = await Promise.all(codes.map((code) => generateText({ ...call, messages: history(code) })));
  const answers = await Promise.all(
    asked.map(async ({ content, responseMessages }, at) => {
      const request = content.find((part) => part.type === 'tool-approval-request');
      assert.ok(request);
      const approval = { type: 'tool-approval-response', approvalId: request.approvalId, approved: true } as const;
      const messages: ModelMessage[] = [
        ...history(codes[at] ?? ''),
        ...responseMessages,
        { role: 'tool', content: [approval] },
      ];
      return JSON.stringify((await generateText({ ...call, messages })).responseMessages);
    }),
  );
  assert.match(answers[0] ?? '', /Is it alpha\?/);
  assert.match(answers[1] ?? '', /Is it gamma\?/);
});

test('R3 large results of conversations that count their calls alike are searched by their own model only', async () => {
  const search: ReplyCall = { name: 'search_output', input: { query: 'code' } };
  await using fake = await startFakeProvider({ script: counted([{ name: 'logs', input: {} }], [search]) });
  const model = withPalimpsest(compatible.model(fake), { contextLength: 32_000 });
  const meet = meeting(2);
  const answers = await Promise.all(
    ['alpha', 'gamma'].map(async (code) => {
      const logs: Tool<object, string> = {
        inputSchema: jsonSchema({ type: 'object' }),
        execute: async () => {
          await meet();
          return `${'nothing to see here\n'.repeat(4_000)}the code is ${code}\n`;
        },
      };
      const { steps } = await generateText({
        model,
        maxRetries: 0,
        stopWhen: isStepCount(4),
        messages: history(code),
        tools: { ...togetherAt(model, meet), logs },
      });
      return outputsOf(steps)[1]?.[0] ?? '';
    }),
  );
  assert.deepEqual(
    answers.map((answer) => [answer.includes('code is alpha'), answer.includes('code is gamma')]),
    [
      [true, false],
      [false, true],
    ],
    answers.join('\n'),
  );
});

test('R3 the same large result is found again in each conversation that has it', async () => {
  const search: ReplyCall = { name: 'search_output', input: { query: 'code' }, id: 'call_2' };
  await using fake = await startFakeProvider({ script: counted([{ name: 'logs', input: {} }], [search]) });
  const model = withPalimpsest(compatible.model(fake), { contextLength: 32_000 });
  const logs: Tool<object, string> = {
    inputSchema: jsonSchema({ type: 'object' }),
    execute: () => `${'nothing to see here\n'.repeat(4_000)}the code is the same\n`,
  };
  for (const code of ['alpha', 'gamma']) {
    const { steps } = await generateText({
      model,
      maxRetries: 0,
      stopWhen: isStepCount(4),
      messages: history(code),
      tools: { ...tools(model), logs },
    });
    assert.match(outputsOf(steps)[1]?.[0] ?? '', /the code is the same/);
  }
  assert.equal((await (await storeOf(model)).outputs.list()).length, 1);
});

test('L1 files, images, data and errors in the messages do not hide whose call it is', async () => {
  await using fake = await startFakeProvider({ script: counted([expand('m2')]) });
  const model = withPalimpsest(compatible.model(fake));
  const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10]);
  const rich = (code: string): ModelMessage[] => [
    ...history(code),
    {
      role: 'user',
      content: [
        { type: 'text', text: '' },
        { type: 'text', text: 'See.' },
        { type: 'image', image: png },
      ],
    },
    {
      role: 'assistant',
      content: ['a', 'b', 'c'].map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'look', input: { id } })),
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'a', toolName: 'look', output: { type: 'error-text', value: 'No.' } },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'b', toolName: 'look', output: { type: 'json', value: { code } } },
        {
          type: 'tool-result',
          toolCallId: 'c',
          toolName: 'look',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'A picture.' },
              { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } },
            ],
          },
        },
      ],
    },
    { role: 'user', content: 'Go on.' },
  ];
  for (const code of ['alpha', 'gamma']) {
    const call = { maxRetries: 0, stopWhen: isStepCount(3), messages: rich(code), tools: tools(model) };
    const { steps } = await generateText({ ...call, model });
    assert.match(outputsOf(steps)[0]?.[0] ?? '', new RegExp(`Is it ${code}\\?`));
  }
});

test('what was said before a call is read only where somebody made a call with its id', () => {
  const callers = createCallers();
  const before = { messages: [{ role: 'user', content: 'Look.' }] } as const;
  let reads = 0;
  const read = () => {
    reads++;
    return before;
  };
  callers.note({ callId: 'call-7', name: 'bash', prompt: before, sessionId: 'one' });
  for (let at = 0; at < 1_000; at++) callers.sessionOf(`elsewhere-${at}`, read);
  assert.equal(reads, 0);
  assert.equal(callers.sessionOf('call-7', read), 'one');
  assert.equal(reads, 1);
});
