import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadEncoding } from '../../packages/core/src/tokens/encoding.ts';
import {
  conversationTokens,
  messageTokens,
  tokensByPart,
  tokensByRole,
  toolSchemaTokens,
} from '../../packages/core/src/tokens/measure.ts';
import {
  estimatingTokenizer,
  exactTokenizer,
  type Tokenizer,
  tokenizerFor,
} from '../../packages/core/src/tokens/tokenizer.ts';
import type { Message, Part } from '../../packages/core/src/transcript/message.ts';

/** Counts characters and keeps what it was asked. */
function counting(): { tokenizer: Tokenizer; asked: string[] } {
  const asked: string[] = [];
  const count = (text: string): number => {
    asked.push(text);
    return text.length;
  };
  return { tokenizer: { name: 'characters', exact: true, count }, asked };
}

const message = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts });
const overhead = 4;

describe('the tokens of a message', () => {
  test('are those of every part, each under its kind', () => {
    const { tokenizer } = counting();
    const tokens = tokensByPart(
      message(
        { type: 'text', text: 'four' },
        { type: 'reasoning', text: 'thought', signature: 'x'.repeat(500) },
        { type: 'toolCall', callId: 'call_1', name: 'read', input: '{"a":1}', inputType: 'json' },
        {
          type: 'toolResult',
          callId: 'call_1',
          content: [
            { type: 'text', text: 'result' },
            { type: 'image', url: 'https://example.org/a.png' },
          ],
        },
        { type: 'file', name: 'a.txt', text: 'content' },
        { type: 'other', value: { kind: 1 } },
      ),
      tokenizer,
    );
    assert.deepEqual(tokens, {
      text: 4,
      reasoning: 7,
      toolCalls: 11,
      toolResults: 6,
      images: 1500,
      files: 12,
      other: 10,
      overhead: 16,
      total: 1566,
    });
  });

  test('count the name of the author', () => {
    const { tokenizer } = counting();
    const named: Message = { role: 'user', name: 'ada', parts: [] };
    assert.equal(messageTokens(named, tokenizer), overhead + 1 + 3);
  });

  test('never count base64 or encrypted reasoning as text', () => {
    const { tokenizer, asked } = counting();
    const long = 'QUJD'.repeat(3000);
    const tokens = tokensByPart(
      message(
        { type: 'reasoning', text: '', encrypted: long },
        { type: 'image', mediaType: 'image/png', data: long },
        { type: 'file', mediaType: 'application/pdf', data: long },
        { type: 'other', value: { type: 'audio', data: long } },
      ),
      tokenizer,
    );
    assert.equal(tokens.reasoning, 0);
    assert.equal(tokens.images, 1500);
    assert.equal(tokens.files, 1500);
    assert.ok(asked.every((text) => text.length < 100));
  });

  test('charge an image by its size, its rule and its detail', () => {
    const data = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x04\0\0\0\x04\0', 'latin1').toString('base64');
    const tokenizer: Tokenizer = { ...counting().tokenizer, images: 'openai-tiles' };
    assert.equal(tokensByPart(message({ type: 'image', data }), tokenizer).images, 765);
    assert.equal(tokensByPart(message({ type: 'image', url: `data:image/png;base64,${data}` }), tokenizer).images, 765);
    const low: Part = {
      type: 'image',
      data,
      extra: { format: 'openai-chat', fields: { image_url: { detail: 'low' } } },
    };
    assert.equal(tokensByPart(message(low), tokenizer).images, 85);
  });
});

describe('a message', () => {
  test('is counted once, and so is an equal one', () => {
    const { tokenizer, asked } = counting();
    const first = message({ type: 'text', text: 'once' });
    messageTokens(first, tokenizer);
    messageTokens(first, tokenizer);
    messageTokens(message({ type: 'text', text: 'once' }), tokenizer);
    assert.deepEqual(asked, ['once']);
  });

  test('is counted anew by another tokenizer', () => {
    const text = message({ type: 'text', text: 'twice' });
    const [one, two] = [counting(), counting()];
    messageTokens(text, one.tokenizer);
    messageTokens(text, two.tokenizer);
    assert.deepEqual([one.asked, two.asked], [['twice'], ['twice']]);
  });
});

describe('a conversation', () => {
  const messages: readonly Message[] = [
    { role: 'system', parts: [{ type: 'text', text: 'be kind' }] },
    { role: 'user', parts: [{ type: 'text', text: 'hello' }] },
    { role: 'user', parts: [{ type: 'text', text: 'again' }] },
  ];

  test('costs its messages and what opens the reply', () => {
    const { tokenizer } = counting();
    assert.equal(conversationTokens(messages, tokenizer), 7 + 5 + 5 + 3 * overhead + 3);
    assert.equal(conversationTokens([], tokenizer), 3);
  });

  test('is broken down by role', () => {
    const roles = tokensByRole(messages, counting().tokenizer);
    assert.equal(roles.system.text, 7);
    assert.equal(roles.user.text, 10);
    assert.equal(roles.user.total, 18);
    assert.equal(roles.assistant.total, 0);
  });

  test('costs its tool definitions by their JSON', () => {
    const tool = { name: 'read', parameters: { type: 'object' } };
    assert.equal(toolSchemaTokens([tool, tool], counting().tokenizer), 2 * (8 + JSON.stringify(tool).length));
  });
});

describe('a tokenizer', () => {
  test('is exact for models with a public encoding and estimates for the others', async () => {
    const exact = await tokenizerFor('openai/gpt-5.4');
    assert.deepEqual([exact.name, exact.exact, exact.images], ['o200k_base', true, 'openai-patches']);
    assert.equal((await tokenizerFor('gpt-4')).name, 'cl100k_base');
    const claude = await tokenizerFor('claude-opus-5-5');
    assert.deepEqual([claude.name, claude.exact, claude.images], ['estimate for claude-4.7', false, 'claude-4.7']);
    assert.equal((await tokenizerFor('nobody-knows')).name, 'estimate with a margin');
  });

  test('is the same object for models that are counted alike', async () => {
    assert.equal(await tokenizerFor('claude-opus-4-7'), await tokenizerFor('us.anthropic.claude-sonnet-5'));
  });

  test('counts with its encoding, or estimates with its family', async () => {
    const text = 'The quick brown fox.';
    const encoding = await loadEncoding('o200k_base');
    assert.equal(exactTokenizer(encoding).count(text), encoding.count(text));
    assert.ok(estimatingTokenizer('claude-4.7').count(text) > encoding.count(text));
  });
});
