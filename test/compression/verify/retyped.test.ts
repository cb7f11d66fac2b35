import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Message, verifySummary } from '@palimpsest/core';
import { createLedger } from '@palimpsest/core/engine';
import { estimateTextTokens } from '../../../packages/core/src/tokens/estimate.ts';

const run = (callId: string, command: string, output: string): readonly Message[] => [
  {
    role: 'assistant',
    parts: [{ type: 'toolCall', callId, name: 'Bash', input: JSON.stringify({ command }), inputType: 'json' }],
  },
  {
    role: 'tool',
    parts: [
      { type: 'toolResult', callId, content: [{ type: 'text', text: output }], isError: output.includes('error') },
    ],
  },
];

const messages: readonly Message[] = [
  {
    role: 'user',
    parts: [{ type: 'text', text: 'Move the invoices to the new ledger schema and keep the old totals.' }],
  },
  ...run('a', 'ls /srv/app/invoices/2024-*/totals.csv', 'error: no matches found: /srv/app/invoices/2024-*/totals.csv'),
  ...run('b', 'make migrate && make verify-totals REGION=north', 'error: exit 2: 14 rows differ in totals_north'),
  {
    role: 'assistant',
    parts: [
      { type: 'text', text: 'We decided to keep the column net_amount and to drop gross_guess after 3 releases.' },
    ],
  },
];

/** The summary with every wrong claim put right, and the reasons. */
function mended(summary: string): { readonly text: string; readonly why: readonly string[] } {
  const { text, wrong } = verifySummary(summary, messages, { add: false });
  return { text, why: wrong.map(({ why }) => why) };
}

describe('a row of a handoff that a model types again', () => {
  const ledger = createLedger({ count: estimateTextTokens });
  for (const message of messages) ledger.add(message);
  const { body } = ledger.handoff({ budgetTokens: 4_000 });
  const rowWith = (words: string): string => body.split('\n').find((row) => row.includes(words)) ?? '';

  test('S9: the outcome of a call is put back', () => {
    const row = rowWith('failed:');
    const { text, why } = mended(`## Blocked\n${row.replace('failed', 'succeeded')}`);
    assert.equal(text, `## Blocked\n${row}`);
    assert.match(why[0] ?? '', /^m2 says: failed/);
  });

  test('S9: the header of a step is put back', () => {
    const row = rowWith('m4 Bash make migrate');
    assert.match(row, /failed.*:$|failed/);
    const { text } = mended(`## Completed Actions\n${row.replace('failed', 'passed')}`);
    assert.equal(text, `## Completed Actions\n${row}`);
  });

  test('S9: a figure and a name in words of the agent are put back', () => {
    const row = 'm6 We decided to keep the column net_amount and to drop gross_guess after 3 releases.';
    for (const [from, to] of [
      ['3 releases', '4 releases'],
      ['net_amount', 'gross_amount'],
    ] as const) {
      assert.equal(mended(`## Key Decisions\n${row.replace(from, to)}`).text, `## Key Decisions\n${row}`);
    }
  });

  test('S9: a folder that was put into a path is taken out', () => {
    const row = rowWith('failed: error: no matches found');
    const { text } = mended(`## Blocked\n${row.replace('/srv/app/', '/srv/internal/app/')}`);
    assert.equal(text, `## Blocked\n${row}`);
  });

  test('S9: rows as they were, and other words about the same message, stand', () => {
    const summary = `## Key Decisions\nm6 The agent keeps net_amount; gross_guess goes after 3 releases.\n${rowWith('no matches found')}`;
    assert.deepEqual(mended(summary), { text: summary, why: [] });
  });
});
