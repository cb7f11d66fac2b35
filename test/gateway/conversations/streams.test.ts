/** The SDKs of providers over the gateway: what they stream is what the record has, and the next request goes on with it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import { messageText } from '@palimpsest/core/formats';
import OpenAI from 'openai';
import { type Kept, keptGateway } from './support.ts';

const answer = 'Grüße aus 東京: the harbour has 7 berths 🚢, and "order 12" is the heaviest.';
const question = 'Which order is the heaviest?';

/** What was said in the one conversation there is. */
async function recorded({ store, settled }: Kept): Promise<readonly string[]> {
  await settled();
  const [conversation, ...others] = await store.sessions.list();
  assert.ok(conversation);
  assert.deepEqual(others, []);
  const messages = await store.messages.view(conversation.tip.id);
  return messages.map(({ message }) => messageText(message)).filter((text) => text !== '');
}

const anthropic = ({ url }: Kept) => new Anthropic({ baseURL: url, apiKey: 'k', maxRetries: 0 });
const openai = ({ url }: Kept) => new OpenAI({ baseURL: `${url}/v1`, apiKey: 'k', maxRetries: 0 });

describe('K2: a streamed answer is in the record, and one conversation goes on', () => {
  test('of the SDK of Anthropic', async () => {
    await using kept = await keptGateway({ script: { text: answer, pieceChars: 3 } });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: question }];
    for (let turn = 0; turn < 2; turn++) {
      const said = await anthropic(kept).messages.stream({ model: 'm', max_tokens: 99, messages }).finalMessage();
      messages.push({ role: 'assistant', content: said.content }, { role: 'user', content: 'And the lightest?' });
    }
    assert.deepEqual(await recorded(kept), [question, answer, 'And the lightest?', answer]);
  });

  test('of the SDK of OpenAI, over Chat Completions', async () => {
    await using kept = await keptGateway({ script: { text: answer, pieceChars: 3 } });
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: question }];
    for (let turn = 0; turn < 2; turn++) {
      const stream = openai(kept).chat.completions.stream({ model: 'm', messages });
      const { choices } = await stream.finalChatCompletion();
      messages.push({ role: 'assistant', content: choices[0]?.message.content ?? '' });
      messages.push({ role: 'user', content: 'And the lightest?' });
    }
    assert.deepEqual(await recorded(kept), [question, answer, 'And the lightest?', answer]);
  });

  test('of the SDK of OpenAI, over Responses', async () => {
    await using kept = await keptGateway({ script: { text: answer, pieceChars: 3 } });
    const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: question }];
    for (let turn = 0; turn < 2; turn++) {
      const response = await openai(kept).responses.stream({ model: 'm', input, store: false }).finalResponse();
      input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]), {
        role: 'user',
        content: 'And the lightest?',
      });
    }
    assert.deepEqual(await recorded(kept), [question, answer, 'And the lightest?', answer]);
  });

  test('an answer that its client left is not kept as one', async () => {
    await using kept = await keptGateway({ script: { text: answer.repeat(50), pieceChars: 8, pieceDelayMs: 5 } });
    const stream = anthropic(kept).messages.stream({
      model: 'm',
      max_tokens: 99,
      messages: [{ role: 'user', content: question }],
    });
    stream.once('text', () => stream.abort());
    await assert.rejects(stream.finalMessage());
    const [request] = kept.provider.requests;
    await request?.ended;
    assert.equal(request?.aborted, true);
    assert.deepEqual(await recorded(kept), [question]);
  });
});
