/**
 * What a model and a person read: the handoffs of six recorded sessions of different kind and language, at 3,000
 * tokens. Read a changed golden file for half a minute: what was asked, what is done, what failed, what is open, which
 * files are in play?
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { personMessage } from '../../packages/core/src/compression/handoff-block.ts';
import { ledgerOf } from '../../packages/core/src/compression/ledger/ledger.ts';
import { tokenizerFor } from '../../packages/core/src/tokens/tokenizer.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { assertGolden } from '../support/golden.ts';

const sessions = [
  'debugging-en.claude-code.jsonl',
  'feature-zh.openai-chat.json',
  'refactoring-ja.codex.jsonl',
  'operations-ko.anthropic.json',
  'house-chat-en.sharegpt.json',
  'analysis-de.pi.jsonl',
];
const budgetTokens = 3_000;

describe('S8: the ledger writes a handoff without a model', () => {
  for (const name of sessions) {
    it(`that a person can read: ${name}`, async () => {
      const { messages, tokenizer } = await load(name);
      const handoff = ledgerOf(messages, { count: tokenizer.count }).handoff({ budgetTokens });
      assert.ok(handoff.tokens <= budgetTokens, `${handoff.tokens} tokens`);
      assertGolden(`compression/golden/handoffs/${name}.md`, `${handoff.body}\n`);
    });

    it(`that gives the user no words but the user's: ${name}`, async () => {
      const { messages, tokenizer } = await load(name);
      const { body } = ledgerOf(messages, { count: tokenizer.count }).handoff({ budgetTokens });
      const said = messages
        .flatMap((message) => personMessage(message) ?? [])
        .map(messageText)
        .map(flat);
      for (const [, quote = ''] of body.matchAll(/^(?:### )?m\d+ user: (.+)$/gm)) {
        const words = flat(quote.replace(/ \(\d+ characters in all\)$/, '').replace(/…$/, ''));
        assert.ok(
          said.some((text) => isShortened(words, text)),
          `nobody said: ${words}`,
        );
      }
    });
  }
});

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Every piece between the marks of what was left out, in order. */
function isShortened(words: string, text: string): boolean {
  let from = 0;
  return words.split(' … ').every((piece) => {
    const at = text.indexOf(piece, from);
    from = at + piece.length;
    return at >= 0;
  });
}

async function load(name: string) {
  const file = await readFile(new URL(`../fixtures/sessions/${name}`, import.meta.url));
  const { transcripts } = await readTranscripts(file);
  return { messages: transcripts[0]?.messages ?? [], tokenizer: await tokenizerFor('gpt-4o') };
}
