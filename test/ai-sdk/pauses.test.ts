/** Long pauses as a provider hears of them, over real HTTP. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type FakeRequest, promptText, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, type ModelMessage } from 'ai';
import { wrapModel } from '../../packages/core/src/ai-sdk/with-palimpsest.ts';
import { providers } from './providers.ts';

const day = 86_400_000;

for (const provider of providers) {
  describe(`a long pause over ${provider.name}`, () => {
    test('O4 is told once before the words that ended it, and every later request begins with the same bytes', async () => {
      const script = ({ messages }: FakeRequest) => ({ text: `I have read ${messages.length} messages.` });
      await using fake = await startFakeProvider({ contextLength: 32_000, script });
      const time = { now: 1_795_305_600_000 };
      const options = { contextLength: 32_000, cache: 'off', markPauses: day / 4 } as const;
      await using model = wrapModel(provider.model(fake), options, { clock: { now: () => time.now } });
      const list: ModelMessage[] = [];
      const say = async (content: string): Promise<FakeRequest> => {
        list.push({ role: 'user', content });
        const { text } = await generateText({ model, messages: list, maxRetries: 0 });
        list.push({ role: 'assistant', content: text });
        return fake.requests.at(-1) ?? assert.fail();
      };
      assert.doesNotMatch(promptText(await say('Good morning.')), /later/);
      time.now += 3 * day;
      const back = await say('I am back.');
      assert.match(promptText(back), /<pause check="[0-9a-f]{16}">3 days later<\/pause>\s*I am back\./);
      time.now += 1_000;
      const next = await say('Now?');
      assert.equal(promptText(next).split('3 days later').length, 2);
      assert.deepEqual(next.messages.slice(0, back.messages.length), back.messages);
    });
  });
}
