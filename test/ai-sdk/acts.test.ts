/** What a person does with a conversation of a wrapped model, over real HTTP: pins, undo, branches. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type AnyModel, branch, pin, pins, undo, unpin, withPalimpsest } from '@palimpsest/core/ai-sdk';
import { type FakeRequest, promptText, startFakeProvider } from '@palimpsest/core/testing';
import { generateText, type ModelMessage } from 'ai';
import { anthropic, type Provider, responses } from './providers.ts';

const rule = 'Never touch the table `ledger`.\n  Not even to read it.';

/** Turns of a person, each answered and taken into the client's own list; gives back the id of the session. */
async function say(model: AnyModel, list: ModelMessage[], ...texts: readonly string[]): Promise<string> {
  let sessionId = '';
  for (const content of texts) {
    list.push({ role: 'user', content });
    const { text, providerMetadata } = await generateText({ model, messages: list, maxRetries: 0 });
    list.push({ role: 'assistant', content: text });
    sessionId = String(providerMetadata?.palimpsest?.sessionId);
  }
  return sessionId;
}

const long = (at: number): string => `Case ${at}: ${`row of region north-${at} `.repeat(120)}`;
const many = (from: number): readonly string[] => Array.from({ length: 14 }, (_, i) => long(from + i));

for (const provider of [anthropic, responses] as readonly Provider[]) {
  describe(`a person over ${provider.name}`, () => {
    test('A7 pins what they said, and it stays word for word in what the provider gets', async () => {
      const script = ({ messages }: FakeRequest) => ({ text: `I have read ${messages.length} messages.` });
      await using fake = await startFakeProvider({ contextLength: 8_000, script });
      await using model = withPalimpsest(provider.model(fake), { contextLength: 8_000, cache: 'off' });
      const list: ModelMessage[] = [];
      const sessionId = await say(model, list, 'Good morning.', 'Which tables are there?', rule);
      const { status, pin: made } = await pin(model, { sessionId });
      assert.deepEqual([status, made?.ref, made?.text], ['pinned', 'm5', rule]);
      for (const from of [0, 20, 40]) {
        await say(model, list, ...many(from));
        const last = promptText(fake.requests.at(-1) ?? assert.fail());
        assert.match(last, /### m5 user, pinned:\n \| Never touch the table `ledger`\.\n \| {3}Not even to read it\./);
        assert.equal(last.split('Not even to read it.').length, 2);
      }
      assert.deepEqual(
        (await pins(model, { sessionId })).pins.map(({ ref }) => ref),
        ['m5'],
      );
      assert.equal((await unpin(model, { sessionId, ref: 'm5' })).status, 'unpinned');
      await say(model, list, ...many(60));
      assert.doesNotMatch(promptText(fake.requests.at(-1) ?? assert.fail()), /pinned:/);
    });

    test('L3 takes a turn back, and goes another way', async () => {
      const script = ({ messages }: FakeRequest) => ({ text: `I have read ${messages.length} messages.` });
      await using fake = await startFakeProvider({ contextLength: 32_000, script });
      await using model = withPalimpsest(provider.model(fake), { contextLength: 32_000, cache: 'off' });
      const list: ModelMessage[] = [];
      const sessionId = await say(model, list, 'Good morning.', 'Drop the table.');
      const undone = await undo(model, { sessionId });
      assert.deepEqual([undone.status, undone.text, undone.messages], ['undone', 'Drop the table.', 2]);
      list.splice(-undone.messages);
      const settings = { providerOptions: { palimpsest: { sessionId } } };
      const made = await branch(model, { sessionId, title: 'Another way' });
      const kept = { role: 'user', content: 'Keep it.' } as const;
      const next = await generateText({ model, messages: [...list, kept], maxRetries: 0, ...settings });
      assert.equal(next.providerMetadata?.palimpsest?.sessionId, undone.sessionId);
      assert.doesNotMatch(promptText(fake.requests.at(-1) ?? assert.fail()), /Drop the table/);
      const other = await generateText({
        model,
        messages: [...list, { role: 'user', content: 'Move it.' }],
        maxRetries: 0,
        providerOptions: { palimpsest: { sessionId: made.sessionId } },
      });
      assert.equal(other.providerMetadata?.palimpsest?.sessionId, made.sessionId);
      assert.doesNotMatch(promptText(fake.requests.at(-1) ?? assert.fail()), /Keep it|Drop the table/);
    });
  });
}
