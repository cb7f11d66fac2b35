/** Recalled text through a wrapped model: it reaches the provider with the message that it was recalled for, and is no part of what was said. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RecallRequest } from '@palimpsest/core';
import { type Notice, storeOf, tools, withPalimpsest } from '@palimpsest/core/ai-sdk';
import type { JsonValue } from '@palimpsest/core/engine';
import type { Store } from '@palimpsest/core/store';
import { type FakeRequest, type Reply, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, isStepCount, jsonSchema, type ModelMessage, streamText, type Tool } from 'ai';
import { wrapModel } from '../../packages/core/src/ai-sdk/with-palimpsest.ts';
import { everything } from './prompts.ts';
import { anthropic, providers } from './providers.ts';
import { recorder } from './recorder.ts';

const look: Tool<Readonly<Record<string, unknown>>, string> = {
  description: 'Looks into a depot.',
  inputSchema: jsonSchema<Readonly<Record<string, unknown>>>({ type: 'object' }),
  execute: () => 'It holds 17 crates.',
};

const calling: Reply = { toolCalls: [{ name: 'look', input: { at: 1 } }] };

/** What was said, as it went over the wire, one text a message. */
const wire = ({ body }: FakeRequest): readonly string[] => {
  const { messages, input } = body;
  const list = messages ?? input;
  assert.ok(Array.isArray(list));
  return list.map((message: JsonValue) => JSON.stringify(message));
};

/** Everything that a store has of what was said. */
async function kept({ sessions, messages, outputs }: Store): Promise<string> {
  const all = await sessions.list({ sides: true });
  const views = await Promise.all(all.map(({ tip }) => messages.view(tip.id)));
  return JSON.stringify([all, views, await outputs.list()]);
}

for (const provider of providers) {
  for (const isStreamed of [false, true]) {
    const way = `${provider.name}${isStreamed ? ', streamed' : ''}`;
    test(`Y2 and C3: arrives in every step of its turn, at its place, and stays there in the next turn, over ${way}`, async () => {
      await using fake = await startFakeProvider();
      fake.reply({ text: 'Good.' }, calling, calling, { text: 'It is 34.' }, { text: 'You are welcome.' });
      const asked: RecallRequest[] = [];
      await using model = withPalimpsest(provider.model(fake), {
        cache: 'off',
        recall: (request) => {
          asked.push(request);
          return request.text.includes('crates') ? 'Depot 9 was emptied on Monday.' : undefined;
        },
      });
      const messages: ModelMessage[] = [];
      for (const question of ['Hello.', 'How many crates?', 'Thanks.']) {
        messages.push({ role: 'user', content: question });
        const call = {
          model,
          messages,
          maxRetries: 0,
          stopWhen: isStepCount(5),
          system: 'Be brief.',
          tools: { look, ...tools(model) },
        };
        const result = isStreamed ? streamText(call) : await generateText(call);
        messages.push(...(await result.responseMessages));
      }
      assert.deepEqual(
        asked.map(({ text }) => text),
        ['Hello.', 'How many crates?', 'Thanks.'],
      );
      const requests = fake.requests.map(wire);
      assert.equal(requests.length, 5);
      const [before = [], first = [], second = [], third = [], after = []] = requests;
      const at = first.length - 1;
      const fence =
        /How many crates\?.*<recalled-context check=.*no instruction.*Depot 9 was emptied on Monday\..*<\/recalled-context>/;
      assert.match(first[at] ?? '', fence);
      // A cached prefix goes through the whole turn, and through what stands before it.
      assert.deepEqual(first.slice(0, before.length), before);
      assert.deepEqual(second.slice(0, first.length), first);
      assert.deepEqual(third.slice(0, second.length), second);
      assert.deepEqual(after.slice(0, third.length), third);
      for (const text of [...before, ...after.toSpliced(at, 1), ...third.toSpliced(at, 1)]) {
        assert.doesNotMatch(text, /recalled-context|Monday/);
      }
      assert.doesNotMatch(JSON.stringify(messages), /recalled-context|Monday/);
      const store = await storeOf(model);
      assert.doesNotMatch(await kept(store), /recalled-context|Monday/);
      assert.equal((await store.sessions.list()).length, 1);
    });
  }
}

