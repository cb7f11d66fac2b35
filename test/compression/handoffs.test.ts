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
import { isQuoteOf } from '../support/quotes.ts';

const sessions = [
  'debugging-en.claude-code.jsonl',
  'feature-zh.openai-chat.json',
  'refactoring-ja.codex.jsonl',
  'operations-ko.anthropic.json',
  'house-chat-en.sharegpt.json',
  'analysis-de.pi.jsonl',
];
const budgetTokens = 3_000;
/** The words beside the user's name, and the lines below it up to the next row. */
const userRow = /^(?:### )?m\d+ user:(.*)((?:\n (?!→ |m\d+(?:-m\d+)? ).+)*)/gm;

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
      const said = messages.flatMap((message) => personMessage(message) ?? []).map(messageText);
      const headings = [...body.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      let rows = 0;
      for (const [, beside = '', below = ''] of body.matchAll(userRow)) {
        if (below === '' && headings.some((heading) => beside === ` see ${heading}`)) continue;
        for (const quote of `${beside}${below}`.split('\n').filter((line) => line.trim() !== '')) {
          rows++;
          assert.ok(
            said.some((text) => isQuoteOf(quote, text)),
            `nobody said: ${quote}`,
          );
        }
      }
      assert.ok(rows > 0);
    });
  }
});

async function load(name: string) {
  const file = await readFile(new URL(`../fixtures/sessions/${name}`, import.meta.url));
  const { transcripts } = await readTranscripts(file);
  return { messages: transcripts[0]?.messages ?? [], tokenizer: await tokenizerFor('gpt-4o') };
}
