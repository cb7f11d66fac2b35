/**
 * Six written conversations and their handoffs at 3,000 tokens: what a stranger reads for half a minute. What must be
 * found was written down before the handoffs were made; `test/fixtures/golden/README.md` says how to make them anew.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { readRows } from '../../packages/core/src/compression/handoff-rows.ts';
import { ledgerOf } from '../../packages/core/src/compression/ledger/ledger.ts';
import { tokenizerFor } from '../../packages/core/src/tokens/tokenizer.ts';
import { readTranscripts } from '../../packages/core/src/transcript/read.ts';
import { messageText } from '../../packages/core/src/transcript/text.ts';
import { assertGolden } from '../support/golden.ts';
import { goldenAnswers, settledThings, untold } from '../support/golden-answers.ts';

const budgetTokens = 3_000;

/** How many of the answers (23 to 34 each) may be missing; what is missing is printed when it becomes more. */
const mostMissing: Readonly<Record<string, number>> = {
  'claude-code-en': 3,
  'claude-code-ja': 5,
  'claude-code-ko': 2,
  'codex-en': 2,
  'codex-zh': 5,
  'chat-en': 0,
};

/** How many settled things may stand in the lists of what is open or under way. */
const mostSettled: Readonly<Record<string, number>> = {
  'claude-code-en': 1,
  'claude-code-ja': 0,
  'claude-code-ko': 0,
  'codex-en': 0,
  'codex-zh': 0,
  'chat-en': 0,
};

describe('S8: a stranger reads the handoff of a day of work', () => {
  for (const [name, answers] of Object.entries(goldenAnswers())) {
    it(`as it was read before: ${name}`, async () => {
      const { handoff } = await handoffOf(name);
      assert.ok(handoff.tokens <= budgetTokens, `${handoff.tokens} tokens`);
      assertGolden(`fixtures/golden/${name}.handoff.md`, `${handoff.body}\n`);
    });

    it(`and finds the answers: ${name}`, async () => {
      const { handoff } = await handoffOf(name);
      const { missing, of } = untold(handoff.body, answers);
      const few = mostMissing[name] ?? 0;
      assert.ok(missing.length <= few, `${missing.length} of ${of} are missing:\n${missing.join('\n')}`);
    });

    it(`reads no line twice, and of what is open little that is settled: ${name}`, async () => {
      const { handoff } = await handoffOf(name);
      const lines = handoff.body.split('\n').map((line) => line.trim());
      const long = lines.filter(({ length }) => length > 12);
      assert.deepEqual(
        long.filter((line, at) => long.indexOf(line) !== at),
        [],
      );
      const state = readRows(handoff.body).filter(({ section }) => openSections.test(section));
      const settled = state.filter(({ text }) => (settledThings()[name] ?? []).some((words) => text.includes(words)));
      const rows = settled.map(({ section, text }) => `${section}: ${text}`);
      assert.ok(rows.length <= (mostSettled[name] ?? 0), `settled, and listed:\n${rows.join('\n')}`);
    });

    it(`whose answers stand in the conversation: ${name}`, async () => {
      const { messages } = await handoffOf(name);
      const said = messages.map((message) => `${messageText(message)}\n${JSON.stringify(message.parts)}`).join('\n');
      assert.deepEqual(untold(said, answers).missing, []);
    });
  }
});

const openSections = /^(?:Active State|In Progress|Blocked|Pending User Asks|Remaining Work)$/;

async function handoffOf(name: string) {
  const file = await readFile(new URL(`../fixtures/golden/${name}.jsonl`, import.meta.url));
  const { transcripts } = await readTranscripts(file);
  const messages = transcripts[0]?.messages ?? [];
  const tokenizer = await tokenizerFor('gpt-4o');
  return { messages, handoff: ledgerOf(messages, { count: tokenizer.count }).handoff({ budgetTokens }) };
}