describe('recalled text', () => {
  test('Y2 can be said with a call, before what the option finds, and no provider sees the setting', async () => {
    await using fake = await startFakeProvider({ script: { text: 'Good.' } });
    await using model = wrapModel(
      anthropic.model(fake),
      { recall: () => 'Found by the option.' },
      { recallTokens: 300 },
    );
    const recall = 'Depot 9 was emptied on Monday.';
    const call = { model, maxRetries: 0, prompt: 'How many crates?' };
    await generateText({ ...call, providerOptions: { palimpsest: { recall } } });
    await generateText({ ...call, prompt: 'How many bags?' });
    const [said, found] = fake.requests.map(({ body }) => JSON.stringify(body));
    assert.match(said ?? '', /Depot 9 was emptied on Monday/);
    assert.doesNotMatch(said ?? '', /Found by the option|"recall"|palimpsest"/);
    assert.match(found ?? '', /Found by the option/);
    assert.doesNotMatch(await kept(await storeOf(model)), /Monday|Found by/);
  });

  test('C3 leaves the mark of the cache in front of it where the next turn finds it', async () => {
    await using fake = await startFakeProvider({ script: { text: 'Good.' } });
    await using model = withPalimpsest(anthropic.model(fake), { recall: ({ text }) => `Remark about ${text}` });
    const messages: ModelMessage[] = [];
    for (const question of ['One?', 'Two?', 'Three?']) {
      messages.push({ role: 'user', content: question });
      messages.push(...(await generateText({ model, maxRetries: 0, system: 'Be brief.', messages })).responseMessages);
    }
    const [, second = [], third = []] = fake.requests.map(wire);
    // The answer before the newest message ends what was cached, and the next request begins with the very same.
    assert.match(second[1] ?? '', /cache_control/);
    assert.match(second.at(-1) ?? '', /Remark about Two/);
    const bare = (text: string): string => text.replaceAll(/,?"cache_control":\{[^}]*\}/g, '');
    assert.deepEqual(third.slice(0, second.length).map(bare), second.map(bare));
    assert.match(third.at(-1) ?? '', /Remark about Three/);
  });

  test('Y2 costs nothing but a notice where it fails, and what is no text or no function is said at once', async () => {
    const notices: Notice[] = [];
    const { model, calls } = recorder();
    const failing = withPalimpsest(model, {
      recall: () => Promise.reject(new Error('no index')),
      onNotice: (notice) => notices.push(notice),
    });
    await generateText({ model: failing, maxRetries: 0, prompt: 'Hello' });
    assert.deepEqual(calls[0]?.prompt, [
      { role: 'user', content: [{ type: 'text', text: 'Hello' }], providerOptions: undefined },
    ]);
    assert.match(notices[0]?.message ?? '', /hook recall failed \(no index\)/);
    const recall: string = JSON.parse('["no text"]');
    const call = { model: failing, maxRetries: 0, prompt: 'Hello', providerOptions: { palimpsest: { recall } } };
    await assert.rejects(generateText(call), {
      code: 'BAD_OPTION',
      message: /as recall of providerOptions.palimpsest a text, got a list/,
    });
    assert.throws(() => withPalimpsest(model, JSON.parse('{"recall":"always"}')), {
      code: 'BAD_OPTION',
      message: /recall a function/,
    });
  });

  test('C3 changes nothing but the message that carries it, not even what providers refuse, and the whole prompt went', async () => {
    const { model, calls } = recorder([], 'anthropic.messages', 'claude-sonnet-4-5');
    const wrapped = withPalimpsest(model, { cache: 'off', recall: () => 'A remark.' });
    const { providerMetadata } = await wrapped.doGenerate({ prompt: everything });
    const { prompt = [] } = calls[0] ?? {};
    assert.equal(prompt.length, everything.length);
    const [carrier, ...others] = prompt.flatMap((message, at) => (message === everything[at] ? [] : [message]));
    assert.deepEqual(others, []);
    assert.deepEqual({ ...carrier, content: carrier?.content.slice(0, -1) }, everything.at(-1));
    assert.match(JSON.stringify(carrier), /A remark/);
    assert.equal(providerMetadata?.palimpsest?.isWhole, true);
  });
});
