/** What came of it all: the assistant's newest words, where they are few, are shown whole however small the target is. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { compress, tokenizerFor } from '@palimpsest/core';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { carriesCalls, messageText } from '../../packages/core/src/transcript/text.ts';
import { goldenAnswers } from '../support/golden-answers.ts';

const targets = [1_500, 2_500, 4_000] as const;
const briefChars = 400;

describe('S8: the newest reply', () => {
  for (const name of Object.keys(goldenAnswers()))
    test(`of at most ${briefChars} characters is not cut: ${name}`, async () => {
      const file = await readFile(new URL(`../fixtures/golden/${name}.jsonl`, import.meta.url));
      const messages = (await readTranscripts(file)).transcripts[0]?.messages ?? [];
      const tokenizer = await tokenizerFor('gpt-4o');
      const ends = messages.flatMap((message, at) => {
        const said = messageText(message).trim();
        const isReply = message.role === 'assistant' && !carriesCalls(message) && said !== '';
        return isReply && said.length <= briefChars && at > messages.length / 2 ? [at + 1] : [];
      });
      assert.ok(ends.length > 0);
      for (const end of ends)
        for (const targetTokens of targets) {
          const result = await compress(messages.slice(0, end), { tokenizer, targetTokens });
          const said = messageText(messages[end - 1] ?? { role: 'assistant', parts: [] });
          assert.equal(messageText(result.messages.at(-1) ?? { role: 'user', parts: [] }), said, `${end}`);
          assert.ok(result.after.total <= targetTokens, `${result.after.total} of ${targetTokens} tokens`);
        }
    });
});
